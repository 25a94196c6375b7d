#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "asperity/core/error.h"
#include "asperity/core/random.h"
#include "asperity/deform/meshes/generators.h"
#include "tests/unit/deform/mesh_checks.h"

namespace asperity::deform {
namespace {

constexpr double kPi = std::numbers::pi;

template <int Dim>
void expect_sound(const SolidMesh<Dim>& mesh, double volume, double tolerance, double least_quality, const char* what) {
    EXPECT_NO_THROW(check(mesh)) << what;
    EXPECT_TRUE(is_closed(mesh)) << what;
    const MeshReport<Dim> r = report(mesh);
    EXPECT_NEAR(r.volume, volume, tolerance * volume) << what;
    EXPECT_NEAR(enclosed(mesh), r.volume, 1e-12 * volume) << what;
    EXPECT_GT(r.quality_min, least_quality) << what << ": " << describe(r);
    EXPECT_GT(r.volume_min, 0) << what;
}
template <int Dim, class Use>
void for_surface(const SolidMesh<Dim>& mesh, const Use& use) {
    for (const auto& f : boundary(mesh))
        for (const int v : f) use(mesh.points[static_cast<std::size_t>(v)]);
}

TEST(Generators, BoxesAreFilledExactlyAtAllSizes) {
    for (const double s : {1e-6, 1.0, 1e6}) {
        // 6 tetrahedra of a cube: quality 0.717 each, whatever the mirroring
        expect_sound(box<3>({s, s, s}, {3, 4, 2}), s * s * s, 1e-14, 0.5, "box");
        expect_sound(box<2>({s, 2 * s}, {3, 6}), 2 * s * s, 1e-14, 0.8, "box");
        expect_sound(sheet({s, 2 * s}, 0.1 * s, {10, 20, 1}), 0.2 * s * s * s, 1e-13, 0.6, "sheet");
        const std::vector<double> mass = lumped_mass(box<3>({s, s, s}, {3, 4, 2}), 1000);
        double sum = 0;
        for (const double m : mass) sum += m;
        EXPECT_NEAR(sum / (1000 * s * s * s), 1, 1e-14);
    }
    EXPECT_EQ(box<3>({1, 1, 1}, {1, 1, 1}).elements.size(), 6u);
    EXPECT_EQ(box<2>({1, 1}, {2, 2}).elements.size(), 8u);
}

TEST(Generators, BoxesPreferNoDirection) {
    // as many edges along one diagonal of the cells' faces as along the other
    const SolidMesh<2> mesh = box<2>({4, 4}, {4, 4});
    int up = 0, down = 0;
    for (const auto& e : mesh.elements)
        for (std::size_t k = 0; k < 3; ++k) {
            const Vector<2> d =
                mesh.points[static_cast<std::size_t>(e[(k + 1) % 3])] - mesh.points[static_cast<std::size_t>(e[k])];
            if (d[0] * d[1] > 0) ++up;
            if (d[0] * d[1] < 0) ++down;
        }
    EXPECT_EQ(up, down);
    EXPECT_GT(up, 0);
}

TEST(Generators, RoundBodiesHaveTheirSurfacePointsOnTheSurface) {
    for (const double R : {1e-6, 1.0, 1e6}) {
        for_surface<3>(ball(R, 8), [&](const Vector<3>& p) { EXPECT_NEAR(p.norm() / R, 1, 1e-14); });
        for_surface<2>(disc(R, 8), [&](const Vector<2>& p) { EXPECT_NEAR(p.norm() / R, 1, 1e-14); });
        for_surface<3>(cylinder(R, 3 * R, 8), [&](const Vector<3>& p) {
            EXPECT_LT(std::min(std::fabs(p.head<2>().norm() / R - 1), std::fabs(std::fabs(p[2] / R) - 1.5)), 1e-14);
            EXPECT_LT(p.head<2>().norm() / R, 1 + 1e-14);
        });
        for_surface<3>(capsule(R, 2 * R, 8), [&](const Vector<3>& p) {
            const double z = std::max(0.0, std::fabs(p[2]) - 2 * R);
            EXPECT_NEAR(std::hypot(p[0], p[1], z) / R, 1, 1e-14);
        });
        for_surface<3>(tube(R, 2 * R, 3 * R, {2, 16, 4}), [&](const Vector<3>& p) {
            const double r = p.head<2>().norm() / R;
            EXPECT_LT(std::min({std::fabs(r - 1), std::fabs(r - 2), std::fabs(std::fabs(p[2] / R) - 1.5)}), 1e-14);
        });
    }
}

TEST(Generators, RoundBodiesAreClosedAndOfGoodQuality) {
    // the volume of an inscribed polyhedron: relative error of the order of the squared cell size
    for (const int n : {4, 5, 6, 7, 8, 12, 16, 24}) {
        const double tolerance = 8.0 / (n * n);
        expect_sound(ball(1, n), 4 * kPi / 3, tolerance, 0.4, "ball");
        expect_sound(disc(1, n), kPi, tolerance, 0.5, "disc");
        if (n > 16) continue;
        expect_sound(cylinder(1, 2, n), 2 * kPi, tolerance, 0.3, "cylinder");
        expect_sound(capsule(1, 1, n), 2 * kPi + 4 * kPi / 3, tolerance, 0.3, "capsule");
        expect_sound(tube(1, 2, 1, {n / 2, 4 * n, n / 2}), 3 * kPi, tolerance, 0.2, "tube");
        expect_sound(ring(1, 2, {n / 2, 4 * n}), 3 * kPi, tolerance, 0.4, "ring");
    }
}

/// The ratio of the shortest to the longest edge at the surface tends to ((1 - a)/(1 + a))^2 as the mesh gets finer.
TEST(Generators, RoundBodiesCanBeFinerAtAPoint) {
    for (const double a : {0.3, 0.6, 0.85}) {
        SolidMesh<3> mesh = ball(0.5, 16);
        const double before = report(mesh).quality_min;
        refine_towards<3>(mesh, 0.5, {0, 0, -a});
        check(mesh);
        EXPECT_GT(report(mesh).quality_min, 0.6 * before) << a;  // measured: 0.63; edges are straight, angles not quite kept
        double at_pole = 1e300, opposite = 0;
        for (const auto& face : boundary(mesh))
            for (std::size_t k = 0; k < 3; ++k) {
                const Vector<3>&p = mesh.points[static_cast<std::size_t>(face[k])],
                      &q = mesh.points[static_cast<std::size_t>(face[(k + 1) % 3])];
                EXPECT_NEAR(p.norm(), 0.5, 1e-14);
                at_pole = std::min(at_pole, (p - q).norm());
                opposite = std::max(opposite, (p - q).norm());
            }
        EXPECT_LT(at_pole / opposite, 1.2 * std::pow((1 - a) / (1 + a), 2)) << a;
    }
    SolidMesh<2> plane = disc(2, 12);
    refine_towards<2>(plane, 2, {0.5, 0.2});
    check(plane);
    for_surface<2>(plane, [&](const Vector<2>& p) { EXPECT_NEAR(p.norm(), 2, 1e-14); });
    EXPECT_THROW(refine_towards<2>(plane, 2, {0.9, 0.5}), InputError);
}

TEST(Generators, VolumesOfRoundBodiesConverge) {
    const auto error = [](int n) { return 1 - report(ball(1, n)).volume / (4 * kPi / 3); };
    EXPECT_GT(error(8), 0);
    EXPECT_NEAR(error(8) / error(16), 4, 1);     // second order
    EXPECT_NEAR(error(16) / error(30), 4, 0.5);  // 8, 16 and 30 have 4, 8 and 16 cells across a face of the inner cube
}

TEST(Generators, RectanglesAreFinerAtTheTop) {
    const SolidMesh<2> mesh = rectangle({2, 1}, {4, 5}, 8);
    expect_sound(mesh, 2, 1e-14, 0.2, "rectangle");
    std::set<double> levels;
    for (const auto& p : mesh.points) levels.insert(p[1]);
    ASSERT_EQ(levels.size(), 6u);
    const std::vector<double> z(levels.begin(), levels.end());
    EXPECT_NEAR((z[1] - z[0]) / (z[5] - z[4]), 8, 1e-12);
}

TEST(Generators, HeightFieldsHaveTheirHeightsOnTop) {
    Random random(1);
    std::vector<double> heights(9 * 7);
    for (double& h : heights) h = random.uniform(-0.05, 0.05);
    const SolidMesh<3> mesh = height_field<3>(heights, {9, 7}, {1.6, 1.2}, 1, 6, 4);
    const double cell = 0.2;
    double volume = 0;  // each cell of the top is two triangles, cut along its mirrored diagonal
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 6; ++j) {
            const auto h = [&](int a, int b) { return 1 + heights[static_cast<std::size_t>(i + a + 9 * (j + b))]; };
            const bool rising = (i + j) % 2 == 0;  // from corner 00 to 11
            volume +=
                cell * cell / 6 *
                (rising ? 2 * h(0, 0) + 2 * h(1, 1) + h(1, 0) + h(0, 1) : h(0, 0) + h(1, 1) + 2 * h(1, 0) + 2 * h(0, 1));
        }
    expect_sound(mesh, volume, 1e-13, 0.1, "height field");
    std::size_t found = 0;
    for (int j = 0; j < 7; ++j)
        for (int i = 0; i < 9; ++i)
            for (const auto& p : mesh.points)
                found += p[2] == heights[static_cast<std::size_t>(i + 9 * j)] &&
                         std::fabs(p[0] - (cell * i - 0.8)) < 1e-12 && std::fabs(p[1] - (cell * j - 0.6)) < 1e-12;
    EXPECT_EQ(found, heights.size());
    const SolidMesh<2> profile = height_field<2>(std::span(heights).first(20), {20}, {2}, 0.5, 4, 2);
    expect_sound(profile, report(profile).volume, 1e-13, 0.1, "profile");
}

TEST(Generators, WrongSizesAreNamed) {
    EXPECT_THROW(box<3>({1, 0, 1}, {1, 1, 1}), InputError);
    EXPECT_THROW(box<3>({1, 1, 1}, {1, 0, 1}), InputError);
    EXPECT_THROW(box<3>({1, 1, 1}, {2000, 2000, 2000}), InputError);
    EXPECT_THROW(box<2>({1, std::nan("")}, {1, 1}), InputError);
    EXPECT_THROW(ball(1, 3), InputError);
    EXPECT_THROW(ball(-1, 8), InputError);
    EXPECT_THROW(cylinder(1e-9, 1e9, 8), InputError);
    EXPECT_THROW(tube(2, 1, 1, {1, 8, 1}), InputError);
    EXPECT_THROW(height_field<2>(std::vector<double>{0, -2, 0}, {3}, {1}, 1, 2), InputError);
    EXPECT_THROW(height_field<2>(std::vector<double>{0, 0}, {3}, {1}, 1, 2), InputError);
}

TEST(SolidMesh, CheckNamesBadElementsAndUnusedPoints) {
    const auto message = [](const auto& mesh) -> std::string {
        try {
            check(mesh);
        } catch (const InputError& error) { return error.what(); }
        return "";
    };
    SolidMesh<3> mesh = box<3>({1, 1, 1}, {2, 2, 2});
    EXPECT_EQ(message(mesh), "");
    std::swap(mesh.elements[7][0], mesh.elements[7][1]);
    EXPECT_NE(message(mesh).find("element 7"), std::string::npos) << message(mesh);
    EXPECT_NE(message(mesh).find("inverted"), std::string::npos);
    std::swap(mesh.elements[7][0], mesh.elements[7][1]);
    mesh.points.push_back({5, 6, 7});
    EXPECT_NE(message(mesh).find("(5, 6, 7)"), std::string::npos) << message(mesh);
    mesh.points.pop_back();
    mesh.elements.push_back(mesh.elements[0]);
    mesh.elements.push_back(mesh.elements[0]);
    EXPECT_NE(message(mesh).find("share one face"), std::string::npos) << message(mesh);
    mesh.elements.resize(48);
    mesh.elements[3][1] = mesh.elements[3][2];
    EXPECT_NE(message(mesh).find("degenerate"), std::string::npos) << message(mesh);
    mesh.elements[3][1] = 1000;
    EXPECT_NE(message(mesh).find("corner 1000"), std::string::npos) << message(mesh);
    EXPECT_NE(message(SolidMesh<2>{}).find("no elements"), std::string::npos);
    SolidMesh<2> flat = box<2>({1, 1}, {1, 1});
    flat.points[0][0] = std::nan("");
    EXPECT_NE(message(flat).find("not finite"), std::string::npos);
}

TEST(SolidMesh, QualityIsOneForRegularElementsAndSmallForFlatOnes) {
    const SolidMesh<3> regular{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, {{0, 2, 1, 3}}};
    MeshReport<3> r = report(regular);
    EXPECT_NEAR(std::fabs(r.quality_min), 1, 1e-14);
    EXPECT_NEAR(r.angle_min, std::acos(1.0 / 3), 1e-14);
    EXPECT_NEAR(r.angle_max, std::acos(1.0 / 3), 1e-14);
    const SolidMesh<2> triangle{{{0, 0}, {1, 0}, {0.5, std::sqrt(0.75)}}, {{0, 1, 2}}};
    EXPECT_NEAR(report(triangle).quality_min, 1, 1e-14);
    EXPECT_NEAR(report(triangle).angle_max, kPi / 3, 1e-14);
    const SolidMesh<3> corner{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}};
    EXPECT_NEAR(report(corner).angle_max, kPi / 2, 1e-14);
    EXPECT_LT(report(SolidMesh<2>{{{0, 0}, {1, 0}, {0.5, 1e-4}}, {{0, 1, 2}}}).quality_min, 1e-3);
}

