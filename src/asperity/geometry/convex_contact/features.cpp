// Builds the features of every shape.
#include "asperity/geometry/convex_contact/features.h"

#include <algorithm>
#include <numbers>

namespace asperity::geometry {

void face_feature(const Convex& poly, int face, Feature& out) {
    const Polyhedron::Face& f = poly.poly.faces[face];
    out.kind = Feature::Kind::Polygon;
    out.normal = poly.face_normal(face);
    out.corners.clear();
    const int stride = (f.count + face_corner_limit - 1) / face_corner_limit;
    for (int i = 0; i < f.count; i += stride) {
        const int v = poly.poly.loop[f.first + i], next = poly.poly.loop[f.first + (i + stride < f.count ? i + stride : 0)];
        out.corners.push({poly.vertex(v), point_code(PointKind::Vertex, static_cast<std::uint32_t>(v)), side_code(v, next)});
    }
}

void edge_feature(const Convex& poly, int edge, Feature& out) {
    const Polyhedron::Edge& e = poly.poly.edges[edge];
    const std::uint32_t side = side_code(e.from, e.to);
    out.kind = Feature::Kind::Segment;
    out.corners.clear();
    out.corners.push({poly.vertex(e.from), point_code(PointKind::Vertex, static_cast<std::uint32_t>(e.from)), side});
    out.corners.push({poly.vertex(e.to), point_code(PointKind::Vertex, static_cast<std::uint32_t>(e.to)), side});
}

namespace {

void polyhedron_feature(const Convex& shape, const Vec3& d, double angle, Feature& out) {
    const int face = shape.nearest_face(d);
    if (length(cross(shape.face_normal(face), d)) <= std::sin(std::min(angle, 0.5 * std::numbers::pi)))
        return face_feature(shape, face, out);
    const Vec3 local = shape.direction_to_local(d);
    const int v = shape.support_vertex(d);
    int best = -1;
    double flattest = angle;
    for (int e = 0; e < shape.poly.edge_count; ++e) {
        const Polyhedron::Edge& edge = shape.poly.edges[e];
        if (edge.from != v && edge.to != v) continue;
        const Vec3 along = shape.poly.vertices[edge.to] - shape.poly.vertices[edge.from];
        const double slope = std::fabs(dot(along, local)) / length(along);
        if (slope < flattest) {
            flattest = slope;
            best = e;
        }
    }
    if (best >= 0) return edge_feature(shape, best, out);
    out.kind = Feature::Kind::Point;
    out.corners.clear();
    out.corners.push({shape.vertex(v), point_code(PointKind::Vertex, static_cast<std::uint32_t>(v)), 0});
}

void cylinder_feature(const Convex& shape, const Vec3& d, double angle, Feature& out) {
    const Vec3 u = shape.axis();
    const double along = dot(u, d);
    const Vec3 radial = d - along * u;
    const double across = length(radial);
    if (std::fabs(along) > angle && across > angle) {
        out.kind = Feature::Kind::Point;
        out.corners.clear();
        out.corners.push({shape.support(d), point_code(PointKind::End, along > 0 ? 1 : 0), 0});
        return;
    }
    if (std::fabs(along) > across) {
        out.kind = Feature::Kind::Disc;
        out.normal = along > 0 ? u : -u;
        out.center = shape.center + shape.half_length * out.normal;
        out.spoke_x = shape.rotation.column(0);
        out.spoke_y = shape.rotation.column(1);
        out.radius = shape.radius;
        out.code = along > 0 ? 1 : 0;
        out.corners.clear();
        return;
    }
    // The line of the mantle farthest along d, from rim to rim.
    const Vec3 line = shape.center + (shape.radius / across) * radial;
    out.kind = Feature::Kind::Segment;
    out.corners.clear();
    out.corners.push({line - shape.half_length * u, point_code(PointKind::End, 0), 1});
    out.corners.push({line + shape.half_length * u, point_code(PointKind::End, 1), 1});
}

}  // namespace

void facing_feature(const Convex& shape, const Vec3& d, double angle, Feature& out) {
    const Vec3 skin = shape.round * d;
    switch (shape.kind) {
        case Convex::Kind::Point:
            out.kind = Feature::Kind::Point;
            out.corners.clear();
            out.corners.push({shape.center + skin, point_code(PointKind::End, 0), 0});
            return;
        case Convex::Kind::Segment:
            out.kind = Feature::Kind::Segment;
            out.corners.clear();
            out.corners.push({shape.center - shape.half_length * shape.axis() + skin, point_code(PointKind::End, 0), 1});
            out.corners.push({shape.center + shape.half_length * shape.axis() + skin, point_code(PointKind::End, 1), 1});
            return;
        case Convex::Kind::Cylinder: return cylinder_feature(shape, d, angle, out);
        case Convex::Kind::Polyhedron: return polyhedron_feature(shape, d, angle, out);
    }
}

}  // namespace asperity::geometry
