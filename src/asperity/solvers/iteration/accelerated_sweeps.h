// Sweeps of Gauss-Seidel made faster: the loop that `prox` runs, whatever form the matrix has.
//
// Every second sweep runs backwards, so that what the last block learns reaches the first one in the same pass. A forward
// and a backward sweep are one fixed-point map of the impulses, and its iterates are mixed by Anderson acceleration
// (anderson.h); a mixture that makes the error grow is thrown away.
//
// Inner forces: sweeps leave the force within a jam alone, but a mixture runs along it for free, and it grew to a thousand
// times the weight of what was jammed (wedge_test). So a mixture with far larger impulses must be worth them
// (inner_forces.h). In stacks and piles no mixture fails that.
//
// Where nothing rubs, every sweep lowers the merit, which is least at the solution, and a jump that raises it is thrown
// away, too. In position passes after a blow, cut short at 50 sweeps, mixtures had left bodies 56 mm in each other (soak
// seeds 61, 383, 600 and 837).
//
// Drift: where more points touch than are needed and their demands differ a little (a face that lands a hair askew), every
// sweep moves load from one point to another by the same small amount until one of them lets go. No mixture of iterates
// shows that end, so after a while without progress the loop leaps along the last change instead, twice as far each time,
// until the error says it was too far.
//
// Rejection (Algorithm 2 of the source, completed): the error is |change| / r, in m/s, which does not shrink with r by
// itself. When a plain pass makes it grow, the impulses go back to those before that pass and r shrinks by 0.7, ten times at
// most. Where the loop gives up, it returns the impulses of the pass that changed least, of those that were not undone.
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
    /// `Map` gives: impulse(), the vector that is iterated; sweep(shrink, forward), which returns the largest |change| / r;
    /// refresh(), called after the impulses were changed from outside; merit(), what they have added to the energy;
    /// weights(out), the energy of a unit change of each row; is_solved(error, sweeps), which may look at the error of the
    /// sweep first but believes only the full residual; kInvisible, an error below which two stretches without progress end
    /// the solve; improve(error, sweeps left, seconds left), which may better the impulses by other means, says for how many
    /// sweeps that counts and whether it helped, and is told by undone() where a sweep from there made the error grow;
    /// can_jam(), whether friction may hold forces that nothing else does and the next step starts from.
    /// The report has sweeps and rejections, and the status only where the loop itself decided it.
    template <class Map>
    SolveReport run(Map& map, const SolveOptions& options, std::vector<double>& history);

  private:
    static constexpr double kShrink = 0.7;
    static constexpr int kMaxRejections = 10;
    // an error this much above the last is divergence, not the usual waves of Gauss-Seidel
    static constexpr double kGrowth = 8;
    // of the acceleration: 20 saves a third of the sweeps and costs twice the memory
    static constexpr int kDepth = 10;
    static constexpr double kLeapGrowth = 2;  // the same for a leap
    static constexpr int kSettle = 6;         // plain passes before leaps
    static constexpr double kProgress = 0.9;  // an error below this part of the best one counts as progress
    static constexpr int kPatience = 60;      // sweeps without a better error before the acceleration starts afresh

    /// Of a mixture's impulses over the swept ones.
    double growth_by_mixing(const std::vector<double>& swept, const std::vector<double>& mixed) const {
        double was = 0, is = 0;
        for (size_t i = 0; i < swept.size(); ++i) {
            was += weight_[i] * swept[i] * swept[i];
            is += weight_[i] * mixed[i] * mixed[i];
        }
        return growth_of(was, is);
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
    plain_.reserve(impulse.size());  // now, not in the first step of a settled pile that needs them
    best_.reserve(impulse.size());
    double leap = 0;  // length of the next leap, in changes per pass
    // the larger of a pass's two sweeps: of the last pass, and of the one whose impulses are in best_
    double pass_error = inf, calmest = inf;
    // with the best that was seen: what a jump has spoilt may take many sweeps to mend
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

        // a jump that made things worse is undone; so is a plain pass, which then goes on with shorter steps
        const double merit = map.merit();
        // than no impulses at all; where nothing rubs, any rise is for the worse
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
            pass_error = inf;  // of impulses that are gone
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
            if (restarts > 1) leap_until = report.sweeps + kPatience;  // a fresh mixture did not help: it may be a drift
            settle = kSettle;
        }
        if (report.sweeps >= options.max_sweeps) break;  // what is returned has been swept, never merely jumped to

        plain_ = impulse;
        // a pass must follow
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
            if (settle > 0) {  // a few plain passes, after which only the drift is left in the change
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
        if (more > 0 && map.merit() > merit - kWorth * more) {
            impulse = plain_;
            map.refresh();
            anderson_.restart();
            jump = Jump::None;
        }
    }
    return give_up(report.status);
}

}  // namespace asperity::solvers
