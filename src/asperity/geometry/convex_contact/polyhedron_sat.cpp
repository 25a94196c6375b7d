// All work is in the axes of one of the two polyhedra, so that its vertices need no transform.
#include "asperity/geometry/convex_contact/polyhedron_sat.h"

#include <algorithm>

#include "asperity/geometry/common/fixed_buffer.h"

namespace asperity::geometry {

namespace {

// Square of the sine below which two edges are parallel: their cross product has lost too many digits to be a normal. A face
// or the nearest points describe the contact better.
constexpr double parallel_sin2 = 1e-6;

bool best_face_against_vertices(const Convex& p, const Convex& q, double limit, FaceAxis& out) {
    const Mat3 to_q = transposed(q.rotation) * p.rotation;
    const Vec3 offset = q.direction_to_local(p.center - q.center);
    for (int f = 0; f < p.poly.face_count; ++f) {
        const Polyhedron::Face& face = p.poly.faces[f];
        const Vec3 n = to_q * face.normal;
        double low = dot(n, q.poly.vertices[0]);
        for (int i = 1; i < q.poly.vertex_count; ++i) low = std::min(low, dot(n, q.poly.vertices[i]));
        const double separation = low - dot(n, offset) - face.offset;
        if (out.face < 0 || separation > out.separation) {
            out.face = f;
            out.separation = separation;
            if (separation > limit) return false;
        }
    }
    out.normal = p.face_normal(out.face);
    return true;
}

// The edge of a box along axis k whose position is farthest along n (box axes).
int outermost_edge(int k, const Vec3& n) {
    static constexpr int from_corner[3][8] = {// edge index by the lower vertex; -1 where no edge along the axis starts
                                              {0, -1, 1, -1, 2, -1, 3, -1},
                                              {4, 5, -1, -1, 6, 7, -1, -1},
                                              {8, 9, 10, 11, -1, -1, -1, -1}};
    int corner = 0;
    for (int i = 0; i < 3; ++i) {
        if (i != k && n[i] > 0) corner |= 1 << i;
    }
    return from_corner[k][corner];
}

}  // namespace

bool best_face(const Convex& poly, const Convex& other, double limit, FaceAxis& out) {
    if (other.kind == Convex::Kind::Polyhedron) return best_face_against_vertices(poly, other, limit, out);
    const Vec3 offset = poly.direction_to_local(other.center - poly.center);
    const Vec3 axis = poly.direction_to_local(other.axis());
    for (int f = 0; f < poly.poly.face_count; ++f) {
        const Polyhedron::Face& face = poly.poly.faces[f];
        double reach = 0;  // of the core against the normal
        if (other.kind != Convex::Kind::Point) reach = std::fabs(dot(axis, face.normal)) * other.half_length;
        if (other.kind == Convex::Kind::Cylinder) reach += other.radius * length(cross(axis, face.normal));
        const double separation = dot(face.normal, offset) - reach - face.offset;
        if (out.face < 0 || separation > out.separation) {
            out.face = f;
            out.separation = separation;
            if (separation > limit) return false;
        }
    }
    out.normal = poly.face_normal(out.face);
    return true;
}

bool best_edges(const Convex& a, const Convex& b, double limit, EdgeAxis& out) {
    const Mat3 to_b = transposed(b.rotation) * a.rotation;
    const Vec3 offset = b.direction_to_local(a.center - b.center);
    Vec3 best_normal;
    // Face normals of b along an edge of a: each serves all edges of that face.
    FixedBuffer<double, 256> along_edge;
    const bool cached = b.poly.face_count <= 256;
    for (int i = 0; i < a.poly.edge_count; ++i) {
        const Polyhedron::Edge& ea = a.poly.edges[i];
        const Vec3 na = to_b * a.poly.faces[ea.left].normal, nb = to_b * a.poly.faces[ea.right].normal;
        const Vec3 from = to_b * a.poly.vertices[ea.from] + offset;
        const Vec3 da = to_b * (a.poly.vertices[ea.to] - a.poly.vertices[ea.from]);  // along na x nb
        along_edge.clear();
        for (int f = 0; cached && f < b.poly.face_count; ++f) along_edge.push(dot(b.poly.faces[f].normal, da));
        for (int j = 0; j < b.poly.edge_count; ++j) {
            const Polyhedron::Edge& eb = b.poly.edges[j];
            // The face normals of -B are the negated ones of B.
            const double c = -(cached ? along_edge[eb.left] : dot(b.poly.faces[eb.left].normal, da));
            const double d = -(cached ? along_edge[eb.right] : dot(b.poly.faces[eb.right].normal, da));
            if (c * d >= 0) continue;
            const Vec3 db = b.poly.vertices[eb.to] - b.poly.vertices[eb.from];
            const double p = dot(na, db), q = dot(nb, db);
            if (p * q >= 0 || c * q <= 0) continue;  // the arcs of the two edges on the Gauss map do not cross
            const Vec3 m = cross(da, db);
            const double m2 = length_squared(m);
            if (m2 < parallel_sin2 * length_squared(da) * length_squared(db)) continue;
            const Vec3 n = (dot(m, na + nb) < 0 ? -1 : 1) / std::sqrt(m2) * m;
            const double separation = dot(n, b.poly.vertices[eb.from] - from);
            if (out.edge_a < 0 || separation > out.separation) {
                out.edge_a = i;
                out.edge_b = j;
                out.separation = separation;
                best_normal = n;
                if (separation > limit) return false;
            }
        }
    }
    if (out.edge_a >= 0) out.normal = b.rotation * best_normal;
    return true;
}

bool separating_axes_of_boxes(const Vec3& ha, const Mat3& ra, const Vec3& hb, const Mat3& rb, const Vec3& offset,
                              double margin, PolyhedronAxes& out) {
    const Mat3 to_a = transposed(ra);
    const Mat3 r = to_a * rb;  // r[i][j] = axis i of a . axis j of b
    const Vec3 t = to_a * offset;
    double m[3][3], s[3][3];
#pragma GCC unroll 3  // so that all 24 numbers stay in registers
    for (int i = 0; i < 3; ++i) {
#pragma GCC unroll 3
        for (int j = 0; j < 3; ++j) {
            m[i][j] = r.r[i][j];
            s[i][j] = std::fabs(m[i][j]);
        }
    }
    const double pa[3] = {ha.x, ha.y, ha.z}, pb[3] = {hb.x, hb.y, hb.z}, pt[3] = {t.x, t.y, t.z};

#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
        const double separation = std::fabs(pt[i]) - (pa[i] + pb[0] * s[i][0] + pb[1] * s[i][1] + pb[2] * s[i][2]);
        if (separation > margin) return out.apart = separation, false;
        if (out.face_a.face < 0 || separation > out.face_a.separation) {
            out.face_a.face = 2 * i + (pt[i] < 0 ? 1 : 0);
            out.face_a.separation = separation;
        }
    }
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j) {
        const double along = pt[0] * m[0][j] + pt[1] * m[1][j] + pt[2] * m[2][j];
        const double separation = std::fabs(along) - (pb[j] + pa[0] * s[0][j] + pa[1] * s[1][j] + pa[2] * s[2][j]);
        if (separation > margin) return out.apart = separation, false;
        if (out.face_b.face < 0 || separation > out.face_b.separation) {
            out.face_b.face = 2 * j + (along < 0 ? 0 : 1);  // the face of b that looks towards a
            out.face_b.separation = separation;
        }
    }
    int best_i = -1, best_j = -1;
    double best_sign = 1, best_length = 1, best_squared = 0;
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
#pragma GCC unroll 3
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const double l2 = m[i1][j] * m[i1][j] + m[i2][j] * m[i2][j];
            if (l2 < parallel_sin2) continue;
            const double along = pt[i2] * m[i1][j] - pt[i1] * m[i2][j];
            const double reach = pa[i1] * s[i2][j] + pa[i2] * s[i1][j] + pb[j1] * s[i][j2] + pb[j2] * s[i][j1];
            const double overlap = std::fabs(along) - reach;
            // Takes the root only if this pair may be the best: |x| / l > best is x |x| > best |best| l^2.
            if (best_i >= 0 && overlap * std::fabs(overlap) < best_squared * l2) continue;
            const double l = std::sqrt(l2);
            if (overlap > margin * l) return out.apart = overlap / l, false;
            if (best_i < 0 || overlap > out.edge.separation * l) {
                best_squared = overlap * std::fabs(overlap) / l2;
                best_i = i;
                best_j = j;
                best_sign = along < 0 ? -1 : 1;
                best_length = l;
                out.edge.separation = overlap / l;
            }
        }
    }
    out.face_a.normal = (out.face_a.face % 2 ? -1 : 1) * ra.column(out.face_a.face / 2);
    out.face_b.normal = (out.face_b.face % 2 ? -1 : 1) * rb.column(out.face_b.face / 2);
    if (best_i >= 0) {
        const int i1 = (best_i + 1) % 3, i2 = (best_i + 2) % 3;
        Vec3 n;  // axis i of a x axis j of b, in the axes of a
        n[i1] = -best_sign / best_length * m[i2][best_j];
        n[i2] = best_sign / best_length * m[i1][best_j];
        const Vec3 n_b{-dot(n, r.column(0)), -dot(n, r.column(1)), -dot(n, r.column(2))};
        out.edge.edge_a = outermost_edge(best_i, n);
        out.edge.edge_b = outermost_edge(best_j, n_b);
        out.edge.normal = ra * n;
    }
    return true;
}

}  // namespace asperity::geometry
