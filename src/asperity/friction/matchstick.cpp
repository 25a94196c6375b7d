#include "asperity/friction/matchstick.h"

#include <numbers>

namespace asperity::friction {
namespace {

struct Mean {
    Vec3 t;
    double d;
};

/// M5 and M7, for two unit tangents.
Mean mean_grain(GrainBlend blend, const Vec3& a, const Vec3& b) {
    const double c = dot(a, b);
    const Vec3 sum = c < 0 ? a - b : a + b;  // |sum|^2 >= 2: never a division problem
    if (blend == GrainBlend::DoubleAngle) return {normalized(sum), c * c};
    const double theta = std::atan2(length(cross(a, b)), std::fabs(c));
    return {normalized(sum), 1 - 2 / std::numbers::pi * theta};
}

/// Grains of partial strength: parts s_A and s_B of the surfaces have a grain. The four kinds of meeting, each with its d and t, are mixed
/// in double-angle form by how much of the surface they make up. With strengths of 0 and 1 this is the plain law.
Mean mixed_grain(const Matchstick& law, const ConeInput& in, const Vec3& a, const Vec3& b, double s_a, double s_b) {
    const Vec3 e2 = cross(in.normal, a);
    Vec2 q;
    const auto add = [&](double weight, const Vec3& t) { q = q + weight * double_angle(dot(t, a), dot(t, e2)); };
    const Mean both = mean_grain(law.blend, a, b);
    add(s_a * s_b * both.d, both.t);
    if (law.lone_grain == LoneGrain::Anisotropic) {
        add(s_a * (1 - s_b), a);
        add(s_b * (1 - s_a), b);
    }
    const double d = length(q);
    if (!(d > 1e-12)) return {both.t, 0};
    const Vec2 t = half_angle(q);
    return {normalized(t.x * a + t.y * e2), smaller(d, 1)};
}

/// A grain of full strength in the tangent plane already, as surface::sample() gives them: nothing to do, and quicker so.
bool is_unit_tangent(const Vec3& s, const Vec3& n) { return std::fabs(dot(s, s) - 1) < 1e-14 && std::fabs(dot(s, n)) < 2e-16; }

Mean grain_of(const Matchstick& law, const ConeInput& in) {
    if (is_unit_tangent(in.grain_a, in.normal) && is_unit_tangent(in.grain_b, in.normal)) return mean_grain(law.blend, in.grain_a, in.grain_b);
    Vec3 a, b;
    const bool has_a = aim(a, in.grain_a, in.normal), has_b = aim(b, in.grain_b, in.normal);
    if (!has_a && !has_b) return {kept_tangent(in), 0};
    const double s_a = has_a ? length(in.grain_a) : 0, s_b = has_b ? length(in.grain_b) : 0;
    constexpr double full = 1 - 1e-3;  // what filtering takes off a smooth texture; it would change d by as little
    if (has_a != has_b) return {has_a ? a : b, law.lone_grain == LoneGrain::Anisotropic ? (s_a + s_b >= full ? 1 : s_a + s_b) : 0};
    if (s_a >= full && s_b >= full) return mean_grain(law.blend, a, b);
    return mixed_grain(law, in, a, b, smaller(s_a, 1), smaller(s_b, 1));
}

}  // namespace

UnitCone cone(const Matchstick& law, double drilling, const ConeInput& in) {
    const Mean m = grain_of(law, in);
    return {m.t, lerp(law.mu, law.mu_along, m.d), lerp(law.mu, law.mu_across, m.d),  // M10, M11
            lerp(drilling, law.drilling_parallel.value_or(drilling), m.d)};
}

}  // namespace asperity::friction
