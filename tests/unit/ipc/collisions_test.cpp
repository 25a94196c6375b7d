// Which contacts are found: against sums over all cells, on flat, convex and concave surfaces, and along paths.
#include <gtest/gtest.h>

#include <map>

#include "asperity/ccd/distance.h"
#include "tests/unit/ipc/meshes.h"

namespace asperity::ipc {
namespace {

/// A vertex of a body of its own above a surface. The rest of that body, a thin triangle, is far away, so that its edges
/// meet no others.
int add_probe(Surface<3>& s) { return add_body<3>(s, {{0, 0, 0}, {0, 0, 50}, {0, 1e-9, 50}}, {{0, 1, 2}}); }
int add_probe(Surface<2>& s) { return add_body<2>(s, {{0, 0}, {0, 50}}, {{0, 1}}); }

/// Collisions of the probe's vertex alone.
template <int Dim>
std::vector<Collision> of_probe(const Surface<Dim>& s, const Points<Dim>& x, int probe, double dhat) {
    std::vector<Collision> out;
    for (const Collision& c : collisions_at<Dim>(s, x, dhat))
        if (c.stencil != Stencil::EdgeEdge && std::find(c.vertices.begin(), c.vertices.end(), probe) != c.vertices.end()) {
            // weights of the surface's own vertices against the probe are of no interest
            bool other = true;
            for (std::size_t k = 0; k < 4; ++k)
                other =
                    other && (c.vertices[k] == probe || c.vertices[k] < 0 ||
                              s.body[static_cast<std::size_t>(c.vertices[k])] != s.body[static_cast<std::size_t>(probe)]);
            if (other && (c.vertices[0] == probe || c.stencil == Stencil::PointPoint)) out.push_back(c);
        }
    return out;
}

/// The surface's own vertices have no weight against the probe, so that only the probe's area counts.
template <int Dim>
void let_only_the_probe_count(Surface<Dim>& s, int probe) {
    s.prepare();
    std::fill(s.vertex_area.begin(), s.vertex_area.end(), 0.0);
    s.vertex_area[static_cast<std::size_t>(probe)] = 1 / s.share(s.body[static_cast<std::size_t>(probe)], 0);
}

template <int Dim>
double nearest(const Surface<Dim>& s, const Points<Dim>& x, const Vector<Dim>& p) {
    double least = 1e300;
    if constexpr (Dim == 2) {
        for (const auto& e : s.edges)
            if (s.body[static_cast<std::size_t>(e[0])] == 0)
                least = std::min(
                    least,
                    ccd::point_edge<2>(p, x[static_cast<std::size_t>(e[0])], x[static_cast<std::size_t>(e[1])]).squared);
    } else {
        for (const auto& f : s.faces)
            if (s.body[static_cast<std::size_t>(f[0])] == 0)
                least =
                    std::min(least, ccd::point_triangle(p, x[static_cast<std::size_t>(f[0])],
                                                        x[static_cast<std::size_t>(f[1])], x[static_cast<std::size_t>(f[2])])
                                        .squared);
    }
    return std::sqrt(least);
}

TEST(IpcCollisions, VertexAboveAFlatMeshHasOneContactAtTheDistanceToIt) {
    Random random(59);
    for (int scene = 0; scene < 5; ++scene) {
        Surface<3> s;
        add_sheet(s, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 6, 7, 0.2, &random);
        const int probe = add_probe(s);
        let_only_the_probe_count(s, probe);
        const double dhat = 0.3;  // larger than the mesh: many cells are near
        const Barrier barrier{1, dhat};
        for (int trial = 0; trial < 100; ++trial) {
            Points<3> x = s.rest;
            Vector<3> p{random.uniform(0.05, 0.95), random.uniform(0.05, 0.95), random.uniform(0.01, 0.25)};
            if (trial % 4 == 1)
                p.head<2>() = s.rest[static_cast<std::size_t>(random.below(56))].head<2>();  // above a vertex
            x[static_cast<std::size_t>(probe)] = p;
            const std::vector<Collision> found = of_probe(s, x, probe, dhat);
            ASSERT_EQ(found.size(), 1u) << trial;
            EXPECT_NEAR(found[0].weight, 1, 1e-14);
            EXPECT_NEAR(barrier_energy<3>(s, barrier, found, x), barrier.value(p[2]), 1e-13 * barrier.value(p[2]));
        }
    }
}

TEST(IpcCollisions, VertexOutsideAConvexSurfaceHasOneContact) {
    Random random(61);
    Surface<3> s;
    add_body<3>(s, {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
                {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}});
    const int probe = add_probe(s);
    let_only_the_probe_count(s, probe);
    for (int trial = 0; trial < 500; ++trial) {
        Points<3> x = s.rest;
        Vector<3> p = random_vector<3>(random, 1.5);
        if (p.lpNorm<1>() < 1.05) continue;
        x[static_cast<std::size_t>(probe)] = p;
        const Barrier close{1, 1.02 * nearest<3>(s, x, p)};
        const std::vector<Collision> near_ones = of_probe(s, x, probe, close.dhat);
        EXPECT_EQ(near_ones.size(), 1u);
        EXPECT_NEAR(barrier_energy<3>(s, close, near_ones, x), close.value(nearest<3>(s, x, p)), 1e-12 * close.dhat);
    }
}

/// A bumpy sheet: convex and concave edges and vertices.
Surface<3> bumpy(Random& random, double height) {
    Surface<3> s;
    add_sheet(s, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 6, 6, 0.2, &random);
    for (Vector<3>& p : s.rest) p[2] = random.uniform(-height, height);
    return s;
}

/// Per cell of the closed complex: its barrier times its coefficient, with all coefficients from the whole mesh.
double sum_over_cells(const Surface<3>& s, const Points<3>& x, const Vector<3>& p, const Barrier& barrier) {
    std::map<int, int> edge_faces, vertex_sum;
    double sum = 0;
    const auto at = [&](int v) -> const Vector<3>& { return x[static_cast<std::size_t>(v)]; };
    for (std::size_t f = 0; f < s.faces.size(); ++f) {
        if (s.body[static_cast<std::size_t>(s.faces[f][0])] != 0) continue;
        sum += barrier.value(
            std::sqrt(ccd::point_triangle(p, at(s.faces[f][0]), at(s.faces[f][1]), at(s.faces[f][2])).squared));
        for (const int e : s.face_edges[f]) ++edge_faces[e];
        for (const int v : s.faces[f]) ++vertex_sum[v];
    }
    for (const auto& [e, faces] : edge_faces) {
        const auto& edge = s.edges[static_cast<std::size_t>(e)];
        sum += (1 - faces) * barrier.value(std::sqrt(ccd::point_edge<3>(p, at(edge[0]), at(edge[1])).squared));
        for (const int v : edge) vertex_sum[v] += 1 - faces;
    }
    for (const auto& [v, count] : vertex_sum) sum += (1 - count) * barrier.value((p - at(v)).norm());
    return sum;
}

TEST(IpcCollisions, EnergyIsTheSumOverAllCellsWithTheirCoefficients) {
    Random random(67);
    int negative = 0;
    for (int scene = 0; scene < 5; ++scene) {
        Surface<3> s = bumpy(random, 0.1);
        const int probe = add_probe(s);
        let_only_the_probe_count(s, probe);
        const Barrier barrier{1, 0.2};
        for (int trial = 0; trial < 200; ++trial) {
            Points<3> x = s.rest;
            const Vector<3> p{random.uniform(-0.05, 1.05), random.uniform(-0.05, 1.05), random.uniform(-0.2, 0.3)};
            x[static_cast<std::size_t>(probe)] = p;
            const std::vector<Collision> found = of_probe(s, x, probe, barrier.dhat);
            for (const Collision& c : found) negative += c.weight < 0;
            EXPECT_NEAR(barrier_energy<3>(s, barrier, found, x), sum_over_cells(s, x, p, barrier), 1e-10) << trial;
        }
    }
    EXPECT_GT(negative, 50);
}

TEST(IpcCollisions, AreDistinctAndHaveWeights) {
    Random random(71);
    Surface<3> s = bumpy(random, 0.05);
    add_sheet(s, {0, 0, 0.06}, {1, 0, 0}, {0, 1, 0}, 5, 5, 0.2, &random);
    add_body<3>(s, {s.rest[10], s.rest[11], s.rest[17]}, {{0, 1, 2}});  // on vertices of the first
    s.prepare();
    Points<3> x = s.rest;
    for (std::size_t v = x.size() - 3; v < x.size(); ++v) x[v][2] += 0.01;
    std::map<std::pair<Stencil, std::array<int, 4>>, int> seen;
    int points = 0;
    for (const Collision& c : collisions_at<3>(s, x, 0.08)) {
        EXPECT_EQ(++seen[std::pair(c.stencil, c.vertices)], 1);
        EXPECT_NE(c.weight, 0);
        EXPECT_LT(gap<3>(c, x), 0.08);
        points += c.stencil == Stencil::PointPoint;
    }
    EXPECT_GE(points, 3);
}

/// In a concave corner negative weights remain. Every flank must repel all the same: forces are along the outward normals.
TEST(IpcCollisions, ConcaveEdgesAndCornersRepel) {
    Random random(73);
    const double dhat = 0.2;
    const Barrier barrier{1, dhat};
    for (const double opening : {0.3, 1.0, 2.0, 3.0}) {  // angle of the valley; pi is flat
        Surface<3> s;
        const double c = std::cos(opening), e = std::sin(opening);
        add_body<3>(s, {{-1, 0, 0}, {1, 0, 0}, {1, 1, 0}, {-1, 1, 0}, {1, c, e}, {-1, c, e}},
                    {{0, 1, 2}, {0, 2, 3}, {0, 4, 1}, {0, 5, 4}});
        const int probe = add_probe(s);
        let_only_the_probe_count(s, probe);
        for (int trial = 0; trial < 200; ++trial) {
            const double angle = random.uniform(0.01, 0.99) * opening, distance = random.uniform(0.01, 0.5);
            Points<3> x = s.rest;
            x[static_cast<std::size_t>(probe)] = {random.uniform(-0.3, 0.3), distance * std::cos(angle),
                                                  distance * std::sin(angle)};
            const std::vector<Collision> found = of_probe(s, x, probe, dhat);
            const Vector<3> force = -gradient_at<3>(s, barrier, found, x)[static_cast<std::size_t>(probe)];
            const Vector<3> bisector{0, std::cos(opening / 2), std::sin(opening / 2)};
            EXPECT_GE(force.dot(bisector), -1e-12) << opening << " " << angle;
            EXPECT_GE(barrier_energy<3>(s, barrier, found, x),
                      barrier.value(nearest<3>(s, x, x[static_cast<std::size_t>(probe)])) * (1 - 1e-12));
        }
    }
    // the inner corner of a cube
    Surface<3> s;
    add_body<3>(s, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}});
    const int probe = add_probe(s);
    let_only_the_probe_count(s, probe);
    for (int trial = 0; trial < 1000; ++trial) {
        Points<3> x = s.rest;
        Vector<3>& p = x[static_cast<std::size_t>(probe)];
        for (int k = 0; k < 3; ++k) p[k] = random.uniform(0.001, 0.2);
        const Vector<3> force = -gradient_at<3>(s, barrier, of_probe(s, x, probe, dhat), x)[static_cast<std::size_t>(probe)];
        EXPECT_GE(force.minCoeff(), -1e-12) << p.transpose();
    }
}

