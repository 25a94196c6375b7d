// What the engines' programs printed, as rows; the table, the CSV file and the verdicts made from them.
#pragma once
#include <string>
#include <vector>

namespace asperity::peers {

struct Measured {
    std::string name, unit;
    double value;  ///< NaN where it does not apply
};

/// One engine in one configuration on one scene.
struct Row {
    std::string engine, config;
    std::string trouble;         ///< why there are no numbers; else empty
    std::vector<double> cpu_ms;  ///< of every step, one thread
    double wall_ms = 0;          ///< per step, one thread
    double wall_two_ms = 0;      ///< per step, two threads; NaN where the engine has none
    std::vector<Measured> values;

    double cpu_ms_per_step() const;
    double value(const std::string& name) const;  ///< NaN when it is not there
};

struct SceneRows {
    std::string scene;
    std::vector<Row> rows;
};

/// Our CPU time over theirs, over the steps that both have done: a run that met its limit has done the dear ones at the
/// start only.
double cpu_ratio(const Row& ours, const Row& theirs);

void print_scene(const SceneRows& result);
/// One line per target and peer: met or missed, and by how much.
void print_targets(const std::vector<SceneRows>& results);
std::string csv(const std::vector<SceneRows>& results);

}  // namespace asperity::peers
