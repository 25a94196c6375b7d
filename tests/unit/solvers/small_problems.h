// Small assembled problems for the tests of single solvers.
#pragma once
#include <array>
#include <cmath>

#include "asperity/core/random.h"
#include "asperity/solvers/assembled/assembled_problem.h"
#include "tests/support/random_problem.h"

namespace asperity::solvers {

/// One contact of three rows.
inline AssembledProblem one_contact(const std::array<double, 9>& W, const std::array<double, 3>& q,
                                    const friction::LimitSet& set) {
    AssembledProblem p;
    Block block;
    block.kind = BlockKind::Contact;
    block.rows = 3;
    block.set = set;
    p.blocks = {block};
    p.W = {{0, 1}, {0}, {0}, {W.begin(), W.end()}};
    p.q = {q.begin(), q.end()};
    p.prepare();
    return p;
}

/// A random problem of one kind, assembled; keeps the vertices of its polygons.
struct Sample {
    RandomProblem source;
    AssembledProblem problem;

    Sample(std::uint64_t seed, const RandomProblemOptions& options) {
        Random random(seed);
        source = random_problem(random, options);
        source.problem.prepare();
        assemble(source.problem, problem);
    }
};

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    for (size_t i = 0; i < a.size(); ++i) largest = std::fmax(largest, std::fabs(a[i] - b[i]));
    return largest;
}

}  // namespace asperity::solvers
