// Which contacts have friction, with which normal force, limit set and axes.
#include <algorithm>
#include <cmath>

#include "asperity/friction/law.h"
#include "asperity/implicit/friction.h"
#include "asperity/implicit/kinematics.h"
#include "asperity/implicit/state.h"
#include "asperity/implicit/step_data.h"
#include "asperity/surface/sample.h"

namespace asperity::implicit {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// rho over the stiffness with which the contact's surroundings resist a slip. Below 3 more passes are needed. From 100 on
/// rounding of positions disturbs forces in bodies of 1e9 Pa, from 1e5 on Newton's method needs more iterations.
constexpr double kRhoShare = 10;
/// rho over normal force by distance, at least. A vertex on a ridge or corner of the other surface is pushed off to either
/// side with this negative stiffness, over a width of the gap. With less than 1 it falls to the other side in every pass.
constexpr double kOverRidge = 3;
/// Vertices of the friction side take over the whole load of a stencil off that side if their own load is at least this
/// times that of the stencil.
constexpr double kTakesOver = 0.1;

/// A stencil with its force.
template <int Dim>
struct Loaded {
    ipc::Separation<Dim> separation;
    int source = 0;
    double force = 0;    ///< [N]; negative: weight below 0
    int vertex = -1;     ///< whose load it is; -1: of two edges
    int other = -1;      ///< the body that this vertex touches
    bool chosen = true;  ///< on the friction side
};

/// Loads of a vertex against one body.
struct VertexLoad {
    int vertex = 0, other = 0;
    double positive = 0, sum = 0;  ///< of its stencils [N]
    double taken_over = 0;         ///< from stencils of the other side [N]
    bool operator<(const VertexLoad& o) const { return vertex != o.vertex ? vertex < o.vertex : other < o.other; }
};

template <int Dim>
class Freezer {
  public:
    Freezer(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d)
        : model_(model), state_(state), d_(d), friction_(d.friction) {}

    void run() {
        d_.assembly.contact_gradient(model_, d_.attempt, d_.now, d_.barrier, friction_.local);
        load_stencils();
        add_up();
        pass_on();
        friction_.contacts.clear();
        for (const Loaded<Dim>& stencil : stencils_) add_stencil(stencil);
        for (std::size_t k = 0; k < d_.now.plane_contacts.size(); ++k) add_plane(k);
        relax();
        for (FrictionContact& c : friction_.contacts) set_surface(c);
        if (model_.settings.friction == FrictionMethod::Smooth)
            for (FrictionContact& c : friction_.contacts) c.smoothing = d_.attempt.h * model_.settings.eps_v;
        else
            begin_with_memory();
    }

  private:
    int body_of(int vertex) const { return model_.surface.body[at(vertex)]; }

    /// The side of two bodies that friction acts on: the finer mesh samples the contact better.
    int side(int a, int b) const {
        const double area_a = model_.surface.mean_area[at(a)], area_b = model_.surface.mean_area[at(b)];
        return area_a != area_b ? (area_a < area_b ? a : b) : std::min(a, b);
    }

    void load_stencils() {
        for (std::size_t k = 0; k < friction_.local.size(); ++k) {
            const ipc::Collision& c = d_.now.collisions[k];
            const bool edges = c.stencil == ipc::Stencil::EdgeEdge;
            const int a = body_of(c.vertices[0]), b = body_of(c.vertices[edges ? 2 : 1]);
            if (!rubs(c.vertices[0], c.vertices[edges ? 2 : 1])) continue;
            Loaded<Dim> s;
            s.separation = ipc::separation(c, std::span<const Vector<Dim>>(d_.now.vertices));
            s.source = static_cast<int>(k);
            for (int v = 0; v < (edges ? 2 : 1); ++v)
                s.force -= s.separation.normal.dot(friction_.local[k].gradient.template segment<Dim>(v * Dim));
            const int chosen = side(a, b);
            if (!edges) {
                const bool second = c.stencil == ipc::Stencil::PointPoint && a != b && chosen == b;
                s.vertex = c.vertices[second ? 1 : 0];
                s.other = second ? a : b;
            }
            s.chosen = a == b || (!edges && body_of(s.vertex) == chosen);
            stencils_.push_back(s);
        }
    }
    /// Whether the materials of two vertices have friction.
    bool rubs(int v, int w) const {
        return model_.rubs(model_.parts[at(model_.vertex_part[at(v)])].material,
                           model_.parts[at(model_.vertex_part[at(w)])].material);
    }

