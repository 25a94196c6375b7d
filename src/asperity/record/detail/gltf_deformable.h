// Private to record/: deformable bodies in motion.glb. Each is one mesh with a morph target per key, and the weights of the
// targets are animated (glTF 2.0, sections 3.7.2.2 and 3.11). Between two keys the weights, so the positions and normals
// too, are interpolated linearly: a vibration faster than the keys does not show.
#pragma once
#include <functional>
#include <vector>

#include <nlohmann/json.hpp>

#include "asperity/record/deformable.h"
#include "asperity/record/detail/gltf_buffer.h"
#include "asperity/record/frames.h"

namespace asperity::record::detail {

class GltfDeformables {
  public:
    GltfDeformables(const Recording& recording, const Frames& frames) : recording_(recording), frames_(frames) {}

    /// Adds the meshes of all deformable bodies and returns their nodes in the order of bodies. `look` gives the number of a
    /// body's material and the tile size of its texture coordinates.
    struct Look {
        int material = -1;
        surface::TileSize tile;
    };
    std::vector<nlohmann::json> add(GltfBuffer& buffer, nlohmann::json& meshes,
                                    const std::function<Look(const RecordedBody&)>& look);

    /// Whether there are two keys or more. Then sampler() animates the weights of each of the nodes.
    bool moves() const { return times_ >= 0; }
    nlohmann::json sampler() const { return {{"input", times_}, {"output", weights_}, {"interpolation", "LINEAR"}}; }

  private:
    /// A mesh whose corners with equal positions, normals and texture coordinates at rest are one vertex.
    struct Part {
        Part(const RecordedBody& body, const Vec2& tile);
        const DeformableMesh* mesh;
        DeformableSurface surface;
        Vec3 origin;
        std::vector<std::size_t> corner;     // one corner of each vertex
        std::vector<std::uint32_t> indices;  // vertices of the triangles
        std::vector<float> uvs;
        std::vector<Vec3> rest, rest_normals;  // of the corners
        std::vector<Vec3> last;                // positions of the nodes at the last key at which all were finite
    };
    /// All frames if they are few, otherwise frames evenly spaced in time.
    void choose_keys(std::size_t vertices);
    nlohmann::json target(GltfBuffer& buffer, Part& part, const std::vector<Vec3>& nodes) const;

    const Recording& recording_;
    const Frames& frames_;
    std::vector<std::size_t> keys_;  // frames
    std::vector<float> key_times_;   // since the first frame [s]
    int times_ = -1, weights_ = -1;  // accessors: times of the keys, weights
};

}  // namespace asperity::record::detail
