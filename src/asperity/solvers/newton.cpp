#include "asperity/solvers/newton.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstdio>

namespace asperity::solvers {
namespace {

size_t at(int i) { return static_cast<size_t>(i); }
double env(const char* n, double d) { const char* s = getenv(n); return s ? atof(s) : d; }

}  // namespace

void Newton::prepare(const AssembledProblem& p) {
    const size_t rows = p.q.size();
    for (auto* v : {&r_, &scale_, &centre_, &proximal_u_, &step_, &step_u_, &trial_, &trial_u_, &known_}) v->assign(rows, 0.0);
    linear_.resize(p.blocks.size());
    sizes_.resize(p.blocks.size());
    for (int k = 0; k < p.block_count(); ++k) {
        const Block& block = p.blocks[at(k)];
        sizes_[at(k)] = block.rows;
        const SymBlock w = p.diagonal_block(k);
        for (int i = 0; i < block.rows; ++i) {
            double r = 0;
            if (block.kind == BlockKind::Bilateral)
                r = w.m[i][i] > 0 && !(block.fixed_rows >> i & 1) ? 1 / w.m[i][i] : 0;
            else
                r = i == 0 && block.kind != BlockKind::Ball ? block.r_n : block.r_f;
            r_[at(block.first_row + i)] = r;
            scale_[at(block.first_row + i)] = r > 0 ? 1 / r : 0;
        }
    }
    lu_.set_pattern(p.W.row_start, p.W.column, sizes_);
}

double Newton::work_per_iteration(const AssembledProblem& problem) {
    prepare(problem);
    lu_.set_sizes(sizes_);
    return lu_.work();
}

double Newton::evaluate(const AssembledProblem& p, std::span<const double> lambda, std::span<const double> u) {
    double merit = 0;
    for (size_t i = 0; i < u.size(); ++i) proximal_u_[i] = u[i] + alpha_ * scale_[i] * (lambda[i] - centre_[i]);
    for (const Block& block : p.blocks) {
        const size_t first = at(block.first_row);
        double F[kMaxBlockRows];
        natural_map_of(block, &r_[first], &lambda[first], &proximal_u_[first], F);
        for (int i = 0; i < block.rows; ++i) merit += 0.5 * F[i] * F[i] * scale_[first + at(i)];
    }
    return merit;
}

bool Newton::newton_step(const AssembledProblem& p) {
    for (int k = 0; k < p.block_count(); ++k) {
        const Block& block = p.blocks[at(k)];
        const size_t first = at(block.first_row);
        linear_[at(k)] = linearise(block, &r_[first], &p.impulse[first], &proximal_u_[first]);
        sizes_[at(k)] = linear_[at(k)].size;
        for (int i = 0; i < block.rows; ++i) known_[first + at(i)] = linear_[at(k)].c[i];
    }
    lu_.set_sizes(sizes_);
    right_.assign(at(lu_.rows()), 0.0);
    for (int i = 0; i < p.block_count(); ++i) {
        const BlockLinearisation& a = linear_[at(i)];
        if (a.size == 0) continue;
        const Block& block = p.blocks[at(i)];
        const size_t first = at(block.first_row);
        double pushed[kMaxBlockRows];   // what the known changes do to the block's velocity
        p.multiply_row(i, known_, pushed);
        for (int r = 0; r < block.rows; ++r) pushed[r] += alpha_ * scale_[first + at(r)] * known_[first + at(r)];
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
            const Block& other = p.blocks[at(j)];
            double w[kMaxBlockRows][kMaxBlockRows];
            const double* from = &p.W.values[at(p.W.value_start[at(e)])];
            for (int r = 0; r < block.rows; ++r)
                for (int c = 0; c < other.rows; ++c) w[r][c] = *from++;
            if (i == j)
                for (int r = 0; r < block.rows; ++r) w[r][r] += alpha_ * scale_[first + at(r)];
            double* to = lu_.block(e);
            double wt[kMaxBlockRows][kMaxBlockRows];   // W T
            for (int r = 0; r < block.rows; ++r)
                for (int s = 0; s < b.size; ++s) {
                    double sum = b.whole ? w[r][s] : 0;
                    if (!b.whole)
                        for (int c = 0; c < other.rows; ++c) sum += w[r][c] * b.T[c][s];
                    wt[r][s] = sum;
                }
            for (int s = 0; s < a.size; ++s)
                for (int t = 0; t < b.size; ++t) {
                    double sum = a.whole ? wt[s][t] : 0;
                    if (!a.whole)
                        for (int r = 0; r < block.rows; ++r) sum += a.L[s][r] * wt[r][t];
                    *to++ = sum + (i == j && !a.whole ? a.E[s][t] : 0);
                }
        }
    }
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
            step_[at(block.first_row + i)] = change;
        }
    }
    p.multiply(step_, step_u_);
    return true;
}

