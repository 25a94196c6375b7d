#include "asperity/solvers/newton/reduced_system.h"

#include "asperity/core/stop.h"

namespace asperity::solvers {
namespace {

size_t at(int i) { return static_cast<size_t>(i); }

/// to = L (W T) + E for one pair of blocks; E only if `own`.
void reduce(const BlockLinearisation& a, int rows, const BlockLinearisation& b, int columns,
            const double (*w)[kMaxBlockRows], bool own, double* to) {
    double wt[kMaxBlockRows][kMaxBlockRows];
    for (int r = 0; r < rows; ++r)
        for (int s = 0; s < b.size; ++s) {
            double sum = 0;
            if (b.whole)
                sum = w[r][s];
            else
                for (int c = 0; c < columns; ++c) sum += w[r][c] * b.T[c][s];
            wt[r][s] = sum;
        }
    for (int s = 0; s < a.size; ++s)
        for (int t = 0; t < b.size; ++t) {
            double sum = own && !a.whole ? a.E[s][t] : 0;
            if (a.whole)
                sum += wt[s][t];
            else
                for (int r = 0; r < rows; ++r) sum += a.L[s][r] * wt[r][t];
            *to++ = sum;
        }
}

}  // namespace

void ReducedSystem::prepare(const AssembledProblem& p) {
    problem_ = &p;
    for (auto* v : {&r_, &scale_, &weight_, &known_, &impulse_change_, &velocity_change_}) v->assign(p.q.size(), 0.0);
    multiplier_change_.assign(p.blocks.size(), 0.0);
    linear_.resize(p.blocks.size());
    sizes_.resize(p.blocks.size());
    for (int k = 0; k < p.block_count(); ++k) {
        const Block& block = p.blocks[at(k)];
        sizes_[at(k)] = block.rows;
        const SymBlock w = p.diagonal_block(k);
        for (int i = 0; i < block.rows; ++i) {
            double r = block.step_length(i);
            if (block.kind == BlockKind::Bilateral) r = w.m[i][i] > 0 && !(block.fixed_rows >> i & 1) ? 1 / w.m[i][i] : 0;
            r_[at(block.first_row + i)] = r;
            scale_[at(block.first_row + i)] = r > 0 ? 1 / r : 0;
        }
    }
    lu_.set_pattern(p.W.row_start, p.W.column, sizes_);
}

void ReducedSystem::weigh(double others, double joints) {
    for (const Block& block : problem_->blocks) {
        const double share = block.kind == BlockKind::Bilateral ? joints : others;
        for (int i = block.first_row; i < block.first_row + block.rows; ++i) weight_[at(i)] = share * scale_[at(i)];
    }
}

double ReducedSystem::largest_work() {
    for (size_t k = 0; k < sizes_.size(); ++k) sizes_[k] = problem_->blocks[k].rows;
    lu_.set_sizes(sizes_);
    return lu_.work();
}

double ReducedSystem::work(std::span<const int> unknowns) {
    sizes_.assign(unknowns.begin(), unknowns.end());
    lu_.set_sizes(sizes_);
    return lu_.work();
}

/// Right-hand side and matrix of one block row:  sum over j of L_i W_ij T_j y_j + E_i y_i  =  -g_i - L_i (W c)_i.
void ReducedSystem::add_block_row(int i) {
    const AssembledProblem& p = *problem_;
    const BlockLinearisation& a = linear_[at(i)];
    const Block& block = p.blocks[at(i)];
    const size_t first = at(block.first_row);
    double pushed[kMaxBlockRows];
    p.multiply_row(i, known_, pushed);
    for (int r = 0; r < block.rows; ++r) pushed[r] += weight_[first + at(r)] * known_[first + at(r)];
    double* right = &right_[at(lu_.offset(i))];
    for (int s = 0; s < a.size; ++s) {
        right[s] = -a.g[s];
        if (a.whole)
            right[s] -= pushed[s];
        else
            for (int r = 0; r < block.rows; ++r) right[s] -= a.L[s][r] * pushed[r];
    }
    for (int e = p.W.row_start[at(i)]; e < p.W.row_start[at(i) + 1]; ++e) {
        const int j = p.W.column[at(e)];
        const BlockLinearisation& b = linear_[at(j)];
        if (b.size == 0) continue;
        const int columns = p.blocks[at(j)].rows;
        double w[kMaxBlockRows][kMaxBlockRows];
        const double* from = &p.W.values[at(p.W.value_start[at(e)])];
        for (int r = 0; r < block.rows; ++r)
            for (int c = 0; c < columns; ++c) w[r][c] = *from++;
        if (i == j)
            for (int r = 0; r < block.rows; ++r) w[r][r] += weight_[first + at(r)];
        reduce(a, block.rows, b, columns, w, i == j, lu_.block(e));
    }
}

bool ReducedSystem::solve() {
    const AssembledProblem& p = *problem_;
    for (int k = 0; k < p.block_count(); ++k) {
        const Block& block = p.blocks[at(k)];
        sizes_[at(k)] = linear_[at(k)].size;
        for (int i = 0; i < block.rows; ++i) known_[at(block.first_row + i)] = linear_[at(k)].c[i];
    }
    lu_.set_sizes(sizes_);
    right_.assign(at(lu_.rows()), 0.0);
    for (int i = 0; i < p.block_count() && !stop_requested(); ++i)
        if (linear_[at(i)].size > 0) add_block_row(i);
    if (!lu_.factorise()) return false;
    lu_.solve(right_);
    for (int k = 0; k < p.block_count(); ++k) {
        const Block& block = p.blocks[at(k)];
        const BlockLinearisation& a = linear_[at(k)];
        const double* y = a.size > 0 ? &right_[at(lu_.offset(k))] : nullptr;
        for (int i = 0; i < block.rows; ++i) {
            double change = a.c[i];
            if (a.whole)
                change = y[i];
            else
                for (int s = 0; s < a.size; ++s) change += a.T[i][s] * y[s];
            impulse_change_[at(block.first_row + i)] = change;
        }
        multiplier_change_[at(k)] = a.has_multiplier ? y[a.size - 1] : 0;
    }
    p.multiply(impulse_change_, velocity_change_);
    return true;
}

}  // namespace asperity::solvers
