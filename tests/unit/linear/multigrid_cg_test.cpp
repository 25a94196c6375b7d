// Conjugate gradients with multigrid and with diagonal blocks: convergence, statuses, threads.
#include "asperity/linear/multigrid_cg.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "asperity/core/threads.h"
#include "asperity/linear/aggregation.h"
#include "asperity/linear/sparse_cholesky.h"
#include "tests/support/elastic_cube.h"
#include "tests/unit/linear/random_matrix.h"

namespace asperity::linear {
namespace {

template <int Dim>
struct Problem {
    testing_support::ElasticMesh<Dim> mesh;
    BlockPattern pattern;
    std::vector<double> values, rhs;

    Problem(int cells, double inertia) : mesh(testing_support::elastic_mesh<Dim>(cells)) {
        pattern = testing_support::elastic_pattern(mesh);
        values = testing_support::elastic_values(mesh, pattern, 1.43e6, 3.57e5, inertia);
        Random random(1);
        rhs = random_vector(mesh.positions.size() * Dim, random);
    }
    /// |b - A x| / |b|
    double residual(const std::vector<double>& x) const {
        const std::vector<double> ax = testing_support::product<Dim>(pattern, values, x);
        double r = 0, b = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            r += (rhs[i] - ax[i]) * (rhs[i] - ax[i]);
            b += rhs[i] * rhs[i];
        }
        return std::sqrt(r / b);
    }
    /// Holds the nodes at the lower end of the first axis, as prescribed motion does: rows and columns of the identity.
    void clamp() {
        for (std::size_t i = 0; i < mesh.positions.size(); ++i)
            for (int k = pattern.start[i]; k < pattern.start[i + 1]; ++k) {
                const auto j = static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)]);
                if (mesh.positions[i][0] > 0 && mesh.positions[j][0] > 0) continue;
                double* block = &values[static_cast<std::size_t>(k) * Dim * Dim];
                for (int e = 0; e < Dim * Dim; ++e) block[e] = i == j && e % (Dim + 1) == 0 ? 1 : 0;
            }
    }
};

template <int Dim>
CgReport solve(const Problem<Dim>& p, Preconditioner preconditioner, std::vector<double>& x, double tolerance = 1e-8) {
    MultigridCg<Dim> cg;
    cg.prepare(p.pattern, p.values, p.mesh.positions, preconditioner);
    x.assign(p.rhs.size(), 0.0);
    return cg.solve(p.rhs, x, tolerance, 1000);
}

TEST(MultigridCg, ACubeOf20000TetrahedraTakesFewerThan40Iterations) {
    for (const double inertia : {1e5, 1e7}) {
        const Problem<3> p(15, inertia);
        std::vector<double> x;
        const CgReport report = solve(p, Preconditioner::Multigrid, x);
        EXPECT_EQ(report.status, CgStatus::Done);
        EXPECT_LT(report.iterations, 20);  // measured 13
        EXPECT_LE(report.residual, 1e-8);
        EXPECT_LE(p.residual(x), 1.01e-8) << "the reported residual is not the true one";
    }
}

TEST(MultigridCg, IterationsHardlyGrowWithTheMesh) {
    std::vector<double> x;
    for (const int cells : {4, 8, 16}) {
        const CgReport report = solve(Problem<3>(cells, 1e5), Preconditioner::Multigrid, x);
        EXPECT_EQ(report.status, CgStatus::Done);
        EXPECT_LT(report.iterations, 20) << cells << " cells";
    }
    for (const int cells : {10, 40, 80, 160}) {  // the last has a level between the finest and the one that is factored
        const CgReport report = solve(Problem<2>(cells, 1e5), Preconditioner::Multigrid, x);
        EXPECT_EQ(report.status, CgStatus::Done);
        EXPECT_LT(report.iterations, 25) << cells << " cells in the plane";
    }
}

TEST(MultigridCg, AClampedBodyWithoutInertia) {
    std::vector<double> x;
    Problem<3> space(10, 0);
    space.clamp();
    CgReport report = solve(space, Preconditioner::Multigrid, x);
    EXPECT_EQ(report.status, CgStatus::Done);
    EXPECT_LT(report.iterations, 40);
    EXPECT_LE(space.residual(x), 1.01e-8);
    Problem<2> plane(60, 0);
    plane.clamp();
    report = solve(plane, Preconditioner::Multigrid, x);
    EXPECT_EQ(report.status, CgStatus::Done);
    EXPECT_LT(report.iterations, 40);
    EXPECT_LE(plane.residual(x), 1.01e-8);
}

