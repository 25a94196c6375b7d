#include "asperity/friction/tensor.h"

#include <cmath>

namespace asperity::friction {
namespace {

constexpr double kMinSlipSpeed = 1e-9;  // [m/s]: a slower slip has no defined direction

struct Mat2 {
    double xx, xy, yx, yy;
};

/// Q of a surface with the unit grain direction `grain` in the axes e1, e2. `side` is -1 if n points into the surface: its
/// quarter turn is then reversed.
Mat2 turned(const SurfaceTensor& q, Vec2 grain, double side) {
    const double c = grain.x, s = grain.y;
    const double xy = side * q.along_by_across, yx = side * q.across_by_along;
    return {c * c * q.along + s * s * q.across - c * s * (xy + yx), c * s * (q.along - q.across) + c * c * xy - s * s * yx,
            c * s * (q.along - q.across) + c * c * yx - s * s * xy, s * s * q.along + c * c * q.across + c * s * (xy + yx)};
}
Mat2 isotropic(const SurfaceTensor& q) { return {0.5 * (q.along + q.across), 0, 0, 0.5 * (q.along + q.across)}; }

/// The ellipse f^T A^-1 f <= 1 of a symmetric A, with t along the eigenvector of the smaller eigenvalue.
UnitCone ellipse_of(double xx, double xy, double yy, const Vec3& e1, const Vec3& e2, double drilling) {
    const double mean = 0.5 * (xx + yy), half = 0.5 * (xx - yy), radius = std::hypot(half, xy);
    const double large = mean + radius, small = large > 0 ? larger((xx * yy - xy * xy) / large, 0) : 0;  // no cancellation
    Vec3 t = e1;
    if (radius > 0) {
        const Vec2 direction = half_angle({-half, -xy});  // double-angle form of the eigenvector of the smaller eigenvalue
        t = normalized(direction.x * e1 + direction.y * e2);
    }
    return {t, std::sqrt(small), std::sqrt(larger(large, 0)), drilling};
}

}  // namespace

TensorSum tensor_sum(const FrictionTensor& law, const ConeInput& in) {
    const SurfaceTensor &q_a = in.swapped ? law.b : law.a, &q_b = in.swapped ? law.a : law.b;
    Vec3 a, b;
    const bool has_a = set_tangent(a, in.grain_a, in.normal), has_b = set_tangent(b, in.grain_b, in.normal);
    const Vec3 e1 = has_a ? a : has_b ? b : kept_tangent(in), e2 = cross(in.normal, e1);
    const Mat2 l_a = has_a ? turned(q_a, {1, 0}, 1) : isotropic(q_a);
    const Mat2 l_b = has_b ? turned(q_b, {dot(b, e1), dot(b, e2)}, -1) : isotropic(q_b);
    return {e1,
            e2,
            {{law.kappa * (l_a.xx + l_b.xx), law.kappa * (l_a.xy + l_b.xy)},
             {law.kappa * (l_a.yx + l_b.yx), law.kappa * (l_a.yy + l_b.yy)}}};
}

UnitCone cone(const FrictionTensor& law, double drilling, const ConeInput& in) {
    const TensorSum sum = tensor_sum(law, in);
    const auto& L = sum.m;
    if (law.form == TensorForm::Direct) {
        const double speed = length(in.slip);
        if (speed > kMinSlipSpeed) {
            const Vec2 v{dot(in.slip, sum.e1) / speed, dot(in.slip, sum.e2) / speed}, p{-v.y, v.x};
            const Vec2 w{L[0][0] * v.x + L[0][1] * v.y, L[1][0] * v.x + L[1][1] * v.y};
            const double drag = dot(w, v), det = L[0][0] * L[1][1] - L[0][1] * L[1][0];
            if (drag > 1e-9 * length(w)) {
                const double k = (det / drag) * (det / drag);
                return ellipse_of(w.x * w.x + k * p.x * p.x, w.x * w.y + k * p.x * p.y, w.y * w.y + k * p.y * p.y, sum.e1,
                                  sum.e2, drilling);
            }
        }
    }
    // L L^T: the ellipse { L x : |x| <= 1 }
    return ellipse_of(L[0][0] * L[0][0] + L[0][1] * L[0][1], L[0][0] * L[1][0] + L[0][1] * L[1][1],
                      L[1][0] * L[1][0] + L[1][1] * L[1][1], sum.e1, sum.e2, drilling);
}

}  // namespace asperity::friction
