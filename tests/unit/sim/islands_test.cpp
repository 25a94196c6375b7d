#include "asperity/sim/islands.h"
#include "asperity/sim/world.h"

#include <gtest/gtest.h>

#include "asperity/contact/broad_phase.h"
#include "asperity/core/random.h"

namespace asperity::sim {
namespace {

/// Reference by definition: numbers spread along touching pairs until none changes. Every tenth body is fixed and spreads
/// none.
std::vector<int> spread(int bodies, const std::vector<contact::PairMemory>& pairs) {
    std::vector<int> island(static_cast<size_t>(bodies));
    std::iota(island.begin(), island.end(), 0);
    for (bool changed = true; changed;) {
        changed = false;
        for (const contact::PairMemory& pair : pairs) {
            const auto a = contact::pair_low(pair.pair), b = contact::pair_high(pair.pair);
            if (pair.count == 0 || a % 10 == 0 || b % 10 == 0 || island[a] == island[b]) continue;
            island[a] = island[b] = std::min(island[a], island[b]);
            changed = true;
        }
    }
    return island;
}

// From separate bodies to one heap, with any number of threads.
TEST(Islands, AreWhatHangsTogetherAndNamedByTheirSmallestBody) {
    constexpr int kBodies = 4000;
    World world;
    const MaterialId stone = world.add_material({.name = "stone"});
    for (int i = 0; i < kBodies; ++i)
        world.add_body({.name = std::to_string(i),
                        .motion = i % 10 == 0 ? rigid::Motion::Fixed : rigid::Motion::Dynamic,
                        .colliders = {{geometry::Sphere{0.1}, {}, stone}}});
    Random random(7);
    for (const int links : {200, 2000, 4000, 20000}) {
        std::vector<contact::PairMemory> pairs;
        for (int k = 0; k < links; ++k) {
            const int a = random.below(kBodies), b = random.below(kBodies);
            if (a != b)
                pairs.push_back({.pair = contact::pair_key(std::min(a, b), std::max(a, b)), .count = random.below(5)});
        }
        const std::vector<int> expected = spread(kBodies, pairs);
        for (const int threads : {1, 2, 4}) {
            set_thread_count(threads);
            std::vector<int> parent;
            make_islands(world.model, pairs, parent);
            set_thread_count(1);
            EXPECT_EQ(parent, expected) << links << " links, " << threads << " threads";
        }
    }
}

}  // namespace
}  // namespace asperity::sim
