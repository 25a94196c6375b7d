#include "asperity/implicit/friction.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "asperity/friction/projection_derivative.h"
#include "asperity/implicit/step_data.h"

namespace asperity::implicit {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

template <int Dim>
Vec3 slip_of(const Model<Dim>& model, const Attempt<Dim>& attempt, std::span<const Vector<Dim>> x,
             const FrictionContact& c) {
    const Prediction<Dim>& p = attempt.prediction;
    Vector<Dim> sum = Vector<Dim>::Zero();
    for (std::size_t k = 0; k < at(c.count); ++k) {
        const std::size_t v = at(c.vertices[k]);
        const Carrier<Dim>& carrier = model.carriers[v];
        Vector<Dim> moved = Vector<Dim>::Zero();
        for (int j = 0; j < carrier.count; ++j)
            moved += carrier.weight(j) * (p.w * x[at(carrier.node + j)] - p.x_hat[at(carrier.node + j)]);
        if (carrier.count == 0) moved = attempt.obstacle_to[v] - attempt.obstacle_from[v];
        sum += c.weights[k] * moved;
    }
    const Vec3 slip = to_vec3(sum) + c.carried;
    return {dot(slip, c.surface.t), dot(slip, c.surface.b), 0};
}

namespace {

FrictionAt held(const FrictionContact& c, const Vec3& slip, FrictionStiffness stiffness) {
    FrictionAt out;
    const Vec3 pulled = c.start - c.stiffness * slip;
    if (stiffness == FrictionStiffness::Exact) {
        const friction::Projection p = friction::project_with_derivatives(c.surface.set, pulled, c.load);
        out.force = p.point;
        out.stiffness = c.stiffness * p.by_p;
    } else {
        out.force = friction::project(c.surface.set, pulled, c.load);
    }
    if (stiffness == FrictionStiffness::Secant) {
        const double share = length(pulled) > 0 ? std::min(1.0, length(out.force) / length(pulled)) : 1;
        out.stiffness = Mat3::diagonal({c.stiffness * share, c.stiffness * share, 0});
    }
    const double work = -dot(out.force, slip), penalty = length_squared(out.force - c.start) / (2 * c.stiffness);
    out.energy = work - penalty;
    out.magnitude = std::fabs(work) + penalty;
    return out;
}

/// With s = |D u|: gradient N mu f0'/s D^2 u, Hessian N mu (f0'/s D^2 + (f0'' - f0'/s)/s^2 D^2 u u^T D^2).
FrictionAt smoothed(const FrictionContact& c, const Vec3& slip, FrictionStiffness stiffness) {
    const auto& ellipse = std::get<friction::Ellipse>(c.surface.set);
    const double mu = std::max(ellipse.t, ellipse.b), e = c.smoothing;
    FrictionAt out;
    if (!(mu > 0)) return out;
    const Vec3 squares{ellipse.t * ellipse.t / (mu * mu), ellipse.b * ellipse.b / (mu * mu), 0};  // of D
    const Vec3 along{squares.x * slip.x, squares.y * slip.y, 0};                                  // D^2 u
    const double s = std::sqrt(dot(along, slip)), limit = mu * c.load;
    const bool sticks = s < e;
    const double ratio = sticks ? (2 - s / e) / e : 1 / s;  // f0'/s
    out.force = -limit * ratio * along;
    out.energy = limit * (sticks ? -s * s * s / (3 * e * e) + s * s / e + e / 3 : s);
    out.magnitude = out.energy;
    if (stiffness == FrictionStiffness::None) return out;
    const double bend = stiffness == FrictionStiffness::Secant ? 0
                        : !sticks                              ? -1 / (s * s * s)
                        : s > 1e-12 * e                        ? -1 / (e * e * s)
                                                               : 0;  // (f0'' - f0'/s)/s^2
    out.stiffness = limit * (ratio * Mat3::diagonal(squares) + bend * outer(along, along));
    return out;
}

}  // namespace

FrictionAt friction_at(const FrictionContact& c, const Vec3& slip, FrictionStiffness stiffness) {
    return c.smoothing > 0 ? smoothed(c, slip, stiffness) : held(c, slip, stiffness);
}

template <int Dim>
FrictionEnergy friction_energy(const Model<Dim>& model, const Attempt<Dim>& attempt,
                               std::span<const FrictionContact> contacts, std::span<const Vector<Dim>> x) {
    FrictionEnergy sum;
    const double share = attempt.friction_share / attempt.prediction.w;
    for (const FrictionContact& c : contacts) {
        const FrictionAt f = friction_at(c, slip_of(model, attempt, x, c), FrictionStiffness::None);
        sum.value += share * f.energy;
        sum.magnitude += share * f.magnitude;
    }
    return sum;
}

template <int Dim>
void find_sliding(const Model<Dim>& model, const Attempt<Dim>& attempt, std::span<const FrictionContact> contacts,
                  std::span<const Vector<Dim>> x, std::vector<char>& out) {
    out.clear();
    for (const FrictionContact& c : contacts) {
        const Vec3 pulled = c.start - c.stiffness * slip_of(model, attempt, x, c);
        out.push_back(!(friction::project(c.surface.set, pulled, c.load) == pulled));
    }
}

void order_by_key(std::span<const FrictionContact> contacts, std::vector<int>& order) {
    order.resize(contacts.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int i, int j) {
        const FrictionKey &p = contacts[at(i)].key, &q = contacts[at(j)].key;
        return p != q ? p < q : i < j;
    });
}

template <int Dim>
void remember_friction(const Model<Dim>& model, StepData<Dim>& d) {
    const std::vector<FrictionContact>& contacts = d.friction.contacts;
    std::vector<FrictionMemory>& memory = d.friction.memory;
    const bool solved = model.settings.friction == FrictionMethod::Velocity;  // the contact solver has found the forces
    order_by_key(contacts, d.friction.order);
    memory.clear();
    const FrictionKey* last = nullptr;
    for (const int i : d.friction.order) {
        const FrictionContact& c = contacts[at(i)];
        const Vec3 f =
            solved ? c.force : friction_at(c, slip_of<Dim>(model, d.attempt, d.now.x, c), FrictionStiffness::None).force;
        if (!last || *last != c.key) memory.push_back({c.key, {}, c.surface.t, {}, 0});
        last = &c.key;
        memory.back().force += in_world(c, f);
        memory.back().normal += c.load * c.normal;
        memory.back().load += c.load;
    }
    for (FrictionMemory& sum : memory) sum.normal = sum.load > 0 ? normalized(sum.normal) : Vec3{};
}

#define ASPERITY_INSTANTIATE(Dim)                                                                                          \
    template Vec3 slip_of<Dim>(const Model<Dim>&, const Attempt<Dim>&, std::span<const Vector<Dim>>,                       \
                               const FrictionContact&);                                                                    \
    template FrictionEnergy friction_energy<Dim>(const Model<Dim>&, const Attempt<Dim>&, std::span<const FrictionContact>, \
                                                 std::span<const Vector<Dim>>);                                            \
    template void find_sliding<Dim>(const Model<Dim>&, const Attempt<Dim>&, std::span<const FrictionContact>,              \
                                    std::span<const Vector<Dim>>, std::vector<char>&);                                     \
    template void remember_friction<Dim>(const Model<Dim>&, StepData<Dim>&);
ASPERITY_INSTANTIATE(2)
ASPERITY_INSTANTIATE(3)
#undef ASPERITY_INSTANTIATE

}  // namespace asperity::implicit
