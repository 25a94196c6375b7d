// One projected step on one block. `Velocities` gives access to the groups' velocities: load(group) and store(group, twist).
#pragma once
#include <cmath>

#include "asperity/solvers/problem/contact_problem.h"

namespace asperity::solvers {

/// One block and the velocities of its two groups, kept in registers while its rows are processed.
template <class Velocities>
class Local {
  public:
    Local(ContactProblem& p, const Velocities& velocities, const Block& block)
        : velocities_(velocities),
          block_(block),
          J_(&p.jacobian[static_cast<size_t>(block.first_row)]),
          M_(&p.response()[static_cast<size_t>(block.first_row)]),
          bias_(&p.bias[static_cast<size_t>(block.first_row)]),
          compliance_(&p.compliance[static_cast<size_t>(block.first_row)]),
          lambda_(&p.impulse[static_cast<size_t>(block.first_row)]),
          a_(velocities.load(block.a)),
          b_(velocities.load(block.b)),
          mass_a_(p.inverse_mass[static_cast<size_t>(block.a)]),
          mass_b_(p.inverse_mass[static_cast<size_t>(block.b)]) {}
    ~Local() {
        velocities_.store(block_.a, a_);
        velocities_.store(block_.b, b_);
    }
    Local(const Local&) = delete;
    Local& operator=(const Local&) = delete;

    double lambda(int i) const { return lambda_[i]; }
    double u(int i) const { return J_[i].rate(a_, b_) + bias_[i] + compliance_[i] * lambda_[i]; }
    void set_impulse(int i, double next) {
        const double change = next - lambda_[i];
        lambda_[i] = next;
        a_.linear -= (mass_a_ * change) * J_[i].linear;
        b_.linear += (mass_b_ * change) * J_[i].linear;
        a_.angular += change * M_[i].angular_a;
        b_.angular += change * M_[i].angular_b;
    }

