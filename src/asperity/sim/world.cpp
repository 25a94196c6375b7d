// Construction of a world, its checks, and sums over its bodies.
#include "asperity/sim/world.h"

#include <fmt/format.h>
#include <algorithm>
#include <cstring>
#include <set>

#include "asperity/core/error.h"
#include "asperity/core/hash.h"
#include "asperity/sim/cone_parts.h"
#include "asperity/sim/patch_parts.h"
#include "asperity/surface/footprint_sampler.h"

namespace asperity::sim {

World::World() : data_(std::make_unique<StepData>()) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

int World::add_material(surface::Material material) {
    for (const surface::Material& other : model.materials)
        if (other.name == material.name) throw InputError(fmt::format("material \"{}\" exists already", material.name));
    model.materials.push_back(std::move(material));
    data_->derived.valid = false;
    return static_cast<int>(model.materials.size()) - 1;
}

rigid::BodyId World::add_body(const rigid::BodyDesc& desc) {
    const auto fail = [&](const std::string& what) { throw InputError(fmt::format("body \"{}\": {}", desc.name, what)); };
    if (body_index_.contains(desc.name)) fail("a body of this name exists already; names must differ");
    if (desc.colliders.empty()) fail("has no shape");
    std::vector<double> densities;
    for (const surface::Material& material : model.materials) densities.push_back(material.density);
    for (const rigid::Collider& collider : desc.colliders)
        if (collider.material < 0 || collider.material >= static_cast<int>(model.materials.size()))
            fail(fmt::format("material {} does not exist; add_material comes first", collider.material));
    if (!is_finite(desc.pose.position) || !is_finite(desc.velocity) || !is_finite(desc.angular_velocity))
        fail("position and velocities must be finite");
    const rigid::MassProperties mass = rigid::mass_properties(desc, densities);
    const rigid::BodyId id = model.bodies.add(desc, mass);
    state.bodies.add(desc, mass);
    body_index_[desc.name] = id.index;
    data_->derived.valid = false;
    return id;
}

rigid::BodyId World::find_body(const std::string& name) const {
    const auto found = body_index_.find(name);
    return found == body_index_.end() ? rigid::BodyId{} : rigid::BodyId{found->second};
}

int World::add_joint(rigid::Joint joint) {
    const auto dynamic = [&](rigid::BodyId id) {
        return !id.is_world() && model.bodies.motion[static_cast<size_t>(id.index)] == rigid::Motion::Dynamic;
    };
    if (joint_names_.contains(joint.name))
        throw InputError(fmt::format("joint \"{}\": a joint of this name exists already", joint.name));
    if (!dynamic(joint.a) && !dynamic(joint.b))
        throw InputError(fmt::format("joint \"{}\": neither of its bodies can move", joint.name));
    if (joint.a == joint.b) throw InputError(fmt::format("joint \"{}\": joins a body to itself", joint.name));
    joint_names_.insert(joint.name);
    const size_t index = scene_joint_count();  // springs of drags come after the joints of the scene
    model.joints.insert(model.joints.begin() + static_cast<std::ptrdiff_t>(index), std::move(joint));
    state.joint_impulses.insert(state.joint_impulses.begin() + static_cast<std::ptrdiff_t>(index), {{}});
    data_->derived.valid = false;
    return static_cast<int>(index);
}

void World::set_grain(int material, surface::Grain grain) {
    if (material < 0 || material >= static_cast<int>(model.materials.size()))
        throw InputError(fmt::format("set_grain: there is no material {}", material));
    model.materials[static_cast<size_t>(material)].grain_field = std::make_shared<surface::Grain>(std::move(grain));
    wake_material(material);
}

void World::set_grain(rigid::BodyId body, surface::Grain grain) {
    if (body.index < 0 || body.index >= model.bodies.count())
        throw InputError(fmt::format("set_grain: there is no body {}", body.index));
    const auto i = static_cast<size_t>(body.index);
    for (int c = 0; c < model.bodies.collider_count[i]; ++c) set_collider_grain(model.bodies.first_collider[i] + c, grain);
}

void World::set_collider_grain(int collider, surface::Grain grain) {
    const auto i = static_cast<size_t>(collider);
    if (collider < 0 || i >= model.bodies.colliders.size())
        throw InputError(fmt::format("set_collider_grain: there is no shape {}", collider));
    model.collider_grain.resize(model.bodies.colliders.size());
    model.collider_grain[i] = std::make_shared<const surface::Grain>(std::move(grain));
    wake_neighbours(model.bodies.collider_body[i]);
}

void World::set_slopes(int material, surface::SlopeTexture slopes) {
    if (material < 0 || material >= static_cast<int>(model.materials.size()))
        throw InputError(fmt::format("set_slopes: there is no material {}", material));
    model.materials[static_cast<size_t>(material)].slopes = std::move(slopes);
    data_->derived.valid = false;
    wake_material(material);
}

void World::set_slopes(rigid::BodyId body, surface::SlopeTexture slopes) {
    if (body.index < 0 || body.index >= model.bodies.count())
        throw InputError(fmt::format("set_slopes: there is no body {}", body.index));
    const auto i = static_cast<size_t>(body.index);
    for (int c = 0; c < model.bodies.collider_count[i]; ++c) set_collider_slopes(model.bodies.first_collider[i] + c, slopes);
}

void World::set_collider_slopes(int collider, surface::SlopeTexture slopes) {
    const auto i = static_cast<size_t>(collider);
    if (collider < 0 || i >= model.bodies.colliders.size())
        throw InputError(fmt::format("set_collider_slopes: there is no shape {}", collider));
    model.collider_slopes.resize(model.bodies.colliders.size());
    model.collider_slopes[i] = std::move(slopes);
    data_->derived.valid = false;
    wake_neighbours(model.bodies.collider_body[i]);
}

/// A changed surface affects the bodies that sleep on it. Their contacts with it are among the dormant ones.
void World::wake_neighbours(int body) {
    wake({body});
    std::vector<int> touching;
    for (const contact::Contact& c : state.dormant.contacts)
        if (c.body_a == body || c.body_b == body) touching.push_back(c.body_a == body ? c.body_b : c.body_a);
    for (const int other : touching) wake({other});
}

void World::wake_material(int material) {
    for (size_t i = 0; i < model.bodies.colliders.size(); ++i)
        if (model.bodies.colliders[i].material == material) wake_neighbours(model.bodies.collider_body[i]);
}

namespace {

/// Pairs of materials that can touch: at least one of the two bodies must be dynamic, and the bodies must differ.
std::vector<std::pair<int, int>> touching_materials(const rigid::Bodies& bodies, int material_count) {
    std::vector<std::set<int>> all(static_cast<size_t>(material_count)), moving(static_cast<size_t>(material_count));
    for (size_t i = 0; i < bodies.colliders.size(); ++i) {
        const int body = bodies.collider_body[i];
        const auto material = static_cast<size_t>(bodies.colliders[i].material);
        all[material].insert(body);
        if (bodies.motion[static_cast<size_t>(body)] == rigid::Motion::Dynamic) moving[material].insert(body);
    }
    const auto meet = [&](const std::set<int>& movers, const std::set<int>& others) {
        return !movers.empty() && !others.empty() &&
               (movers.size() > 1 || others.size() > 1 || *movers.begin() != *others.begin());
    };
    std::vector<std::pair<int, int>> needed;
    for (int a = 0; a < material_count; ++a)
        for (int b = a; b < material_count; ++b)
            if (meet(moving[static_cast<size_t>(a)], all[static_cast<size_t>(b)]) ||
                meet(moving[static_cast<size_t>(b)], all[static_cast<size_t>(a)]))
                needed.emplace_back(a, b);
    return needed;
}

}  // namespace

void World::prepare() {
    Derived& d = data_->derived;
    const Settings& settings = model.settings;
    if (!d.solver || d.solver->name() != settings.solver) {
        d.solver = solvers::make_solver(settings.solver);
        d.position_solver = dynamic_cast<solvers::PositionSolver*>(d.solver.get());
        if (!d.position_solver) {
            d.other_position_solver = solvers::make_solver("prox");
            d.position_solver = dynamic_cast<solvers::PositionSolver*>(d.other_position_solver.get());
        }
    }
    if (!d.valid)
        model.pairs.resolve(model.materials, touching_materials(model.bodies, static_cast<int>(model.materials.size())));
    d.any_patches = d.any_volumes = false;
    for (int i = 0; i < model.pairs.pair_count(); ++i) {
        const surface::Pair& pair = model.pairs.at(i);
        const bool patches = makes_patches(settings, pair), discs = pair.patch_radius > 0;  // discs of round bodies
        if ((patches || discs) && pair.friction.drilling > 0)
            throw InputError(
                "a pair has drilling and contact_model = \"patches\" or a patch_radius: how a patch resists spinning "
                "follows "
                "from its size; leave drilling out");
        d.any_patches |= patches || discs;
        if (!patches) continue;
        const surface::Stabilisation how = stabilisation_of(settings, pair);
        d.any_volumes |= *how.overlap == surface::OverlapBy::Volume || *how.compliance > 0;
    }
    if (d.valid) return;
    prepare_slopes(model, d);
    build_broad_phase();
    forget_paths();
    d.valid = true;
}

void World::build_broad_phase() {
    PairSearch& search = data_->search;
    std::vector<contact::BroadPhase::Proxy> proxies;
    search.boxes.clear();
    for (size_t i = 0; i < model.bodies.colliders.size(); ++i) {
        const auto body = static_cast<size_t>(model.bodies.collider_body[i]);
        const rigid::Collider& collider = model.bodies.colliders[i];
        proxies.push_back({static_cast<int>(body), model.bodies.motion[body] == rigid::Motion::Dynamic,
                           std::holds_alternative<geometry::HalfSpace>(collider.shape)});
        search.boxes.push_back(geometry::bounds(collider.shape, state.bodies.pose[body] * collider.local));
    }
    std::vector<std::uint64_t> excluded;
    for (const rigid::Joint& joint : model.joints)
        if (!joint.collide && !joint.a.is_world() && !joint.b.is_world())
            excluded.push_back(
                contact::pair_key(std::min(joint.a.index, joint.b.index), std::max(joint.a.index, joint.b.index)));
    search.broad_phase.build(std::move(proxies), std::move(excluded), search.boxes);
}

void World::forget_paths() {
    if (data_->search.path.size() == model.bodies.motion.size()) return;
    data_->search.path.clear();
    for (ContactMemory* memory : {&state.active, &state.dormant})
        for (contact::PairMemory& pair : memory->pair_memory) pair.path = contact::PairMemory{}.path;
}

double World::kinetic_energy() const {
    double sum = 0;
    for (int i = 0; i < model.bodies.count(); ++i) sum += rigid::kinetic_energy(model.bodies, state.bodies, i);
    return sum;
}

double World::potential_energy() const {
    double sum = 0;
    for (size_t i = 0; i < model.bodies.motion.size(); ++i)
        if (model.bodies.motion[i] == rigid::Motion::Dynamic)
            sum -= model.bodies.mass[i] * dot(model.settings.gravity, state.bodies.pose[i].position);
    return sum;
}

Vec3 World::linear_momentum() const {
    Vec3 sum;
    for (size_t i = 0; i < model.bodies.motion.size(); ++i)
        if (model.bodies.motion[i] == rigid::Motion::Dynamic) sum += model.bodies.mass[i] * state.bodies.velocity[i];
    return sum;
}

Vec3 World::angular_momentum() const {
    Vec3 sum;
    for (size_t i = 0; i < model.bodies.motion.size(); ++i) {
        if (model.bodies.motion[i] != rigid::Motion::Dynamic) continue;
        sum += rigid::inertia_world(model.bodies, static_cast<int>(i), state.bodies.pose[i].orientation) *
                   state.bodies.angular_velocity[i] +
               model.bodies.mass[i] * cross(state.bodies.pose[i].position, state.bodies.velocity[i]);
    }
    return sum;
}

}  // namespace asperity::sim
