#include "asperity/implicit/world.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/core/error.h"
#include "asperity/implicit/kinematics.h"
#include "asperity/implicit/loads.h"
#include "asperity/implicit/mass.h"
#include "asperity/implicit/start_check.h"
#include "asperity/implicit/step_data.h"
#include "asperity/implicit/velocity.h"
#include "asperity/math/dense.h"

namespace asperity::implicit {
namespace {

/// Stiffness of an affine body's departure from a rotation [Pa]: about that of hard rubber to wood. A body of 1 m under its
/// own weight then strains by 1e-5 to 1e-4. Ten times larger costs iterations, ten times less bends visibly.
constexpr double kAffineStiffness = 1e8;
/// Contact stiffness over Young's modulus. Bodies press with a few percent of their modulus, and with it at corners: gaps
/// then stay above a tenth of dhat. A hundredth of this: gaps of a millionth of dhat, ten times the iterations, and cubes of
/// gel that slip through posts. Ten times this: the same gaps and iterations.
constexpr double kStiffnessShare = 10;
/// A world of affine bodies alone: the barrier presses with this many times the heaviest body's weight on its box.
constexpr double kWeightShare = 100;

template <int Dim>
Vector<Dim> velocity_of_rotation(const Vec3& angular, const Vector<Dim>& arm) {
    return from_vec3<Dim>(cross(angular, to_vec3(arm)));
}

}  // namespace

template <int Dim>
World<Dim>::World() : data_(std::make_unique<StepData<Dim>>()) {}
template <int Dim>
World<Dim>::~World() = default;
template <int Dim>
World<Dim>::World(World&&) noexcept = default;
template <int Dim>
World<Dim>& World<Dim>::operator=(World&&) noexcept = default;

template <int Dim>
int World<Dim>::add_node(int body, const Vector<Dim>& x, const Vector<Dim>& v, double mass, bool translates) {
    state.nodes.x.push_back(x);
    state.nodes.v.push_back(v);
    state.nodes.a.push_back(Vector<Dim>::Zero());
    data_->rest.push_back(x);
    model.node_mass.push_back(mass);
    model.node_translates.push_back(translates);
    model.node_body.push_back(body);
    model.node_region.push_back(-1);
    return model.node_count() - 1;
}

/// Adds the body with its surface, whose carriers the caller sets. Points of the skin are rest positions.
template <int Dim>
int World<Dim>::new_body(const std::string& name, Kind kind, const Skin<Dim>& skin, double thickness) {
    const int index = static_cast<int>(model.bodies.size());
    Body<Dim> body;
    body.name = name;
    body.kind = kind;
    body.first_node = model.node_count();
    body.first_vertex = static_cast<int>(model.carriers.size());
    body.vertex_count = static_cast<int>(skin.points.size());
    body.first_element = static_cast<int>(model.elements.nodes.size());
    body.principal.setIdentity();
    model.bodies.push_back(std::move(body));

    ipc::Surface<Dim>& surface = model.surface;
    const int first = static_cast<int>(surface.rest.size());
    surface.rest.insert(surface.rest.end(), skin.points.begin(), skin.points.end());
    surface.body.insert(surface.body.end(), skin.points.size(), index);
    std::vector<std::array<int, 2>> edges;
    for (const auto& face : skin.faces) {
        for (std::size_t k = 0; k < Dim; ++k) {
            const auto [a, b] = std::minmax(face[k], face[(k + 1) % Dim]);
            if constexpr (Dim == 3) edges.push_back({first + a, first + b});
        }
        if constexpr (Dim == 2) surface.edges.push_back({first + face[0], first + face[1]});
        if constexpr (Dim == 3) surface.faces.push_back({first + face[0], first + face[1], first + face[2]});
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    surface.edges.insert(surface.edges.end(), edges.begin(), edges.end());
    model.vertex_part.insert(model.vertex_part.end(), skin.points.size(), static_cast<int>(model.parts.size()));
    model.parts.emplace_back().body = index;
    surface.moves.push_back(kind != Kind::Obstacle);
    surface.thickness.push_back(thickness);
    const std::size_t count = model.bodies.size();
    std::vector<char> collide(count * count, 1);
    for (std::size_t a = 0; a + 1 < count; ++a)
        for (std::size_t b = 0; b + 1 < count; ++b) collide[a * count + b] = surface.collide[a * (count - 1) + b];
    collide.back() = kind == Kind::Soft;                                   // only what bends can touch itself
    for (std::size_t a = 0; a + 1 < count && kind == Kind::Obstacle; ++a)  // obstacles pass through one another
        if (model.bodies[a].kind == Kind::Obstacle) collide[a * count + count - 1] = collide[(count - 1) * count + a] = 0;
    surface.collide = std::move(collide);
    return index;
}

template <int Dim>
int World<Dim>::add(const SoftDesc<Dim>& desc) {
    if (!(desc.density > 0))
        throw InputError(fmt::format("body '{}': density = {}: must be positive", desc.name, desc.density));
    deform::check(desc.elasticity);
    // the surface: boundary faces, with their vertices numbered anew
    const std::vector<std::array<int, Dim>> faces = deform::boundary(desc.mesh);
    std::vector<int> vertex_of(desc.mesh.points.size(), -1), point_of;
    Skin<Dim> skin;
    for (const auto& face : faces) {
        std::array<int, Dim> local{};
        for (std::size_t k = 0; k < Dim; ++k) {
            int& vertex = vertex_of[static_cast<std::size_t>(face[k])];
            if (vertex < 0) {
                vertex = static_cast<int>(point_of.size());
                point_of.push_back(face[k]);
                skin.points.push_back(desc.mesh.points[static_cast<std::size_t>(face[k])]);
            }
            local[k] = vertex;
        }
        skin.faces.push_back(local);
    }
    const int index = new_body(desc.name, Kind::Soft, skin, desc.thickness);
    Body<Dim>& body = model.bodies[static_cast<std::size_t>(index)];
    deform::append(model.elements, deform::make_elements(desc.mesh, desc.elasticity, body.first_node));
    body.element_count = static_cast<int>(desc.mesh.elements.size());
    if (desc.consistent_mass || !model.element_mass.empty()) {
        model.element_mass.resize(model.elements.nodes.size(), 0);
        for (int e = 0; e < body.element_count && desc.consistent_mass; ++e)
            model.element_mass[static_cast<std::size_t>(body.first_element + e)] =
                desc.density * deform::volume(desc.mesh, e);
    }
    body.young = desc.elasticity.young;
    body.damping_mass = desc.damping_mass;
    body.damping_stiffness = desc.damping_stiffness;

    const std::vector<double> mass = deform::lumped_mass(desc.mesh, desc.density);
    Vector<Dim> centre = Vector<Dim>::Zero();
    for (std::size_t i = 0; i < mass.size(); ++i) {
        body.mass += mass[i];
        centre += mass[i] * desc.mesh.points[i];
    }
    centre /= body.mass;
    for (std::size_t i = 0; i < mass.size(); ++i) {
        const Vector<Dim>& x = desc.mesh.points[i];
        add_node(index, x, from_vec3<Dim>(desc.velocity) + velocity_of_rotation<Dim>(desc.angular_velocity, x - centre),
                 mass[i], true);
    }
    body.node_count = static_cast<int>(mass.size());
    body.start = {to_vec3(centre), {}};
    for (const int point : point_of) model.carriers.push_back({index, body.first_node + point, 1, Vector<Dim>::Zero()});
    prepared_ = false;
    return index;
}

template <int Dim>
int World<Dim>::add(const AffineDesc<Dim>& desc) {
    if (!(desc.mass > 0)) throw InputError(fmt::format("body '{}': mass = {}: must be positive", desc.name, desc.mass));
    Skin<Dim> placed = desc.skin;
    for (Vector<Dim>& p : placed.points) p = from_vec3<Dim>(desc.pose * to_vec3(p));
    const int index = new_body(desc.name, Kind::Affine, placed, desc.thickness);
    Body<Dim>& body = model.bodies[static_cast<std::size_t>(index)];
    body.mass = desc.mass;
    body.start = desc.pose;

    // Second moments int X X^T dm along the principal axes: diagonal, so that every column of A has a mass of its own
    const double trace = 0.5 * (desc.inertia.r[0].x + desc.inertia.r[1].y + desc.inertia.r[2].z);
    Matrix<Dim, Dim> moments;
    for (int i = 0; i < Dim; ++i)
        for (int j = 0; j < Dim; ++j) {
            const int p = Dim == 2 ? 2 * i : i, q = Dim == 2 ? 2 * j : j;
            moments(i, j) = (p == q ? trace : 0) - desc.inertia.r[p][q];
        }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, Dim, Dim>> eigen{Eigen::Matrix<double, Dim, Dim>(moments)};
    Eigen::Matrix<double, Dim, Dim> axes = eigen.eigenvectors();
    if (axes.determinant() < 0) axes.col(0) *= -1;
    body.principal = axes;

    const Vector<Dim> centre = from_vec3<Dim>(desc.pose.position);
    add_node(index, centre, from_vec3<Dim>(desc.velocity), desc.mass, true);
    for (int k = 0; k < Dim; ++k) {
        const Vector<Dim> column = from_vec3<Dim>(rotate(desc.pose.orientation, to_vec3(Vector<Dim>(axes.col(k)))));
        const double mass = std::max(eigen.eigenvalues()[k], 1e-12 * eigen.eigenvalues()[Dim - 1]);
        add_node(index, column, velocity_of_rotation<Dim>(desc.angular_velocity, column), mass, false);
    }
    body.node_count = Dim + 1;
    for (const Vector<Dim>& p : desc.skin.points)
        model.carriers.push_back({index, body.first_node, Dim + 1, Vector<Dim>(axes.transpose() * p)});
    model.affine_bodies.push_back(index);
    model.affine_volume.push_back(desc.volume);
    prepared_ = false;
    return index;
}

template <int Dim>
int World<Dim>::add(const ObstacleDesc<Dim>& desc) {
    Skin<Dim> placed = desc.skin;
    const Pose start = desc.path ? desc.path(0) : desc.pose;
    for (Vector<Dim>& p : placed.points) p = from_vec3<Dim>(start * to_vec3(p));
    const int index = new_body(desc.name, Kind::Obstacle, placed, desc.thickness);
    Body<Dim>& body = model.bodies[static_cast<std::size_t>(index)];
    body.start = start;
    body.path = desc.path;
    model.surface.moves[static_cast<std::size_t>(index)] = desc.path ? 1 : 0;
    for (const Vector<Dim>& p : desc.skin.points) model.carriers.push_back({index, -1, 0, p});
    if (desc.skin.faces.empty()) {
        model.half_spaces.push_back({index, from_vec3<Dim>({0, 0, 1}), static_cast<int>(model.parts.size()) - 1});
        for (const double time : {0.01, 0.1, 1.0})
            if (desc.path &&
                length(rotate(desc.path(time).orientation, {0, 0, 1}) - rotate(start.orientation, {0, 0, 1})) > 1e-9)
                throw InputError(fmt::format(
                    "body '{}': a half-space that turns is not possible with deformables; use a box", desc.name));
    }
    prepared_ = false;
    return index;
}

template <int Dim>
int World<Dim>::prescribe(int body, std::string name, const std::function<bool(const Vector<Dim>&)>& inside,
                          std::function<Vector<Dim>(const Vector<Dim>&, double)> position) {
    const Body<Dim>& b = model.bodies[static_cast<std::size_t>(body)];
    Region<Dim> region{std::move(name), body, {}, {}, std::move(position)};
    for (int k = b.first_node; k < b.first_node + b.node_count; ++k) {
        const auto i = static_cast<std::size_t>(k);
        if (b.kind != Kind::Soft || !model.is_free(k) || !inside(state.nodes.x[i])) continue;
        model.node_region[i] = static_cast<int>(model.regions.size());
        state.nodes.v[i].setZero();
        region.nodes.push_back(k);
        region.start.push_back(state.nodes.x[i]);
    }
    const int count = static_cast<int>(region.nodes.size());
    model.regions.push_back(std::move(region));
    return count;
}

template <int Dim>
double World<Dim>::load(int body, const std::function<bool(const Vector<Dim>&)>& inside,
                        std::function<Vector<Dim>(double)> force, std::function<double(double)> pressure) {
    Load<Dim> load{body, {}, std::move(force), std::move(pressure)};
    const ipc::Surface<Dim>& surface = model.surface;
    double area = 0;
    const auto add_face = [&](const std::array<int, Dim>& face) {
        if (surface.body[static_cast<std::size_t>(face[0])] != body) return;
        Vector<Dim> middle = Vector<Dim>::Zero();
        for (const int v : face) middle += surface.rest[static_cast<std::size_t>(v)] / Dim;
        if (!inside(middle)) return;
        load.faces.push_back(face);
        const Vector<Dim> side =
            surface.rest[static_cast<std::size_t>(face[1])] - surface.rest[static_cast<std::size_t>(face[0])];
        if constexpr (Dim == 2) {
            area += side.norm();
        } else {
            const Vector<3> other =
                surface.rest[static_cast<std::size_t>(face[2])] - surface.rest[static_cast<std::size_t>(face[0])];
            area += 0.5 * length(cross(to_vec3(side), to_vec3(other)));
        }
    };
    if constexpr (Dim == 2)
        for (const auto& face : surface.edges) add_face(face);
    else
        for (const auto& face : surface.faces) add_face(face);
    model.loads.push_back(std::move(load));
    return area;
}

namespace {

/// Stiffness of an attachment over that of the stiffer body times its size. A joint of a body of 0.1 m then gives way by
/// 1e-8 m per 100 N. Above 1e3 rounding of the energy shows in the line search; below 1 joints are as soft as bodies.
constexpr double kJointShare = 100;

/// The point of a body that is now at x.
template <int Dim>
BodyPoint<Dim> point_of(const Model<Dim>& model, const State<Dim>& state, int body, const Vector<Dim>& x) {
    BodyPoint<Dim> point;
    point.body = body;
    point.place = x;
    if (body < 0) return point;
    const Body<Dim>& b = model.bodies[static_cast<std::size_t>(body)];
    if (b.kind == Kind::Obstacle) {
        point.place = from_vec3<Dim>(obstacle_pose(b, state.time).to_local(to_vec3(x)));
        return point;
    }
    point.count = Dim + 1;
    const auto weights_in = [&](const std::array<int, Dim + 1>& nodes, bool affine) {
        Matrix<Dim, Dim> edges;
        const Vector<Dim>& origin = state.nodes.x[static_cast<std::size_t>(nodes[0])];
        for (int k = 0; k < Dim; ++k)
            edges.col(k) = state.nodes.x[static_cast<std::size_t>(nodes[static_cast<std::size_t>(k) + 1])] -
                           (affine ? Vector<Dim>(Vector<Dim>::Zero()) : origin);
        const Vector<Dim> local = edges.inverse() * (x - origin);
        std::array<double, Dim + 1> weights{};
        weights[0] = affine ? 1 : 1 - local.sum();
        for (int k = 0; k < Dim; ++k) weights[static_cast<std::size_t>(k) + 1] = local[k];
        return weights;
    };
    if (b.kind == Kind::Affine) {
        for (int k = 0; k <= Dim; ++k) point.nodes[static_cast<std::size_t>(k)] = b.first_node + k;
        point.weights = weights_in(point.nodes, true);
        return point;
    }
    double best = -std::numeric_limits<double>::infinity();
    for (int e = b.first_element; e < b.first_element + b.element_count; ++e) {
        const auto& nodes = model.elements.nodes[static_cast<std::size_t>(e)];
        const std::array<double, Dim + 1> weights = weights_in(nodes, false);
        const double inside = *std::min_element(weights.begin(), weights.end());
        if (inside <= best) continue;
        best = inside;
        point.nodes = nodes;
        point.weights = weights;
    }
    return point;
}

template <int Dim>
double joint_stiffness(const Model<Dim>& model, int body) {
    if (body < 0) return 0;
    const Body<Dim>& b = model.bodies[static_cast<std::size_t>(body)];
    if (b.kind == Kind::Obstacle || b.vertex_count == 0) return 0;
    Vector<Dim> low = model.surface.rest[static_cast<std::size_t>(b.first_vertex)], high = low;
    for (int v = b.first_vertex; v < b.first_vertex + b.vertex_count; ++v) {
        low = low.cwiseMin(model.surface.rest[static_cast<std::size_t>(v)]);
        high = high.cwiseMax(model.surface.rest[static_cast<std::size_t>(v)]);
    }
    const double modulus = b.kind == Kind::Soft                  ? b.young
                           : model.settings.affine_stiffness > 0 ? model.settings.affine_stiffness
                                                                 : kAffineStiffness;
    return kJointShare * modulus * (Dim == 2 ? 1 : (high - low).norm());
}

}  // namespace

template <int Dim>
void World<Dim>::attach(int body_a, int body_b, const Vec3& place, double stiffness) {
    const Vector<Dim> x = from_vec3<Dim>(place);
    model.attachments.push_back(
        {point_of(model, state, body_a, x), point_of(model, state, body_b, x),
         stiffness > 0 ? stiffness : std::max(joint_stiffness(model, body_a), joint_stiffness(model, body_b))});
    prepared_ = false;
}

template <int Dim>
int World<Dim>::guide(int body, const Vector<Dim>& axis, double stiffness, std::function<double(double)> place) {
    Guide<Dim> guide;
    guide.body = body;
    guide.axis = axis;
    guide.stiffness = stiffness;
    guide.place = std::move(place);
    const Body<Dim>& b = model.bodies[static_cast<std::size_t>(body)];
    for (int node = b.first_node; node < b.first_node + b.node_count; ++node)
        guide.origin +=
            model.node_mass[static_cast<std::size_t>(node)] / b.mass * state.nodes.x[static_cast<std::size_t>(node)];
    model.guides.push_back(std::move(guide));
    data_->begun = false;
    return static_cast<int>(model.guides.size()) - 1;
}

template <int Dim>
void World<Dim>::ignore(int body_a, int body_b) {
    const std::size_t count = model.bodies.size(), a = static_cast<std::size_t>(body_a),
                      b = static_cast<std::size_t>(body_b);
    model.surface.collide[a * count + b] = model.surface.collide[b * count + a] = 0;
}

template <int Dim>
void World<Dim>::set_self_contact(int body, bool on) {
    const std::size_t count = model.bodies.size(), b = static_cast<std::size_t>(body);
    model.surface.collide[b * count + b] = on;
}

namespace {

template <int Dim>
double diagonal_of_moving(const Model<Dim>& model) {
    Vector<Dim> low = Vector<Dim>::Constant(std::numeric_limits<double>::max()), high = -low;
    bool any = false;
    for (std::size_t v = 0; v < model.carriers.size(); ++v) {
        if (model.carriers[v].count == 0) continue;
        any = true;
        low = low.cwiseMin(model.surface.rest[v]);
        high = high.cwiseMax(model.surface.rest[v]);
    }
    return any ? (high - low).norm() : 1;
}

/// The smallest Young's modulus; without soft bodies, a multiple of the pressure of the heaviest body on its base.
template <int Dim>
double default_stiffness(const Model<Dim>& model) {
    double young = std::numeric_limits<double>::infinity(), weight = 0;
    for (const Body<Dim>& body : model.bodies) {
        if (body.kind == Kind::Soft) young = std::min(young, body.young);
        if (body.kind != Kind::Affine) continue;
        Vector<Dim> low = Vector<Dim>::Constant(std::numeric_limits<double>::max()), high = -low;
        for (int v = body.first_vertex; v < body.first_vertex + body.vertex_count; ++v) {
            low = low.cwiseMin(model.surface.rest[static_cast<std::size_t>(v)]);
            high = high.cwiseMax(model.surface.rest[static_cast<std::size_t>(v)]);
        }
        const Vector<Dim> size = high - low;
        weight =
            std::max(weight, body.mass * std::max(model.gravity.norm(), 1.0) / std::pow(size.prod(), (Dim - 1.0) / Dim));
    }
    return std::isfinite(young) ? kStiffnessShare * young : kWeightShare * std::max(weight, 1.0);
}

}  // namespace

namespace {

/// Resolves the pairs of materials that can touch, and finds those with friction.
template <int Dim>
void prepare_friction(Model<Dim>& model) {
    const std::size_t count = model.materials.size(), bodies = model.bodies.size();
    model.rubbing.assign(count * count, 0);
    model.frictional = false;
    if (count == 0) return;
    std::vector<std::pair<int, int>> needed;
    for (const SurfacePart& a : model.parts)
        for (const SurfacePart& b : model.parts)
            if (model.surface.collide[static_cast<std::size_t>(a.body) * bodies + static_cast<std::size_t>(b.body)])
                needed.push_back(std::minmax(a.material, b.material));
    std::sort(needed.begin(), needed.end());
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    model.pairs.resolve(model.materials, needed);
    for (const auto& [a, b] : needed) {
        const friction::Law& law = model.pairs.pair(a, b).friction;
        const auto* coulomb = std::get_if<friction::Coulomb>(&law.base);
        if (coulomb && coulomb->mu == 0) continue;
        const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
        model.rubbing[i * count + j] = model.rubbing[j * count + i] = 1;
        model.frictional = true;
    }
}

}  // namespace

template <int Dim>
void World<Dim>::derive() {
    Settings& s = model.settings;
    StepData<Dim>& d = *data_;
    check_velocity(s);
    model.surface.prepare();
    if (!(s.affine_stiffness > 0)) s.affine_stiffness = kAffineStiffness;
    const double dhat = s.dhat > 0 ? s.dhat : kDistanceShare * diagonal_of_moving(model);
    d.barrier = {s.stiffness > 0 ? s.stiffness : default_stiffness(model), dhat};
    d.reach = 0;
    for (const double thickness : model.surface.thickness) d.reach = std::max(d.reach, thickness);
    d.assembly.prepare(model);
    d.topology = skin_topology(model.surface);
    prepare_friction(model);
    prepare_footprints(model, d.footprints);
}

template <int Dim>
void World<Dim>::prepare() {
    if (prepared_) return;
    derive();
    if (model.settings.check_start) check_start<Dim>(*this, surface_positions());
    prepared_ = true;
}

template <int Dim>
std::vector<Vector<Dim>> World<Dim>::surface_positions() const {
    std::vector<Vector<Dim>> obstacles, out;
    obstacle_positions(model, state.time, obstacles);
    vertex_positions<Dim>(model, state.nodes.x, obstacles, obstacles, 0, out);
    return out;
}

template <int Dim>
Pose World<Dim>::pose(int body) const {
    const Body<Dim>& b = model.bodies[static_cast<std::size_t>(body)];
    if (b.kind == Kind::Obstacle) return obstacle_pose(b, state.time);
    return mean_motion<Dim>(model, body, data_->rest, state.nodes.x, state.nodes.v).pose;
}
template <int Dim>
Vec3 World<Dim>::velocity(int body) const {
    const Body<Dim>& b = model.bodies[static_cast<std::size_t>(body)];
    if (b.kind != Kind::Obstacle) return mean_motion<Dim>(model, body, data_->rest, state.nodes.x, state.nodes.v).velocity;
    if (!b.path || !(state.last_dt > 0)) return {};
    return (b.path(state.time).position - b.path(state.time - state.last_dt).position) / state.last_dt;
}
template <int Dim>
Vec3 World<Dim>::angular_velocity(int body) const {
    const Body<Dim>& b = model.bodies[static_cast<std::size_t>(body)];
    if (b.kind != Kind::Obstacle)
        return mean_motion<Dim>(model, body, data_->rest, state.nodes.x, state.nodes.v).angular_velocity;
    if (!b.path || !(state.last_dt > 0)) return {};
    const Quat turn = b.path(state.time).orientation * conjugate(b.path(state.time - state.last_dt).orientation);
    return rotation_vector(turn) / state.last_dt;
}
template <int Dim>
Vec3 World<Dim>::center_of_mass(int body) const {
    return pose(body).position;
}

template <int Dim>
double World<Dim>::kinetic_energy() const {
    double sum = 0;
    for (std::size_t i = 0; i < state.nodes.v.size(); ++i) sum += 0.5 * model.node_mass[i] * state.nodes.v[i].squaredNorm();
    return sum + 0.5 * coupled_mass_square<Dim>(model, state.nodes.v);
}
template <int Dim>
Vec3 World<Dim>::linear_momentum() const {
    Vec3 sum;
    for (std::size_t i = 0; i < state.nodes.v.size(); ++i)
        if (model.node_translates[i]) sum += model.node_mass[i] * to_vec3(state.nodes.v[i]);
    return sum;
}
template <int Dim>
Vec3 World<Dim>::angular_momentum() const {
    Vec3 sum;
    for (std::size_t i = 0; i < state.nodes.v.size(); ++i)
        sum += model.node_mass[i] * cross(to_vec3(state.nodes.x[i]), to_vec3(state.nodes.v[i]));
    if (!has_coupled_mass(model)) return sum;
    std::vector<Vector<Dim>> coupled(state.nodes.v.size(), Vector<Dim>::Zero());
    add_coupled_mass<Dim>(model, state.nodes.v, coupled);
    for (std::size_t i = 0; i < coupled.size(); ++i) sum += cross(to_vec3(state.nodes.x[i]), to_vec3(coupled[i]));
    return sum;
}

template <int Dim>
double World<Dim>::dhat() const {
    return data_->barrier.dhat;
}
template <int Dim>
double World<Dim>::stiffness() const {
    return data_->barrier.kappa;
}

template class World<2>;
template class World<3>;

}  // namespace asperity::implicit
