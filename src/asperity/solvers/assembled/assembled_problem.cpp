#include "asperity/solvers/assembled/assembled_problem.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "asperity/core/stop.h"
#include "asperity/solvers/problem/contact_problem.h"

namespace asperity::solvers {
namespace {

/// The chosen blocks that touch each group that can move, as indices into `chosen`, increasing.
struct BlocksOfGroup {
    std::vector<int> start, block, next;

    void find(const ContactProblem& p, std::span<const int> chosen) {
        start.assign(p.velocity.size() + 1, 0);
        const auto for_ends = [&](auto&& visit) {
            for (size_t k = 0; k < chosen.size(); ++k)
                for (const Block& at = p.blocks[static_cast<size_t>(chosen[k])]; const int group : {at.a, at.b})
                    if (p.inverse_mass[static_cast<size_t>(group)] > 0 ||
                        p.inverse_inertia[static_cast<size_t>(group)].r[0] != Vec3{})
                        visit(static_cast<size_t>(group), static_cast<int>(k));
        };
        for_ends([&](size_t group, int) { ++start[group + 1]; });
        for (size_t g = 1; g < start.size(); ++g) start[g] += start[g - 1];
        block.resize(static_cast<size_t>(start.back()));
        next.assign(start.begin(), start.end() - 1);
        for_ends([&](size_t group, int k) { block[static_cast<size_t>(next[group]++)] = k; });
    }
    std::span<const int> of(int group) const {
        const auto g = static_cast<size_t>(group);
        return std::span(block).subspan(static_cast<size_t>(start[g]), static_cast<size_t>(start[g + 1] - start[g]));
    }
};

/// One end of a block: how an impulse on a row acts on the group there, and how the group's motion enters the row.
struct End {
    int group;
    double sign;  // of the linear part: reaction is opposite to action
    Vec3 Row::*angular;
    Vec3 Response::*response;
};
constexpr End kEnds[2] = {{0, -1, &Row::angular_a, &Response::angular_a}, {1, 1, &Row::angular_b, &Response::angular_b}};

/// values = J_i M^-1 J_k^T, summed over the groups that the two blocks share.
void write_coupling(const ContactProblem& p, const Block& i, const Block& k, double* values) {
    std::fill_n(values, i.rows * k.rows, 0.0);
    for (const End& end_i : kEnds)
        for (const End& end_k : kEnds) {
            const int group = end_i.group == 0 ? i.a : i.b;
            if (group != (end_k.group == 0 ? k.a : k.b)) continue;
            const double mass = end_i.sign * end_k.sign * p.inverse_mass[static_cast<size_t>(group)];
            for (int r = 0; r < i.rows; ++r) {
                const Row& row = p.jacobian[static_cast<size_t>(i.first_row + r)];
                for (int c = 0; c < k.rows; ++c) {
                    const auto column = static_cast<size_t>(k.first_row + c);
                    values[r * k.rows + c] += mass * dot(row.linear, p.jacobian[column].linear) +
                                              dot(row.*end_i.angular, p.response()[column].*end_k.response);
                }
            }
        }
}

}  // namespace

bool assemble(const ContactProblem& p, AssembledProblem& out) {
    std::vector<int> all(p.blocks.size());
    std::iota(all.begin(), all.end(), 0);
    return assemble(p, all, out);
}

bool assemble(const ContactProblem& p, std::span<const int> chosen, AssembledProblem& out) {
    ASPERITY_ASSERT(p.is_prepared());
    thread_local BlocksOfGroup touching;  // so that a settled step with patches allocates nothing
    touching.find(p, chosen);
    const auto original = [&](int place) -> const Block& {
        return p.blocks[static_cast<size_t>(chosen[static_cast<size_t>(place)])];
    };
    const int count = static_cast<int>(chosen.size());
    out.blocks.clear();
    out.impulse.clear();
    for (int i = 0; i < count; ++i) {
        const Block& block = original(i);
        out.blocks.push_back(block);
        out.blocks.back().first_row = static_cast<int>(out.impulse.size());
        const auto first = p.impulse.begin() + block.first_row;
        out.impulse.insert(out.impulse.end(), first, first + block.rows);
    }
    BlockMatrix& W = out.W;
    W.row_start.assign(1, 0);
    W.column.clear();
    W.value_start.clear();
    W.values.clear();
    for (int i = 0; i < count; ++i) {
        if (stop_requested()) {
            out = {};
            out.W.row_start.assign(1, 0);
            return false;
        }
        const Block& block = original(i);
        const auto first = W.column.size();
        W.column.push_back(i);  // the diagonal, even if nothing can move
        for (const int group : {block.a, block.b}) {
            const std::span<const int> neighbours = touching.of(group);
            W.column.insert(W.column.end(), neighbours.begin(), neighbours.end());
        }
        const auto begin = W.column.begin() + static_cast<std::ptrdiff_t>(first);
        std::sort(begin, W.column.end());
        W.column.erase(std::unique(begin, W.column.end()), W.column.end());
        W.row_start.push_back(static_cast<int>(W.column.size()));
        for (size_t e = first; e < W.column.size(); ++e) {
            const Block& other = original(W.column[e]);
            W.value_start.push_back(static_cast<int>(W.values.size()));
            W.values.resize(W.values.size() + static_cast<size_t>(block.rows * other.rows));
            double* values = &W.values[static_cast<size_t>(W.value_start.back())];
            write_coupling(p, block, other, values);
            if (W.column[e] == i)
                for (int r = 0; r < block.rows; ++r)
                    values[r * block.rows + r] += p.compliance[static_cast<size_t>(block.first_row + r)];
        }
    }
    // q = u - W lambda at the warm start, whose velocities u the prepared problem holds
    out.q.assign(out.impulse.size(), 0.0);
    out.prepare();
    for (int i = 0; i < count; ++i) {
        const Block& block = original(i);
        for (int r = 0; r < block.rows; ++r) {
            const auto row = static_cast<size_t>(out.blocks[static_cast<size_t>(i)].first_row + r);
            out.q[row] = p.row_velocity(block, block.first_row + r) - out.velocity[row];
        }
    }
    out.refresh_velocities();
    return true;
}

void AssembledProblem::prepare() {
    diagonal_.resize(blocks.size());
    column_row_.resize(W.column.size());
    for (size_t e = 0; e < W.column.size(); ++e) column_row_[e] = blocks[static_cast<size_t>(W.column[e])].first_row;
    all_points_ = std::all_of(blocks.begin(), blocks.end(), [](const Block& block) { return block.rows == 3; });
    for (int k = 0; k < block_count(); ++k) {
        const auto first = W.column.begin() + W.row_start[static_cast<size_t>(k)],
                   last = W.column.begin() + W.row_start[static_cast<size_t>(k) + 1];
        const auto found = std::lower_bound(first, last, k);
        ASPERITY_ASSERT(found != last && *found == k);
        diagonal_[static_cast<size_t>(k)] = static_cast<int>(found - W.column.begin());
        set_step_lengths(blocks[static_cast<size_t>(k)], diagonal_block(k));
    }
    impulse.resize(q.size(), 0.0);
    velocity.resize(q.size());
    refresh_velocities();
}

void AssembledProblem::multiply_row(int k, std::span<const double> x, double* y) const {
    const int first = W.row_start[static_cast<size_t>(k)], last = W.row_start[static_cast<size_t>(k) + 1];
    if (all_points_) {  // the usual case: three sums in registers
        double y0 = 0, y1 = 0, y2 = 0;
        for (int e = first; e < last; ++e) {
            const double* w = &W.values[static_cast<size_t>(9 * e)];
            const double* z = &x[static_cast<size_t>(column_row_[static_cast<size_t>(e)])];
            y0 += w[0] * z[0] + w[1] * z[1] + w[2] * z[2];
            y1 += w[3] * z[0] + w[4] * z[1] + w[5] * z[2];
            y2 += w[6] * z[0] + w[7] * z[1] + w[8] * z[2];
        }
        y[0] = y0;
        y[1] = y1;
        y[2] = y2;
        return;
    }
    const int rows = blocks[static_cast<size_t>(k)].rows;
    std::fill_n(y, rows, 0.0);
    for (int e = first; e < last; ++e) {
        const Block& other = blocks[static_cast<size_t>(W.column[static_cast<size_t>(e)])];
        const double* w = &W.values[static_cast<size_t>(W.value_start[static_cast<size_t>(e)])];
        const double* z = &x[static_cast<size_t>(other.first_row)];
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < other.rows; ++c) y[r] += w[r * other.rows + c] * z[c];
    }
}

