// What a study runs: settings, each with every seed, so that settings can be compared surface by surface.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace asperity::lab {

struct StudyPlan {
    std::string title;
    std::filesystem::path run_file;
    std::vector<std::string> names;             ///< of params
    std::vector<double> defaults;               ///< as the run file has them
    std::vector<std::vector<double>> settings;  ///< distinct ones; values in the order of the names
    struct Sweep {
        std::string name;
        std::vector<int> settings;
    };
    std::vector<Sweep> sweeps;  ///< a setting may be in several
    std::vector<int> seeds;
    struct Reference {
        int setting = 0;
        double mean = 0, deviation = 0;
    };
    std::vector<Reference> references;  ///< values of a source to compare mu_30 with; one per setting at most

    int run_count() const { return static_cast<int>(settings.size() * seeds.size()); }
};

/// One run of a study.
struct StudyJob {
    int setting = 0, seed = 0;
    std::string key;               ///< "young=1e5 poisson=0.25 ... seed=3": names it in the database
    std::vector<std::string> set;  ///< "params.young=1e5", ..., "params.seed=3"
};

/// All runs, seed by seed: after the first pass every setting has a result, and later ones narrow the intervals.
std::vector<StudyJob> jobs_of(const StudyPlan& plan);

}  // namespace asperity::lab