    VertexLoad* find(int vertex, int other) {
        const VertexLoad key{vertex, other};
        const auto found = std::lower_bound(loads_.begin(), loads_.end(), key);
        return found != loads_.end() && !(key < *found) ? &*found : nullptr;
    }
    void add_up() {
        for (const Loaded<Dim>& s : stencils_)
            if (s.vertex >= 0) loads_.push_back({s.vertex, s.other, std::max(s.force, 0.0), s.force, 0});
        std::stable_sort(loads_.begin(), loads_.end());
        std::size_t kept = 0;
        for (std::size_t i = 0; i < loads_.size(); ++kept) {
            VertexLoad sum = loads_[i++];
            for (; i < loads_.size() && !(sum < loads_[i]); ++i) {
                sum.positive += loads_[i].positive;
                sum.sum += loads_[i].sum;
            }
            loads_[kept] = sum;
        }
        loads_.resize(kept);
    }
    /// Share of the positive forces of a vertex that its negative ones leave.
    static double remaining(const VertexLoad& load) {
        return load.positive > 0 ? std::max(load.sum, 0.0) / load.positive : 0;
    }

    /// Loads of stencils off the friction side go to vertices of that side, as far as these carry loads of their own. The
    /// transition is smooth: with a jump, loads could change between two values from pass to pass for ever.
    void pass_on() {
        for (Loaded<Dim>& s : stencils_) {
            if (s.chosen) continue;
            if (s.vertex >= 0) s.force *= remaining(*find(s.vertex, s.other));
            if (!(s.force > 0)) continue;
            const ipc::Collision& c = d_.now.collisions[at(s.source)];
            const int first = body_of(c.vertices[0]), last = body_of(c.vertices[at(s.separation.count - 1)]);
            const int chosen = side(first, last), other = chosen == first ? last : first;
            std::array<VertexLoad*, 4> to{};
            std::array<double, 4> share{};
            double sum = 0;
            for (std::size_t k = 0; k < at(s.separation.count); ++k) {
                if (body_of(c.vertices[k]) != chosen) continue;
                to[k] = find(c.vertices[k], other);
                if (to[k]) share[k] = std::fabs(s.separation.weight[k]) * to[k]->positive * remaining(*to[k]);
                sum += share[k];
            }
            const double r = std::min(1.0, sum / (kTakesOver * s.force)), passed = r * r * (3 - 2 * r);
            if (!(passed > 0)) continue;
            for (std::size_t k = 0; k < 4; ++k)
                if (share[k] > 0) to[k]->taken_over += passed * s.force * share[k] / sum;
            s.force *= 1 - passed;
        }
    }

    void add_stencil(const Loaded<Dim>& s) {
        double load = s.force;
        if (s.chosen && s.vertex >= 0) {
            const VertexLoad& all = *find(s.vertex, s.other);
            if (!(s.force > 0)) return;
            load = s.force * (remaining(all) + all.taken_over / all.positive);
        }
        if (!(load > 0)) return;
        const ipc::Collision& collision = d_.now.collisions[at(s.source)];
        FrictionContact c;
        c.count = s.separation.count;
        c.vertices = collision.vertices;
        c.weights = s.separation.weight;
        c.source = s.source;
        c.normal = to_vec3(s.separation.normal);
        c.load = load;
        c.key = s.vertex >= 0 ? FrictionKey{s.vertex, -2 - s.other, -1, -1} : collision.vertices;
        if (s.vertex >= 0 && s.vertex != c.vertices[0]) {  // of two vertices the second one: body b is its body
            std::swap(c.vertices[0], c.vertices[1]);
            c.weights = {1, -1, 0, 0};
            c.normal = -c.normal;
        }
        const int a = body_of(c.vertices[at(c.count - 1)]), b = body_of(c.vertices[0]);
        c.stiffness = std::max(kRhoShare * resistance(a, c.vertices[at(c.count - 1)], b, c.vertices[0]),
                               kOverRidge * load / s.separation.distance);
        friction_.contacts.push_back(c);
    }

