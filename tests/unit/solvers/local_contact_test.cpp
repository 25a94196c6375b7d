// One contact alone: the answer must be a zero of the natural map for every W, friction and free velocity.
#include "asperity/solvers/iteration/local_contact.h"

#include <gtest/gtest.h>

#include "asperity/core/random.h"
#include "asperity/solvers/problem/block.h"

namespace asperity::solvers {
namespace {

/// W = A A^T + small, with rows of very different sizes; `skew` makes it asymmetric.
SymBlock random_matrix(Random& random, double skew) {
    double a[3][3];
    for (auto& row : a)
        for (double& x : row) x = random.uniform(-1, 1);
    SymBlock w;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            for (int j = 0; j < 3; ++j) w.m[i][k] += a[i][j] * a[k][j];
            if (i == k) w.m[i][k] += 0.05;
        }
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < i; ++k) w.m[i][k] *= 1 + skew * random.uniform(-1, 1);
    return w;
}

struct Count {
    int solved = 0, refused = 0, open = 0, stick = 0, slip = 0;
};

Count solve_many(double largest_mu, double skew) {
    Random random(11);
    Count count;
    for (int trial = 0; trial < 20000; ++trial) {
        const SymBlock w = random_matrix(random, skew);
        Block block;
        block.kind = BlockKind::Contact;
        block.rows = 3;
        const friction::Ellipse set{random.uniform(0.01, largest_mu), random.uniform(0.01, largest_mu)};
        block.set = set;
        set_step_lengths(block, w);
        const double c[3] = {random.uniform(-1, 0.3), random.uniform(-1, 1), random.uniform(-1, 1)};
        LocalContact local;
        double lambda[3] = {0, 0, 0}, u[3];
        if (!local.set_up(w, set) || !local.solve(c, lambda)) {
            ++count.refused;
            continue;
        }
        ++count.solved;
        for (int i = 0; i < 3; ++i) u[i] = c[i] + w.m[i][0] * lambda[0] + w.m[i][1] * lambda[1] + w.m[i][2] * lambda[2];
        ++(lambda[0] == 0 ? count.open : std::hypot(u[1], u[2]) < 1e-10 ? count.stick : count.slip);
        // ten times the rounding error that was measured, 4.4e-14
        EXPECT_LT(natural_map(block, lambda, u), 5e-13) << "trial " << trial;
    }
    return count;
}

TEST(LocalContact, SolvesWhatPressingDoesNotLift) {
    const Count count = solve_many(0.6, 0);
    EXPECT_GT(count.open, 1000);
    EXPECT_GT(count.stick, 300);
    EXPECT_GT(count.slip, 1000);
    EXPECT_LT(count.refused, count.solved / 100);
}

TEST(LocalContact, TakesAMatrixThatIsNotSymmetric) {
    const Count count = solve_many(0.6, 0.05);
    EXPECT_LT(count.refused, count.solved / 100);
}

TEST(LocalContact, NeverGivesAWrongAnswerForHighFriction) {
    const Count count = solve_many(5, 0);
    EXPECT_GT(count.solved, 10000);
}

TEST(LocalContact, RefusesAFlatEllipseAndADeadBlock) {
    LocalContact local;
    SymBlock w;
    EXPECT_FALSE(local.set_up(w, {0.5, 0.5}));
    for (int i = 0; i < 3; ++i) w.m[i][i] = 1;
    EXPECT_FALSE(local.set_up(w, {0.5, 0}));
    EXPECT_TRUE(local.set_up(w, {0.5, 0.5}));
}

}  // namespace
}  // namespace asperity::solvers
