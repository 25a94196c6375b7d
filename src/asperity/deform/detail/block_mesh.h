// Meshes from blocks: lattices of cells, each cut into triangles or tetrahedra along its diagonal (Kuhn), mirrored in
// alternate cells so that no direction is preferred. The cuts of a face depend only on the parity of the lattice within it,
// so that blocks fit together wherever their common points have the same parities.
#pragma once
#include <array>
#include <functional>
#include <unordered_map>

#include "asperity/deform/meshes/solid_mesh.h"

namespace asperity::deform {

template <int Dim>
class BlockMesh {
  public:
    using Index = std::array<int, Dim>;
    /// `size`: of the smallest part [m]. Points on the faces of blocks that are nearer than 1e-9 of it are one point; 0 if
    /// no two blocks touch.
    explicit BlockMesh(double size) : cell_(kTogether * size) {}

    /// Points at(index) for `first` <= index <= `last`; the parity of each index chooses the cuts.
    void add(const Index& first, const Index& last, const std::function<Vector<Dim>(const Index&)>& at);
    SolidMesh<Dim> take() { return std::move(mesh_); }

  private:
    static constexpr double kTogether = 1e-9;
    int point(const Vector<Dim>& x, bool shared);

    double cell_;
    SolidMesh<Dim> mesh_;
    std::unordered_map<std::uint64_t, std::vector<int>> shared_;  // points on faces by their cell of a fine grid
};

}  // namespace asperity::deform
