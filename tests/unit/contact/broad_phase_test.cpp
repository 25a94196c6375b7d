// The broad phase against a test of all pairs, over many steps of moving boxes, with half-spaces, fixed bodies and pairs
// that are excluded.
#include "asperity/contact/broad_phase.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "asperity/core/random.h"

namespace asperity::contact {
namespace {

struct Crowd {
    std::vector<BroadPhase::Proxy> proxies;
    std::vector<geometry::Aabb> boxes;
    std::vector<Vec3> velocity;
    std::vector<std::uint64_t> excluded;
};

/// Bodies of one to three colliders each; every fifth stands still; two of them are half-spaces; every seventh and, in
/// large crowds, one of the half-spaces is absent.
Crowd random_crowd(Random& random, int bodies) {
    Crowd crowd;
    for (int body = 0; body < bodies; ++body) {
        const bool moves = body % 5 != 0, unbounded = body == 0 || body == bodies / 2;
        const Vec3 middle{random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5)};
        for (int k = 0; k < (unbounded ? 1 : 1 + random.below(3)); ++k) {
            const Vec3 at = middle + Vec3{random.normal(), random.normal(), random.normal()};
            const Vec3 half{random.uniform(0.05, 1), random.uniform(0.05, 1), random.uniform(0.05, 1)};
            crowd.proxies.push_back(
                {body, moves && !unbounded, unbounded, body % 7 == 3 || (body == bodies / 2 && bodies > 100)});
            crowd.boxes.push_back(unbounded ? geometry::Aabb{{-1e30, -1e30, -1e30}, {1e30, 1e30, body == 0 ? -4.0 : -3.0}}
                                            : geometry::Aabb{at - half, at + half});
            crowd.velocity.push_back(moves && !unbounded ? Vec3{random.normal(), random.normal(), random.normal()} : Vec3{});
        }
    }
    for (int i = 0; i < bodies / 4; ++i) {
        const int a = random.below(bodies), b = random.below(bodies);
        if (a != b) crowd.excluded.push_back(pair_key(std::min(a, b), std::max(a, b)));
    }
    return crowd;
}

std::vector<std::uint64_t> brute_force(const Crowd& crowd) {
    std::vector<std::uint64_t> pairs;
    for (size_t i = 0; i < crowd.boxes.size(); ++i) {
        for (size_t j = i + 1; j < crowd.boxes.size(); ++j) {
            const auto &a = crowd.proxies[i], &b = crowd.proxies[j];
            const std::uint64_t bodies = pair_key(std::min(a.body, b.body), std::max(a.body, b.body));
            if (a.absent || b.absent || a.body == b.body || !(a.moves || b.moves) ||
                !crowd.boxes[i].overlaps(crowd.boxes[j]))
                continue;
            if (std::find(crowd.excluded.begin(), crowd.excluded.end(), bodies) != crowd.excluded.end()) continue;
            pairs.push_back(pair_key(static_cast<int>(i), static_cast<int>(j)));
        }
    }
    return pairs;
}

TEST(BroadPhase, FindsExactlyThePairsThatOverlapWhileBodiesMove) {
    size_t found = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Random random(seed);
        Crowd crowd = random_crowd(random, seed <= 5 ? 80 : 600);  // the last crowd is large enough to be split into parts
        BroadPhase broad_phase;
        broad_phase.build(crowd.proxies, crowd.excluded, crowd.boxes);
        std::vector<std::uint64_t> pairs;
        for (int step = 0; step < 60; ++step) {
            broad_phase.find_pairs(crowd.boxes, pairs);
            ASSERT_EQ(pairs, brute_force(crowd)) << "seed " << seed << ", step " << step;
            found += pairs.size();
            for (size_t i = 0; i < crowd.boxes.size(); ++i) {
                const double dt = step % 20 == 19 ? 2 : 0.03;  // a jump every 20 steps
                crowd.boxes[i] = {crowd.boxes[i].low + dt * crowd.velocity[i], crowd.boxes[i].high + dt * crowd.velocity[i]};
                if (random.below(50) == 0) crowd.velocity[i] *= -1;
            }
        }
    }
    EXPECT_GT(found, 10000u);
}

TEST(BroadPhase, ResultDoesNotDependOnTheTreesPast) {
    Random random(9);
    Crowd crowd = random_crowd(random, 60);
    BroadPhase old, fresh;
    std::vector<std::uint64_t> from_old, from_fresh;
    old.build(crowd.proxies, crowd.excluded, crowd.boxes);
    for (int step = 0; step < 100; ++step) {
        for (size_t i = 0; i < crowd.boxes.size(); ++i)
            crowd.boxes[i] = {crowd.boxes[i].low + 0.05 * crowd.velocity[i], crowd.boxes[i].high + 0.05 * crowd.velocity[i]};
        old.find_pairs(crowd.boxes, from_old);
    }
    fresh.build(crowd.proxies, crowd.excluded, crowd.boxes);
    fresh.find_pairs(crowd.boxes, from_fresh);
    EXPECT_EQ(from_old, from_fresh);
}

TEST(BroadPhase, IsContentWithNothing) {
    BroadPhase broad_phase;
    std::vector<std::uint64_t> pairs{1, 2, 3};
    broad_phase.build({}, {}, {});
    broad_phase.find_pairs({}, pairs);
    EXPECT_TRUE(pairs.empty());
}

}  // namespace
}  // namespace asperity::contact
