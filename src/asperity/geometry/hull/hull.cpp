// Convex hulls with whole faces. The steps and their files:
//
//     points -> grid -> triangulated hull -> loops of whole faces -> polyhedron
//     here      here    exact_hull.cpp       merge_faces.cpp         here
//                            ^                     |
//                            +---------------------+  again without points on an edge or inside a face
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/geometry/common/detail/area_vector.h"
#include "asperity/geometry/hull/detail/face_table.h"
#include "asperity/geometry/hull/detail/merge_faces.h"
#include "asperity/geometry/shape/shape.h"

namespace asperity::geometry {
namespace {

using detail::GridPoint;
using detail::Loop;

// [-] of the extent: points this near to a plane are in it. Below: rounding of single-precision mesh files (6e-8) splits
// faces. Above: it nears the sagitta between neighbours of a fine hull (1e-3 for 1000 points on a sphere).
constexpr double kCoplanar = 1e-7;
constexpr double kSmallestVolume = 1e-12;  // [-] of the cube of the extent

[[noreturn]] void throw_flat(size_t count) {
    throw InputError(
        fmt::format("convex hull: the {} points lie in one plane, on one line or at one place (a volume below {} of "
                    "their extent cubed); move a point out of the plane, or use a thin box instead",
                    count, kSmallestVolume));
}

struct Extent {
    Vec3 low;
    double size;  // [m] longest edge of the bounding box
};

Extent checked_extent(std::span<const Vec3> points) {
    if (points.size() < 4) {
        throw InputError(
            fmt::format("convex hull: {} points given, but a solid needs 4 or more that are not in one plane; "
                        "add points, or use a sphere, capsule or box",
                        points.size()));
    }
    Vec3 low = points[0], high = points[0];
    for (size_t i = 0; i < points.size(); ++i) {
        const Vec3& p = points[i];
        if (!is_finite(p)) {
            throw InputError(
                fmt::format("convex hull: point {} is ({}, {}, {}); all coordinates must be finite numbers; "
                            "check the mesh or the formula that made it",
                            i, p.x, p.y, p.z));
        }
        low = min(low, p);
        high = max(high, p);
    }
    const double size = max_component(high - low);
    if (!(size < 1e100)) {
        throw InputError(
            fmt::format("convex hull: the points span {} m; the largest span allowed is 1e100 m; check the units", size));
    }
    if (size == 0) throw_flat(points.size());
    return {low, size};
}

std::vector<GridPoint> snap_to_grid(std::span<const Vec3> points, const Extent& extent) {
    std::vector<GridPoint> grid;
    grid.reserve(points.size());
    const auto snap = [&](double x, double low) {
        return std::llround(std::ldexp((x - low) / extent.size, detail::kGridBits));
    };
    for (const Vec3& p : points) grid.push_back({snap(p.x, extent.low.x), snap(p.y, extent.low.y), snap(p.z, extent.low.z)});
    return grid;
}

/// Twice the area vector of a loop.
Vec3 area_vector(const std::vector<Vec3>& vertices, std::span<const int> loop) {
    Vec3 area;
    for (size_t i = 1; i + 1 < loop.size(); ++i) {
        area += detail::area_vector(vertices[loop[0]], vertices[loop[i]], vertices[loop[i + 1]]);
    }
    return area;
}

/// Makes normals, offsets and edges from vertices and loops.
Polyhedron assemble(std::vector<Vec3> vertices, std::span<const Loop> loops) {
    Polyhedron p;
    p.vertices = std::move(vertices);
    for (const Loop& loop : loops) {
        Polyhedron::Face face;
        face.first = static_cast<int>(p.loop.size());
        face.count = static_cast<int>(loop.size());
        face.normal = normalized(area_vector(p.vertices, loop));
        // The outermost vertex sets the plane, so that no vertex sticks out of a face merged within the tolerance.
        face.offset = -std::numeric_limits<double>::infinity();
        for (int v : loop) face.offset = std::max(face.offset, dot(face.normal, p.vertices[v]));
        p.loop.insert(p.loop.end(), loop.begin(), loop.end());
        p.faces.push_back(face);
    }
    const bool closed = connect_faces(p);
    ASPERITY_ASSERT(closed);
    for (const Polyhedron::Half& half : p.halves) {
        const Polyhedron::Half& back = p.halves[static_cast<size_t>(half.twin)];
        if (half.from < back.from) p.edges.push_back({half.from, back.from, half.face, back.face});
    }
    std::sort(p.edges.begin(), p.edges.end(), [](const Polyhedron::Edge& a, const Polyhedron::Edge& b) {
        return std::tuple(a.from, a.to) < std::tuple(b.from, b.to);
    });
    ASPERITY_ASSERT(p.vertices.size() + p.faces.size() == p.edges.size() + 2);  // Euler
    return p;
}

}  // namespace

bool connect_faces(Polyhedron& p) {
    // An edge occurs twice: from -> to in one face and to -> from in the other.
    struct DirectedEdge {
        int low, high;
        bool forward;  // low -> high
        int at;        // index in the loop
    };
    std::vector<DirectedEdge> ways;
    const int size = static_cast<int>(p.loop.size());
    p.halves.assign(p.loop.size(), {});
    p.leaving.assign(p.vertices.size(), -1);
    for (size_t f = 0; f < p.faces.size(); ++f)
        for (int i = 0; i < p.faces[f].count; ++i) {
            const int first = p.faces[f].first, at = first + i, next = i + 1 < p.faces[f].count ? at + 1 : first;
            if (first < 0 || at >= size || next >= size) return false;
            const int from = p.loop[static_cast<size_t>(at)], to = p.loop[static_cast<size_t>(next)];
            if (from < 0 || from >= static_cast<int>(p.vertices.size())) return false;
            p.halves[static_cast<size_t>(at)] = {from, next, -1, static_cast<int>(f)};
            p.leaving[static_cast<size_t>(from)] = at;
            ways.push_back({std::min(from, to), std::max(from, to), from < to, at});
        }
    std::sort(ways.begin(), ways.end(), [](const DirectedEdge& a, const DirectedEdge& b) {
        return std::tuple(a.low, a.high, !a.forward, a.at) < std::tuple(b.low, b.high, !b.forward, b.at);
    });
    if (ways.size() != p.loop.size() || ways.size() % 2 != 0) return false;
    for (size_t i = 0; i + 1 < ways.size(); i += 2) {
        const DirectedEdge &there = ways[i], &back = ways[i + 1];
        if (there.low != back.low || there.high != back.high || !there.forward || back.forward) return false;
        p.halves[static_cast<size_t>(there.at)].twin = back.at;
        p.halves[static_cast<size_t>(back.at)].twin = there.at;
    }
    for (const int half : p.leaving)
        if (half < 0) return false;
    p.table = std::make_shared<const detail::FaceTable>(view(p));
    return true;
}

Hull convex_hull(std::span<const Vec3> points) {
    const Extent extent = checked_extent(points);
    std::vector<Loop> loops = detail::face_loops(snap_to_grid(points, extent), std::ldexp(kCoplanar, detail::kGridBits));
    if (loops.empty()) throw_flat(points.size());

    // Vertices keep the order of the input; a loop starts at its lowest vertex; faces are sorted by their loops.
    std::vector<int> number(points.size(), -1);
    for (const Loop& loop : loops) {
        for (int v : loop) number[v] = 0;
    }
    std::vector<Vec3> vertices;
    for (size_t i = 0; i < points.size(); ++i) {
        if (number[i] < 0) continue;
        number[i] = static_cast<int>(vertices.size());
        vertices.push_back(points[i]);
    }
    for (Loop& loop : loops) {
        for (int& v : loop) v = number[v];
        std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
    }
    std::sort(loops.begin(), loops.end());

    // From the points as given, not as snapped: snapping gives a tilted plane a thickness.
    double volume = 0;
    for (const Loop& loop : loops) {
        const Vec3 area = area_vector(vertices, loop);
        if (length_squared(area) == 0) throw_flat(points.size());
        volume += dot(area / extent.size, (vertices[loop[0]] - vertices[0]) / extent.size) / extent.size / 6;
    }
    if (volume < kSmallestVolume) throw_flat(points.size());
    return {std::make_shared<const Polyhedron>(assemble(std::move(vertices), loops))};
}

Polyhedron box_polyhedron(const Vec3& half) {
    const double x = half.x, y = half.y, z = half.z;
    // Bits of a vertex index: 0 for +x, 1 for +y, 2 for +z. Faces +x -x +y -y +z -z. Each loop starts along its u axis as in
    // surface_coordinates() for a box, so that a box and its hull carry the same texture.
    const std::vector<Loop> loops{{1, 3, 7, 5}, {2, 0, 4, 6}, {3, 2, 6, 7}, {0, 1, 5, 4}, {4, 5, 7, 6}, {2, 3, 1, 0}};
    return assemble({{-x, -y, -z}, {x, -y, -z}, {-x, y, -z}, {x, y, -z}, {-x, -y, z}, {x, -y, z}, {-x, y, z}, {x, y, z}},
                    loops);
}

}  // namespace asperity::geometry
