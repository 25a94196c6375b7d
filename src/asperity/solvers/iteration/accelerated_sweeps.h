// Accelerated Gauss-Seidel sweeps: the loop of `prox`, for either form of the matrix.
//
// Every second sweep runs backwards, so that information from the last block reaches the first one in the same pass. A
// forward and a backward sweep (a pass) are one fixed-point map of the impulses. Its iterates are mixed by Anderson
// acceleration (anderson.h). A mixture that makes the error grow is undone.
//
// Internal forces: sweeps do not change the force that jammed bodies exert on each other, but a mixture can increase it
// without any cost to the error (in wedge_test to a thousand times the weight). So a mixture with far larger impulses must
// lower the merit enough (inner_forces.h). In stacks and piles every mixture passes this test.
//
// Merit: without friction every sweep lowers the merit, and the solution minimises it. A jump that raises it is undone.
// Otherwise position passes after an impact, cut short at 50 sweeps, leave bodies tens of millimetres inside each other.
// With friction a jump is undone only if the merit has risen and is positive.
//
// Drift: redundant contacts whose biases differ a little (a face that lands at a small angle) make every sweep move load
// from one point to another by the same small amount, until one point separates. No mixture of iterates predicts that end.
// So after some sweeps without progress the loop leaps along the last change, twice as far each time, until the error grows.
//
// Rejection (Algorithm 2 of the source, completed): the error is |change| / r, in m/s, which does not shrink with r by
// itself. If a plain pass makes it grow, the impulses from before that pass are restored and r shrinks by 0.7, at most ten
// times. When the loop gives up, it returns the impulses of the pass with the smallest change among those that were not
// undone.
//
// Source: Erleben, Macklin, Andrews, Kry, "The Matchstick Model for Anisotropic Friction Cones", CGF 2020, Section 4.2.
#pragma once
#include <cmath>
#include <limits>
#include <vector>

#include "asperity/core/deadline.h"
#include "asperity/solvers/iteration/anderson.h"
#include "asperity/solvers/iteration/inner_forces.h"
#include "asperity/solvers/problem/solver.h"

namespace asperity::solvers {

class AcceleratedSweeps {
  public:
    /// Members required of `Map`:
    ///     impulse()                    the vector that is iterated
    ///     sweep(shrink, forward)       one sweep; returns the largest |change| / r [m/s]
    ///     refresh()                    called after the loop has changed the impulses
    ///     merit()                      energy added by the impulses, ContactProblem::merit()
    ///     weights(out)                 energy of a unit change of each row
    ///     is_solved(error, sweeps)     may skip the test if the sweep's error is large; decides by the full residual
    ///     kInvisible                   error [m/s] below which two periods without progress end the solve
    ///     improve(error, sweeps left, seconds left)   may improve the impulses by another method; returns the number of
    ///                                  iterations to count as sweeps and whether it helped
    ///     undone()                     called if a sweep after improve() made the error grow, and improve() was undone
    ///     can_jam()                    whether friction may hold internal forces that the next step would start from
    /// The report has sweeps and rejections. Its status is set only if the loop itself ended the solve.
    template <class Map>
    SolveReport run(Map& map, const SolveOptions& options, std::vector<double>& history);

  private:
    static constexpr double kShrink = 0.7;
    static constexpr int kMaxRejections = 10;
    // growth of the error over the last pass that counts as divergence; smaller growth is normal in Gauss-Seidel
    static constexpr double kGrowth = 8;
    // number of iterates in the Anderson mixture; 20 saves a third of the sweeps at twice the memory
    static constexpr int kDepth = 10;
    static constexpr double kLeapGrowth = 2;  // kGrowth after a leap
    static constexpr int kSettle = 6;         // plain passes before the first leap
    static constexpr double kProgress = 0.9;  // an error below this fraction of the best one counts as progress
    static constexpr int kPatience = 60;      // sweeps without progress before the acceleration restarts

    /// Energy that a mixture's impulses carry beyond the swept ones, by added_energy().
    double growth_by_mixing(const std::vector<double>& swept, const std::vector<double>& mixed) const {
        double was = 0, is = 0;
        for (size_t i = 0; i < swept.size(); ++i) {
            was += weight_[i] * swept[i] * swept[i];
            is += weight_[i] * mixed[i] * mixed[i];
        }
        return added_energy(was, is);
    }

