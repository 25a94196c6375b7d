// Reduction of global problems: the completed solution satisfies the equations of the global problem, for every kind of M.
#include "asperity/fclib/reduce.h"

#include "asperity/core/error.h"
#include "problems.h"

namespace asperity::fclib {
namespace {

constexpr double kRounding = 1e-11;  // measured 2e-13 with entries of size 1 and up to 120 rows

std::vector<double> sum(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> out = a;
    for (size_t i = 0; i < out.size(); ++i) out[i] += b[i];
    return out;
}

/// For any r: M v = H r + G l + f, 0 = G^T v + b, and the reduced u = W r + q equals H^T v + w.
void expect_equivalent(const GlobalProblem& p, Random& random) {
    const Reduction reduction(p);
    const std::vector<double> r = random_vector(random, 3 * p.contact_count());
    const Solution s = reduction.complete(r);
    std::vector<double> push = sum(p.H.multiply(r), p.f);
    if (p.equation_count() > 0) push = sum(push, p.G.multiply(s.l));
    expect_same(p.M.multiply(s.v), push, kRounding);
    if (p.equation_count() > 0)
        expect_same(sum(p.G.multiply_transposed(s.v), p.b), std::vector<double>(p.b.size(), 0.0), kRounding);
    const LocalProblem& local = reduction.local();
    expect_same(sum(local.W.multiply(r), local.q), sum(p.H.multiply_transposed(s.v), p.w), kRounding);
    EXPECT_EQ(local.mu, p.mu);
}

TEST(Reduction, HoldsForRigidBodiesAndForOneLargeBody) {
    Random random(7);
    // more than 48 rows: sparse Cholesky
    for (const int island : {1, 6, 17, 60, 120}) expect_equivalent(random_global(random, 120, 5, 0, island), random);
}

TEST(Reduction, HoldsWithEquations) {
    Random random(8);
    for (const int island : {6, 60}) expect_equivalent(random_global(random, 60, 5, 7, island), random);
}

TEST(Reduction, TakesAMatrixOfOneTriangleAsItStands) {
    Random random(9);
    for (const int island : {6, 60}) {
        GlobalProblem p = random_global(random, 60, 5, 0, island);
        std::vector<Triplet> upper;
        for (const Triplet& e : triplets(p.M))
            if (e.column >= e.row) upper.push_back(e);
        p.M = make_sparse(60, 60, std::move(upper));
        expect_equivalent(p, random);
    }
}

TEST(Reduction, EquationsThatRepeatOthersChangeNothing) {
    Random random(10);
    GlobalProblem p = random_global(random, 30, 4, 5, 6);
    const LocalProblem before = Reduction(p).local();
    std::vector<Triplet> G = triplets(p.G);
    for (const Triplet& e : triplets(p.G))
        if (e.column == 2) G.push_back({e.row, 5, 3 * e.value});
    p.G = make_sparse(30, 6, std::move(G));
    p.b.push_back(3 * p.b[2]);
    const LocalProblem after = Reduction(p).local();
    expect_same(before.W, after.W, 1e-9);  // the decomposition drops pivots below 1e-11 of the largest
    expect_same(before.q, after.q, 1e-9);
    p.b.back() += 1;
    EXPECT_THROW(Reduction{p}, InputError);
}

TEST(Reduction, RefusesAMassThatIsNone) {
    Random random(11);
    for (const int island : {6, 60}) {
        GlobalProblem p = random_global(random, 60, 5, 0, island);
        std::vector<Triplet> M = triplets(p.M);
        for (Triplet& e : M)
            if (e.row == 13 || e.column == 13) e.value = 0;
        p.M = make_sparse(60, 60, M);
        EXPECT_THROW(Reduction{p}, InputError) << "a freedom without mass";
        M.push_back({13, 13, -1.0});
        p.M = make_sparse(60, 60, M);
        EXPECT_THROW(Reduction{p}, InputError) << "negative mass";
    }
}

TEST(GlobalError, IsZeroAtASolutionAndSeesEveryPart) {
    // one ball of 2 kg on the ground, with 1 m/s downwards after the free step; normal along z, w = 0
    GlobalProblem p;
    p.M = make_sparse(3, 3, {{0, 0, 2}, {1, 1, 2}, {2, 2, 2}});
    p.H = make_sparse(3, 3, {{2, 0, 1}, {0, 1, 1}, {1, 2, 1}});
    p.f = {0, 0, -2};
    p.w = {0, 0, 0};
    p.mu = {0.5};
    const Solution solution{{0, 0, 0}, {}, {}, {2, 0, 0}};
    EXPECT_EQ(global_error(p, solution), 0);
    // imbalance 0.2 of 2; F = 0.1 of 2
    EXPECT_NEAR(global_error(p, {{0, 0, 0.1}, {}, {}, {2, 0, 0}}), 0.1 + 0.05, 1e-12);
    // inside the cone: only the imbalance counts
    EXPECT_NEAR(global_error(p, {{0, 0, 0}, {}, {}, {2, 0.2, 0}}), 0.2 / std::sqrt(4.04), 1e-12);
    EXPECT_GT(global_error(p, {{0, 0, 0}, {}, {}, {2, 1.5, 0}}), 0.2);
}

}  // namespace
}  // namespace asperity::fclib