/// A box pressed flat to a ten thousandth: all of its elements are slivers. A million of them take as long as a few steps.
TEST(SolidMesh, SliversAreCountedAndTheWorstIsNamed) {
    SolidMesh<3> mesh = box<3>({1, 1, 1e-4}, {12, 12, 12});
    check(mesh);  // thin, but not inverted
    const MeshReport<3> all = report(mesh);
    EXPECT_EQ(all.slivers, all.elements);
    const std::string message = describe_slivers(all);
    EXPECT_NE(message.find("10368 of 10368"), std::string::npos) << message;
    EXPECT_NE(message.find(fmt::format("element {} at", all.worst.front().index)), std::string::npos) << message;
    EXPECT_EQ(describe_slivers(report(box<3>({1, 1, 1}, {2, 2, 2}))), "");
}

TEST(SolidMesh, ConsistentMassHasTheSumsOfTheLumpedOne) {
    const SolidMesh<3> mesh = ball(0.1, 6);
    const std::vector<double> lumped = lumped_mass(mesh, 800);
    std::vector<double> rows(mesh.points.size(), 0);
    double total = 0, moment = 0;  // int rho z^2 dV by the matrix: exact for linear functions of the mesh's points
    for (const MassEntry& m : consistent_mass(mesh, 800)) {
        rows[static_cast<std::size_t>(m.row)] += m.mass;
        moment +=
            m.mass * mesh.points[static_cast<std::size_t>(m.row)][2] * mesh.points[static_cast<std::size_t>(m.column)][2];
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_NEAR(rows[i], lumped[i], 1e-14 * lumped[0] + 1e-13 * lumped[i]);
        total += lumped[i];
    }
    EXPECT_NEAR(total, 800 * report(mesh).volume, 1e-12);
    EXPECT_NEAR(moment / (total * 0.01 / 5), 1, 0.2);  // of a ball m r^2/5; the polyhedron of 6 cells is smaller
}

}  // namespace
}  // namespace asperity::deform
