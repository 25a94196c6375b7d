#include "asperity/sim/last_problem.h"

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/sim/step_data.h"
#include "asperity/sim/world.h"

namespace asperity::sim {
namespace {

const Assembly& last_assembly(const World& world) {
    const Assembly& assembly = world.data().assembly;
    if (assembly.joint_block.empty())
        throw InputError(
            "last_problem: the world has made no step since it was built, restored or had something removed; step it first");
    return assembly;
}

}  // namespace

solvers::ContactProblem last_problem(const World& world) {
    const StepData& d = world.data();
    const Assembly& assembly = last_assembly(world);
    const solvers::ContactProblem& solved = assembly.problem;
    solvers::ContactProblem out;
    out.reset(static_cast<int>(solved.velocity.size()), static_cast<int>(solved.contacts.size()),
              static_cast<int>(solved.patches.size()));
    out.velocity = d.motion.free_velocity;  // prepare() adds the effect of the impulses
    out.inverse_mass = solved.inverse_mass;
    out.inverse_inertia = solved.inverse_inertia;
    out.contacts = solved.contacts;
    out.contact_impulse = solved.contact_impulse;
    out.patches = solved.patches;
    for (int k = 0; k < assembly.joint_block.back(); ++k) {
        const solvers::Block& from = solved.blocks[static_cast<size_t>(k)];
        solvers::Block& to = out.add_block(from.kind, from.rows, from.a, from.b);
        to.low = from.low;
        to.high = from.high;
        for (int r = 0; r < from.rows; ++r) {
            const auto i = static_cast<size_t>(from.first_row + r), o = static_cast<size_t>(to.first_row + r);
            out.jacobian[o] = solved.jacobian[i];
            out.bias[o] = solved.bias[i];
            out.compliance[o] = solved.compliance[i];
            out.impulse[o] = solved.impulse[i];
        }
    }
    out.prepare();
    return out;
}

std::string block_name(const World& world, int block) {
    const Model& model = world.model;
    const Assembly& assembly = last_assembly(world);
    const auto body = [&](int i) {
        return i < model.bodies.count() ? model.bodies.name[static_cast<size_t>(i)] : std::string("world");
    };
    if (const int i = block - assembly.joint_block.back(), k = i - static_cast<int>(assembly.problem.contacts.size());
        k >= 0) {
        const solvers::PatchConstraint& c = assembly.problem.patches[static_cast<size_t>(k)];
        return fmt::format("patch {} of '{}' and '{}'", k, body(c.a), body(c.b));
    } else if (i >= 0) {
        const solvers::PointContact& c = assembly.problem.contacts[static_cast<size_t>(i)];
        return fmt::format("contact {} of '{}' and '{}'", i, body(c.a), body(c.b));
    }
    size_t joint = 0;
    while (joint + 1 < model.joints.size() && assembly.joint_block[joint + 1] <= block) ++joint;
    return fmt::format("joint '{}'", model.joints[joint].name);
}

}  // namespace asperity::sim
