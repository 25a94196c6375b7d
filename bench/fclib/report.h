// Output of the bench: the table of all times, the number of problems solved by each solver, ratios, and performance
// profile.
#pragma once
#include <string>
#include <vector>

#include "limited.h"

namespace asperity::bench {

struct Cell {
    bool solved = false;  ///< error at most the tolerance, within the time limit
    double seconds = 0, error = 0;
    int iterations = 0;
    std::string trouble;
};

struct Results {
    double tolerance = 0;
    bool global = false;  ///< all problems are global, or all are local
    std::vector<std::string> problems;
    std::vector<int> contacts;
    std::vector<Contestant> contestants;   ///< ours first
    std::vector<std::vector<Cell>> cells;  ///< [problem][contestant]
};

/// Table and summary for people.
std::string table(const Results& results);
/// One row per problem and solver.
std::string csv_rows(const Results& results);
constexpr const char* kCsvHeader = "tolerance,problem,contacts,solver,solved,time_s,error,iterations,trouble\n";
/// Dolan, More, "Benchmarking optimization software with performance profiles", Math. Program. 2002: for each solver, the
/// fraction of problems solved within tau times the time of the best. Shows `auto` and the twelve best solvers.
std::string profile_svg(const Results& results);

}  // namespace asperity::bench
