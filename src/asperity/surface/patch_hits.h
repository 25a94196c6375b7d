// Private to surface/: which place of a surface each point of a patch meets, and the facet there.
#pragma once
#include "asperity/surface/local_faces.h"

namespace asperity::surface {

/// The points of a patch, row by row along x: -width/2 + (i + 1/2) step.
struct PatchGrid {
    int points;      // along an edge
    double width, depth, step;
    double at(int i) const { return (i + 0.5) * step - 0.5 * width; }
};

constexpr int kMissed = -1;

/// One surface under the grid. hits[j * points + i] is the face, triangle or 0 that a line along the normal meets first, coming from outside, within
/// the box, or kMissed.
class PatchSurface {
  public:
    PatchSurface(const PatchSide& side, const PatchFrame& frame, const PatchGrid& grid) : side_(side), frame_(frame), grid_(grid) {}
    void find(std::span<int> hits);

    /// The facet at a point that `hit` was found for: its slope in the contact plane, and its weights. False where it faces away.
    bool facet(double x, double y, int hit, Vec2& slope, Facet& facet);

  private:
    void find_on_faces(std::span<int> hits) const;
    void find_on_hull(std::span<int> hits) const;
    void find_on_mesh(std::span<int> hits);
    void find_on_curve(std::span<int> hits) const;
    void draw_triangle(int triangle, std::span<int> hits);
    bool on_curve(double x, double y, double& height) const;
    bool place(double x, double y, int hit, Vec2& uv, Vec2& along_u, Vec2& along_v);

    const PatchSide& side_;
    const PatchFrame& frame_;
    const PatchGrid& grid_;
    enum class Kind { Faces, Hull, Mesh, Curve } kind_ = Kind::Faces;
    LocalFaces faces_;
    int cached_ = kMissed;      // of hulls and meshes: the face or triangle that was last asked for
    PatchFace cached_face_;
    Vec3 corner_[3];            // of the cached triangle: x, y, height
};

}  // namespace asperity::surface
