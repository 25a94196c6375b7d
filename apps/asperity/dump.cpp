// asperity run --dump-problem N: writes the contact problem of a step as an FCLIB file.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "asperity/commands.h"
#include "asperity/fclib/assembled.h"
#include "asperity/fclib/reduce.h"
#include "asperity/scene.h"
#include "asperity/scene/implicit_run.h"
#include "asperity/scene/implicit_settings.h"
#include "asperity/sim/last_problem.h"

namespace asperity::app {

namespace {

fclib::ProblemFile problem_of(const sim::World& world) {
    solvers::AssembledProblem assembled;
    solvers::assemble(sim::last_problem(world), assembled);
    return fclib::from_assembled(assembled, [&](int block) { return sim::block_name(world, block); });
}

fclib::ProblemFile problem_of(const scene::ImplicitRun& run) {
    const solvers::AssembledProblem* problem = run.contact_problem();
    if (problem->block_count() == 0) throw InputError("nothing touches in this step");
    return fclib::from_assembled(*problem, [&](int block) { return run.contact_name(block); });
}

}  // namespace

void check_dump_steps(const std::vector<int>& steps, const scene::Scene& scene) {
    if (scene.implicit && !steps.empty()) {
        const scene::ImplicitSettings& settings = *scene.implicit_settings;
        if (settings.step.friction != implicit::FrictionMethod::Velocity)
            throw InputError(
                "--dump-problem: the implicit world has a contact problem with step.friction = \"velocity\" alone; add "
                "--set 'step.friction=\"velocity\"'");
        if (settings.dimension == 2) throw InputError("--dump-problem: the file format has no problems of two dimensions");
    }
    const auto total = static_cast<int>(std::llround(scene.duration / scene.dt));
    for (const int step : steps)
        if (step < 1 || step > total)
            throw InputError(fmt::format("--dump-problem {}: must be a step of the run, from 1 to {}", step, total));
}

std::string dump_problem(const scene::Scene& scene, int step, const std::string& out) {
    try {
        fclib::ProblemFile file = scene.implicit ? problem_of(*scene.implicit) : problem_of(scene.world);
        fclib::LocalProblem local = fclib::without_equations(std::get<fclib::LocalProblem>(file.problem));
        local.info = {
            fmt::format("{}, step {}", scene.file.stem().string(), step),
            fmt::format("{} contacts; made by Asperity {} with dt = {:g} s", local.contact_count(), kVersion, scene.dt)};
        file.solution.l.clear();  // multipliers of the equations, which are already eliminated
        file.problem = std::move(local);
        const std::filesystem::path path =
            std::filesystem::path(out) /
            fmt::format("{}-s{:04}-{}.hdf5", scene.file.stem().string(), step, file.contact_count());
        fclib::write_problem(path, file);
        return path.string();
    } catch (const InputError& error) { throw InputError(fmt::format("--dump-problem {}: {}", step, error.what())); }
}

}  // namespace asperity::app
