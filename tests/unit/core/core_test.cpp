// Names that were meant, hashes, and loops over threads.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "asperity/core/error.h"
#include "asperity/core/hash.h"
#include "asperity/core/parallel.h"

namespace asperity {
namespace {

TEST(NearestName, FindsMisspellings) {
    const std::vector<std::string> known{"density", "restitution", "friction", "mu", "mu_t", "mu_b"};
    EXPECT_EQ(nearest_name("densty", known), "density");
    EXPECT_EQ(nearest_name("dentisy", known), "density");  // swapped neighbours
    EXPECT_EQ(nearest_name("Friction", known), "friction");
    EXPECT_EQ(nearest_name("mu_c", known), "mu_t");  // the first of equally near ones
    EXPECT_EQ(nearest_name("restitution", known), "restitution");
}

TEST(NearestName, IsSilentAboutOtherWords) {
    const std::vector<std::string> known{"density", "friction"};
    EXPECT_EQ(nearest_name("banana", known), "");
    EXPECT_EQ(nearest_name("", {}), "");
    EXPECT_EQ(nearest_name("x", {}), "");
    EXPECT_EQ(nearest_name(std::string(100000, 'd'), known), "");
}

TEST(StateHash, DependsOnEveryBitAndTheOrder) {
    const auto of = [](std::initializer_list<double> values) {
        Hash hash;
        for (const double value : values) hash.add(value);
        return hash.value();
    };
    EXPECT_EQ(of({1, 2}), of({1, 2}));
    EXPECT_NE(of({1, 2}), of({2, 1}));
    EXPECT_NE(of({0.0}), of({-0.0}));
    EXPECT_NE(of({1}), of({std::nextafter(1, 2)}));
    EXPECT_NE(of({}), of({0}));
    EXPECT_NE(of({0}), of({0, 0}));
    Hash hash;
    hash.add(1.0);
    EXPECT_EQ(hash.hex().size(), 16u);
}

TEST(StateHash, NeighboursShareAboutHalfOfTheirBits) {
    double sum = 0;
    for (int i = 0; i < 1000; ++i) {
        Hash a, b;
        a.add(static_cast<std::uint64_t>(i));
        b.add(static_cast<std::uint64_t>(i) + 1);
        sum += __builtin_popcountll(a.value() ^ b.value());
    }
    EXPECT_NEAR(sum / 1000, 32, 2);
}

TEST(ParallelFor, VisitsEveryIndexOnceOnAnyNumberOfThreads) {
    for (const int threads : {1, 2, 4}) {
        set_thread_count(threads);
        for (const int count : {0, 1, 31, 33, 10000}) {
            std::vector<int> visits(static_cast<size_t>(count));
            parallel_for(count, [&](int i) { ++visits[static_cast<size_t>(i)]; });
            for (const int visit : visits) ASSERT_EQ(visit, 1);
        }
    }
    set_thread_count(0);
    EXPECT_GE(thread_count(), 1);
    set_thread_count(1);
}

}  // namespace
}  // namespace asperity
