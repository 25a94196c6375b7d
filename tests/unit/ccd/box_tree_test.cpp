// The tree of boxes against comparing all boxes.
#include <gtest/gtest.h>

#include <limits>

#include "asperity/ccd/box_tree.h"
#include "asperity/core/random.h"

namespace asperity::ccd {
namespace {

template <int Dim>
Vector<Dim> random_vector(Random& random, double size) {
    Vector<Dim> v;
    for (int k = 0; k < Dim; ++k) v[k] = random.uniform(-size, size);
    return v;
}

/// Boxes whose sizes differ by 1:100, some flat, some equal.
template <int Dim>
std::vector<Box<Dim>> random_boxes(Random& random, int count, double scale) {
    std::vector<Box<Dim>> boxes;
    for (int i = 0; i < count; ++i) {
        if (i > 0 && random.below(10) == 0) {
            boxes.push_back(boxes[static_cast<std::size_t>(random.below(i))]);
            continue;
        }
        const Vector<Dim> centre = random_vector<Dim>(random, scale);
        Vector<Dim> half = random_vector<Dim>(random, scale * std::pow(100, -random.uniform(0.5, 1.5))).cwiseAbs();
        if (random.below(4) == 0) half[random.below(Dim)] = 0;
        boxes.push_back({centre - half, centre + half});
    }
    return boxes;
}

template <int Dim>
std::vector<int> found(const BoxTree<Dim>& tree, const Box<Dim>& query) {
    std::vector<int> out;
    tree.for_overlaps(query, [&](int i) { out.push_back(i); });
    std::sort(out.begin(), out.end());
    return out;
}

template <int Dim>
std::vector<int> expected(const std::vector<Box<Dim>>& boxes, const Box<Dim>& query) {
    std::vector<int> out;
    for (std::size_t i = 0; i < boxes.size(); ++i)
        if (overlap(boxes[i], query)) out.push_back(static_cast<int>(i));
    return out;
}

template <int Dim>
void expect_same_as_all_boxes(Random& random, const BoxTree<Dim>& tree, const std::vector<Box<Dim>>& boxes, double scale) {
    for (const Box<Dim>& query : random_boxes<Dim>(random, 100, scale))
        ASSERT_EQ(found(tree, query), expected(boxes, query));
    for (std::size_t i = 0; i < boxes.size(); i += 7) ASSERT_EQ(found(tree, boxes[i]), expected(boxes, boxes[i]));
}

template <int Dim>
void check_against_all_boxes() {
    Random random(5);
    BoxTree<Dim> tree;
    for (const double scale : {1e-6, 1.0, 1e6})
        for (const int count : {0, 1, 2, 3, 50, 1000}) {
            std::vector<Box<Dim>> boxes = random_boxes<Dim>(random, count, scale);
            tree.build(boxes);
            EXPECT_EQ(tree.size(), count);
            expect_same_as_all_boxes(random, tree, boxes, scale);
            for (Box<Dim>& box : boxes) {
                const Vector<Dim> shift = random_vector<Dim>(random, scale);
                box = {box.low + shift, box.high + shift};
            }
            tree.refit(boxes);
            expect_same_as_all_boxes(random, tree, boxes, scale);
        }
}

TEST(BoxTree, FindsWhatComparingAllBoxesFinds) {
    check_against_all_boxes<2>();
    check_against_all_boxes<3>();
}

TEST(BoxTree, BoxesThatTouchOverlap) {
    const std::vector<Box<2>> boxes = {{{0, 0}, {1, 1}}, {{1, 1}, {2, 2}}, {{2.5, 0}, {3, 1}}};
    BoxTree<2> tree;
    tree.build(boxes);
    EXPECT_EQ(found<2>(tree, {{1, 1}, {1, 1}}), (std::vector<int>{0, 1}));
    EXPECT_EQ(found<2>(tree, {{2, 0.5}, {2.5, 0.5}}), std::vector<int>{2});
}

TEST(BoxTree, EqualInfiniteAndInvalidBoxesDoNoHarm) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNaN = std::numeric_limits<double>::quiet_NaN();
    std::vector<Box<3>> boxes(500, Box<3>{{1, 2, 3}, {1, 2, 3}});
    boxes.push_back({{-kInfinity, 0, 0}, {kInfinity, 1, 1}});
    boxes.push_back({{kNaN, 0, 0}, {1, 1, 1}});
    boxes.push_back({{-1e308, -1e308, -1e308}, {1e308, 1e308, 1e308}});
    BoxTree<3> tree;
    tree.build(boxes);
    EXPECT_EQ(found<3>(tree, {{1, 2, 3}, {1, 2, 3}}).size(), 501U);
    EXPECT_EQ(found<3>(tree, {{5, 0, 0}, {6, 1, 1}}), (std::vector<int>{500, 502}));
    EXPECT_TRUE(found<3>(tree, {{kNaN, 0, 0}, {6, 1, 1}}).empty());
}

TEST(BoxTree, OrderOfAQueryIsTheSameEveryTime) {
    Random random(6);
    const std::vector<Box<3>> boxes = random_boxes<3>(random, 3000, 1);
    BoxTree<3> one, two;
    two.build(random_boxes<3>(random, 3000, 1));
    one.build(boxes);
    two.build(boxes);
    std::vector<int> first, second;
    const Box<3> all = one.bounds();
    one.for_overlaps(all, [&](int i) { first.push_back(i); });
    two.for_overlaps(all, [&](int i) { second.push_back(i); });
    EXPECT_EQ(first.size(), boxes.size());
    EXPECT_EQ(first, second);
}

TEST(BoxTree, InflatedBoxesAreRoundedOutwards) {
    const Box<2> box = inflate<2>({{1e6, -1e-6}, {1e6, 1e-6}}, 1e-11);
    EXPECT_LT(box.low[0], 1e6);
    EXPECT_GT(box.high[0], 1e6);
    EXPECT_LE(box.low[1], -1e-6 - 1e-11);
    EXPECT_GE(box.high[1], 1e-6 + 1e-11);
}

}  // namespace
}  // namespace asperity::ccd
