// The dynamic tree against brute force, its height against the bound, and its storage.
#include "asperity/contact/tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "asperity/core/random.h"

namespace asperity::contact {
namespace {

constexpr double kFat = 0.02;

Aabb random_box(Random& random, double world, double largest) {
    const Vec3 center{random.uniform(-world, world), random.uniform(-world, world), random.uniform(-world, world)};
    const Vec3 half{random.uniform(0, largest), random.uniform(0, largest), random.uniform(0, largest)};
    return {center - half, center + half};
}

std::vector<int> found(const DynamicTree& tree, const Aabb& box) {
    std::vector<int> users;
    tree.query(box, [&](int user) { users.push_back(user); });
    std::sort(users.begin(), users.end());
    return users;
}

/// The greatest height that the balance rule allows for a number of leaves: L(h) = L(h-1) + L(h-4), one leaf at height 0.
int height_bound(int leaves) {
    std::vector<double> least{1, 2, 3, 4};
    while (least.back() <= leaves) least.push_back(least[least.size() - 1] + least[least.size() - 4]);
    return static_cast<int>(least.size()) - 2;
}

TEST(DynamicTree, AnswersLikeBruteForceThroughInsertsMovesAndRemovals) {
    Random random(41);
    DynamicTree tree(kFat);
    struct Entry {
        Aabb tight;
        int leaf, user;
    };
    std::vector<Entry> entries;
    for (int round = 0; round < 6000; ++round) {
        const int choice = random.below(10);
        if (entries.empty() || choice < (round < 3000 ? 4 : 3)) {
            const Aabb box = random_box(random, 5, 0.4);
            entries.push_back({box, tree.insert(box, round), round});
        } else if (choice < 7) {
            Entry& e = entries[random.below(static_cast<int>(entries.size()))];
            const double reach = random.below(2) ? 0.01 : 2;  // within the fat box, or far out of it
            const Vec3 shift{random.uniform(-reach, reach), random.uniform(-reach, reach), random.uniform(-reach, reach)};
            e.tight = {e.tight.low + shift, e.tight.high + shift};
            const Aabb before = tree.fat_box(e.leaf);
            const bool left = min(e.tight.low, before.low) != before.low || max(e.tight.high, before.high) != before.high;
            EXPECT_EQ(tree.update(e.leaf, e.tight), left);
        } else {
            const int i = random.below(static_cast<int>(entries.size()));
            tree.remove(entries[i].leaf);
            entries.erase(entries.begin() + i);
        }
        if (round % 10) continue;
        const Aabb probe = random_box(random, 5, 2);
        std::vector<int> expected;
        for (const Entry& e : entries) {
            ASSERT_EQ(tree.user(e.leaf), e.user);
            if (tree.fat_box(e.leaf).overlaps(probe)) expected.push_back(e.user);
            // The stored box covers the tight one, so no touching pair is missed.
            EXPECT_EQ(max(tree.fat_box(e.leaf).high, e.tight.high), tree.fat_box(e.leaf).high);
            EXPECT_EQ(min(tree.fat_box(e.leaf).low, e.tight.low), tree.fat_box(e.leaf).low);
        }
        std::sort(expected.begin(), expected.end());
        ASSERT_EQ(found(tree, probe), expected) << "round " << round;
        EXPECT_LE(tree.height(), height_bound(std::max<int>(1, static_cast<int>(entries.size()))));
    }
    EXPECT_GT(entries.size(), 100u);
}

TEST(DynamicTree, StoresBoxesFatAndKeepsThemWhileTheBodyStaysInside) {
    DynamicTree tree(0.1);
    const int leaf = tree.insert({{0, 0, 0}, {1, 1, 1}}, 7);
    constexpr double kFloat =
        1.2e-7;  // stored in single precision, rounded outwards: at most one unit in the last place too large
    for (int i = 0; i < 3; ++i) {
        EXPECT_LE(tree.fat_box(leaf).low[i], -0.1);
        EXPECT_NEAR(tree.fat_box(leaf).low[i], -0.1, kFloat);
        EXPECT_GE(tree.fat_box(leaf).high[i], 1.1);
        EXPECT_NEAR(tree.fat_box(leaf).high[i], 1.1, kFloat);
    }
    EXPECT_FALSE(tree.update(leaf, {{0.05, -0.05, 0}, {1.05, 0.95, 1}}));
    EXPECT_NEAR(tree.fat_box(leaf).low.x, -0.1, kFloat);
    EXPECT_TRUE(tree.update(leaf, {{0.15, 0, 0}, {1.15, 1, 1}}));
    EXPECT_NEAR(tree.fat_box(leaf).low.x, 0.05, kFloat);
    // The box has left its fat box by 0.05 and is expected to continue.
    EXPECT_NEAR(tree.fat_box(leaf).high.x, 1.25 + 6 * 0.05, kFloat);
    EXPECT_EQ(tree.user(leaf), 7);
}

// Sorted along a line, each new box to the right of all others: a tree without rotations becomes a chain of height n.
TEST(DynamicTree, StaysLogarithmicWhenBoxesComeSorted) {
    for (const int count : {10, 100, 1000, 10000}) {
        DynamicTree tree(kFat), nested(kFat);
        for (int i = 0; i < count; ++i) {
            tree.insert({{1.0 * i, 0, 0}, {i + 0.5, 1, 1}}, i);
            nested.insert({{-1.0 * i, -1.0 * i, -1.0 * i}, {1.0 * i, 1.0 * i, 1.0 * i}},
                          i);  // each box around all earlier ones
        }
        EXPECT_LE(tree.height(), height_bound(count));
        EXPECT_LE(nested.height(), height_bound(count));
        EXPECT_LE(height_bound(count), 2.2 * std::log2(count) + 3);
        EXPECT_EQ(found(tree, {{-1, 0, 0}, {1.0 * count, 1, 1}}).size(), static_cast<size_t>(count));
        // A chain would have the area ratio count / 2.
        EXPECT_LE(tree.area_ratio(), 2 * std::log2(count)) << count;
    }
}

TEST(DynamicTree, StaysLogarithmicWhenLeavesGoInOrder) {
    DynamicTree tree(kFat);
    std::vector<int> leaves;
    for (int i = 0; i < 4096; ++i) leaves.push_back(tree.insert({{1.0 * i, 0, 0}, {i + 0.5, 1, 1}}, i));
    for (int i = 0; i < 4000; ++i) {
        tree.remove(leaves[i]);
        if (i % 100 == 0) { EXPECT_LE(tree.height(), height_bound(4095 - i)); }
    }
    EXPECT_EQ(found(tree, {{0, 0, 0}, {5000, 1, 1}}).size(), 96u);
}

// The effect of rotations: a query in a pile of random boxes visits a small part of the tree.
TEST(DynamicTree, KeepsItsBoxesSmall) {
    Random random(43);
    DynamicTree tree(kFat);
    for (int i = 0; i < 5000; ++i) tree.insert(random_box(random, 10, 0.2), i);
    // Halving a cube of points repeatedly gives 2^k boxes, each with 2^(-2k/3) of its area: the sum of 2^(k/3) over 12
    // levels is 58. Measured: 52; 74 without rotations for area.
    EXPECT_LT(tree.area_ratio(), 63);
    EXPECT_GT(tree.area_ratio(), 1);
}

TEST(DynamicTree, TakesHalfSpacesAlongWithSmallBoxes) {
    Random random(44);
    DynamicTree tree(kFat);
    tree.insert({{-1e30, -1e30, -1e30}, {1e30, 1e30, 0}}, 1000);
    for (int i = 0; i < 500; ++i) tree.insert(random_box(random, 10, 0.2), i);
    tree.insert({{-1e30, -1e30, -1e30}, {-9, 1e30, 1e30}}, 1001);
    EXPECT_EQ(found(tree, {{0, 0, 20}, {1, 1, 21}}), std::vector<int>{});
    EXPECT_EQ(found(tree, {{30, 0, -20}, {31, 1, -19}}), std::vector<int>{1000});
    EXPECT_EQ(found(tree, {{-30, 0, -20}, {-29, 1, -19}}), (std::vector<int>{1000, 1001}));
}

// Handles are indices into the node storage: equal handles mean that no new node was needed.
TEST(DynamicTree, ReusesItsNodesOnceWarm) {
    Random random(45);
    DynamicTree tree(kFat);
    std::vector<int> leaves;
    for (int i = 0; i < 200; ++i) leaves.push_back(tree.insert(random_box(random, 5, 0.4), i));
    for (int round = 0; round < 5000; ++round) {
        const int i = random.below(200);
        if (round % 2) {
            tree.update(leaves[i], random_box(random, 5, 0.4));
        } else {
            tree.remove(leaves[i]);
            leaves[i] = tree.insert(random_box(random, 5, 0.4), i);
        }
        ASSERT_LT(leaves[i], 2 * 200 - 1);  // n leaves and n - 1 inner nodes
    }
}

TEST(DynamicTree, IsEmptyAfterClearAndAfterTheLastRemoval) {
    DynamicTree tree(kFat);
    const Aabb box{{0, 0, 0}, {1, 1, 1}};
    EXPECT_EQ(tree.height(), 0);
    EXPECT_EQ(tree.area_ratio(), 0);
    tree.remove(tree.insert(box, 1));
    EXPECT_TRUE(found(tree, box).empty());
    tree.insert(box, 2);
    tree.insert(box, 3);
    tree.clear();
    EXPECT_TRUE(found(tree, box).empty());
    tree.insert(box, 4);
    EXPECT_EQ(found(tree, box), std::vector<int>{4});
}

/// Entry of a ray into a box by clipping, in plain divisions; infinite where it misses.
double entry(const Aabb& box, const Vec3& origin, const Vec3& direction) {
    double from = 0, to = 1e300;
    for (int k = 0; k < 3; ++k) {
        if (direction[k] == 0) {
            if (origin[k] < box.low[k] || origin[k] > box.high[k]) return 1e301;
            continue;
        }
        const double a = (box.low[k] - origin[k]) / direction[k], b = (box.high[k] - origin[k]) / direction[k];
        from = std::max(from, std::min(a, b));
        to = std::min(to, std::max(a, b));
    }
    return from <= to ? from : 1e301;
}

// Every box that the ray meets within its reach is visited; a reach that the visitor lowers leaves out what is behind.
TEST(DynamicTree, RayVisitsTheBoxesThatItMeets) {
    Random random(43);
    DynamicTree tree(kFat);
    std::vector<Aabb> boxes;
    for (int i = 0; i < 500; ++i) {
        boxes.push_back(random_box(random, 5, 0.4));
        tree.insert(boxes.back(), i);
    }
    int met = 0, visits = 0;
    for (int i = 0; i < 2000; ++i) {
        const Vec3 origin{random.uniform(-8, 8), random.uniform(-8, 8), random.uniform(-8, 8)};
        Vec3 direction{random.normal(), random.normal(), random.normal()};
        if (i % 4 == 0) direction[random.below(3)] = 0;
        if (i % 16 == 0) direction = {0, 0, i % 32 == 0 ? -1.0 : 1.0};
        direction = normalized(direction);
        const double reach = random.uniform(0, 20);
        std::vector<char> visited(boxes.size(), 0);
        tree.query_ray(origin, direction, reach, [&](int user) { visited[static_cast<size_t>(user)] = 1; });
        double nearest = reach, found = reach;
        for (size_t k = 0; k < boxes.size(); ++k) {
            const double at = entry(boxes[k], origin, direction);
            nearest = std::min(nearest, at);
            if (at > reach) continue;
            EXPECT_TRUE(visited[k]) << i << ' ' << k;
            ++met;
        }
        double left = reach;
        tree.query_ray(origin, direction, left, [&](int user) {
            ++visits;
            left = std::min(left, entry(boxes[static_cast<size_t>(user)], origin, direction));
            found = left;
        });
        EXPECT_EQ(found, nearest) << i;
    }
    EXPECT_GT(met, 400);
    EXPECT_LT(visits, 5 * met);
}

}  // namespace
}  // namespace asperity::contact
