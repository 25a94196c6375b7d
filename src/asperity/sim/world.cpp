#include "asperity/sim/world.h"

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cstring>
#include <set>

#include "asperity/core/error.h"
#include "asperity/core/hash.h"
#include "asperity/sim/step_data.h"
#include "asperity/surface/patch_sampler.h"

namespace asperity::sim {

World::World() : data_(std::make_unique<StepData>()) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

int World::add_material(surface::Material material) {
    for (const surface::Material& other : materials)
        if (other.name == material.name) throw InputError(fmt::format("material \"{}\" exists already", material.name));
    materials.push_back(std::move(material));
    data_->prepared = false;
    return static_cast<int>(materials.size()) - 1;
}

rigid::BodyId World::add_body(const rigid::BodyDesc& desc) {
    const auto fail = [&](const std::string& what) { throw InputError(fmt::format("body \"{}\": {}", desc.name, what)); };
    if (body_index_.contains(desc.name)) fail("a body of this name exists already; names must differ");
    if (desc.colliders.empty()) fail("has no shape");
    std::vector<double> densities;
    for (const surface::Material& material : materials) densities.push_back(material.density);
    for (const rigid::Collider& collider : desc.colliders)
        if (collider.material < 0 || collider.material >= static_cast<int>(materials.size()))
            fail(fmt::format("material {} does not exist; add_material comes first", collider.material));
    if (!is_finite(desc.pose.position) || !is_finite(desc.velocity) || !is_finite(desc.angular_velocity))
        fail("position and velocities must be finite");
    const rigid::BodyId id = bodies.add(desc, rigid::mass_properties(desc, densities));
    body_index_[desc.name] = id.index;
    data_->prepared = false;
    return id;
}

rigid::BodyId World::find_body(const std::string& name) const {
    const auto found = body_index_.find(name);
    return found == body_index_.end() ? rigid::BodyId{} : rigid::BodyId{found->second};
}

int World::add_joint(rigid::Joint joint) {
    const auto dynamic = [&](rigid::BodyId id) {
        return !id.is_world() && bodies.motion[static_cast<size_t>(id.index)] == rigid::Motion::Dynamic;
    };
    if (joint_names_.contains(joint.name))
        throw InputError(fmt::format("joint \"{}\": a joint of this name exists already", joint.name));
    if (!dynamic(joint.a) && !dynamic(joint.b))
        throw InputError(fmt::format("joint \"{}\": neither of its bodies can move", joint.name));
    if (joint.a == joint.b) throw InputError(fmt::format("joint \"{}\": joins a body to itself", joint.name));
    joint_names_.insert(joint.name);
    const size_t index = scene_joint_count();  // drags stay behind the joints of the scene
    joints.insert(joints.begin() + static_cast<std::ptrdiff_t>(index), std::move(joint));
    joint_impulses.insert(joint_impulses.begin() + static_cast<std::ptrdiff_t>(index), {{}});
    data_->prepared = false;
    return static_cast<int>(index);
}

void World::set_grain(int material, surface::Grain grain) {
    if (material < 0 || material >= static_cast<int>(materials.size()))
        throw InputError(fmt::format("set_grain: there is no material {}", material));
    materials[static_cast<size_t>(material)].grain_field = std::make_shared<surface::Grain>(std::move(grain));
    wake_material(material);
}

void World::set_grain(rigid::BodyId body, surface::Grain grain) {
    if (body.index < 0 || body.index >= bodies.count())
        throw InputError(fmt::format("set_grain: there is no body {}", body.index));
    const auto i = static_cast<size_t>(body.index);
    for (int c = 0; c < bodies.collider_count[i]; ++c) set_collider_grain(bodies.first_collider[i] + c, grain);
}

void World::set_collider_grain(int collider, surface::Grain grain) {
    const auto i = static_cast<size_t>(collider);
    if (collider < 0 || i >= bodies.colliders.size())
        throw InputError(fmt::format("set_collider_grain: there is no shape {}", collider));
    collider_grain_.resize(bodies.colliders.size());
    collider_grain_[i] = std::make_shared<const surface::Grain>(std::move(grain));
    wake_neighbours(bodies.collider_body[i]);
}

std::shared_ptr<const surface::Grain> World::shared_grain_of(int collider) const {
    return grain_of(collider) ? collider_grain_[static_cast<size_t>(collider)] : nullptr;
}

void World::set_slopes(int material, surface::SlopeTexture slopes) {
    if (material < 0 || material >= static_cast<int>(materials.size()))
        throw InputError(fmt::format("set_slopes: there is no material {}", material));
    materials[static_cast<size_t>(material)].slopes = std::move(slopes);
    data_->prepared = false;
    wake_material(material);
}

void World::set_slopes(rigid::BodyId body, surface::SlopeTexture slopes) {
    if (body.index < 0 || body.index >= bodies.count())
        throw InputError(fmt::format("set_slopes: there is no body {}", body.index));
    const auto i = static_cast<size_t>(body.index);
    for (int c = 0; c < bodies.collider_count[i]; ++c) set_collider_slopes(bodies.first_collider[i] + c, slopes);
}

void World::set_collider_slopes(int collider, surface::SlopeTexture slopes) {
    const auto i = static_cast<size_t>(collider);
    if (collider < 0 || i >= bodies.colliders.size())
        throw InputError(fmt::format("set_collider_slopes: there is no shape {}", collider));
    collider_slopes_.resize(bodies.colliders.size());
    collider_slopes_[i] = std::move(slopes);
    data_->prepared = false;
    wake_neighbours(bodies.collider_body[i]);
}

const surface::SlopeTexture* World::slopes_of(int collider) const {
    const auto i = static_cast<size_t>(collider);
    if (i < collider_slopes_.size() && collider_slopes_[i].map) return &collider_slopes_[i];
    const surface::SlopeTexture& own = materials[static_cast<size_t>(bodies.colliders[i].material)].slopes;
    return own.map ? &own : nullptr;
}

/// Who sleeps on a changed surface feels it: their contacts with it lie among the dormant ones.
void World::wake_neighbours(int body) {
    wake({body});
    std::vector<int> touching;
    for (const contact::Contact& c : dormant_contacts)
        if (c.body_a == body || c.body_b == body) touching.push_back(c.body_a == body ? c.body_b : c.body_a);
    for (const int other : touching) wake({other});
}

void World::wake_material(int material) {
    for (size_t i = 0; i < bodies.colliders.size(); ++i)
        if (bodies.colliders[i].material == material) wake_neighbours(bodies.collider_body[i]);
}

namespace {

/// Pairs of materials that can meet: one of the two bodies must be dynamic, and they must be different bodies.
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
    StepData& d = *data_;
    if (!d.solver || d.solver->name() != settings.solver) {
        d.solver = solvers::make_solver(settings.solver);
        d.position_solver = dynamic_cast<solvers::PositionSolver*>(d.solver.get());
        if (!d.position_solver) {
            d.other_position_solver = solvers::make_solver("prox");
            d.position_solver = dynamic_cast<solvers::PositionSolver*>(d.other_position_solver.get());
        }
    }
    if (!d.prepared) pairs.resolve(materials, touching_materials(bodies, static_cast<int>(materials.size())));
    d.any_patches = d.any_volumes = false;
    for (int i = 0; i < pairs.pair_count(); ++i) {
        d.any_patches |= pairs.at(i).patch_radius > 0;  // discs of round bodies
        if (!makes_patches(*this, pairs.at(i))) continue;
        d.any_patches = true;
        const surface::Stabilisation how = stabilisation_of(*this, pairs.at(i));
        d.any_volumes |= *how.overlap == surface::OverlapBy::Volume || *how.compliance > 0;
    }
    for (int i = 0; i < pairs.pair_count(); ++i)
        if ((makes_patches(*this, pairs.at(i)) || pairs.at(i).patch_radius > 0) && pairs.at(i).friction.drilling > 0)
            throw InputError(
                "a pair has drilling and contact_model = \"patches\" or a patch_radius: how a patch resists spinning "
                "follows from its size; leave drilling out");
    if (d.prepared) return;
    prepare_slopes(*this, d);

