// State shared by the parts of the reader: read_surface.cpp, read_body.cpp, read_joint.cpp, generate.cpp and others.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "asperity/core/random.h"
#include "asperity/geometry/shape/shape.h"
#include "asperity/importers/read_picture.h"
#include "asperity/scene/node.h"
#include "asperity/scene/scene.h"

namespace asperity::scene {

using record::PartLooks;

/// Upper limits: more than any scene needs, less than would fill a machine's memory.
struct ReadLimits {
    std::size_t bytes = std::size_t{16} << 20;
    int bodies = 200000;  ///< bodies, and the same number of joints
    int hull_points = 2000;
    int params = 1000;
    int materials = 1000;      ///< the pair table has the square of this size
    int cells = 2000000;       ///< of the mesh of a soft body: up to 12 million tetrahedra
    int map_texels = 1 << 24;  ///< in a generated normal map: 4096 x 4096, 128 MB
};

struct Reader {
    Reader(const std::filesystem::path& file, const std::vector<Override>& overrides, const ReadLimits& read_limits);
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    ReadLimits limits;
    Random random;
    Formulas formulas{random};
    Source source;
    Scene scene;
    std::map<std::string, MaterialId> materials;  ///< index by name
    std::map<std::string, int> bodies;
    std::vector<Pose> authored;  ///< start poses of the bodies' authored axes
    std::map<std::string, int> joints;
    /// by file and scale; read once and shared by all bodies
    std::map<std::pair<std::string, double>, geometry::Shape> meshes, hulls;
    std::map<std::string, std::optional<surface::Grain>> grains;         ///< by file: grain of those meshes
    std::map<std::string, std::optional<surface::SlopeTexture>> slopes;  ///< by file: normal maps of those meshes
    bool noted_size = false;                                             ///< a note about a very long body was made
    std::map<std::string, PartLooks> looks;                              ///< by file: looks of those meshes

    /// A text; inside [[generate]], {i-1} and the like are replaced by whole numbers. `negative`: set if one was below 0.
    std::string name_text(const Node& node, bool* negative = nullptr);
    /// Index of a material or body. Fails for an unknown name and suggests the nearest.
    MaterialId material(const Node& node, const std::string& name) const;
    int body(const Node& node, const std::string& name) const;
};

/// The file that a key names, relative to the scene's folder. Fails if there is no such file.
std::filesystem::path read_file_name(const Reader& reader, const Node& node);

/// Checks the characters in the name of a body, joint or generator.
void check_name(const Node& node, const std::string& name);

/// R = Rz(yaw) Ry(pitch) Rx(roll), right-handed: a positive pitch tips +x down.
Quat from_angles(double roll, double pitch, double yaw);
/// The same from roll_deg, pitch_deg, yaw_deg of a table.
Quat read_angles(const Node& table);

/// Reads the value of shape.height_field.
geometry::Shape read_height_field(Reader& reader, const Node& table);
/// The keys `tile_size` and `tiles_per_face` of a table; `otherwise` if it has neither.
surface::TileSize read_tile_size(const Node& table, const surface::TileSize& otherwise);
/// The `grain` or `grain_field` of a material or body; nothing if it has neither. `tile`: for a texture field that does not
/// give its own.
std::optional<surface::Grain> read_grain(const Reader& reader, const Node& table, const surface::TileSize& tile);
surface::Pixels to_pixels(importers::Picture picture);
/// The `normal_map` of a material or body, a file name or a table; nothing if it has none. `tile`: if it gives none.
std::optional<surface::SlopeTexture> read_normal_map(Reader& reader, const Node& table, const surface::TileSize& tile);
/// Grain, normal maps and looks from the materials of a glTF file, part by part. Empty if no material of the mesh has such a
/// property.
std::optional<surface::Grain> grain_of_file(const std::filesystem::path& path, const geometry::TriangleSet& mesh);
/// Unreadable maps and looks only cause a note, because the mesh is usable without them.
std::optional<surface::SlopeTexture> slopes_of_file(Reader& reader, const std::filesystem::path& path,
                                                    const geometry::TriangleSet& mesh);
PartLooks looks_of_file(Reader& reader, const std::filesystem::path& path);
surface::Pair read_pair(const Node& node);
surface::ContactModel read_contact_model(const Node& node);
/// patch_overlap, target_volume and patch_compliance of a pair or of the step.
surface::Stabilisation read_stabilisation(const Node& table);
void read_materials(Reader& reader, const Node& root);
void read_pairs(Reader& reader, const Node& root);
/// `first_on` replaces `on` if an index in `on` is below 0.
void read_body(Reader& reader, const Node& body, const std::string& name, const std::optional<std::string>& first_on = {});
/// step.method and the keys of the implicit world; sets Scene::implicit_settings if the scene runs there.
void read_implicit_step(Reader& reader, const Node& root);
/// Refuses the keys of a contact law that the implicit world does not have, if the scene runs there.
void check_implicit_pair(const Reader& reader, const Node& pair);
/// `soft`, `thickness` and `ignore` of a body; refuses what the world of the scene does not have.
void read_implicit_body(Reader& reader, const Node& node, int body, const rigid::BodyDesc& desc);
/// The motion about a start pose by `position`, roll_deg, pitch_deg and yaw_deg, numbers or formulas of t.
std::function<Pose(double)> path_of(const Node& node, const Pose& start);
void read_joint(Reader& reader, const Node& joint, const std::string& name);
void generate_bodies(Reader& reader, const Node& generate);
void generate_joints(Reader& reader, const Node& generate);

/// scene::parse() with other limits.
Scene parse_within(std::string_view text, const std::filesystem::path& name, const std::vector<Override>& overrides,
                   std::optional<std::uint64_t> seed, const ReadLimits& limits);

}  // namespace asperity::scene
