// motion.glb: glTF 2.0 binary (Khronos specification 2.0.1), one JSON chunk and one binary chunk.
//
//   root (rotates z up to glTF's y up) -- body "name" (animated) -- one mesh node per collider
//                                      |- deformable body "name": a mesh with morph targets (animated weights)
//                                      |- link (animated, stretched)
//                                      `- camera
#include <fmt/format.h>

#include <bit>
#include <limits>
#include <map>
#include <tuple>

#include <nlohmann/json.hpp>
#include <span>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/record/check.h"
#include "asperity/record/detail/bytes.h"
#include "asperity/record/detail/gltf_deformable.h"
#include "asperity/record/detail/gltf_materials.h"
#include "asperity/record/detail/motion.h"
#include "asperity/record/detail/shape_key.h"

namespace asperity::record {
namespace {

using nlohmann::json;

json number_list(std::span<const float> values) { return std::vector<float>(values.begin(), values.end()); }

json number_list(const Quat& q) {
    return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
}

/// A node that moves, and which of its properties do.
struct MovingNode {
    detail::Track track;
    detail::TrackRange range;
    std::vector<detail::Track::Part> varying;
};

std::span<const float> part_of(const detail::Track::Values& values, detail::Track::Part part) {
    return std::span(values).subspan(detail::Track::kFirst[part], detail::Track::kCount[part]);
}

// A .glb file holds at most 4 GiB. The motion of a longer run is thinned until it takes at most this, and viewers need the
// times of all keys in memory.
constexpr std::size_t kMostMotion = std::size_t{7} << 29, kMostKeys = std::size_t{1} << 22;  // [bytes], [-]
// Keys of as many nodes as fit into this are collected in one pass over the frames [bytes].
constexpr std::size_t kMotionBlock = std::size_t{1} << 27;

class Exporter {
  public:
    Exporter(const Recording& recording, const Frames& frames);

    void add_materials() {
        for (const surface::Material& material : recording_.materials) materials_.add(material);
    }
    void add_bodies();
    void add_deformables();
    void add_links();
    void add_camera();
    void write(const std::filesystem::path& path);

  private:
    int add_node(json node) {
        nodes_.push_back(std::move(node));
        return static_cast<int>(nodes_.size()) - 1;
    }
    int mesh(const geometry::Shape& shape, int material, const RecordedGrain& grain = {},
             const surface::SlopeTexture& slopes = {}, const PartLooks& looks = {});
    void animate(int node, MovingNode& moving);
    json placed(const MovingNode& moving, const std::string& name) const;
    double half_space_extent() const { return std::fmin(4 * reach_, 4000); }  // bounded: a body may fall for ever
    void write_motion(GrowingFile& file) const;

