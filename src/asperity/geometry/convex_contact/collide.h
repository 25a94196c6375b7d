// Contact manifolds of two shapes: one normal and up to four points, whose ids stay the same from step to step.
#pragma once
#include <cstdint>
#include <span>

#include "asperity/geometry/shape/shape.h"

namespace asperity::geometry {

struct ManifoldPoint {
    Vec3 on_a, on_b;        ///< world; on_b - on_a = gap * normal, up to rounding
    double gap;             ///< [m]; negative = overlap
    std::uint32_t feature;  ///< equal in two steps if the same features (vertex, edge pair) touch
    /// zero, unless it differs from the manifold's: round shapes with several contact points
    Vec3 normal{};
};
struct Manifold {
    Vec3 normal;  ///< world, unit, from A to B
    int count = 0;
    double apart = 0;  ///< [m] without points: lower bound of the distance, where it is known
    ManifoldPoint points[4];
    const Vec3& normal_of(int i) const { return points[i].normal == Vec3{} ? normal : points[i].normal; }
};

/// All points with gap <= margin, reduced to at most four. `previous` lists the features kept in the last step for this
/// pair; among nearly equal choices the reduction prefers them, so that the points stay. Returns false (count 0) when apart.
/// Two half-spaces never touch. Not for meshes.
bool collide(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
             std::span<const std::uint32_t> previous, Manifold& out);

/// Contacts of a pair with a mesh: many triangles may touch, so every point has a normal of its own.
struct ContactList {
    static constexpr int kCapacity = 32;
    struct Item {
        Vec3 normal;  ///< world, unit, from A to B
        ManifoldPoint point;
    };
    int count = 0;
    double reach = 0;  ///< [m] without items: lower bound of the distance
    Item items[kCapacity];
};
/// Whether a pair belongs to collide_mesh() rather than collide().
inline bool has_mesh(const Shape& a, const Shape& b) {
    return std::holds_alternative<Mesh>(a) || std::holds_alternative<Mesh>(b);
}
/// As collide(), for pairs with a mesh. Allocates nothing. Searches near first, and farther only if nothing is near: with a
/// wide margin the list may lack gaps of several times the smallest one.
bool collide_mesh(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                  std::span<const std::uint32_t> previous, ContactList& out);

/// Travel of b along `direction` (unit) until it just touches a, to 1e-12 of the sizes: a body placed there rests without a
/// drop. Starts from any pose; if the shapes overlap, or b is beyond a, the travel is negative.
struct Travel {
    bool meets = false;   ///< the line of motion meets a at all
    double distance = 0;  ///< [m], signed; the first contact when coming from -infinity along `direction`
};
Travel travel_to_touch(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, const Vec3& direction);

}  // namespace asperity::geometry
