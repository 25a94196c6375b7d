// Rasterises the faces of a surface over the grid points of a footprint. footprint_facets.cpp reads the facets at the hits.
#include "asperity/surface/footprint_hits.h"

#include <algorithm>
#include <limits>

#include "asperity/geometry/mesh/mesh.h"

namespace asperity::surface {
namespace {

using geometry::Capsule;
using geometry::Cylinder;
using geometry::Sphere;

/// Bits first to last set.
std::uint64_t bits_from_to(int first, int last) {
    return first > last ? 0 : (~std::uint64_t{0} >> (63 - last)) & (~std::uint64_t{0} << first);
}

/// Largest root h of |p(h)| = r with p = o + h w, without its z component if `flat`. False where no root is at or above
/// `floor`.
bool highest_root(const Vec3& o, const Vec3& w, double r, bool flat, double floor, double& h) {
    const Vec3 p = flat ? Vec3{o.x, o.y, 0} : o, d = flat ? Vec3{w.x, w.y, 0} : w;
    const double dd = dot(d, d), pd = dot(p, d), disc = pd * pd - dd * (dot(p, p) - r * r);
    if (!(dd > 1e-12) || disc < 0) return false;
    // early exit before the square root: most points end here
    if (const double least = pd + floor * dd; least > 0 && disc < least * least) return false;
    h = (std::sqrt(disc) - pd) / dd;
    return true;
}

}  // namespace

void FootprintSurface::find(RowBits& met) {
    const geometry::Shape& shape = *side_.shape;
    std::fill_n(met.begin(), grid_.points, 0);
    if (std::holds_alternative<geometry::Mesh>(shape)) return find_on_mesh(met);
    curve_ = std::holds_alternative<Sphere>(shape) || std::holds_alternative<Capsule>(shape);
    LocalFaces faces;
    if (!curve_ && local_faces(side_, frame_, grid_.width, grid_.depth, faces)) return find_on_faces(faces, met);
    if (std::holds_alternative<geometry::Hull>(shape)) return find_on_hull(met);
    curve_ = true;
    if (const auto* sphere = std::get_if<Sphere>(&shape)) return find_on_ball(sphere->radius, met);
    find_on_curve(met);
}

/// Adds an edge function, unless the whole footprint lies inside it.
void FootprintSurface::add_limit(double c, double fx, double fy) {
    if (c - 0.5 * grid_.width * (std::fabs(fx) + std::fabs(fy)) < 0) add_border(edge_function(grid_, c, fx, fy));
}

/// Rasterises one face: marks the grid points inside all of scratch_.borders and, if `height` is given, within the box.
/// Where several faces cover a point, the highest owns it; among equal heights the first.
void FootprintSurface::draw(int piece, const HeightFunction* height, int i_first, int i_last, int j_first, int j_last,
                            RowBits& met) {
    const std::vector<FootprintScratch::Border>& borders = scratch_.borders;
    const LaneInts slack = all_ints(-grid_.points);
    const LaneInts top = all_ints(height && height->shift <= 22 ? HeightFunction::kHalfDepth >> height->shift : 0);
    const LaneWords rising = height ? lane_numbers() * height->steps.dx : LaneWords{};
    const std::uint64_t columns = bits_from_to(i_first, i_last);
    for (int j = j_first; j <= j_last; ++j)
        for (int i = i_first / kLanes * kLanes; i <= i_last; i += kLanes) {
            LaneInts inside = all_ints(-1), z{};
            for (const FootprintScratch::Border& border : borders)
                inside &= as_ints(border.along + border.steps(i, j)) >= slack;
            if (height) {
                z = as_ints(rising + height->steps(i, j));
                inside &= (z <= top) & (z >= -top);
                z = z << height->shift;
            }
            std::uint64_t bits = bits_of(inside);
            if (!alone_ && bits != 0) {
                auto* owner = reinterpret_cast<LaneInts*>(&scratch_.owner[static_cast<size_t>(j * stride_ + i)]);
                auto* highest = reinterpret_cast<LaneInts*>(&scratch_.height[static_cast<size_t>(j * stride_ + i)]);
                const LaneInts higher = inside & (z > *highest);
                *owner = higher ? all_ints(piece) : *owner;
                *highest = higher ? z : *highest;
            }
            met[static_cast<size_t>(j)] |= (bits << i) & columns;
        }
}

void FootprintSurface::find_on_faces(const LocalFaces& local, RowBits& met) {
    const int count = local.faces.size();
    alone_ = count == 1;
    if (!alone_) std::fill_n(scratch_.height.begin(), grid_.points * stride_, std::numeric_limits<int>::min());
    scratch_.flat.clear();
    const double half = 0.5 * grid_.depth;
    for (int f = 0; f < count; ++f) {
        const FootprintFace& face = local.faces[f];
        scratch_.flat.push_back({face.slopes, texture_function(grid_, face.uv.x, face.uv_x.x, face.uv_y.x),
                                 texture_function(grid_, face.uv.y, face.uv_x.y, face.uv_y.y), face.along_u, face.along_v});
        scratch_.borders.clear();
        add_limit(half + face.height, face.height_x, face.height_y);
        add_limit(half - face.height, -face.height_x, -face.height_y);
        for (int other = 0; other < count; ++other)  // on a convex solid the surface is the lowest of its face planes
            if (other != f) {
                const FootprintFace& above = local.faces[other];
                add_limit(above.height - face.height, above.height_x - face.height_x, above.height_y - face.height_y);
            }
        for (const FootprintLimit& l : local.limits)
            add_limit(l.c + l.nh * face.height, l.nx + l.nh * face.height_x, l.ny + l.nh * face.height_y);
        if (alone_ && scratch_.borders.empty())
            return std::fill_n(met.begin(), grid_.points, bits_from_to(0, grid_.points - 1)), void();
        draw(f, nullptr, 0, grid_.points - 1, 0, grid_.points - 1, met);
    }
}

/// A hull with many small faces: rasterises each face as its own polygon.
void FootprintSurface::find_on_hull(RowBits& met) {
    const geometry::Polyhedron& hull = *std::get<geometry::Hull>(*side_.shape).polyhedron;
    std::fill_n(scratch_.height.begin(), grid_.points * stride_, std::numeric_limits<int>::min());
    scratch_.flat.clear();
    for (size_t f = 0; f < hull.faces.size(); ++f) {
        const geometry::Polyhedron::Face& face = hull.faces[f];
        if (dot(face.normal, frame_.out) < kLeastCosine) continue;
        const auto corner = [&](int k) {
            const Vec3 from =
                hull.vertices[static_cast<size_t>(hull.loop[static_cast<size_t>(face.first + k % face.count)])] -
                frame_.from;
            return Vec3{dot(from, frame_.t), dot(from, frame_.b), dot(from, frame_.out)};
        };
        scratch_.borders.clear();
        Vec3 p = corner(0), low = p, high = p;
        for (int k = 1; k <= face.count; ++k) {  // counter-clockwise from outside; x and y as seen from outside A
            const Vec3 q = corner(k);
            add_limit(sign_ * (p.x * q.y - p.y * q.x), sign_ * (p.y - q.y), sign_ * (q.x - p.x));
            low = min(low, q), high = max(high, q);
            p = q;
        }
        if (low.z > 0.5 * grid_.depth || high.z < -0.5 * grid_.depth) continue;
        const int i_first = grid_.first(low.x), i_last = grid_.last(high.x), j_first = grid_.first(low.y),
                  j_last = grid_.last(high.y);
        if (i_first > i_last || j_first > j_last) continue;
        const auto index = static_cast<int>(f);
        const FootprintFace flat = footprint_face(side_.layer(index), frame_, {face.normal, face.offset},
                                                  geometry::face_texture(*side_.shape, index), false);
        scratch_.flat.push_back({flat.slopes, texture_function(grid_, flat.uv.x, flat.uv_x.x, flat.uv_y.x),
                                 texture_function(grid_, flat.uv.y, flat.uv_x.y, flat.uv_y.y), flat.along_u, flat.along_v});
        const HeightFunction height = height_function(grid_, flat.height, flat.height_x, flat.height_y);
        draw(static_cast<int>(scratch_.flat.size()) - 1, &height, i_first, i_last, j_first, j_last, met);
    }
}

void FootprintSurface::find_on_mesh(RowBits& met) {
    const geometry::TriangleSet& mesh = *std::get<geometry::Mesh>(*side_.shape).triangles;
    std::fill_n(scratch_.height.begin(), grid_.points * stride_, std::numeric_limits<int>::min());
    scratch_.flat.clear();
    scratch_.smooth.clear();
    FootprintScratch::ShadedTriangle piece;
    // bounding box of the footprint's box, in mesh axes
    const Vec3 reach = 0.5 * (grid_.width * (abs(frame_.t) + abs(frame_.b)) + grid_.depth * abs(frame_.out));
    mesh.tree.query({frame_.from - reach, frame_.from + reach}, [&](int triangle) {
        const double facing = dot(mesh.face_normals[static_cast<size_t>(triangle)], frame_.out);
        if ((mesh.solid() ? facing : std::fabs(facing)) < kLeastCosine) return;
        const Vec3 corners[3] = {mesh.corner(triangle, 0), mesh.corner(triangle, 1), mesh.corner(triangle, 2)};
        const Vec2* uvs = &mesh.uvs[3 * static_cast<size_t>(triangle)];
        const FaceLayer layer = side_.layer(triangle);
        if (!raster_triangle(layer, frame_, grid_, corners, uvs, piece.at)) return;
        piece.slopes = layer.slopes;
        piece.triangle = triangle;
        piece.behind = facing < 0;
        piece.mirrored = (cross(uvs[1] - uvs[0], uvs[2] - uvs[0]) < 0) != piece.behind;
        scratch_.smooth.push_back(piece);
        scratch_.borders.clear();
        for (const GridFunction& border : piece.at.border) add_border(border);
        draw(static_cast<int>(scratch_.smooth.size()) - 1, &piece.at.height, piece.at.i_first, piece.at.i_last,
             piece.at.j_first, piece.at.j_last, met);
    });
}

/// Seen along the normal, the part of a ball within the box is a disc or a ring.
void FootprintSurface::find_on_ball(double radius, RowBits& met) const {
    const Vec3& from = frame_.from;
    const double half = 0.5 * grid_.depth, level = dot(from, frame_.out), low = larger(level - half, 0), high = level + half;
    const Vec2 centre{-dot(from, frame_.t), -dot(from, frame_.b)};
    if (high < 0) return;
    for (int j = 0; j < grid_.points; ++j) {
        const double y = grid_.at(j) - centre.y, rest = radius * radius - y * y, outer = rest - low * low,
                     inner = rest - high * high;
        if (outer < 0) continue;
        const double reach = std::sqrt(outer);
        std::uint64_t bits = bits_from_to(grid_.first(centre.x - reach), grid_.last(centre.x + reach));
        if (inner > 0) {
            const double hole = std::sqrt(inner);
            bits &= ~bits_from_to(grid_.first(centre.x - hole), grid_.last(centre.x + hole));
        }
        met[static_cast<size_t>(j)] = bits;
    }
}

/// Height of a capsule or cylinder above (x, y). False where the point lies outside the box.
bool FootprintSurface::on_curve(double x, double y, double& height) const {
    const Vec3& w = frame_.out;
    const Vec3 o = frame_.from + x * frame_.t + y * frame_.b;
    const double floor = -0.5 * grid_.depth;
    double h = 0;
    height = -1e30;
    if (const auto* capsule = std::get_if<Capsule>(side_.shape)) {
        for (const double end : {-capsule->half_length, capsule->half_length})
            if (highest_root(o - Vec3{0, 0, end}, w, capsule->radius, false, floor, h)) height = larger(height, h);
        if (highest_root(o, w, capsule->radius, true, floor, h) && std::fabs(o.z + h * w.z) <= capsule->half_length)
            height = larger(height, h);
    } else if (const auto* c = std::get_if<Cylinder>(side_.shape)) {
        if (highest_root(o, w, c->radius, true, floor, h) && std::fabs(o.z + h * w.z) <= c->half_height) height = h;
        if (std::fabs(w.z) > 1e-6) {
            const double cap = (std::copysign(c->half_height, w.z) - o.z) / w.z;
            if (std::hypot(o.x + cap * w.x, o.y + cap * w.y) <= c->radius) height = larger(height, cap);
        }
    }
    return std::fabs(height) <= 0.5 * grid_.depth;
}

void FootprintSurface::find_on_curve(RowBits& met) const {
    double height;
    for (int j = 0; j < grid_.points; ++j)
        for (int i = 0; i < grid_.points; ++i)
            if (on_curve(grid_.at(i), grid_.at(j), height)) met[static_cast<size_t>(j)] |= std::uint64_t{1} << i;
}

}  // namespace asperity::surface