    void add_plane(std::size_t k) {
        const PlaneContact& p = d_.now.plane_contacts[k];
        const HalfSpace<Dim>& plane = model_.half_spaces[at(p.plane)];
        if (!model_.rubs(model_.parts[at(plane.part)].material, model_.parts[at(model_.vertex_part[at(p.vertex)])].material))
            return;
        FrictionContact c;
        c.count = 1;
        c.vertices[0] = p.vertex;
        c.weights[0] = 1;
        c.plane = p.plane;
        c.source = static_cast<int>(d_.now.collisions.size() + k);
        c.normal = to_vec3(d_.attempt.plane_normal[at(p.plane)]);
        c.load = -p.weight * d_.barrier.first(p.gap);
        if (!(c.load > 0)) return;
        c.key = {p.vertex, -2 - plane.body, -1, -1};
        c.stiffness = kRhoShare * resistance(plane.body, -1, body_of(p.vertex), p.vertex);
        friction_.contacts.push_back(c);
    }

    /// Stiffness with which the softer of two bodies resists a slip at a vertex [N/m].
    double resistance(int a, int vertex_a, int b, int vertex_b) const {
        double least = std::numeric_limits<double>::infinity();
        for (const auto& [body, vertex] : {std::pair{a, vertex_a}, std::pair{b, vertex_b}}) {
            const Body<Dim>& of = model_.bodies[at(body)];
            if (of.kind == Kind::Obstacle) continue;
            const Carrier<Dim>& carrier = model_.carriers[at(vertex)];
            const Prediction<Dim>& p = d_.attempt.prediction;
            const double rate = p.inertia ? p.w / (p.c * d_.attempt.h * d_.attempt.h) : 0;
            double stiffness = 0;
            if (of.kind == Kind::Affine) {
                stiffness = of.mass * rate + (p.inertia ? 0 : model_.settings.affine_stiffness * size(vertex));
            } else {
                stiffness = of.young * size(vertex) + model_.node_mass[at(carrier.node)] * rate;
            }
            least = std::min(least, stiffness);
        }
        return least;
    }
    /// Size of the surroundings of a vertex; in the plane a depth of 1 m.
    double size(int vertex) const { return Dim == 2 ? 1 : std::sqrt(model_.surface.vertex_area[at(vertex)]); }

    /// Loads and normals follow those of the pass before by `relaxation`. A vertex over a groove of the other surface has
    /// the normal of one side or of the other: without this it may change sides in every pass.
    void relax() {
        if (friction_.relaxation == 1) return;
        for (auto& group : groups()) {
            const FrictionMemory* before = remembered(group.front()->key);
            if (!before || !(before->load > 0)) continue;
            double now = 0;
            for (const FrictionContact* c : group) now += c->load;
            const double wanted = before->load + friction_.relaxation * (now - before->load);
            for (FrictionContact* c : group) c->load *= wanted / now;
            if (group.size() > 1 || !(dot(before->normal, group.front()->normal) > 0)) continue;
            Vec3& normal = group.front()->normal;
            normal = normalized(before->normal + friction_.relaxation * (normal - before->normal));
        }
    }

