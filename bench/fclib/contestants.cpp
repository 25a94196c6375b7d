#include "contestants.h"

#include <ctime>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "asperity/fclib/assembled.h"
#include "asperity/fclib/reduce.h"

namespace asperity::bench {
namespace {

constexpr int kMaxIterations = 1'000'000'000;  // no limit: the time limit decides

Outcome solve_local(const std::string& name, const Problem& problem, double tolerance, double time_limit) {
    solvers::AssembledProblem assembled = fclib::to_assembled(problem.local);
    Outcome out;
    const Stopwatch watch;
    const auto solver = solvers::make_assembled_solver(name);
    std::vector<double> history;
    out.iterations =
        solver->solve(assembled, {tolerance, kMaxIterations, time_limit, solvers::Measure::Siconos}, history).sweeps;
    out.seconds = watch.seconds();
    out.r = assembled.impulse;
    return out;
}

Outcome solve_global(const std::string& name, const Problem& problem, double tolerance, double time_limit) {
    const auto& global = std::get<fclib::GlobalProblem>(problem.file.problem);
    Outcome out;
    const Stopwatch watch;
    const fclib::Reduction reduction(global);
    solvers::AssembledProblem assembled = fclib::to_assembled(reduction.local());
    const auto solver = solvers::make_assembled_solver(name);
    std::vector<double> history;
    double inner = tolerance;
    // the global error has a smaller denominator: repeat until it meets the tolerance too
    for (int round = 0; round < 20; ++round) {
        const solvers::SolveReport report =
            solver->solve(assembled, {inner, kMaxIterations, time_limit, solvers::Measure::Siconos}, history);
        out.iterations += report.sweeps;
        fclib::Solution solution = reduction.complete(assembled.impulse);
        const double error = fclib::global_error(global, solution);
        out.r = std::move(solution.r);
        out.v = std::move(solution.v);
        if (error <= tolerance || report.status != solvers::SolveStatus::Converged) break;
        inner *= std::min(0.5, 0.5 * tolerance / error);
    }
    out.seconds = watch.seconds();
    return out;
}

}  // namespace

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double Stopwatch::wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<Contestant> our_contestants() {
    std::vector<Contestant> all;
    for (const std::string& name : solvers::assembled_solver_names())
        for (const bool global : {false, true})
            all.push_back({name, true, global, [=](const Problem& problem, double tolerance, double time_limit) {
                               return global ? solve_global(name, problem, tolerance, time_limit)
                                             : solve_local(name, problem, tolerance, time_limit);
                           }});
    return all;
}

double error_of(const Problem& problem, const Outcome& outcome) {
    for (const std::vector<double>* values : {&outcome.r, &outcome.v})
        for (const double x : *values)
            if (!std::isfinite(x)) return std::numeric_limits<double>::infinity();
    if (problem.is_global())
        return fclib::global_error(std::get<fclib::GlobalProblem>(problem.file.problem), {outcome.v, {}, {}, outcome.r});
    solvers::AssembledProblem assembled = fclib::to_assembled(problem.local);
    assembled.impulse = outcome.r;
    assembled.refresh_velocities();
    return solvers::siconos_error(assembled).value;
}

}  // namespace asperity::bench
