// Reads the TOML file of one run of the tribometer, and that of a study.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "asperity/lab/study/plan.h"
#include "asperity/lab/tribometer/experiment.h"

namespace asperity::app {

struct ReadExperiment {
    lab::Experiment experiment;
    std::vector<std::pair<std::string, double>> params;  ///< of [params], in the order of the file
};
/// `set`: "path=value" each. Throws InputError with file, line, key, value and remedy.
ReadExperiment read_experiment(const std::filesystem::path& file, const std::vector<std::string>& set);

/// The study, its settings checked against the params of its run file, which is read once with each setting.
lab::StudyPlan read_study(const std::filesystem::path& file);

}  // namespace asperity::app