    /// Contacts of equal key.
    std::vector<std::vector<FrictionContact*>> groups() {
        std::vector<FrictionContact*> all;
        for (FrictionContact& c : friction_.contacts) all.push_back(&c);
        std::stable_sort(all.begin(), all.end(),
                         [](const FrictionContact* p, const FrictionContact* q) { return p->key < q->key; });
        std::vector<std::vector<FrictionContact*>> out;
        for (FrictionContact* c : all) {
            if (out.empty() || out.back().front()->key != c->key) out.emplace_back();
            out.back().push_back(c);
        }
        return out;
    }
    const FrictionMemory* remembered(const FrictionKey& key) const {
        const auto found = std::lower_bound(friction_.memory.begin(), friction_.memory.end(), key,
                                            [](const FrictionMemory& m, const FrictionKey& k) { return m.key < k; });
        return found != friction_.memory.end() && found->key == key ? &*found : nullptr;
    }

    /// Grain and belt velocity of one side, world axes.
    surface::Sample sample_side(const FrictionContact& c, bool second) const {
        const int part_index = !second        ? model_.vertex_part[at(c.vertices[0])]
                               : c.plane >= 0 ? model_.half_spaces[at(c.plane)].part
                                              : model_.vertex_part[at(c.vertices[at(c.count - 1)])];
        const SurfacePart& part = model_.parts[at(part_index)];
        const surface::Material& material = model_.materials[at(part.material)];
        if (!surface::has_direction(material, part.grain.get())) return {};
        const std::span<const Vector<Dim>> now = d_.now.vertices;
        SkinPoint point;
        point.outward = second ? c.normal : -c.normal;
        Vec3 place, normal;
        Quat turn;
        if (second && c.plane >= 0) {
            const Body<Dim>& body = model_.bodies[at(part.body)];
            const Pose pose = obstacle_pose(body, state_.time);
            turn = pose.orientation * conjugate(body.start.orientation);
            place = part.axes.to_local(body.start * pose.to_local(to_vec3(d_.now.vertices[at(c.vertices[0])])));
            normal = rotate_inverse(turn * part.axes.orientation, c.normal);
        } else {
            for (std::size_t k = 0; k < at(c.count); ++k)
                if ((c.weights[k] < 0) == second) {
                    point.vertices[at(point.count)] = c.vertices[k];
                    point.weights[at(point.count++)] = std::fabs(c.weights[k]);
                }
            place = part.axes.to_local(rest_place(model_.surface, point));
            normal = rotate_inverse(part.axes.orientation, rest_normal(model_.surface, d_.topology, now, point));
        }
        const auto carry = [&](const Vec3& in_body) {
            const Vec3 at_rest = rotate(part.axes.orientation, in_body);
            if (point.count == 0) return rotate(turn, at_rest);
            return carry_tangent(model_.surface, d_.topology, now, point, at_rest);
        };
        const auto tangential = [&](const Vec3& v) { return v - dot(v, c.normal) * c.normal; };
        surface::Sample sample;
        const surface::GrainAt grain =
            surface::read_grain(surface::ask(material, part.grain.get(), {part.shape, part.shape_pose, place, normal}));
        const Vec3 along = tangential(carry(grain.direction));
        const double square = length_squared(along);
        if (square > 1e-12 * length_squared(grain.direction)) sample.grain = grain.strength / std::sqrt(square) * along;
        if (!(material.surface_velocity == Vec3{})) sample.velocity = tangential(carry(material.surface_velocity));
        return sample;
    }

    void set_surface(FrictionContact& c) {
        const int part_b = model_.vertex_part[at(c.vertices[0])];
        const int part_a =
            c.plane >= 0 ? model_.half_spaces[at(c.plane)].part : model_.vertex_part[at(c.vertices[at(c.count - 1)])];
        const int material_a = model_.parts[at(part_a)].material, material_b = model_.parts[at(part_b)].material;
        const friction::Law& law = model_.pairs.pair(material_a, material_b).friction;
        const surface::Sample a = sample_side(c, true), b = sample_side(c, false);
        friction::ConeInput in;
        in.normal = c.normal;
        in.point = to_vec3(d_.now.vertices[at(c.vertices[0])]);
        in.grain_a = a.grain;
        in.grain_b = b.grain;
        c.carried = d_.attempt.h * (b.velocity - a.velocity);
        if (c.plane >= 0) {
            const Body<Dim>& body = model_.bodies[at(model_.half_spaces[at(c.plane)].body)];
            if (body.path) {
                const Pose from = obstacle_pose(body, d_.attempt.time - d_.attempt.h),
                           to = obstacle_pose(body, d_.attempt.time);
                c.carried -= to * from.to_local(in.point) - in.point;
            }
        }
        if (friction::reads_slip(law)) in.slip = slip_velocity(c) + b.velocity - a.velocity;
        in.slip = in.slip - dot(in.slip, c.normal) * c.normal;
        in.normal_force = total_load(c, law);
        in.swapped = material_a > material_b;
        if (const FrictionMemory* before = remembered(c.key)) in.previous_t = before->axis;
        friction::generate(law, {&in, 1}, {&c.surface, 1});
        if constexpr (Dim == 2) restrict_to_plane(c);
    }