void AssembledProblem::multiply(std::span<const double> x, std::span<double> y) const {
    for (int k = 0; k < block_count(); ++k)
        multiply_row(k, x, &y[static_cast<size_t>(blocks[static_cast<size_t>(k)].first_row)]);
}

void AssembledProblem::refresh_velocities() {
    multiply(impulse, velocity);
    for (size_t i = 0; i < q.size(); ++i) velocity[i] += q[i];
}

SymBlock AssembledProblem::diagonal_block(int k) const {
    const int rows = blocks[static_cast<size_t>(k)].rows;
    const double* w = &W.values[static_cast<size_t>(W.value_start[static_cast<size_t>(diagonal_[static_cast<size_t>(k)])])];
    SymBlock block;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < rows; ++c) block.m[r][c] = w[r * rows + c];
    return block;
}

Residual natural_map_residual(const AssembledProblem& problem) {
    Residual worst;
    for (size_t k = 0; k < problem.blocks.size(); ++k) {
        const Block& block = problem.blocks[k];
        const double* lambda = problem.impulse_of(block);
        const double value = beyond_rounding(block, lambda, natural_map(block, lambda, problem.velocity_of(block)));
        if (!(value <= worst.value)) worst = {value, static_cast<int>(k)};  // keeps a NaN
    }
    return worst;
}

