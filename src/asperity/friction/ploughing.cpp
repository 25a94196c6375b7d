#include "asperity/friction/ploughing.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace asperity::friction {
namespace {

using Directions = std::array<std::array<Vec2, kMostDirections>, kMostDirections / 2 + 1>;  // first index: count / 2

Directions make_directions() {
    Directions all{};
    for (int half = 1; half <= kMostDirections / 2; ++half)
        for (int k = 0; k < half; ++k) {
            const double angle = std::numbers::pi * k / half;
            // exact at a right angle: cos(pi/2) evaluates to 6e-17, and a smooth direction must get no slope
            const Vec2 d = 2 * k == half ? Vec2{0, 1} : Vec2{std::cos(angle), std::sin(angle)};
            all[static_cast<size_t>(half)][static_cast<size_t>(k)] = d;
            all[static_cast<size_t>(half)][static_cast<size_t>(k + half)] = -d;
        }
    return all;
}

/// Replaces mu by the support function of the set, so that every half-plane touches it. In the plane the support in a
/// direction is the smallest bound from any two half-planes on both sides of it (linear-programming duality: basic solutions
/// have two non-zero parts).
void tighten(std::span<double> mu, std::span<const Vec2> d) {
    std::array<double, kMostDirections> tight;
    const auto count = static_cast<int>(mu.size());
    const auto at = [&](int k) { return static_cast<size_t>((k + count) % count); };
    for (int k = 0; k < count; ++k) {
        tight[at(k)] = mu[at(k)];
        for (int before = 1; before < count / 2; ++before)
            for (int after = 1; before + after < count / 2; ++after) {
                const Vec2 &low = d[at(k - before)], &high = d[at(k + after)], &here = d[at(k)];
                const double least =
                    (cross(here, high) * mu[at(k - before)] + cross(low, here) * mu[at(k + after)]) / cross(low, high);
                tight[at(k)] = smaller(tight[at(k)], least);
            }
    }
    std::copy_n(tight.begin(), count, mu.begin());
}

}  // namespace

std::span<const Vec2> plough_directions(int count) {
    static const Directions all = make_directions();
    ASPERITY_ASSERT(count >= 2 && count <= kMostDirections && count % 2 == 0);
    return {all[static_cast<size_t>(count / 2)].data(), static_cast<size_t>(count)};
}

void plough_coefficients(const Ploughing& law, const FacetAverages& facets, bool swapped, std::span<double> mu) {
    const double a = 2 / std::numbers::pi * (swapped ? law.k_b : law.k_a),
                 b = 2 / std::numbers::pi * (swapped ? law.k_a : law.k_b);
    for (size_t k = 0; k < mu.size(); ++k) mu[k] = law.mu_0 + a * facets.a[k] + b * facets.b[k];
}

LimitSet plough_set(std::span<double> mu, std::span<Vec2> room) {
    const size_t count = mu.size();
    if (count == 4) return Rectangle{mu[0], mu[2], mu[1], mu[3]};  // a force along -t opposes a slip along t
    ASPERITY_ASSERT(room.size() >= count);
    const std::span<const Vec2> d = plough_directions(static_cast<int>(count));
    const double sine = d[1].y, cosine = d[1].x;

    // The side with outward normal -d_k runs between its intersections with both neighbours. A negative length means that
    // the side is outside the set.
    double largest = 0;
    for (const double m : mu) largest = larger(largest, m);
    std::array<double, kMostDirections> side;  // lengths of the sides times the sine
    const auto find_sides = [&] {
        bool outside = false;
        double before = mu[count - 1], here = mu[0];
        for (size_t k = 0; k < count; ++k) {
            const double after = mu[k + 1 == count ? 0 : k + 1];
            side[k] = before + after - 2 * cosine * here;
            outside |= side[k] < -1e-14 * largest;
            before = here, here = after;
        }
        return outside;
    };
    if (find_sides()) {
        tighten(mu, d);
        find_sides();
    }
    // vertex k lies between sides k and k + 1; before a side of zero length it coincides with the next vertex and is left
    // out
    const double shortest = 1e-12 * largest * sine, one_over_sine = 1 / sine;
    size_t corners = 0;
    for (size_t k = 0; k < count; ++k) {
        const size_t next = k + 1 == count ? 0 : k + 1;
        if (side[next] <= shortest) continue;
        const double along = (mu[next] - cosine * mu[k]) * one_over_sine;
        room[corners++] = {-mu[k] * d[k].x + along * d[k].y, -mu[k] * d[k].y - along * d[k].x};
    }
    if (corners == 0) room[corners++] = {};  // no resistance in any direction
    return Polygon{room.first(corners)};
}

LimitSurface plough_surface(const Ploughing& law, const ConeInput& in, double scale) {
    LimitSurface out;
    const FacetAverages* facets = in.facets;
    out.t = facets ? facets->t : kept_tangent(in);
    out.b = cross(in.normal, out.t);
    std::array<double, kMostDirections> mu;
    const std::span<double> used(mu.data(), static_cast<size_t>(law.directions));
    static const FacetAverages none;
    plough_coefficients(law, facets ? *facets : none, in.swapped, used);
    const bool box = law.directions == 4;
    if (!box && std::all_of(used.begin(), used.end(), [&](double m) { return m == law.mu_0; })) {
        out.set = Ellipse{scale * law.mu_0, scale * law.mu_0};  // smooth: the limit of infinitely many half-planes
        return out;
    }
    if (box)
        for (double& m : used) m *= scale;
    out.set = plough_set(used, in.corners);
    if (auto* set = std::get_if<Polygon>(&out.set)) set->scale = scale;
    return out;
}

}  // namespace asperity::friction
