// Builds the working form of each shape, and its support function.
#include "asperity/geometry/convex_contact/convex.h"

#include <algorithm>

namespace asperity::geometry {

namespace {

struct BoxEdges {
    Polyhedron::Edge edges[12];
};

constexpr BoxEdges make_box_edges() {
    BoxEdges result{};
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        for (int from = 0; from < 8; ++from) {
            if (from & 1 << k) continue;
            Polyhedron::Edge edge{from, from | 1 << k, -1, -1};
            for (int f = 0; f < 6; ++f) {
                for (int i = 0; i < 4; ++i) {
                    const int p = box_loop[4 * f + i], q = box_loop[4 * f + (i + 1) % 4];
                    if (p == edge.from && q == edge.to) edge.left = f;
                    if (p == edge.to && q == edge.from) edge.right = f;
                }
            }
            result.edges[count++] = edge;
        }
    }
    return result;
}
constexpr BoxEdges box_edges = make_box_edges();

struct BoxHalves {
    Polyhedron::Half halves[24];
    int leaving[8];
};
constexpr BoxHalves make_box_halves() {
    BoxHalves result{};
    const auto next = [](int i) { return i / 4 * 4 + (i + 1) % 4; };
    for (int i = 0; i < 24; ++i) {
        result.halves[i] = {box_loop[i], next(i), -1, i / 4};
        result.leaving[box_loop[i]] = i;
        for (int k = 0; k < 24; ++k)
            if (box_loop[i] == box_loop[next(k)] && box_loop[k] == box_loop[next(i)]) result.halves[i].twin = k;
    }
    return result;
}
constexpr BoxHalves box_halves = make_box_halves();

}  // namespace

PolyhedronView view(const Polyhedron& p) {
    return {p.vertices.data(),
            p.faces.data(),
            p.loop.data(),
            p.edges.data(),
            static_cast<int>(p.vertices.size()),
            static_cast<int>(p.faces.size()),
            static_cast<int>(p.edges.size()),
            p.halves.data(),
            p.leaving.data(),
            p.table.get()};
}

const Polyhedron::Edge& box_edge(int edge) { return box_edges.edges[edge]; }

Convex::Convex(const Shape& shape, const Pose& pose, const Vec3& origin)
    : rotation(matrix(pose.orientation)), center(pose.position - origin), middle(center) {
    if (const auto* sphere = std::get_if<Sphere>(&shape)) {
        kind = Kind::Point;
        round = thickness = extent = sphere->radius;
    } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
        kind = Kind::Segment;
        round = thickness = capsule->radius;
        half_length = capsule->half_length;
        extent = capsule->radius + capsule->half_length;
    } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
        kind = Kind::Cylinder;
        radius = cylinder->radius;
        half_length = cylinder->half_height;
        thickness = std::min(radius, half_length);
        extent = std::max(radius, half_length);
    } else if (const auto* box = std::get_if<Box>(&shape)) {
        kind = Kind::Polyhedron;
        set_box(box->half);
    } else if (const auto* hull = std::get_if<Hull>(&shape)) {
        kind = Kind::Polyhedron;
        poly = view(*hull->polyhedron);
        Vec3 inner;
        double reach = 0;
        for (int i = 0; i < poly.vertex_count; ++i) {
            inner += poly.vertices[i];
            reach = std::max(reach, length_squared(poly.vertices[i] - poly.vertices[0]));
        }
        inner = inner / poly.vertex_count;
        middle = to_world(inner);
        extent = thickness = 0.5 * std::sqrt(reach);
        for (int f = 0; f < poly.face_count; ++f) {
            thickness = std::min(thickness, poly.faces[f].offset - dot(poly.faces[f].normal, inner));
        }
    } else {
        ASPERITY_ASSERT(false);  // half-spaces are unbounded
    }
}

void Convex::set_box(const Vec3& half) {
    for (int i = 0; i < 8; ++i) {
        box_vertices_[i] = {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
    }
    for (int f = 0; f < 6; ++f) {
        Vec3 normal;
        normal[f / 2] = f % 2 ? -1 : 1;
        box_faces_[f] = {normal, half[f / 2], 4 * f, 4};
    }
    poly = {box_vertices_, box_faces_, box_loop, box_edges.edges, 8, 6, 12, box_halves.halves, box_halves.leaving};
    thickness = std::min({half.x, half.y, half.z});
    extent = max_component(half);
}

int Convex::support_vertex(const Vec3& d) const {
    const Vec3 local = direction_to_local(d);
    int best = 0;
    double far = dot(local, poly.vertices[0]);
    for (int i = 1; i < poly.vertex_count; ++i) {
        const double h = dot(local, poly.vertices[i]);
        if (h > far) {
            far = h;
            best = i;
        }
    }
    return best;
}

int Convex::nearest_face(const Vec3& d) const {
    const Vec3 local = direction_to_local(d);
    int best = 0;
    double far = dot(local, poly.faces[0].normal);
    for (int f = 1; f < poly.face_count; ++f) {
        const double h = dot(local, poly.faces[f].normal);
        if (h > far) {
            far = h;
            best = f;
        }
    }
    return best;
}

Vec3 Convex::support(const Vec3& d) const {
    switch (kind) {
        case Kind::Point: return center;
        case Kind::Segment: return center + (dot(axis(), d) >= 0 ? half_length : -half_length) * axis();
        case Kind::Polyhedron: return vertex(support_vertex(d));
        case Kind::Cylinder: break;
    }
    // In shape axes, where the radial part is exactly at right angles to the axis, even if it is only rounding noise.
    const Vec3 local = direction_to_local(d);
    const double r = std::sqrt(local.x * local.x + local.y * local.y);
    const double scale = r > 0 ? radius / r : 0;
    const Vec3 rim{r > 0 ? scale * local.x : radius, scale * local.y, local.z >= 0 ? half_length : -half_length};
    return to_world(rim);
}

}  // namespace asperity::geometry
