// Drawings over a picture: force arrows, trails, limit surfaces and contact points coloured by their margin to slip. They
// show faintly through bodies, because most contacts are hidden between two bodies. They cast no shadows and are not lit by
// the scene.
#pragma once
#include <vector>

#include "asperity/record/recording.h"
#include "render/camera.h"
#include "render/denoise.h"

namespace asperity::render {

struct OverlaySettings {
    bool forces = false, trails = false, cones = false, margin = false;
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

/// Scales come from the whole recording, so that arrows of different frames are comparable. The 95th percentile of all
/// contact forces is drawn with the length of a median body's radius. Larger forces are drawn up to twice as long, so that
/// a heavy impact does not fill the picture.
class OverlayBuilder {
  public:
    OverlayBuilder(const record::Footage& footage, OverlaySettings settings, const Vec3& origin);
    OverlayMesh build(std::size_t frame);

  private:
    void follow_paths(std::size_t frame);

    record::Footage footage_;
    OverlaySettings settings_;
    Vec3 origin_;
    double radius_, metres_per_newton_ = 0;
    std::vector<std::vector<Vec3>> paths_;  // past path of each body up to frame `followed_` - 1
    std::size_t followed_ = 0;
};

struct OverlayPixel {
    Float3 color;  ///< multiplied by opacity
    float opacity = 0;
};
/// Draws with anti-aliasing. `pixels` tells which parts lie behind bodies.
std::vector<OverlayPixel> draw_overlay(const OverlayMesh& mesh, const Camera& camera, const std::vector<Pixel>& pixels,
                                       int width, int height);

}  // namespace asperity::render
