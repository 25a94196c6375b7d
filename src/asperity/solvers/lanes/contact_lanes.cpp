#include "asperity/solvers/lanes/contact_lanes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "asperity/core/parallel.h"
#include "asperity/core/prefetch.h"

namespace asperity::solvers {
namespace {

// These functions must be inlined into the loops that call them: a call would spill all vector registers to memory.
#define ASPERITY_LANES [[gnu::always_inline]] inline

SlotTwist in_slot(const Twist& v) {
    const auto f = [](double x) { return static_cast<float>(x); };
    return {{f(v.linear.x), f(v.linear.y), f(v.linear.z)}, 0, {f(v.angular.x), f(v.angular.y), f(v.angular.z)}, 0};
}

/// The velocities of the two groups of each lane.
struct PairVelocities {
    Lanes3 v_a, w_a, v_b, w_b;
};

ASPERITY_LANES void gather(const SlotTwist* twists, const int* slots, Lanes3& v, Lanes3& w) {
    Lanes rows[kLanes], columns[kLanes];
#pragma GCC unroll 8
    for (int i = 0; i < kLanes; ++i) rows[i] = *reinterpret_cast<const Lanes*>(&twists[slots[i]]);
    transpose(rows, columns);
    v = {columns[0], columns[1], columns[2]};
    w = {columns[4], columns[5], columns[6]};
}

ASPERITY_LANES void scatter(SlotTwist* twists, const int* slots, const Lanes3& v, const Lanes3& w) {
    const Lanes columns[kLanes] = {v.x, v.y, v.z, {}, w.x, w.y, w.z, {}};
    Lanes rows[kLanes];
    transpose(columns, rows);
#pragma GCC unroll 8
    for (int i = 0; i < kLanes; ++i)
        if (slots[i] != 0) *reinterpret_cast<Lanes*>(&twists[slots[i]]) = rows[i];
}

ASPERITY_LANES PairVelocities load(const PairLanes& pair, const SlotTwist* twists) {
    PairVelocities m;
    gather(twists, pair.a, m.v_a, m.w_a);
    gather(twists, pair.b, m.v_b, m.w_b);
    return m;
}

ASPERITY_LANES void store(const PairLanes& pair, SlotTwist* twists, const PairVelocities& m) {
    scatter(twists, pair.a, m.v_a, m.w_a);
    scatter(twists, pair.b, m.v_b, m.w_b);
}

/// Velocity of b relative to a at the point.
ASPERITY_LANES Lanes3 relative_velocity(const PointLanes& p, const PairVelocities& m) {
    return m.v_b - m.v_a + cross(m.w_b, p.arm_b) - cross(m.w_a, p.arm_a);
}

ASPERITY_LANES void push(const PairLanes& pair, const PointLanes& p, const Lanes3& impulse, PairVelocities& m) {
    m.v_a = add_scaled(m.v_a, -pair.mass_a, impulse);
    m.v_b = add_scaled(m.v_b, pair.mass_b, impulse);
    m.w_a = m.w_a - pair.inertia_a * cross(p.arm_a, impulse);
    m.w_b = m.w_b + pair.inertia_b * cross(p.arm_b, impulse);
}

/// lambda <- max(0, lambda - r_n u) with u = n . v + bias; applies the change to the velocities and returns it.
ASPERITY_LANES Lanes step_normal(const PairLanes& pair, const PointLanes& p, Lanes bias, Lanes& lambda, PairVelocities& m) {
    const Lanes u = dot(p.normal, relative_velocity(p, m)) + bias, next = max(lambda - p.r_n * u, all_lanes(0)),
                change = next - lambda;
    lambda = next;
    push(pair, p, change * p.normal, m);
    return change;
}

/// Friction impulse in world axes from its components in scaled axes: t' = mu_t t, b' = mu_b b.
ASPERITY_LANES Lanes3 friction_impulse(const FrictionLanes& f, const Lanes3& binormal, Lanes f_t, Lanes f_b) {
    return add_scaled((f.mu_t * f_t) * f.tangent, f.mu_b * f_b, binormal);
}

/// One entry of W = J M^-1 J^T, for two axes at the point.
ASPERITY_LANES Lanes response(const PairLanes& pair, const PointLanes& p, const Lanes3& along, const Lanes3& of) {
    return (pair.mass_a + pair.mass_b) * dot(along, of) + dot(cross(p.arm_a, along), pair.inertia_a * cross(p.arm_a, of)) +
           dot(cross(p.arm_b, along), pair.inertia_b * cross(p.arm_b, of));
}

ASPERITY_LANES Lanes inverse_or_zero(Lanes x) { return select(x > 0, all_lanes(1) / x, all_lanes(0)); }

/// Projects (t, b) to the disc of the given radius.
ASPERITY_LANES void project(Lanes radius, Lanes& t, Lanes& b) {
    const Lanes size2 = t * t + b * b;
    const LaneMask outside = size2 > radius * radius;
    const Lanes shrink = select(outside, radius / sqrt(size2), all_lanes(1));
    t *= shrink;
    b *= shrink;
}

/// Upper bound of the factor from a residual in scaled axes to one in m/s.
ASPERITY_LANES Lanes unscale(const FrictionLanes& f) {
    const Lanes low = min(f.mu_t, f.mu_b);
    return inverse_or_zero(select(low > 0, low, max(f.mu_t, f.mu_b)));
}

/// Smallest det(W_ff) / (W_tt W_bb) at which eight bits suffice for the inverse of W_ff. With correlation rho the ratio is 1
/// - rho^2. A relative error e of the entries then causes a relative error of up to e (1 + rho)/(1 - rho) in the impulse
/// that stops the slip. That is 0.4 here, with e = 0.004, so each visit still reduces the error. Below, the plain step is
/// used.
constexpr float kInvertible = 0.04F;

constexpr auto kFetchAll = [](const PointLanes* p, const FrictionLanes* f) {
    fetch(p, offsetof(PointLanes, gap_rate));
    fetch(f, sizeof(FrictionLanes));
};

}  // namespace

void ContactLanes::bind_groups(const ContactProblem& problem) {
    const size_t groups = problem.velocity.size();
    mass_.resize(groups);
    motion_.resize(groups);
    parallel_for(
        static_cast<int>(groups),
        [&](int k) {
            const auto g = static_cast<size_t>(k);
            const auto inertia = [&](int i, int j) { return static_cast<float>(problem.inverse_inertia[g].r[i][j]); };
            mass_[g] = {static_cast<float>(problem.inverse_mass[g]),
                        inertia(0, 0),
                        inertia(1, 1),
                        inertia(2, 2),
                        inertia(0, 1),
                        inertia(0, 2),
                        inertia(1, 2),
                        0};
            motion_[g] = in_slot(problem.velocity[g]);
        },
        1024);
}

void ContactLanes::forget_changes() {
    parallel_for(
        static_cast<int>(change_.size()), [&](int slot) { change_[static_cast<size_t>(slot)] = {}; }, 1024);
}

Twist ContactLanes::change(int group) const {
    const SlotTwist& s = change_[static_cast<size_t>(slot_[static_cast<size_t>(group)])];
    return {{s.linear[0], s.linear[1], s.linear[2]}, {s.angular[0], s.angular[1], s.angular[2]}};
}

void ContactLanes::add_change(int group, const Twist& by) {
    if (!moves(group)) return;
    SlotTwist& s = change_[static_cast<size_t>(slot_[static_cast<size_t>(group)])];
    for (int i = 0; i < 3; ++i) {
        s.linear[i] = static_cast<float>(s.linear[i] + by.linear[i]);
        s.angular[i] = static_cast<float>(s.angular[i] + by.angular[i]);
    }
}

/// Prefetches the contacts of a batch while another is processed, as they are scattered in memory. Small problems stay in
/// the cache and need no prefetch.
void ContactLanes::fetch_contacts(int batch, const ContactProblem& problem) const {
    constexpr size_t kInCache = 8192;  // contacts; their data take less than two megabytes
    if (problem.contacts.size() < kInCache || static_cast<size_t>(batch) >= sources_.size()) return;
    const LaneSource& source = sources_[static_cast<size_t>(batch)];
    for (int lane = 0; lane < kLanes; ++lane) {
        const auto first = static_cast<size_t>(source.contact[lane]), count = static_cast<size_t>(source.count[lane]);
        fetch(&problem.contacts[first], count * sizeof(PointContact));
        fetch(&problem.contact_impulse[first], count * sizeof(ContactImpulse));
    }
}

/// The gather below reads sixteen doubles from `normal` on: normal, t, arm_a, arm_b, bias (fifteen) and one more, unused.
static_assert(offsetof(PointContact, bias) + 3 * sizeof(double) == offsetof(PointContact, normal) + 15 * sizeof(double));
static_assert(sizeof(PointContact) >= offsetof(PointContact, normal) + 16 * sizeof(double));

/// Loads the k-th contact of each lane.
ASPERITY_LANES void gather_points(const LaneSource& source, int k, const ContactProblem& problem, PointLanes& p,
                                  FrictionLanes& f) {
    Lanes first[kLanes], second[kLanes], third[kLanes], columns[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
        first[lane] = second[lane] = third[lane] = Lanes{};
        if (source.count[lane] <= k) continue;
        const auto i = static_cast<size_t>(source.contact[lane] + k);
        const PointContact& c = problem.contacts[i];
        const ContactImpulse& impulse = problem.contact_impulse[i];
        const friction::Ellipse ellipse = c.rows > 1 ? *std::get_if<friction::Ellipse>(&c.set) : friction::Ellipse{0, 0};
        first[lane] = rounded(&c.normal.x);
        second[lane] = rounded(&c.normal.x + kLanes);
        third[lane] = Lanes{static_cast<float>(impulse[0]), static_cast<float>(impulse[1]), static_cast<float>(impulse[2]),
                            static_cast<float>(ellipse.t), static_cast<float>(ellipse.b)};
    }
    transpose(first, columns);
    p.normal = {columns[0], columns[1], columns[2]};
    f.tangent = {columns[3], columns[4], columns[5]};
    p.arm_a.x = columns[6];
    p.arm_a.y = columns[7];
    transpose(second, columns);
    p.arm_a.z = columns[0];
    p.arm_b = {columns[1], columns[2], columns[3]};
    f.bias_n = columns[4];
    f.bias_t = columns[5];
    f.bias_b = columns[6];
    transpose(third, columns);
    f.lambda_n = columns[0];
    f.lambda_t = columns[1];
    f.lambda_b = columns[2];
    f.mu_t = columns[3];
    f.mu_b = columns[4];
}

ASPERITY_LANES void gather_masses(const GroupMass* masses, const int* groups, Lanes& mass, LanesSym3& inertia) {
    Lanes rows[kLanes], columns[kLanes];
#pragma GCC unroll 8
    for (int i = 0; i < kLanes; ++i) rows[i] = *reinterpret_cast<const Lanes*>(&masses[groups[i]]);
    transpose(rows, columns);
    mass = columns[0];
    inertia = {columns[1], columns[2], columns[3], columns[4], columns[5], columns[6]};
}

/// Velocities at zero impulses.
ASPERITY_LANES PairVelocities free_motion(const LaneSource& source, const SlotTwist* motion) {
    PairVelocities m;
    gather(motion, source.group_a, m.v_a, m.w_a);
    gather(motion, source.group_b, m.v_b, m.w_b);
    return m;
}

void ContactLanes::bind(int batch, const ContactProblem& problem) {
    fetch_contacts(batch + 1, problem);
    PairLanes& pair = pairs_[static_cast<size_t>(batch)];
    const LaneSource& source = sources_[static_cast<size_t>(batch)];
    PointLanes* points = &points_[static_cast<size_t>(pair.first_point)];
    FrictionLanes* friction = &friction_[static_cast<size_t>(pair.first_point)];
    gather_masses(mass_.data(), source.group_a, pair.mass_a, pair.inertia_a);
    gather_masses(mass_.data(), source.group_b, pair.mass_b, pair.inertia_b);
    const PairVelocities free = free_motion(source, motion_.data());
    for (int k = 0; k < pair.points; ++k) gather_points(source, k, problem, points[k], friction[k]);
    for (int k = 0; k < pair.points; ++k) {
        PointLanes& p = points[k];
        FrictionLanes& f = friction[k];
        const Lanes3 binormal = cross(p.normal, f.tangent), t = f.mu_t * f.tangent, b = f.mu_b * binormal;
        p.r_n = inverse_or_zero(response(pair, p, p.normal, p.normal));
        f.w_n = paired(response(pair, p, t, p.normal), response(pair, p, b, p.normal));
        const Lanes tt = response(pair, p, t, t), tb = response(pair, p, t, b), bb = response(pair, p, b, b);
        const Lanes mean = 0.5f * (tt + bb), half = 0.5f * (tt - bb);
        const Lanes r_f = inverse_or_zero(mean + sqrt(half * half + tb * tb));
        const Lanes det = tt * bb - tb * tb;
        const LaneMask invertible = det > kInvertible * tt * bb;  // else the plain step is used
        const Lanes scale = select(invertible, all_lanes(1) / select(invertible, det, all_lanes(1)), all_lanes(0));
        f.inverse_tt_bb = paired(select(invertible, bb * scale, r_f), select(invertible, tt * scale, r_f));
        f.inverse_tb_r_f = paired(-tb * scale, r_f);
        const Lanes3 u = relative_velocity(p, free);
        f.bias_n += dot(p.normal, u);
        f.bias_t = f.mu_t * f.bias_t + dot(t, u);
        f.bias_b = f.mu_b * f.bias_b + dot(b, u);
        f.lambda_t *= inverse_or_zero(f.mu_t);
        f.lambda_b *= inverse_or_zero(f.mu_b);
    }
}

/// Calls work(pair, point, its friction, velocities, error) for the points of one or two batches, in order within each
/// batch; returns the largest error. Each point depends on the velocities left by the point before it, and this latency
/// exceeds its own arithmetic. With two interleaved batches the processor works on one while the other waits. ahead(point,
/// its friction) prefetches the data of the next two batches.
template <class Ahead, class Work>
float ContactLanes::for_points(int batch, int batches, const Ahead& ahead, const Work& work) {
    Lanes error{};
    const PairLanes* pair = &pairs_[static_cast<size_t>(batch)];
    if (batches == 2 && pair[0].points == pair[1].points) {
        const int points = pair->points;
        PointLanes *p = &points_[static_cast<size_t>(pair->first_point)], *q = p + points;
        FrictionLanes *f = &friction_[static_cast<size_t>(pair->first_point)], *g = f + points;
        PairVelocities m = load(pair[0], change_.data()), n = load(pair[1], change_.data());
        for (int k = 0; k < points; ++k) {
            ahead(q + points + 2 * k, g + points + 2 * k);
            ahead(q + points + 2 * k + 1, g + points + 2 * k + 1);
            work(pair[0], p[k], f[k], m, error);
            work(pair[1], q[k], g[k], n, error);
        }
        store(pair[0], change_.data(), m);
        store(pair[1], change_.data(), n);
        return largest(error);
    }
    for (const PairLanes* end = pair + batches; pair < end; ++pair) {
        PointLanes* p = &points_[static_cast<size_t>(pair->first_point)];
        FrictionLanes* f = &friction_[static_cast<size_t>(pair->first_point)];
        PairVelocities m = load(*pair, change_.data());
        for (int k = 0; k < pair->points; ++k) work(*pair, p[k], f[k], m, error);
        store(*pair, change_.data(), m);
    }
    return largest(error);
}

void ContactLanes::warm_start(int batch, int batches) {
    for_points(
        batch, batches, kFetchAll,
        [](const PairLanes& pair, const PointLanes& p, const FrictionLanes& f, PairVelocities& m, Lanes&)
            __attribute__((always_inline)) {
                push(pair, p,
                     f.lambda_n * p.normal + friction_impulse(f, cross(p.normal, f.tangent), f.lambda_t, f.lambda_b), m);
            });
}

// Normal first, then friction: the impulse that stops the slip if the disc contains it, else one projected step. Solutions
// of the law are exactly the fixed points of both steps. The effect of the normal's change on the slip is computed from W_tn
// and W_bn. So the velocities are read once and both impulses are applied together.
float ContactLanes::sweep(int batch, int batches, bool measure) {
    return for_points(
        batch, batches, kFetchAll,
        [measure](const PairLanes& pair, const PointLanes& p, FrictionLanes& f, PairVelocities& m,
                  Lanes& error) __attribute__((always_inline)) {
            const Lanes3 binormal = cross(p.normal, f.tangent), u = relative_velocity(p, m);
            const Lanes next_n = max(f.lambda_n - p.r_n * (dot(p.normal, u) + f.bias_n), all_lanes(0)),
                        change_n = next_n - f.lambda_n;
            const Lanes u_t = mul_add(f.mu_t, dot(f.tangent, u), mul_add(f.w_n.first(), change_n, f.bias_t));
            const Lanes u_b = mul_add(f.mu_b, dot(binormal, u), mul_add(f.w_n.second(), change_n, f.bias_b));
            const Lanes inverse_tb = f.inverse_tb_r_f.first(), r_f = f.inverse_tb_r_f.second();
            const Lanes stick_t = f.lambda_t - (f.inverse_tt_bb.first() * u_t + inverse_tb * u_b);
            const Lanes stick_b = f.lambda_b - (inverse_tb * u_t + f.inverse_tt_bb.second() * u_b);
            const LaneMask sticks = stick_t * stick_t + stick_b * stick_b <= next_n * next_n;
            Lanes t = select(sticks, stick_t, f.lambda_t - r_f * u_t), b = select(sticks, stick_b, f.lambda_b - r_f * u_b);
            project(next_n, t, b);
            const Lanes change_t = t - f.lambda_t, change_b = b - f.lambda_b;
            push(pair, p, add_scaled(friction_impulse(f, binormal, change_t, change_b), change_n, p.normal), m);
            f.lambda_n = next_n;
            f.lambda_t = t;
            f.lambda_b = b;
            if (!measure) return;
            const Lanes change_f = max(abs(change_t), abs(change_b)) * inverse_or_zero(r_f) * unscale(f);
            error = max(error, max(abs(change_n) * inverse_or_zero(p.r_n), change_f));
        });
}

float ContactLanes::residual(int batch, int& worst_contact) const {
    const PairLanes& pair = pairs_[static_cast<size_t>(batch)];
    const PairVelocities m = load(pair, change_.data());
    float worst = 0;
    for (int k = 0; k < pair.points; ++k) {
        const PointLanes& p = points_[static_cast<size_t>(pair.first_point + k)];
        const FrictionLanes& f = friction_[static_cast<size_t>(pair.first_point + k)];
        const Lanes3 u = relative_velocity(p, m);
        const Lanes u_n = dot(p.normal, u) + f.bias_n, r_f = f.inverse_tb_r_f.second();
        const Lanes error_n = abs(f.lambda_n - max(f.lambda_n - p.r_n * u_n, all_lanes(0))) * inverse_or_zero(p.r_n);
        Lanes t = f.lambda_t - r_f * (f.mu_t * dot(f.tangent, u) + f.bias_t);
        Lanes b = f.lambda_b - r_f * (f.mu_b * dot(cross(p.normal, f.tangent), u) + f.bias_b);
        project(f.lambda_n, t, b);
        t -= f.lambda_t;
        b -= f.lambda_b;
        const Lanes error = max(error_n, sqrt(t * t + b * b) * inverse_or_zero(r_f) * unscale(f));
        for (int lane = 0; lane < kLanes; ++lane) {
            if (error[lane] <= worst) continue;
            worst = error[lane];
            worst_contact = sources_[static_cast<size_t>(batch)].contact[lane] + k;
        }
    }
    return worst;
}

void ContactLanes::begin_positions(std::span<const Twist> motion) {
    parallel_for(
        static_cast<int>(motion.size()),
        [&](int g) { motion_[static_cast<size_t>(g)] = in_slot(motion[static_cast<size_t>(g)]); }, 1024);
    forget_changes();
}

float ContactLanes::bind_positions(int batch, std::span<const double> gap_rate) {
    const PairLanes& pair = pairs_[static_cast<size_t>(batch)];
    const LaneSource& source = sources_[static_cast<size_t>(batch)];
    PointLanes* points = &points_[static_cast<size_t>(pair.first_point)];
    for (int k = 0; k < pair.points; ++k) points[k].push = points[k].gap_rate = Lanes{};
    for (int lane = 0; lane < kLanes; ++lane)
        for (int k = 0; k < source.count[lane]; ++k)
            points[k].gap_rate[lane] = static_cast<float>(gap_rate[static_cast<size_t>(source.contact[lane] + k)]);
    const PairVelocities free = free_motion(source, motion_.data());
    Lanes broken{};
    for (int k = 0; k < pair.points; ++k) {
        points[k].gap_rate += dot(points[k].normal, relative_velocity(points[k], free));
        broken = max(broken, -points[k].gap_rate);
    }
    return largest(broken);
}

float ContactLanes::sweep_positions(int batch, int batches) {
    const auto ahead = [](const PointLanes* p, const FrictionLanes*) { fetch(p, sizeof(PointLanes)); };
    return for_points(
        batch, batches, ahead,
        [](const PairLanes& pair, PointLanes& p, const FrictionLanes&, PairVelocities& m, Lanes& error)
            __attribute__((always_inline)) {
                error = max(error, abs(step_normal(pair, p, p.gap_rate, p.push, m)) * inverse_or_zero(p.r_n));
            });
}

void ContactLanes::store_impulses(int batch, ContactProblem& problem) const {
    const PairLanes& pair = pairs_[static_cast<size_t>(batch)];
    const LaneSource& source = sources_[static_cast<size_t>(batch)];
    for (int lane = 0; lane < kLanes; ++lane) {
        for (int k = 0; k < source.count[lane]; ++k) {
            const FrictionLanes& f = friction_[static_cast<size_t>(pair.first_point + k)];
            problem.contact_impulse[static_cast<size_t>(source.contact[lane] + k)] = {
                f.lambda_n[lane], f.mu_t[lane] * f.lambda_t[lane], f.mu_b[lane] * f.lambda_b[lane], 0};
        }
    }
}

}  // namespace asperity::solvers
