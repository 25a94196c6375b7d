#include "asperity/geometry/mesh/mesh_closest.h"

#include <cmath>

namespace asperity::geometry {

TrianglePoint closest_on_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
    const auto result = [&](double u, double v, double w, TrianglePart part) {
        TrianglePoint r;
        r.barycentric = {u, v, w};
        r.point = u * a + v * b + w * c;
        r.distance_squared = length_squared(p - r.point);
        r.part = part;
        return r;
    };
    const Vec3 ab = b - a, ac = c - a, ap = p - a;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return result(1, 0, 0, TrianglePart::Corner0);
    const Vec3 bp = p - b;
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return result(0, 1, 0, TrianglePart::Corner1);
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        const double v = d1 / (d1 - d3);
        return result(1 - v, v, 0, TrianglePart::Edge0);
    }
    const Vec3 cp = p - c;
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return result(0, 0, 1, TrianglePart::Corner2);
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        const double w = d2 / (d2 - d6);
        return result(1 - w, 0, w, TrianglePart::Edge2);
    }
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return result(0, 1 - w, w, TrianglePart::Edge1);
    }
    const double sum = va + vb + vc;
    return result(va / sum, vb / sum, vc / sum, TrianglePart::Face);
}

MeshNearest nearest_on_mesh(const TriangleSet& mesh, const Vec3& p, double reach) {
    MeshNearest best;
    double reach_squared = reach * reach;
    mesh.tree.nearest(p, reach_squared, [&](int t) {
        const TrianglePoint at = closest_on_triangle(mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2), p);
        if (at.distance_squared > reach_squared) return;
        if (best.triangle >= 0 && at.distance_squared == best.at.distance_squared && best.triangle < t) return;
        best.triangle = t;
        best.at = at;
        reach_squared = at.distance_squared;
    });
    if (best.triangle < 0) return best;
    const auto t = static_cast<size_t>(best.triangle);
    Vec3 normal = mesh.face_normals[t];
    if (best.at.part >= TrianglePart::Corner0) {
        const auto corner = static_cast<size_t>(static_cast<int>(best.at.part) - static_cast<int>(TrianglePart::Corner0));
        normal = mesh.vertex_normals[static_cast<size_t>(mesh.triangles[t][corner])];
    } else if (best.at.part != TrianglePart::Face) {
        const auto side = static_cast<size_t>(static_cast<int>(best.at.part) - static_cast<int>(TrianglePart::Edge0));
        const TriangleSet::Edge& edge = mesh.edges[static_cast<size_t>(mesh.edge_of[t][side])];
        if (edge.right >= 0)
            normal = mesh.face_normals[static_cast<size_t>(edge.left)] + mesh.face_normals[static_cast<size_t>(edge.right)];
    }
    const double distance = std::sqrt(best.at.distance_squared);
    best.signed_distance = dot(p - best.at.point, normal) < 0 ? -distance : distance;
    return best;
}

MeshPoint locate(const TriangleSet& mesh, const Vec3& point, const Vec3& normal) {
    // The normal decides between triangles that are equally near, up to the rounding of a point on a moving body. With a
    // larger tolerance a neighbour that does not hold the point could win.
    const MeshNearest nearest = nearest_on_mesh(mesh, point, 1e30);
    const double reach = std::fabs(nearest.signed_distance) + 1e-9 * mesh.extent;
    double best = -2;
    MeshPoint found;
    mesh.tree.query(Aabb{point, point}.grown(reach), [&](int t) {
        const TrianglePoint at = closest_on_triangle(mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2), point);
        if (at.distance_squared > reach * reach) return;
        const double cosine = dot(mesh.face_normals[static_cast<size_t>(t)], normal),
                     facing = mesh.solid() ? cosine : std::fabs(cosine);
        if (facing > best || (facing == best && t < found.triangle)) best = facing, found = {t, at.barycentric};
    });
    return found;
}

Vec2 uv_at(const TriangleSet& mesh, const MeshPoint& at) {
    const Vec2* uv = &mesh.uvs[3 * static_cast<size_t>(at.triangle)];
    return at.barycentric.x * uv[0] + at.barycentric.y * uv[1] + at.barycentric.z * uv[2];
}

TangentFrame frame_at(const TriangleSet& mesh, const MeshPoint& at) {
    const auto mix = [&](const std::vector<Vec3>& values) {
        const Vec3* v = &values[3 * static_cast<size_t>(at.triangle)];
        return at.barycentric.x * v[0] + at.barycentric.y * v[1] + at.barycentric.z * v[2];
    };
    TangentFrame frame;
    frame.normal = normalize_or(mix(mesh.normals), mesh.face_normals[static_cast<size_t>(at.triangle)]);
    const Vec3 t = mix(mesh.tangents);
    frame.tangent = normalize_or(t - dot(t, frame.normal) * frame.normal, any_tangent(frame.normal));
    frame.bitangent = cross(frame.normal, frame.tangent);
    return frame;
}

}  // namespace asperity::geometry