  private:
    const Velocities& velocities_;
    const Block& block_;
    const Row* J_;
    const Response* M_;
    const double *bias_, *compliance_;
    double* lambda_;
    Twist a_, b_;
    double mass_a_, mass_b_;
};

/// lambda_n <- max(0, lambda_n - r_n u_n), then the friction rows. `rows` is a template constant so that loops unroll.
template <int rows, class Velocities>
double relax_contact(ContactProblem& p, const Velocities& v, const Block& block, double shrink) {
    Local local(p, v, block);
    const double r_n = shrink * block.r_n, before = local.lambda(0);
    const double next_n = larger(before - r_n * local.u(0), 0.0);
    local.set_impulse(0, next_n);
    const double error_n = std::fabs(next_n - before) / r_n;
    if constexpr (rows == 1) return error_n;
    if (block.r_f == 0) return error_n;

    const double r_f = shrink * block.r_f;
    Vec3 old, z;
    for (int i = 1; i < rows; ++i) {
        old[i - 1] = local.lambda(i);
        z[i - 1] = local.lambda(i) - r_f * local.u(i);
    }
    const Vec3 next = friction::project(block.set, z, next_n);
    for (int i = 1; i < rows; ++i) local.set_impulse(i, next[i - 1]);
    return larger(error_n, length(next - old) / r_f);
}

template <class Velocities>
double relax_bilateral(ContactProblem& p, const Velocities& v, const Block& block) {
    Local local(p, v, block);
    const SymBlock& inverse = p.inverse(block);
    double rate[kMaxBlockRows], error = 0;
    for (int i = 0; i < block.rows; ++i) {
        rate[i] = local.u(i);
        if (inverse.m[i][i] > 0) error = larger(error, std::fabs(rate[i]));
    }
    for (int i = 0; i < block.rows; ++i) {
        double change = 0;
        for (int k = 0; k < block.rows; ++k) change -= inverse.m[i][k] * rate[k];
        local.set_impulse(i, local.lambda(i) + change);
    }
    return error;
}

template <class Velocities>
double relax_interval(ContactProblem& p, const Velocities& v, const Block& block) {
    Local local(p, v, block);
    const double before = local.lambda(0), next = clamp(before - block.r_n * local.u(0), block.low, block.high);
    local.set_impulse(0, next);
    return std::fabs(next - before) / block.r_n;
}

template <class Velocities>
double relax_ball(ContactProblem& p, const Velocities& v, const Block& block) {
    Local local(p, v, block);
    Vec3 old, z;
    for (int i = 0; i < 3; ++i) {
        old[i] = local.lambda(i);
        z[i] = local.lambda(i) - block.r_f * local.u(i);
    }
    const double size = length(z);
    if (size > block.high) z *= block.high / size;
    for (int i = 0; i < 3; ++i) local.set_impulse(i, z[i]);
    return length(z - old) / block.r_f;
}

/// Solves a patch with all other impulses fixed.
template <class Velocities>
double relax_patch(ContactProblem& p, const Velocities& v, const Block& block) {
    Local local(p, v, block);
    const PatchMatrix& w = p.patch_matrix(block);
    double free[kPatchRows], next[kPatchRows], error = 0;
    for (int i = 0; i < kPatchRows; ++i) {
        next[i] = local.lambda(i);
        free[i] = local.u(i);
        for (int k = 0; k < kPatchRows; ++k) free[i] -= w.own.m[i][k] * local.lambda(k);
    }
    solve_patch(*block.patch, {block.r_n, block.r_f}, w, free, next);
    for (int i = 0; i < kPatchRows; ++i) {
        if (const double r = block.step_length(i); r > 0) error = larger(error, std::fabs(next[i] - local.lambda(i)) / r);
        local.set_impulse(i, next[i]);
    }
    return error;
}

/// A cheap step for a rolling disc: the impulse that stops all motion if the limits allow it, else one projected step. Its
/// fixed points are solutions of the patch alone, as in relax_patch(); it takes a tenth of the time.
template <class Velocities>
double step_disc(ContactProblem& p, const Velocities& v, const Block& block) {
    Local local(p, v, block);
    const PatchMatrix& w = p.patch_matrix(block);
    const PatchSteps steps{block.r_n, block.r_f};
    double u[kPatchRows], next[kPatchRows], F[kPatchRows], error = 0;
    for (int i = 0; i < kPatchRows; ++i) u[i] = local.u(i);
    for (int i = 0; i < kPatchRows; ++i) {
        next[i] = local.lambda(i);
        for (int k = 0; k < kPatchRows; ++k) next[i] -= w.inverse.m[i][k] * u[k];
    }
    const double still[kPatchRows] = {};
    if (!(next[0] > 0) || patch_defect(*block.patch, steps, next, still, F) != kPatchSticks) {
        for (int i = 0; i < kPatchRows; ++i) next[i] = local.lambda(i);
        patch_projected_step(*block.patch, steps, w.own, next, u);
    }
    for (int i = 0; i < kPatchRows; ++i) {
        if (const double r = block.step_length(i); r > 0) error = larger(error, std::fabs(next[i] - local.lambda(i)) / r);
        local.set_impulse(i, next[i]);
    }
    return error;
}

/// One projected step on one block; returns |change| / r [m/s]. Blocks that cannot move have no step length and are skipped.
template <class Velocities>
double relax(ContactProblem& p, const Velocities& v, const Block& block, double shrink) {
    switch (block.kind) {
        case BlockKind::Contact:
            if (block.r_n == 0) return 0;
            return block.rows == 3   ? relax_contact<3>(p, v, block, shrink)
                   : block.rows == 4 ? relax_contact<4>(p, v, block, shrink)
                                     : relax_contact<1>(p, v, block, shrink);
        case BlockKind::Bilateral: return relax_bilateral(p, v, block);
        case BlockKind::Interval: return block.r_n == 0 ? 0 : relax_interval(p, v, block);
        case BlockKind::Ball: return block.r_f == 0 ? 0 : relax_ball(p, v, block);
        case BlockKind::Patch: return block.r_n == 0 ? 0 : relax_patch(p, v, block);
    }
    return 0;
}

}  // namespace asperity::solvers