TEST(MultigridCg, BothPreconditionersAgreeWithTheFactorisation) {
    const Problem<3> p(8, 1e6);
    SparseCholesky<3> cholesky;
    cholesky.analyse(p.pattern);
    ASSERT_EQ(cholesky.factor(p.values), CholeskyStatus::Done);
    std::vector<double> expected = p.rhs, x;
    cholesky.solve(expected);
    double largest = 0;
    for (const double v : expected) largest = std::max(largest, std::abs(v));
    for (const Preconditioner preconditioner : {Preconditioner::Multigrid, Preconditioner::DiagonalBlocks}) {
        EXPECT_EQ(solve(p, preconditioner, x, 1e-11).status, CgStatus::Done);
        EXPECT_LT(largest_difference(x, expected), 1e-9 * largest);  // the condition is about 1e3
    }
}

TEST(MultigridCg, InertiaDecidesThePreconditioner) {
    for (const int cells : {6, 15}) {
        MultigridCg<3> cg;
        const Problem<3> heavy(cells, 1e9), light(cells, 1e3);
        cg.prepare(heavy.pattern, heavy.values, heavy.mesh.positions);
        EXPECT_EQ(cg.preconditioner(), Preconditioner::DiagonalBlocks) << cells << " cells, condition " << cg.condition();
        EXPECT_LT(cg.condition(), 10);
        cg.prepare(light.pattern, light.values, light.mesh.positions);
        EXPECT_EQ(cg.preconditioner(), Preconditioner::Multigrid) << cells << " cells, condition " << cg.condition();
    }
}

TEST(MultigridCg, UnitsOfTheMatrixDoNotMatter) {
    for (const double scale : {1e-6, 1e-3, 1e3, 1e6}) {
        Problem<3> p(6, 1e4);
        std::vector<double> x;
        const int expected = solve(p, Preconditioner::Multigrid, x).iterations;
        for (double& v : p.values) v *= scale;
        for (double& v : p.rhs) v /= scale;
        for (Vector<3>& position : p.mesh.positions) position = scale * position + Vector<3>(5, -7, 3);
        const CgReport report = solve(p, Preconditioner::Multigrid, x);
        EXPECT_EQ(report.status, CgStatus::Done);
        EXPECT_NEAR(report.iterations, expected, 1) << "scale " << scale;
    }
}

TEST(MultigridCg, StiffContactsAndSeparateBodiesConverge) {
    // two cubes, and springs between facing nodes that are a thousand times as stiff as the material
    const Problem<3> one(7, 1e4);
    const int n = one.pattern.size();
    std::vector<int> start{0}, nodes;
    for (int body = 0; body < 2; ++body)
        for (const auto& element : one.mesh.elements) {
            for (const int node : element) nodes.push_back(node + body * n);
            start.push_back(static_cast<int>(nodes.size()));
        }
    std::vector<std::pair<int, int>> contacts;
    for (int i = 0; i < n; ++i)
        if (one.mesh.positions[static_cast<std::size_t>(i)][0] == 1) contacts.push_back({n + i - 7, i});
    for (const auto& [a, b] : contacts) {
        nodes.insert(nodes.end(), {a, b});
        start.push_back(static_cast<int>(nodes.size()));
    }
    Problem<3> both(7, 1e4);
    both.pattern = pattern_of_cliques(2 * n, start, nodes);
    both.values.assign(both.pattern.column.size() * 9, 0.0);
    both.mesh.positions.resize(static_cast<std::size_t>(2 * n));
    for (int i = 0; i < n; ++i) {
        both.mesh.positions[static_cast<std::size_t>(n + i)] =
            both.mesh.positions[static_cast<std::size_t>(i)] + Vector<3>(1.001, 0, 0);
        for (int k = one.pattern.start[static_cast<std::size_t>(i)]; k < one.pattern.start[static_cast<std::size_t>(i) + 1];
             ++k)
            for (int body = 0; body < 2; ++body) {
                const int at = entry(both.pattern, i + body * n, one.pattern.column[static_cast<std::size_t>(k)] + body * n);
                std::copy_n(one.values.begin() + k * 9, 9, both.values.begin() + at * 9);
            }
    }
    for (const auto& [a, b] : contacts) {
        const double stiff = 1e9 / 7;
        both.values[static_cast<std::size_t>(entry(both.pattern, a, b)) * 9] -= stiff;
        for (const int i : {a, b}) both.values[static_cast<std::size_t>(entry(both.pattern, i, i)) * 9] += stiff;
    }
    Random random(2);
    both.rhs = random_vector(static_cast<std::size_t>(2 * n) * 3, random);
    std::vector<double> x;
    const CgReport report = solve(both, Preconditioner::Multigrid, x);
    EXPECT_EQ(report.status, CgStatus::Done);
    EXPECT_LT(report.iterations, 60);
    EXPECT_LE(both.residual(x), 1.01e-8);
}

