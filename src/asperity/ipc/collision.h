// One contact, or stencil: the vertices of two primitives (a vertex, an edge or a face each), with its weight.
#pragma once
#include <array>
#include <vector>

namespace asperity::ipc {

enum class Stencil : char { PointPoint, PointLine, PointPlane, EdgeEdge };

struct Collision {
    std::array<int, 4> vertices{-1, -1, -1, -1};  ///< of the first primitive, then of the second; -1: unused
    Stencil stencil = Stencil::PointPoint;
    double weight = 0;     ///< area [m^2]; may be negative
    double thickness = 0;  ///< distance at which the surfaces touch [m]
    double parallel = 0;   ///< edge-edge: edge_factor.h [m^4]
};

/// Memory of find_collisions().
struct CollisionScratch {
    std::vector<int> start;
    std::vector<std::vector<Collision>> chunks;
    std::vector<Collision> points;
};

}  // namespace asperity::ipc
