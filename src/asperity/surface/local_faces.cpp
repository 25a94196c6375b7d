#include "asperity/surface/local_faces.h"

#include <cmath>
#include <numbers>

#include "asperity/geometry/mesh/mesh.h"

namespace asperity::surface {
namespace {

// Cosine of 1.1 degrees: over half the footprint such a face rises by at most 1 % of the width, the least depth of the box.
constexpr double kLevelCosine = 0.9998;
constexpr int kRimSides = 24;  // rim of a cylinder cap as a polygon; its area is 1 % too small

/// Smallest and largest value of c + x nx + y ny over the footprint.
struct Span {
    double low, high;
};
Span over_footprint(double c, double nx, double ny, double width) {
    const double reach = 0.5 * width * (std::fabs(nx) + std::fabs(ny));
    return {c - reach, c + reach};
}

/// Adds the limit, unless the whole box obeys it. False where the buffer is full.
bool add_limit(LocalFaces& out, const FootprintLimit& limit, double width, double depth) {
    if (over_footprint(limit.c, limit.nx, limit.ny, width).low >= 0.5 * depth * std::fabs(limit.nh)) return true;
    if (out.limits.full()) return false;
    out.limits.push(limit);
    return true;
}

/// A face plane of the solid in the footprint's axes; the limit holds inside the solid.
FootprintLimit limit_of(const FootprintFrame& frame, const geometry::FacePlane& plane) {
    return {-dot(plane.normal, frame.t), -dot(plane.normal, frame.b), -dot(plane.normal, frame.out),
            plane.offset - dot(plane.normal, frame.from)};
}

/// The plane faces of a shape as limits. Those of a box are precomputed, since each normal is a coordinate axis.
class Planes {
  public:
    Planes(const geometry::Shape& shape, const FootprintFrame& frame)
        : shape_(shape), frame_(frame), count_(geometry::plane_face_count(shape)) {
        box_ = std::get_if<geometry::Box>(&shape);
        if (!box_) return;
        const auto set = [&](int f, double t, double b, double up, double half, double from) {
            of_box_[f] = {-t, -b, -up, half - from};
            of_box_[f + 1] = {t, b, up, half + from};
        };
        set(0, frame.t.x, frame.b.x, frame.out.x, box_->half.x, frame.from.x);
        set(2, frame.t.y, frame.b.y, frame.out.y, box_->half.y, frame.from.y);
        set(4, frame.t.z, frame.b.z, frame.out.z, box_->half.z, frame.from.z);
    }
    int count() const { return count_; }
    FootprintLimit operator[](int f) const { return box_ ? of_box_[f] : limit_of(frame_, geometry::face_plane(shape_, f)); }

  private:
    const geometry::Shape& shape_;
    const FootprintFrame& frame_;
    int count_;
    const geometry::Box* box_;
    FootprintLimit of_box_[6];
};

bool convex_faces(const FootprintSide& side, const FootprintFrame& frame, double width, double depth, LocalFaces& out) {
    const geometry::Shape& shape = *side.shape;
    const Planes planes(shape, frame);
    // The lowest plane at the contact point bounds the height of the surface from above: skip planes that are higher
    // everywhere.
    int base = -1;
    double lowest = 0;
    FootprintLimit level{};
    for (int f = 0; f < planes.count(); ++f) {
        const FootprintLimit p = planes[f];
        if (-p.nh <= 1e-3) continue;
        const double height = p.c / -p.nh;
        if (base < 0 || height < lowest - 1e-6 * width || (height < lowest + 1e-6 * width && -p.nh > -level.nh))
            base = f, lowest = height, level = p;
    }
    if (base < 0) return false;
    const double ceiling = smaller(over_footprint(level.c, level.nx, level.ny, width).high / -level.nh, 0.5 * depth);
    for (int f = 0; f < planes.count(); ++f) {
        const FootprintLimit p = planes[f];
        if (-p.nh <= 1e-3) {
            if (!add_limit(out, p, width, depth)) return false;
        } else if (f == base || over_footprint(p.c, p.nx, p.ny, width).low < ceiling * -p.nh) {
            if (out.faces.full()) return false;
            out.faces.push(footprint_face(side.layer(f), frame, geometry::face_plane(shape, f),
                                          geometry::face_texture(shape, f), false));
        }
    }
    return true;
}

bool cap(const FootprintSide& side, const geometry::Cylinder& c, const FootprintFrame& frame, double width, double depth,
         LocalFaces& out) {
    const double up = frame.out.z > 0 ? 1 : -1;
    if (std::fabs(frame.out.z) < kLevelCosine) return false;
    const int face = up > 0 ? 1 : 2;
    out.faces.push(footprint_face(side.layer(face), frame, {{0, 0, up}, c.half_height},
                                  geometry::face_texture(*side.shape, face), false));
    for (int i = 0; i < kRimSides; ++i) {
        const double angle = 2 * std::numbers::pi * i / kRimSides;
        const geometry::FacePlane rim{{std::cos(angle), std::sin(angle), 0},
                                      c.radius * std::cos(std::numbers::pi / kRimSides)};
        if (!add_limit(out, limit_of(frame, rim), width, depth)) return false;
    }
    return true;
}

/// The footprint within one triangle whose corner normals agree with the normal of its plane.
bool triangle(const FootprintSide& side, const geometry::TriangleSet& mesh, const FootprintFrame& frame, double width,
              double depth, LocalFaces& out) {
    const geometry::MeshPoint at = geometry::locate(mesh, frame.from, frame.out);
    if (at.triangle < 0) return false;
    const auto t = static_cast<size_t>(at.triangle);
    const Vec3& normal = mesh.face_normals[t];
    if (dot(normal, frame.out) < kLevelCosine) return false;
    for (size_t i = 0; i < 3; ++i)
        if (dot(mesh.normals[3 * t + i], normal) < kLevelCosine) return false;
    const Vec3 &a = mesh.corner(at.triangle, 0), &b = mesh.corner(at.triangle, 1), &c = mesh.corner(at.triangle, 2);
    for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, c}, std::pair{c, a}}) {
        const Vec3 outward = normalized(cross(to - from, normal));
        const FootprintLimit side_of = limit_of(frame, {outward, dot(outward, from)});
        if (over_footprint(side_of.c, side_of.nx, side_of.ny, width).low < 0.5 * depth * std::fabs(side_of.nh)) return false;
    }
    // gradients of u and v over the triangle: their dot products with both edges are the differences of the corner values
    const Vec2* uv = &mesh.uvs[3 * t];
    const Vec3 ab = b - a, ac = c - a, area = cross(ab, ac);
    const double square = dot(area, area);
    const auto gradient = [&](double along_ab, double along_ac) {
        return (along_ab * cross(ac, area) + along_ac * cross(area, ab)) / square;
    };
    const geometry::TangentFrame tangents = geometry::frame_at(mesh, at);
    const geometry::FaceTexture texture{a, tangents.tangent, uv[0], gradient(uv[1].x - uv[0].x, uv[2].x - uv[0].x),
                                        gradient(uv[1].y - uv[0].y, uv[2].y - uv[0].y)};
    out.faces.push(footprint_face(side.layer(at.triangle), frame, {normal, dot(normal, a)}, texture,
                                  cross(uv[1] - uv[0], uv[2] - uv[0]) < 0));
    return true;
}

}  // namespace

