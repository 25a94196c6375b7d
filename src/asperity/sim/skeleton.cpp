#include "asperity/sim/skeleton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/mesh/mesh_closest.h"

namespace asperity::sim {
namespace {

constexpr int kSides = 16;  // of the prism that stands for a cylinder

/// A prism about z with the corners (x, y) of its base, counter-clockwise.
template <class Corner>
void add_prism(int sides, double half_height, const Corner& corner, Skeleton& out) {
    for (const double z : {-half_height, half_height})
        for (int k = 0; k < sides; ++k) {
            const Vec2 p = corner(k);
            out.points.push_back({p.x, p.y, z});
        }
    for (int k = 0; k < sides; ++k) {
        const int next = (k + 1) % sides;
        out.edges.push_back({k, next});
        out.edges.push_back({sides + k, sides + next});
        out.edges.push_back({k, sides + k});
        out.triangles.push_back({k, next, sides + next});
        out.triangles.push_back({k, sides + next, sides + k});
        if (k < 2) continue;
        out.triangles.push_back({0, k, k - 1});
        out.triangles.push_back({sides, sides + k - 1, sides + k});
    }
}

void add_box(const Vec3& half, Skeleton& out) {
    add_prism(
        4, half.z,
        [&](int k) {
            return Vec2{(k == 1 || k == 2 ? 1 : -1) * half.x, (k > 1 ? 1 : -1) * half.y};
        },
        out);
}

void add_cylinder(double radius, double half_height, Skeleton& out) {
    add_prism(
        kSides, half_height,
        [&](int k) {
            const double angle = 2 * std::numbers::pi * k / kSides;
            return Vec2{radius * std::cos(angle), radius * std::sin(angle)};
        },
        out);
}

Vec3 mean_vertex(const geometry::Polyhedron& hull) {
    Vec3 sum;
    for (const Vec3& v : hull.vertices) sum += v;
    return sum / static_cast<double>(hull.vertices.size());
}

/// The hull, scaled about the mean of its vertices.
void add_hull(const geometry::Polyhedron& hull, double scale, Skeleton& out) {
    const Vec3 centre = mean_vertex(hull);
    for (const Vec3& v : hull.vertices) out.points.push_back(centre + scale * (v - centre));
    for (const geometry::Polyhedron::Edge& edge : hull.edges) out.edges.push_back({edge.from, edge.to});
    for (const geometry::Polyhedron::Face& face : hull.faces)
        for (int k = 2; k < face.count; ++k) {
            const auto at = [&](int corner) { return hull.loop[static_cast<size_t>(face.first + corner)]; };
            out.triangles.push_back({at(0), at(k - 1), at(k)});
        }
}

/// Triangles with their edges and vertices; those of neighbours are there more than once.
void add_triangles(const geometry::TriangleSet& mesh, const geometry::Aabb& box, Skeleton& out) {
    mesh.tree.query(box, [&](int triangle) {
        const int first = static_cast<int>(out.points.size());
        for (const int v : mesh.triangles[static_cast<size_t>(triangle)])
            out.points.push_back(mesh.positions[static_cast<size_t>(v)]);
        for (int k = 0; k < 3; ++k) out.edges.push_back({first + k, first + (k + 1) % 3});
        out.triangles.push_back({first, first + 1, first + 2});
    });
}

}  // namespace

void Skeleton::clear() {
    points.clear();
    edges.clear();
    triangles.clear();
    radius = 0;
}

double half_thickness(const geometry::Shape& shape) {
    if (const auto* s = std::get_if<geometry::Sphere>(&shape)) return s->radius;
    if (const auto* b = std::get_if<geometry::Box>(&shape)) return std::fmin(b->half.x, std::fmin(b->half.y, b->half.z));
    if (const auto* c = std::get_if<geometry::Capsule>(&shape)) return c->radius;
    if (const auto* c = std::get_if<geometry::Cylinder>(&shape)) return std::fmin(c->radius, c->half_height);
    if (const auto* h = std::get_if<geometry::Hull>(&shape)) {
        const Vec3 centre = mean_vertex(*h->polyhedron);
        double least = std::numeric_limits<double>::infinity();
        for (const geometry::Polyhedron::Face& face : h->polyhedron->faces)
            least = std::fmin(least, face.offset - dot(face.normal, centre));
        return std::fmax(least, 0.0);
    }
    if (const auto* m = std::get_if<geometry::Mesh>(&shape)) {
        const geometry::TriangleSet& mesh = *m->triangles;
        if (!mesh.report.solid) return 0;
        const geometry::MeshNearest nearest = geometry::nearest_on_mesh(mesh, mesh.integrals.center, mesh.extent);
        return std::fmax(-nearest.signed_distance, 0.0);
    }
    return 0;
}

void make_core(const geometry::Shape& shape, double depth, Skeleton& out) {
    out.clear();
    const double inset = depth * half_thickness(shape);
    if (const auto* s = std::get_if<geometry::Sphere>(&shape)) {
        out.points = {Vec3{}};
        out.radius = s->radius - inset;
    } else if (const auto* b = std::get_if<geometry::Box>(&shape)) {
        add_box(b->half - Vec3{inset, inset, inset}, out);
    } else if (const auto* c = std::get_if<geometry::Capsule>(&shape)) {
        out.points = {{0, 0, -c->half_length}, {0, 0, c->half_length}};
        out.edges = {{0, 1}};
        out.radius = c->radius - inset;
    } else if (const auto* y = std::get_if<geometry::Cylinder>(&shape)) {
        add_cylinder(y->radius - inset, y->half_height - inset, out);
    } else if (const auto* h = std::get_if<geometry::Hull>(&shape)) {
        add_hull(*h->polyhedron, 1 - depth, out);
    } else if (const auto* m = std::get_if<geometry::Mesh>(&shape)) {
        out.points = {m->triangles->integrals.center};
        out.radius = (1 - depth) * half_thickness(shape);
    }
}

void make_surface(const geometry::Shape& shape, const geometry::Aabb& box, Skeleton& out) {
    out.clear();
    if (const auto* m = std::get_if<geometry::Mesh>(&shape))
        add_triangles(*m->triangles, box, out);
    else if (const auto* h = std::get_if<geometry::Hull>(&shape))
        add_hull(*h->polyhedron, 1, out);
    else if (!std::holds_alternative<geometry::HalfSpace>(shape))
        make_core(shape, 0, out);
}

}  // namespace asperity::sim
