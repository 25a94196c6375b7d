#include "asperity/surface/grain.h"

#include <cmath>

#include "asperity/friction/cone_input.h"
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/shape/surface_point.h"

namespace asperity::surface {
namespace {

struct At {
    const SurfaceLocation& place;

    GrainAt operator()(const ConstantGrain& g) const { return {g.direction}; }

    GrainAt operator()(const AxisGrain& g) const {
        if (g.radial == 0 && g.around == 0) return {g.along * g.axis};
        const Vec3 arm = place.point - g.origin, out = arm - dot(arm, g.axis) * g.axis;
        const double distance = length(out);
        const Vec3 away = distance > 1e-12 * length(arm) && distance > 0 ? out / distance : Vec3{};
        return {g.radial * away + g.around * cross(g.axis, away) + g.along * g.axis};
    }

    GrainAt operator()(const FormulaGrain& g) const {
        const double angle = g.angle(place.point);
        if (!std::isfinite(angle)) return {{}, 0};
        const Vec3& n = place.normal;
        const auto tangential = [&](const Vec3& v) { return v - dot(v, n) * n; };
        Vec3 from = tangential({1, 0, 0});
        if (dot(from, from) < 1e-6) from = tangential({0, 1, 0});
        from = normalized(from);
        return {std::cos(angle) * from + std::sin(angle) * cross(n, from)};
    }

    GrainAt operator()(const VertexGrain& g) const {
        const auto* mesh = std::get_if<geometry::Mesh>(&place.shape);
        if (!mesh) return {{}, 0};
        const geometry::TriangleSet& set = *mesh->triangles;
        if (g.directions ? g.directions->size() != set.positions.size() : set.grains.empty()) return {{}, 0};
        const geometry::SurfacePoint at = on_shape();
        if (at.triangle < 0) return {{}, 0};
        const Vec3 bitangent = at.bitangent();
        Vec2 q;
        for (int i = 0; i < 3; ++i) {
            const auto triangle = static_cast<size_t>(at.triangle);
            const Vec3 s = g.directions
                               ? (*g.directions)[static_cast<size_t>(set.triangles[triangle][static_cast<size_t>(i)])]
                               : set.grains[3 * triangle + static_cast<size_t>(i)];
            const double x = dot(s, at.tangent), y = dot(s, bitangent), size = x * x + y * y;
            if (size > 1e-12 * dot(s, s)) q = q + at.barycentric[i] / size * friction::double_angle(x, y);
        }
        return in_tangent_frame(at, q, bitangent);
    }

    GrainAt operator()(const PartsGrain&) const { return {{}, 0}; }  // prefetch_grain() reads the texture of the part
    GrainAt operator()(const TextureGrain& g) const {                // averaged over its footprint
        const geometry::SurfacePoint at = on_shape();
        const double tiles = g.footprint * (g.tile.metres ? 1 : density(at)) / (g.tile.edge * std::sqrt(g.tile.rise));
        const double texels = tiles * std::sqrt(static_cast<double>(g.texture->width()) * g.texture->height());
        const Vec2 uv = texture_coordinates(g, at);
        return in_tangent_frame(at, g.texture->sample(uv.x, uv.y, texels), at.mirrored ? -at.bitangent() : at.bitangent());
    }

    Vec2 texture_coordinates(const TextureGrain& g, const geometry::SurfacePoint& at) const {
        const Vec2 tile = g.tile.on(place.shape, at.face);
        return {at.uv.x / tile.x + g.offset.x, at.uv.y / tile.y + g.offset.y};
    }

    Vec3 in_body(const Vec3& v) const {
        return place.shape_pose.orientation == Quat{} ? v : rotate(place.shape_pose.orientation, v);
    }

    geometry::SurfacePoint on_shape() const {
        if (std::holds_alternative<geometry::HalfSpace>(place.shape)) {  // fast path for the ground
            const Vec3 p = place.shape_pose.to_local(place.point);
            return {.uv = {p.x, p.y}, .normal = {0, 0, 1}, .tangent = {1, 0, 0}};
        }
        return geometry::surface_point(place.shape, place.shape_pose.to_local(place.point),
                                       rotate_inverse(place.shape_pose.orientation, place.normal));
    }

    GrainAt in_tangent_frame(const geometry::SurfacePoint& at, Vec2 q, const Vec3& bitangent) const {
        return axis_of(q, in_body(at.tangent), in_body(bitangent));
    }

    /// Texture coordinates per metre. Other shapes than meshes: by a finite difference of 1e-4 m along the tangent in both
    /// senses. The smaller value is used, since the other step may have crossed a seam.
    double density(const geometry::SurfacePoint& at) const {
        if (const auto* mesh = std::get_if<geometry::Mesh>(&place.shape); mesh && at.triangle >= 0) {
            const geometry::TriangleSet& set = *mesh->triangles;
            const Vec2* uv = &set.uvs[3 * static_cast<size_t>(at.triangle)];
            const Vec3 &a = set.corner(at.triangle, 0), &b = set.corner(at.triangle, 1), &c = set.corner(at.triangle, 2);
            return std::sqrt(std::fabs(cross(uv[1] - uv[0], uv[2] - uv[0])) / length(cross(b - a, c - a)));
        }
        const Vec3 p = place.shape_pose.to_local(place.point);
        const double step = 1e-4;
        double least = std::numeric_limits<double>::infinity();
        for (const Vec3& along : {at.tangent, -at.tangent}) {
            const geometry::SurfaceCoordinates there =
                geometry::surface_coordinates(place.shape, p + step * along, at.normal);
            least = std::fmin(least, length(Vec2{there.u, there.v} - at.uv) / step);
        }
        return least;
    }
};

}  // namespace

const TextureGrain* texture_on(const Grain& grain, const geometry::Shape& shape, int face) {
    if (const auto* whole = std::get_if<TextureGrain>(&grain)) return whole->texture ? whole : nullptr;
    const auto* several = std::get_if<PartsGrain>(&grain);
    if (!several || several->parts.empty()) return nullptr;
    const auto* mesh = std::get_if<geometry::Mesh>(&shape);
    const auto part = static_cast<size_t>(mesh && face >= 0 ? mesh->triangles->part_of(face) : 0);
    const TextureGrain& g = several->parts[part < several->parts.size() ? part : 0];
    return g.texture ? &g : nullptr;
}

PrefetchedGrain prefetch_grain(const Grain& grain, const SurfaceLocation& place) {
    const At ask{place};
    if (const auto* whole = std::get_if<TextureGrain>(&grain);
        (whole && !(whole->footprint > 0)) || std::holds_alternative<PartsGrain>(grain)) {
        const geometry::SurfacePoint at = ask.on_shape();
        const TextureGrain* g = texture_on(grain, place.shape, at.face);
        if (!g) return {.strength = 0};
        const Vec2 uv = ask.texture_coordinates(*g, at);
        if (!(std::fabs(uv.x) < GrainTexture::kFarthest && std::fabs(uv.y) < GrainTexture::kFarthest))
            return {.strength = 0};
        return {ask.in_body(at.tangent), ask.in_body(at.mirrored ? -at.bitangent() : at.bitangent()), 1,
                g->texture->find(uv.x, uv.y)};
    }
    const GrainAt known = std::visit(ask, grain);
    return {known.direction, {}, known.strength};
}

}  // namespace asperity::surface