TEST(MultigridCg, TheSameBitsOnAnyNumberOfThreads) {
    const Problem<3> p(12, 1e5);
    for (const Preconditioner preconditioner : {Preconditioner::Multigrid, Preconditioner::DiagonalBlocks}) {
        std::vector<double> expected, x;
        for (const int threads : {1, 2, 4}) {
            set_thread_count(threads);
            static_cast<void>(solve(p, preconditioner, x));
            if (expected.empty()) expected = x;
            EXPECT_EQ(x, expected) << threads << " threads";
        }
    }
    set_thread_count(1);
}

TEST(MultigridCg, MatricesThatAreNotPositiveAreReported) {
    std::vector<double> x;
    for (const Preconditioner preconditioner : {Preconditioner::Multigrid, Preconditioner::DiagonalBlocks}) {
        Problem<3> p(6, 1e4);
        const std::vector<double> sound = p.values;
        p.values[static_cast<std::size_t>(p.pattern.start[101] - 1) * 9] *= -1;  // a diagonal value
        EXPECT_EQ(solve(p, preconditioner, x).status, CgStatus::NotPositive);
        p.values = sound;
        for (double& v : p.values) v = -v;
        EXPECT_EQ(solve(p, preconditioner, x).status, CgStatus::NotPositive);
        // positive diagonal blocks, but less than nothing as a whole: the mass of all nodes is negative
        p.values = testing_support::elastic_values(p.mesh, p.pattern, 1.43e6, 3.57e5, -1e5);
        EXPECT_EQ(solve(p, preconditioner, x).status, CgStatus::NotPositive);
    }
    EXPECT_EQ(solve(Problem<3>(6, 0), Preconditioner::Multigrid, x).status, CgStatus::NotPositive)
        << "a free body is singular";
}

TEST(MultigridCg, ValuesThatAreNotFiniteAreReported) {
    std::vector<double> x;
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        Problem<3> p(4, 1e4);
        p.values[1234] = bad;
        EXPECT_EQ(solve(p, Preconditioner::Multigrid, x).status, CgStatus::NotFinite);
        Problem<3> q(4, 1e4);
        q.rhs[77] = bad;
        EXPECT_EQ(solve(q, Preconditioner::Multigrid, x).status, CgStatus::NotFinite);
    }
}

TEST(MultigridCg, TheLimitOfIterationsIsKept) {
    const Problem<3> p(8, 1e4);
    MultigridCg<3> cg;
    cg.prepare(p.pattern, p.values, p.mesh.positions);
    std::vector<double> x(p.rhs.size(), 0.0);
    CgReport report = cg.solve(p.rhs, x, 1e-8, 3);
    EXPECT_EQ(report.status, CgStatus::Limit);
    EXPECT_EQ(report.iterations, 3);
    EXPECT_NEAR(report.residual, p.residual(x), 1e-9);
    // what rounding does not allow ends at the limit too, and soon
    report = cg.solve(p.rhs, x, 1e-30, 1000);
    EXPECT_EQ(report.status, CgStatus::Limit);
    EXPECT_LT(report.residual, 1e-11);
    EXPECT_LT(report.iterations, 200);
}

