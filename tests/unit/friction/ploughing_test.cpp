// Ploughing: which facets resist which motion, the set from N directions, and closed forms of the averages.
#include <gtest/gtest.h>

#include <numbers>

#include "asperity/core/error.h"
#include "asperity/core/random.h"
#include "asperity/friction/law.h"

namespace asperity::friction {
namespace {

using std::numbers::pi;

/// Facets of equal weight with slopes in the axes t, b; averages directly from the definition.
struct Patch {
    std::vector<Vec2> a, b;
    FacetAverages averages(int count, const Vec3& t = {1, 0, 0}) const {
        FacetAverages out;
        out.t = t;
        out.covered = 1;
        for (int k = 0; k < count; ++k) {
            const Vec2 d{std::cos(2 * pi * k / count), std::sin(2 * pi * k / count)};
            for (const Vec2& g : a)
                out.a[static_cast<size_t>(k)] += std::fmax(0, -dot(g, d)) / static_cast<double>(a.size());
            for (const Vec2& g : b) out.b[static_cast<size_t>(k)] += std::fmax(0, dot(g, d)) / static_cast<double>(b.size());
        }
        return out;
    }
};

LimitSurface surface_of(const Ploughing& law, const FacetAverages& facets, std::vector<Vec2>& room, bool swapped = false,
                        const Vec3& n = {0, 0, 1}) {
    ConeInput in;
    in.normal = n;
    in.facets = &facets;
    in.swapped = swapped;
    room.resize(kMostDirections);
    in.corners = room;
    LimitSurface out;
    generate({law}, {&in, 1}, {&out, 1});
    return out;
}
/// The drag per unit load when B slides along v over A: the most dissipative force of the set.
double drag(const LimitSurface& s, const Vec3& v) { return support(s.set, {-dot(v, s.t), -dot(v, s.b), 0}); }

// The signs: a ramp on B that faces +x, A smooth. Only B's motion along +x is resisted, by a force along -x.
TEST(Ploughing, OnlyMotionAgainstAFacetIsResisted) {
    constexpr double mu_0 = 0.1, k_b = 0.7;
    std::vector<Vec2> room;
    const FacetAverages ramp = Patch{{}, {{1, 0}}}.averages(4);
    const LimitSurface box = surface_of({mu_0, 3, k_b, FacetWeight::Projected, 4}, ramp, room);
    const auto* r = std::get_if<Rectangle>(&box.set);
    ASSERT_TRUE(r);
    EXPECT_NEAR(r->t_minus, 2 / pi * k_b + mu_0, 1e-15);
    EXPECT_NEAR(r->t_plus, mu_0, 1e-15);
    EXPECT_NEAR(r->b_minus, mu_0, 1e-15);
    EXPECT_NEAR(r->b_plus, mu_0, 1e-15);

    // the same ramp on A, also facing +x, resists B's motion along -x
    const FacetAverages below = Patch{{{1, 0}}, {}}.averages(16);
    const LimitSurface set = surface_of({mu_0, 0.4, 5, FacetWeight::Projected, 16}, below, room);
    EXPECT_NEAR(drag(set, {1, 0, 0}), mu_0, 1e-15);
    EXPECT_NEAR(drag(set, {-1, 0, 0}), mu_0 + 2 / pi * 0.4, 1e-15);
}

TEST(Ploughing, StrengthsBelongToTheMaterialsNotToTheOrderOfTheBodies) {
    std::vector<Vec2> room;
    const FacetAverages facets = Patch{{{0.3, -0.2}}, {{0.5, 0.1}, {-0.4, 0.9}}}.averages(16);
    FacetAverages other = facets;  // A and B exchanged: the direction of B relative to A is reversed, and so are n and b
    for (size_t k = 0; k < 16; ++k) other.a[k] = facets.b[(24 - k) % 16], other.b[k] = facets.a[(24 - k) % 16];
    const Ploughing law{0.2, 1.5, 0.6};
    const LimitSurface one = surface_of(law, facets, room);
    std::vector<Vec2> room_2;
    const LimitSurface two = surface_of(law, other, room_2, true, {0, 0, -1});
    for (int i = 0; i < 32; ++i) {
        const Vec3 v{std::cos(pi * i / 16), std::sin(pi * i / 16), 0};
        EXPECT_NEAR(drag(one, v), drag(two, -v), 1e-15) << i;
    }
    const Law swapped_law = swapped(Law{law});
    EXPECT_EQ(std::get<Ploughing>(swapped_law.base).k_a, 0.6);
}

TEST(Ploughing, TurningTheFrameByAQuarterPermutesTheFourCoefficients) {
    const Patch patch{{{0.3, -0.2}}, {{0.5, 0.1}, {-0.4, 0.9}}};
    Patch turned;  // the same facets in the axes b, -t
    for (const Vec2& g : patch.a) turned.a.push_back({g.y, -g.x});
    for (const Vec2& g : patch.b) turned.b.push_back({g.y, -g.x});
    std::array<double, 4> mu{}, mu_turned{};
    plough_coefficients({0.1, 2, 3, FacetWeight::Projected, 4}, patch.averages(4), false, mu);
    plough_coefficients({0.1, 2, 3, FacetWeight::Projected, 4}, turned.averages(4), false, mu_turned);
    for (size_t k = 0; k < 4; ++k) EXPECT_NEAR(mu_turned[k], mu[(k + 1) % 4], 1e-15);
}

TEST(Ploughing, MoreNominalFrictionShiftsAllDirectionsAlike) {
    const FacetAverages facets = Patch{{{0.3, -0.2}}, {{0.5, 0.1}}}.averages(16);
    std::array<double, 16> mu{}, more{};
    plough_coefficients({0.1, 2, 3}, facets, false, mu);
    plough_coefficients({0.35, 2, 3}, facets, false, more);
    for (size_t k = 0; k < 16; ++k) EXPECT_NEAR(more[k] - mu[k], 0.25, 1e-15);
}

// mu_d is a support function, so every half-plane touches the polygon: the drag along each d_k is mu_k. Between two
// directions it exceeds the true drag by at most the height of the vertex of two tangents.
TEST(Ploughing, PolygonHasTheCoefficientsAsDragAndHoldsTheTrueSet) {
    Random random(3);
    for (int trial = 0; trial < 300; ++trial) {
        Patch patch;
        const double size = std::exp(random.uniform(-9, 9));
        for (int i = 0; i < 1 + random.below(20); ++i)
            patch.a.push_back({size * random.normal(), 0.1 * size * random.normal()});
        for (int i = 0; i < 1 + random.below(20); ++i) patch.b.push_back({size * random.normal(), size * random.normal()});
        const int count = 6 + 2 * random.below(14);
        const Ploughing law{trial % 3 == 0 ? 0 : random.uniform(), random.uniform(), trial % 5 == 0 ? 0 : random.uniform(),
                            FacetWeight::Projected, count};
        std::array<double, kMostDirections> mu{};
        const std::span<double> used(mu.data(), static_cast<size_t>(count));
        plough_coefficients(law, patch.averages(count), false, used);
        std::vector<Vec2> room;
        const LimitSurface s = surface_of(law, patch.averages(count), room);
        double largest = 0;
        for (const double m : used) largest = std::fmax(largest, m);
        for (int k = 0; k < count; ++k) {
            const double angle = 2 * pi * k / count;
            EXPECT_NEAR(drag(s, {std::cos(angle), std::sin(angle), 0}), mu[static_cast<size_t>(k)], 1e-13 * largest)
                << "trial " << trial << " k " << k;
            const double between = angle + 2 * pi * random.uniform() / count;
            const Vec2 d{std::cos(between), std::sin(between)};
            double exact = law.mu_0;
            for (const Vec2& g : patch.a)
                exact += law.k_a * 2 / pi * std::fmax(0, -dot(g, d)) / static_cast<double>(patch.a.size());
            for (const Vec2& g : patch.b)
                exact += law.k_b * 2 / pi * std::fmax(0, dot(g, d)) / static_cast<double>(patch.b.size());
            EXPECT_GE(drag(s, {d.x, d.y, 0}), exact - 1e-13 * largest);
            // half a side is at most tan(pi/N) of its bound
            EXPECT_LE(drag(s, {d.x, d.y, 0}), exact + std::tan(pi / count) * largest);
        }
    }
}

// Coefficients that no facets could produce, such as measured ones: a half-plane that cuts nothing off is lowered.
TEST(Ploughing, HalfPlanesThatCutNothingOffAreLowered) {
    Random random(5);
    for (int trial = 0; trial < 300; ++trial) {
        const int count = 6 + 2 * random.below(14);
        std::array<double, kMostDirections> mu{};
        const std::span<double> used(mu.data(), static_cast<size_t>(count));
        for (double& m : used) m = random.below(6) == 0 ? 0 : random.uniform();
        const std::array<double, kMostDirections> given = mu;
        std::vector<Vec2> room(kMostDirections);
        const LimitSet set = plough_set(used, room);
        const std::span<const Vec2> d = plough_directions(count);
        for (int i = 0; i < 300; ++i) {  // a point belongs to the set exactly if all half-planes contain it
            const Vec2 f{random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2)};
            double worst = -1;
            for (int k = 0; k < count; ++k)
                worst = std::fmax(worst, -dot(f, d[static_cast<size_t>(k)]) - given[static_cast<size_t>(k)]);
            if (std::fabs(worst) < 1e-9) continue;
            EXPECT_EQ(contains(set, {f.x, f.y, 0}, 1, 1e-10), worst < 0)
                << "trial " << trial << ", point " << f.x << ", " << f.y;
        }
        EXPECT_GE(area(set), 0);
    }
}

TEST(Ploughing, NothingCoveredLeavesTheNominalFriction) {
    std::vector<Vec2> room;
    FacetAverages none;
    none.t = {1, 0, 0};
    const LimitSurface round = surface_of({0.3, 1, 1}, none, room);
    ASSERT_TRUE(std::holds_alternative<Ellipse>(round.set));
    EXPECT_EQ(std::get<Ellipse>(round.set).t, 0.3);
    const LimitSurface box = surface_of({0.3, 1, 1, FacetWeight::Projected, 4}, none, room);
    EXPECT_EQ(std::get<Rectangle>(box.set).t_minus, 0.3);
    EXPECT_EQ(std::get<Rectangle>(box.set).b_plus, 0.3);
}

// Ridges along y without nominal friction: the set is a segment along x. Smooth surfaces: a point.
TEST(Ploughing, FlatSetsHaveNoWidth) {
    std::vector<Vec2> room;
    const LimitSurface ridges = surface_of({0, 1, 1}, Patch{{}, {{1, 0}, {-1, 0}}}.averages(16), room);
    EXPECT_NEAR(drag(ridges, {0, 1, 0}), 0, 1e-16);
    EXPECT_NEAR(drag(ridges, {1, 0, 0}), 1 / pi, 1e-15);
    EXPECT_NEAR(area(ridges.set), 0, 1e-15);
    const Vec3 p = project(ridges.set, {0.1, 0.7, 0}, 1);
    EXPECT_NEAR(p.x, 0.1, 1e-15);
    EXPECT_NEAR(p.y, 0, 1e-15);
    const LimitSurface smooth = surface_of({0, 1, 1}, Patch{{{0, 0}}, {{0, 0}}}.averages(16), room);
    EXPECT_EQ(length(project(smooth.set, {0.1, 0.7, 0}, 1)), 0);
}

TEST(Ploughing, WrappersScaleBothKindsOfSets) {
    const FacetAverages facets = Patch{{{0.3, -0.2}}, {{0.5, 0.1}}}.averages(16);
    const FacetAverages four = Patch{{{0.3, -0.2}}, {{0.5, 0.1}}}.averages(4);
    for (const int count : {4, 16}) {
        std::vector<Vec2> room(kMostDirections), room_2(kMostDirections);
        ConeInput in;
        in.normal = {0, 0, 1};
        in.facets = count == 4 ? &four : &facets;
        in.corners = room;
        Law law{Ploughing{0.2, 1, 1, FacetWeight::Projected, count}};
        LimitSurface plain, wrapped;
        generate(law, {&in, 1}, {&plain, 1});
        law.static_kinetic = StaticKinetic{1.5, 1e-3};
        in.corners = room_2;
        generate(law, {&in, 1}, {&wrapped, 1});
        for (const Vec3& v : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0.6, 0.8, 0}})
            EXPECT_NEAR(drag(wrapped, v), 1.5 * drag(plain, v), 1e-15);
    }
}

TEST(Ploughing, RefusesNumbersThatMeanNothing) {
    EXPECT_NO_THROW(check(Law{Ploughing{0.2, 1, 4, FacetWeight::TrueArea, 4}}));
    EXPECT_THROW(check(Law{Ploughing{-0.2, 1, 1}}), InputError);
    EXPECT_THROW(check(Law{Ploughing{0.2, std::nan(""), 1}}), InputError);
    EXPECT_THROW(check(Law{Ploughing{0.2, 1, -1}}), InputError);
    for (const int count : {0, 2, 5, 15, 34})
        EXPECT_THROW(check(Law{Ploughing{0.2, 1, 1, FacetWeight::Projected, count}}), InputError) << count;
    EXPECT_THROW(check(Law{Ploughing{0.2, 1, 1}, 0.01}), InputError);
}

}  // namespace
}  // namespace asperity::friction
