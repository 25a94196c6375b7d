// A recording: the result of a run as input for rendering, plots and export. One of the engine's three central interfaces.
#pragma once
#include <array>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "asperity/rigid/body.h"
#include "asperity/surface/material.h"

namespace asperity::record {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

/// One contact at a recorded time.
struct ContactSample {
    int body_a = -1, body_b = -1;
    Vec3 point, normal;          ///< world
    Vec3 force;                  ///< on B [N]
    Vec3 t;                      ///< first axis of the limit surface; the second is normal x t
    double mu_t = 0, mu_b = 0;   ///< coefficient of the limit surface along t and along normal x t (the larger of + and -)
    int face_a = 0, face_b = 0;  ///< face of each surface; on a mesh the triangle
    Vec2 uv_a, uv_b;             ///< texture coordinates at the contact
    double gap = 0;              ///< distance of the surfaces at the start of the step, negative for overlap [m]
    /// torque of drilling friction on B about the normal [N m]; 0 for points of a patch
    double spin_torque = 0;
    int patch = -1;  ///< index of the contact's patch in the frame; -1: none
    // How far the friction force is from its limit; not a number where there is none
    double limit = kNotKnown;        ///< that could act along the present one [N]
    double margin = kNotKnown;       ///< 1 minus the share of the limit that is used up
    double spare = kNotKnown;        ///< smallest force, in any direction, that makes it slip when added [N]
    double creep_bound = kNotKnown;  ///< of a contact that sticks; of others the speed of slip [m/s]
};

/// One contact patch at a recorded time: the wrench that A exerts on B.
struct PatchSample {
    int body_a = -1, body_b = -1;
    Vec3 centre, normal, u;     ///< world; the axes of the region are u and normal x u
    Vec3 force, torque;         ///< on B; torque about `centre` [N, N m]
    Vec3 pressure;              ///< centre of pressure, world
    double spin_torque = 0;     ///< friction torque about the normal through the centre of pressure [N m]
    std::vector<Vec3> outline;  ///< boundary of the region, world
};

/// The mesh of a body that deforms. In two dimensions its nodes lie in the plane y = 0, and it is drawn with the depth
/// `depth`.
struct DeformableMesh {
    std::vector<Vec3> rest;                    ///< nodes at time 0, world axes
    std::vector<std::array<int, 4>> elements;  ///< tetrahedra; triangles of the plane have -1 as last entry
    /// 3D: boundary, counter-clockwise from outside. 2D: empty
    std::vector<std::array<int, 3>> triangles = {};
    /// 2D: boundary, solid to the left of the way from first to second in the axes (x, z). 3D: empty
    std::vector<std::array<int, 2>> edges = {};
    double depth = 0;  ///< 2D: extent along y in pictures [m]

    bool is_plane() const { return !elements.empty() && elements.front()[3] < 0; }
};

/// The shape of a deformable body at a recorded time.
struct Deformation {
    int body = -1;
    std::vector<Vec3> positions = {};  ///< one per node, world
    /// one per element [Pa], or empty; the pressure is positive in compression
    std::vector<float> von_mises = {}, pressure = {};
};

/// The total contact force of a pair at a recorded time.
struct ForceSample {
    int body_a = -1, body_b = -1;  ///< body_a <= -2: held region -2 - body_a of Recording::regions
    Vec3 force, torque;            ///< on body_b; torque about its centre of mass [N, N m]
};

struct Frame {
    double time = 0;
    std::vector<Pose> poses;  ///< one per body: pose of the centre-of-mass axes
    std::vector<Vec3> velocities, angular_velocities;
    std::vector<ContactSample> contacts;         ///< empty unless recording of contacts was asked for
    std::vector<PatchSample> patches;            ///< likewise
    std::vector<Deformation> deformations = {};  ///< one per deformable body, in the order of bodies
    std::vector<ForceSample> forces = {};        ///< empty unless Recording::has_forces
};

/// The grain of a shape. Kept in memory for motion.glb; recording.asp does not store it.
struct RecordedGrain {
    std::shared_ptr<const surface::Grain> field;  ///< null: no grain
    Pose shape_pose;  ///< pose of the shape in the axes of the field, which are the body's authored axes
};

/// The looks of a mesh whose file has its own: one per part of the mesh (geometry::TriangleSet::parts). An empty entry, or
/// no list at all: the material's.
using PartLooks = std::shared_ptr<const std::vector<std::optional<surface::Appearance>>>;

struct RecordedBody {
    std::string name;
    rigid::Motion motion = rigid::Motion::Dynamic;
    std::vector<rigid::Collider> colliders;     ///< in centre-of-mass axes
    std::vector<RecordedGrain> grains;          ///< one per collider, or empty
    std::vector<surface::SlopeTexture> slopes;  ///< normal maps: one per collider, or empty
    std::vector<PartLooks> looks = {};          ///< one per collider, or empty
    /// Null: the colliders move with the pose. Otherwise the colliders are not drawn; the material of collider 0 is the
    /// body's.
    std::shared_ptr<const DeformableMesh> deformable = nullptr;

    /// The normal map of a collider; a SlopeTexture without a map if it has none.
    surface::SlopeTexture slopes_of(std::size_t collider) const {
        return collider < slopes.size() ? slopes[collider] : surface::SlopeTexture{};
    }
    /// The file's own look of a part of a collider; null if its material decides.
    const surface::Appearance* look_of(std::size_t collider, int part) const {
        const auto i = static_cast<std::size_t>(part);
        if (collider >= looks.size() || !looks[collider] || i >= looks[collider]->size()) return nullptr;
        const auto& look = (*looks[collider])[i];
        return look ? &*look : nullptr;
    }
};

/// A line to draw between two bodies, such as a string or a spring. Body -1 is the world.
struct Link {
    int body_a = -1, body_b = -1;
    Vec3 local_a, local_b;
};

/// Camera of a picture. Without one, the renderer chooses a view that contains everything that moves.
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
    std::vector<std::string> regions = {};  ///< names of the held regions, such as "beam.root"
    bool has_forces = false;                ///< forces.csv is written, even if no pair ever touches
};

/// One binary file (recording.asp) with geometry, materials and frames. load() throws InputError for any other, truncated or
/// damaged file. recording_file.h reads and writes the same file without holding all frames.
void save(const Recording& recording, const std::filesystem::path& path);
Recording load(const std::filesystem::path& path);

/// motion.glb: meshes, materials with embedded textures, and one animated node per moving body. Blender and glTF viewers
/// open it.
void save_glb(const Recording& recording, const std::filesystem::path& path);
/// The same with frames from elsewhere; those in the recording are not used. Passes over the frames a few times and holds
/// one at a time. A run of more than four million frames, or of more than 3.5 GiB of motion, keeps every second, third, ...
/// frame.
class Frames;
void save_glb(const Recording& recording, const Frames& frames, const std::filesystem::path& path);

}  // namespace asperity::record
