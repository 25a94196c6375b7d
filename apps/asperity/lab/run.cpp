// asperity lab run FILE: one run of the tribometer.
#include <fmt/format.h>

#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>

#include "asperity/commands.h"
#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/core/stop.h"
#include "asperity/core/threads.h"
#include "asperity/lab.h"
#include "asperity/lab/read_experiment.h"
#include "asperity/lab/tribometer/pictures.h"
#include "asperity/progress.h"
#include "asperity/tell.h"
#include "render/render.h"

namespace asperity::app {
namespace {

void on_interrupt(int signal) {
    request_stop();
    std::signal(signal, SIG_DFL);
}

/// Numbers that do not exist are null.
nlohmann::json number(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr); }

nlohmann::ordered_json json_of(const ReadExperiment& read, const lab::ExperimentResult& r) {
    nlohmann::ordered_json json;
    json["title"] = read.experiment.title;
    for (const auto& [name, value] : read.params) json["params"][name] = value;
    json["mu_30"] = number(r.mu_30);
    json["mu_10"] = number(r.mu_10);
    json["mu_onset"] = number(r.mu_onset);
    json["mu_static"] = number(r.mu_static);
    json["mu_kinetic"] = number(r.mu_kinetic);
    json["normal_over_weight"] = number(r.normal_over_weight);
    json["contact_share"] = number(r.contact_length);
    json["patches"] = r.patches;
    json["rms_slope"] = number(r.rms_slope);
    json["triangles"] = r.triangles;
    json["face_edge"] = r.face_edge;
    json["base_edge"] = r.base_edge;
    json["quality_min"] = r.quality_min;
    json["steps"] = r.steps;
    json["newton_iterations"] = r.newton_iterations;
    json["halvings"] = r.halvings;
    json["slide"] = r.slide;
    json["cpu_s"] = r.cpu_s;
    nlohmann::json distance = nlohmann::json::array(), mu = nlohmann::json::array();
    const bool running = read.experiment.drive.kind != lab::DriveDesc::Kind::Ramp;
    for (const double s : {0.5, 1.0, 2.0, 3.0, 5.0, 7.5, 10.0, 12.5, 15.0, 17.5, 20.0, 22.5, 25.0, 27.5, 30.0}) {
        if (s > r.slide) break;
        distance.push_back(s);
        mu.push_back(number(lab::mu_at(r.curve, s, running)));
    }
    json["curve"] = {{"slide", distance}, {"mu", mu}};
    return json;
}

std::string csv_of(const std::vector<lab::Sample>& curve) {
    std::string text = "time,push,slide,speed,height,normal,tangential,contact_length,patches,newton_iterations\n";
    for (const lab::Sample& s : curve)
        text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", s.time, s.push, s.slide, s.speed, s.height, s.normal,
                            s.tangential, s.contact_length, s.patches, s.iterations);
    return text;
}

}  // namespace

int lab_run(const LabRunArgs& args) {
    const ReadExperiment read = read_experiment(args.file, args.set);
    set_thread_count(args.threads);
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
    const std::filesystem::path out = args.out;
    if (!args.out.empty()) make_output_folder(out);
    if (args.film && args.out.empty()) throw InputError("--film: needs --out, the folder for film.mp4");
    Progress progress(read.experiment.title, args.quiet || args.json);
    lab::Film film;
    bool interrupted = false;
    lab::ExperimentResult result;
    try {
        result = lab::run(read.experiment, [&](const lab::Tribometer& tribometer, const lab::Sample& sample) {
            progress.update(std::min(1.0, std::max(0.0, sample.slide) / read.experiment.drive.slide));
            if (!args.out.empty()) film.add(tribometer, sample);
            interrupted = stop_requested();
            return !interrupted;
        });
    } catch (const InputError& error) {  // blocks that cannot be meshed
        throw InputError(fmt::format("{}: {}", args.file, error.what()));
    } catch (const lab::NumericalFailure& failure) {
        if (stop_requested()) return kInterrupted;
        tell("asperity: {}: {}\n", args.file, failure.what());
        return kNumericalFailure;
    }
    progress.done();
    if (interrupted) return kInterrupted;
    const nlohmann::ordered_json json = json_of(read, result);
    if (!args.out.empty()) {
        write_file(out / "result.json", json.dump(2) + "\n");
        write_file(out / "curve.csv", csv_of(result.curve));
        write_file(out / "mu.svg", lab::svg_of_curve(read.experiment.title, result.curve));
        write_file(out / "stress.svg", film.svg());
        if (args.film)
            render::save_frames(out / "film.mp4", film.frames(), 20, [&](int frame) {
                render::Image image;
                image.width = 1280;
                image.rgb = film.picture(frame, image.width, image.height);
                return image;
            });
    }
    if (args.json) {
        fmt::print("{}\n", json.dump(2));
        return kGood;
    }
    fmt::print("{}\n", read.experiment.title);
    const auto line = [](const char* name, double value, const char* meaning) {
        if (std::isfinite(value)) fmt::print("  {:<20} {:<10.4g} {}\n", name, value, meaning);
    };
    line("mu_30", result.mu_30, "force over weight after a slide of 30");
    line("mu_10", result.mu_10, "and of 10");
    line("mu_onset", result.mu_onset, "where sliding sets in");
    line("mu_kinetic", result.mu_kinetic, "force over normal force while it slides");
    line("normal_over_weight", result.normal_over_weight, "after settling");
    fmt::print("  {} triangles, {} steps, {} iterations, {:.2f} s of processor time\n", result.triangles, result.steps,
               result.newton_iterations, result.cpu_s);
    if (!args.out.empty()) fmt::print("  written to {}\n", args.out);
    return kGood;
}

}  // namespace asperity::app
