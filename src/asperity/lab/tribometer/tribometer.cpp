#include "asperity/lab/tribometer/tribometer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/core/error.h"
#include "asperity/implicit/step.h"
#include "asperity/implicit/step_data.h"

namespace asperity::lab {
namespace {

/// A step has converged when the last correction of a node is below this part of dhat. Newton's corrections shrink
/// quadratically, so that the error that is left is far smaller: the faces of all 336 runs of Table 4.1 carried the weight
/// to 1e-3 after settling.
constexpr double kTolerance = 5e-3;
/// With local friction: forces are to be right, not only positions, so corrections must be far smaller.
constexpr double kTightTolerance = 1e-7, kFrictionTolerance = 1e-7;
/// Longest way of a node in one iteration, over dhat: longer ones end in contacts that the next iterations must undo.
constexpr double kMostMotion = 25;
/// Stiffness of the guide over Young's modulus (per depth): its give under the weight is a small part of dhat.
constexpr double kGuide = 10;

deform::Elasticity elasticity(const Solid& solid) {
    return {deform::Hyperelastic::NeoHookean, solid.young, solid.poisson, deform::Plane::Strain};
}

/// All moduli and densities are divided by the smaller Young's modulus. Then every force and energy of two descriptions with
/// the same ratios has the same bits: a correctly rounded quotient depends on the ratio alone. Square roots of pivots, say,
/// would differ otherwise.
Solid in_units_of(const Solid& solid, double modulus) {
    Solid out = solid;
    out.young /= modulus;
    out.density /= modulus;
    return out;
}

implicit::SoftDesc<2> body(const std::string& name, const GradedBlock& block, const Solid& solid) {
    implicit::SoftDesc<2> desc;
    desc.name = name;
    desc.mesh = block.mesh;
    desc.elasticity = elasticity(solid);
    desc.density = solid.density;
    desc.damping_stiffness = solid.damping;
    return desc;
}

}  // namespace

Tribometer::Tribometer(const TribometerDesc& desc)
    : lower_(graded_block(desc.lower.face, desc.lower.base, desc.fine_rows)),
      upper_(graded_block_above(desc.upper.face, desc.upper.base, desc.fine_rows)),
      gravity_(desc.gravity),
      modulus_(std::min(desc.lower.solid.young, desc.upper.solid.young)),
      damping_lower_(desc.lower.solid.damping),
      damping_upper_(desc.upper.solid.damping) {
    low_ = world_.add(body("lower", lower_, in_units_of(desc.lower.solid, modulus_)));
    up_ = world_.add(body("upper", upper_, in_units_of(desc.upper.solid, modulus_)));
    world_.set_self_contact(low_, false);
    world_.set_self_contact(up_, false);
    const double base = desc.lower.base;
    world_.prescribe(low_, "base", [base](const Vector<2>& p) { return p[1] == base; });
    world_.model.gravity = Vector<2>(0, -desc.gravity);
    const auto control = control_;
    world_.model.bodies[static_cast<std::size_t>(up_)].push = [control](double) { return Vector<2>(control->push, 0); };
    weight_ = world_.model.bodies[static_cast<std::size_t>(up_)].mass * desc.gravity;

    implicit::Settings& s = world_.model.settings;
    s.integrator = implicit::Integrator::BackwardEuler;
    s.dhat = desc.dhat;
    s.stiffness = desc.stiffness_share;
    s.most_motion = kMostMotion * desc.dhat;
    s.keep_patterns = true;
    if (desc.local_mu > 0) {
        surface::Material material;
        material.name = "face";
        world_.model.materials.push_back(material);
        surface::Pair pair;
        pair.friction.base = friction::Coulomb{desc.local_mu};
        world_.model.shear = {desc.local_mu, desc.local_adhesion / modulus_, desc.local_cap / modulus_};
        world_.model.pairs.set_default(pair);
        s.friction_tolerance = kFrictionTolerance;
    }
    world_.prepare();
}

int Tribometer::triangles() const { return static_cast<int>(lower_.mesh.elements.size() + upper_.mesh.elements.size()); }

Vector<2> Tribometer::centre() const {
    const implicit::Body<2>& b = world_.model.bodies[static_cast<std::size_t>(up_)];
    Vector<2> sum = Vector<2>::Zero();
    for (int k = b.first_node; k < b.first_node + b.node_count; ++k)
        sum += world_.model.node_mass[static_cast<std::size_t>(k)] * world_.state.nodes.x[static_cast<std::size_t>(k)];
    return sum / b.mass;
}

Vector<2> Tribometer::mean_velocity() const {
    const implicit::Body<2>& b = world_.model.bodies[static_cast<std::size_t>(up_)];
    Vector<2> sum = Vector<2>::Zero();
    for (int k = b.first_node; k < b.first_node + b.node_count; ++k)
        sum += world_.model.node_mass[static_cast<std::size_t>(k)] * world_.state.nodes.v[static_cast<std::size_t>(k)];
    return sum / b.mass;
}

void Tribometer::rest() {
    for (Vector<2>& v : world_.state.nodes.v) v.setZero();
    for (Vector<2>& a : world_.state.nodes.a) a.setZero();
}

implicit::StepReport Tribometer::step(double dt) {
    world_.model.settings.tolerance =
        tightness_ * (world_.model.frictional ? kTightTolerance : kTolerance) * world_.model.settings.dhat / dt;
    implicit::StepReport report = implicit::step(world_, dt);
    iterations_ += report.iterations;
    halvings_ += report.halvings;
    ++steps_;
    for (std::size_t k = 0; k < part_ms_.size(); ++k) part_ms_[k] += report.part_ms[k];
    if (!report.done) throw NumericalFailure(report.trouble);
    return report;
}

Tribometer::Settled Tribometer::settle(double dt, double rest_share, int most_steps) {
    Settled out;
    auto& bodies = world_.model.bodies;
    bodies[static_cast<std::size_t>(low_)].damping_stiffness = 0;  // it would only slow the way to the equilibrium down
    bodies[static_cast<std::size_t>(up_)].damping_stiffness = 0;
    const Vector<2> start = centre();
    const double limit = rest_share * gravity_;
    double h = dt;
    for (bool at_rest = false; !at_rest;) {
        if (++out.steps > most_steps)
            throw NumericalFailure(fmt::format("the upper block has not come to rest in {} steps", most_steps));
        const Vector<2> before = centre();
        rest();
        out.iterations += step(h).iterations;
        const double moved = (centre() - before).norm();
        at_rest = moved / (h * h) < limit;
        if (at_rest) {  // stiff faces press too hard or too little although they have hardly a way to go
            Sample sample;
            measure_contact(sample);
            out.normal_over_weight = sample.normal / weight();
            at_rest = std::fabs(out.normal_over_weight - 1) < rest_share;
            if (!at_rest) tightness_ = std::max(0.1 * tightness_, 1e-6);
        }
        if (moved < 5 * world_.model.settings.dhat && h < 1024 * dt) h *= 2;
    }
    rest();
    bodies[static_cast<std::size_t>(low_)].damping_stiffness = damping_lower_;
    bodies[static_cast<std::size_t>(up_)].damping_stiffness = damping_upper_;
    tightness_ = 1;
    out.sink = start[1] - centre()[1];
    out.drift = centre()[0] - start[0];
    return out;
}

void Tribometer::begin(Drive drive) {
    drive_ = std::move(drive);
    rest();
    origin_ = centre();
    begun_ = world_.state.time;
    world_.model.guides.clear();
    *control_ = {};
    if (drive_.kind == Drive::Kind::Force) return;
    const auto control = control_;
    world_.guide(up_, Vector<2>(1, 0), kGuide, [control](double) { return control->place; });
}

Sample Tribometer::advance() {
    Sample out;
    const double time = world_.state.time - begun_ + drive_.dt;
    const double value = drive_.value(time);
    if (drive_.kind == Drive::Kind::Force)
        control_->push = value * gravity_;
    else
        control_->place = value;
    if (drive_.kind == Drive::Kind::Displacement) rest();
    out.iterations = step(drive_.dt).iterations;
    const int iterations = out.iterations;
    out = measure();
    out.iterations = iterations;
    out.push = drive_.kind == Drive::Kind::Force ? value : world_.guide_force(0) / weight_;
    return out;
}

Sample Tribometer::measure() const {
    Sample out;
    out.time = world_.state.time - begun_;
    const Vector<2> moved = centre() - origin_;
    out.slide = moved[0];
    out.height = moved[1];
    out.speed = mean_velocity()[0];
    measure_contact(out);
    return out;
}

std::vector<Tribometer::PointLoad> Tribometer::upper_loads() const {
    const implicit::Body<2>& b = world_.model.bodies[static_cast<std::size_t>(up_)];
    std::vector<Vector<2>> force(static_cast<std::size_t>(b.node_count), Vector<2>::Zero());
    std::vector<ipc::LocalContact<2>> local;
    const implicit::StepData<2>& d = world_.data();
    d.assembly.contact_gradient(world_.model, d.attempt, d.now, d.barrier, local);
    for (const ipc::LocalContact<2>& contact : local)
        for (int a = 0; a < contact.count; ++a) {
            const auto& carrier =
                world_.model.carriers[static_cast<std::size_t>(contact.vertices[static_cast<std::size_t>(a)])];
            if (carrier.body == up_)
                force[static_cast<std::size_t>(carrier.node - b.first_node)] -=
                    modulus_ * contact.gradient.segment<2>(2 * a);
        }
    std::vector<PointLoad> out;
    for (const int p : upper_.face)
        out.push_back(
            {world_.state.nodes.x[static_cast<std::size_t>(b.first_node + p)], force[static_cast<std::size_t>(p)]});
    return out;
}

void Tribometer::measure_contact(Sample& out) const {
    for (const implicit::PairForce& pair : world_.forces())
        if (pair.body_a == low_ && pair.body_b == up_) {
            out.normal = modulus_ * pair.force.z;
            out.tangential = -modulus_ * pair.force.x;
        }
    const std::vector<PointLoad> loads = upper_loads();
    bool before = false;
    for (std::size_t i = 0; i < loads.size(); ++i) {
        const bool presses = loads[i].force[1] > 0;
        out.patches += presses && !before;
        before = presses;
        if (!presses) continue;
        if (i > 0) out.contact_length += 0.5 * (loads[i].place - loads[i - 1].place).norm();
        if (i + 1 < loads.size()) out.contact_length += 0.5 * (loads[i + 1].place - loads[i].place).norm();
    }
}

}  // namespace asperity::lab
