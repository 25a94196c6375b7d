// Pairs that use candidate axes: with a polyhedron, with a cylinder, and every shape against a half-space.
#include <algorithm>
#include <numbers>

#include "asperity/geometry/convex_contact/pairs.h"
#include "asperity/geometry/convex_contact/polyhedron_sat.h"

namespace asperity::geometry {

namespace {

constexpr double any_angle = std::numbers::pi;  // facing_feature(): take the nearest face at any angle

}  // namespace

bool collide_half_space(const Shape& shape, const Pose& pose_a, const Pose& pose_b, const PairRequest& request) {
    const Convex a(shape, pose_a, pose_a.position);
    const Vec3 n = -rotate(pose_b.orientation, {0, 0, 1});
    const Vec3 plane = pose_b.position - pose_a.position;
    if (const double gap = dot(n, plane - a.support(n)) - a.round; gap > request.margin)
        return request.out.apart = gap, false;
    Feature feature;
    facing_feature(a, n, any_angle, feature);
    Candidates candidates;
    const std::uint32_t tag = axis_tag(AxisKind::FaceOfB, 0);
    plane_points(feature, plane, n, request.margin, tag, candidates);
    if (a.kind == Convex::Kind::Polyhedron) {
        // The face that looks down most need not hold the lowest vertex.
        const int lowest = a.support_vertex(n);
        const std::uint32_t id = tag | point_code(PointKind::Vertex, static_cast<std::uint32_t>(lowest));
        bool listed = false;
        for (const Candidate& c : candidates) listed = listed || c.feature == id;
        if (!listed) {
            const Vec3 p = a.vertex(lowest);
            const double gap = dot(n, plane - p);
            candidates.push({p, p + gap * n, gap, id});
        }
    }
    return reduce(candidates, n, pose_a.position, request.previous, request.out);
}

namespace {

void polyhedron_features(const Convex& a, const Convex& b, const AxisChoice& choice, Feature& fa, Feature& fb) {
    if (choice.kind == AxisKind::Edges) {
        edge_feature(a, choice.index_a, fa);
        edge_feature(b, choice.index_b, fb);
    } else {
        face_feature(a, choice.kind == AxisKind::FaceOfA ? choice.index_a : a.nearest_face(choice.normal), fa);
        face_feature(b, choice.kind == AxisKind::FaceOfB ? choice.index_b : b.nearest_face(-choice.normal), fb);
    }
}

}  // namespace

bool collide_hulls(const Convex& a, const Convex& b, const Vec3& origin, const PairRequest& request) {
    PolyhedronAxes axes;
    if (!best_face(a, b, request.margin, axes.face_a) || !best_face(b, a, request.margin, axes.face_b)) return false;
    // A tight face is the answer for separated shapes, and a local minimum of depth for overlapping ones. Only a deep
    // overlap needs the quadratic search over edges, to see whether there is a shorter exit.
    const PairScale scale = scale_of(a, b);
    const auto features = [&](const AxisChoice& choice, Feature& fa, Feature& fb) {
        polyhedron_features(a, b, choice, fa, fb);
    };
    if (std::max(axes.face_a.separation, axes.face_b.separation) > -0.02 * scale.thickness) {
        AxisChoices faces;
        propose(faces, axes, scale, request);
        const auto make = [&](const AxisChoice& choice) {
            Feature fa, fb;
            features(choice, fa, fb);
            return make_if_tight(fa, fb, a, b, origin, choice, request);
        };
        if (try_choices(faces, scale, make)) return true;
    }
    if (!best_edges(a, b, request.margin, axes.edge)) return false;
    AxisChoices choices;
    propose(choices, axes, scale, request);
    return make_manifold(a, b, origin, choices, request, features);
}

bool collide_round_polyhedron(const Convex& a, const Convex& b, const Vec3& origin, const PairRequest& request) {
    FaceAxis face;
    if (!best_face(b, a, request.margin + a.round, face)) return false;
    AxisChoices choices;
    propose(choices, {AxisKind::FaceOfB, -1, face.face, -face.normal, face.separation - a.round}, scale_of(a, b), request);
    return make_manifold(a, b, origin, choices, request, [&](const AxisChoice& choice, Feature& fa, Feature& fb) {
        facing_feature(a, choice.normal, any_angle, fa);
        face_feature(b, choice.index_b, fb);
    });
}

bool collide_cylinder_polyhedron(const Convex& a, const Convex& b, const Vec3& origin, const PairRequest& request) {
    AxisChoices choices;
    FaceAxis face;
    if (!best_face(b, a, request.margin, face)) return false;
    propose(choices, {AxisKind::FaceOfB, -1, face.face, -face.normal, face.separation}, scale_of(a, b), request);

    const Vec3 u = a.axis();
    AxisChoice cap{AxisKind::FaceOfA};
    for (int k = 0; k < 2; ++k) {
        const Vec3 n = k ? u : -u;
        const double separation = dot(n, b.support(-n) - a.center) - a.half_length;
        if (separation > request.margin) return false;
        if (cap.index_a < 0 || separation > cap.separation) cap = {AxisKind::FaceOfA, k, -1, n, separation};
    }
    propose(choices, cap, scale_of(a, b), request);

    // The mantle against an edge: the axis is at right angles to both and between the normals of the edge's faces.
    AxisChoice mantle{AxisKind::Edges};
    const Vec3 local_u = b.direction_to_local(u), local_center = b.direction_to_local(a.center - b.center);
    for (int e = 0; e < b.poly.edge_count; ++e) {
        const Polyhedron::Edge& edge = b.poly.edges[e];
        const Vec3 along = b.poly.vertices[edge.to] - b.poly.vertices[edge.from];
        const Vec3 m = cross(local_u, along);
        const double l2 = length_squared(m);
        if (l2 < 1e-6 * length_squared(along)) continue;
        const Vec3 &left = b.poly.faces[edge.left].normal, &right = b.poly.faces[edge.right].normal;
        const Vec3 outward = (dot(m, left + right) < 0 ? -1 : 1) / std::sqrt(l2) * m;
        if (dot(cross(left, outward), along) < 0 || dot(cross(outward, right), along) < 0) continue;
        const double separation = dot(outward, local_center - b.poly.vertices[edge.from]) - a.radius;
        if (separation > request.margin) return false;
        if (mantle.index_b < 0 || separation > mantle.separation)
            mantle = {AxisKind::Edges, 0, e, -(b.rotation * outward), separation};
    }
    if (mantle.index_b >= 0) propose(choices, mantle, scale_of(a, b), request);

    if (make_if_shorter(a, b, origin, choices, request)) return true;
    return make_manifold(a, b, origin, choices, request, [&](const AxisChoice& choice, Feature& fa, Feature& fb) {
        facing_feature(a, choice.normal, any_angle, fa);
        if (choice.kind == AxisKind::FaceOfA) face_feature(b, b.nearest_face(-choice.normal), fb);
        if (choice.kind == AxisKind::FaceOfB) face_feature(b, choice.index_b, fb);
        if (choice.kind == AxisKind::Edges) edge_feature(b, choice.index_b, fb);
    });
}

bool collide_with_cylinder(const Convex& a, const Convex& b, const Vec3& origin, const PairRequest& request) {
    AxisChoices choices;
    const Vec3 u = a.axis(), v = b.axis(), offset = b.center - a.center;
    const auto surface_separation = [&](const Vec3& n) { return separation_along(a, b, n) - a.round; };

    AxisChoice cap_a{AxisKind::FaceOfA}, cap_b{AxisKind::FaceOfB};
    for (int k = 0; k < 2; ++k) {
        if (a.kind == Convex::Kind::Cylinder) {
            const Vec3 n = k ? u : -u;
            const double separation = surface_separation(n);
            if (separation > request.margin) return false;
            if (cap_a.index_a < 0 || separation > cap_a.separation) cap_a = {AxisKind::FaceOfA, k, -1, n, separation};
        }
        const Vec3 n = k ? -v : v;  // against the outward normal of b's cap
        const double separation = surface_separation(n);
        if (separation > request.margin) return false;
        if (cap_b.index_b < 0 || separation > cap_b.separation) cap_b = {AxisKind::FaceOfB, -1, k, n, separation};
    }
    if (cap_a.index_a >= 0) propose(choices, cap_a, scale_of(a, b), request);
    propose(choices, cap_b, scale_of(a, b), request);

    // Mantle against mantle: at right angles to both axes, or straight from axis to axis if these are parallel.
    const Vec3 across = cross(u, v);
    const double sine = length(across);
    Vec3 n;
    if (sine > 1e-3) {
        n = (dot(across, offset) < 0 ? -1 : 1) / sine * across;
    } else {
        const Vec3 mean = normalized(dot(u, v) < 0 ? u - v : u + v);
        n = normalize_or(offset - dot(offset, mean) * mean, any_tangent(mean));
    }
    const double separation = surface_separation(n);
    if (separation > request.margin) return false;
    propose(choices, {AxisKind::Edges, 0, 0, n, separation}, scale_of(a, b), request);

    if (make_if_shorter(a, b, origin, choices, request)) return true;
    return make_manifold(a, b, origin, choices, request, [&](const AxisChoice& choice, Feature& fa, Feature& fb) {
        facing_feature(a, choice.normal, any_angle, fa);
        facing_feature(b, -choice.normal, any_angle, fb);
    });
}

}  // namespace asperity::geometry
