// The broad phase against all pairs, with lists that are kept, and limits of steps.
#include <gtest/gtest.h>

#include "asperity/core/threads.h"
#include "tests/support/allocations.h"
#include "tests/unit/ipc/meshes.h"

namespace asperity::ipc {
namespace {

template <int Dim, std::size_t Count>
ccd::Box<Dim> swept(const Points<Dim>& x, const Points<Dim>& d, const std::array<int, Count>& vertices) {
    ccd::Box<Dim> box = ccd::Box<Dim>::empty();
    for (const int v : vertices) {
        box.add(x[static_cast<std::size_t>(v)]);
        box.add(Vector<Dim>(x[static_cast<std::size_t>(v)] + d[static_cast<std::size_t>(v)]));
    }
    return box;
}

template <std::size_t A, std::size_t B>
bool share_a_vertex(const std::array<int, A>& a, const std::array<int, B>& b) {
    for (const int v : a)
        if (std::find(b.begin(), b.end(), v) != b.end()) return true;
    return false;
}

template <int Dim, std::size_t A, std::size_t B>
bool near(const Surface<Dim>& s, const Points<Dim>& x, const Points<Dim>& d, double distance, const std::array<int, A>& a,
          const std::array<int, B>& b) {
    const std::size_t i = static_cast<std::size_t>(s.body[static_cast<std::size_t>(a[0])]),
                      j = static_cast<std::size_t>(s.body[static_cast<std::size_t>(b[0])]);
    return !share_a_vertex(a, b) && s.collide[i * s.moves.size() + j] && (s.moves[i] || s.moves[j]) &&
           ccd::overlap(swept<Dim>(x, d, a), ccd::inflate(swept<Dim>(x, d, b), distance));
}

template <int Dim>
void expect_all_pairs(const Surface<Dim>& s, const Points<Dim>& x, const Points<Dim>& d, double distance,
                      const Candidates<Dim>& c) {
    std::vector<Pair> cells, edges;
    for (int v = 0; v < static_cast<int>(x.size()); ++v) {
        const std::array<int, 1> vertex{v};
        if constexpr (Dim == 2) {
            for (std::size_t e = 0; e < s.edges.size(); ++e)
                if (near(s, x, d, distance, vertex, s.edges[e])) cells.push_back({v, static_cast<int>(e)});
        } else {
            for (std::size_t f = 0; f < s.faces.size(); ++f)
                if (near(s, x, d, distance, vertex, s.faces[f])) cells.push_back({v, static_cast<int>(f)});
        }
    }
    if constexpr (Dim == 3)
        for (std::size_t a = 0; a < s.edges.size(); ++a)
            for (std::size_t b = a + 1; b < s.edges.size(); ++b)
                if (near(s, x, d, distance, s.edges[a], s.edges[b]))
                    edges.push_back({static_cast<int>(a), static_cast<int>(b)});
    EXPECT_EQ(c.vertex_cell, cells);
    EXPECT_EQ(c.edge_edge, edges);
}

/// Four bodies: two that move, one that does not, and one that does not collide with the first.
template <int Dim>
Surface<Dim> soups(Random& random) {
    Surface<Dim> s;
    for (int b = 0; b < 4; ++b) add_soup(s, random, 25, b == 2 ? 0.3 : 0.05);
    s.moves[2] = s.moves[3] = 0;
    s.collide[3] = s.collide[12] = 0;
    s.collide[5] = 0;  // body 1 with itself
    s.prepare();
    return s;
}

template <int Dim>
void compare_along_a_walk() {
    Random random(41);
    int builds = 0, calls = 0;
    for (int scene = 0; scene < 4; ++scene) {
        const Surface<Dim> s = soups<Dim>(random);
        Points<Dim> x = s.rest, d(x.size());
        Candidates<Dim> kept;
        for (int step = 0; step < 60; ++step) {
            // directions shrink as those of an iteration, then start anew; a search distance that varies
            const double size = 0.03 * std::pow(0.5, step % 12), distance = 0.02 + 0.01 * (step % 3);
            for (std::size_t v = 0; v < x.size(); ++v)
                d[v] = s.moves[static_cast<std::size_t>(s.body[v])] ? random_vector<Dim>(random, size)
                                                                    : Vector<Dim>(Vector<Dim>::Zero());
            find_candidates<Dim>(s, x, d, distance, kept);
            ++calls;
            expect_all_pairs(s, x, d, distance, kept);
            for (std::size_t v = 0; v < x.size(); ++v) x[v] += random.uniform() * d[v];
        }
        builds += kept.builds;
    }
    std::printf("%dD: lists made %d times in %d calls\n", Dim, builds, calls);
    EXPECT_LT(builds, calls / 2);
}

TEST(IpcCandidates, AreAllPairsAlsoWhenListsAreKept) {
    compare_along_a_walk<2>();
    compare_along_a_walk<3>();
}

TEST(IpcCandidates, AreMadeAnewWhenTheSurfaceChanges) {
    Random random(43);
    Surface<2> s = soups<2>(random);
    const Points<2> still(s.rest.size(), Vector<2>::Zero());
    Candidates<2> c;
    find_candidates<2>(s, s.rest, still, 0.1, c);
    s.collide.assign(16, 0);
    s.prepare();
    find_candidates<2>(s, s.rest, still, 0.1, c);
    EXPECT_EQ(c.size(), 0);
    EXPECT_EQ(c.builds, 2);
}

TEST(IpcCandidates, HaveTheSameBitsOnAnyNumberOfThreads) {
    Random random(47);
    Surface<3> s;
    for (int k = 0; k < 3; ++k) add_sheet(s, {0.01 * k, 0.02 * k, 0.004 * k}, {1, 0, 0}, {0, 1, 0}, 20, 23, 0.2, &random);
    s.prepare();
    Points<3> d(s.rest.size());
    for (Vector<3>& v : d) v = random_vector<3>(random, 0.01);
    const Barrier barrier{1e5, 0.005};
    std::vector<Pair> cells, edges;
    double limit = 0, energy = 0;
    int blocking = -1;
    std::vector<double> weights;
    for (const int threads : {1, 2, 4}) {
        set_thread_count(threads);
        Candidates<3> c;
        find_candidates<3>(s, s.rest, d, barrier.dhat, c);
        int index = -2;
        const double value = step_limit<3>(s, c, s.rest, d, 0.1, &index);
        std::vector<Collision> found;
        find_collisions<3>(s, c, s.rest, barrier.dhat, found);
        const double sum = barrier_energy<3>(s, barrier, found, s.rest);
        if (threads == 1) {
            cells = c.vertex_cell;
            edges = c.edge_edge;
            limit = value;
            blocking = index;
            energy = sum;
            for (const Collision& k : found) weights.push_back(k.weight);
            EXPECT_GT(edges.size(), 5000u);
            EXPECT_GT(found.size(), 1000u);
            EXPECT_LT(limit, 1);
            continue;
        }
        EXPECT_EQ(c.vertex_cell, cells);
        EXPECT_EQ(c.edge_edge, edges);
        EXPECT_EQ(value, limit);
        EXPECT_EQ(index, blocking);
        EXPECT_EQ(sum, energy);
        ASSERT_EQ(found.size(), weights.size());
        for (std::size_t k = 0; k < found.size(); ++k) EXPECT_EQ(found[k].weight, weights[k]);
    }
    set_thread_count(1);
}

TEST(IpcCandidates, StepLimitLeavesAShareOfTheGapAndNamesThePair) {
    Surface<3> s;
    add_sheet(s, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 3, 3, 0, nullptr, false);
    add_sheet(s, {0.1, 0.1, 0.5}, {0.5, 0.1, 0}, {-0.1, 0.5, 0}, 2, 2);
    s.thickness = {0.02, 0.06};
    s.prepare();
    Points<3> d(s.rest.size(), Vector<3>::Zero());
    for (std::size_t v = 0; v < d.size(); ++v)
        if (s.body[v] == 1) d[v] = {0.05, 0, -1};
    Candidates<3> c;
    find_candidates<3>(s, s.rest, d, 0.1, c);
    int blocking = -1;
    const double limit = step_limit<3>(s, c, s.rest, d, 0.2, &blocking);
    // from 0.5 down to 0.04 + 0.2 (0.5 - 0.04); never later, and early by the slack of the additive method
    EXPECT_LE(limit, 0.8 * 0.46);
    EXPECT_GT(limit, 0.95 * 0.8 * 0.46);
    ASSERT_GE(blocking, 0);
    const std::array<int, 2> bodies = candidate_bodies<3>(s, c, blocking);
    EXPECT_NE(bodies[0], bodies[1]);
    for (Vector<3>& v : d) v = -v;
    find_candidates<3>(s, s.rest, d, 0.1, c);
    EXPECT_EQ(step_limit<3>(s, c, s.rest, d, 0.2, &blocking), 1);
    EXPECT_EQ(blocking, -1);
}

TEST(IpcCandidates, RepeatedCallsDoNotAllocate) {
    Random random(53);
    Surface<3> s;
    for (int k = 0; k < 2; ++k) add_sheet(s, {0, 0, 0.004 * k}, {1, 0, 0}, {0, 1, 0}, 12, 12, 0.2, &random);
    s.prepare();
    const Barrier barrier{1e5, 0.005};
    Points<3> d(s.rest.size(), Vector<3>{0.1, 0, 0});
    const Points<3> still(s.rest.size(), Vector<3>::Zero());
    Candidates<3> c;
    std::vector<Collision> found;
    LocalContact<3> local;
    double sum = 0;
    const auto all = [&] {
        c.allowed_distance = -1;  // as after a large motion
        for (const Points<3>& direction : {std::cref(d), std::cref(still)}) {
            find_candidates<3>(s, s.rest, direction, barrier.dhat, c);
            sum += step_limit<3>(s, c, s.rest, direction, 0.1, nullptr);
            find_collisions<3>(s, c, s.rest, barrier.dhat, found);
            sum += barrier_energy<3>(s, barrier, found, s.rest);
            for (const Collision& k : found) barrier_local<3>(s, barrier, k, s.rest, true, local);
        }
    };
    all();
    all();
    const long before = testing_support::allocation_count();
    all();
    EXPECT_EQ(testing_support::allocation_count(), before);
    EXPECT_TRUE(std::isfinite(sum));
}

}  // namespace
}  // namespace asperity::ipc