    const Recording& recording_;
    const Frames& frames_;
    std::size_t stride_ = 1, key_count_ = 0;
    std::vector<MovingNode> moving_;  // the bodies, then the links
    double reach_ = 10;               // of all bodies [m]
    detail::GltfBuffer buffer_;
    detail::GltfMaterials materials_{buffer_};
    int time_accessor_ = -1;
    json nodes_ = json::array(), meshes_ = json::array(), cameras_ = json::array(), channels_ = json::array(),
         samplers_ = json::array();
    std::vector<int> top_;                                              // children of the root
    std::map<std::tuple<std::string, int, const void*>, int> mesh_of_;  // (key of shape and grain, material, looks) -> mesh
};

// ---- meshes ----

Exporter::Exporter(const Recording& recording, const Frames& frames) : recording_(recording), frames_(frames) {
    for (std::size_t i = 0; i < recording.bodies.size(); ++i)
        moving_.push_back({detail::Track(static_cast<int>(i)), {}, {}});
    for (const Link& link : recording.links) moving_.push_back({detail::Track(link), {}, {}});
    const std::size_t bytes_of_key = sizeof(float) * (1 + 7 * recording.bodies.size() + 10 * recording.links.size());
    const std::size_t most = std::min(kMostKeys, std::max<std::size_t>(1, kMostMotion / bytes_of_key));
    stride_ = std::max<std::size_t>(1, (frames.size() + most - 1) / most);
    std::vector<float> times;
    detail::for_each_key(frames, stride_, [&](const Frame& frame, float time) {
        times.push_back(time);
        for (MovingNode& node : moving_) node.range.add(node.track.next(frame));
        for (std::size_t i = 0; i < frame.poses.size(); ++i) {
            const Vec3& p = frame.poses[i].position;
            if (is_finite(p) && recording.bodies[i].motion == rigid::Motion::Dynamic) reach_ = std::fmax(reach_, length(p));
        }
    });
    key_count_ = times.size();
    if (times.empty())
        for (MovingNode& node : moving_) node.range.add(node.track.start());
    if (times.size() > 1) time_accessor_ = buffer_.floats(times, 1, detail::kNoTarget);
}

/// Triangles of the drawing by part of the shape; parts without triangles are left out.
std::map<int, std::vector<std::uint32_t>> indices_of_parts(const geometry::Shape& shape,
                                                           const geometry::TriangleMesh& triangles) {
    const auto* mesh = std::get_if<geometry::Mesh>(&shape);
    if (!mesh) return {{0, triangles.triangles}};
    std::map<int, std::vector<std::uint32_t>> parts;
    for (std::size_t i = 0; i < triangles.triangles.size(); ++i)
        parts[mesh->triangles->part_of(triangles.faces[i / 3])].push_back(triangles.triangles[i]);
    return parts;
}

/// The grain of one part of a shape.
RecordedGrain grain_of_part(const geometry::Shape& shape, const RecordedGrain& grain, int triangle) {
    if (!grain.field || !std::holds_alternative<surface::PartsGrain>(*grain.field)) return grain;
    const surface::TextureGrain* texture = surface::texture_on(*grain.field, shape, triangle);
    return texture ? RecordedGrain{std::make_shared<const surface::Grain>(*texture), grain.shape_pose} : RecordedGrain{};
}

/// The map of a smooth part beside rough ones.
bool is_flat(const surface::SlopeMap& map) { return map.slopes.size() == 1 && map.slopes[0].x == 0 && map.slopes[0].y == 0; }

/// Tile size of the material's own picture. The checker picture is two squares wide.
surface::TileSize tile_of(const surface::Appearance& a) {
    surface::TileSize tile = a.texture_size;
    if (a.checker && a.texture.empty()) tile.edge *= 2;
    return tile;
}

int Exporter::mesh(const geometry::Shape& shape, int material, const RecordedGrain& grain,
                   const surface::SlopeTexture& slopes, const PartLooks& looks) {
    const std::string key = detail::shape_key(shape) + detail::grain_key(grain) + detail::slopes_key(slopes);
    const auto [entry, is_new] =
        mesh_of_.try_emplace({key, material, static_cast<const void*>(looks.get())}, static_cast<int>(meshes_.size()));
    if (!is_new) return entry->second;

    const bool half_space = std::holds_alternative<geometry::HalfSpace>(shape);
    const double extent = half_space ? half_space_extent() : 40;
    const geometry::TriangleMesh triangles = geometry::triangulate(shape, 48, extent);
    const surface::Material* own = material >= 0 ? &recording_.materials[static_cast<std::size_t>(material)] : nullptr;
    detail::TextureSpace space(shape, own && !looks ? tile_of(own->appearance) : surface::TileSize());
    std::vector<float> positions, normals, tangents;
    for (std::size_t i = 0; i < triangles.positions.size(); ++i)
        for (int k = 0; k < 3; ++k) {
            positions.push_back(static_cast<float>(triangles.positions[i][k]));
            normals.push_back(static_cast<float>(triangles.normals[i][k]));
        }
    json primitives = json::array();
    std::map<int, std::vector<std::uint32_t>> parts = indices_of_parts(shape, triangles);
    for (const auto& [part, indices] : parts) {
        int look = material;
        if (own && looks && static_cast<std::size_t>(part) < looks->size() && (*looks)[static_cast<std::size_t>(part)])
            look = materials_.add(*(*looks)[static_cast<std::size_t>(part)], fmt::format("{} {}", own->name, part), space);
        const surface::SlopeTexture& normal_map = slopes.on_part(part);
        const bool rough = own && normal_map.map && !is_flat(*normal_map.map);
        if (rough) look = materials_.rough(look, normal_map, space);
        // A normal map refers to the tangents of the texture coordinates, so a grain field must not turn them.
        // the drawing of a mesh has one vertex per triangle corner
        const RecordedGrain brush = grain_of_part(shape, grain, static_cast<int>(indices[0] / 3));
        if (brush.field && own && (!rough || std::holds_alternative<surface::TextureGrain>(*brush.field))) {
            detail::GrainLook brushed = detail::grain_look(shape, triangles, brush, extent);
            look = materials_.brushed(look, brushed, space);
            tangents = std::move(brushed.tangents);
        } else if (rough) {
            tangents = detail::texture_tangents(shape, triangles);
        }
        json primitive = {{"indices", buffer_.indices(indices, triangles.positions.size())}};
        if (look >= 0) primitive["material"] = look;
        primitives.push_back(std::move(primitive));
    }
    json attributes = {{"POSITION", buffer_.floats(positions, 3, detail::kVertexData)},
                       {"NORMAL", buffer_.floats(normals, 3, detail::kVertexData)},
                       {"TEXCOORD_0", buffer_.floats(space.first(triangles), 2, detail::kVertexData)}};
    if (space.second_set()) attributes["TEXCOORD_1"] = buffer_.floats(space.second(triangles), 2, detail::kVertexData);
    if (!tangents.empty()) attributes["TANGENT"] = buffer_.floats(tangents, 4, detail::kVertexData);
    for (json& primitive : primitives) primitive["attributes"] = attributes;
    meshes_.push_back({{"name", geometry::name(shape)}, {"primitives", std::move(primitives)}});
    return entry->second;
}

// ---- nodes and their motion ----

json Exporter::placed(const MovingNode& moving, const std::string& name) const {
    const detail::Track::Values& first = moving.range.first;
    json node = {{"name", name},
                 {"translation", number_list(part_of(first, detail::Track::Translation))},
                 {"rotation", number_list(part_of(first, detail::Track::Rotation))}};
    if (moving.track.parts() > 2) node["scale"] = number_list(part_of(first, detail::Track::Scale));
    return node;
}

void Exporter::animate(int node, MovingNode& moving) {
    constexpr const char* kPaths[] = {"translation", "rotation", "scale"};
    for (int i = 0; i < moving.track.parts() && time_accessor_ >= 0; ++i) {
        const auto part = static_cast<detail::Track::Part>(i);
        if (!moving.range.varies(part)) continue;
        moving.varying.push_back(part);
        samplers_.push_back(
            {{"input", time_accessor_},
             {"output", buffer_.later_floats(key_count_, part_of(moving.range.low, part), part_of(moving.range.high, part))},
             {"interpolation", "LINEAR"}});
        channels_.push_back({{"sampler", samplers_.size() - 1}, {"target", {{"node", node}, {"path", kPaths[i]}}}});
    }
}

/// Writes the values that animate() announced. A frame holds all nodes, the file wants all keys of a node together.
void Exporter::write_motion(GrowingFile& file) const {
    for (std::size_t first = 0; first < moving_.size();) {
        std::vector<detail::Track> tracks;
        std::vector<std::string> values;  // for each varying part of each track
        std::size_t last = first, size = 0;
        for (; last < moving_.size() && (last == first || size < kMotionBlock); ++last) {
            const MovingNode& node = moving_[last];
            tracks.push_back(last < recording_.bodies.size()
                                 ? detail::Track(static_cast<int>(last))
                                 : detail::Track(recording_.links[last - recording_.bodies.size()]));
            for (const detail::Track::Part part : node.varying)
                size += sizeof(float) * key_count_ * detail::Track::kCount[part];
            values.resize(values.size() + node.varying.size());
        }
        if (!values.empty())
            detail::for_each_key(frames_, stride_, [&](const Frame& frame, float) {
                std::size_t k = 0;
                for (std::size_t i = first; i < last; ++i) {
                    const detail::Track::Values& key = tracks[i - first].next(frame);
                    for (const detail::Track::Part part : moving_[i].varying) {
                        detail::ByteWriter out;
                        out.bytes.swap(values[k]);
                        for (const float x : part_of(key, part)) out.u32(std::bit_cast<std::uint32_t>(x));
                        out.bytes.swap(values[k++]);
                    }
                }
            });
        for (const std::string& part : values) file.write(part);
        first = last;
    }
}

void Exporter::add_bodies() {
    for (std::size_t i = 0; i < recording_.bodies.size(); ++i) {
        const RecordedBody& body = recording_.bodies[i];
        if (body.deformable) continue;
        std::vector<int> children;
        for (std::size_t k = 0; k < body.colliders.size(); ++k) {
            const rigid::Collider& collider = body.colliders[k];
            json node = {{"mesh", mesh(collider.shape, collider.material.index,
                                       k < body.grains.size() ? body.grains[k] : RecordedGrain{}, body.slopes_of(k),
                                       k < body.looks.size() ? body.looks[k] : PartLooks{})}};
            const Vec3& p = collider.local.position;
            if (!(p == Vec3{}))
                node["translation"] = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
            if (!(collider.local.orientation == Quat{}))
                node["rotation"] = number_list(normalized(collider.local.orientation));
            children.push_back(add_node(std::move(node)));
        }
        json node = placed(moving_[i], body.name);
        if (!children.empty()) node["children"] = children;
        top_.push_back(add_node(std::move(node)));
        animate(top_.back(), moving_[i]);
    }
}

void Exporter::add_deformables() {
    detail::GltfDeformables deformables(recording_, frames_);
    const auto look = [&](const RecordedBody& body) {
        const int material = body.colliders.front().material.index;
        const surface::Appearance& own = recording_.materials[static_cast<std::size_t>(material)].appearance;
        return detail::GltfDeformables::Look{material, tile_of(own)};
    };
    const std::vector<json> nodes = deformables.add(buffer_, meshes_, look);
    for (const json& node : nodes) top_.push_back(add_node(node));
    if (nodes.empty() || !deformables.moves()) return;
    for (std::size_t i = top_.size() - nodes.size(); i < top_.size(); ++i)
        channels_.push_back({{"sampler", samplers_.size()}, {"target", {{"node", top_[i]}, {"path", "weights"}}}});
    samplers_.push_back(deformables.sampler());
}

/// Links (strings, springs) as thin bars. Their width is a hundredth of the length of the longest.
void Exporter::add_links() {
    if (recording_.links.empty()) return;
    const std::span links = std::span(moving_).subspan(recording_.bodies.size());
    float longest = 0;
    for (const MovingNode& link : links) longest = std::max(longest, link.range.high.back());  // scale along z
    const int dark = materials_.add(
        json{{"name", "link"},
             {"pbrMetallicRoughness",
              {{"baseColorFactor", {0.15, 0.15, 0.15, 1.0}}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.6}}}});
    const int bar = mesh(geometry::Cylinder{0.005 * static_cast<double>(longest), 0.5}, -1);
    meshes_[static_cast<std::size_t>(bar)]["primitives"][0]["material"] = dark;
    for (std::size_t i = 0; i < links.size(); ++i) {
        json node = placed(links[i], fmt::format("link {}", i));
        node["mesh"] = bar;
        top_.push_back(add_node(std::move(node)));
        animate(top_.back(), links[i]);
    }
}

/// A glTF camera looks along its own -z with +y up.
void Exporter::add_camera() {
    if (!recording_.view) return;
    const View& view = *recording_.view;
    const double distance = length(view.eye - view.target);
    const Vec3 back = (view.eye - view.target) / distance;
    // view straight up or down: the heading is arbitrary
    const Vec3 right = normalize_or(cross({0, 0, 1}, back), {1, 0, 0});
    const Vec3 up = cross(back, right);
    cameras_.push_back(
        {{"type", "perspective"},
         {"perspective",
          {{"yfov", radians(view.field_of_view_deg)}, {"aspectRatio", 16.0 / 9.0}, {"znear", 1e-3 * distance}}}});
    json node = {{"name", "camera"}, {"camera", 0}};
    node["rotation"] = number_list(quaternion(transposed(Mat3{{right, up, back}})));
    node["translation"] = {static_cast<float>(view.eye.x), static_cast<float>(view.eye.y), static_cast<float>(view.eye.z)};
    top_.push_back(add_node(std::move(node)));
}

// ---- the file ----

void Exporter::write(const std::filesystem::path& path) {
    json root = {{"name", recording_.title.empty() ? "asperity" : recording_.title}};
    root["rotation"] = number_list(Quat{std::sqrt(0.5), -std::sqrt(0.5), 0, 0});  // (x, y, z) -> (x, z, -y)
    if (!top_.empty()) root["children"] = top_;
    const int root_node = add_node(std::move(root));
    const std::size_t binary = buffer_.place_later();

    json out = {{"asset", {{"version", "2.0"}, {"generator", "asperity"}}},
                {"scene", 0},
                {"scenes", json::array({{{"nodes", {root_node}}}})}};
    if (!channels_.empty())
        out["animations"] = json::array({{{"name", "motion"}, {"channels", channels_}, {"samplers", samplers_}}});
    materials_.write(out);
    if (binary > 0) out["buffers"] = json::array({{{"byteLength", binary}}});
    // The specification forbids empty lists.
    const std::pair<const char*, json*> lists[] = {{"nodes", &nodes_},
                                                   {"meshes", &meshes_},
                                                   {"cameras", &cameras_},
                                                   {"bufferViews", &buffer_.views},
                                                   {"accessors", &buffer_.accessors}};
    for (const auto& [key, list] : lists)
        if (!list->empty()) out[key] = std::move(*list);

    std::string text = out.dump(-1, ' ', false, json::error_handler_t::replace);  // invalid UTF-8 in names is replaced
    while (text.size() % 4 != 0) text.push_back(' ');
    const std::size_t total = 12 + 8 + text.size() + (binary == 0 ? 0 : 8 + binary);
    if (total > std::numeric_limits<std::uint32_t>::max())
        throw InputError(
            fmt::format("{}: needs {} bytes, but a .glb file holds at most 4 GiB; use smaller meshes or textures",
                        path.string(), total));
    detail::ByteWriter glb;
    glb.bytes = "glTF";
    glb.u32(2);
    glb.u32(static_cast<std::uint32_t>(total));
    glb.u32(static_cast<std::uint32_t>(text.size()));
    glb.bytes += "JSON" + text;
    if (binary > 0) {
        glb.u32(static_cast<std::uint32_t>(binary));
        glb.bytes += std::string_view("BIN\0", 4);
    }
    GrowingFile file(path);
    file.write(glb.bytes);
    file.write(buffer_.bytes);
    write_motion(file);
    file.finish();
}

}  // namespace

void save_glb(const Recording& recording, const Frames& frames, const std::filesystem::path& path) {
    Exporter exporter(recording, frames);
    exporter.add_materials();
    exporter.add_bodies();
    exporter.add_deformables();
    exporter.add_links();
    exporter.add_camera();
    exporter.write(path);
}

void save_glb(const Recording& recording, const std::filesystem::path& path) {
    if (const std::string why = defect(recording); !why.empty())
        throw InputError(fmt::format("{}: cannot export this recording: {}", path.string(), why));
    save_glb(recording, FramesInMemory(recording.frames), path);
}

}  // namespace asperity::record
