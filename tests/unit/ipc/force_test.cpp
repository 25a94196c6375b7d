// The force between flat faces is the pressure of the gap times the area, whatever the meshes; areas and shares.
#include <gtest/gtest.h>

#include "tests/unit/ipc/meshes.h"

namespace asperity::ipc {
namespace {

constexpr double kGap = 0.4;  // of dhat

/// Force on the second body over pressure times area; the area of edges apart.
struct Ratio {
    double all = 0, edges = 0;
};
template <int Dim>
Ratio force_ratio(const Surface<Dim>& s, double dhat, double area) {
    const Barrier barrier{1e5, dhat};
    Ratio out;
    LocalContact<Dim> local;
    for (const Collision& c : collisions_at<Dim>(s, s.rest, dhat)) {
        barrier_local<Dim>(s, barrier, c, s.rest, false, local);
        for (int k = 0; k < local.count; ++k) {
            if (s.body[static_cast<std::size_t>(local.vertices[static_cast<std::size_t>(k)])] != 1) continue;
            const double share = -local.gradient[k * Dim + Dim - 1] / (-barrier.first(kGap * dhat) * area);
            out.all += share;
            if (c.stencil == Stencil::EdgeEdge) out.edges += share;
        }
    }
    return out;
}

/// Same outline, different meshes. Each vertex has one contact at the gap, so only roundings remain.
TEST(IpcForce, BetweenFlatStripsIsPressureTimesLength) {
    Random random(83);
    const double dhat = 1e-3;
    for (const int other : {7, 20, 33, 150}) {
        Surface<2> s;
        add_strip(s, {1, 0}, {0, 0}, 20, 0.4, &random);
        add_strip(s, {0, kGap * dhat}, {1, kGap * dhat}, other, 0.4, &random);
        s.prepare();
        EXPECT_NEAR(force_ratio<2>(s, dhat, 1).all, 1, 1e-12) << other;
    }
}

/// A strip on a longer one: vertices of the long one come in at the ends of the short one, each with its whole length. The
/// error is at most that of one length and its share, h_B h_A / (h_A + h_B) over the length, at either end.
TEST(IpcForce, OfAShortStripOnALongOneIsOffByAtMostOneVertex) {
    Random random(89);
    const double dhat = 1e-3;
    for (const int other : {9, 40, 60, 300}) {
        double worst = 0;
        for (int trial = 0; trial < 20; ++trial) {
            Surface<2> s;
            add_strip(s, {3, 0}, {0, 0}, other, 0.2, &random);
            const double start = random.uniform(0.5, 1.5);
            add_strip(s, {start, kGap * dhat}, {start + 1, kGap * dhat}, 20, 0.2, &random);
            s.prepare();
            worst = std::max(worst, std::fabs(force_ratio<2>(s, dhat, 1).all - 1));
        }
        const double long_length = 3.0 / other, short_length = 1.0 / 20;
        std::printf("2D, short strip of 20 on one of %d a length: off by %.4f\n", other / 3, worst);
        EXPECT_LT(worst, 2 * long_length * short_length / (long_length + short_length));
    }
}

/// The vertices give pressure times area exactly; crossing edges add at most about kEdgeShare.
TEST(IpcForce, BetweenFlatSheetsIsPressureTimesAreaPlusTheShareOfEdges) {
    Random random(97);
    for (const double dhat : {1e-3, 1e-2})
        for (const int other : {3, 9, 12, 24, 60}) {
            Surface<3> s;
            add_sheet(s, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 12, 12, 0.2, &random);
            add_sheet(s, {0, 0, kGap * dhat}, {1, 0, 0}, {0, 1, 0}, other, other, 0.2, &random);
            s.prepare();
            const Ratio ratio = force_ratio<3>(s, dhat, 1);
            std::printf("3D, 12 on %d, dhat %g: %.4f, edges %.4f\n", other, dhat, ratio.all, ratio.edges);
            EXPECT_NEAR(ratio.all - ratio.edges, 1, 1e-12);
            EXPECT_GE(ratio.edges, 0);
            EXPECT_LT(ratio.edges, 1.5 * kEdgeShare);
        }
}

/// Meshes that fit each other: all vertices and parallel edges coincide. Diagonals may cross in their middle.
TEST(IpcForce, BetweenFittingSheetsHasNoMoreThanThreeSharesOfEdges) {
    const double dhat = 1e-3;
    Surface<3> same;
    for (int k = 0; k < 2; ++k) add_sheet(same, {0, 0, k * kGap * dhat}, {1, 0, 0}, {0, 1, 0}, 8, 8);
    same.prepare();
    EXPECT_NEAR(force_ratio<3>(same, dhat, 1).all, 1, 1e-12);
    Surface<3> crossed;
    add_sheet(crossed, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 8, 8);
    add_sheet(crossed, {1, 0, kGap * dhat}, {-1, 0, 0}, {0, 1, 0}, 8, 8);
    crossed.prepare();
    const Ratio ratio = force_ratio<3>(crossed, dhat, 1);
    std::printf("3D, diagonals crossed: %.4f\n", ratio.all);
    EXPECT_NEAR(ratio.all - ratio.edges, 1, 1e-12);
    EXPECT_LT(ratio.edges, 3 * kEdgeShare);
}

TEST(IpcForce, OfASmallSheetOnACoarseTableIsPressureTimesArea) {
    Random random(101);
    const double dhat = 1e-3;
    double low = 1e300, high = 0;
    for (int trial = 0; trial < 20; ++trial) {
        Surface<3> s;
        add_sheet(s, {-2, -2, 0}, {4, 0, 0}, {0, 4, 0}, trial % 2 ? 1 : 2, 2, 0, nullptr, false);
        const double angle = random.uniform(0, 6);
        const Vector<3> u{0.5 * std::cos(angle), 0.5 * std::sin(angle), 0}, v{-u[1], u[0], 0};
        add_sheet(s, {random.uniform(-0.7, 0.7), random.uniform(-0.7, 0.7), kGap * dhat}, u, v, 10, 10, 0.2, &random);
        s.prepare();
        const double ratio = force_ratio<3>(s, dhat, 0.25).all;
        low = std::min(low, ratio);
        high = std::max(high, ratio);
    }
    std::printf("3D, small sheet on a coarse table: %.4f to %.4f\n", low, high);
    EXPECT_GT(low, 0.99);
    EXPECT_LT(high, 1 + kEdgeShare);
}

TEST(IpcForce, ForcesOfTwoBodiesBalanceWithoutTorque) {
    Random random(103);
    Surface<3> s;
    for (int k = 0; k < 2; ++k) {
        const int first = add_sheet(s, {0.02 * k, 0.01 * k, 0.02 * k}, {1, 0, 0}, {0, 1, 0}, 8, 9, 0.2, &random);
        for (std::size_t v = static_cast<std::size_t>(first); v < s.rest.size(); ++v)
            s.rest[v][2] += random.uniform(0, 0.008);
    }
    s.prepare();
    const Barrier barrier{1e5, 0.02};
    const std::vector<Collision> found = collisions_at<3>(s, s.rest, barrier.dhat);
    const Points<3> gradient = gradient_at<3>(s, barrier, found, s.rest);
    Vector<3> force = Vector<3>::Zero(), torque = Vector<3>::Zero();
    double size = 0;
    for (std::size_t v = 0; v < gradient.size(); ++v) {
        force += gradient[v];
        torque += s.rest[v].cross(gradient[v]);
        size += gradient[v].norm();
    }
    EXPECT_GT(found.size(), 100u);
    EXPECT_LT(force.norm(), 1e-12 * size);
    EXPECT_LT(torque.norm(), 1e-12 * size);
}

TEST(IpcForce, SwappingTheBodiesGivesTheSameEnergy) {
    Random random(107);
    Surface<3> a, b;
    const auto lower = [&](Surface<3>& s) {
        Random own(5);
        return add_sheet(s, {0, 0, 0}, {1, 0, 0.01}, {0, 1, 0}, 7, 8, 0.2, &own);
    };
    const auto upper = [&](Surface<3>& s) {
        Random own(6);
        return add_sheet(s, {0.1, 0.2, 0.012}, {1, 0, 0}, {0, 1, 0.01}, 11, 6, 0.2, &own);
    };
    lower(a), upper(a), upper(b), lower(b);
    a.prepare();
    b.prepare();
    const Barrier barrier{1e5, 0.02};
    const double one = barrier_energy<3>(a, barrier, collisions_at<3>(a, a.rest, barrier.dhat), a.rest);
    const double other = barrier_energy<3>(b, barrier, collisions_at<3>(b, b.rest, barrier.dhat), b.rest);
    EXPECT_GT(one, 0);
    EXPECT_NEAR(one, other, 1e-12 * one);
}

TEST(IpcForce, AreasOfVerticesAndEdgesSumToThatOfTheSurface) {
    Random random(109);
    for (const double scale : {1e-6, 1.0, 1e6}) {
        Surface<3> s;
        add_sheet(s, {0, 0, 0}, {2 * scale, 0, 0}, {0, 3 * scale, 0}, 5, 7, 0.2, &random);
        s.prepare();
        double vertices = 0, edges = 0;
        for (const double area : s.vertex_area) vertices += area;
        for (const double area : s.edge_area) edges += area;
        EXPECT_NEAR(vertices, 6 * scale * scale, 1e-13 * 6 * scale * scale);
        EXPECT_NEAR(edges, 6 * scale * scale, 1e-13 * 6 * scale * scale);
        EXPECT_EQ(s.share(0, 0), 0.5);
        Surface<2> strip;
        add_strip(strip, {0, 0}, {2 * scale, 0}, 9, 0.2, &random);
        strip.prepare();
        double length = 0;
        for (const double l : strip.vertex_area) length += l;
        EXPECT_NEAR(length, 2 * scale, 1e-13 * 2 * scale);
    }
}

}  // namespace
}  // namespace asperity::ipc
