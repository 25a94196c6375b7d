#include "asperity/deform/meshes/mesh_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/core/error.h"

namespace asperity::deform::detail {
namespace {

/// The two coordinates that a plane mesh varies in. A mesh drawn in x and z has the world's vertical as its second one.
std::array<int, 2> plane_of(const RawMesh& raw, const std::string& name) {
    Vector<3> low = Vector<3>::Constant(std::numeric_limits<double>::infinity()), high = -low;
    for (const RawMesh::Cell& cell : raw.cells)
        for (int k = 0; k < cell.count; ++k) {
            const Vector<3>& p = raw.points[static_cast<std::size_t>(cell.points[static_cast<std::size_t>(k)])];
            low = low.cwiseMin(p);
            high = high.cwiseMax(p);
        }
    const Vector<3> size = high - low;
    const double least = 1e-9 * size.maxCoeff();
    if (size[2] <= least) return {0, 1};
    if (size[1] <= least) return {0, 2};
    throw InputError(
        fmt::format("{}: the mesh is {:.3g} x {:.3g} x {:.3g} m: a mesh for two dimensions must lie in a plane of "
                    "constant z or y",
                    name, size[0], size[1], size[2]));
}

}  // namespace

template <int Dim>
MarkedMesh<Dim> assemble(const RawMesh& raw, const std::string& name) {
    MarkedMesh<Dim> out;
    std::vector<int> place(raw.points.size(), -1);
    std::array<int, 2> plane{0, 1};
    if constexpr (Dim == 2) plane = plane_of(raw, name);
    out.groups.resize(raw.groups.size());
    for (std::size_t g = 0; g < raw.groups.size(); ++g) out.groups[g].name = raw.groups[g];
    for (const RawMesh::Cell& cell : raw.cells) {
        if (cell.count != Dim + 1) continue;
        std::array<int, Dim + 1> element{};
        for (std::size_t k = 0; k <= Dim; ++k) {
            int& index = place[static_cast<std::size_t>(cell.points[k])];
            if (index < 0) {
                index = static_cast<int>(out.mesh.points.size());
                const Vector<3>& p = raw.points[static_cast<std::size_t>(cell.points[k])];
                if constexpr (Dim == 2)
                    out.mesh.points.push_back({p[plane[0]], p[plane[1]]});
                else
                    out.mesh.points.push_back(p);
            }
            element[k] = index;
        }
        const int number = static_cast<int>(out.mesh.elements.size());
        out.mesh.elements.push_back(element);
        if (volume(out.mesh, number) < 0) {
            std::swap(out.mesh.elements.back()[Dim - 1], out.mesh.elements.back()[Dim]);
            ++out.turned;
        }
        if (cell.group >= 0) out.groups[static_cast<std::size_t>(cell.group)].elements.push_back(number);
    }
    if (out.mesh.elements.empty())
        throw InputError(
            fmt::format("{}: it has no {}; {}", name, Dim == 2 ? "triangles" : "tetrahedra",
                        Dim == 2 ? "mesh its surfaces" : "mesh its volume, or read it as a surface and fill that"));
    for (const RawMesh::Cell& cell : raw.cells) {
        if (cell.group < 0) continue;
        for (int k = 0; k < cell.count; ++k) {
            const int index = place[static_cast<std::size_t>(cell.points[static_cast<std::size_t>(k)])];
            if (index >= 0) out.groups[static_cast<std::size_t>(cell.group)].points.push_back(index);
        }
    }
    for (auto& group : out.groups) {
        std::sort(group.points.begin(), group.points.end());
        group.points.erase(std::unique(group.points.begin(), group.points.end()), group.points.end());
    }
    out.unused = static_cast<int>(std::count(place.begin(), place.end(), -1));
    try {
        check(out.mesh);
    } catch (const InputError& error) { throw InputError(name + ": " + error.what()); }
    return out;
}

void fail_at(const std::string& name, std::string_view bytes, std::size_t at, const std::string& what) {
    const std::string_view before = bytes.substr(0, std::min(at, bytes.size()));
    throw InputError(fmt::format("{}:{}: {}", name, 1 + std::count(before.begin(), before.end(), '\n'), what));
}

template MarkedMesh<2> assemble<2>(const RawMesh&, const std::string&);
template MarkedMesh<3> assemble<3>(const RawMesh&, const std::string&);

}  // namespace asperity::deform::detail
