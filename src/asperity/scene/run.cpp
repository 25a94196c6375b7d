#include "asperity/scene/run.h"

#include <fmt/format.h>
#include <chrono>
#include <cmath>
#include <cstring>
#include <numbers>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/record/csv.h"
#include "asperity/scene/start_overlaps.h"
#include "asperity/sim/contact_surface.h"
#include "asperity/sim/step.h"

namespace asperity::scene {
namespace fs = std::filesystem;
namespace {

double seconds_now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Largest coefficient of a limit set along each of its axes.
Vec2 reach(const friction::LimitSet& set) {
    return {std::fmax(friction::support(set, {1, 0, 0}), friction::support(set, {-1, 0, 0})),
            std::fmax(friction::support(set, {0, 1, 0}), friction::support(set, {0, -1, 0}))};
}

/// Everything that a run has collected so far; the output folder is written from it.
struct RunState {
    Watch watch;
    std::string steps_csv;
    RunResult result;
    // recorded frames that a longer run without interruption would also have; at most the final frame follows them
    size_t regular_frames = 1;
};

// The checkpoint is written last. It tells how many rows and frames belong to it; later ones in the other files are cut off.
struct CheckpointHead {
    char magic[8] = {'A', 'S', 'P', 'C', 'H', 'K', 'P', '4'};
    char fingerprint[16] = {};  // hash of the scene with its overrides
    std::uint64_t steps_bytes = 0, frames = 0, observer_bytes = 0, state_bytes = 0;
    double wall_s = 0;
    std::int64_t unconverged = 0, sweeps_max = 0;
    double stage_ms[sim::kStageCount] = {};
};

void write_output(const fs::path& out, const Scene& scene, const RunState& g, bool contacts) {
    write_file(out / "steps.csv", g.steps_csv);
    std::string bodies = record::bodies_csv_header(), contact_rows = record::contacts_csv_header(),
                patch_rows = record::patches_csv_header(), pair_rows = record::pairs_csv_header();
    bool patches = false;
    for (const record::Frame& frame : g.result.recording.frames) {
        record::append_bodies_csv(bodies, g.result.recording, frame);
        if (contacts) record::append_contacts_csv(contact_rows, g.result.recording, frame);
        if (contacts) record::append_pairs_csv(pair_rows, g.result.recording, frame);
        record::append_patches_csv(patch_rows, g.result.recording, frame);
        patches |= !frame.patches.empty();
    }
    write_file(out / "bodies.csv", bodies);
    std::error_code ignored;
    if (patches)
        write_file(out / "patches.csv", patch_rows);
    else
        fs::remove(out / "patches.csv", ignored);
    for (const auto& [file, rows] : {std::pair("contacts.csv", &contact_rows), {"pairs.csv", &pair_rows}}) {
        if (contacts)
            write_file(out / file, *rows);
        else
            fs::remove(out / file, ignored);  // left by an earlier run: does not belong to the other files
    }
    record::save(g.result.recording, out / "recording.asp");
    record::save_glb(g.result.recording, out / "motion.glb");
    write_file(out / "summary.json", summary_json(scene, g.result));
}

void write_checkpoint(const fs::path& out, const Scene& scene, const RunState& g) {
    const std::string observer = g.watch.save(), state = scene.world.save_state();
    CheckpointHead head;
    head.steps_bytes = g.steps_csv.size();
    head.frames = g.regular_frames;
    std::memcpy(head.fingerprint, scene.fingerprint.data(), std::min(scene.fingerprint.size(), sizeof head.fingerprint));
    head.observer_bytes = observer.size();
    head.state_bytes = state.size();
    head.wall_s = g.result.wall_s;
    head.unconverged = g.result.unconverged_steps;
    head.sweeps_max = g.result.sweeps_max;
    for (int i = 0; i < sim::kStageCount; ++i) head.stage_ms[i] = g.result.stage_ms[static_cast<size_t>(i)];
    std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
    write_file(out / "checkpoint", bytes + observer + state);
}

void read_checkpoint(const fs::path& out, Scene& scene, RunState& g, int total) {
    const fs::path path = out / "checkpoint";
    const std::string bytes = read_file(path);
    CheckpointHead head;
    const CheckpointHead expected;
    if (bytes.size() < sizeof head)
        throw InputError(fmt::format("{}: truncated; start the run again without --resume", path.string()));
    std::memcpy(&head, bytes.data(), sizeof head);
    if (std::memcmp(head.magic, expected.magic, sizeof head.magic) != 0)
        throw InputError(
            fmt::format("{}: not a checkpoint of this version; start the run again without --resume", path.string()));
    if (std::string_view(head.fingerprint, sizeof head.fingerprint) != scene.fingerprint)
        throw InputError(fmt::format(
            "{}: belongs to another scene, or to other --set values; give the same ones, or start again without --resume",
            path.string()));
    if (head.observer_bytes > bytes.size() || head.state_bytes > bytes.size() ||
        bytes.size() != sizeof head + head.observer_bytes + head.state_bytes)
        throw InputError(fmt::format("{}: truncated or damaged; start the run again without --resume", path.string()));
    g.watch.restore(bytes.substr(sizeof head, head.observer_bytes), scene);
    scene.world.restore_state(bytes.substr(sizeof head + head.observer_bytes));

    g.steps_csv = read_file(out / "steps.csv");
    record::Recording recording = record::load(out / "recording.asp");
    if (g.steps_csv.size() < head.steps_bytes || recording.frames.size() < head.frames ||
        recording.bodies.size() != g.result.recording.bodies.size())
        throw InputError(
            fmt::format("{}: the other files in its folder are older; start the run again without --resume", path.string()));
    g.steps_csv.resize(head.steps_bytes);
    // Keep the final frame of a finished run: its contacts cannot be derived from the state.
    const bool finished = scene.world.state.steps_done >= total;
    const bool has_end =
        finished && recording.frames.size() > head.frames && recording.frames[head.frames].time == scene.world.state.time;
    recording.frames.resize(head.frames + (has_end ? 1 : 0));
    g.regular_frames = head.frames;
    g.result.recording.frames = std::move(recording.frames);
    g.result.wall_s = head.wall_s;
    g.result.unconverged_steps = static_cast<int>(head.unconverged);
    g.result.sweeps_max = static_cast<int>(head.sweeps_max);
    for (int i = 0; i < sim::kStageCount; ++i) g.result.stage_ms[static_cast<size_t>(i)] = head.stage_ms[i];
}

void note_step(RunState& g, const Scene& scene, const sim::StepReport& report, const RunOptions& options) {
    RunResult& r = g.result;
    g.watch.after_step(scene, report);
    record::append_steps_csv(g.steps_csv, report);
    r.sweeps_max = std::max(r.sweeps_max, report.sweeps);
    if (report.status != solvers::SolveStatus::Converged) ++r.unconverged_steps;
    for (size_t i = 0; i < r.stage_ms.size(); ++i) r.stage_ms[i] += report.stage_ms[i];

    // Frame k is recorded after the first step that reaches k / record_hz.
    const auto frame_number = [&](double time) { return std::floor(time * options.record_hz + 1e-6); };
    if (frame_number(report.time) > frame_number(report.time - scene.dt)) {
        record_frame(r.recording, scene.world, options.contacts);
        g.regular_frames = r.recording.frames.size();
    }
}

}  // namespace

std::string_view name(RunStatus status) {
    switch (status) {
        case RunStatus::Running: return "running";
        case RunStatus::Ok: return "ok";
        case RunStatus::ExpectFailed: return "expect_failed";
        case RunStatus::NumericalFailure: return "numerical_failure";
        case RunStatus::Interrupted: return "interrupted";
    }
    return "";
}

namespace {

/// The grain of a shape, from the body or else from its material (field or constant).
std::shared_ptr<const surface::Grain> grain_of(const sim::World& world, int collider) {
    if (world.model.grain_of(collider)) return world.model.collider_grain[static_cast<size_t>(collider)];
    const surface::Material& material =
        world.model
            .materials[static_cast<size_t>(world.model.bodies.colliders[static_cast<size_t>(collider)].material.index)];
    if (material.grain_field) return material.grain_field;
    return material.grain == Vec3{} ? nullptr
                                    : std::make_shared<const surface::Grain>(surface::ConstantGrain{material.grain});
}

}  // namespace

record::Recording start_recording(const Scene& scene) {
    record::Recording recording;
    const rigid::Bodies& bodies = scene.world.model.bodies;
    recording.title = scene.title;
    recording.materials = scene.world.model.materials;
    recording.view = scene.view;
    for (size_t i = 0; i < bodies.motion.size(); ++i) {
        record::RecordedBody body{bodies.name[i], bodies.motion[i], {}, {}, {}};
        for (int k = 0; k < bodies.collider_count[i] && !bodies.removed[i]; ++k) {
            const int collider = bodies.first_collider[i] + k;
            const rigid::Collider& c = bodies.colliders[static_cast<size_t>(collider)];
            body.colliders.push_back(c);
            body.grains.push_back(
                {grain_of(scene.world, collider), {c.local.position + bodies.center[i], c.local.orientation}});
            const surface::SlopeTexture* slopes = scene.world.model.slopes_of(collider);
            body.slopes.push_back(slopes ? *slopes : surface::SlopeTexture{});
            const auto looks = scene.looks.find(collider);
            body.looks.push_back(looks == scene.looks.end() ? nullptr : looks->second);
        }
        recording.bodies.push_back(std::move(body));
    }
    for (const rigid::Joint& joint : scene.world.scene_joints())
        if (std::holds_alternative<rigid::Distance>(joint.kind) || std::holds_alternative<rigid::PointSpring>(joint.kind))
            recording.links.push_back({joint.a.index, joint.b.index, joint.frame_a.position, joint.frame_b.position});
    return recording;
}

namespace {

/// Outline of the region: its vertices, or 32 points of the ellipse.
std::vector<Vec3> outline(const contact::PatchContact& p) {
    std::vector<Vec3> out;
    const auto add = [&](double x, double y) { out.push_back(p.at.point + x * p.u + y * p.w()); };
    if (const auto* ellipse = std::get_if<geometry::EllipseRegion>(&p.region)) {
        constexpr int count = 32;
        for (int i = 0; i < count; ++i)
            add(ellipse->a * std::cos(2 * std::numbers::pi * i / count),
                ellipse->b * std::sin(2 * std::numbers::pi * i / count));
    } else {
        const auto& polygon = std::get<geometry::PolygonRegion>(p.region);
        for (int i = 0; i < polygon.count; ++i)
            add(polygon.corners[static_cast<size_t>(i)].x, polygon.corners[static_cast<size_t>(i)].y);
    }
    return out;
}

record::PatchSample sample_of(const contact::PatchContact& p, double dt) {
    record::PatchSample out{p.at.body_a, p.at.body_b,       p.at.point,    p.at.normal,
                            p.u,         p.at.impulse / dt, p.torque / dt, p.centre_of_pressure(),
                            0,           outline(p)};
    out.spin_torque = dot(out.torque - cross(out.pressure - out.centre, out.force), out.normal);
    return out;
}

}  // namespace

void record_frame(record::Recording& recording, const sim::World& world, bool contacts) {
    if (recording.bodies.size() != world.state.bodies.pose.size())
        throw InputError(
            fmt::format("record_frame: the recording was started with {} bodies, the world has {}; start another "
                        "recording after adding bodies",
                        recording.bodies.size(), world.state.bodies.pose.size()));
    record::Frame& frame = recording.frames.emplace_back(record::Frame{world.state.time,
                                                                       world.state.bodies.pose,
                                                                       world.state.bodies.velocity,
                                                                       world.state.bodies.angular_velocity,
                                                                       {},
                                                                       {}});
    if (world.model.bodies.removed_count > 0 && recording.frames.size() > 1)  // removed bodies stay where they were
        for (size_t i = 0; i < frame.poses.size(); ++i)
            if (world.model.bodies.removed[i]) frame.poses[i] = recording.frames[recording.frames.size() - 2].poses[i];
    if (!contacts || !(world.state.last_dt > 0)) return;
    const auto add = [&](const contact::Contact& c, size_t place, int patch) {
        const Vec2 mu = reach(sim::limit_surface(world, place).set);
        const sim::ContactSurface at = sim::contact_surface(world, c);
        frame.contacts.push_back({c.body_a, c.body_b, c.point, c.normal, c.impulse / world.state.last_dt, c.t, mu.x, mu.y,
                                  at.a.face, at.b.face, at.a.uv, at.b.uv, c.gap, c.drilling / world.state.last_dt, patch});
    };
    for (size_t i = 0; i < world.state.active.contacts.size(); ++i) add(world.state.active.contacts[i], i, -1);
    for (size_t i = 0; i < world.state.active.patches.size(); ++i) {
        const contact::PatchContact& p = world.state.active.patches[i];
        frame.patches.push_back(sample_of(p, world.state.last_dt));
        for (int k = p.first; k < p.first + p.count; ++k) frame.contacts[static_cast<size_t>(k)].patch = static_cast<int>(i);
        // a patch of a shared volume that contains no contact point
        if (p.count == 0) add(p.at, world.state.active.contacts.size() + i, static_cast<int>(i));
    }
}

namespace {

/// Computes the figures of the run so far. The caller sets the status.
void summarise(RunState& g, const Scene& scene, double wall_s) {
    RunResult& r = g.result;
    r.steps = scene.world.state.steps_done;
    r.sim_time = scene.world.state.time;
    r.wall_s = wall_s;
    r.state_hash = scene.world.state_hash();
    r.residual_max = g.watch.whole().residual_max();
    r.penetration_max = g.watch.whole().penetration_max();
    r.contacts_max = g.watch.whole().contacts_max();
    r.expect = g.watch.check(scene);
}

}  // namespace

RunResult run(Scene& scene, const RunOptions& options) {
    if (!(options.record_hz > 0)) throw InputError(fmt::format("record_hz = {}: must be positive", options.record_hz));
    if (options.out) make_output_folder(*options.out);
    scene.world.prepare();
    RunState g{Watch(scene), record::steps_csv_header(), {}};
    RunResult& r = g.result;
    r.recording = start_recording(scene);
    const auto total = static_cast<int>(std::llround(scene.duration / scene.dt));
    if (options.resume && options.out && fs::exists(*options.out / "checkpoint"))
        read_checkpoint(*options.out, scene, g, total);
    else
        record_frame(r.recording, scene.world, options.contacts);

    const double started = seconds_now() - r.wall_s;
    double last_checkpoint = seconds_now();
    r.status = RunStatus::Running;
    while (scene.world.state.steps_done < total && r.status == RunStatus::Running) {
        if (options.stop && options.stop()) {
            r.status = RunStatus::Interrupted;
            break;
        }
        const sim::StepReport report = sim::step(scene.world, scene.dt);
        if (report.stopped) {
            r.status = RunStatus::Interrupted;
            break;
        }
        if (!report.finite) {
            r.status = RunStatus::NumericalFailure;
            r.trouble =
                fmt::format("step {}, t = {:g} s: stage {} gave a value that is not finite; the last good state is kept",
                            report.step, report.time, sim::kStageNames[static_cast<size_t>(report.nan_stage)]);
            break;
        }
        if (report.step == 1)
            if (std::string note = overlap_note(scene); !note.empty()) scene.notes.push_back(std::move(note));
        note_step(g, scene, report, options);
        if (options.progress) options.progress(report);
        if (options.out && seconds_now() - last_checkpoint > options.checkpoint_s) {
            summarise(g, scene, seconds_now() - started);
            write_output(*options.out, scene, g, options.contacts);
            write_checkpoint(*options.out, scene, g);
            last_checkpoint = seconds_now();
        }
    }

    // The final state is always recorded.
    if (r.recording.frames.back().time < scene.world.state.time - 1e-9)
        record_frame(r.recording, scene.world, options.contacts);
    summarise(g, scene, seconds_now() - started);
    if (r.status == RunStatus::Running) {
        r.status = RunStatus::Ok;
        for (const ExpectResult& e : r.expect)
            if (!e.ok) r.status = RunStatus::ExpectFailed;
    }
    if (options.out) {
        write_output(*options.out, scene, g, options.contacts);
        write_checkpoint(*options.out, scene, g);
    }
    return std::move(g.result);
}

}  // namespace asperity::scene
