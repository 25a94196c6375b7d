// The triangles of a shape with their own Embree scene, which instances share.
#pragma once
#include <embree3/rtcore.h>

#include <vector>

#include "render/float3.h"

namespace asperity::render {

struct ShapeMesh {
    RTCScene scene = nullptr;
    RTCGeometry geometry = nullptr;  ///< in `scene`, which owns it
    std::vector<Float3> positions, normals;
    std::vector<Vec2> uvs;
    std::vector<std::uint32_t> triangles;
    std::vector<int> faces, parts;  ///< per triangle; parts is empty where all are part 0
    bool curved = false;
    std::vector<float> values;  ///< per vertex: place on the colour map; empty: the look decides
};

/// Throws InputError for an error of Embree.
void check(RTCDevice device);

/// Builds the scene from positions and triangles. `moves`: update() follows, so the tree is built fast instead of well.
void build(ShapeMesh& mesh, RTCDevice device, bool moves);
/// After the positions have changed.
void update(ShapeMesh& mesh);

}  // namespace asperity::render
