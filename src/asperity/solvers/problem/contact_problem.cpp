#include "asperity/solvers/problem/contact_problem.h"

#include <algorithm>
#include <numeric>

namespace asperity::solvers {

Row PatchConstraint::row(int k) const {
    const Vec3 w = cross(normal, u), axis = k == 0 || k == 3 ? normal
                                            : k == 1         ? t
                                            : k == 2         ? cross(normal, t)
                                            : k == 4         ? u
                                                             : w;
    if (k < 3) return {axis, -cross(arm_a, axis), cross(arm_b, axis)};
    return {{}, -length * axis, length * axis};
}

void ContactProblem::reset(int group_count, int contact_count, int patch_count) {
    const auto groups = static_cast<size_t>(group_count);
    velocity.resize(groups);
    inverse_mass.resize(groups);
    inverse_inertia.resize(groups, Mat3::diagonal({0, 0, 0}));
    contacts.resize(static_cast<size_t>(contact_count));
    contact_impulse.resize(contacts.size());
    patches.resize(static_cast<size_t>(patch_count));
    blocks.clear();
    contact_of_block_.clear();
    first_contact_block_ = 0;
    prepared_ = false;
    jacobian.clear();
    bias.clear();
    compliance.clear();
    impulse.clear();
    response_.clear();
    inverses_.clear();
    patch_matrices_.clear();
}

Block& ContactProblem::add_block(BlockKind kind, int rows, int a, int b) {
    ASPERITY_ASSERT(rows >= 1 && rows <= kMaxBlockRows);
    ASPERITY_ASSERT(kind != BlockKind::Contact || rows <= 4);  // a friction force is a Vec3: t, b, drilling
    Block block;
    block.kind = kind;
    block.rows = rows;
    block.a = a;
    block.b = b;
    block.first_row = static_cast<int>(jacobian.size());
    const size_t size = jacobian.size() + static_cast<size_t>(rows);
    jacobian.resize(size);
    bias.resize(size, 0.0);
    compliance.resize(size, 0.0);
    impulse.resize(size, 0.0);
    return blocks.emplace_back(block);
}

double ContactProblem::diagonal(const Block& block, int row) const {
    const auto i = static_cast<size_t>(row);
    const double mass = inverse_mass[static_cast<size_t>(block.a)] + inverse_mass[static_cast<size_t>(block.b)];
    return mass * dot(jacobian[i].linear, jacobian[i].linear) + dot(jacobian[i].angular_a, response_[i].angular_a) +
           dot(jacobian[i].angular_b, response_[i].angular_b) + compliance[i];
}

SymBlock ContactProblem::diagonal_block(const Block& block) const {
    const double mass = inverse_mass[static_cast<size_t>(block.a)] + inverse_mass[static_cast<size_t>(block.b)];
    SymBlock w;
    for (int i = 0; i < block.rows; ++i) {
        const Row& j = jacobian[static_cast<size_t>(block.first_row + i)];
        for (int k = 0; k < i; ++k) {
            const Row& other = jacobian[static_cast<size_t>(block.first_row + k)];
            const Response& m = response_[static_cast<size_t>(block.first_row + k)];
            w.m[i][k] = w.m[k][i] =
                mass * dot(j.linear, other.linear) + dot(j.angular_a, m.angular_a) + dot(j.angular_b, m.angular_b);
        }
        w.m[i][i] = diagonal(block, block.first_row + i);
    }
    return w;
}

void ContactProblem::add_normal_row(const PointContact& c, double normal_bias) {
    Block& block = add_block(BlockKind::Interval, 1, c.a, c.b);
    block.low = 0;
    jacobian.back() = {c.normal, -cross(c.arm_a, c.normal), cross(c.arm_b, c.normal)};
    bias.back() = normal_bias;
}

void ContactProblem::append_contact(int contact) {
    const PointContact& c = contacts[static_cast<size_t>(contact)];
    if (c.rows == 0) return;
    contact_of_block_.push_back(contact);
    Block& block = add_block(BlockKind::Contact, c.rows, c.a, c.b);
    block.set = c.set;
    const Vec3 axes[3] = {c.normal, c.t, cross(c.normal, c.t)};
    for (int k = 0; k < c.rows; ++k) {
        const auto row = static_cast<size_t>(block.first_row + k);
        impulse[row] = contact_impulse[static_cast<size_t>(contact)][static_cast<size_t>(k)];
        if (k == 3) {
            jacobian[row] = {{}, -c.drilling_length * c.normal, c.drilling_length * c.normal};
            continue;
        }
        jacobian[row] = {axes[k], -cross(c.arm_a, axes[k]), cross(c.arm_b, axes[k])};  // (M3, corrected)
        bias[row] = c.bias[k];
    }
}

void ContactProblem::append_patches() {
    for (size_t i = 0; i < patches.size(); ++i) {
        const PatchConstraint& patch = patches[i];
        contact_of_block_.push_back(static_cast<int>(contacts.size() + i));
        Block& block = add_block(BlockKind::Patch, kPatchRows, patch.a, patch.b);
        block.patch = &patch.limits;
        for (int k = 0; k < kPatchRows; ++k) {
            const auto row = static_cast<size_t>(block.first_row + k);
            jacobian[row] = patch.row(k);
            bias[row] = patch.bias[k];
            compliance[row] = patch.compliance[k];
            impulse[row] = patch.impulse[k];
        }
    }
}

void ContactProblem::prepare() {
    first_contact_block_ = static_cast<int>(blocks.size());
    contact_of_block_.clear();
    contact_impulse.resize(contacts.size());
    for (size_t i = 0; i < contacts.size(); ++i) append_contact(static_cast<int>(i));
    append_patches();
    prepare_blocks();
    scale_harmful_warm_start();
}

void ContactProblem::prepare(std::span<const int> contacts_in_rows) {
    first_contact_block_ = static_cast<int>(blocks.size());
    contact_of_block_.clear();
    contact_impulse.resize(contacts.size());
    for (const int i : contacts_in_rows) append_contact(i);
    append_patches();
    prepare_blocks();
}

void ContactProblem::store_contact_impulses() {
    for (size_t k = 0; k < contact_of_block_.size(); ++k) {
        const Block& block = blocks[static_cast<size_t>(first_contact_block_) + k];
        const auto at = static_cast<size_t>(contact_of_block_[k]);
        double* to = at < contacts.size() ? contact_impulse[at].data() : patches[at - contacts.size()].impulse;
        std::copy_n(&impulse[static_cast<size_t>(block.first_row)], block.rows, to);
    }
}

SolveReport ContactProblem::resolve(Solver& solver, const SolveOptions& options, std::vector<double>& history) {
    if (!prepared_ && solver.reads_rows()) prepare();
    return solver.solve(*this, options, history);
}

void ContactProblem::reopen() {
    if (!prepared_) return;
    const auto kept = static_cast<size_t>(first_contact_block_);
    const size_t rows = kept < blocks.size() ? static_cast<size_t>(blocks[kept].first_row) : jacobian.size();
    blocks.resize(kept);
    jacobian.resize(rows);
    bias.resize(rows);
    compliance.resize(rows);
    impulse.resize(rows);
    contact_of_block_.clear();
    response_.clear();
    inverses_.clear();
    patch_matrices_.clear();
    velocity = free_velocity_;
    prepared_ = false;
}

void ContactProblem::prepare_blocks() {
    ASPERITY_ASSERT(!prepared_);  // the warm start would be applied twice
    prepared_ = true;
    response_.resize(jacobian.size());
    free_velocity_ = velocity;
    for (Block& block : blocks) {
        const auto a = static_cast<size_t>(block.a), b = static_cast<size_t>(block.b);
        for (int i = block.first_row; i < block.first_row + block.rows; ++i) {
            const Row& j = jacobian[static_cast<size_t>(i)];
            response_[static_cast<size_t>(i)] = {inverse_inertia[a] * j.angular_a, inverse_inertia[b] * j.angular_b};
        }
        const SymBlock w = diagonal_block(block);
        set_step_lengths(block, w);
        if (block.kind == BlockKind::Bilateral) {
            block.inverse = static_cast<int>(inverses_.size());
            const SymBlock& inverted = inverses_.emplace_back(asperity::inverse(w, block.rows));
            block.fixed_rows = 0;
            for (int i = 0; i < block.rows; ++i)
                if (!(inverted.m[i][i] > 0)) block.fixed_rows |= static_cast<std::uint8_t>(1 << i);
        }
        if (block.kind == BlockKind::Patch) {
            block.inverse = static_cast<int>(patch_matrices_.size());
            patch_matrices_.emplace_back(w);
        }
    }
    free_rate_.resize(jacobian.size());
    for (const Block& block : blocks)
        for (int i = block.first_row; i < block.first_row + block.rows; ++i)
            free_rate_[static_cast<size_t>(i)] =
                row_velocity(block, i) - compliance[static_cast<size_t>(i)] * impulse[static_cast<size_t>(i)];
    add_warm_start();
}

double ContactProblem::merit() const {
    double sum = 0;
    for (const Block& block : blocks)
        for (int i = block.first_row; i < block.first_row + block.rows; ++i)
            sum += 0.5 * impulse[static_cast<size_t>(i)] * (free_rate_[static_cast<size_t>(i)] + row_velocity(block, i));
    return sum;
}

/// The impulses of the last step can be worse than zero impulses (D > 0): after an impact, or where bodies are jammed and
/// friction holds an arbitrary internal force. If a truncated solve passed such a warm start on from step to step, it would
/// grow. Scaling by s keeps all impulses in their sets, and D(s) = s lambda.b + s^2 lambda.W lambda/2. So each island with D
/// > 0 is scaled to the minimum of this parabola.
void ContactProblem::scale_harmful_warm_start() {
    const auto moves = [&](int group) { return inverse_mass[static_cast<size_t>(group)] > 0; };
    const auto root = [&](int i) {
        while (island_parent_[static_cast<size_t>(i)] != i)
            i = island_parent_[static_cast<size_t>(i)] =
                island_parent_[static_cast<size_t>(island_parent_[static_cast<size_t>(i)])];
        return i;
    };
    const auto island = [&](const Block& block) { return static_cast<size_t>(root(moves(block.a) ? block.a : block.b)); };
    island_parent_.resize(velocity.size());
    std::iota(island_parent_.begin(), island_parent_.end(), 0);
    for (const Block& block : blocks) {
        if (!moves(block.a) || !moves(block.b)) continue;
        const int a = root(block.a), b = root(block.b);
        island_parent_[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
    }
    warm_start_.assign(velocity.size(), {});
    for (const Block& block : blocks) {
        WarmStart& sum = warm_start_[island(block)];
        for (auto i = static_cast<size_t>(block.first_row); i < static_cast<size_t>(block.first_row + block.rows); ++i) {
            if (impulse[i] == 0) continue;
            sum.with_free += impulse[i] * free_rate_[i];
            sum.with_own += impulse[i] * (row_velocity(block, static_cast<int>(i)) - free_rate_[i]);
        }
    }
    bool any = false;
    for (const Block& block : blocks) {
        const WarmStart& sum = warm_start_[island(block)];
        if (!(sum.with_free + 0.5 * sum.with_own > 0)) continue;
        const double scale = std::fmax(0.0, -sum.with_free / sum.with_own);
        for (int i = block.first_row; i < block.first_row + block.rows; ++i) impulse[static_cast<size_t>(i)] *= scale;
        any = true;
    }
    if (any) refresh_velocities();
}

void ContactProblem::refresh_velocities() {
    velocity = free_velocity_;
    add_warm_start();
}

void ContactProblem::add_warm_start() {
    for (const Block& block : blocks) {
        for (int i = block.first_row; i < block.first_row + block.rows; ++i) {
            const double lambda = impulse[static_cast<size_t>(i)];
            impulse[static_cast<size_t>(i)] = 0;
            if (lambda != 0) add_impulse(block, i, lambda);
        }
    }
}

double block_residual(const ContactProblem& problem, const Block& block) {
    double u[kMaxBlockRows];
    for (int i = 0; i < block.rows; ++i) u[i] = problem.row_velocity(block, block.first_row + i);
    const double* lambda = &problem.impulse[static_cast<size_t>(block.first_row)];
    return beyond_rounding(block, lambda, natural_map(block, lambda, u));
}

bool any_violated(const ContactProblem& problem, double tolerance) {
    for (const Block& block : problem.blocks)
        for (int i = 0; i < block.rows; ++i) {
            const double u = problem.row_velocity(block, block.first_row + i);
            if ((u < -tolerance && block.high > 0) || (u > tolerance && block.low < 0)) return true;
        }
    return false;
}

Residual natural_map_residual(const ContactProblem& problem) {
    Residual worst;
    for (size_t i = 0; i < problem.blocks.size(); ++i) {
        const double value = block_residual(problem, problem.blocks[i]);
        if (!(value <= worst.value)) worst = {value, problem.report_index(static_cast<int>(i))};  // NaN counts as worst
    }
    return worst;
}

void conclude(SolveReport& report, ContactProblem& problem, const Residual& residual, double tolerance) {
    problem.store_contact_impulses();
    bool finite = std::isfinite(residual.value);
    for (const Twist& v : problem.velocity) finite = finite && is_finite(v.linear) && is_finite(v.angular);
    report.residual = residual.value;
    report.worst_block = residual.worst_block;
    report.status = !finite                       ? SolveStatus::NotFinite
                    : residual.value <= tolerance ? SolveStatus::Converged
                                                  : SolveStatus::SweepLimit;
}

}  // namespace asperity::solvers
