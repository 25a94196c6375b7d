// Contact patches with every solver: towers of faces, discs, lines and balls that stick, slide, spin, tip and roll.
#include <gtest/gtest.h>

#include <map>

#include "asperity/solvers/problem/contact_problem.h"
#include "tests/support/patch_problems.h"

namespace asperity::solvers {
namespace {

using Region = PatchProblemOptions::Region;
using friction::SpinModel;

constexpr double kTolerance = 1e-11;  // [m/s]
constexpr double kAgreement = 1e-8;   // [m/s]; friction may amplify a residual a thousandfold
constexpr int kTrials = 12;

double distance(const ContactProblem& a, const ContactProblem& b) {
    double largest = 0;
    for (size_t i = 0; i < a.velocity.size(); ++i)
        largest = std::fmax(largest, length(a.velocity[i].linear - b.velocity[i].linear) +
                                         0.1 * length(a.velocity[i].angular - b.velocity[i].angular));
    return largest;
}

ContactProblem solved(const ContactProblem& problem, const std::string& name, double tolerance, SolveReport& report,
                      int facets = 16) {
    ContactProblem p = problem;  // copied unprepared: prepared blocks would point into the original
    p.prepare();
    std::vector<double> history;
    SolveOptions options{tolerance, 200000};
    options.facets = facets;
    report = make_solver(name)->solve(p, options, history);
    return p;
}

struct Tally {
    int solved = 0, stopped = 0, other = 0;
    double worst = 0;
};
/// `stopped` counts solves that reported no convergence. `other` counts converged solves with another velocity: friction may
/// have several solutions, and both satisfy the law.
void compare(const PatchProblemOptions& options, std::uint64_t seed, std::map<std::string, Tally>& tally) {
    Random random(seed);
    for (int trial = 0; trial < kTrials; ++trial) {
        const ContactProblem problem = patch_problem(random, options);
        SolveReport report;
        const ContactProblem reference = solved(problem, "prox", kTolerance, report);
        ASSERT_EQ(report.status, SolveStatus::Converged)
            << describe(options) << ", trial " << trial << ", residual " << report.residual;
        std::vector<std::string> names = exact_solver_names();
        names.push_back("pivot");
        // Only if the set and the region are both polyhedral.
        if (std::holds_alternative<friction::Rectangle>(options.planar)) names.push_back("lcp");
        for (const std::string& name : names) {
            if (name == "prox" || (name == "pgs" && !std::holds_alternative<friction::Rectangle>(options.planar))) continue;
            SolveReport other;
            const ContactProblem p = solved(problem, name, kTolerance, other);
            Tally& t = tally[name];
            if (other.status != SolveStatus::Converged) {
                ++t.stopped;
                continue;
            }
            ++t.solved;
            const double apart = distance(p, reference);
            // `pgs` and `lcp` use their own error measures.
            EXPECT_LT(natural_map_residual(p).value, 10 * kTolerance) << name;
            if (apart > kAgreement)
                ++t.other;
            else
                t.worst = std::fmax(t.worst, apart);
        }
    }
}

void report(const std::map<std::string, Tally>& tally) {
    for (const auto& [name, t] : tally) {
        std::printf("%-14s solved %3d, stopped %2d, elsewhere %2d, apart %.0e m/s\n", name.c_str(), t.solved, t.stopped,
                    t.other, t.worst);
        EXPECT_EQ(t.other, 0) << name;
        // Rounds of solves with held centres of pressure need not converge if a tall body tips as it slides
        // (held_centres.h): 4 of 144 by apgd, 3 by admm, none by pivot. The failing cases depend on the last digits; the
        // limit is twice the measured count.
        const bool in_rounds = name == "apgd" || name == "admm" || name == "pivot";
        EXPECT_LE(t.stopped, in_rounds ? 8 : 0) << name;
    }
}

TEST(PatchAgreement, OfAllRegionsSpinModelsAndSetsStandingAndTipping) {
    std::map<std::string, Tally> tally;
    for (const Region region : {Region::Rectangle, Region::Ellipse, Region::Line, Region::Ball})
        compare({.region = region}, 1, tally);
    for (const SpinModel spin : {SpinModel::FourCorner, SpinModel::Contensou})
        for (const Region region : {Region::Rectangle, Region::Ellipse})
            compare({.region = region, .spin = spin, .push = 0.2, .offset = 0.02}, 2, tally);
    compare({.planar = friction::Ellipse{0.2, 0.6}}, 3, tally);
    compare({.planar = friction::Rectangle{0.3, 0.2, 0.4, 0.5}}, 4, tally);
    compare({.bodies = 6, .push = 0, .offset = 0}, 5, tally);
    compare({.bodies = 4, .planar = friction::Rectangle{0.5, 0.5, 0.5, 0.5}, .push = 0.1, .height = 0.6}, 6, tally);
    report(tally);
}

// `lcp` replaces each ellipse by a polygon of N vertices. Friction is weaker by up to 1 - cos(pi/N) and acts at a vertex.
// The distance to the exact answer decreases with N.
TEST(PatchAgreement, OfLcpGrowsWithItsCorners) {
    double apart[3] = {};
    for (const Region region : {Region::Rectangle, Region::Ellipse, Region::Ball})
        for (int f = 0; f < 3; ++f) {
            Random random(7);
            for (int trial = 0; trial < 8; ++trial) {
                const ContactProblem problem =
                    patch_problem(random, {.bodies = 2, .region = region, .push = 0.2, .offset = 0.02});
                SolveReport exact, polyhedral;
                const ContactProblem a = solved(problem, "prox", kTolerance, exact),
                                     b = solved(problem, "lcp", 1e-9, polyhedral, 8 << f);
                EXPECT_EQ(polyhedral.status, SolveStatus::Converged)
                    << describe({.region = region}) << ", " << (8 << f) << " corners, residual " << polyhedral.residual;
                apart[f] = std::fmax(apart[f], distance(a, b));
            }
        }
    std::printf("lcp with 8, 16, 32 corners: %.1e, %.1e, %.1e m/s\n", apart[0], apart[1], apart[2]);
    EXPECT_LT(apart[2], 0.5 * apart[0]);  // vertices four times closer to each other
}

}  // namespace
}  // namespace asperity::solvers
