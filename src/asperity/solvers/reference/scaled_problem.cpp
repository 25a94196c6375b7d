#include "asperity/solvers/reference/scaled_problem.h"

#include <cmath>

#include "asperity/friction/cone.h"
#include "asperity/friction/patch_limits.h"

namespace asperity::solvers {
namespace {

/// Factor on a friction set, from the scales of the normal and friction rows.
double stretch(const Block& block) { return block.r_f > 0 ? std::sqrt(block.r_n / block.r_f) : 0; }

Vec3 friction_of(const Block& block, const double* x) { return {x[1], x[2], block.rows > 3 ? x[3] : 0}; }

}  // namespace

void ScaledProblem::start(const AssembledProblem& problem) {
    problem_ = &problem;
    const auto rows = problem.q.size();
    scale_.assign(rows, 0);
    inverse_scale_.assign(rows, 0);
    q_.resize(rows);
    impulse_.resize(rows);
    sets_.assign(problem.blocks.size(), friction::Ellipse{0, 0});
    for (size_t k = 0; k < problem.blocks.size(); ++k) {
        const Block& block = problem.blocks[k];
        const bool has_normal =
            block.kind == BlockKind::Interval || block.kind == BlockKind::Contact || block.kind == BlockKind::Patch;
        if (has_normal && block.r_n == 0) continue;  // cannot move: no impulse, no constraint
        if (block.kind == BlockKind::Contact && block.rows > 1 && block.r_f > 0)
            sets_[k] = friction::scaled(block.set, stretch(block));
        const SymBlock w = problem.diagonal_block(static_cast<int>(k));
        for (int r = 0; r < block.rows; ++r) {
            const double step =
                block.kind == BlockKind::Bilateral ? (w.m[r][r] > 0 ? 1 / w.m[r][r] : 0) : block.step_length(r);
            scale_[static_cast<size_t>(block.first_row + r)] = std::sqrt(step);
        }
    }
    for (size_t i = 0; i < rows; ++i) {
        if (scale_[i] > 0) inverse_scale_[i] = 1 / scale_[i];
        q_[i] = scale_[i] * problem.q[i];
    }
}

void ScaledProblem::multiply(std::span<const double> x, std::span<double> y) const {
    for (size_t i = 0; i < scale_.size(); ++i) impulse_[i] = scale_[i] * x[i];
    problem_->multiply(impulse_, y);
    for (size_t i = 0; i < scale_.size(); ++i) y[i] *= scale_[i];
}

void ScaledProblem::project(std::span<double> x) const {
    for (size_t k = 0; k < problem_->blocks.size(); ++k) {
        const Block& block = problem_->blocks[k];
        const auto first = static_cast<size_t>(block.first_row);
        double* z = &x[first];
        switch (block.kind) {
            case BlockKind::Bilateral: break;
            case BlockKind::Patch: {
                Vec2 m{-z[5], z[4]};
                Vec3 f{z[1], z[2], z[3]};
                block.patch->project_held(z[0], m, f, stretch(block));
                for (int i = 0; i < 3; ++i) z[1 + i] = f[i];
                z[4] = m.y;
                z[5] = -m.x;
                break;
            }
            case BlockKind::Interval:
                if (scale_[first] > 0)
                    z[0] = clamp(z[0], block.low * inverse_scale_[first], block.high * inverse_scale_[first]);
                break;
            case BlockKind::Ball: {
                const double size = length(Vec3{z[0], z[1], z[2]}), bound = block.high * inverse_scale_[first];
                if (scale_[first] > 0 && size > bound)
                    for (int i = 0; i < 3; ++i) z[i] *= bound / size;
                break;
            }
            case BlockKind::Contact: {
                if (block.rows == 1) {
                    z[0] = larger(z[0], 0.0);
                    break;
                }
                const friction::ConePoint p = friction::project_cone(sets_[k], z[0], friction_of(block, z));
                z[0] = p.n;
                for (int i = 1; i < block.rows; ++i) z[i] = p.f[i - 1];
                break;
            }
        }
    }
}

void ScaledProblem::de_saxce_term(std::span<const double> v, std::span<double> s) const {
    std::fill(s.begin(), s.end(), 0.0);
    for (size_t k = 0; k < problem_->blocks.size(); ++k) {
        const Block& block = problem_->blocks[k];
        const auto first = static_cast<size_t>(block.first_row);
        if (block.kind == BlockKind::Patch) {
            s[first] = stretch(block) * block.patch->drag({-v[first + 1], -v[first + 2], -v[first + 3]}, {});
            // -g = (w_w, -w_u)
            if (block.patch->region().rolls) s[first] += block.patch->reach({v[first + 5], -v[first + 4]});
        }
        if (block.kind != BlockKind::Contact || block.rows == 1) continue;
        s[first] = friction::support(sets_[k], -friction_of(block, &v[first]));
    }
}

void ScaledProblem::load_impulse(std::span<double> x) const {
    for (size_t i = 0; i < scale_.size(); ++i) x[i] = inverse_scale_[i] * problem_->impulse[i];
}

void ScaledProblem::store_impulse(std::span<const double> x, AssembledProblem& problem) const {
    for (size_t i = 0; i < scale_.size(); ++i) problem.impulse[i] = scale_[i] * x[i];
}

void ScaledProblem::store(std::span<const double> x, std::span<const double> v, AssembledProblem& problem) const {
    store_impulse(x, problem);
    // rows that nothing moves keep their velocity
    for (size_t i = 0; i < scale_.size(); ++i)
        problem.velocity[i] = scale_[i] > 0 ? v[i] * inverse_scale_[i] : problem.velocity[i];
}

}  // namespace asperity::solvers
