// Which contacts have friction, and with which normal force.
#include <algorithm>
#include <cmath>

#include "asperity/implicit/friction.h"
#include "asperity/implicit/state.h"
#include "asperity/implicit/step_data.h"

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

template <int Dim>
class Freezer {
  public:
    Freezer(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d)
        : model_(model),
          state_(state),
          d_(d),
          friction_(d.friction),
          stencils_(friction_.stencils),
          loads_(friction_.loads) {}

    void run() {
        d_.assembly.contact_gradient(model_, d_.attempt, d_.now, d_.barrier, friction_.local);
        load_stencils();
        add_up();
        pass_on();
        friction_.contacts.clear();
        for (const LoadedStencil<Dim>& stencil : stencils_) add_stencil(stencil);
        for (std::size_t k = 0; k < d_.now.plane_contacts.size(); ++k) add_plane(k);
        relax();
        set_limit_surfaces(model_, state_, d_);
        if (model_.settings.friction == FrictionMethod::Smooth)
            for (FrictionContact& c : friction_.contacts) c.smoothing = d_.attempt.h * model_.settings.eps_v;
        else
            begin_with_memory();
    }

    /// `velocity`: loads and forces of the last step, as a law that depends on the load and the first guess of the solver
    /// need them.
    void recall_loads() {
        for_groups([&](std::span<const int> group) {
            const FrictionMemory* before = remembered(friction_.memory, contact(group[0]).key);
            for (const int i : group) contact(i).load = before ? before->load / static_cast<double>(group.size()) : 0;
        });
    }
    void recall_forces() {
        for (FrictionContact& c : friction_.contacts) c.start = {};
        begin_with_memory();
    }

  private:
    int body_of(int vertex) const { return model_.surface.body[at(vertex)]; }

    int side(int a, int b) const { return friction_side(model_.surface, a, b); }

    void load_stencils() {
        stencils_.clear();
        for (std::size_t k = 0; k < friction_.local.size(); ++k) {
            const ipc::Collision& c = d_.now.collisions[k];
            const bool edges = c.stencil == ipc::Stencil::EdgeEdge;
            const int a = body_of(c.vertices[0]), b = body_of(c.vertices[edges ? 2 : 1]);
            if (!rubs(c.vertices[0], c.vertices[edges ? 2 : 1])) continue;
            LoadedStencil<Dim> s;
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
        return found != loads_.end() && found->is_like(key) ? &*found : nullptr;
    }
    void add_up() {
        loads_.clear();
        for (const LoadedStencil<Dim>& s : stencils_)
            if (s.vertex >= 0)
                loads_.push_back({s.vertex, s.other, static_cast<int>(loads_.size()), std::max(s.force, 0.0), s.force, 0});
        std::sort(loads_.begin(), loads_.end());
        std::size_t kept = 0;
        for (std::size_t i = 0; i < loads_.size(); ++kept) {
            VertexLoad sum = loads_[i++];
            for (; i < loads_.size() && loads_[i].is_like(sum); ++i) {
                sum.positive += loads_[i].positive;
                sum.sum += loads_[i].sum;
            }
            sum.order = -1;  // what find() looks for comes before every other
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
        for (LoadedStencil<Dim>& s : stencils_) {
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

    /// Shear strength of a vertex over Coulomb's share of it: friction sees it as a larger or smaller load.
    double shear_factor(const VertexLoad& all) const {
        const double load = std::max(all.sum, 0.0) + all.taken_over, coulomb = model_.shear.mu * load;
        if (!(coulomb > 0)) return 1;
        const double area = model_.surface.vertex_area[at(all.vertex)];
        return std::min(coulomb + model_.shear.adhesion * area, model_.shear.cap * area) / coulomb;
    }

    void add_stencil(const LoadedStencil<Dim>& s) {
        double load = s.force;
        if (s.chosen && s.vertex >= 0) {
            const VertexLoad& all = *find(s.vertex, s.other);
            if (!(s.force > 0)) return;
            load = s.force * (remaining(all) + all.taken_over / all.positive);
            if (model_.shear.acts()) load *= shear_factor(all);
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
        for_groups([&](std::span<const int> group) {
            FrictionContact& first = contact(group[0]);
            const FrictionMemory* before = remembered(friction_.memory, first.key);
            if (!before || !(before->load > 0)) return;
            double now = 0;
            for (const int i : group) now += contact(i).load;
            const double wanted = before->load + friction_.relaxation * (now - before->load);
            for (const int i : group) contact(i).load *= wanted / now;
            if (group.size() > 1 || !(dot(before->normal, first.normal) > 0)) return;
            first.normal = normalized(before->normal + friction_.relaxation * (first.normal - before->normal));
        });
    }

    FrictionContact& contact(int i) { return friction_.contacts[at(i)]; }
    /// Calls f for the indices of each set of contacts of equal key.
    template <class F>
    void for_groups(const F& f) {
        std::vector<int>& order = friction_.order;
        order_by_key(friction_.contacts, order);
        for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
            while (last < order.size() && contact(order[last]).key == contact(order[first]).key) ++last;
            f(std::span<const int>(order).subspan(first, last - first));
        }
    }

    void begin_with_memory() {
        for_groups([&](std::span<const int> group) {
            const FrictionMemory* before = remembered(friction_.memory, contact(group[0]).key);
            double total = 0;
            for (const int i : group) total += contact(i).load;
            if (!before || !(total > 0)) return;
            for (const int i : group) {
                FrictionContact& c = contact(i);
                const Vec3 share = (c.load / total) * before->force;
                c.start = friction::project(c.surface.set, {dot(share, c.surface.t), dot(share, c.surface.b), 0}, c.load);
            }
        });
    }

    const Model<Dim>& model_;
    const State<Dim>& state_;
    StepData<Dim>& d_;
    Friction<Dim>& friction_;
    std::vector<LoadedStencil<Dim>>& stencils_;
    std::vector<VertexLoad>& loads_;
};

}  // namespace

template <int Dim>
void freeze_friction(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d) {
    Freezer<Dim>(model, state, d).run();
}
template <int Dim>
void set_velocity_surfaces(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d) {
    Freezer<Dim> freezer(model, state, d);
    freezer.recall_loads();
    set_limit_surfaces(model, state, d);
    freezer.recall_forces();
}

template void freeze_friction<2>(const Model<2>&, const State<2>&, StepData<2>&);
template void freeze_friction<3>(const Model<3>&, const State<3>&, StepData<3>&);
template void set_velocity_surfaces<2>(const Model<2>&, const State<2>&, StepData<2>&);
template void set_velocity_surfaces<3>(const Model<3>&, const State<3>&, StepData<3>&);

}  // namespace asperity::implicit