/// Energy and gradient on both sides of every change of the list along a path over convex and concave features, 1e-9 apart.
/// The gradient's slope is at most about 1 / gap^2 = 4e3 here, so that a step of 1e-9 accounts for 4e-6.
template <int Dim>
void walk(const Surface<Dim>& s, int probe, const Points<Dim>& path, double dhat) {
    const Barrier barrier{1, dhat};
    Points<Dim> x = s.rest;
    int changes = 0;
    double jump = 0, kink = 0;
    const auto at = [&](const Vector<Dim>& p) {
        x[static_cast<std::size_t>(probe)] = p;
        return of_probe(s, x, probe, dhat);
    };
    const auto same = [](const std::vector<Collision>& a, const std::vector<Collision>& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const Collision& c, const Collision& d) { return c.vertices == d.vertices; });
    };
    for (std::size_t k = 0; k + 1 < path.size(); ++k) {
        Vector<Dim> low = path[k], high = path[k + 1];
        std::vector<Collision> before = at(low), after = at(high);
        if (same(before, after)) continue;
        while ((high - low).norm() > 1e-9) {
            const Vector<Dim> middle = 0.5 * (low + high);
            std::vector<Collision> between = at(middle);
            if (same(before, between)) {
                low = middle;
            } else {
                high = middle;
                after = std::move(between);
            }
        }
        ++changes;
        at(low);
        const double energy_low = barrier_energy<Dim>(s, barrier, before, x);
        const Vector<Dim> gradient_low = gradient_at<Dim>(s, barrier, before, x)[static_cast<std::size_t>(probe)];
        at(high);
        jump = std::max(jump, std::fabs(barrier_energy<Dim>(s, barrier, after, x) - energy_low));
        kink =
            std::max(kink, (gradient_at<Dim>(s, barrier, after, x)[static_cast<std::size_t>(probe)] - gradient_low).norm());
    }
    std::printf("%dD: %d changes, energy jumps by %.1e, gradient by %.1e\n", Dim, changes, jump, kink);
    EXPECT_GT(changes, 10);
    EXPECT_LT(jump, 1e-7);
    EXPECT_LT(kink, 1e-5);
}

