#include "asperity/lab/faithful/explicit_pair.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "asperity/deform/damping.h"

namespace asperity::lab {
namespace {

using Matrix2 = Matrix<2, 2>;

double processor_time() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Surface edges and particles of both blocks, and the state.
class Explicit {
  public:
    Explicit(const TribometerDesc& desc, const FaithfulSettings& settings) : settings_(settings), gravity_(desc.gravity) {
        const GradedBlock lower = graded_block(desc.lower.face, desc.lower.base, desc.fine_rows);
        const GradedBlock upper = graded_block_above(desc.upper.face, desc.upper.base, desc.fine_rows);
        add(lower, desc.lower.solid, 0);
        for (const int p : lower.base) fixed_[at(p)] = 1;
        first_upper_ = static_cast<int>(x_.size());
        add(upper, desc.upper.solid, 1);
        v_.assign(x_.size(), Vector<2>::Zero());
        force_.assign(x_.size(), Vector<2>::Zero());
        for (std::size_t i = at(first_upper_); i < x_.size(); ++i) upper_mass_ += mass_[i];

        std::vector<double> held = mass_;
        for (std::size_t i = 0; i < held.size(); ++i)
            if (fixed_[i]) held[i] = 0;
        const double highest =
            std::sqrt(deform::extreme_eigenvalues<2>(elements_, std::span<const Vector<2>>(x_), held, 60, 1e-3).highest);
        const double beta = std::max(desc.lower.solid.damping, desc.upper.solid.damping);
        dt_ = settings.safety * deform::stable_step(highest, 0.5 * beta * highest);
        const double particles = static_cast<double>(upper.face.size());
        field_ = upper_mass_ * gravity_ / particles * settings.rest_gap * settings.rest_gap;
    }

    double dt() const { return dt_; }
    int triangles() const { return elements_.count(); }
    double weight() const { return upper_mass_ * gravity_; }
    double normal_impulse() const { return normal_impulse_; }  ///< of the last step, on the upper block
    double deepest() const { return deepest_; }

    double upper_mean(const std::vector<Vector<2>>& field, int axis) const {
        double sum = 0;
        for (std::size_t i = at(first_upper_); i < field.size(); ++i) sum += mass_[i] * field[i][axis];
        return sum / upper_mass_;
    }
    double place() const { return upper_mean(x_, 0); }
    double speed() const { return std::hypot(upper_mean(v_, 0), upper_mean(v_, 1)); }

    void step(double push, double drag) {
        add_forces();
        for (std::size_t i = 0; i < x_.size(); ++i) {
            if (fixed_[i]) continue;
            Vector<2> acceleration = force_[i] / mass_[i] + Vector<2>(0, -gravity_);
            if (static_cast<int>(i) >= first_upper_) acceleration[0] += push * gravity_;
            v_[i] += dt_ * (acceleration - drag * v_[i]);
        }
        collide();
        for (std::size_t i = 0; i < x_.size(); ++i)
            if (!fixed_[i]) x_[i] += dt_ * v_[i];
    }

  private:
    struct Edge {
        int a, b, block;
    };
    struct Pair {
        int particle, edge;
    };

    void add(const GradedBlock& block, const Solid& solid, int index) {
        const int first = static_cast<int>(x_.size());
        deform::append(elements_, deform::make_elements(
                                      block.mesh, {deform::Hyperelastic::NeoHookean, solid.young, solid.poisson}, first));
        const std::vector<double> mass = deform::lumped_mass(block.mesh, solid.density);
        x_.insert(x_.end(), block.mesh.points.begin(), block.mesh.points.end());
        mass_.insert(mass_.end(), mass.begin(), mass.end());
        fixed_.resize(x_.size(), 0);
        damping_.resize(at(elements_.count()), solid.damping);
        for (std::size_t k = 0; k < block.face.size(); ++k) {
            particles_.push_back(first + block.face[k]);
            particle_block_.push_back(index);
            if (k > 0) edges_.push_back({first + block.face[k - 1], first + block.face[k], index});
        }
    }

