// summary.json: the results of a run.
#include <cmath>
#include <nlohmann/json.hpp>

#include "asperity/core/parallel.h"
#include "asperity/scene/implicit_run.h"
#include "asperity/scene/implicit_settings.h"
#include "asperity/scene/run.h"
#include "asperity/version.h"

namespace asperity::scene {

std::string summary_json(const Scene& scene, const RunResult& result) {
    using Json = nlohmann::ordered_json;
    Json j;
    j["title"] = scene.title;
    j["scene"] = scene.file.filename().string();
    j["status"] = name(result.status);
    if (!result.trouble.empty()) j["trouble"] = result.trouble;
    j["steps"] = result.steps;
    j["sim_time"] = result.sim_time;
    j["wall_s"] = result.wall_s;
    j["state_hash"] = result.state_hash;
    j["residual_max"] = result.residual_max;
    j["residual_unit"] = "m/s";
    j["penetration_max"] = result.penetration_max;
    j["contacts_max"] = result.contacts_max;
    j["sweeps_max"] = result.sweeps_max;
    j["unconverged_steps"] = result.unconverged_steps;
    j["seed"] = scene.seed;
    j["dt"] = scene.dt;
    j["duration"] = scene.duration;
    if (scene.implicit) {
        j["method"] = "implicit";
        j["integrator"] = implicit::name(scene.implicit_settings->step.integrator);
        j["newton_iterations"] = result.newton_iterations;
        j["halved_steps"] = result.halved_steps;
        j["friction_misses"] = result.friction_misses;
        j["gap_min"] = std::isfinite(result.gap_min) ? Json(result.gap_min) : Json(nullptr);
        j["holds"] = Json::array();
        const std::vector<std::string>& names = scene.world.model.bodies.name;
        for (const implicit::PairHold& h : scene.implicit->holds())
            j["holds"].push_back({{"bodies", {names[static_cast<size_t>(h.body_a)], names[static_cast<size_t>(h.body_b)]}},
                                  {"load", h.load},
                                  {"friction", h.friction},
                                  {"limit", h.limit},
                                  {"margin", h.margin},
                                  {"spare", h.spare},
                                  {"spare_direction", {h.spare_direction.x, h.spare_direction.y, h.spare_direction.z}},
                                  {"sliding", h.sliding},
                                  {"creep", h.creep},
                                  {"creep_bound", h.creep_bound}});
        j["contact_distance"] = scene.implicit->dhat();
        j["contact_stiffness"] = scene.implicit->stiffness();
    } else {
        j["solver"] = scene.world.model.settings.solver;
    }
    j["threads"] = thread_count();
    j["version"] = kVersion;
    j["params"] = Json::object();
    for (const auto& [key, value] : scene.params) j["params"][key] = value;
    for (const auto& [key, word] : scene.words) j["params"][key] = word;
    j["bodies"] = scene.world.model.bodies.count();
    j["kinetic_energy"] = kinetic_energy(scene);
    j["potential_energy"] = potential_energy(scene);
    j["notes"] = scene.notes;
    j["expect"] = Json::array();
    for (const ExpectResult& e : result.expect)
        j["expect"].push_back({{"name", e.name}, {"value", e.value}, {"bound", e.bound}, {"ok", e.ok}});
    if (!result.files.empty()) j["files"] = result.files;
    if (scene.implicit)
        for (size_t i = 0; i < result.part_ms.size(); ++i)
            j["stage_ms"][std::string(implicit::kPartNames[i])] = result.part_ms[i];
    else
        for (size_t i = 0; i < result.stage_ms.size(); ++i)
            j["stage_ms"][std::string(sim::kStageNames[i])] = result.stage_ms[i];
    return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace asperity::scene
