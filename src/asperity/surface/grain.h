// Grain fields: the direction of the surface structure at each point of a surface. docs/laws/matchstick.md draws them.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "asperity/geometry/shape/shape.h"
#include "asperity/surface/grain_texture.h"
#include "asperity/surface/tile_size.h"

namespace asperity::surface {

// A direction is an axis: d and -d mean the same. Its component along the surface normal is dropped.

/// One direction in body axes for the whole surface. Zero: no grain, even where the material has one.
struct ConstantGrain {
    Vec3 direction;
};
/// About a line in body axes: `radial` away from it, `around` it (right-handed), `along` it. Radial (1, 0, 0), concentric
/// (0, 1, 0), axial (0, 0, 1), helical (0, cos a, sin a), spiral (cos a, sin a, 0). On the line itself only the axial part
/// remains.
struct AxisGrain {
    Vec3 origin, axis{0, 0, 1};  ///< axis unit
    double radial = 0, around = 0, along = 0;
};
/// An angle [rad] as a function of the point in body axes. Counter-clockwise seen from outside, from the tangential part of
/// body x (of body y where the normal is along x). Must be thread-safe. A non-finite angle means no grain at that point.
struct FormulaGrain {
    std::function<double(const Vec3& point)> angle;
};
/// Directions at the vertices of a mesh, in mesh axes, interpolated in double-angle form. Without a list, those of the mesh
/// file are used. Other shapes than meshes get no grain.
struct VertexGrain {
    /// one per vertex of the mesh (TriangleSet::positions); zero: no grain
    std::shared_ptr<const std::vector<Vec3>> directions;
};
/// A grain texture, in the surface's own texture coordinates and tangent frame.
struct TextureGrain {
    std::shared_ptr<const GrainTexture> texture;
    TileSize tile;
    Vec2 offset;  ///< added to the texture coordinates after the division by `tile`
    /// diameter of the touching region [m] over which the grain is averaged; 0: bilinear interpolation only
    double footprint = 0;
};
/// A grain texture for each part of a mesh (TriangleSet::parts); a null texture: that part has no grain. Other shapes than
/// meshes have the first.
struct PartsGrain {
    std::vector<TextureGrain> parts;
};
using Grain = std::variant<ConstantGrain, AxisGrain, FormulaGrain, VertexGrain, TextureGrain, PartsGrain>;
/// The grain texture on a face of a shape (on a mesh: the triangle); null if the grain is none or there is none.
const TextureGrain* texture_on(const Grain& grain, const geometry::Shape& shape, int face);

/// A point of a surface at which a grain field is evaluated.
struct SurfaceLocation {
    const geometry::Shape& shape;
    Pose shape_pose;     ///< of the shape's axes in body axes
    Vec3 point, normal;  ///< body axes; the normal points out of the body
};

struct GrainAt {
    Vec3 direction;       ///< body axes, any length; zero: no grain
    double strength = 1;  ///< 0..1
};

/// A grain whose texels have been located and prefetched, but not read. Texels of a large texture are cache misses. A step
/// locates the grains of many contacts before it reads the first, so that the misses overlap.
struct PrefetchedGrain {
    Vec3 tangent, bitangent;  ///< body axes; if texels.row[0] is null, `tangent` is the grain direction
    double strength = 1;      ///< used if texels.row[0] is null
    GrainTexture::Neighbours texels{};
};
PrefetchedGrain prefetch_grain(const Grain& grain, const SurfaceLocation& place);

/// The axis that the double-angle vector q stands for. Its strength is |q|.
[[gnu::always_inline]] inline GrainAt axis_of(Vec2 q, const Vec3& tangent, const Vec3& bitangent) {
    // strengths above this count as 1: bilinear filtering of a smooth texture shortens q by less than 1e-3
    constexpr double full = 1 - 1e-3;
    const double strength = std::sqrt(q.x * q.x + q.y * q.y);
    if (!(strength > 1e-6)) return {{}, 0};
    // (1 + cos 2a, sin 2a) and (sin 2a, 1 - cos 2a) both point along a. Take the one without cancellation; the length of a
    // direction has no meaning.
    const double large = strength + std::fabs(q.x), x = q.x < 0 ? q.y : large, y = q.x < 0 ? large : q.y;
    return {x * tangent + y * bitangent, strength > full ? 1 : strength};
}
[[gnu::always_inline]] inline GrainAt read_grain(const PrefetchedGrain& pending) {
    if (!pending.texels.row[0]) return {pending.tangent, pending.strength};
    return axis_of(pending.texels.mixed(), pending.tangent, pending.bitangent);
}
inline GrainAt grain_at(const Grain& grain, const SurfaceLocation& place) {
    return read_grain(prefetch_grain(grain, place));
}

}  // namespace asperity::surface