    /// Elastic forces by T3.17, T3.20 and their differential along v, times beta, by T3.28, T3.29; corrected signs.
    void add_forces() {
        std::fill(force_.begin(), force_.end(), Vector<2>::Zero());
        for (int e = 0; e < elements_.count(); ++e) {
            const auto& n = elements_.nodes[at(e)];
            const deform::Lame& lame = elements_.materials[at(elements_.material[at(e)])].lame;
            const Matrix2& inverse = elements_.inverse_rest_edges[at(e)];
            Matrix2 edges, rates;
            for (int k = 0; k < 2; ++k) {
                edges.col(k) = x_[at(n[at(k + 1)])] - x_[at(n[0])];
                rates.col(k) = v_[at(n[at(k + 1)])] - v_[at(n[0])];
            }
            const Matrix2 F = edges * inverse, dF = damping_[at(e)] * rates * inverse;
            const double J = F(0, 0) * F(1, 1) - F(0, 1) * F(1, 0), log_J = std::log(J);
            Matrix2 G;  // F^-T
            G << F(1, 1) / J, -F(1, 0) / J, -F(0, 1) / J, F(0, 0) / J;
            const Matrix2 P = lame.mu * (F - G) + lame.lambda * log_J * G;
            const double trace = G(0, 0) * dF(0, 0) + G(0, 1) * dF(0, 1) + G(1, 0) * dF(1, 0) + G(1, 1) * dF(1, 1);
            const Matrix2 dP =
                lame.mu * dF + (lame.mu - lame.lambda * log_J) * G * dF.transpose() * G + lame.lambda * trace * G;
            const Matrix2 nodal = elements_.rest_volume[at(e)] * (P + dP) * inverse.transpose();
            for (int k = 0; k < 2; ++k) {
                force_[at(n[at(k + 1)])] -= nodal.col(k);
                force_[at(n[0])] += nodal.col(k);
            }
        }
    }

    /// Pairs within the cut-off, from a hash of particles into square cells.
    void find_pairs() {
        pairs_.clear();
        double left = x_[at(particles_[0])][0], bottom = x_[at(particles_[0])][1], right = left, top = bottom;
        for (const int p : particles_) {
            left = std::min(left, x_[at(p)][0]);
            right = std::max(right, x_[at(p)][0]);
            bottom = std::min(bottom, x_[at(p)][1]);
            top = std::max(top, x_[at(p)][1]);
        }
        const double cell = settings_.cell;
        const int columns = static_cast<int>((right - left) / cell) + 1, rows = static_cast<int>((top - bottom) / cell) + 1;
        const auto column = [&](double x) { return std::clamp(static_cast<int>((x - left) / cell), 0, columns - 1); };
        const auto row = [&](double y) { return std::clamp(static_cast<int>((y - bottom) / cell), 0, rows - 1); };
        start_.assign(at(columns * rows) + 1, 0);
        for (const int p : particles_) ++start_[at(row(x_[at(p)][1]) * columns + column(x_[at(p)][0])) + 1];
        for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
        sorted_.resize(particles_.size());
        fill_.assign(start_.begin(), start_.end());
        for (std::size_t k = 0; k < particles_.size(); ++k) {
            const Vector<2>& p = x_[at(particles_[k])];
            sorted_[at(fill_[at(row(p[1]) * columns + column(p[0]))]++)] = static_cast<int>(k);
        }
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            const Vector<2>&a = x_[at(edges_[e].a)], &b = x_[at(edges_[e].b)];
            const int i0 = column(std::min(a[0], b[0]) - cell), i1 = column(std::max(a[0], b[0]) + cell);
            const int j0 = row(std::min(a[1], b[1]) - cell), j1 = row(std::max(a[1], b[1]) + cell);
            for (int j = j0; j <= j1; ++j)
                for (int i = i0; i <= i1; ++i)
                    for (int k = start_[at(j * columns + i)]; k < start_[at(j * columns + i) + 1]; ++k) {
                        const int particle = sorted_[at(k)];
                        if (particle_block_[at(particle)] != edges_[e].block)
                            pairs_.push_back({particles_[at(particle)], static_cast<int>(e)});
                    }
        }
    }

    void collide() {
        find_pairs();
        normal_impulse_ = 0;
        for (int sweep = 0; sweep < settings_.sweeps; ++sweep)
            for (const Pair& pair : pairs_) collide(pair, sweep == 0);
    }

