// Exact tests of a surface: edges that cross faces (3D) or edges (2D), and bodies that lie wholly inside others.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "asperity/math/matrix.h"
#include "asperity/math/vec.h"

namespace asperity::ccd {

template <int Dim>
struct SurfaceView {
    std::span<const int> body;                  ///< per vertex
    std::span<const std::array<int, 2>> edges;  ///< 2D: the surface; 3D: the edges of the faces
    std::span<const std::array<int, 3>> faces;  ///< 3D; empty in 2D
    std::span<const char> collide;              ///< [a * body_count + b]; a == b: with itself; empty: all pairs collide
    int body_count = 0;
    bool may_collide(int a, int b) const {
        return collide.empty() ||
               collide[static_cast<std::size_t>(a) * static_cast<std::size_t>(body_count) + static_cast<std::size_t>(b)] !=
                   0;
    }
};

struct Intersection {
    bool found = false;
    int body_a = -1, body_b = -1;
    Vec3 where;                                          ///< in double precision, unlike the test
    std::array<int, 5> vertices = {-1, -1, -1, -1, -1};  ///< edge, then face (3D) or edge (2D)
};

/// The one with the lowest edge, then the lowest face.
template <int Dim>
Intersection first_intersection(const SurfaceView<Dim>& view, std::span<const Vector<Dim>> x);
/// The first `most`, in the same order.
template <int Dim>
std::vector<Intersection> intersections(const SurfaceView<Dim>& view, std::span<const Vector<Dim>> x, int most);

}  // namespace asperity::ccd
