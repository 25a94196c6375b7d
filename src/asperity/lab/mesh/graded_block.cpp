#include "asperity/lab/mesh/graded_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/core/error.h"
#include "asperity/lab/mesh/improve.h"

namespace asperity::lab {
namespace {

/// Depth of a row below the one above it, in units of the spacing of the latter, before the sum is fitted to the depth of
/// the block: triangles with two points below are then nearly equilateral.
constexpr double kRowDepth = 1.5;
/// Longest edges over the depth of the block.
constexpr double kCoarsest = 1.0 / 3;
/// A point stays at least this part of the row's depth below the row above.
constexpr double kLeastDepth = 0.5;

using Row = std::vector<Vector<2>>;

/// Fluctuations of every other point about the mean, smoothed with the weights 1/4 1/2 1/4.
Row halved(const Row& above, bool halve) {
    Row out;
    const std::size_t n = above.size();
    for (std::size_t i = 0; i < n; ++i) {
        if (halve && i % 2 != 0 && i + 1 != n) continue;
        const double left = above[i == 0 ? 0 : i - 1][1], right = above[i + 1 == n ? i : i + 1][1];
        out.push_back({above[i][0], 0.25 * left + 0.5 * above[i][1] + 0.25 * right});
    }
    return out;
}

/// Height of the piecewise linear row at x, whose index `from` is at or before it.
double height_at(const Row& row, double x, std::size_t& from) {
    while (from + 2 < row.size() && row[from + 1][0] <= x) ++from;
    const Vector<2>&a = row[from], &b = row[from + 1];
    return a[1] + (x - a[0]) / (b[0] - a[0]) * (b[1] - a[1]);
}

/// Lowers points of `row` until all of the row above stands at least `depth` over it. Both have the same ends.
void keep_below(const Row& above, double depth, Row& row) {
    for (int pass = 0; pass < 2; ++pass) {
        std::size_t k = 0;
        for (const Vector<2>& p : above) {
            const double excess = height_at(row, p[0], k) - (p[1] - depth);
            if (!(excess > 0)) continue;
            row[k][1] -= excess;
            row[k + 1][1] -= excess;
        }
    }
}

/// Triangles between two rows. Points of the lower row stand below points of the upper one.
void stitch(const Row& upper, int first_upper, const Row& lower, int first_lower, deform::SolidMesh<2>& mesh) {
    std::size_t u = 0;
    for (std::size_t k = 0; k + 1 < lower.size(); ++k) {
        const int a = first_lower + static_cast<int>(k), b = a + 1;
        std::size_t end = u;  // points of the upper row over this edge
        while (upper[end][0] < lower[k + 1][0]) ++end;
        const int f = first_upper + static_cast<int>(u), g = first_upper + static_cast<int>(end);
        if (end == u + 1) {  // as many above as below: the diagonal alternates
            if (k % 2 == 0) {
                mesh.elements.push_back({a, b, f});
                mesh.elements.push_back({b, g, f});
            } else {
                mesh.elements.push_back({a, b, g});
                mesh.elements.push_back({a, g, f});
            }
        } else {
            mesh.elements.push_back({a, f + 1, f});
            mesh.elements.push_back({a, b, f + 1});
            mesh.elements.push_back({b, g, f + 1});
        }
        u = end;
    }
}

}  // namespace

GradedBlock graded_block(std::span<const Vector<2>> face, double base, int fine_rows) {
    if (face.size() < 3) throw InputError(fmt::format("a face of {} points; at least 3 are needed", face.size()));
    double lowest = face[0][1], mean = 0;
    for (std::size_t i = 0; i < face.size(); ++i) {
        if (!std::isfinite(face[i][0]) || !std::isfinite(face[i][1]))
            throw InputError(fmt::format("face: point {} is not finite", i));
        if (i > 0 && !(face[i][0] > face[i - 1][0]))
            throw InputError(fmt::format("face: x = {} follows x = {}: it must ascend", face[i][0], face[i - 1][0]));
        lowest = std::min(lowest, face[i][1]);
        mean += face[i][1] / static_cast<double>(face.size());
    }
    if (!(base < lowest))
        throw InputError(fmt::format("base = {}: must be below the face, whose lowest point is {}", base, lowest));

    // Rows of the face's resolution, rows that double it, and then equal ones down to the base. They are stretched to fit.
    struct Plan {
        double depth;
        bool halve;
    };
    double spacing = (face.back()[0] - face.front()[0]) / static_cast<double>(face.size() - 1), total = 0;
    const double depth = mean - base;
    std::vector<Plan> rows;
    const auto add = [&](double row, bool halve) {
        rows.push_back({row, halve});
        total += row;
    };
    for (int k = 0; k < fine_rows; ++k) add(spacing, false);
    for (std::size_t edges = face.size() - 1; 2 * spacing <= kCoarsest * depth && edges >= 4; edges = (edges + 1) / 2) {
        add(kRowDepth * spacing, true);
        spacing *= 2;
    }
    while (rows.empty() || total + 0.5 * spacing < depth) add(spacing, false);
    GradedBlock out;
    deform::SolidMesh<2>& mesh = out.mesh;
    Row above(face.begin(), face.end());
    mesh.points.assign(face.begin(), face.end());
    for (std::size_t i = 0; i < face.size(); ++i) out.face.push_back(static_cast<int>(i));
    int first_above = 0;
    double reached = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const bool last = k + 1 == rows.size();
        const double here = rows[k].depth * depth / total;
        Row row = halved(above, rows[k].halve);
        const double left = depth - reached;  // fluctuations fade with the rest of the way
        reached += here;
        for (Vector<2>& p : row) p[1] = last ? base : base + (p[1] - base) * (depth - reached) / left;
        if (!last) keep_below(above, kLeastDepth * here, row);
        const int first = static_cast<int>(mesh.points.size());
        mesh.points.insert(mesh.points.end(), row.begin(), row.end());
        stitch(above, first_above, row, first, mesh);
        if (!last) {
            out.sides.push_back(first);
            out.sides.push_back(static_cast<int>(mesh.points.size()) - 1);
        } else {
            for (int i = first; i < static_cast<int>(mesh.points.size()); ++i) out.base.push_back(i);
        }
        above = std::move(row);
        first_above = first;
    }
    for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e)
        if (!(deform::volume(mesh, e) > 0))
            throw InputError(
                fmt::format("base = {}: too close to the face, whose lowest point is {}, for triangles that are not "
                            "inverted; lower the base",
                            base, lowest));
    improve(mesh);
    return out;
}

GradedBlock graded_block_above(std::span<const Vector<2>> face, double base, int fine_rows) {
    std::vector<Vector<2>> turned;  // upside down
    for (const Vector<2>& p : face) turned.push_back({p[0], -p[1]});
    GradedBlock out = graded_block(turned, -base, fine_rows);
    for (Vector<2>& p : out.mesh.points) p[1] = -p[1];
    for (std::array<int, 3>& element : out.mesh.elements) std::swap(element[1], element[2]);
    return out;
}

BlockReport report(const GradedBlock& block) {
    const auto mean_edge = [&](const std::vector<int>& line) {
        double sum = 0;
        for (std::size_t i = 0; i + 1 < line.size(); ++i)
            sum += (block.mesh.points[static_cast<std::size_t>(line[i + 1])] -
                    block.mesh.points[static_cast<std::size_t>(line[i])])
                       .norm();
        return sum / static_cast<double>(line.size() - 1);
    };
    const deform::MeshReport<2> mesh = deform::report(block.mesh);
    return {mean_edge(block.face), mean_edge(block.base), mesh.quality_min, mesh.quality_mean, mesh.angle_min};
}

}  // namespace asperity::lab
