// Drawings on top of a picture: force arrows, trails and friction cones. They show through bodies, faintly, since most
// contacts are hidden between two of them, and they neither cast shadows nor take part in the light.
#pragma once
#include <vector>

#include "asperity/record/recording.h"
#include "render/camera.h"
#include "render/denoise.h"

namespace asperity::render {

struct OverlaySettings {
    bool forces = false, trails = false, cones = false;
};

/// Triangles with their own colours, in picture coordinates.
struct OverlayMesh {
    struct Vertex {
        Float3 position, normal, color;  ///< linear RGB
        float opacity;
    };
    std::vector<Vertex> vertices;
    std::vector<std::uint32_t> triangles;
};

/// Sizes come from the whole recording, so that arrows of different frames compare: the 95th percentile of all contact
/// forces is drawn as long as a median body's radius, longer ones up to twice that, so that a heavy landing does not fill
/// the picture.
class OverlayBuilder {
  public:
    OverlayBuilder(const record::Recording& recording, OverlaySettings settings, const Vec3& origin);
    OverlayMesh build(std::size_t frame) const;

  private:
    const record::Recording& recording_;
    OverlaySettings settings_;
    Vec3 origin_;
    double radius_, metres_per_newton_ = 0;
};

struct OverlayPixel {
    Float3 color;  ///< times opacity
    float opacity = 0;
};
/// Anti-aliased; `pixels` tells which parts lie behind bodies.
std::vector<OverlayPixel> draw_overlay(const OverlayMesh& mesh, const Camera& camera, const std::vector<Pixel>& pixels,
                                       int width, int height);

}  // namespace asperity::render
