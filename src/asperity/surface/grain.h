// Structure fields: which way the grain runs at each point of a surface. docs/laws/matchstick.md draws them.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "asperity/geometry/shape/shape.h"
#include "asperity/surface/grain_texture.h"

namespace asperity::surface {

// Directions are axes: their sign means nothing. They need not lie in the surface; what sticks out of it is dropped.

/// The same everywhere, in body axes. Zero: none, also where the material has a grain.
struct ConstantGrain {
    Vec3 direction;
};
/// About a line in body axes: so much away from it, so much round it (right-handed), so much along it. Radial (1, 0, 0),
/// concentric
/// (0, 1, 0), axial (0, 0, 1), helical (0, cos a, sin a), spiral (cos a, sin a, 0). None on the line itself, but for the
/// axial part.
struct AxisGrain {
    Vec3 origin, axis{0, 0, 1};  ///< axis unit
    double radial = 0, around = 0, along = 0;
};
/// An angle [rad] that depends on the place in body axes, counter-clockwise seen from outside, from the tangent part of body
/// x (of body y where the surface faces along x). Called from several threads at once. Not finite: no grain there.
struct FormulaGrain {
    std::function<double(const Vec3& point)> angle;
};
/// Directions at the vertices of a mesh, in mesh axes, interpolated in double-angle form. Without a list those of the mesh's
/// own file. None on other shapes.
struct VertexGrain {
    /// one per vertex of the mesh (TriangleSet::positions); zero: none
    std::shared_ptr<const std::vector<Vec3>> directions;
};
/// A picture, in the surface's own texture coordinates and tangent frame.
struct TextureGrain {
    std::shared_ptr<const GrainTexture> texture;
    double tile = 1;  ///< edge of one tile, as Appearance::texture_size
    Vec2 offset;      ///< added to the texture coordinates after the division by `tile`
    /// diameter of what touches [m]: the grain is averaged over it; 0: none but between neighbouring texels
    double footprint = 0;
};
using Grain = std::variant<ConstantGrain, AxisGrain, FormulaGrain, VertexGrain, TextureGrain>;

/// A point of a surface, as fields ask for it.
struct SurfacePlace {
    const geometry::Shape& shape;
    Pose shape_pose;     ///< of the shape in body axes
    Vec3 point, normal;  ///< body axes; the normal points out of the body
};

struct GrainAt {
    Vec3 direction;       ///< body axes, any length; zero for none
    double strength = 1;  ///< 0..1
};

/// A grain that was asked for and is not read yet. Textures are far away in memory: a step asks for the grains of many
/// contacts before it reads the first of them, and waits once instead of every time.
struct PendingGrain {
    Vec3 tangent, bitangent;  ///< body axes; where texels.row[0] is null, tangent is the direction
    double strength = 1;      ///< there
    GrainTexture::Neighbours texels{};
};
PendingGrain ask_grain(const Grain& grain, const SurfacePlace& place);

/// The axis that a double-angle vector means, and its length as the strength.
[[gnu::always_inline]] inline GrainAt axis_of(Vec2 q, const Vec3& tangent, const Vec3& bitangent) {
    // filtering takes so little off the strength of a smooth texture that it is none of the painter's doing
    constexpr double full = 1 - 1e-3;
    const double strength = std::sqrt(q.x * q.x + q.y * q.y);
    if (!(strength > 1e-6)) return {{}, 0};
    // (1 + cos 2a, sin 2a) and (sin 2a, 1 - cos 2a) are both along a; the one that loses no digits. Nobody asks for its
    // length.
    const double large = strength + std::fabs(q.x), x = q.x < 0 ? q.y : large, y = q.x < 0 ? large : q.y;
    return {x * tangent + y * bitangent, strength > full ? 1 : strength};
}
[[gnu::always_inline]] inline GrainAt read_grain(const PendingGrain& pending) {
    if (!pending.texels.row[0]) return {pending.tangent, pending.strength};
    return axis_of(pending.texels.mixed(), pending.tangent, pending.bitangent);
}
inline GrainAt grain_at(const Grain& grain, const SurfacePlace& place) { return read_grain(ask_grain(grain, place)); }

}  // namespace asperity::surface
