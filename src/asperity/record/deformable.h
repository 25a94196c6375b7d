// The surface of a deformable body as triangles, for pictures and motion.glb. The triangles stay the same while their
// corners move, so all that depends on the mesh alone is computed once.
#pragma once
#include <span>
#include <vector>

#include "asperity/record/recording.h"

namespace asperity::record {

class DeformableSurface {
  public:
    /// The boundary of a solid. A body of the plane is extruded along y: its elements at y = -depth/2 and +depth/2, and a
    /// strip of two triangles along each boundary edge. Counter-clockwise from outside, whichever way the elements are
    /// numbered.
    explicit DeformableSurface(const DeformableMesh& mesh);

    /// A corner of a triangle: a node of the mesh, moved along y.
    struct Corner {
        int node = 0;
        double shift = 0;  ///< [m]
    };
    /// Three per triangle. Corners are not shared, so that each has its own normal.
    const std::vector<Corner>& corners() const { return corners_; }
    std::size_t triangle_count() const { return corners_.size() / 3; }

    /// Positions of the corners for positions of the nodes.
    void positions(std::span<const Vec3> nodes, std::vector<Vec3>& out) const;
    /// Unit normals of the corners for positions of the nodes: the mean over the triangles round the corner that bend by
    /// less than the crease angle from the corner's own triangle, weighted by their angles there, so that it does not matter
    /// how a face is cut into triangles (Thuermer and Wuethrich, "Computing Vertex Normals from Polygonal Facets", 1998).
    void normals(std::span<const Vec3> nodes, std::vector<Vec3>& out) const;

    /// Texture coordinates of the corners [m], which move with the material: two coordinates of the node at rest, those
    /// across the axis that is nearest to the triangle's normal at rest. x, or else y, lies along u, and z, or else y, along
    /// v.
    std::vector<Vec2> uvs() const;
    /// Edges of a texture's tile in units of uvs(). A size that is not in metres is a fraction of the longest edge of the
    /// body's bounding box at rest.
    Vec2 tile(const surface::TileSize& size) const;

  private:
    const DeformableMesh& mesh_;  // lives longer
    std::vector<Corner> corners_;
    std::vector<int> vertex_;                 // of each corner
    std::vector<int> around_, first_around_;  // the corners at each vertex: a range of around_
};

/// The value of each node: the mean over its elements, weighted by their volumes at rest. Nodes without elements get 0.
std::vector<double> nodal_means(const DeformableMesh& mesh, const std::vector<float>& of_elements);

}  // namespace asperity::record
