// The friction of a patch as a sum over cells: moments of the cells, closed forms of discs and polygons, projections.
#include "asperity/friction/patch_integral.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/core/random.h"
#include "asperity/friction/contensou.h"
#include "asperity/friction/patch_limits.h"

namespace asperity::friction {
namespace {

constexpr double kPi = std::numbers::pi;

PressureRegion ellipse(double a, double b) {
    PressureRegion r;
    r.a = a, r.b = b;
    return r;
}
PressureRegion polygon(int count, double a, double b, double from = 0) {
    PressureRegion r;
    r.count = count;
    for (int i = 0; i < count; ++i) {
        const double angle = from + 2 * kPi * i / count;
        r.corners[static_cast<size_t>(i)] = {a * std::cos(angle), b * std::sin(angle)};
    }
    return r;
}

/// The cells of a region under one law.
struct Cells {
    std::array<PatchCell, kMostCells> cell{};
    int count;
    Cells(const PressureRegion& region, Ellipse set, double angle = 0) : count(make_cells(region, cell)) {
        for (PatchCell& c : cell) c.set = set, c.cos = std::cos(angle), c.sin = std::sin(angle);
    }
    std::span<PatchCell> all() { return {cell.data(), static_cast<size_t>(count)}; }
    PatchIntegral at(Vec2 d = {}) { return {all(), d, 1, 0, 1}; }
};

TEST(PatchIntegral, CellsHaveTheMomentsOfTheRegion) {
    struct Case {
        PressureRegion region;
        double second;  // mean of |x|^2
    };
    for (const auto& [region, second] :
         {Case{ellipse(0.3, 0.2), (0.09 + 0.04) / 4}, Case{polygon(4, 1, 1, kPi / 4), 1.0 / 3},
          Case{polygon(6, 1, 1), 5.0 / 12}, Case{polygon(2, 0.5, 0), 0.25 / 3}}) {
        Cells cells(region, {1, 1});
        double share = 0, sum = 0;
        Vec2 middle;
        for (const PatchCell& c : cells.all()) {
            share += c.share;
            middle = middle + c.share * c.at;
            sum += c.share * (dot(c.at, c.at) + 2 * c.variance);
        }
        EXPECT_NEAR(share, 1, 1e-14);
        EXPECT_LT(length(middle), 1e-15);
        EXPECT_NEAR(sum, second, (region.count == 0 ? 1e-3 : 1e-14) * second);  // an ellipse is one of 16 corners
    }
}

/// Error of 36 cells: at most 0.3 % here, so a bound of 0.5 %.
TEST(PatchIntegral, SpinTorqueIsTheMeanRadius) {
    for (const PressureRegion& region : {ellipse(0.3, 0.3), ellipse(0.4, 0.1), polygon(4, 1, 1, kPi / 4), polygon(3, 1, 1),
                                         polygon(8, 0.2, 0.2), polygon(4, 1, 0.2, kPi / 4), polygon(2, 1, 0)}) {
        const double exact = region.count == 0 ? mean_radius(region.a, region.b) : mean_radius(region);
        const double torque = Cells(region, {0.5, 0.5}).at().support({0, 0, 1});
        EXPECT_NEAR(torque / (0.5 * exact), 1, 5e-3) << region.count;
    }
}

/// Error of 36 cells: at most 0.7 % of mu in force, 0.5 % in torque, where the disc turns about a point within it.
TEST(PatchIntegral, DiscSlidesAndSpinsAsContensouSays) {
    const double R = 0.2, mu = 0.4;
    Cells cells(ellipse(R, R), {mu, mu});
    for (const double slope : {0.02, 0.3, 0.7, 1.0, 1.5, 4.0}) {  // v over w R
        // far out along the slip, the nearest point is the one where the slip is normal to the set
        const Vec3 at = cells.at().project(1e7 * Vec3{slope, 0, 1 / R});
        const DiscForce exact = disc_force(slope, 1);
        EXPECT_NEAR(at.x, mu * exact.force, 8e-3 * mu) << slope;
        EXPECT_NEAR(at.z, mu * R * exact.torque, 6e-3 * mu * R) << slope;
    }
}

/// The nearest point x of a convex set K is the one with (p - x).(y - x) <= 0 for all y of K.
TEST(PatchIntegral, ProjectsOntoTheNearestPoint) {
    Random random(7);
    int inside = 0, outside = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        const PressureRegion region = trial % 2
                                          ? ellipse(random.uniform(0.01, 1), random.uniform(0.01, 1))
                                          : polygon(3 + trial % 5, random.uniform(0.1, 1), random.uniform(0.1, 1), 0.3);
        Cells cells(region, {});
        for (PatchCell& c : cells.all()) {
            const double angle = random.uniform(0, kPi);
            c.set = {random.uniform(0, 1), random.uniform(0, 1)};
            c.cos = std::cos(angle), c.sin = std::sin(angle);
        }
        const PatchIntegral set = cells.at({random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05)});
        const auto any = [&](double size) {
            return size * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        };
        const Vec3 p = any(std::pow(10.0, random.uniform(-2, 2))), x = set.project(p);
        (x == p ? inside : outside)++;
        for (int k = 0; k < 10; ++k) {
            const Vec3 n = any(1);
            // K lies below its support planes, and so does x; p does unless x != p
            EXPECT_LE(dot(n, x), set.support(n) + 1e-13);
        }
        EXPECT_NEAR(dot(p - x, x), set.support(p - x), 1e-13 * length(p) * (1 + length(p)));
        const Vec3 q = p + any(0.1), y = set.project(q);
        EXPECT_LE(length(x - y), length(p - q) + 1e-13);
        EXPECT_LE(length(set.project(x) - x), 1e-13);
    }
    EXPECT_GT(inside, 40);
    EXPECT_GT(outside, 40);
}

