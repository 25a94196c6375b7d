#include "asperity/scene/soft_mesh.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "asperity/core/error.h"
#include "asperity/deform/meshes/generators.h"
#include "asperity/deform/meshes/read_msh.h"
#include "asperity/deform/meshes/read_vtu.h"
#include "asperity/deform/meshes/tetrahedralise.h"
#include "asperity/geometry/mesh/mesh.h"

namespace asperity::scene {
namespace {

/// Cells along the longest edge of a body that has neither `cells` nor `cell_size` nor a mesh file.
constexpr int kDefaultCells = 10;

void check_count(double cells, const SoftBody& soft) {
    if (cells > soft.most_cells)
        throw InputError(
            fmt::format("soft: a mesh of {:.3g} cells, more than {}; give larger cells", cells, soft.most_cells));
}

/// Cells along each edge: as given, else of the given or chosen size.
template <std::size_t N>
std::array<int, N> cells_of(const std::array<double, N>& size, const std::array<int, N>& given, const SoftBody& soft) {
    std::array<int, N> cells = given;
    const double longest = *std::max_element(size.begin(), size.end());
    const double edge = soft.cell_size > 0 ? soft.cell_size : longest / kDefaultCells;
    double all = 1;
    for (std::size_t i = 0; i < N; ++i) {
        if (cells[i] == 0) cells[i] = static_cast<int>(std::clamp(std::ceil(size[i] / edge - 1e-9), 1.0, 2000.0));
        all *= cells[i];
    }
    check_count(all, soft);
    return cells;
}

/// Cells across a round body, which has as many in each of `directions`.
int cells_across(double diameter, const SoftBody& soft, int directions) {
    const int cells = std::max(4, cells_of<1>({diameter}, {soft.cells[0]}, soft)[0]);
    check_count(std::pow(cells, directions), soft);
    return cells;
}

geometry::Mesh surface_of(const geometry::Shape& shape) {
    if (const auto* mesh = std::get_if<geometry::Mesh>(&shape)) return *mesh;
    const geometry::Polyhedron& hull = *std::get<geometry::Hull>(shape).polyhedron;
    geometry::MeshData data;
    data.positions = hull.vertices;
    for (const auto& face : hull.faces)
        for (int k = 1; k + 1 < face.count; ++k)
            for (const int corner : {face.first, face.first + k, face.first + k + 1})
                data.triangles.push_back(static_cast<std::uint32_t>(hull.loop[static_cast<std::size_t>(corner)]));
    return geometry::make_mesh(data, 1, "hull");
}

template <int Dim>
deform::SolidMesh<Dim> mesh_of_file(const std::filesystem::path& path) {
    const std::string ending = path.extension().string();
    if (ending == ".msh") return deform::read_msh<Dim>(path).mesh;
    if (ending == ".vtu") return deform::read_vtu<Dim>(path).mesh;
    throw InputError(
        fmt::format("{}: the program reads meshes of soft bodies from .msh (Gmsh) and .vtu (VTK) files", path.string()));
}

void check_hollow(const SoftBody& soft, double radius) {
    if (!(soft.hollow < radius))
        throw InputError(fmt::format("soft.hollow = {}: must be below the radius {}", soft.hollow, radius));
}

deform::SolidMesh<3> solid_of(const geometry::Shape& shape, const SoftBody& soft) {
    if (const auto* b = std::get_if<geometry::Box>(&shape)) {
        const Vec3 s = 2 * b->half;
        return deform::box<3>({s.x, s.y, s.z}, cells_of<3>({s.x, s.y, s.z}, soft.cells, soft));
    }
    if (const auto* s = std::get_if<geometry::Sphere>(&shape)) {
        deform::SolidMesh<3> ball = deform::ball(s->radius, cells_across(2 * s->radius, soft, 3));
        deform::refine_towards<3>(ball, s->radius, {soft.finer_at.x, soft.finer_at.y, soft.finer_at.z});
        return ball;
    }
    if (const auto* c = std::get_if<geometry::Cylinder>(&shape)) {
        const double r = c->radius, h = 2 * c->half_height;
        if (soft.hollow > 0) {
            check_hollow(soft, r);
            return deform::tube(soft.hollow, r, h, cells_of<3>({r - soft.hollow, 6 * r, h}, soft.cells, soft));
        }
        return deform::cylinder(r, h, cells_across(2 * r, soft, 3));
    }
    if (const auto* c = std::get_if<geometry::Capsule>(&shape))
        return deform::capsule(c->radius, c->half_length, cells_across(2 * c->radius, soft, 3));
    if (std::holds_alternative<geometry::HalfSpace>(shape)) throw InputError("a half-space cannot be soft");
    const geometry::Aabb box = geometry::bounds(shape, {});
    const double longest = max_component(box.high - box.low);
    const double edge = soft.cell_size > 0 ? soft.cell_size : longest / (soft.cells[0] > 0 ? soft.cells[0] : kDefaultCells);
    const Vec3 counts = (1 / edge) * (box.high - box.low);
    check_count(counts.x * counts.y * counts.z, soft);
    return deform::tetrahedralise(*surface_of(shape).triangles, edge);
}

deform::SolidMesh<2> section_mesh(const geometry::Shape& shape, const SoftBody& soft) {
    if (const auto* b = std::get_if<geometry::Box>(&shape)) {
        const double x = 2 * b->half.x, z = 2 * b->half.z;
        return deform::box<2>({x, z}, cells_of<2>({x, z}, {soft.cells[0], soft.cells[2]}, soft));
    }
    if (const auto* s = std::get_if<geometry::Sphere>(&shape)) {
        if (soft.hollow > 0) {
            check_hollow(soft, s->radius);
            return deform::ring(soft.hollow, s->radius,
                                cells_of<2>({s->radius - soft.hollow, 6 * s->radius}, {soft.cells[0], soft.cells[1]}, soft));
        }
        deform::SolidMesh<2> disc = deform::disc(s->radius, cells_across(2 * s->radius, soft, 2));
        deform::refine_towards<2>(disc, s->radius, {soft.finer_at.x, soft.finer_at.z});
        return disc;
    }
    throw InputError("in two dimensions a soft body is a box, a sphere (a disc) or a mesh of triangles (soft.mesh)");
}

}  // namespace

template <int Dim>
deform::SolidMesh<Dim> soft_mesh(const geometry::Shape& shape, const SoftBody& soft, std::vector<std::string>& notes,
                                 const std::string& name) {
    deform::SolidMesh<Dim> mesh;
    if (!soft.mesh.empty())
        mesh = mesh_of_file<Dim>(soft.mesh);
    else if constexpr (Dim == 3)
        mesh = solid_of(shape, soft);
    else
        mesh = section_mesh(shape, soft);
    deform::check(mesh);
    const deform::MeshReport<Dim> report = deform::report(mesh);
    if (report.slivers > 0 || !soft.mesh.empty()) notes.push_back(fmt::format("'{}': {}", name, deform::describe(report)));
    if (report.slivers > 0) notes.push_back(fmt::format("'{}': {}", name, deform::describe_slivers(report)));
    return mesh;
}
template deform::SolidMesh<2> soft_mesh<2>(const geometry::Shape&, const SoftBody&, std::vector<std::string>&,
                                           const std::string&);
template deform::SolidMesh<3> soft_mesh<3>(const geometry::Shape&, const SoftBody&, std::vector<std::string>&,
                                           const std::string&);

}  // namespace asperity::scene
