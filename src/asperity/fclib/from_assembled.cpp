#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "asperity/core/error.h"
#include "asperity/fclib/assembled.h"

namespace asperity::fclib {
namespace {

using solvers::Block;
using solvers::BlockKind;

/// Target of a row: a scaled contact row, an equation, or neither.
struct RowTarget {
    int contact_row = -1, equation = -1;
    double scale = 1;
};

struct Translation {
    const solvers::AssembledProblem& from;
    const std::function<std::string(int)>& name_of;
    std::vector<RowTarget> place;  // per row
    std::vector<double> mu;
    std::vector<Triplet> padding;  // diagonal of the tangential rows of frictionless contacts; equal to W_nn
    int equations = 0;

    [[noreturn]] void refuse(int k, const char* what) const {
        throw InputError(fmt::format(
            "{}: {}; an FCLIB file knows joints, one-sided limits and contacts with an ellipse (docs/problem-files.md)",
            name_of(k), what));
    }
    RowTarget& at(const Block& block, int row) { return place[static_cast<size_t>(block.first_row + row)]; }

    void add_normal_row(const Block& block, double sign) {
        const int row = 3 * static_cast<int>(mu.size());
        at(block, 0) = {row, -1, sign};
        for (int r = 1; r < 3; ++r) padding.push_back({row + r, row + r, 1 / block.r_n});  // r_n = 1 / W_nn
        mu.push_back(0);
    }
    void add_ellipse(const Block& block, const friction::Ellipse& e) {
        const double size = std::max(e.t, e.b);
        for (int r = 0; r < 3; ++r)
            at(block, r) = {3 * static_cast<int>(mu.size()) + r, -1, r == 0 || size == 0 ? 1 : (r == 1 ? e.t : e.b) / size};
        mu.push_back(size);
    }
    void add_equations(const Block& block) {
        for (int r = 0; r < block.rows; ++r)
            if (!(block.fixed_rows >> r & 1)) at(block, r).equation = equations++;
    }
    void add(int k) {
        const Block& block = from.blocks[static_cast<size_t>(k)];
        const bool below = std::isfinite(block.low), above = std::isfinite(block.high);
        switch (block.kind) {
            case BlockKind::Bilateral: add_equations(block); return;
            case BlockKind::Ball: refuse(k, "a spring of bounded force");
            case BlockKind::Patch: refuse(k, "a contact patch");
            case BlockKind::Interval:
                if (block.r_n == 0) return;
                if (!below && !above)
                    add_equations(block);
                else if (block.low == 0 && !above)
                    add_normal_row(block, 1);
                else if (block.high == 0 && !below)
                    add_normal_row(block, -1);
                else
                    refuse(k, "an impulse with bounds on both sides, or with a bound that is not zero (a motor, a brake)");
                return;
            case BlockKind::Contact: {
                if (block.r_n == 0) return;
                if (block.rows == 1) return add_normal_row(block, 1);
                const auto* ellipse = std::get_if<friction::Ellipse>(&block.set);
                if (block.rows == 4) refuse(k, "a contact with drilling friction");
                if (!ellipse) refuse(k, "a contact whose friction is limited by a polygon or a rectangle");
                return add_ellipse(block, *ellipse);
            }
        }
    }
};

}  // namespace

ProblemFile from_assembled(const solvers::AssembledProblem& from, const std::function<std::string(int block)>& name_of) {
    Translation to{from, name_of, std::vector<RowTarget>(static_cast<size_t>(from.rows())), {}, {}, 0};
    for (int k = 0; k < from.block_count(); ++k) to.add(k);
    const auto rows = 3 * static_cast<int>(to.mu.size());
    if (rows == 0) throw InputError("the problem has no contacts; an FCLIB file needs one at least");

    std::vector<Triplet> W = to.padding, V, R;
    for (int i = 0; i < from.block_count(); ++i) {
        const Block& block = from.blocks[static_cast<size_t>(i)];
        for (int e = from.W.row_start[static_cast<size_t>(i)]; e < from.W.row_start[static_cast<size_t>(i) + 1]; ++e) {
            const Block& other = from.blocks[static_cast<size_t>(from.W.column[static_cast<size_t>(e)])];
            const double* values = &from.W.values[static_cast<size_t>(from.W.value_start[static_cast<size_t>(e)])];
            for (int r = 0; r < block.rows; ++r)
                for (int c = 0; c < other.rows; ++c) {
                    const RowTarget &a = to.at(block, r), &b = to.at(other, c);
                    const double value = a.scale * b.scale * values[r * other.rows + c];
                    if (a.contact_row >= 0 && b.contact_row >= 0) W.push_back({a.contact_row, b.contact_row, value});
                    if (a.contact_row >= 0 && b.equation >= 0) V.push_back({a.contact_row, b.equation, value});
                    if (a.equation >= 0 && b.equation >= 0) R.push_back({a.equation, b.equation, value});
                }
        }
    }
    LocalProblem out;
    out.mu = to.mu;
    out.q.resize(static_cast<size_t>(rows));
    out.s.resize(static_cast<size_t>(to.equations));
    Solution solution{
        {}, std::vector<double>(out.s.size()), std::vector<double>(out.q.size()), std::vector<double>(out.q.size())};
    for (size_t row = 0; row < to.place.size(); ++row) {
        const RowTarget& place = to.place[row];
        if (const auto i = static_cast<size_t>(place.contact_row); place.contact_row >= 0) {
            out.q[i] = place.scale * from.q[row];
            solution.u[i] = place.scale * from.velocity[row];
            solution.r[i] = place.scale == 0 ? 0 : from.impulse[row] / place.scale;
        } else if (place.equation >= 0) {
            out.s[static_cast<size_t>(place.equation)] = from.q[row];
            solution.l[static_cast<size_t>(place.equation)] = from.impulse[row];
        }
    }
    out.W = make_sparse(rows, rows, std::move(W));
    out.V = make_sparse(rows, to.equations, std::move(V));
    out.R = make_sparse(to.equations, to.equations, std::move(R));
    return {std::move(out), std::move(solution), {}};
}

}  // namespace asperity::fclib