TEST(PatchIntegral, LoadHasItsCentreWhereItIsAsked) {
    for (const PressureRegion& region : {ellipse(0.3, 0.2), polygon(4, 1, 1, kPi / 4), polygon(5, 0.1, 0.3)}) {
        Cells cells(region, {1, 1});
        const double size = region.count == 0 ? region.a : length(region.corners[0]);
        for (const double s : {0.0, 0.1, 0.3, 0.5}) {
            std::array<double, kMostCells> shares{};
            const Vec2 d{s * size * 0.5, -0.4 * s * size};
            const Vec2 centre = load_cells(cells.all(), d, shares);
            EXPECT_LE(length(centre - d), 0.03 * s + 1e-15);  // kEvenness: 0.4 % of the extent for a unit of beta
            Vec2 mean;
            double sum = 0;
            for (int i = 0; i < cells.count; ++i) {
                mean = mean + shares[static_cast<size_t>(i)] * cells.cell[static_cast<size_t>(i)].at;
                sum += shares[static_cast<size_t>(i)];
                EXPECT_GT(shares[static_cast<size_t>(i)], 0);
            }
            EXPECT_LT(length(mean - centre), 1e-13 * size);
            EXPECT_NEAR(sum, 1, 1e-14);
        }
    }
}

/// A square of side 2 that slides along x over two grains, 0.1 below y = 0 and 0.5 above: force 0.3, torque -(0.5 - 0.1)/4.
TEST(PatchIntegral, APlateOverTwoGrainsIsTurned) {
    Cells cells(polygon(4, std::sqrt(2.0), std::sqrt(2.0), kPi / 4), {});
    for (PatchCell& c : cells.all()) c.set = c.at.y < 0 ? Ellipse{0.1, 0.5} : Ellipse{0.5, 0.1};
    const Vec3 f = cells.at().project({1e6, 0, 0});
    EXPECT_NEAR(f.x, 0.3, 1e-5);
    EXPECT_NEAR(f.y, 0, 1e-12);
    EXPECT_NEAR(f.z, -0.1, 1e-5);
}

}  // namespace
}  // namespace asperity::friction
