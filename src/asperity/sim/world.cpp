// Construction of a world, its checks, and sums over its bodies.
#include "asperity/sim/world.h"

#include <fmt/format.h>
#include <algorithm>
#include <cstring>
#include <set>

#include "asperity/core/error.h"
#include "asperity/core/hash.h"
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/sim/cone_parts.h"
#include "asperity/sim/islands.h"
#include "asperity/sim/patch_parts.h"
#include "asperity/sim/query_tree.h"
#include "asperity/surface/footprint_sampler.h"

namespace asperity::sim {

World::World() : data_(std::make_unique<StepData>()), query_tree_(std::make_unique<QueryTree>()) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

int World::index_of(BodyId id, const char* who) const {
    if (id.index < 0 || id.index >= model.bodies.count())
        throw InputError(
            fmt::format("{}: there is no body {}; add_body and find_body give the ids of bodies", who, id.index));
    if (model.bodies.is_removed(id.index) || model.bodies.id(id.index) != id)
        throw InputError(fmt::format("{}: body id {} is stale: that body was removed", who, id.index));
    return id.index;
}

int World::index_of(ColliderId id, const char* who) const {
    if (id.index < 0 || static_cast<size_t>(id.index) >= model.bodies.colliders.size())
        throw InputError(fmt::format("{}: there is no shape {}; World::collider gives the ids of shapes", who, id.index));
    if (model.bodies.is_removed(model.bodies.collider_body[static_cast<size_t>(id.index)]) ||
        model.bodies.collider_id(id.index) != id)
        throw InputError(fmt::format("{}: shape id {} is stale: its body was removed", who, id.index));
    return id.index;
}

int World::index_of(MaterialId id, const char* who) const {
    if (id.index < 0 || static_cast<size_t>(id.index) >= model.materials.size())
        throw InputError(fmt::format("{}: there is no material {}; add_material gives the ids of materials", who, id.index));
    return id.index;
}

size_t World::index_of(JointId id, const char* who) const {
    // Joints lie in the order of their numbers, and removals only move them forward.
    for (auto i = std::min(static_cast<std::ptrdiff_t>(id.number), static_cast<std::ptrdiff_t>(scene_joint_count()) - 1);
         i >= 0; --i)
        if (model.joints[static_cast<size_t>(i)].id == id) return static_cast<size_t>(i);
    if (id.number >= 0 && id.number < next_joint_)
        throw InputError(fmt::format("{}: joint id {} is stale: that joint was removed", who, id.number));
    throw InputError(fmt::format("{}: there is no joint {}; add_joint gives the ids of joints", who, id.number));
}

MaterialId World::add_material(surface::Material material) {
    for (const surface::Material& other : model.materials)
        if (other.name == material.name) throw InputError(fmt::format("material \"{}\" exists already", material.name));
    model.materials.push_back(std::move(material));
    data_->derived.valid = false;
    return MaterialId{static_cast<int>(model.materials.size()) - 1};
}

BodyId World::add_body(const rigid::BodyDesc& desc) {
    const auto fail = [&](const std::string& what) { throw InputError(fmt::format("body \"{}\": {}", desc.name, what)); };
    if (body_index_.contains(desc.name)) fail("a body of this name exists already; names must differ");
    if (desc.colliders.empty()) fail("has no shape");
    std::vector<double> densities;
    for (const surface::Material& material : model.materials) densities.push_back(material.density);
    for (const rigid::Collider& collider : desc.colliders)
        if (collider.material.index < 0 || collider.material.index >= static_cast<int>(model.materials.size()))
            fail(fmt::format("material {} does not exist; add_material comes first", collider.material.index));
    if (!is_finite(desc.pose.position) || !is_finite(desc.velocity) || !is_finite(desc.angular_velocity))
        fail("position and velocities must be finite");
    const rigid::MassProperties mass = rigid::mass_properties(desc, densities);
    const BodyId id = model.bodies.add(desc, mass);
    state.bodies.set(id.index, desc, mass);
    body_index_[desc.name] = id.index;
    data_->search.path.clear();
    data_->derived.valid = false;
    return id;
}

BodyId World::find_body(const std::string& name) const {
    const auto found = body_index_.find(name);
    return found == body_index_.end() ? BodyId{} : model.bodies.id(found->second);
}

bool World::contains(BodyId id) const {
    return id.index >= 0 && id.index < model.bodies.count() && !model.bodies.is_removed(id.index) &&
           model.bodies.id(id.index) == id;
}

ColliderId World::collider(BodyId id, int k) const {
    const auto i = static_cast<size_t>(index_of(id, "collider"));
    if (k < 0 || k >= model.bodies.collider_count[i])
        throw InputError(fmt::format("collider: body \"{}\" has no shape {}; it has {}, counted from 0",
                                     model.bodies.name[i], k, model.bodies.collider_count[i]));
    return model.bodies.collider_id(model.bodies.first_collider[i] + k);
}

JointId World::add_joint(rigid::Joint joint) {
    const std::string who = fmt::format("joint \"{}\"", joint.name);
    for (const BodyId id : {joint.a, joint.b})
        if (!id.is_world()) index_of(id, who.c_str());
    const auto dynamic = [&](BodyId id) { return !id.is_world() && model.is_dynamic(id.index); };
    if (joint_names_.contains(joint.name)) throw InputError(who + ": a joint of this name exists already");
    if (!dynamic(joint.a) && !dynamic(joint.b)) throw InputError(who + ": neither of its bodies can move");
    if (joint.a == joint.b) throw InputError(who + ": joins a body to itself");
    joint_names_.insert(joint.name);
    joint.id = JointId{next_joint_++};
    const JointId id = joint.id;
    const auto index =
        static_cast<std::ptrdiff_t>(scene_joint_count());  // springs of drags come after the joints of the scene
    model.joints.insert(model.joints.begin() + index, std::move(joint));
    state.joint_impulses.insert(state.joint_impulses.begin() + index, {{}});
    data_->derived.valid = false;
    return id;
}

const rigid::Joint& World::joint(JointId id) const { return model.joints[index_of(id, "joint")]; }

double World::joint_force(JointId id) const {
    const size_t i = index_of(id, "joint_force");
    return state.last_dt > 0 ? rigid::joint_force(model.joints[i], state.joint_impulses[i][0], state.last_dt) : 0;
}

void World::set_grain(MaterialId material, surface::Grain grain) {
    const int i = index_of(material, "set_grain");
    model.materials[static_cast<size_t>(i)].grain_field = std::make_shared<surface::Grain>(std::move(grain));
    wake_material(i);
}

void World::set_grain(BodyId body, surface::Grain grain) {
    const auto i = static_cast<size_t>(index_of(body, "set_grain"));
    for (int k = 0; k < model.bodies.collider_count[i]; ++k) set_grain(collider(body, k), grain);
}

void World::set_grain(ColliderId collider, surface::Grain grain) {
    const auto i = static_cast<size_t>(index_of(collider, "set_grain"));
    model.collider_grain.resize(model.bodies.colliders.size());
    model.collider_grain[i] = std::make_shared<const surface::Grain>(std::move(grain));
    wake_neighbours(model.bodies.collider_body[i]);
}

void World::set_slopes(MaterialId material, surface::SlopeTexture slopes) {
    const int i = index_of(material, "set_slopes");
    model.materials[static_cast<size_t>(i)].slopes = std::move(slopes);
    data_->derived.valid = false;
    wake_material(i);
}

void World::set_slopes(BodyId body, surface::SlopeTexture slopes) {
    const auto i = static_cast<size_t>(index_of(body, "set_slopes"));
    for (int k = 0; k < model.bodies.collider_count[i]; ++k) set_slopes(collider(body, k), slopes);
}

void World::set_slopes(ColliderId collider, surface::SlopeTexture slopes) {
    const auto i = static_cast<size_t>(index_of(collider, "set_slopes"));
    const auto* mesh = std::get_if<geometry::Mesh>(&model.bodies.colliders[i].shape);
    if (const auto parts = mesh ? static_cast<size_t>(mesh->triangles->part_count()) : 1;
        slopes.parts && slopes.parts->size() < parts)
        throw InputError(fmt::format("set_slopes: {} normal maps for a mesh of {} parts; give one per part",
                                     slopes.parts->size(), parts));
    model.collider_slopes.resize(model.bodies.colliders.size());
    model.collider_slopes[i] = std::move(slopes);
    data_->derived.valid = false;
    wake_neighbours(model.bodies.collider_body[i]);
}

/// A changed surface affects the bodies that sleep on it. Their contacts with it are among the dormant ones.
void World::wake_neighbours(int body) {
    wake_island(body);
    std::vector<int> touching;
    const auto add = [&](const contact::Contact& c) {
        const auto [a, b] = bodies_of(model, c.pair);
        if (a == body || b == body) touching.push_back(a == body ? b : a);
    };
    for (const contact::Contact& c : state.dormant.contacts) add(c);
    for (const contact::PatchContact& p : state.dormant.patches) add(p.at);
    for (const int other : touching) wake_island(other);
}

void World::wake_material(int material) {
    for (size_t i = 0; i < model.bodies.colliders.size(); ++i)
        if (model.bodies.colliders[i].material.index == material) wake_neighbours(model.bodies.collider_body[i]);
}

namespace {

/// Pairs of materials that can touch: at least one of the two bodies must be dynamic, and the bodies must differ.
std::vector<std::pair<int, int>> touching_materials(const rigid::Bodies& bodies, int material_count) {
    std::vector<std::set<int>> all(static_cast<size_t>(material_count)), moving(static_cast<size_t>(material_count));
    for (size_t i = 0; i < bodies.colliders.size(); ++i) {
        const int body = bodies.collider_body[i];
        if (bodies.is_removed(body)) continue;
        const auto material = static_cast<size_t>(bodies.colliders[i].material.index);
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
        if ((patches || discs) && pair.spin == friction::SpinModel::Integral &&
            std::holds_alternative<friction::Ploughing>(pair.friction.base))
            throw InputError(
                "a pair has spin_model = \"integral\" and normal maps: the integral is over limit surfaces that are "
                "ellipses; "
                "choose spin_model = \"uniform\", or leave the maps out");
        d.any_patches |= patches || discs;
        if (!patches) continue;
        const surface::Stabilisation how = stabilisation_of(settings, pair);
        d.any_volumes |= *how.overlap == surface::OverlapBy::Volume || *how.compliance > 0;
    }
    if (d.valid) return;
    prepare_slopes(model, d);
    build_broad_phase();
    data_->fast.half_thickness.clear();
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
                           std::holds_alternative<geometry::HalfSpace>(collider.shape), model.bodies.removed[body] != 0});
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