    /// Load that a law reads: of all contacts between the two bodies, so that it does not depend on their meshes.
    double total_load(const FrictionContact& contact, const friction::Law& law) const {
        if (!law.load && !law.load_curve) return contact.load;
        std::array<int, 2> bodies = bodies_of(model_, contact);
        std::sort(bodies.begin(), bodies.end());
        double sum = 0;
        for (const FrictionContact& c : friction_.contacts) {
            std::array<int, 2> other = bodies_of(model_, c);
            std::sort(other.begin(), other.end());
            if (other == bodies) sum += c.load;
        }
        return sum;
    }
    /// Slip velocity of the last step [m/s], not of this pass: axes of laws that read it must not change from pass to pass.
    Vec3 slip_velocity(const FrictionContact& c) const {
        Vector<Dim> sum = Vector<Dim>::Zero();
        for (std::size_t k = 0; k < at(c.count); ++k) {
            const Carrier<Dim>& carrier = model_.carriers[at(c.vertices[k])];
            for (int j = 0; j < carrier.count; ++j)
                sum += c.weights[k] * carrier.weight(j) * state_.nodes.v[at(carrier.node + j)];
            if (carrier.count == 0)
                sum += c.weights[k] / d_.attempt.h *
                       (d_.attempt.obstacle_to[at(c.vertices[k])] - d_.attempt.obstacle_from[at(c.vertices[k])]);
        }
        return to_vec3(sum);
    }

    /// In two dimensions friction acts along one line: the section of the set with it.
    static void restrict_to_plane(FrictionContact& c) {
        const Vec3 along = normalized(cross(Vec3{0, 1, 0}, c.normal));
        const auto reach = [&](double sign) {
            const double gauge =
                friction::gauge(c.surface.set, {sign * dot(along, c.surface.t), sign * dot(along, c.surface.b), 0});
            return gauge > 0 && std::isfinite(gauge) ? 1 / gauge : 0;
        };
        const double back = reach(-1), forth = reach(1);
        c.surface = {along, cross(c.normal, along), friction::Ellipse{forth, 0}};
        if (back != forth) c.surface.set = friction::Rectangle{back, forth, 0, 0};
    }

    void begin_with_memory() {
        for (auto& group : groups()) {
            const FrictionMemory* before = remembered(group.front()->key);
            if (!before) continue;
            double total = 0;
            for (const FrictionContact* c : group) total += c->load;
            for (FrictionContact* c : group) {
                const Vec3 share = (c->load / total) * before->force;
                c->start =
                    friction::project(c->surface.set, {dot(share, c->surface.t), dot(share, c->surface.b), 0}, c->load);
            }
        }
    }

    const Model<Dim>& model_;
    const State<Dim>& state_;
    StepData<Dim>& d_;
    Friction<Dim>& friction_;
    std::vector<Loaded<Dim>> stencils_;
    std::vector<VertexLoad> loads_;
};

}  // namespace

template <int Dim>
void freeze_friction(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d) {
    Freezer<Dim>(model, state, d).run();
}

template void freeze_friction<2>(const Model<2>&, const State<2>&, StepData<2>&);
template void freeze_friction<3>(const Model<3>&, const State<3>&, StepData<3>&);

}  // namespace asperity::implicit