TEST(IpcCollisions, EnergyAndForceDoNotJumpAlongAPath) {
    Random random(79);
    Surface<3> s = bumpy(random, 0.04);
    const int probe = add_probe(s);
    let_only_the_probe_count(s, probe);
    Points<3> path;
    for (int k = 0; k <= 2000; ++k) {
        const double t = k / 2000.0;
        Vector<3> p{0.1 + 0.8 * t, 0.5 + 0.37 * std::sin(9 * t), 0.3};
        // 0.03 above the surface or a little more
        for (int i = 0; i < 40; ++i) p[2] -= 0.5 * (nearest<3>(s, s.rest, p) - 0.03);
        path.push_back(p);
    }
    walk<3>(s, probe, path, 0.1);

    Surface<2> flat;
    Points<2> points;
    std::vector<std::array<int, 2>> edges;
    for (int i = 0; i <= 12; ++i) {
        points.push_back({i / 12.0, random.uniform(-0.05, 0.05)});
        if (i < 12) edges.push_back({i, i + 1});
    }
    add_body<2>(flat, points, edges);
    const int tip = add_probe(flat);
    let_only_the_probe_count(flat, tip);
    Points<2> way;
    for (int k = 0; k <= 2000; ++k) {
        Vector<2> p{0.1 + 0.8 * k / 2000.0, 0.3};
        for (int i = 0; i < 40; ++i) p[1] -= 0.5 * (nearest<2>(flat, flat.rest, p) - 0.03);
        way.push_back(p);
    }
    walk<2>(flat, tip, way, 0.15);
}