    std::vector<contact::BroadPhase::Proxy> proxies;
    d.boxes.clear();
    for (size_t i = 0; i < bodies.colliders.size(); ++i) {
        const auto body = static_cast<size_t>(bodies.collider_body[i]);
        const rigid::Collider& collider = bodies.colliders[i];
        proxies.push_back({static_cast<int>(body), bodies.motion[body] == rigid::Motion::Dynamic,
                           std::holds_alternative<geometry::HalfSpace>(collider.shape)});
        d.boxes.push_back(geometry::bounds(collider.shape, bodies.pose[body] * collider.local));
    }
    std::vector<std::uint64_t> excluded;
    for (const rigid::Joint& joint : joints)
        if (!joint.collide && !joint.a.is_world() && !joint.b.is_world())
            excluded.push_back(
                contact::pair_key(std::min(joint.a.index, joint.b.index), std::max(joint.a.index, joint.b.index)));
    d.broad_phase.build(std::move(proxies), std::move(excluded), d.boxes);
    d.prepared = true;
}

double World::kinetic_energy() const {
    double sum = 0;
    for (int i = 0; i < bodies.count(); ++i) sum += bodies.kinetic_energy(i);
    return sum;
}

double World::potential_energy() const {
    double sum = 0;
    for (size_t i = 0; i < bodies.motion.size(); ++i)
        if (bodies.motion[i] == rigid::Motion::Dynamic)
            sum -= bodies.mass[i] * dot(settings.gravity, bodies.pose[i].position);
    return sum;
}

Vec3 World::linear_momentum() const {
    Vec3 sum;
    for (size_t i = 0; i < bodies.motion.size(); ++i)
        if (bodies.motion[i] == rigid::Motion::Dynamic) sum += bodies.mass[i] * bodies.velocity[i];
    return sum;
}

Vec3 World::angular_momentum() const {
    Vec3 sum;
    for (size_t i = 0; i < bodies.motion.size(); ++i) {
        if (bodies.motion[i] != rigid::Motion::Dynamic) continue;
        sum += bodies.inertia_world(static_cast<int>(i), bodies.pose[i].orientation) * bodies.angular_velocity[i] +
               bodies.mass[i] * cross(bodies.pose[i].position, bodies.velocity[i]);
    }
    return sum;
}

StageTimer::StageTimer(StepReport& report, Stage stage) : report_(report), stage_(stage) {
    start_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
StageTimer::~StageTimer() {
    const double now =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
    report_.stage_ms[static_cast<size_t>(stage_)] += now - start_;
}

}  // namespace asperity::sim
