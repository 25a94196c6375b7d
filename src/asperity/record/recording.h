// A recording: all that a run leaves behind for those who draw, plot or export it. The third narrow waist of the engine.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "asperity/rigid/body.h"
#include "asperity/surface/material.h"

namespace asperity::record {

/// One contact at a recorded moment.
struct ContactSample {
    int body_a = -1, body_b = -1;
    Vec3 point, normal;          ///< world
    Vec3 force;                  ///< on B [N]
    Vec3 t;                      ///< first axis of the limit surface; the second is normal x t
    double mu_t = 0, mu_b = 0;   ///< how far the limit surface reaches along both (largest of + and -)
    int face_a = 0, face_b = 0;  ///< of the surfaces; on meshes the triangle
    Vec2 uv_a, uv_b;             ///< texture coordinates there
    double gap = 0;              ///< between the surfaces when the step began, negative where they overlap [m]
    /// of drilling friction, on B about the normal [N m]; points of patches have none of their own
    double spin_torque = 0;
    int patch = -1;  ///< of the frame's patches, the one that it belongs to; -1: none
};

/// One contact patch at a recorded moment: the wrench that A exerts on B.
struct PatchSample {
    int body_a = -1, body_b = -1;
    Vec3 centre, normal, u;     ///< world; the region's axes are u and normal x u
    Vec3 force, torque;         ///< on B; the torque about the centre [N, N m]
    Vec3 pressure;              ///< centre of pressure, world
    double spin_torque = 0;     ///< of friction, about the normal through the centre of pressure [N m]
    std::vector<Vec3> outline;  ///< of the region, world
};

struct Frame {
    double time = 0;
    std::vector<Pose> poses;  ///< one per body: centre-of-mass axes
    std::vector<Vec3> velocities, angular_velocities;
    std::vector<ContactSample> contacts;  ///< empty unless asked for
    std::vector<PatchSample> patches;     ///< likewise
};

/// Which way a shape is brushed. Lives in memory, for motion.glb; recording.asp does not keep it.
struct RecordedGrain {
    std::shared_ptr<const surface::Grain> field;  ///< null for none
    Pose shape_pose;                              ///< of the shape in the axes of the field: the body's authored ones
};

struct RecordedBody {
    std::string name;
    rigid::Motion motion = rigid::Motion::Dynamic;
    std::vector<rigid::Collider> colliders;     ///< in centre-of-mass axes
    std::vector<RecordedGrain> grains;          ///< one per collider, or none at all
    std::vector<surface::SlopeTexture> slopes;  ///< normal maps, likewise

    /// Of a collider; without a map where it has none.
    surface::SlopeTexture slopes_of(std::size_t collider) const {
        return collider < slopes.size() ? slopes[collider] : surface::SlopeTexture{};
    }
};

/// Something to draw between two bodies: a string, a spring. Body -1 is the world.
struct Link {
    int body_a = -1, body_b = -1;
    Vec3 local_a, local_b;
};

/// Where a picture is taken from. Without one, the renderer finds a view that holds everything that moves.
struct View {
    Vec3 eye, target;
    double field_of_view_deg = 35;  ///< vertical
};

struct Recording {
    std::string title;
    std::vector<surface::Material> materials;
    std::vector<RecordedBody> bodies;
    std::vector<Link> links;
    std::vector<Frame> frames;
    std::optional<View> view;
};

/// One binary file (recording.asp): geometry, materials and frames. load throws InputError for anything that is not such a
/// file, truncated ones included.
void save(const Recording& recording, const std::filesystem::path& path);
Recording load(const std::filesystem::path& path);

/// motion.glb: meshes, materials (textures embedded), one animated node per moving body. Opens in Blender and any glTF
/// viewer.
void save_glb(const Recording& recording, const std::filesystem::path& path);

}  // namespace asperity::record