TEST(IpcCollisions, CrossingEdgesActInsideAndNotAtTheirEnds) {
    Surface<3> s;
    add_body<3>(s, {{-1, 0, 0}, {1, 0, 0}, {0, 0, -1}}, {{0, 1, 2}});
    add_body<3>(s, {{0, -1, 0.01}, {0, 1, 0.01}, {0, 0, 1}}, {{0, 1, 2}});
    s.prepare();
    const Barrier barrier{1e5, 0.1};
    std::vector<Collision> found = collisions_at<3>(s, s.rest, barrier.dhat);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].stencil, Stencil::EdgeEdge);
    // widths: a third of the area over the length 2; the areas are 1 and 0.99
    EXPECT_NEAR(found[0].weight, kEdgeShare * 3.14159265358979 / 2 / 36 * 0.99 * 0.99, 1e-14);
    const double energy = barrier_energy<3>(s, barrier, found, s.rest);
    EXPECT_NEAR(energy, found[0].weight * 3.515625 * barrier.value(0.01), 1e-10 * energy);
    Points<3> x = s.rest;
    double last = energy;
    for (int k = 1; k < 20; ++k) {
        for (std::size_t v = 3; v < 6; ++v) x[v][0] = k * 0.05;
        found = collisions_at<3>(s, x, barrier.dhat);
        double edges = 0;
        for (const Collision& c : found)
            if (c.stencil == Stencil::EdgeEdge) edges += barrier_energy<3>(s, barrier, std::span<const Collision>(&c, 1), x);
        EXPECT_LT(edges, last);
        EXPECT_GE(edges, 0);
        last = edges;
    }
    EXPECT_LT(last, 0.05 * energy);
}

TEST(IpcCollisions, ThicknessShiftsTheGap) {
    Surface<3> s;
    add_sheet(s, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 2, 2);
    add_sheet(s, {0.2, 0.2, 0.1}, {0.5, 0, 0}, {0, 0.5, 0}, 1, 1);
    s.thickness = {0.02, 0.1};
    s.prepare();
    EXPECT_TRUE(collisions_at<3>(s, s.rest, 0.03).empty());
    const std::vector<Collision> found = collisions_at<3>(s, s.rest, 0.05);
    ASSERT_FALSE(found.empty());
    EXPECT_NEAR(gap<3>(found[0], s.rest), 0.04, 1e-15);
}

/// A folded strip touches itself; the neighbours of a vertex are not its contacts.
TEST(IpcCollisions, ASurfaceTouchesItselfWhereItIsAllowed) {
    Surface<2> s;
    add_body<2>(s, {{0, 0}, {1, 0}, {2, 0}, {3, 0.05}, {2, 0.1}, {1, 0.1}, {0, 0.1}},
                {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}});
    s.prepare();
    const std::vector<Collision> found = collisions_at<2>(s, s.rest, 0.2);
    EXPECT_FALSE(found.empty());
    for (const Collision& c : found) EXPECT_NEAR(gap<2>(c, s.rest), 0.1, 0.01);
    s.collide = {0};
    s.prepare();
    EXPECT_TRUE(collisions_at<2>(s, s.rest, 0.2).empty());
}

}  // namespace
}  // namespace asperity::ipc
