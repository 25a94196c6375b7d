// Does the runs of a study that its database lacks, and writes its tables and its report.
#pragma once
#include <filesystem>
#include <functional>
#include <string>

#include "asperity/lab/study/launcher.h"
#include "asperity/lab/study/plan.h"

namespace asperity::lab {

struct StudyOptions {
    std::filesystem::path out;
    bool resume = false;
    std::function<void(int done, int all)> progress;
    std::function<bool()> stop;  ///< asked several times a second; runs in flight are then given up
};

struct StudySummary {
    int runs = 0, done = 0, failed = 0, here = 0;  ///< of the plan; with a result; without one; done by this call
    double cpu_s = 0;                              ///< of all results
    bool stopped = false;
    std::string first_failure;
};

/// `fingerprint`: of all that decides the results. Throws InputError: --out holds a study without `resume` set, or another
/// study; a study is under way there; a run refuses its input; disk full. What was done until then is kept.
StudySummary run_study(const StudyPlan& plan, const std::string& fingerprint, Launcher& launcher,
                       const StudyOptions& options);

}  // namespace asperity::lab
