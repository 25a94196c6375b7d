// asperity solve FILE...: solves problem files with one or several solvers; prints a line or a JSON object for each solve.
#include <ctime>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "asperity/commands.h"
#include "asperity/core/deadline.h"
#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/fclib/assembled.h"
#include "asperity/fclib/reduce.h"
#include "asperity/record/plot.h"

namespace asperity::app {
namespace {

double cpu_s() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// A problem in the form that solvers take. A global problem keeps the reduction, to recover its velocities.
struct Loaded {
    std::string file;
    fclib::ProblemFile content;
    std::unique_ptr<fclib::Reduction> reduction;
    double reduce_s = 0;  // time to assemble W from the file's form [s]
    solvers::AssembledProblem problem;
};

std::unique_ptr<Loaded> load(const std::string& path) {
    auto out = std::make_unique<Loaded>();
    out->file = path;
    out->content = fclib::read_problem(path);
    const Deadline clock(0);
    try {
        if (const auto* global = std::get_if<fclib::GlobalProblem>(&out->content.problem)) {
            out->reduction = std::make_unique<fclib::Reduction>(*global);
            out->problem = fclib::to_assembled(out->reduction->local());
        } else {
            out->problem =
                fclib::to_assembled(fclib::without_equations(std::get<fclib::LocalProblem>(out->content.problem)));
        }
    } catch (const InputError& error) { throw InputError(fmt::format("{}: {}", path, error.what())); }
    out->reduce_s = clock.elapsed();
    return out;
}

struct Solved {
    solvers::SolveReport report;
    double time_s = 0, cpu_s = 0, error_siconos = 0, residual = 0, error_global = 0;
    std::vector<double> history;
};

// smallest factor on the requested tolerance, used while the error of a global problem is above it
constexpr double kSmallestToleranceFactor = 1e-4;

void measure(Solved& out, Loaded& loaded) {
    solvers::AssembledProblem& problem = loaded.problem;
    problem.refresh_velocities();
    out.error_siconos = solvers::siconos_error(problem).value;
    out.residual = solvers::natural_map_residual(problem).value;
    if (loaded.reduction)
        out.error_global = fclib::global_error(std::get<fclib::GlobalProblem>(loaded.content.problem),
                                               loaded.reduction->complete(problem.impulse));
}

Solved solve(Loaded& loaded, const std::string& name, const SolveArgs& args) {
    solvers::AssembledProblem& problem = loaded.problem;
    std::fill(problem.impulse.begin(), problem.impulse.end(), 0.0);
    if (args.warm_start && !loaded.content.guesses.empty() && !loaded.content.guesses.front().r.empty())
        problem.impulse = loaded.content.guesses.front().r;
    problem.refresh_velocities();
    const std::unique_ptr<solvers::AssembledSolver> solver = solvers::make_assembled_solver(name);
    const bool natural = args.measure == "natural";
    solvers::SolveOptions options{args.tolerance, args.max_iterations, args.time_limit,
                                  natural ? solvers::Measure::NaturalMap : solvers::Measure::Siconos};
    Solved out;
    const Deadline clock(args.time_limit);
    const double cpu = cpu_s();
    out.report = solver->solve(problem, options, out.history);
    out.cpu_s = cpu_s() - cpu;
    out.time_s = clock.elapsed();
    measure(out, loaded);
    // The global error is relative to a smaller quantity than the local one: tighten until it meets the tolerance too.
    while (loaded.reduction && !natural && out.report.status == solvers::SolveStatus::Converged &&
           out.error_global > args.tolerance && options.tolerance > kSmallestToleranceFactor * args.tolerance) {
        options.tolerance *= std::min(0.5, 0.5 * args.tolerance / out.error_global);
        options.time_limit = std::max(0.0, clock.left());
        options.max_sweeps = std::max(1, args.max_iterations - out.report.sweeps);
        std::vector<double> history;
        const int sweeps = out.report.sweeps;
        out.report = solver->solve(problem, options, history);
        out.report.sweeps += sweeps;
        out.history.insert(out.history.end(), history.begin(), history.end());
        out.cpu_s = cpu_s() - cpu;
        out.time_s = clock.elapsed();
        measure(out, loaded);
    }
    if (loaded.reduction && !natural && out.report.status == solvers::SolveStatus::Converged &&
        out.error_global > args.tolerance)
        out.report.status = solvers::SolveStatus::Stalled;  // the local problem is solved to the tightest tolerance
    return out;
}

void print_json(const Loaded& loaded, const std::string& solver, const Solved& s, const SolveArgs& args) {
    nlohmann::ordered_json out{{"file", loaded.file},
                               {"status", solvers::name(s.report.status)},
                               {"solver", solver},
                               {"contacts", loaded.content.contact_count()},
                               {"iterations", s.report.sweeps},
                               {"time_s", s.time_s},
                               {"cpu_s", s.cpu_s},
                               {"error_siconos", s.error_siconos},
                               {"residual", s.residual},
                               {"measure", args.measure},
                               {"tolerance", args.tolerance}};
    if (loaded.reduction) {
        out["error_global"] = s.error_global;
        out["reduce_s"] = loaded.reduce_s;
    }
    fmt::print("{}\n", out.dump());
}

void print_line(const Loaded& loaded, const std::string& solver, const Solved& s) {
    fmt::print("{}: {} after {} iterations of {} in {:.4g} s; {} contacts, error {:.2e} (Siconos), residual {:.2e} m/s",
               loaded.file, solvers::name(s.report.status), s.report.sweeps, solver, s.time_s,
               loaded.content.contact_count(), s.error_siconos, s.residual);
    if (loaded.reduction)
        fmt::print(", error {:.2e} (global); reduced to local in {:.4g} s", s.error_global, loaded.reduce_s);
    fmt::print("\n");
}

void check(const SolveArgs& args) {
    if (!(args.tolerance > 0)) throw InputError(fmt::format("--tol {}: must be positive", args.tolerance));
    if (!(args.time_limit > 0)) throw InputError(fmt::format("--time-limit {}: must be positive", args.time_limit));
    if (args.measure != "siconos" && args.measure != "natural")
        throw InputError(fmt::format("--measure {}: must be siconos or natural", args.measure));
    // Report a wrong name before reading any file.
    for (const std::string& name : args.solvers) solvers::make_assembled_solver(name);
}

}  // namespace

int solve_command(const SolveArgs& args) {
    check(args);
    record::PlotSpec plot{"Convergence", "iteration", args.measure == "natural" ? "residual [m/s]" : "residual", {}, true};
    bool converged = true, finite = true;
    for (const std::string& file : args.files) {
        const std::unique_ptr<Loaded> loaded = load(file);
        for (const std::string& name : args.solvers) {
            const Solved solved = solve(*loaded, name, args);
            if (args.json)
                print_json(*loaded, name, solved, args);
            else
                print_line(*loaded, name, solved);
            std::fflush(stdout);
            converged = converged && solved.report.status == solvers::SolveStatus::Converged;
            finite = finite && solved.report.status != solvers::SolveStatus::NotFinite;
            if (args.plot.empty()) continue;
            const std::string label =
                args.files.size() > 1 ? fmt::format("{}, {}", std::filesystem::path(file).stem().string(), name) : name;
            record::PlotSeries series{label, {}, solved.history};
            for (size_t i = 0; i < series.y.size(); ++i) series.x.push_back(static_cast<double>(i + 1));
            plot.series.push_back(std::move(series));
        }
    }
    if (args.files.size() == 1)
        plot.title = fmt::format("Convergence on {}", std::filesystem::path(args.files.front()).stem().string());
    if (!args.plot.empty()) write_file(args.plot, record::svg_plot(plot));
    return !finite ? kNumericalFailure : converged ? kGood : kExpectFailed;
}

}  // namespace asperity::app
