// The geometry of a deformable body in the picture: its surface follows the nodes from frame to frame.
#pragma once
#include <optional>

#include "asperity/record/deformable.h"
#include "render/color_by.h"
#include "render/material.h"
#include "render/shape_mesh.h"

namespace asperity::render {

class Deformed {
  public:
    /// `look`: that of the body's material. Checkers and textures lie on the rest shape (record/deformable.h) and move with
    /// the material; normal maps are left out. With a `scale` the body shows that quantity instead.
    Deformed(const record::DeformableMesh& mesh, const Look& look, const std::optional<ColorScale>& scale, RTCDevice device);

    /// Moves the surface; positions in the picture are world positions minus `origin`. False, and nothing has changed, if a
    /// node is not finite or farther away than anything that is drawn.
    bool follow(const record::Deformation& now, const Vec3& origin);

    const ShapeMesh& mesh() const { return shape_; }
    const std::vector<Look>& looks() const { return looks_; }  ///< one
    Vec2 tile() const { return tile_; }                        ///< of the look, in units of (u, v)

  private:
    const record::DeformableMesh& mesh_;
    record::DeformableSurface surface_;
    std::optional<ColorScale> scale_;
    std::vector<Look> looks_;
    Vec2 tile_;
    ShapeMesh shape_;
    std::vector<Vec3> positions_, normals_;  // of the corners
};

}  // namespace asperity::render
