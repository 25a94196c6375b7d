// Solves problem files with all our solvers and Siconos', on one thread of one machine in one run: bench/fclib/README.md.
//   fclib DIR... [--tol 1e-4,1e-8] [--limit 30] [--solvers auto,PROX_NSN] [--problems TEXT] [--csv FILE] [--profile PREFIX]
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/fclib/reduce.h"
#include "report.h"

using namespace asperity;
using namespace asperity::bench;

namespace {

struct Args {
    std::vector<std::string> folders, solvers, problems;
    std::vector<double> tolerances;
    double limit = 30;
    std::string csv, profile;
};

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find_first_of(", ", at), text.size());
        if (end > at) parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

double positive(const std::string& option, const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (*end != '\0' || !(value > 0)) throw InputError(fmt::format("{} {}: must be a positive number", option, text));
    return value;
}

Args parse(int argc, char** argv) {
    Args args;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        if (!option.starts_with("--")) {
            args.folders.push_back(option);
            continue;
        }
        if (++i == argc) throw InputError(fmt::format("{}: needs a value", option));
        const std::string value = argv[i];
        if (option == "--tol")
            for (const std::string& t : split(value)) args.tolerances.push_back(positive(option, t));
        else if (option == "--limit")
            args.limit = positive(option, value);
        else if (option == "--solvers")
            args.solvers = split(value);
        else if (option == "--problems")
            args.problems = split(value);
        else if (option == "--csv")
            args.csv = value;
        else if (option == "--profile")
            args.profile = value;
        else
            throw InputError(
                fmt::format("{}: no such option; known: --tol --limit --solvers --problems --csv --profile", option));
    }
    if (args.folders.empty()) throw InputError("no folder of problem files; make bench-fclib DIR=FOLDER");
    if (args.tolerances.empty()) args.tolerances = {1e-4, 1e-8};
    return args;
}

std::vector<Problem> read_problems(const Args& args) {
    std::vector<std::filesystem::path> files;
    for (const std::string& folder : args.folders) {
        if (!std::filesystem::is_directory(folder)) throw InputError(fmt::format("{}: no such folder", folder));
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.path().extension() == ".hdf5" || entry.path().extension() == ".h5") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<Problem> problems;
    for (const std::filesystem::path& path : files) {
        const std::string name = path.stem().string();
        const auto wanted = [&](const std::string& part) { return name.find(part) != std::string::npos; };
        if (!args.problems.empty() && std::none_of(args.problems.begin(), args.problems.end(), wanted)) continue;
        try {
            Problem problem{name, fclib::read_problem(path), {}};
            if (!problem.is_global())
                problem.local = fclib::without_equations(std::get<fclib::LocalProblem>(problem.file.problem));
            problems.push_back(std::move(problem));
        } catch (const InputError& error) { fmt::print(stderr, "left out: {}\n", error.what()); }
    }
    if (problems.empty()) throw InputError("no problem files (.hdf5) there");
    return problems;
}

/// Solves the local problems or the global ones with the solvers that take them.
Results measure(const std::vector<Problem>& problems, const std::vector<Contestant>& all, const Args& args, double tolerance,
                bool global) {
    Results results;
    results.tolerance = tolerance;
    results.global = global;
    for (const Contestant& c : all)
        if (c.global == global &&
            (args.solvers.empty() || std::find(args.solvers.begin(), args.solvers.end(), c.name) != args.solvers.end()))
            results.contestants.push_back(c);
    for (const Problem& problem : problems) {
        if (problem.is_global() != global) continue;
        results.problems.push_back(problem.name);
        results.contacts.push_back(problem.file.contact_count());
        std::vector<Cell>& row = results.cells.emplace_back();
        for (const Contestant& solver : results.contestants) {
            Cell& cell = row.emplace_back();
            if (isatty(2)) fmt::print(stderr, "\r\033[K{:g} {} {}", tolerance, problem.name, solver.name);
            const Attempt done = attempt(solver, problem, tolerance, args.limit);
            cell.trouble = done.trouble;
            if (!done.answered) continue;
            cell.seconds = done.outcome.seconds;
            cell.iterations = done.outcome.iterations;
            cell.error = error_of(problem, done.outcome);
            cell.solved = cell.error <= tolerance * (1 + 1e-6);  // the solver and this program add up in different orders
        }
    }
    if (isatty(2)) fmt::print(stderr, "\r\033[K");
    return results;
}

}  // namespace

int main(int argc, char** argv) {
    // CPU time is compared, so every solver gets one thread. BLAS reads this setting when it is loaded, before main() runs.
    if (!std::getenv("ASPERITY_BENCH_ONE_THREAD")) {
        for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "ASPERITY_BENCH_ONE_THREAD"})
            setenv(name, "1", 1);
        execv("/proc/self/exe", argv);
    }
    try {
        const Args args = parse(argc, argv);
        const std::vector<Problem> problems = read_problems(args);
        std::vector<Contestant> contestants = our_contestants();
        for (Contestant& c : siconos_contestants()) contestants.push_back(std::move(c));
        std::string csv = kCsvHeader;
        for (const double tolerance : args.tolerances)
            for (const bool global : {false, true}) {
                const Results results = measure(problems, contestants, args, tolerance, global);
                if (results.problems.empty() || results.contestants.empty()) continue;
                fmt::print("{}", table(results));
                std::fflush(stdout);
                csv += csv_rows(results);
                if (!args.csv.empty()) write_file(args.csv, csv);
                if (!args.profile.empty())
                    write_file(fmt::format("{}{}-{:g}.svg", args.profile, global ? "-global" : "", tolerance),
                               profile_svg(results));
            }
        return 0;
    } catch (const InputError& error) {
        fmt::print(stderr, "fclib: {}\n", error.what());
        return 2;
    }
}