double cone_defect2(double mu, const double* r, const double* u) {
    const double slip = std::sqrt(u[1] * u[1] + u[2] * u[2]);
    double z[3] = {r[0] - u[0] - mu * slip, r[1] - u[1], r[2] - u[2]};
    const double side = std::sqrt(z[1] * z[1] + z[2] * z[2]);
    if (side > mu * z[0]) {
        if (mu * side <= -z[0]) {
            z[0] = z[1] = z[2] = 0;
        } else {
            const double n = (z[0] + mu * side) / (1 + mu * mu), shrink = side > 0 ? mu * n / side : 0;
            z[0] = n;
            z[1] *= shrink;
            z[2] *= shrink;
        }
    }
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += (r[i] - z[i]) * (r[i] - z[i]);
    return sum;
}

namespace {

double norm2(std::span<const double> x) {
    double sum = 0;
    for (const double v : x) sum += v * v;
    return std::sqrt(sum);
}

}  // namespace

Residual siconos_error(const AssembledProblem& problem) {
    double sum = 0;
    Residual worst;
    for (size_t k = 0; k < problem.blocks.size(); ++k) {
        const Block& block = problem.blocks[k];
        const double *r = problem.impulse_of(block), *u = problem.velocity_of(block);
        const auto* e = std::get_if<friction::Ellipse>(&block.set);
        double defect2 = 0;
        if (block.kind == BlockKind::Contact && block.rows == 3 && e && e->t == e->b) {
            defect2 = cone_defect2(e->t, r, u);
        } else {
            Block unit = block;
            unit.r_n = unit.r_f = 1;
            const double map = natural_map(unit, r, u);
            defect2 = map * map;
        }
        sum += defect2;
        if (!(defect2 <= worst.value)) worst = {defect2, static_cast<int>(k)};
    }
    const double size = std::max({norm2(problem.q), norm2(problem.impulse), norm2(problem.velocity)});
    worst.value = std::sqrt(sum) / (size > std::numeric_limits<double>::epsilon() ? size : 1);
    return worst;
}

Residual residual(const AssembledProblem& problem, Measure measure) {
    return measure == Measure::Siconos ? siconos_error(problem) : natural_map_residual(problem);
}

void conclude(SolveReport& report, AssembledProblem& problem, const SolveOptions& options) {
    problem.refresh_velocities();
    const Residual rest = residual(problem, options.measure);
    report.residual = rest.value;
    report.worst_block = rest.worst_block;
    bool finite = std::isfinite(rest.value);
    for (const double lambda : problem.impulse) finite = finite && std::isfinite(lambda);
    // a NaN in W that was taken for a zero step length
    for (const double u : problem.velocity) finite = finite && std::isfinite(u);
    if (!finite)
        report.status = SolveStatus::NotFinite;
    else if (rest.value <= options.tolerance)
        report.status = SolveStatus::Converged;
    else if (report.status == SolveStatus::Converged)  // the caller gave no reason
        report.status = SolveStatus::SweepLimit;
}

}  // namespace asperity::solvers
