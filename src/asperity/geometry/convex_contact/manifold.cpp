// Reduction of contact candidates to four points.
#include "asperity/geometry/convex_contact/manifold.h"

#include <algorithm>
#include <cmath>

namespace asperity::geometry {

namespace {

constexpr double previous_advantage = 1.05;
constexpr double tie = 1e-6;           // [-] relative: scores this near are equal; the smaller id wins
constexpr double equally_deep = 1e-5;  // [-] of the width of the candidates
constexpr double keep_area = 0.9;

/// Area of the convex quadrilateral of four points in any order: half the cross product of the diagonals, the largest over
/// the pairings.
double quad_area(const Vec2& p, const Vec2& q, const Vec2& r, const Vec2& s) {
    const auto half = [](const Vec2& d, const Vec2& e) { return 0.5 * std::fabs(cross(d, e)); };
    return std::max({half(r - p, s - q), half(q - p, s - r), half(s - p, r - q)});
}

struct Patch {
    Candidates& points;  // sorted by id, so that choices do not depend on the order of search
    FixedBuffer<Vec2, 192> flat;
    FixedBuffer<bool, 192> old;

    /// The point with the highest positive score, or -1. Old points have an advantage; ties go to the smaller id.
    template <class Score>
    int best(const Score& score) const {
        double top = 0;
        FixedBuffer<double, 192> scores;
        for (int i = 0; i < points.size(); ++i) {
            scores.push((old[i] ? previous_advantage : 1) * score(i));
            top = std::max(top, scores[i]);
        }
        if (top <= 0) return -1;
        for (int i = 0; i < points.size(); ++i) {
            if (scores[i] >= (1 - tie) * top) return i;
        }
        return -1;
    }
};

}  // namespace

bool reduce(Candidates& candidates, const Vec3& normal, const Vec3& origin, std::span<const std::uint32_t> previous,
            Manifold& out) {
    out.normal = normal;
    out.count = 0;
    const auto keep = [&](int i) {
        const Candidate& c = candidates[i];
        out.points[out.count++] = {c.on_a + origin, c.on_b + origin, c.gap, c.feature};
    };
    if (candidates.size() <= 4) {
        for (int i = 0; i < candidates.size(); ++i) keep(i);
        return out.count > 0;
    }

    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate& p, const Candidate& q) { return p.feature < q.feature; });
    Patch patch{candidates, {}, {}};
    const Vec3 t = any_tangent(normal), b = cross(normal, t);
    Vec2 middle;
    double deepest = candidates[0].gap, width = 0;
    for (const Candidate& c : candidates) {
        patch.flat.push({dot(c.on_a, t), dot(c.on_a, b)});
        patch.old.push(contains(previous, c.feature));
        middle = middle + patch.flat[patch.flat.size() - 1] / candidates.size();
        deepest = std::min(deepest, c.gap);
    }
    const auto& flat = patch.flat;
    for (const Vec2& p : flat) width = std::max(width, dot(p - middle, p - middle));
    width = std::sqrt(width);
    const double deep_enough = deepest + equally_deep * width;

    // The deepest point, then the farthest from it, then the two that add most area.
    int chosen[4];
    chosen[0] = patch.best([&](int i) {
        return candidates[i].gap <= deep_enough ? dot(flat[i] - middle, flat[i] - middle) + 1e-6 * width * width : 0;
    });
    if (chosen[0] < 0) chosen[0] = 0;  // -1 when all points coincide
    const Vec2 p0 = flat[chosen[0]];
    chosen[1] = patch.best([&](int i) { return dot(flat[i] - p0, flat[i] - p0); });
    if (chosen[1] < 0) return keep(chosen[0]), true;
    const Vec2 p1 = flat[chosen[1]];
    const auto area = [&](int i) { return std::fabs(cross(p1 - p0, flat[i] - p0)); };
    const double thin = 1e-6 * width * width;
    chosen[2] = patch.best([&](int i) { return area(i) > thin ? area(i) : 0; });
    if (chosen[2] < 0) return keep(chosen[0]), keep(chosen[1]), true;
    const Vec2 p2 = flat[chosen[2]];
    chosen[3] = patch.best([&](int i) {
        return i == chosen[0] || i == chosen[1] || i == chosen[2]
                   ? 0
                   : std::max(0.0, quad_area(p0, p1, p2, flat[i]) - 0.5 * area(chosen[2]));
    });
    if (chosen[3] < 0) return keep(chosen[0]), keep(chosen[1]), keep(chosen[2]), true;

    // The four of the last step, if all are still here and nearly as good.
    int last[4];
    int count = 0;
    for (int i = 0; i < candidates.size() && count < 4; ++i) {
        if (patch.old[i]) last[count++] = i;
    }
    if (count == 4) {
        double last_deepest = candidates[last[0]].gap;
        for (const int i : last) last_deepest = std::min(last_deepest, candidates[i].gap);
        const double last_area = quad_area(flat[last[0]], flat[last[1]], flat[last[2]], flat[last[3]]);
        const double new_area = quad_area(p0, p1, p2, flat[chosen[3]]);
        if (last_deepest <= deep_enough && last_area >= keep_area * new_area) std::copy(last, last + 4, chosen);
    }
    std::sort(chosen, chosen + 4);
    for (const int i : chosen) keep(i);
    return true;
}

}  // namespace asperity::geometry
