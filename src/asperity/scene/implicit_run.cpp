#include "asperity/scene/implicit_run.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "asperity/core/error.h"
#include "asperity/deform/damping.h"
#include "asperity/deform/stress.h"
#include "asperity/implicit/kinematics.h"
#include "asperity/implicit/step.h"
#include "asperity/implicit/step_data.h"
#include "asperity/scene/implicit_settings.h"
#include "asperity/scene/skin.h"
#include "asperity/scene/soft_mesh.h"

namespace asperity::scene {
namespace {

using implicit::from_vec3;

/// Contact distance over the diagonal of the box of all bodies that move.
constexpr double kDistanceShare = 1e-3;

geometry::Aabb box_of_body(const sim::World& world, int body) {
    const rigid::Bodies& bodies = world.model.bodies;
    const auto b = static_cast<std::size_t>(body);
    geometry::Aabb box{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
    for (int c = bodies.first_collider[b]; c < bodies.first_collider[b] + bodies.collider_count[b]; ++c) {
        const rigid::Collider& collider = bodies.colliders[static_cast<std::size_t>(c)];
        const geometry::Aabb part = geometry::bounds(collider.shape, world.state.bodies.pose[b] * collider.local);
        for (int k = 0; k < 3; ++k) {
            box.low[k] = std::fmin(box.low[k], part.low[k]);
            box.high[k] = std::fmax(box.high[k], part.high[k]);
        }
    }
    return box;
}

double default_distance(const sim::World& world) {
    geometry::Aabb all{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
    for (int b = 0; b < world.model.bodies.count(); ++b) {
        if (world.model.bodies.motion[static_cast<std::size_t>(b)] != rigid::Motion::Dynamic) continue;
        const geometry::Aabb box = box_of_body(world, b);
        for (int k = 0; k < 3; ++k) {
            all.low[k] = std::fmin(all.low[k], box.low[k]);
            all.high[k] = std::fmax(all.high[k], box.high[k]);
        }
    }
    const double diagonal = length(all.high - all.low);
    return std::isfinite(diagonal) && diagonal > 0 && all.low.x <= all.high.x ? kDistanceShare * diagonal : 1e-3;
}

/// Bodies that `on` placed touch the body below. Rigid shapes are drawn in by half the contact distance, soft ones are not:
/// each soft body of such a pair is lifted by as much.
void lift_placed_bodies(sim::World& world, const ImplicitSettings& settings, double dhat) {
    std::vector<double> lift(static_cast<std::size_t>(world.model.bodies.count()), 0);
    for (const auto& [body, lower] : settings.lies_on) {  // a body comes after what it lies on
        const double soft = static_cast<double>(settings.soft.contains(body) + settings.soft.contains(lower));
        double& own = lift[static_cast<std::size_t>(body)];
        own = lift[static_cast<std::size_t>(lower)] + 0.5 * dhat * soft;
        const Quat& q = world.state.bodies.pose[static_cast<std::size_t>(lower)].orientation;
        world.state.bodies.pose[static_cast<std::size_t>(body)].position += own * rotate(q, {0, 0, 1});
    }
}

template <int Dim>
class Run final : public ImplicitRun {
  public:
    Run(sim::World& world, const ImplicitSettings& settings, std::vector<std::string>& notes)
        : inset_(0.5 * settings.step.dhat), clock_(settings.clock) {
        world_.model.settings = settings.step;
        world_.model.gravity = from_vec3<Dim>(world.model.settings.gravity);
        if (Dim == 2 && world.model.settings.gravity.y != 0)
            throw InputError("world.gravity: in two dimensions its y component must be 0");
        world_.model.materials = world.model.materials;
        world_.model.pairs = world.model.pairs;
        const int count = world.model.bodies.count();
        start_.resize(static_cast<std::size_t>(count));
        authored_.resize(static_cast<std::size_t>(count));
        com_.resize(static_cast<std::size_t>(count));
        meshes_.resize(static_cast<std::size_t>(count));
        path_.resize(static_cast<std::size_t>(count));
        for (int b = 0; b < count; ++b) add_body(world, settings, b, notes);
        for (const rigid::Joint& joint : world.model.joints) add_joint(world, joint);
        for (const auto& [a, b] : settings.ignored) world_.ignore(a, b);
        for (const auto& [body, soft] : settings.soft)
            if (!soft.self_contact) world_.set_self_contact(body, false);
        world_.prepare();
        last_ = implicit::measure(world_);
    }

    implicit::StepReport step(sim::World& world, double dt) override {
        *clock_ = world_.state.time + dt;
        last_ = implicit::step(world_, dt);
        follow(world);
        return last_;
    }

    double kinetic_energy() const override { return last_.kinetic_energy; }
    double potential_energy() const override { return last_.gravity_energy + last_.elastic_energy + last_.barrier_energy; }
    double dhat() const override { return world_.dhat(); }
    double stiffness() const override { return world_.stiffness(); }
    std::string size() const override {
        return fmt::format("{} elements, {} unknowns", world_.model.elements.nodes.size(), Dim * world_.model.node_count());
    }

    std::vector<record::ForceSample> forces() const override {
        std::vector<record::ForceSample> out;
        int region = 0;  // forces on regions come last, in their order, with their body as both
        for (const implicit::PairForce& f : world_.forces())
            out.push_back({f.body_a == f.body_b ? -2 - region++ : f.body_a, f.body_b, f.force, f.torque});
        return out;
    }

    std::vector<record::ContactSample> contacts() const override {
        std::vector<record::ContactSample> out;
        for (const implicit::ContactForce& c : world_.contacts()) {
            if (c.body_a == c.body_b) continue;
            record::ContactSample sample;
            sample.body_a = c.body_a;
            sample.body_b = c.body_b;
            sample.point = c.point;
            sample.normal = c.normal;
            sample.force = c.force;
            sample.t = c.load > 0 ? c.t : any_tangent(c.normal);
            sample.mu_t = c.mu.x;
            sample.mu_b = c.mu.y;
            sample.gap = c.gap;
            if (c.load > 0) {
                sample.limit = c.limit;
                sample.margin = c.margin;
                sample.spare = c.spare;
                sample.creep_bound = c.creep_bound;
            }
            out.push_back(sample);
        }
        return out;
    }

    std::vector<implicit::PairHold> holds() const override { return world_.holds(); }

    const solvers::AssembledProblem* contact_problem() const override { return world_.contact_problem(); }
    std::string contact_name(int block) const override { return world_.contact_name(block); }

    std::vector<record::Deformation> deformations() const override {
        std::vector<record::Deformation> out;
        for (std::size_t b = 0; b < meshes_.size(); ++b) {
            if (!meshes_[b]) continue;
            const implicit::Body<Dim>& body = world_.model.bodies[b];
            record::Deformation d{static_cast<int>(b), {}, {}, {}};
            for (int i = body.first_node; i < body.first_node + body.node_count; ++i)
                d.positions.push_back(to_vec3(world_.state.nodes.x[static_cast<std::size_t>(i)]));
            for (int e = body.first_element; e < body.first_element + body.element_count; ++e) {
                const deform::Stress<Dim> stress =
                    deform::stress(world_.model.elements, std::span<const Vector<Dim>>(world_.state.nodes.x), e);
                d.von_mises.push_back(static_cast<float>(stress.von_mises));
                d.pressure.push_back(static_cast<float>(stress.pressure));
            }
            out.push_back(std::move(d));
        }
        return out;
    }
    std::shared_ptr<const record::DeformableMesh> mesh(int body) const override {
        return meshes_[static_cast<std::size_t>(body)];
    }
    std::vector<std::string> regions() const override {
        std::vector<std::string> out;
        for (const implicit::Region<Dim>& region : world_.model.regions)
            out.push_back(world_.model.bodies[static_cast<std::size_t>(region.body)].name + "." + region.name);
        return out;
    }

    int nearest_node(int body, const Vec3& point) const override {
        const Vec3 rest_point = authored_[static_cast<std::size_t>(body)] * point;
        const implicit::Body<Dim>& b = world_.model.bodies[static_cast<std::size_t>(body)];
        if (b.kind != implicit::Kind::Soft) return -1;
        const std::vector<Vec3>& rest = meshes_[static_cast<std::size_t>(body)]->rest;
        const auto nearest = std::min_element(rest.begin(), rest.end(), [&](const Vec3& p, const Vec3& q) {
            return length(p - rest_point) < length(q - rest_point);
        });
        return b.first_node + static_cast<int>(nearest - rest.begin());
    }
    Vec3 node_start(int node) const override { return to_vec3(world_.data().rest[static_cast<std::size_t>(node)]); }
    Vec3 node_position(int node) const override { return to_vec3(world_.state.nodes.x[static_cast<std::size_t>(node)]); }
    Vec3 node_velocity(int node) const override { return to_vec3(world_.state.nodes.v[static_cast<std::size_t>(node)]); }

    std::string state_hash() const override { return world_.state_hash(); }
    std::string save_state() const override { return world_.save_state(); }
    void restore_state(const std::string& bytes, sim::World& world) override {
        world_.restore_state(bytes);
        *clock_ = world_.state.time;
        last_ = implicit::measure(world_);
        follow(world);
    }

  private:
    void add_body(sim::World& world, const ImplicitSettings& settings, int b, std::vector<std::string>& notes) {
        const auto i = static_cast<std::size_t>(b);
        const std::string& name = world.model.bodies.name[i];
        start_[i] = world.state.bodies.pose[i];
        com_[i] = start_[i];
        authored_[i] = rigid::authored_pose(world.model.bodies, world.state.bodies, b);
        const auto thickness = settings.thickness.find(b);
        const double thick = thickness == settings.thickness.end() ? 0 : thickness->second;
        try {
            const auto soft = settings.soft.find(b);
            if (soft != settings.soft.end())
                add_soft(world, b, soft->second, settings, thick, notes);
            else if (world.model.bodies.motion[i] == rigid::Motion::Dynamic)
                add_affine(world, b, settings, thick);
            else
                add_obstacle(world, b, thick);
            set_surface_parts(world, b);
        } catch (const InputError& error) {
            const std::string what = error.what();
            throw InputError(what.find('\'' + name + '\'') == std::string::npos ? fmt::format("body '{}': {}", name, what)
                                                                                : what);
        }
    }

    /// One part of the surface per shape of a body, for the friction on it.
    void set_surface_parts(const sim::World& world, int b) {
        const auto i = static_cast<std::size_t>(b);
        implicit::Model<Dim>& model = world_.model;
        const auto [first, end] = colliders(world, b);
        int vertex = model.bodies[i].first_vertex;
        for (int c = first; c < end; ++c) {
            const rigid::Collider& collider = world.model.bodies.colliders[static_cast<std::size_t>(c)];
            if (c > first) model.parts.emplace_back();  // World::add() has made the first
            implicit::SurfacePart& part = model.parts.back();
            part.body = b;
            part.material = collider.material.index;
            part.axes = authored_[i];
            part.shape = collider.shape;
            part.shape_pose = {collider.local.position + world.model.bodies.center[i], collider.local.orientation};
            const auto own = static_cast<std::size_t>(c);
            if (own < world.model.collider_grain.size()) part.grain = world.model.collider_grain[own];
            if (own < world.model.collider_slopes.size()) part.slopes = world.model.collider_slopes[own];
            const bool only = end - first == 1;
            const int count =
                only ? model.bodies[i].vertex_count : static_cast<int>(skin_of<Dim>(collider.shape, inset_).points.size());
            for (int k = 0; k < count; ++k)
                model.vertex_part[static_cast<std::size_t>(vertex++)] = static_cast<int>(model.parts.size()) - 1;
        }
    }

    void check_turn(const Pose& pose) const {
        if (Dim == 2 && std::hypot(pose.orientation.x, pose.orientation.z) > 1e-12)
            throw InputError("in two dimensions bodies turn about the y axis alone: pitch_deg, not roll_deg or yaw_deg");
    }
    std::pair<int, int> colliders(const sim::World& world, int b) const {
        const auto i = static_cast<std::size_t>(b);
        const int first = world.model.bodies.first_collider[i];
        return {first, first + world.model.bodies.collider_count[i]};
    }
    implicit::Skin<Dim> skin_of_body(const sim::World& world, int b) const {
        implicit::Skin<Dim> skin;
        const auto [first, end] = colliders(world, b);
        for (int c = first; c < end; ++c) {
            const rigid::Collider& collider = world.model.bodies.colliders[static_cast<std::size_t>(c)];
            check_turn(collider.local);
            append(skin, skin_of<Dim>(collider.shape, inset_), collider.local);
        }
        return skin;
    }

    /// Fixed and kinematic bodies. A half-space is lowered by the inset of other shapes.
    void add_obstacle(const sim::World& world, int b, double thickness) {
        const auto i = static_cast<std::size_t>(b);
        const rigid::Bodies& bodies = world.model.bodies;
        const auto [first, end] = colliders(world, b);
        const rigid::Collider& only = bodies.colliders[static_cast<std::size_t>(first)];
        const bool plane = std::holds_alternative<geometry::HalfSpace>(only.shape);
        for (int c = first; c < end; ++c)
            if (end - first > 1 &&
                std::holds_alternative<geometry::HalfSpace>(bodies.colliders[static_cast<std::size_t>(c)].shape))
                throw InputError("a half-space must be the only shape of its body in the implicit world");
        check_turn(start_[i]);
        implicit::ObstacleDesc<Dim> desc;
        desc.name = bodies.name[i];
        desc.thickness = thickness;
        const Pose local = plane ? only.local * Pose{{0, 0, -inset_}, {}} : Pose{};
        desc.pose = start_[i] * local;
        if (plane) {
            // the plane's own axes turn freely about its normal
            if (Dim == 2 && std::fabs(rotate(desc.pose.orientation, {0, 0, 1}).y) > 1e-12)
                throw InputError("in two dimensions its normal must lie in the plane y = 0");
        } else {
            desc.skin = skin_of_body(world, b);
        }
        if (bodies.motion[i] == rigid::Motion::Kinematic && bodies.path[i]) {
            path_[i] = [path = bodies.path[i], center = bodies.center[i]](double t) { return path(t) * Pose{center, {}}; };
            desc.path = [path = path_[i], local](double t) { return path(t) * local; };
        }
        world_.add(desc);
    }

    void add_affine(sim::World& world, int b, const ImplicitSettings& settings, double thickness) {
        const auto i = static_cast<std::size_t>(b);
        rigid::Bodies& bodies = world.model.bodies;
        check_turn(start_[i]);
        implicit::AffineDesc<Dim> desc;
        desc.name = bodies.name[i];
        desc.skin = skin_of_body(world, b);
        desc.pose = start_[i];
        desc.velocity = world.state.bodies.velocity[i];
        desc.angular_velocity = world.state.bodies.angular_velocity[i];
        desc.thickness = thickness;
        if constexpr (Dim == 3) {
            desc.mass = bodies.mass[i];
            desc.inertia = bodies.inertia[i];
            const auto [first, end] = colliders(world, b);
            for (int c = first; c < end; ++c)
                desc.volume += geometry::volume_integrals(bodies.colliders[static_cast<std::size_t>(c)].shape).volume;
        } else {
            add_section_mass(world, b, settings, desc);
            bodies.mass[i] = desc.mass;
            bodies.inverse_mass[i] = 1 / desc.mass;
        }
        world_.add(desc);
    }

    /// Mass per metre of depth, and the moment of inertia about y, of the sections of a body.
    void add_section_mass(const sim::World& world, int b, const ImplicitSettings& settings,
                          implicit::AffineDesc<Dim>& desc) {
        const auto [first, end] = colliders(world, b);
        double moment = 0, area_moment = 0;
        Vec3 centre;
        for (int c = first; c < end; ++c) {
            const rigid::Collider& collider = world.model.bodies.colliders[static_cast<std::size_t>(c)];
            const Section s = section_of(collider.shape);
            const double mass = s.area * world.model.materials[static_cast<std::size_t>(collider.material.index)].density;
            const Vec3 at = collider.local * s.centre;
            desc.volume += s.area;
            desc.mass += mass;
            centre += mass * at;
            const double about_origin = s.xx + s.zz;  // of the shape's axes; moved to the body's by the rule of Steiner
            const double about_centre = about_origin - s.area * dot(s.centre, s.centre);
            area_moment = about_centre + s.area * dot(at, at);
            moment += mass / s.area * area_moment;
        }
        if (length(centre) > 1e-9 * desc.mass * std::sqrt(desc.volume))
            throw InputError(
                "in two dimensions the centre of mass of its section must be that of the body: take shapes that are "
                "prisms along y");
        const auto given = settings.mass.find(b);
        if (given != settings.mass.end()) {
            moment *= given->second / desc.mass;
            desc.mass = given->second;
        }
        // only the sum of the two second moments matters in the plane; halves of it give axes of equal moment
        desc.inertia = Mat3::diagonal({0.5 * moment, moment, 0.5 * moment});
    }

    void add_soft(sim::World& world, int b, const SoftBody& soft, const ImplicitSettings& settings, double thickness,
                  std::vector<std::string>& notes) {
        const auto i = static_cast<std::size_t>(b);
        rigid::Bodies& bodies = world.model.bodies;
        const rigid::Collider& collider = bodies.colliders[static_cast<std::size_t>(colliders(world, b).first)];
        check_turn(start_[i]);
        check_turn(collider.local);
        const Pose place = start_[i] * collider.local;
        implicit::SoftDesc<Dim> desc;
        desc.name = bodies.name[i];
        desc.mesh = soft_mesh<Dim>(collider.shape, soft, notes, desc.name);
        for (Vector<Dim>& p : desc.mesh.points) p = from_vec3<Dim>(place * to_vec3(p));
        desc.elasticity = soft.elasticity;
        desc.density = world.model.materials[static_cast<std::size_t>(collider.material.index)].density;
        const auto given = settings.mass.find(b);
        if (given != settings.mass.end()) desc.density = given->second / deform::report(desc.mesh).volume;
        desc.damping_mass = soft.damping_mass;
        desc.damping_stiffness = soft.critical_damping ? critical_damping(desc) : soft.damping_stiffness;
        desc.velocity = world.state.bodies.velocity[i];
        desc.angular_velocity = world.state.bodies.angular_velocity[i];
        desc.thickness = thickness;
        const int index = world_.add(desc);
        bodies.mass[i] = world_.model.bodies[static_cast<std::size_t>(index)].mass;
        bodies.inverse_mass[i] = 1 / bodies.mass[i];
        start_[i].position = world_.center_of_mass(index);
        world.state.bodies.pose[i] = start_[i];
        meshes_[i] = recorded_mesh(desc.mesh, collider.shape);
        for (const SoftRegion& hold : soft.holds) add_hold(index, place, hold);
        for (const SoftRegion& load : soft.loads) add_load(index, place, load);
    }

    /// Damping by stiffness that is critical for the fastest vibration of the free body at rest (T3.38 with alpha = 0).
    static double critical_damping(const implicit::SoftDesc<Dim>& desc) {
        const deform::Elements<Dim> elements = deform::make_elements(desc.mesh, desc.elasticity, 0);
        const std::vector<double> mass = deform::lumped_mass(desc.mesh, desc.density);
        const deform::Extremes extremes = deform::extreme_eigenvalues(
            elements, std::span<const Vector<Dim>>(desc.mesh.points), std::span<const double>(mass));
        return deform::critical_at(std::sqrt(extremes.highest)).stiffness;
    }

    /// Joints by stiff springs: one for a ball joint, two on the axis for a hinge, three (2D: two) for a weld.
    void add_joint(const sim::World& world, const rigid::Joint& joint) {
        const int a = joint.a.index, b = joint.b.index;
        const Pose frame = a < 0 ? joint.frame_a : com_[static_cast<std::size_t>(a)] * joint.frame_a;
        const double reach = 0.25 * length(box_of_body(world, b).high - box_of_body(world, b).low);
        const auto attach = [&](const Vec3& local) { world_.attach(a, b, frame * (reach * local)); };
        const auto refuse = [&](const char* what) {
            throw InputError(
                fmt::format("joint '{}': the implicit world has no {}; use method = \"rigid\"", joint.name, what));
        };
        if (std::holds_alternative<rigid::Ball>(joint.kind)) {
            attach({});
        } else if (const auto* hinge = std::get_if<rigid::Hinge>(&joint.kind)) {
            if (hinge->limits || hinge->motor || hinge->drive || hinge->brake)
                refuse("limits, motors, drives or brakes of hinges");
            if (Dim == 2) {
                attach({});
            } else {
                attach({0, 0, 1});
                attach({0, 0, -1});
            }
        } else if (std::holds_alternative<rigid::Weld>(joint.kind)) {
            const int corners = Dim == 2 ? 2 : 3;
            for (int k = 0; k < corners; ++k) {
                const double angle = 2 * std::numbers::pi * k / corners;
                attach(Dim == 2 ? Vec3{std::cos(angle), 0, 0} : Vec3{std::cos(angle), std::sin(angle), 0});
            }
        } else if (const auto* spring = std::get_if<rigid::PointSpring>(&joint.kind)) {
            if (spring->damping > 0 || std::isfinite(spring->max_force)) refuse("damping or max_force of springs");
            const Vec3 at_a = frame.position, at_b = com_[static_cast<std::size_t>(b)] * joint.frame_b.position;
            // bodies that `on` placed have been lifted by up to the contact distance
            if (length(at_a - at_b) > 1e-9 + 2 * inset_) refuse("springs between points that are apart at the start");
            world_.attach(a, b, at_a, spring->stiffness);
        } else {
            refuse(std::holds_alternative<rigid::Slider>(joint.kind) ? "sliders" : "joints of a given distance");
        }
        if (a >= 0 && !joint.collide) world_.ignore(a, b);
    }

    /// Whether a point at time 0 is in the box of a region; the box is widened by rounding.
    static auto inside(const Pose& place, const SoftRegion& region) {
        const double margin = 1e-9 * std::fmax(1e-3, length(region.box.high - region.box.low));
        return [place, box = region.box, margin](const Vector<Dim>& x) {
            const Vec3 local = place.to_local(to_vec3(x));
            for (int k = 0; k < 3; ++k)
                if ((Dim == 3 || k != 1) && !(local[k] >= box.low[k] - margin && local[k] <= box.high[k] + margin))
                    return false;
            return true;
        };
    }
    void add_hold(int body, const Pose& place, const SoftRegion& hold) {
        std::function<Vector<Dim>(const Vector<Dim>&, double)> position;
        if (hold.path)
            position = [place, about = hold.about, path = hold.path](const Vector<Dim>& start, double t) {
                return from_vec3<Dim>(place * (path(t) * (place.to_local(to_vec3(start)) - about)));
            };
        if (world_.prescribe(body, hold.name, inside(place, hold), std::move(position)) == 0)
            throw InputError(fmt::format("soft.hold '{}': no node of the mesh is in its box", hold.name));
    }
    void add_load(int body, const Pose& place, const SoftRegion& load) {
        std::function<Vector<Dim>(double)> force;
        if (load.force) force = [f = load.force](double t) { return from_vec3<Dim>(f(t)); };
        if (!(world_.load(body, inside(place, load), std::move(force), load.pressure) > 0))
            throw InputError(fmt::format("soft.load '{}': no face of the surface has its middle in the box", load.name));
    }

    static std::shared_ptr<const record::DeformableMesh> recorded_mesh(const deform::SolidMesh<Dim>& mesh,
                                                                       const geometry::Shape& shape) {
        auto out = std::make_shared<record::DeformableMesh>();
        for (const Vector<Dim>& p : mesh.points) out->rest.push_back(to_vec3(p));
        for (const auto& element : mesh.elements) {
            std::array<int, 4> nodes{-1, -1, -1, -1};
            std::copy(element.begin(), element.end(), nodes.begin());
            out->elements.push_back(nodes);
        }
        for (const auto& face : deform::boundary(mesh)) {
            if constexpr (Dim == 3)
                out->triangles.push_back(face);
            else
                out->edges.push_back(face);
        }
        if (Dim == 2) {
            const geometry::Aabb box = geometry::bounds(shape, {});
            out->depth = box.high.y - box.low.y;
        }
        return out;
    }

    /// Moves the bodies of the scene's world to where those of the implicit world are.
    void follow(sim::World& world) const {
        world.state.time = world_.state.time;
        world.state.steps_done = world_.state.steps_done;
        world.state.last_dt = world_.state.last_dt;
        for (std::size_t i = 0; i < start_.size(); ++i) {
            const int b = static_cast<int>(i);
            if (world_.model.bodies[i].kind == implicit::Kind::Obstacle) {
                if (!path_[i]) continue;
                const Pose now = path_[i](world_.state.time), before = path_[i](world_.state.time - world_.state.last_dt);
                world.state.bodies.pose[i] = now;
                if (!(world_.state.last_dt > 0)) continue;
                world.state.bodies.velocity[i] = (now.position - before.position) / world_.state.last_dt;
                world.state.bodies.angular_velocity[i] =
                    rotation_vector(now.orientation * conjugate(before.orientation)) / world_.state.last_dt;
                continue;
            }
            const Pose moved = world_.pose(b);
            const bool soft = world_.model.bodies[i].kind == implicit::Kind::Soft;
            world.state.bodies.pose[i] = {moved.position,
                                          soft ? moved.orientation * start_[i].orientation : moved.orientation};
            world.state.bodies.velocity[i] = world_.velocity(b);
            world.state.bodies.angular_velocity[i] = world_.angular_velocity(b);
        }
    }

    implicit::World<Dim> world_;
    double inset_;
    std::shared_ptr<double> clock_;
    std::vector<Pose> start_;                        // at time 0: of axes in the centre of mass of what steps
    std::vector<Pose> com_, authored_;               // in the centre of mass of the shape; of the axes in the file
    std::vector<std::function<Pose(double)>> path_;  // of kinematic bodies, centre-of-mass axes
    std::vector<std::shared_ptr<const record::DeformableMesh>> meshes_;
    implicit::StepReport last_;
};

/// Refuses the contact laws that the implicit world does not have.
void check_pairs(const sim::World& world, const ImplicitSettings& settings) {
    const rigid::Bodies& bodies = world.model.bodies;
    std::vector<char> moves(world.model.materials.size(), 0), used(world.model.materials.size(), 0), meets_itself = used;
    std::vector<int> last_body(world.model.materials.size(), -1);
    for (std::size_t c = 0; c < bodies.colliders.size(); ++c) {
        const auto material = static_cast<std::size_t>(bodies.colliders[c].material.index);
        const int body = bodies.collider_body[c];
        if ((used[material] && last_body[material] != body) || settings.soft.contains(body)) meets_itself[material] = 1;
        last_body[material] = body;
        used[material] = 1;
        if (bodies.motion[static_cast<std::size_t>(bodies.collider_body[c])] == rigid::Motion::Dynamic) moves[material] = 1;
    }
    for (std::size_t a = 0; a < used.size(); ++a)
        for (std::size_t b = a; b < used.size(); ++b) {
            if (!used[a] || !used[b] || !(moves[a] || moves[b]) || (a == b && !meets_itself[a])) continue;
            // without any: World::prepare() complains if they can touch
            if (world.model.pairs.index(static_cast<int>(a), static_cast<int>(b)) < 0) continue;
            const surface::Pair& pair = world.model.pairs.pair(static_cast<int>(a), static_cast<int>(b));
            const std::string names =
                fmt::format("pair \"{}\", \"{}\"", world.model.materials[a].name, world.model.materials[b].name);
            const auto* coulomb = std::get_if<friction::Coulomb>(&pair.friction.base);
            const bool frictionless = coulomb && coulomb->mu == 0;
            if (!frictionless && settings.step.integrator == implicit::Integrator::SymplecticEuler)
                throw InputError(
                    fmt::format("{}: friction needs an implicit integrator; give mu = 0 or another step.integrator", names));
            if (std::holds_alternative<friction::Ploughing>(pair.friction.base) &&
                settings.step.friction == implicit::FrictionMethod::Smooth)
                throw InputError(
                    fmt::format("{}: law = \"ploughing\" has polygons for limit surfaces, and friction = \"smooth\" is for "
                                "ellipses; use step.friction = \"hold\"",
                                names));
            if (pair.friction.drilling > 0)
                throw InputError(
                    fmt::format("{}: the implicit world has no drilling friction: contacts are points of a mesh, whose "
                                "friction adds up to a torque; leave drilling out",
                                names));
            if (pair.contact == surface::ContactModel::Patches)
                throw InputError(fmt::format("{}: the implicit world has no contact patches; leave contact out", names));
            if (pair.restitution != 0)
                throw InputError(
                    fmt::format("{}: the implicit world has no restitution: bodies rebound by their elasticity; give "
                                "restitution = 0",
                                names));
        }
}

}  // namespace

std::shared_ptr<ImplicitRun> make_implicit_run(sim::World& world, const ImplicitSettings& settings,
                                               std::vector<std::string>& notes) {
    check_pairs(world, settings);
    ImplicitSettings s = settings;
    if (!(s.step.dhat > 0)) s.step.dhat = default_distance(world);
    lift_placed_bodies(world, s, s.step.dhat);
    if (s.dimension == 2) return std::make_shared<Run<2>>(world, s, notes);
    return std::make_shared<Run<3>>(world, s, notes);
}

std::string implicit_steps_csv_header() {
    std::string header =
        "step,time,contacts,newton_iterations,halvings,friction_passes,residual,friction_residual,gap_min,kinetic_energy,"
        "elastic_energy,gravity_energy,"
        "contact_energy,energy";
    for (const std::string_view part : implicit::kPartNames) header += fmt::format(",ms_{}", part);
    return header + "\n";
}

void append_implicit_steps_csv(std::string& out, const implicit::StepReport& r) {
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{}", r.step, r.time, r.contacts, r.iterations, r.halvings,
                   r.friction_passes);
    const double energy = r.kinetic_energy + r.elastic_energy + r.gravity_energy + r.barrier_energy;
    for (const double x : {r.residual, r.friction_residual, r.gap_min, r.kinetic_energy, r.elastic_energy, r.gravity_energy,
                           r.barrier_energy, energy})
        fmt::format_to(std::back_inserter(out), ",{}", x);
    for (const double ms : r.part_ms) fmt::format_to(std::back_inserter(out), ",{}", ms);
    out += '\n';
}

sim::StepReport to_sim_report(const implicit::StepReport& report, double potential_energy) {
    sim::StepReport out;
    out.time = report.time;
    out.step = report.step;
    out.contacts = report.contacts;
    out.sweeps = report.iterations;
    out.residual = report.residual;
    out.kinetic_energy = report.kinetic_energy;
    out.potential_energy = potential_energy;
    out.stopped = report.failure == implicit::Failure::Stopped;
    return out;
}

}  // namespace asperity::scene
