// The results of a study in an SQLite file. Every run is one transaction, so a killed study loses only the runs in flight.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "asperity/lab/study/plan.h"

namespace asperity::lab {

/// What one run of a study has given.
struct StudyResult {
    int setting = 0, seed = 0;
    bool done = false;                     ///< false: the run failed
    std::string message;                   ///< why
    std::map<std::string, double> values;  ///< mu_30, mu_10, ...: numbers of the run's result; absent where there is none
    std::vector<double> slide, mu;         ///< the curve mu(S)
};

/// The numbers of a result that have columns of their own.
const std::vector<std::string>& result_columns();

class StudyDatabase {
  public:
    /// Opens or makes the file. `fingerprint`: of all that decides the results; a file with another one is refused. Throws
    /// InputError: not a study, another study, disk full, not writable.
    StudyDatabase(const std::filesystem::path& file, const StudyPlan& plan, const std::string& fingerprint);
    ~StudyDatabase();
    StudyDatabase(const StudyDatabase&) = delete;
    StudyDatabase& operator=(const StudyDatabase&) = delete;

    /// `json`: the whole output of the run, or why it failed.
    void store(const StudyJob& job, bool done, const std::string& json);
    std::set<std::string> done_keys() const;
    /// The results of the plan's runs, by setting and seed.
    std::vector<StudyResult> results() const;

  private:
    struct Data;
    std::unique_ptr<Data> data_;
};

}  // namespace asperity::lab
