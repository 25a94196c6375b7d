// asperity lab study FILE: a grid of settings, each on the same surfaces, on all cores.
#include <fmt/format.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "asperity/commands.h"
#include "asperity/core/files.h"
#include "asperity/core/hash.h"
#include "asperity/core/stop.h"
#include "asperity/lab.h"
#include "asperity/lab/read_experiment.h"
#include "asperity/lab/study/run_study.h"
#include "asperity/progress.h"
#include "asperity/tell.h"

namespace asperity::app {
namespace {

void on_interrupt(int signal) {
    request_stop();
    std::signal(signal, SIG_DFL);
}

}  // namespace

int lab_study(const LabStudyArgs& args) {
    const lab::StudyPlan plan = read_study(args.file);
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
    Progress progress(plan.title, args.quiet || args.json);
    lab::StudyOptions options;
    options.out = args.out;
    options.resume = args.resume;
    options.stop = stop_requested;
    options.progress = [&](int done, int all) { progress.update(all > 0 ? static_cast<double>(done) / all : 1); };
    const int jobs = args.jobs > 0 ? args.jobs : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const std::unique_ptr<lab::Launcher> launcher = lab::local_launcher("/proc/self/exe", jobs);
    // The run file decides the results; settings and seeds are in the keys of the runs
    const std::string fingerprint = fmt::format("{:016x}", checksum(read_file(plan.run_file, 1 << 24)));
    const lab::StudySummary summary = lab::run_study(plan, fingerprint, *launcher, options);
    if (!summary.stopped) progress.done();
    if (args.json) {
        const nlohmann::ordered_json json = {
            {"title", plan.title},       {"runs", summary.runs},   {"done", summary.done}, {"failed", summary.failed},
            {"done_here", summary.here}, {"cpu_s", summary.cpu_s}, {"out", args.out}};
        fmt::print("{}\n", json.dump(2));
    } else {
        fmt::print("{}: {} of {} runs done, {} here; {:.0f} s of processor time\n", plan.title, summary.done, summary.runs,
                   summary.here, summary.cpu_s);
        if (summary.failed > 0) fmt::print("  {} failed; the first: {}\n", summary.failed, summary.first_failure);
        fmt::print("  written to {}: report.html, settings.csv, runs.csv, study.sqlite\n", args.out);
        if (summary.stopped) fmt::print("  interrupted; --resume goes on from here\n");
    }
    return summary.stopped ? kInterrupted : summary.failed > 0 ? kNumericalFailure : kGood;
}

}  // namespace asperity::app
