// From the triangles of a file to a collision mesh: checks, welding, removal of degenerate triangles.
#include "asperity/geometry/mesh/mesh.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/geometry/mesh/detail/mesh_topology.h"

namespace asperity::geometry {
namespace {

// Vertices in one cell of this grid are welded. Below: rounding of single-precision files keeps them apart. Above: features
// vanish.
constexpr double kWeldGrid = 1.0 / (1 << 22);  // [-] of the extent
constexpr double kLeastHeight = 1e-9;          // [-] of the extent: triangles lower than this have no reliable normal

void check(const MeshData& data, double scale, const std::string& what) {
    if (data.triangles.empty() || data.triangles.size() % 3 != 0)
        throw InputError(fmt::format("{}: has no triangles; a body needs a surface", what));
    if (data.triangles.size() / 3 > static_cast<size_t>(kMaxMeshTriangles))
        throw InputError(fmt::format("{}: has {} triangles; at most {} are taken; simplify it first", what,
                                     data.triangles.size() / 3, kMaxMeshTriangles));
    if (!(scale > 0) || !std::isfinite(scale)) throw InputError(fmt::format("{}: scale {} must be above 0", what, scale));
    for (size_t i = 0; i < data.triangles.size(); ++i)
        if (data.triangles[i] >= data.positions.size())
            throw InputError(fmt::format("{}: triangle {} names vertex {}, but there are only {}; the file is damaged", what,
                                         i / 3, data.triangles[i], data.positions.size()));
    for (size_t i = 0; i < data.positions.size(); ++i) {
        const Vec3 p = scale * data.positions[i];
        if (!is_finite(p) || max_component(abs(p)) > 1e6)
            throw InputError(
                fmt::format("{}: vertex {} is at ({}, {}, {}); coordinates must be finite and within 1e6 m; "
                            "check the program that wrote it and the scale",
                            what, i, p.x, p.y, p.z));
    }
    for (const size_t size : {data.normals.size(), data.uvs.size(), data.tangents.size(), data.grains.size()})
        ASPERITY_ASSERT(size == 0 || size == data.triangles.size());
    ASPERITY_ASSERT(data.parts.empty() || 3 * data.parts.size() == data.triangles.size());
    for (const int part : data.parts)
        if (part < 0 || part > kMaxMeshParts)
            throw InputError(fmt::format("{}: a triangle is of part {}; 0 to {} are taken; the file is damaged", what, part,
                                         kMaxMeshParts));
}

Aabb bounds_of(const std::vector<Vec3>& points) {
    Aabb box{points[0], points[0]};
    for (const Vec3& p : points) {
        box.low = min(box.low, p);
        box.high = max(box.high, p);
    }
    return box;
}

/// For every vertex, the first vertex at the same position.
std::vector<int> weld(const std::vector<Vec3>& points, const Vec3& low, double cell) {
    struct Keyed {
        std::int64_t x, y, z;
        int index;
    };
    std::vector<Keyed> keyed(points.size());
    for (size_t i = 0; i < points.size(); ++i) {
        const Vec3 q = (points[i] - low) / cell;
        keyed[i] = {std::llround(q.x), std::llround(q.y), std::llround(q.z), static_cast<int>(i)};
    }
    std::sort(keyed.begin(), keyed.end(), [](const Keyed& a, const Keyed& b) {
        return std::tie(a.x, a.y, a.z, a.index) < std::tie(b.x, b.y, b.z, b.index);
    });
    std::vector<int> first(points.size());
    for (size_t i = 0, start = 0; i < keyed.size(); ++i) {
        if (std::tie(keyed[i].x, keyed[i].y, keyed[i].z) != std::tie(keyed[start].x, keyed[start].y, keyed[start].z))
            start = i;
        first[static_cast<size_t>(keyed[i].index)] = keyed[start].index;
    }
    return first;
}

/// Height of a triangle over its longest side: twice the area / that side.
double height(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double longest = std::sqrt(std::max({length_squared(b - a), length_squared(c - b), length_squared(a - c)}));
    return longest > 0 ? length(cross(b - a, c - a)) / longest : 0;
}

/// The triangles to keep, in their order: neither degenerate nor duplicates.
std::vector<int> worth_keeping(const MeshData& data, const std::vector<int>& first, double least, double scale,
                               MeshReport& report) {
    struct Sorted {
        int a, b, c, triangle;
    };
    std::vector<Sorted> sorted;
    const int count = static_cast<int>(data.triangles.size() / 3);
    for (int t = 0; t < count; ++t) {
        int v[3];
        for (size_t i = 0; i < 3; ++i) v[i] = first[data.triangles[3 * static_cast<size_t>(t) + i]];
        const auto at = [&](int i) { return scale * data.positions[static_cast<size_t>(v[i])]; };
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0] || height(at(0), at(1), at(2)) < least) {
            ++report.degenerate;
            continue;
        }
        std::sort(v, v + 3);
        sorted.push_back({v[0], v[1], v[2], t});
    }
    std::sort(sorted.begin(), sorted.end(), [](const Sorted& p, const Sorted& q) {
        return std::tie(p.a, p.b, p.c, p.triangle) < std::tie(q.a, q.b, q.c, q.triangle);
    });
    std::vector<int> kept;
    for (size_t i = 0; i < sorted.size(); ++i) {
        const bool again = i > 0 && std::tie(sorted[i].a, sorted[i].b, sorted[i].c) ==
                                        std::tie(sorted[i - 1].a, sorted[i - 1].b, sorted[i - 1].c);
        again ? void(++report.duplicates) : kept.push_back(sorted[i].triangle);
    }
    std::sort(kept.begin(), kept.end());
    return kept;
}

}  // namespace