    void collide(const Pair& pair, bool first) {
        const Edge& edge = edges_[at(pair.edge)];
        const std::size_t a = at(edge.a), b = at(edge.b), c = at(pair.particle);
        const Vector<2> along = x_[b] - x_[a];
        const double s = std::clamp(along.dot(x_[c] - x_[a]) / along.squaredNorm(), 0.0, 1.0);
        // an end that two edges share counts for the one before it
        if (s == 1 && pair.edge + 1 < static_cast<int>(edges_.size()) && edges_[at(pair.edge) + 1].a == edge.b) return;
        const Vector<2> gap = x_[c] - x_[a] - s * along;
        const double distance = gap.norm();
        if (!(distance > 0) || distance > settings_.cell) return;
        deepest_ = std::min(deepest_, distance);
        const Vector<2> normal = gap / distance;
        const double velocity = normal.dot(v_[c] - (1 - s) * v_[a] - s * v_[b]);
        const double inverse_a = fixed_[a] ? 0 : 1 / mass_[a], inverse_b = fixed_[b] ? 0 : 1 / mass_[b],
                     inverse_c = fixed_[c] ? 0 : 1 / mass_[c];
        const double reduced = 1 / ((1 - s) * (1 - s) * inverse_a + s * s * inverse_b + inverse_c);
        const PairImpulse found =
            pair_impulse(distance, velocity, reduced, first ? field_ : 0, settings_.thickness, settings_.cell, dt_);
        const double j = first || found.kill ? found.impulse : 0;
        if (!(j > 0)) return;
        v_[c] += j * inverse_c * normal;
        v_[a] -= j * (1 - s) * inverse_a * normal;
        v_[b] -= j * s * inverse_b * normal;
        normal_impulse_ += (edge.block == 0 ? 1 : -1) * j * normal[1];
    }

    FaithfulSettings settings_;
    double gravity_, dt_ = 0, field_ = 0, upper_mass_ = 0, normal_impulse_ = 0;
    double deepest_ = std::numeric_limits<double>::infinity();
    int first_upper_ = 0;
    deform::Elements<2> elements_;
    std::vector<Vector<2>> x_, v_, force_;
    std::vector<double> mass_, damping_;
    std::vector<char> fixed_;
    std::vector<int> particles_, particle_block_, start_, fill_, sorted_;
    std::vector<Edge> edges_;
    std::vector<Pair> pairs_;
};

}  // namespace

PairImpulse pair_impulse(double distance, double velocity, double m, double field, double thickness, double cut_off,
                         double dt) {
    PairImpulse out;
    const double x = distance - thickness, dx = velocity * dt;
    const double kill = std::max(0.0, -m * velocity);  // (T3.45, T3.46)
    if (!(x > 0) || !(x + dx > 0)) {
        out.kill = velocity < 0;
        out.impulse = kill;
        return out;
    }
    if (!(field > 0)) return out;
    const double end = field / ((cut_off - thickness) * (cut_off - thickness));  // so that the field vanishes at the cut-off
    const double force = field / (x * x) - end;
    out.work = field * dx / (x * (x + dx)) - end * dx;
    if (out.work < -0.5 * m * velocity * velocity) {
        out.kill = true;
        out.impulse = kill;
    } else {  // the root that keeps the sign of the velocity (T3.47)
        const double after = std::copysign(std::sqrt(std::max(0.0, velocity * velocity + 2 * out.work / m)), velocity);
        out.impulse = m * (after - velocity);
        // From rest the work is nothing, however close the pair is: then the force itself
        if (std::fabs(velocity) < force * dt / m) out.impulse = std::max(out.impulse, force * dt);
    }
    out.impulse = std::max(0.0, out.impulse);
    return out;
}

FaithfulResult run_faithful(const TribometerDesc& desc, const FaithfulSettings& settings, double distance) {
    const double begin = processor_time();
    Explicit pair(desc, settings);
    FaithfulResult out;
    out.dt = pair.dt();
    out.triangles = pair.triangles();
    const auto settle_steps = static_cast<std::int64_t>(std::ceil(settings.settle_time / out.dt));
    double impulse = 0;
    std::int64_t counted = 0;
    for (std::int64_t k = 0; k < settle_steps; ++k) {
        pair.step(0, settings.settle_drag);
        if (4 * k < 3 * settle_steps) continue;
        impulse += pair.normal_impulse();
        ++counted;
    }
    out.normal_over_weight = impulse / (static_cast<double>(counted) * out.dt) / pair.weight();
    out.settle_speed = pair.speed();
    const double start = pair.place();
    out.first_slip = std::numeric_limits<double>::quiet_NaN();
    std::int64_t driven = 0;
    for (double push = 0; push < settings.most_push;) {
        push = settings.ramp * static_cast<double>(++driven) * out.dt;
        pair.step(push, 0);
        if (pair.place() - start < distance) continue;
        out.first_slip = push;
        break;
    }
    out.steps = settle_steps + driven;
    out.simulated = static_cast<double>(out.steps) * out.dt;
    out.deepest = pair.deepest();
    out.cpu_s = processor_time() - begin;
    return out;
}

}  // namespace asperity::lab
