// Spelling suggestions, hashes, and loops over threads.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <thread>

#include "asperity/core/error.h"
#include "asperity/core/hash.h"
#include "asperity/core/parallel.h"

namespace asperity {
namespace {

TEST(NearestName, FindsMisspellings) {
    const std::vector<std::string> known{"density", "restitution", "friction", "mu", "mu_t", "mu_b"};
    EXPECT_EQ(nearest_name("densty", known), "density");
    EXPECT_EQ(nearest_name("dentisy", known), "density");  // transposed letters
    EXPECT_EQ(nearest_name("Friction", known), "friction");
    EXPECT_EQ(nearest_name("mu_c", known), "mu_t");  // the first of equally near names
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
TEST(Team, DoesEveryChunkOfEveryStageOnce) {
    for (const int threads : {1, 2, 4}) {
        set_thread_count(threads);
        std::vector<int> count(1000, 0);
        Team::run([&](Team& team) {
            for (int stage = 0; stage < 200; ++stage)
                team.stage(5 * (stage % 200), [&](int i) { ++count[static_cast<size_t>(i)]; });
        });
        set_thread_count(1);
        for (int i = 0; i < 1000; ++i)
            EXPECT_EQ(count[static_cast<size_t>(i)], 199 - i / 5) << i << ", " << threads << " threads";
    }
}

TEST(Team, LoopsWithinItsWorkAreSharedAndThoseWithinAStageAreNot) {
    set_thread_count(3);
    std::vector<int> outer(1000, 0), inner(1000, 0);
    Team::run([&](Team& team) {
        EXPECT_EQ(Team::current(), &team);
        Team::run([&](Team& same) { EXPECT_EQ(&same, &team); });
        parallel_for(
            1000, [&](int i) { ++outer[static_cast<size_t>(i)]; }, 8);
        team.stage(10, [&](int c) {
            EXPECT_EQ(Team::current(), nullptr);
            parallel_for(
                100, [&](int i) { ++inner[static_cast<size_t>(100 * c + i)]; }, 8);
        });
    });
    EXPECT_EQ(Team::current(), nullptr);
    set_thread_count(1);
    EXPECT_EQ(outer, std::vector<int>(1000, 1));
    EXPECT_EQ(inner, std::vector<int>(1000, 1));
}

TEST(Team, TakesThreadsBackThatHaveLeft) {
    set_thread_count(2);
    using Clock = std::chrono::steady_clock;
    Team::run([&](Team& team) {
        for (int stage = 0; stage < 3; ++stage) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));  // long enough for the helpers to leave
            std::atomic<int> here = 0;
            team.stage(2, [&](int) {  // each chunk waits for the other, which needs a second thread
                ++here;
                for (const auto start = Clock::now(); here < 2 && Clock::now() - start < std::chrono::seconds(20);)
                    std::this_thread::yield();
            });
            EXPECT_EQ(here, 2);
        }
    });
    set_thread_count(1);
}

TEST(Team, HandsOnWhatIsThrownOnceTheOthersHaveEnded) {
    for (const int threads : {1, 2, 4}) {
        set_thread_count(threads);
        std::atomic<int> running = 0;
        const auto fail = [&] {
            Team::run([&](Team& team) {
                team.stage(100, [&](int i) {
                    ++running;
                    const bool last = i == 73;
                    --running;
                    if (last) throw std::runtime_error("chunk 73");
                });
            });
        };
        EXPECT_THROW(fail(), std::runtime_error) << threads << " threads";
        EXPECT_EQ(running, 0);
        EXPECT_EQ(Team::current(), nullptr);
        int sum = 0;  // the next team works normally
        Team::run([&](Team& team) { team.stage(1, [&](int) { ++sum; }); });
        EXPECT_EQ(sum, 1);
    }
    set_thread_count(1);
}

}  // namespace asperity
