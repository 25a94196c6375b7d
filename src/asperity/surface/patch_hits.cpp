#include "asperity/surface/patch_hits.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "asperity/geometry/mesh.h"
#include "asperity/geometry/surface_point.h"

namespace asperity::surface {
namespace {

using geometry::Capsule;
using geometry::Cylinder;
using geometry::Sphere;

/// The highest point of |(o + h w) without its z where `flat`| = r along the line, or nothing where that is below `floor`.
bool highest_root(const Vec3& o, const Vec3& w, double r, bool flat, double floor, double& h) {
    const Vec3 p = flat ? Vec3{o.x, o.y, 0} : o, d = flat ? Vec3{w.x, w.y, 0} : w;
    const double dd = dot(d, d), pd = dot(p, d), disc = pd * pd - dd * (dot(p, p) - r * r);
    if (!(dd > 1e-12) || disc < 0) return false;
    if (const double least = pd + floor * dd; least > 0 && disc < least * least) return false;   // most points of a ball, and no root is taken
    h = (std::sqrt(disc) - pd) / dd;
    return true;
}

/// Weights of a triangle's corners at (x, y), seen along the normal.
Vec3 weights(const Vec3* c, double x, double y) {
    const Vec2 p{x, y}, a{c[0].x, c[0].y}, ab = Vec2{c[1].x, c[1].y} - a, ac = Vec2{c[2].x, c[2].y} - a;
    const double area = cross(ab, ac), v = cross(p - a, ac) / area, w = cross(ab, p - a) / area;
    return {1 - v - w, v, w};
}

thread_local std::array<float, RaySampler::kMostPoints * RaySampler::kMostPoints> t_heights;   // of meshes: the highest so far

}  // namespace

void PatchSurface::find(std::span<int> hits) {
    const geometry::Shape& shape = *side_.shape;
    if (std::holds_alternative<geometry::Mesh>(shape)) {
        kind_ = Kind::Mesh;
        return find_on_mesh(hits);
    }
    if (std::holds_alternative<Sphere>(shape) || std::holds_alternative<Capsule>(shape) ||
        (std::holds_alternative<Cylinder>(shape) && !local_faces(side_, frame_, grid_.width, grid_.depth, faces_))) {
        kind_ = Kind::Curve;
        return find_on_curve(hits);
    }
    if (!std::holds_alternative<Cylinder>(shape) && !local_faces(side_, frame_, grid_.width, grid_.depth, faces_)) {
        kind_ = Kind::Hull;
        return find_on_hull(hits);
    }
    find_on_faces(hits);
}

void PatchSurface::find_on_faces(std::span<int> hits) const {
    const double half = 0.5 * grid_.depth;
    size_t at = 0;
    for (int j = 0; j < grid_.points; ++j) {
        const double y = grid_.at(j);
        for (int i = 0; i < grid_.points; ++i, ++at) {
            const double x = grid_.at(i);
            int face = 0;
            double height = faces_.faces[0].at(x, y);
            for (int f = 1; f < faces_.faces.size(); ++f)
                if (const double other = faces_.faces[f].at(x, y); other < height) height = other, face = f;
            bool inside = std::fabs(height) <= half;
            for (const PatchLimit& limit : faces_.limits) inside = inside && limit.nx * x + limit.ny * y + limit.nh * height + limit.c >= 0;
            hits[at] = inside ? face : kMissed;
        }
    }
}

/// Many small faces: the lowest plane that faces outward is the surface, where no plane that faces away cuts it off.
void PatchSurface::find_on_hull(std::span<int> hits) const {
    const geometry::Shape& shape = *side_.shape;
    const int count = geometry::plane_face_count(shape);
    size_t at = 0;
    for (int j = 0; j < grid_.points; ++j)
        for (int i = 0; i < grid_.points; ++i, ++at) {
            const Vec3 o = frame_.from + grid_.at(i) * frame_.t + grid_.at(j) * frame_.b;
            int face = kMissed;
            double height = 1e30, floor = -1e30;
            bool outside = false;
            for (int f = 0; f < count; ++f) {
                const geometry::FacePlane plane = geometry::face_plane(shape, f);
                const double facing = dot(plane.normal, frame_.out), room = plane.offset - dot(plane.normal, o);
                if (facing > 1e-3) {
                    if (room / facing < height) height = room / facing, face = f;
                } else if (facing < -1e-3) {
                    floor = larger(floor, room / facing);
                } else {
                    outside = outside || room < 0;
                }
            }
            hits[at] = !outside && floor <= height && std::fabs(height) <= 0.5 * grid_.depth ? face : kMissed;
        }
}

bool PatchSurface::on_curve(double x, double y, double& height) const {
    const Vec3& w = frame_.out;
    const Vec3 o = frame_.from + x * frame_.t + y * frame_.b;
    const double floor = -0.5 * grid_.depth;
    double h = 0;
    height = -1e30;
    if (const auto* sphere = std::get_if<Sphere>(side_.shape)) {
        if (highest_root(o, w, sphere->radius, false, floor, h)) height = h;
    } else if (const auto* capsule = std::get_if<Capsule>(side_.shape)) {
        for (const double end : {-capsule->half_length, capsule->half_length})
            if (highest_root(o - Vec3{0, 0, end}, w, capsule->radius, false, floor, h)) height = larger(height, h);
        if (highest_root(o, w, capsule->radius, true, floor, h) && std::fabs(o.z + h * w.z) <= capsule->half_length) height = larger(height, h);
    } else if (const auto* c = std::get_if<Cylinder>(side_.shape)) {
        if (highest_root(o, w, c->radius, true, floor, h) && std::fabs(o.z + h * w.z) <= c->half_height) height = h;
        if (std::fabs(w.z) > 1e-6) {
            const double cap = (std::copysign(c->half_height, w.z) - o.z) / w.z;
            if (std::hypot(o.x + cap * w.x, o.y + cap * w.y) <= c->radius) height = larger(height, cap);
        }
    }
    return std::fabs(height) <= 0.5 * grid_.depth;
}

void PatchSurface::find_on_curve(std::span<int> hits) const {
    double height;
    size_t at = 0;
    for (int j = 0; j < grid_.points; ++j)
        for (int i = 0; i < grid_.points; ++i, ++at) hits[at] = on_curve(grid_.at(i), grid_.at(j), height) ? 0 : kMissed;
}

void PatchSurface::find_on_mesh(std::span<int> hits) {
    const geometry::TriangleSet& mesh = *std::get<geometry::Mesh>(*side_.shape).triangles;
    std::fill(hits.begin(), hits.end(), kMissed);
    // the box of the patch, in mesh axes
    const Vec3 reach = 0.5 * (grid_.width * (abs(frame_.t) + abs(frame_.b)) + grid_.depth * abs(frame_.out));
    mesh.tree.query({frame_.from - reach, frame_.from + reach}, [&](int triangle) { draw_triangle(triangle, hits); });
}

/// As a rasteriser does: the points inside the triangle, seen along the normal, that nothing higher covers. Of triangles equally high the first one.
void PatchSurface::draw_triangle(int triangle, std::span<int> hits) {
    const geometry::TriangleSet& mesh = *std::get<geometry::Mesh>(*side_.shape).triangles;
    const double facing = dot(mesh.face_normals[static_cast<size_t>(triangle)], frame_.out);
    if ((mesh.solid() ? facing : std::fabs(facing)) < 1e-3) return;
    Vec3 c[3];
    Vec2 low{1e30, 1e30}, high{-1e30, -1e30};
    for (int k = 0; k < 3; ++k) {
        const Vec3 from = mesh.corner(triangle, k) - frame_.from;
        c[k] = {dot(from, frame_.t), dot(from, frame_.b), dot(from, frame_.out)};
        low = {std::fmin(low.x, c[k].x), std::fmin(low.y, c[k].y)};
        high = {std::fmax(high.x, c[k].x), std::fmax(high.y, c[k].y)};
    }
    const auto first = [&](double x) { return std::max(0, static_cast<int>(std::ceil((x + 0.5 * grid_.width) / grid_.step - 0.5 - 1e-9))); };
    const auto last = [&](double x) { return std::min(grid_.points - 1, static_cast<int>(std::floor((x + 0.5 * grid_.width) / grid_.step - 0.5 + 1e-9))); };
    if (low.x > 0.5 * grid_.width || low.y > 0.5 * grid_.width || high.x < -0.5 * grid_.width || high.y < -0.5 * grid_.width) return;
    for (int j = first(low.y); j <= last(high.y); ++j)
        for (int i = first(low.x); i <= last(high.x); ++i) {
            const Vec3 part = weights(c, grid_.at(i), grid_.at(j));
            if (part.x < -1e-9 || part.y < -1e-9 || part.z < -1e-9) continue;
            const double height = part.x * c[0].z + part.y * c[1].z + part.z * c[2].z;
            if (std::fabs(height) > 0.5 * grid_.depth) continue;
            const auto at = static_cast<size_t>(j * grid_.points + i);
            if (hits[at] != kMissed && (height < static_cast<double>(t_heights[at]) - 1e-6 * grid_.width ||
                                        (height < static_cast<double>(t_heights[at]) + 1e-6 * grid_.width && hits[at] < triangle)))
                continue;
            hits[at] = triangle;
            t_heights[at] = static_cast<float>(height);
        }
}

bool PatchSurface::place(double x, double y, int hit, Vec2& uv, Vec2& along_u, Vec2& along_v) {
    const auto on_face = [&](const PatchFace& face) {
        uv = face.uv + x * face.uv_x + y * face.uv_y;
        along_u = face.along_u, along_v = face.along_v;
        return true;
    };
    const auto in_frame = [&](const Vec2& at, const Vec3& normal, const Vec3& tangent, bool mirrored) {
        uv = at / side_.tile + side_.offset;
        return slope_axes(frame_, normal, tangent, mirrored, along_u, along_v);
    };
    if (kind_ == Kind::Faces) return on_face(faces_.faces[hit]);
    if (kind_ == Kind::Hull) {
        if (hit != cached_) cached_face_ = patch_face(side_, frame_, geometry::face_plane(*side_.shape, hit), geometry::face_texture(*side_.shape, hit), false);
        cached_ = hit;
        return on_face(cached_face_);
    }
    if (kind_ == Kind::Curve) {
        double height;
        on_curve(x, y, height);
        const Vec3 p = frame_.from + x * frame_.t + y * frame_.b + height * frame_.out;
        const geometry::SurfacePoint at = geometry::surface_point(*side_.shape, p, frame_.out);
        return in_frame(at.uv, at.normal, at.tangent, at.mirrored);
    }
    const geometry::TriangleSet& mesh = *std::get<geometry::Mesh>(*side_.shape).triangles;
    if (hit != cached_)
        for (int k = 0; k < 3; ++k) {
            const Vec3 from = mesh.corner(hit, k) - frame_.from;
            corner_[k] = {dot(from, frame_.t), dot(from, frame_.b), dot(from, frame_.out)};
        }
    cached_ = hit;
    const geometry::MeshPoint at{hit, weights(corner_, x, y)};
    const geometry::TangentFrame frame = geometry::frame_at(mesh, at);
    const Vec2* corners = &mesh.uvs[3 * static_cast<size_t>(hit)];
    const bool mirrored = cross(corners[1] - corners[0], corners[2] - corners[0]) < 0;
    const bool behind = !mesh.solid() && dot(mesh.face_normals[static_cast<size_t>(hit)], frame_.out) < 0;   // a sheet from its other side
    return in_frame(geometry::uv_at(mesh, at), behind ? -frame.normal : frame.normal, frame.tangent, mirrored != behind);
}

bool PatchSurface::facet(double x, double y, int hit, Vec2& slope, Facet& facet) {
    Vec2 uv, along_u, along_v;
    if (!place(x, y, hit, uv, along_u, along_v)) return false;
    facet = side_.slopes->at(uv.x, uv.y);
    slope = static_cast<double>(facet.x) * along_u + static_cast<double>(facet.y) * along_v;
    return true;
}

}  // namespace asperity::surface