bool slope_axes(const FootprintFrame& frame, const Vec3& normal, const Vec3& tangent, bool mirrored, Vec2& along_u,
                Vec2& along_v) {
    const double cosine = dot(normal, frame.out);
    if (!(cosine > 0)) return false;
    const Vec3 up = mirrored ? cross(tangent, normal) : cross(normal, tangent), sum = normal + frame.out;
    const auto turned = [&](const Vec3& v) {
        const Vec3 r = v - dot(v, frame.out) / (1 + cosine) * sum;
        return Vec2{dot(r, frame.t), dot(r, frame.b)};
    };
    along_u = turned(tangent);
    along_v = turned(up);
    return true;
}

FootprintFace footprint_face(const FaceLayer& layer, const FootprintFrame& frame, const geometry::FacePlane& plane,
                             const geometry::FaceTexture& texture, bool mirrored) {
    FootprintFace face;
    const FootprintLimit p = limit_of(frame, plane);
    face.height = p.c / -p.nh;
    face.height_x = p.nx / -p.nh;
    face.height_y = p.ny / -p.nh;
    const Vec3 from = frame.from + face.height * frame.out - texture.at;
    const Vec3 x = frame.t + face.height_x * frame.out, y = frame.b + face.height_y * frame.out;
    const Vec2 tiles{1 / layer.tile.x, 1 / layer.tile.y};
    const auto in_tiles = [&](const Vec2& uv) { return Vec2{tiles.x * uv.x, tiles.y * uv.y}; };
    face.slopes = layer.slopes;
    face.uv = in_tiles(texture.uv + Vec2{dot(texture.grad_u, from), dot(texture.grad_v, from)}) + layer.offset;
    face.uv_x = in_tiles({dot(texture.grad_u, x), dot(texture.grad_v, x)});
    face.uv_y = in_tiles({dot(texture.grad_u, y), dot(texture.grad_v, y)});
    slope_axes(frame, plane.normal, texture.tangent, mirrored, face.along_u, face.along_v);
    return face;
}

FaceLayer FootprintSide::layer(int face) const {
    const auto* mesh = parts.empty() ? nullptr : std::get_if<geometry::Mesh>(shape);
    if (mesh) {
        const SlopeLayer& part = parts[static_cast<size_t>(mesh->triangles->part_of(face))];
        return {part.slopes, part.tile.on(*shape, face), part.offset};
    }
    return {slopes, tile.on(*shape, face), offset};
}

bool local_faces(const FootprintSide& side, const FootprintFrame& frame, double width, double depth, LocalFaces& out) {
    out.faces.clear();
    out.limits.clear();
    if (const auto* c = std::get_if<geometry::Cylinder>(side.shape)) return cap(side, *c, frame, width, depth, out);
    if (const auto* mesh = std::get_if<geometry::Mesh>(side.shape))
        return triangle(side, *mesh->triangles, frame, width, depth, out);
    return convex_faces(side, frame, width, depth, out);
}

}  // namespace asperity::surface
