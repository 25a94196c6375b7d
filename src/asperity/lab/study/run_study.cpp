#include "asperity/lab/study/run_study.h"

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/core/one_line.h"
#include "asperity/lab/study/database.h"
#include "asperity/lab/study/report.h"

namespace asperity::lab {
namespace {

constexpr int kWrongInput = 2;  // exit code of a run, as of the whole program

std::string csv_of(const StudyPlan& plan, const std::vector<StudyResult>& results) {
    std::string text = "seed";
    for (const std::string& name : plan.names) text += "," + name;
    for (const std::string& name : result_columns()) text += "," + name;
    text += ",done\n";
    for (const StudyResult& r : results) {
        text += fmt::format("{}", r.seed);
        for (const double value : plan.settings[static_cast<std::size_t>(r.setting)]) text += fmt::format(",{}", value);
        for (const std::string& name : result_columns()) {
            const auto found = r.values.find(name);
            text += found == r.values.end() ? "," : fmt::format(",{}", found->second);
        }
        text += r.done ? ",1\n" : ",0\n";
    }
    return text;
}

}  // namespace

StudySummary run_study(const StudyPlan& plan, const std::string& fingerprint, Launcher& launcher,
                       const StudyOptions& options) {
    make_output_folder(options.out);
    const std::filesystem::path file = options.out / "study.sqlite";
    const StreamFile lock(options.out / "study.lock");  // throws while another study writes here
    if (std::filesystem::exists(file) && !options.resume)
        throw InputError(fmt::format("{}: holds a study already; go on with it by --resume, or choose another --out",
                                     options.out.string()));
    remove_stale_temporaries(options.out);
    StudyDatabase database(file, plan, fingerprint);
    const std::set<std::string> known = database.done_keys();
    const std::vector<StudyJob> jobs = jobs_of(plan);
    std::vector<int> waiting;
    for (std::size_t i = 0; i < jobs.size(); ++i)
        if (!known.contains(jobs[i].key)) waiting.push_back(static_cast<int>(i));
    StudySummary summary;
    summary.runs = static_cast<int>(jobs.size());
    int finished = summary.runs - static_cast<int>(waiting.size()), under_way = 0;
    std::size_t next = 0;
    if (options.progress) options.progress(finished, summary.runs);
    while (next < waiting.size() || under_way > 0) {
        if (options.stop && options.stop()) {
            summary.stopped = true;
            break;
        }
        while (under_way < launcher.slots() && next < waiting.size()) {
            const int id = waiting[next++];
            std::vector<std::string> arguments{"lab", "run", plan.run_file.string(), "--json", "--threads", "1"};
            for (const std::string& set : jobs[static_cast<std::size_t>(id)].set) {
                arguments.push_back("--set");
                arguments.push_back(set);
            }
            if (id == 0) {  // the first run also shows what all of them do
                arguments.push_back("--out");
                arguments.push_back((options.out / "example").string());
            }
            launcher.start(id, arguments);
            ++under_way;
        }
        for (const Finished& run : launcher.wait(0.2)) {
            --under_way;
            const StudyJob& job = jobs[static_cast<std::size_t>(run.id)];
            if (options.stop && options.stop()) continue;  // the signal has reached the run too
            if (run.code == kWrongInput) throw InputError(fmt::format("the run {}: {}", job.key, one_line(run.errors, 400)));
            if (run.code == 0) {
                database.store(job, true, run.out);
            } else {
                const std::string why = run.code < 0 ? fmt::format("ended by signal {}", -run.code)
                                                     : fmt::format("exit code {}: {}", run.code, one_line(run.errors, 400));
                database.store(job, false, why);
            }
            ++summary.here;
            ++finished;
            if (options.progress) options.progress(finished, summary.runs);
        }
    }
    const std::vector<StudyResult> results = database.results();
    for (const StudyResult& r : results) {
        ++(r.done ? summary.done : summary.failed);
        if (const auto cpu = r.values.find("cpu_s"); cpu != r.values.end()) summary.cpu_s += cpu->second;
        if (!r.done && summary.first_failure.empty()) summary.first_failure = r.message;
    }
    const std::vector<SettingStatistics> statistics = statistics_of(plan, results);
    write_file(options.out / "runs.csv", csv_of(plan, results));
    write_file(options.out / "settings.csv", settings_csv(plan, statistics));
    write_file(options.out / "report.html", report_html(plan, results, statistics));
    return summary;
}

}  // namespace asperity::lab
