#include "asperity/lab/mesh/improve.h"

#include <algorithm>
#include <cmath>

namespace asperity::lab {
namespace {

using Triangle = std::array<int, 3>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// 4 sqrt(3) area over the sum of the squared edges: 1 if equilateral, 0 if flat, negative if inverted.
double quality(const Vector<2>& a, const Vector<2>& b, const Vector<2>& c) {
    const Vector<2> u = b - a, v = c - a;
    const double twice_area = u[0] * v[1] - u[1] * v[0];
    return 2 * std::sqrt(3.0) * twice_area / (u.squaredNorm() + v.squaredNorm() + (c - b).squaredNorm());
}

double quality(const deform::SolidMesh<2>& mesh, const Triangle& t) {
    return quality(mesh.points[at(t[0])], mesh.points[at(t[1])], mesh.points[at(t[2])]);
}

/// An edge of a triangle; the corner across is elements[element][corner].
struct Side {
    int low, high, element, corner;
    bool operator<(const Side& o) const {
        return low != o.low ? low < o.low : high != o.high ? high < o.high : element < o.element;
    }
};

std::vector<Side> sides_of(const deform::SolidMesh<2>& mesh) {
    std::vector<Side> sides;
    for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e)
        for (int k = 0; k < 3; ++k) {
            const auto [low, high] =
                std::minmax(mesh.elements[at(e)][at((k + 1) % 3)], mesh.elements[at(e)][at((k + 2) % 3)]);
            sides.push_back({low, high, e, k});
        }
    std::sort(sides.begin(), sides.end());
    return sides;
}

/// Cotangent of the angle at a corner.
double cotangent(const deform::SolidMesh<2>& mesh, const Side& side) {
    const Vector<2>& corner = mesh.points[at(mesh.elements[at(side.element)][at(side.corner)])];
    const Vector<2> u = mesh.points[at(side.low)] - corner, v = mesh.points[at(side.high)] - corner;
    return u.dot(v) / std::fabs(u[0] * v[1] - u[1] * v[0]);
}

bool exchange_edges(deform::SolidMesh<2>& mesh) {
    constexpr double kRounding = 1e-9;  // of squares, whose diagonals are equally good
    const std::vector<Side> sides = sides_of(mesh);
    std::vector<char> changed(mesh.elements.size(), 0);
    bool any = false;
    for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
        const Side &s = sides[i], &o = sides[i + 1];
        if (s.low != o.low || s.high != o.high) continue;
        Triangle &first = mesh.elements[at(s.element)], &second = mesh.elements[at(o.element)];
        if (changed[at(s.element)] || changed[at(o.element)]) continue;
        if (cotangent(mesh, s) + cotangent(mesh, o) >= -kRounding) continue;
        const int top = first[at(s.corner)], bottom = second[at(o.corner)];
        const int left = first[at((s.corner + 1) % 3)], right = first[at((s.corner + 2) % 3)];
        const Triangle a{top, left, bottom}, b{top, bottom, right};
        if (std::min(quality(mesh, a), quality(mesh, b)) < std::min(quality(mesh, first), quality(mesh, second))) continue;
        first = a;
        second = b;
        changed[at(s.element)] = changed[at(o.element)] = 1;
        any = true;
    }
    return any;
}

/// Points round each point, and the triangles at it.
struct Stars {
    std::vector<std::vector<int>> elements;
    std::vector<char> fixed;
};

Stars stars_of(const deform::SolidMesh<2>& mesh) {
    Stars stars{std::vector<std::vector<int>>(mesh.points.size()), std::vector<char>(mesh.points.size(), 0)};
    for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e)
        for (const int p : mesh.elements[at(e)]) stars.elements[at(p)].push_back(e);
    const std::vector<Side> sides = sides_of(mesh);
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const auto same = [&](std::size_t j) { return sides[j].low == sides[i].low && sides[j].high == sides[i].high; };
        if ((i > 0 && same(i - 1)) || (i + 1 < sides.size() && same(i + 1))) continue;
        stars.fixed[at(sides[i].low)] = stars.fixed[at(sides[i].high)] = 1;
    }
    return stars;
}

void move_points(deform::SolidMesh<2>& mesh) {
    const Stars stars = stars_of(mesh);
    for (std::size_t p = 0; p < mesh.points.size(); ++p) {
        if (stars.fixed[p]) continue;
        const auto worst = [&] {
            double least = 1;
            for (const int e : stars.elements[p]) least = std::min(least, quality(mesh, mesh.elements[at(e)]));
            return least;
        };
        // The mean of the neighbours: each is in two triangles of the star
        Vector<2> mean = Vector<2>::Zero();
        for (const int e : stars.elements[p])
            for (const int q : mesh.elements[at(e)])
                if (at(q) != p) mean += mesh.points[at(q)] / (2.0 * static_cast<double>(stars.elements[p].size()));
        const Vector<2> before = mesh.points[p];
        const double quality_before = worst();
        for (double share = 1; share > 0.2; share *= 0.5) {
            mesh.points[p] = before + share * (mean - before);
            if (worst() > quality_before) break;
            mesh.points[p] = before;
        }
    }
}

}  // namespace

void improve(deform::SolidMesh<2>& mesh, int passes) {
    for (int pass = 0; pass < passes; ++pass) {
        bool any = false;
        for (int k = 0; k < 4 && exchange_edges(mesh); ++k) any = true;
        move_points(mesh);
        if (!any && pass > 2) break;
    }
}

}  // namespace asperity::lab
