// Material points of surfaces: where they were at time 0, and how tangents there turn and stretch with the surface.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "asperity/implicit/model.h"

namespace asperity::implicit {

/// The cells (faces; in 2D edges) around every vertex of all surfaces, row by row.
struct SkinTopology {
    std::vector<int> start, cells;
};
template <int Dim>
SkinTopology skin_topology(const ipc::Surface<Dim>& surface);

/// A point of a surface as a sum of vertices of one body, and the direction out of the body there.
struct SkinPoint {
    int count = 0;
    std::array<int, 4> vertices{};
    std::array<double, 4> weights{};  ///< sum 1
    Vec3 outward;                     ///< now
};

/// The point at time 0, world axes.
template <int Dim>
Vec3 rest_place(const ipc::Surface<Dim>& surface, const SkinPoint& point);
/// The outward normal there at time 0: the mean over the cells around the vertices. Cells count by their area as seen from
/// outside, so that the sides of a box do not count for its top.
template <int Dim>
Vec3 rest_normal(const ipc::Surface<Dim>& surface, const SkinTopology& topology, std::span<const Vector<Dim>> x,
                 const SkinPoint& point);
/// A tangent of the rest surface, carried along by the same cells: the mean.
template <int Dim>
Vec3 carry_tangent(const ipc::Surface<Dim>& surface, const SkinTopology& topology, std::span<const Vector<Dim>> x,
                   const SkinPoint& point, const Vec3& tangent);

}  // namespace asperity::implicit