    Anderson anderson_;
    std::vector<double> before_, plain_, best_, weight_;
};

template <class Map>
SolveReport AcceleratedSweeps::run(Map& map, const SolveOptions& options, std::vector<double>& history) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    const Deadline deadline(options.time_limit);
    std::vector<double>& impulse = map.impulse();
    SolveReport report;
    double shrink = 1, last_error = inf, best_error = inf, last_merit = inf;
    int best_sweep = 0, restarts = 0, leap_until = 0, settle = 0;
    bool weighed = false;
    plain_.reserve(impulse.size());  // here, so that a settled pile does not allocate when it first needs them
    best_.reserve(impulse.size());
    double leap = 0;  // length of the next leap in units of the last pass's change
    // largest error of the two sweeps of a pass: of the last pass, and of the pass whose impulses are in best_
    double pass_error = inf, calmest = inf;
    // returns the best impulses: the damage done by a jump may take many sweeps to repair
    const auto give_up = [&](SolveStatus why) {
        report.status = why;
        if (calmest < pass_error) {
            impulse = best_;
            map.refresh();
        }
        return report;
    };
    enum class Jump { None, Mixed, Leap, Improved } jump = Jump::None;
    while (report.sweeps < options.max_sweeps) {
        before_ = impulse;
        double error = 0;
        pass_error = 0;
        for (const bool forward : {true, false}) {
            if (report.sweeps == options.max_sweeps) break;
            error = map.sweep(shrink, forward);
            pass_error = std::fmax(pass_error, error);
            ++report.sweeps;
            history.push_back(error);
        }
        if (!std::isfinite(error) || map.is_solved(error, report.sweeps)) return report;
        if (deadline.passed()) return give_up(SolveStatus::TimeLimit);

        // A jump that made the error grow is undone. A plain pass is undone too, and repeated with a smaller step length.
        const double merit = map.merit();
        // merit > 0 is worse than no impulses at all; without friction any rise of the merit is a loss
        const bool worse = merit > 0 || !map.can_jam();
        const bool gained = jump != Jump::None && worse && merit > last_merit;
        const double growth = jump == Jump::Leap ? kLeapGrowth : jump == Jump::Improved ? 1 : kGrowth;
        if ((gained || error > growth * last_error) && (jump != Jump::None || report.rejections < kMaxRejections)) {
            impulse = plain_;
            map.refresh();
            if (jump == Jump::Mixed) anderson_.restart();
            if (jump == Jump::Leap) settle = kSettle;
            if (jump == Jump::Improved) map.undone();
            if (jump == Jump::None) {
                shrink *= kShrink;
                ++report.rejections;
            }
            jump = Jump::None;
            pass_error = inf;  // its impulses were discarded
            continue;
        }
        if (pass_error < calmest) {
            calmest = pass_error;
            best_ = impulse;
        }
        last_error = error;
        last_merit = merit;
        if (error < kProgress * best_error) {
            best_error = error;
            best_sweep = report.sweeps;
            restarts = 0;
        } else if (report.sweeps - best_sweep > kPatience) {
            if (++restarts > 1 && best_error < Map::kInvisible) return give_up(SolveStatus::Stalled);
            best_sweep = report.sweeps;
            anderson_.restart();
            if (restarts > 1) leap_until = report.sweeps + kPatience;  // the restart did not help: assume a drift
            settle = kSettle;
        }
        if (report.sweeps >= options.max_sweeps) break;  // the result must come from a sweep, never directly from a jump

        plain_ = impulse;
        // two sweeps are kept back for the pass that must follow
        const auto turn = map.improve(error, options.max_sweeps - report.sweeps - 2, deadline.left());
        report.sweeps += turn.iterations;
        history.insert(history.end(), static_cast<size_t>(turn.iterations), error);
        if (turn.helped) {
            if (map.is_solved(0, report.sweeps)) return report;
            anderson_.restart();
            jump = Jump::Improved;
            continue;
        }
        if (report.sweeps < leap_until) {
            anderson_.restart();
            jump = Jump::None;
            if (settle > 0) {  // plain passes, until only the drift is left in the change
                --settle;
                leap = 1;
                continue;
            }
            for (size_t i = 0; i < plain_.size(); ++i) impulse[i] += leap * (plain_[i] - before_[i]);
            leap *= 2;
            jump = Jump::Leap;
        } else {
            if (!weighed) {
                weighed = true;
                map.weights(weight_);
                anderson_.start(weight_, kDepth);
            }
            anderson_.extrapolate(before_, impulse);
            jump = Jump::Mixed;
        }
        map.refresh();
        const double more = jump == Jump::Mixed && map.can_jam() ? growth_by_mixing(plain_, impulse) : 0;
        if (more > 0 && map.merit() > merit - kMinMeritGain * more) {
            impulse = plain_;
            map.refresh();
            anderson_.restart();
            jump = Jump::None;
        }
    }
    return give_up(report.status);
}

}  // namespace asperity::solvers