Mesh make_mesh(const MeshData& data, double scale, const std::string& what) {
    check(data, scale, what);
    auto mesh = std::make_shared<TriangleSet>();
    MeshReport& report = mesh->report;
    report.remarks = data.remarks;
    const Aabb all = bounds_of(data.positions);
    const double size = max_component(all.high - all.low);
    const std::vector<int> first =
        size > 0 ? weld(data.positions, all.low, kWeldGrid * size) : std::vector<int>(data.positions.size(), 0);
    const std::vector<int> kept = worth_keeping(data, first, kLeastHeight * scale * size, scale, report);
    std::vector<char> named(data.positions.size(), 0);
    for (const std::uint32_t v : data.triangles) named[v] = 1;
    for (size_t i = 0; i < first.size(); ++i) {
        report.welded += named[i] && first[i] != static_cast<int>(i);
        report.unused += !named[i];
    }
    if (kept.empty())
        throw InputError(fmt::format(
            "{}: all its {} triangles are without area, their corners in one place or on a line ({} vertices are at "
            "the place of another one); export it again, with more digits",
            what, report.degenerate, report.welded));
    std::vector<int> number(data.positions.size(), -1);
    for (const int t : kept) {
        std::array<int, 3> corners{};
        for (size_t i = 0; i < 3; ++i) {
            const size_t corner = 3 * static_cast<size_t>(t) + i;
            const auto v = static_cast<size_t>(first[data.triangles[corner]]);
            if (number[v] < 0) {
                number[v] = static_cast<int>(mesh->positions.size());
                mesh->positions.push_back(scale * data.positions[v]);
            }
            corners[i] = number[v];
            if (!data.normals.empty()) mesh->normals.push_back(data.normals[corner]);
            if (!data.uvs.empty()) mesh->uvs.push_back(data.uvs[corner]);
            if (!data.tangents.empty()) mesh->tangents.push_back(data.tangents[corner]);
            if (!data.grains.empty()) mesh->grains.push_back(is_finite(data.grains[corner]) ? data.grains[corner] : Vec3{});
        }
        mesh->triangles.push_back(corners);
        if (!data.parts.empty()) mesh->parts.push_back(data.parts[static_cast<size_t>(t)]);
    }
    mesh->uv_sizes = data.uv_sizes;
    if (std::ranges::all_of(mesh->parts, [](int part) { return part == 0; })) mesh->parts.clear();
    mesh->box = bounds_of(mesh->positions);
    mesh->extent = max_component(mesh->box.high - mesh->box.low);
    if (mesh->extent < kLeastMeshExtent)
        throw InputError(
            fmt::format("{}: is {:.3g} m long; {:g} m are the least; coordinates are metres: multiply them by a scale, "
                        "or export it in metres",
                        what, mesh->extent, kLeastMeshExtent));
    report.vertices = static_cast<int>(mesh->positions.size());
    report.triangles = static_cast<int>(mesh->triangles.size());

    std::vector<char> turned;
    detail::orient(*mesh, turned);
    for (size_t t = 0; t < turned.size(); ++t) {
        if (!turned[t]) continue;
        std::swap(mesh->triangles[t][1], mesh->triangles[t][2]);
        if (!mesh->normals.empty()) {
            std::swap(mesh->normals[3 * t + 1], mesh->normals[3 * t + 2]);
            for (size_t i = 0; i < 3; ++i) mesh->normals[3 * t + i] = -mesh->normals[3 * t + i];
        }
        if (!mesh->uvs.empty()) std::swap(mesh->uvs[3 * t + 1], mesh->uvs[3 * t + 2]);
        if (!mesh->tangents.empty()) std::swap(mesh->tangents[3 * t + 1], mesh->tangents[3 * t + 2]);
        if (!mesh->grains.empty()) std::swap(mesh->grains[3 * t + 1], mesh->grains[3 * t + 2]);
    }
    detail::connect(*mesh);
    detail::complete_corners(*mesh);
    std::vector<Aabb> boxes;
    for (int t = 0; t < report.triangles; ++t) {
        const Vec3 &a = mesh->corner(t, 0), &b = mesh->corner(t, 1), &c = mesh->corner(t, 2);
        boxes.push_back({min(a, min(b, c)), max(a, max(b, c))});
    }
    mesh->tree.build(boxes);
    return {std::move(mesh)};
}

std::string report(const MeshReport& r) {
    std::string text = fmt::format("{} vertices, {} triangles, {}", r.vertices, r.triangles, r.solid ? "solid" : "a sheet");
    const auto add = [&](int count, const char* words) {
        if (count > 0) text += fmt::format("; {} {}", count, words);
    };
    add(r.welded, "vertices welded");
    add(r.unused, "unused vertices removed");
    add(r.degenerate, "triangles without area removed");
    add(r.duplicates, "duplicate triangles removed");
    add(r.flipped, "triangles turned");
    add(r.nonmanifold_edges, "edges with more than two triangles");
    if (r.boundary_edges > 0)
        text += fmt::format("; open: {} boundary edges in {} holes{}", r.boundary_edges, r.holes,
                            r.solid ? ", closed for the mass" : "");
    if (r.made_up_uvs) text += "; without texture coordinates: seen along the nearest axis";
    add(r.flat_uvs, "triangles without texture area, their tangents made up");
    if (!r.orientable) text += "; no consistent winding exists";
    for (const std::string& remark : r.remarks) text += "; " + remark;
    return text;
}

}  // namespace asperity::geometry