SolveReport Newton::solve(AssembledProblem& p, const SolveOptions& options, std::vector<double>& history) {
    const Deadline deadline(options.time_limit);
    history.clear();
    SolveReport report;
    prepare(p);
    const bool talk = getenv("TALK");
    p.refresh_velocities();
    std::vector<double> best = p.impulse;
    double best_error = std::numeric_limits<double>::infinity();
    const double shrink = env("SHRINK", 0.1), grow = env("GROW", 10), amin = env("AMIN", 1e-9), amax = env("AMAX", 1);
    const int inner_max = static_cast<int>(env("INNER", 20));
    const double eta = env("ETA", 0.1);
    alpha_ = env("A0", 1e-3);
    bool done = false;
    const int presweeps = static_cast<int>(env("PRE", 0));
    if (presweeps) { auto s = make_assembled_solver("prox"); SolveOptions o = options; o.max_sweeps = presweeps; std::vector<double> h; s->solve(p, o, h); }
    while (!done && report.sweeps < options.max_sweeps) {
        centre_ = p.impulse;
        double merit = evaluate(p, p.impulse, p.velocity);
        const double start = merit;
        std::vector<double> recent{merit};
        int inner = 0;
        bool stuck = false;
        while (true) {
            const double error = residual(p, options.measure).value;
            history.push_back(error);
            if (error < best_error) best_error = error, best = p.impulse;
            if (!(error > options.tolerance)) { done = true; break; }
            if (deadline.passed()) { report.status = SolveStatus::TimeLimit; done = true; break; }
            if (report.sweeps >= options.max_sweeps) { done = true; break; }
            if (merit <= eta * eta * start && inner > 0) break;
            if (inner >= inner_max) { stuck = true; break; }
            evaluate(p, p.impulse, p.velocity);
            if (!newton_step(p)) { done = true; break; }
            ++report.sweeps;
            ++inner;
            const double reference = *std::max_element(recent.begin(), recent.end());
            double t = 1, value = 0;
            int tries = 0;
            for (; tries < 12; ++tries, t *= 0.5) {
                for (size_t i = 0; i < p.q.size(); ++i) {
                    trial_[i] = p.impulse[i] + t * step_[i];
                    trial_u_[i] = p.velocity[i] + t * step_u_[i];
                }
                value = evaluate(p, trial_, trial_u_);
                if (value <= (1 - 1e-3 * t) * reference) break;
            }
            if (talk) printf("  %d a=%.1e merit %.3e -> %.3e t=%.1e rows %d err %.3e\n", report.sweeps, alpha_, merit, value, t, lu_.rows(), error);
            if (tries == 12) { stuck = true; break; }
            std::swap(p.impulse, trial_);
            std::swap(p.velocity, trial_u_);
            merit = value;
            recent.push_back(merit);
            if (recent.size() > 5) recent.erase(recent.begin());
        }
        if (stuck) {
            if (alpha_ >= amax) break;
            alpha_ = std::min(alpha_ * grow, amax);
        } else
            alpha_ = std::max(alpha_ * shrink, amin);
    }
    p.impulse = best;
    conclude(report, p, options);
    return report;
}

}  // namespace asperity::solvers