TEST(MultigridCg, NoRightHandSideGivesZeroAndASolutionAsStartNothingToDo) {
    Problem<3> p(5, 1e4);
    MultigridCg<3> cg;
    cg.prepare(p.pattern, p.values, p.mesh.positions);
    std::vector<double> x(p.rhs.size(), 3.0);
    EXPECT_EQ(cg.solve(std::vector<double>(x.size(), 0.0), x, 1e-8, 10).status, CgStatus::Done);
    EXPECT_EQ(x, std::vector<double>(x.size(), 0.0));
    static_cast<void>(cg.solve(p.rhs, x, 1e-8, 100));
    EXPECT_EQ(cg.solve(p.rhs, x, 1e-7, 100).iterations, 0);
}

TEST(MultigridCg, SmallAndUncoupledSystems) {
    std::vector<double> x;
    Random random(3);
    for (const Preconditioner preconditioner : {Preconditioner::Multigrid, Preconditioner::DiagonalBlocks}) {
        for (const int size : {1, 2, 3, 20}) {
            Problem<3> p(1, 1);
            p.pattern = pattern_of_edges(size, {});
            p.values = dominant_values<3>(p.pattern, random);
            p.mesh.positions.assign(static_cast<std::size_t>(size), Vector<3>::Zero());  // all at one place
            p.rhs = random_vector(static_cast<std::size_t>(size) * 3, random);
            EXPECT_EQ(solve(p, preconditioner, x).status, CgStatus::Done) << size << " nodes";
            EXPECT_LE(p.residual(x), 1.01e-8);
        }
        Problem<2> none(1, 1);
        none.pattern = pattern_of_cliques(0, {0}, {});
        none.values.clear();
        none.mesh.positions.clear();
        none.rhs.clear();
        EXPECT_EQ(solve(none, preconditioner, x).status, CgStatus::Done);
    }
}

TEST(Aggregation, TheCoarseMatrixIsTheProductOfThree) {
    const Problem<3> p(4, 1e5);
    BlockLevel<3> level;
    ASSERT_TRUE(level.set_matrix(p.pattern, p.values));
    level.estimate_spectrum();
    std::vector<double> norm(level.graph().neighbour.size(), 1.0), diagonal(p.mesh.positions.size(), 1.0);
    Aggregates aggregates;
    aggregate(level.graph(), norm, diagonal, 0.1, aggregates);
    std::vector<double> modes(p.mesh.positions.size() * 18), coarse_modes, values;
    Random random(4);
    for (double& m : modes) m = random.uniform(-1, 1);
    Prolongation<3, 6> prolongation;
    make_prolongation<3, 6>(level, aggregates, modes, prolongation, coarse_modes);
    BlockPattern pattern;
    coarse_matrix<3, 6>(level, prolongation, pattern, values);
    ASSERT_EQ(pattern.size(), aggregates.count);
    const Eigen::Index fine = static_cast<Eigen::Index>(p.rhs.size()), coarse = aggregates.count * 6;
    Eigen::MatrixXd dense_p(fine, coarse);
    for (Eigen::Index j = 0; j < coarse; ++j) {
        std::vector<double> unit(static_cast<std::size_t>(coarse), 0.0), column(p.rhs.size(), 0.0);
        unit[static_cast<std::size_t>(j)] = 1;
        prolongation.add(unit.data(), column.data());
        dense_p.col(j) = Eigen::Map<const Eigen::VectorXd>(column.data(), fine);
    }
    const Eigen::MatrixXd expected = dense_p.transpose() * dense<3>(p.pattern, p.values) * dense_p;
    const Eigen::MatrixXd found = dense<6>(pattern, values);
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff());
    // restriction is the transpose
    std::vector<double> restricted(static_cast<std::size_t>(coarse));
    prolongation.restrict_to(p.rhs.data(), restricted.data());
    const Eigen::VectorXd by_hand = dense_p.transpose() * Eigen::Map<const Eigen::VectorXd>(p.rhs.data(), fine);
    EXPECT_LT((Eigen::Map<const Eigen::VectorXd>(restricted.data(), coarse) - by_hand).norm(), 1e-13 * by_hand.norm() * 10);
}

}  // namespace
}  // namespace asperity::linear
