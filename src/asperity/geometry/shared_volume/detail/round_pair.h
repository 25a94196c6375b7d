// The shared volume of two round bodies, summed over slices, and the contact part that it makes.
#pragma once
#include <array>

#include "asperity/geometry/common/detail/kept_list.h"
#include "asperity/geometry/shared_volume/detail/overlap_parts.h"
#include "asperity/geometry/shared_volume/detail/plane_moments.h"
#include "asperity/geometry/shared_volume/detail/revolved.h"

namespace asperity::geometry::detail {

/// Integrals along the outline of the second body inside the first, in one slice.
struct OutlineSums {
    Vec2 normal;         // int of the outward normal
    double turning = 0;  // int r x normal
    double length = 0;   // length of the outline of round surfaces, without flat ends
    Vec2 at;             // int r over that outline

    /// Integrals about the point that is at -d relative to the present origin.
    OutlineSums moved(Vec2 d) const { return {normal, turning + cross(d, normal), length, at + length * d}; }
};

/// Slices are z = const. A piece ds of the outline of a round surface represents the surface (n + h/w e) ds dz: n is its
/// normal in the slice, e the direction across the slices, w the body's half width there, and h the slice's height over the
/// body's axis or centre (h/w is `tilt`). A piece of a flat end represents n ds dz.
struct RoundPairSums {
    Moments volume;
    AreaMoments surface;  // of the second body
    KeptList<Vec3>& points;

    void add_slice(const PlaneMoments& m, const OutlineSums& o, double z, double tilt, double dz) {
        volume.volume += dz * m.area;
        volume.first += dz * Vec3{m.first.x, m.first.y, z * m.area};
        volume.squares += dz * Vec3{m.xx(), m.yy(), z * z * m.area};
        volume.products += dz * Vec3{z * m.first.y, z * m.first.x, m.xy()};
        surface.area += dz * Vec3{o.normal.x, o.normal.y, tilt * o.length};
        surface.turning += dz * Vec3{tilt * o.at.y - z * o.normal.y, z * o.normal.x - tilt * o.at.x, o.turning};
    }
};

/// Calls f(z, dz, outermost) at Gauss points of the angle t with z = low + (high - low) sin^2 t. With this variable the
/// integrand is smooth even if an area vanishes at an end like a power of the root of z. `share` is the fraction of all
/// slices between low and high: a small fraction uses fewer points. `outermost` is true for some points, including the first
/// and the last.
template <class F>
void for_slices(double low, double high, double share, const F& f) {
    struct GaussPoint {
        double at, weight;
    };
    struct Rule {
        int count;
        std::array<GaussPoint, 8> points;
        Rule(int half, const std::array<double, 4>& nodes, const std::array<double, 4>& weights)
            : count(2 * half), points{} {
            for (int i = 0; i < count; ++i) {
                const size_t k = static_cast<size_t>(i < half ? half - 1 - i : i - half);
                const double t = 0.25 * std::numbers::pi * (1 + (i < half ? -nodes[k] : nodes[k]));
                points[static_cast<size_t>(i)] = {std::sin(t) * std::sin(t),
                                                  0.5 * std::numbers::pi * std::sin(t) * std::cos(t) * weights[k]};
            }
        }
    };
    static const Rule rules[3] = {
        Rule(2, {0.3399810435848563, 0.8611363115940526}, {0.6521451548625461, 0.3478548451374538}),
        Rule(3, {0.2386191860831969, 0.6612093864662645, 0.9324695142031521},
             {0.4679139345726910, 0.3607615730481386, 0.1713244923791704}),
        Rule(4, {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363},
             {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763})};
    const Rule& rule = rules[share < 0.15 ? 0 : share < 0.6 ? 1 : 2];
    for (int i = 0; i < rule.count; ++i) {
        const GaussPoint& point = rule.points[static_cast<size_t>(i)];
        f(low + (high - low) * point.at, (high - low) * point.weight, i % 4 == 0 || i + 1 == rule.count);
    }
}

/// Scratch memory kept from call to call; returned empty.
KeptList<Vec3>& round_pair_points();

struct PlacedRound {
    Revolved body;
    Pose pose;
    Vec3 axis() const { return rotate(pose.orientation, {0, 0, 1}); }
};
/// Sets method, totals and the part from `sums`, which are in the axes of `frame`.
void set_round_pair(const PlacedRound& a, const PlacedRound& b, const RoundPairSums& sums, const Pose& frame, Overlap& out);

}  // namespace asperity::geometry::detail
