// Damaged problem files. For any bytes, reading must end in a solvable problem or in an InputError on one line. Some damage
// crashes the HDF5 library (1.10.8): a few files in a thousand make it copy a negative number of bytes. So each mutant runs
// in a process of its own. Crashes in the library are counted; a crash in our code fails the test.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "asperity/core/error.h"
#include "asperity/core/random.h"
#include "asperity/fclib/assembled.h"
#include "asperity/fclib/hdf5_file.h"
#include "asperity/fclib/reduce.h"
#include "hdf5_watch.h"

// The HDF5 library requests the sizes stated in a damaged file, and handles a failed allocation. The sanitizer would end the
// program instead.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }

namespace asperity::fclib {
namespace {

constexpr int kMutants = 1500;  // the same on every machine; one process each, some 15 s of CPU time

int below(Random& random, std::size_t count) { return static_cast<int>(random.uniform() * static_cast<double>(count)); }

/// Two contacts and an equation, with a solution; the global problem has one body.
ProblemFile small(bool global) {
    const auto identity = [](int n) {
        std::vector<Triplet> entries;
        for (int i = 0; i < n; ++i) entries.push_back({i, i, 1.0});
        return make_sparse(n, n, std::move(entries));
    };
    ProblemFile file;
    const Solution solution{{}, {}, {0, 0, 0, 0, 0, 0}, {1, 0, 0, 1, 0, 0}};
    if (global) {
        GlobalProblem p;
        p.M = identity(6);
        p.H = make_sparse(6, 6, {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {3, 3, 1}, {0, 3, 0.5}, {4, 4, 1}, {5, 5, 1}});
        p.G = make_sparse(6, 1, {{4, 0, 1}});
        p.f = {-1, 0.1, 0, -1, 0, 0};
        p.w.assign(6, 0.0);
        p.b = {0};
        p.mu = {0.5, 0.3};
        return {p, solution, {solution}};
    }
    LocalProblem p;
    p.W = identity(6);
    p.V = make_sparse(6, 1, {{1, 0, 0.5}});
    p.R = identity(1);
    p.s = {0};
    p.q = {-1, 0.1, 0, -1, 0, 0};
    p.mu = {0.5, 0.3};
    return {p, solution, {solution}};
}

std::string mutated(std::string bytes, Random& random) {
    const int changes = 1 + below(random, 4);
    for (int i = 0; i < changes && !bytes.empty(); ++i) {
        const auto at = static_cast<std::size_t>(below(random, bytes.size()));
        switch (below(random, 5)) {
            case 0: bytes[at] = static_cast<char>(below(random, 256)); break;
            case 1: bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(random, 8)); break;
            case 2: bytes.resize(at); break;
            case 3: std::memset(&bytes[at], below(random, 2) ? 0xff : 0, std::min<std::size_t>(8, bytes.size() - at)); break;
            default: bytes.replace(at, 8, bytes.substr(static_cast<std::size_t>(below(random, bytes.size())), 8)); break;
        }
    }
    return bytes;
}

/// Reads and uses the problem; returns whether it was accepted.
bool survives(const std::string& bytes) {
    try {
        const ProblemFile file = parse_problem(bytes, "fuzz");
        solvers::AssembledProblem problem;
        if (const auto* global = std::get_if<GlobalProblem>(&file.problem))
            problem = to_assembled(Reduction(*global).local());
        else
            problem = to_assembled(without_equations(std::get<LocalProblem>(file.problem)));
        std::vector<double> history;
        solvers::make_assembled_solver("prox")->solve(problem, {1e-6, 50, 1, solvers::Measure::Siconos}, history);
        return true;
    } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        return false;
    }
}

TEST(ProblemFuzz, EveryMutantIsTakenOrRefusedCleanly) {
    const std::string whole[2] = {problem_bytes(small(false), Layout::Triplets),
                                  problem_bytes(small(true), Layout::CompressedRows)};
    for (const std::string& bytes : whole) ASSERT_TRUE(survives(bytes));
    Random random(2026);
    int taken = 0, refused = 0, ended_in_hdf5 = 0;
    for (int i = 0; i < kMutants; ++i) {
        const std::string mutant = mutated(whole[i % 2], random);
        const fuzz::Outcome outcome = fuzz::run_apart([&] {
            const bool good = survives(mutant);
            return testing::Test::HasFailure() ? 12 : good ? 10 : 11;
        });
        ASSERT_NE(outcome.end, fuzz::End::InOurCode) << "mutant " << i;
        ASSERT_NE(outcome.code, 12) << "a message of more than one line, mutant " << i;
        ++(outcome.end == fuzz::End::InHdf5 ? ended_in_hdf5 : outcome.code == 10 ? taken : refused);
    }
    fmt::print("{} taken, {} refused, {} ended in the HDF5 library\n", taken, refused, ended_in_hdf5);
    EXPECT_LE(ended_in_hdf5, (taken + refused + ended_in_hdf5) / 50);
    // If mutation always or never broke a file, the test would be void.
    EXPECT_GT(taken, 20);
    EXPECT_GT(refused, 20);
}

/// Tests the watch itself: our own crash must not count as one of the library.
TEST(ProblemFuzz, TellsOurEndsFromThoseOfTheLibrary) {
    EXPECT_EQ(fuzz::run_apart([] { return 7; }).code, 7);
    EXPECT_EQ(fuzz::run_apart([] {
                  std::abort();
                  return 0;
              }).end,
              fuzz::End::InOurCode);
    EXPECT_EQ(fuzz::run_apart([] {
                  std::exit(3);
                  return 0;
              }).end,
              fuzz::End::InOurCode);  // as when a sanitizer ends it
    const std::string whole = problem_bytes(small(false), Layout::Triplets);
    EXPECT_EQ(fuzz::run_apart([&] {  // after a library call has returned
                  const ProblemFile file = parse_problem(whole, "fuzz");
                  std::abort();
                  return 0;
              })
                  .end,
              fuzz::End::InOurCode);
    EXPECT_EQ(fuzz::run_apart([] {  // a bad pointer that only the library dereferences
                  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
                  H5Pset_fapl_core(access, 1024, false);
                  static_cast<void>(H5Pset_file_image(access, reinterpret_cast<void*>(16), 1024));
                  return 0;
              })
                  .end,
              fuzz::End::InHdf5);
}

}  // namespace
}  // namespace asperity::fclib
