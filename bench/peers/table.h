// The output of the engines' programs as rows, and the table, CSV file and verdicts made from them.
#pragma once
#include <string>
#include <vector>

namespace asperity::peers {

struct Measured {
    std::string name, unit;
    double value;  ///< NaN if it does not apply
};

/// One engine in one configuration on one scene.
struct Row {
    std::string engine, config;
    std::string trouble;         ///< reason for missing numbers; else empty
    std::vector<double> cpu_ms;  ///< of every step, one thread
    double wall_ms = 0;          ///< per step, one thread
    double wall_two_ms = 0;      ///< per step, two threads; NaN if the engine has none
    std::vector<Measured> values;

    double cpu_ms_per_step() const;
    double value(const std::string& name) const;  ///< NaN if it is missing
};

struct SceneRows {
    std::string scene;
    std::vector<Row> rows;
};

/// Ratio of CPU times, ours over theirs, for the steps that both have done. A run that reached its limit has only done the
/// expensive first steps.
double cpu_ratio(const Row& ours, const Row& theirs);

void print_scene(const SceneRows& result);
/// One line per target and peer: met or missed, and by how much.
void print_targets(const std::vector<SceneRows>& results);
std::string csv(const std::vector<SceneRows>& results);

}  // namespace asperity::peers
