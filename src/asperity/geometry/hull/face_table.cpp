// See face_table.h.
#include "asperity/geometry/hull/detail/face_table.h"

#include <limits>

namespace asperity::geometry::detail {

void FaceTable::make_room(const PolyhedronView& p) {
    const size_t face_count = static_cast<size_t>(p.face_count), corner_count = static_cast<size_t>(p.vertex_count);
    rows = (face_count + 3) / 4 * 4;
    corner_rows = (corner_count + 3) / 4 * 4;
    columns_.assign(kFields * rows, 0);
    corners_.assign(3 * corner_rows, std::numeric_limits<double>::quiet_NaN());
    faces.resize(face_count);
    for (size_t i = 0; i < corner_count; ++i)
        for (int axis = 0; axis < 3; ++axis) corners_[static_cast<size_t>(axis) * corner_rows + i] = p.vertices[i][axis];
    for (size_t f = face_count; f < rows; ++f) put(kOffset, f, 1e300), put(kCentroidX, f, 1e150);
}

void FaceTable::put_plane(size_t row, const Vec3& n, double offset, const Vec3& centroid, double reach, double area) {
    put(kNormalX, row, n.x), put(kNormalY, row, n.y), put(kNormalZ, row, n.z);
    put(kOffset, row, offset);
    put(kCentroidX, row, centroid.x), put(kCentroidY, row, centroid.y), put(kCentroidZ, row, centroid.z);
    put(kReach, row, reach);
    put(kArea, row, area);
}

void FaceTable::set_box(const PolyhedronView& p) {
    make_room(p);
    in_face.resize(24);
    const Vec3 half = p.vertices[7], square = scaled(half, half);
    for (int f = 0; f < 6; ++f) {
        const int k = f / 2, i = (k + 1) % 3, j = (k + 2) % 3;
        const bool positive = f % 2 == 0;
        Vec3 n, u, v;
        n[k] = positive ? 1 : -1;
        u[positive ? i : j] = v[positive ? j : i] = 1;
        const size_t row = static_cast<size_t>(f);
        const Vec3 centroid = half[k] * n;
        const double area = 4 * half[i] * half[j];
        put_plane(row, n, half[k], centroid, std::sqrt(square[i] + square[j]), area);
        put(static_cast<Field>(kXX + i), row, area / 3 * square[i]);
        put(static_cast<Field>(kXX + j), row, area / 3 * square[j]);
        const Polyhedron::Face& face = p.faces[f];
        faces[row] = {xyz(n), xyz(centroid), xyz(u), xyz(v), face.first, face.count};
        for (int c = face.first; c < face.first + 4; ++c) {
            const Vec3& corner = p.vertices[p.loop[c]];
            in_face[static_cast<size_t>(c)] = positive ? Vec2{corner[i], corner[j]} : Vec2{corner[j], corner[i]};
        }
    }
}

void FaceTable::set(const PolyhedronView& p) {
    make_room(p);
    const size_t face_count = static_cast<size_t>(p.face_count);
    int corners_of_faces = 0;
    for (size_t f = 0; f < face_count; ++f)
        corners_of_faces =
            p.faces[f].first + p.faces[f].count > corners_of_faces ? p.faces[f].first + p.faces[f].count : corners_of_faces;
    in_face.resize(static_cast<size_t>(corners_of_faces));
    for (size_t f = 0; f < face_count; ++f) {
        const Polyhedron::Face& face = p.faces[f];
        if (face.count < 3) {  // possible in a polyhedron from a file
            put(kOffset, f, 1e300), put(kCentroidX, f, 1e150);
            continue;
        }
        const Vec3 n = face.normal, u = any_tangent(n), v = cross(n, u);
        const int* loop = p.loop + face.first;
        const Vec3& start = p.vertices[loop[0]];
        const auto flat = [&](int i) {
            const Vec3 d = p.vertices[loop[i]] - start;
            return Vec2{dot(u, d), dot(v, d)};
        };
        double area = 0, uu = 0, uv = 0, vv = 0;
        Vec2 first, b = flat(1);
        for (int i = 2; i < face.count; ++i) {
            const Vec2 c = flat(i);
            const double det = cross(b, c);
            area += det / 2;
            first = first + det / 6 * (b + c);
            uu += det / 12 * (b.x * b.x + b.x * c.x + c.x * c.x);
            vv += det / 12 * (b.y * b.y + b.y * c.y + c.y * c.y);
            uv += det / 24 * (b.x * (2 * b.y + c.y) + c.x * (b.y + 2 * c.y));
            b = c;
        }
        const Vec2 middle = area > 0 ? first / area : Vec2{};
        uu -= area * middle.x * middle.x;
        vv -= area * middle.y * middle.y;
        uv -= area * middle.x * middle.y;
        double reach2 = 0;
        for (int i = 0; i < face.count; ++i) {
            const Vec2 at = flat(i) - middle;
            in_face[static_cast<size_t>(face.first + i)] = at;
            reach2 = larger(reach2, dot(at, at));
        }
        Vec3 centroid = start + middle.x * u + middle.y * v;
        centroid += (face.offset - dot(n, centroid)) * n;
        faces[f] = {xyz(n), xyz(centroid), xyz(u), xyz(v), face.first, face.count};
        put_plane(f, n, face.offset, centroid, std::sqrt(reach2), area);
        put(kXX, f, uu * u.x * u.x + 2 * uv * u.x * v.x + vv * v.x * v.x);
        put(kYY, f, uu * u.y * u.y + 2 * uv * u.y * v.y + vv * v.y * v.y);
        put(kZZ, f, uu * u.z * u.z + 2 * uv * u.z * v.z + vv * v.z * v.z);
        put(kYZ, f, uu * u.y * u.z + uv * (u.y * v.z + u.z * v.y) + vv * v.y * v.z);
        put(kZX, f, uu * u.z * u.x + uv * (u.z * v.x + u.x * v.z) + vv * v.z * v.x);
        put(kXY, f, uu * u.x * u.y + uv * (u.x * v.y + u.y * v.x) + vv * v.x * v.y);
    }
    grown.set(p);
}

}  // namespace asperity::geometry::detail
