#include "asperity/friction/matchstick.h"

namespace asperity::friction {
namespace {

/// Grains of partial strength: fractions s_A and s_B of the surfaces have a grain. Four combinations occur (grain or none on
/// either side), each with its d and t. They are mixed in double-angle form by their fractions of the area. With strengths
/// of 0 and 1 this is the plain law.
MeanGrain mixed_grain(const Matchstick& law, const ConeInput& in, const Vec3& a, const Vec3& b, double s_a, double s_b) {
    const Vec3 e2 = cross(in.normal, a);
    Vec2 q;
    const auto add = [&](double weight, const Vec3& t) { q = q + weight * double_angle(dot(t, a), dot(t, e2)); };
    const MeanGrain both = mean_grain(law.blend, a, b, in.normal);
    add(s_a * s_b * both.d, both.t);
    if (law.lone_grain == LoneGrain::Anisotropic) {
        add(s_a * (1 - s_b), a);
        add(s_b * (1 - s_a), b);
    }
    const double d = std::sqrt(dot(q, q));
    if (!(d > 1e-12)) return {both.t, 0};
    const Vec2 t = half_angle(q, d);
    return {normalized(t.x * a + t.y * e2), smaller(d, 1)};
}

}  // namespace

MeanGrain mean_of_any(const Matchstick& law, const ConeInput& in) {
    Vec3 a, b;
    const bool has_a = set_tangent(a, in.grain_a, in.normal), has_b = set_tangent(b, in.grain_b, in.normal);
    if (!has_a && !has_b) return {kept_tangent(in), 0};
    const double s_a = has_a ? length(in.grain_a) : 0, s_b = has_b ? length(in.grain_b) : 0;
    // filtering reduces the strength of a smooth texture by about 1e-3; the effect on d is as small
    constexpr double full = 1 - 1e-3;
    if (has_a != has_b)
        return {has_a ? a : b, law.lone_grain == LoneGrain::Anisotropic ? (s_a + s_b >= full ? 1 : s_a + s_b) : 0};
    if (s_a >= full && s_b >= full) return mean_grain(law.blend, a, b, in.normal);
    return mixed_grain(law, in, a, b, smaller(s_a, 1), smaller(s_b, 1));
}

}  // namespace asperity::friction
