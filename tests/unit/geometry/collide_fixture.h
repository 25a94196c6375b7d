// Shapes, random poses and an independent reference for the contact tests. The reference is the largest separation over all
// directions, found by sampling and local search on the support functions alone.
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "asperity/core/random.h"
#include "asperity/geometry/convex_contact/collide.h"

namespace asperity::geometry {

struct NamedShape {
    std::string name;
    Shape shape;
};

inline Vec3 random_direction(Random& random) {
    for (;;) {
        const Vec3 d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        if (length(d) > 0.1 && length(d) < 1) return normalized(d);
    }
}
inline Quat random_turn(Random& random) {
    return normalized(Quat{random.normal(), random.normal(), random.normal(), random.normal()});
}

inline Shape random_hull(int count, std::uint64_t seed) {
    Random random(seed);
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) points.push_back(scaled(random_direction(random), Vec3{0.5, 0.4, 0.3}));
    return convex_hull(points);
}

/// One of every bounded kind, with sizes of the order of 1.
inline std::vector<NamedShape> bounded_shapes() {
    return {{"sphere", Sphere{0.4}},      {"capsule", Capsule{0.2, 0.5}},     {"cylinder", Cylinder{0.4, 0.3}},
            {"rod", Cylinder{0.15, 0.7}}, {"box", Box{{0.3, 0.4, 0.5}}},      {"plate", Box{{0.6, 0.5, 0.05}}},
            {"hull", random_hull(24, 7)}, {"tetrahedron", random_hull(4, 11)}};
}

inline Vec3 world_support(const Shape& shape, const Pose& pose, const Vec3& d) {
    return pose * support(shape, rotate_inverse(pose.orientation, d));
}

/// How far b lies beyond a along n: whole shapes, rounding radii included.
inline double separation(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb, const Vec3& n) {
    return dot(n, world_support(b, pb, -n) - world_support(a, pa, n));
}

/// Largest separation over all directions: the distance of separated shapes, minus the penetration depth of overlapping
/// ones. Spiral samples, then pattern search from the best few; accurate to about 1e-6.
inline double best_separation(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb) {
    constexpr int samples = 1500, starts = 6;
    struct Start {
        double value;
        Vec3 n;
    };
    std::vector<Start> best;
    for (int i = 0; i < samples; ++i) {
        const double z = 1 - (2 * i + 1.0) / samples, r = std::sqrt(1 - z * z),
                     angle = i * std::numbers::pi * (3 - std::sqrt(5.0));
        const Vec3 n{r * std::cos(angle), r * std::sin(angle), z};
        best.push_back({separation(a, pa, b, pb, n), n});
    }
    std::sort(best.begin(), best.end(), [](const Start& p, const Start& q) { return p.value > q.value; });
    double result = best[0].value;
    for (int s = 0; s < starts; ++s) {
        Start now = best[s];
        Random random(s + 1);
        for (double step = 0.05; step > 1e-9;) {
            bool better = false;
            const Vec3 t = normalized(cross(now.n, random_direction(random))), u = cross(now.n, t);
            for (int k = 0; k < 8; ++k) {
                const double angle = k * std::numbers::pi / 4;
                const Vec3 n = normalized(now.n + step * (std::cos(angle) * t + std::sin(angle) * u));
                const double value = separation(a, pa, b, pb, n);
                if (value > now.value) {
                    now = {value, n};
                    better = true;
                }
            }
            if (!better) step *= 0.9;  // slowly: the function has ridges
        }
        result = std::max(result, now.value);
    }
    return result;
}

inline double deepest(const Manifold& m) {
    double gap = m.points[0].gap;
    for (int i = 1; i < m.count; ++i) gap = std::min(gap, m.points[i].gap);
    return gap;
}

inline std::vector<std::uint32_t> features(const Manifold& m) {
    std::vector<std::uint32_t> ids;
    for (int i = 0; i < m.count; ++i) ids.push_back(m.points[i].feature);
    std::sort(ids.begin(), ids.end());
    return ids;
}

}  // namespace asperity::geometry
