#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/record/detail/motion.h"
#include "asperity/record/png.h"
#include "tests/unit/record/deformable_sample.h"
#include "tests/unit/record/sample.h"

namespace asperity::record {
namespace {

using nlohmann::json;

/// A parsed .glb file. The constructor checks the rules of the specification that matter to viewers.
class Glb {
  public:
    explicit Glb(const std::filesystem::path& path) : bytes_(read_file(path)) {
        EXPECT_EQ(bytes_.substr(0, 4), "glTF");
        EXPECT_EQ(u32(4), 2u);
        EXPECT_EQ(u32(8), bytes_.size());
        const std::size_t text_size = u32(12);
        EXPECT_EQ(bytes_.substr(16, 4), "JSON");
        EXPECT_EQ(text_size % 4, 0u);
        content = json::parse(bytes_.substr(20, text_size));
        const std::size_t binary = 20 + text_size;
        if (binary < bytes_.size()) {
            EXPECT_EQ(bytes_.substr(binary + 4, 4), std::string("BIN\0", 4));
            EXPECT_EQ(u32(binary) % 4, 0u);
            EXPECT_EQ(binary + 8 + u32(binary), bytes_.size());
            data_ = bytes_.substr(binary + 8);
        }
        check();
    }

    /// The elements of an accessor as doubles, one list per element.
    std::vector<std::vector<double>> elements(std::size_t index) const {
        const json& a = content["accessors"].at(index);
        const std::string type = a["type"];
        const std::size_t components = type == "SCALAR" ? 1 : type == "VEC2" ? 2 : type == "VEC3" ? 3 : 4;
        const int kind = a["componentType"];
        const std::size_t size = kind == 5123 ? 2 : 4;
        const std::string content_bytes = view(a["bufferView"]);
        const std::size_t element_count = a["count"];
        EXPECT_EQ(content_bytes.size(), element_count * components * size) << "accessor " << index;
        std::vector<std::vector<double>> out(element_count, std::vector<double>(components));
        for (std::size_t i = 0; i < element_count * components; ++i) {
            double value = 0;
            if (kind == 5126) value = static_cast<double>(read<float>(content_bytes, 4 * i));
            if (kind == 5125) value = read<std::uint32_t>(content_bytes, 4 * i);
            if (kind == 5123) value = read<std::uint16_t>(content_bytes, 2 * i);
            out[i / components][i % components] = value;
        }
        return out;
    }
    std::string view(std::size_t index) const {
        const json& v = content["bufferViews"].at(index);
        return data_.substr(v["byteOffset"], v["byteLength"]);
    }
    const json& node(const std::string& name) const {
        for (const json& n : content["nodes"])
            if (n.value("name", "") == name) return n;
        throw std::runtime_error("no node " + name);
    }
    std::size_t node_index(const std::string& name) const {
        return static_cast<std::size_t>(&node(name) - content["nodes"].get_ptr<const json::array_t*>()->data());
    }
    /// The animated paths of a node: "translation", "rotation", ...
    std::set<std::string> paths(const std::string& name) const {
        std::set<std::string> out;
        if (content.contains("animations"))
            for (const json& channel : content["animations"][0]["channels"])
                if (channel["target"]["node"] == node_index(name)) out.insert(channel["target"]["path"]);
        return out;
    }
    std::vector<std::vector<double>> output(const std::string& name, const std::string& path) const {
        const json& animation = content["animations"][0];
        for (const json& channel : animation["channels"])
            if (channel["target"]["node"] == node_index(name) && channel["target"]["path"] == path)
                return elements(animation["samplers"].at(channel["sampler"].get<std::size_t>())["output"]);
        throw std::runtime_error("not animated: " + name);
    }

    json content;

  private:
    template <class T>
    static T read(const std::string& from, std::size_t at) {
        T value;
        std::memcpy(&value, from.data() + at, sizeof value);
        return value;
    }
    std::uint32_t u32(std::size_t at) const { return read<std::uint32_t>(bytes_, at); }

    void check() const {
        EXPECT_EQ(content["asset"]["version"], "2.0");
        for (const auto& [key, value] : content.items())
            if (value.is_array()) { EXPECT_FALSE(value.empty()) << key << " must not be an empty list"; }
        if (content.contains("buffers")) { EXPECT_EQ(content["buffers"][0]["byteLength"], data_.size()); }
        for (const json& v : content.value("bufferViews", json::array())) {
            EXPECT_EQ(v["byteOffset"].get<std::size_t>() % 4, 0u);
            EXPECT_LE(v["byteOffset"].get<std::size_t>() + v["byteLength"].get<std::size_t>(), data_.size());
        }
        const std::size_t accessor_count = content.value("accessors", json::array()).size();
        for (std::size_t i = 0; i < accessor_count; ++i) {
            const json& a = content["accessors"][i];
            const auto all = elements(i);
            ASSERT_FALSE(all.empty());
            std::vector<double> low = all[0], high = all[0];
            for (const auto& e : all)
                for (std::size_t k = 0; k < e.size(); ++k) {
                    EXPECT_TRUE(std::isfinite(e[k]));
                    low[k] = std::min(low[k], e[k]), high[k] = std::max(high[k], e[k]);
                }
            EXPECT_EQ(a["min"].get<std::vector<double>>(), low) << "accessor " << i;
            EXPECT_EQ(a["max"].get<std::vector<double>>(), high) << "accessor " << i;
        }
        for (const json& mesh : content.value("meshes", json::array()))
            for (const json& primitive : mesh["primitives"]) check_primitive(primitive);
        check_nodes();
        if (content.contains("animations")) check_animation(content["animations"][0]);
    }
    void check_primitive(const json& primitive) const {
        const auto positions = elements(primitive["attributes"]["POSITION"]);
        const auto normals = elements(primitive["attributes"]["NORMAL"]);
        const auto uvs = elements(primitive["attributes"]["TEXCOORD_0"]);
        const auto indices = elements(primitive["indices"]);
        EXPECT_EQ(positions.size(), normals.size());
        EXPECT_EQ(positions.size(), uvs.size());
        EXPECT_EQ(indices.size() % 3, 0u);
        for (const auto& i : indices) EXPECT_LT(i[0], static_cast<double>(positions.size()));
        for (const auto& n : normals) EXPECT_NEAR(std::hypot(n[0], n[1], n[2]), 1, 1e-6);  // a few float roundings
        EXPECT_LT(primitive["material"].get<std::size_t>(), content["materials"].size());
        for (const json& target : primitive.value("targets", json::array()))
            for (const char* name : {"POSITION", "NORMAL"})
                EXPECT_EQ(elements(target[name]).size(), positions.size()) << "of a morph target";
    }
    std::size_t target_count(const json& node) const {
        const json& mesh = content["meshes"][node["mesh"].get<std::size_t>()];
        const std::size_t count = mesh["primitives"][0]["targets"].size();
        EXPECT_EQ(mesh["weights"].size(), count);
        EXPECT_EQ(mesh["extras"]["targetNames"].size(), count);
        return count;
    }
    void check_nodes() const {
        std::vector<int> parents(content["nodes"].size(), 0);
        for (const json& n : content["nodes"]) {
            if (n.contains("children")) { EXPECT_FALSE(n["children"].empty()); }
            for (const std::size_t child : n.value("children", std::vector<std::size_t>{})) ++parents.at(child);
            if (n.contains("rotation")) expect_unit(n["rotation"].get<std::vector<double>>());
            if (n.contains("mesh")) { EXPECT_LT(n["mesh"].get<std::size_t>(), content["meshes"].size()); }
        }
        const std::size_t root = content["scenes"][0]["nodes"][0];
        for (std::size_t i = 0; i < parents.size(); ++i) EXPECT_EQ(parents[i], i == root ? 0 : 1) << "node " << i;
    }
    void check_animation(const json& animation) const {
        std::set<std::pair<std::size_t, std::string>> targets;
        for (const json& channel : animation["channels"]) {
            const json& sampler = animation["samplers"].at(channel["sampler"].get<std::size_t>());
            EXPECT_EQ(sampler["interpolation"], "LINEAR");
            const auto times = elements(sampler["input"]);
            const auto values = elements(sampler["output"]);
            const std::string path = channel["target"]["path"];
            const json& node = content["nodes"].at(channel["target"]["node"].get<std::size_t>());
            EXPECT_EQ(times.size() * (path == "weights" ? target_count(node) : 1), values.size());
            EXPECT_GE(times[0][0], 0);
            for (std::size_t i = 1; i < times.size(); ++i) EXPECT_GT(times[i][0], times[i - 1][0]);
            EXPECT_TRUE(targets.emplace(channel["target"]["node"], path).second) << "two channels for one target";
            EXPECT_LT(channel["target"]["node"].get<std::size_t>(), content["nodes"].size());
            if (path != "rotation") continue;
            for (std::size_t i = 0; i < values.size(); ++i) {
                expect_unit(values[i]);
                double d = 0;
                for (std::size_t k = 0; i > 0 && k < 4; ++k) d += values[i][k] * values[i - 1][k];
                EXPECT_GE(d, 0) << "the sign of the quaternion jumps at key " << i;
            }
        }
    }
    static void expect_unit(const std::vector<double>& q) {
        ASSERT_EQ(q.size(), 4u);
        EXPECT_NEAR(std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3])), 1, 1e-6);  // a few float roundings
    }
    std::string bytes_, data_;
};

TEST(Gltf, HoldsOneNamedNodeForEachBodyAndAnimatesWhatMoves) {
    TemporaryFolder folder;
    save_glb(sample_recording(), folder / "motion.glb");
    const Glb glb(folder / "motion.glb");
    EXPECT_EQ(glb.node("mover, left")["children"].size(), 4u);
    EXPECT_EQ(glb.node("stander")["children"].size(), 3u);
    EXPECT_EQ(glb.paths("mover, left"), (std::set<std::string>{"translation", "rotation"}));
    EXPECT_EQ(glb.paths("ground"), std::set<std::string>{});
    EXPECT_EQ(glb.paths("stander"), std::set<std::string>{});
    EXPECT_EQ(glb.paths("link 0"), (std::set<std::string>{"translation", "rotation", "scale"}));
    const auto where = glb.output("mover, left", "translation");
    ASSERT_EQ(where.size(), 11u);
    EXPECT_FLOAT_EQ(static_cast<float>(where[7][0]), 1.4f);
    // Key 1 is rotated by 1.1 rad about z: x y z w = 0 0 sin(0.55) cos(0.55), whichever sign the recording uses.
    const auto turn = glb.output("mover, left", "rotation");
    EXPECT_NEAR(turn[1][2], std::sin(0.55), 1e-7);
    EXPECT_NEAR(turn[1][3], std::cos(0.55), 1e-7);
}

TEST(Gltf, SharesMeshesBetweenEqualShapesOfOneMaterial) {
    TemporaryFolder folder;
    save_glb(sample_recording(), folder / "motion.glb");
    const Glb glb(folder / "motion.glb");
    // half-space, box, sphere, hull (twice), capsule, cylinder, mesh; and one bar for all links
    EXPECT_EQ(glb.content["meshes"].size(), 8u);
    Recording r = sample_recording();
    r.bodies[1].colliders[3].material = MaterialId{0};
    save_glb(r, folder / "two.glb");
    EXPECT_EQ(Glb(folder / "two.glb").content["meshes"].size(), 9u) << "the same hull in another material";
}

TEST(Gltf, TurnsZUpIntoYUpAtTheRoot) {
    TemporaryFolder folder;
    save_glb(sample_recording(), folder / "motion.glb");
    const Glb glb(folder / "motion.glb");
    const json& root = glb.content["nodes"][glb.content["scenes"][0]["nodes"][0].get<std::size_t>()];
    const auto q = root["rotation"].get<std::vector<double>>();
    const Vec3 up = rotate({q[3], q[0], q[1], q[2]}, {0, 0, 1}), east = rotate({q[3], q[0], q[1], q[2]}, {1, 0, 0});
    EXPECT_NEAR(length(up - Vec3{0, 1, 0}), 0, 1e-6);
    EXPECT_NEAR(length(east - Vec3{1, 0, 0}), 0, 1e-6);
    EXPECT_EQ(root["name"], "one of everything");
}

TEST(Gltf, CameraLooksAtItsTargetWithTheHorizonLevel) {
    TemporaryFolder folder;
    const Recording r = sample_recording();
    save_glb(r, folder / "motion.glb");
    const Glb glb(folder / "motion.glb");
    const json& camera = glb.node("camera");
    const auto q = camera["rotation"].get<std::vector<double>>();
    const Quat turn{q[3], q[0], q[1], q[2]};
    EXPECT_NEAR(length(rotate(turn, {0, 0, -1}) - normalized(r.view->target - r.view->eye)), 0, 1e-6);
    EXPECT_NEAR(rotate(turn, {1, 0, 0}).z, 0, 1e-6);
    EXPECT_GT(rotate(turn, {0, 1, 0}).z, 0);
    EXPECT_NEAR(glb.content["cameras"][0]["perspective"]["yfov"].get<double>(), radians(40), 1e-12);
}

TEST(Gltf, MaterialsCarryColourTexturesAndTheChecker) {
    TemporaryFolder folder;
    const std::uint8_t grey[] = {1, 2, 3, 4, 5, 6};
    const std::string png = record::png(3, 2, 1, grey);
    write_file(folder / "wood.png", png);
    Recording r = sample_recording();
    surface::Appearance& wood = r.materials[1].appearance;
    wood.texture = (folder / "wood.png").string();
    r.materials.push_back(r.materials[1]);
    r.materials[2].appearance.color = surface::Appearance{}.color;
    r.materials.push_back(r.materials[1]);
    r.materials[3].appearance.texture = (folder / "gone.png").string();
    save_glb(r, folder / "motion.glb");
    const Glb glb(folder / "motion.glb");
    const json &floor = glb.content["materials"][0], &oak = glb.content["materials"][1],
               &third = glb.content["materials"][2], &fourth = glb.content["materials"][3];
    EXPECT_EQ(oak["name"], "wood, \"oak\"");
    EXPECT_EQ(oak["pbrMetallicRoughness"]["metallicFactor"], 0.25);
    EXPECT_EQ(floor["pbrMetallicRoughness"]["baseColorFactor"], (std::vector<double>{0.7, 0.7, 0.7, 1}));
    const auto image = [&](const json& texture) -> const json& {
        return glb
            .content["images"][glb.content["textures"][texture["index"].get<std::size_t>()]["source"].get<std::size_t>()];
    };
    EXPECT_EQ(glb.view(image(oak["pbrMetallicRoughness"]["baseColorTexture"])["bufferView"]), png)
        << "embedded byte for byte";
    EXPECT_EQ(oak["pbrMetallicRoughness"]["baseColorFactor"], (std::vector<double>{0.5, 0.25, 0.125, 1})) << "tints";
    EXPECT_TRUE(glb.view(image(floor["pbrMetallicRoughness"]["baseColorTexture"])["bufferView"]).starts_with("\x89PNG"));
    EXPECT_EQ(third["pbrMetallicRoughness"]["baseColorTexture"], oak["pbrMetallicRoughness"]["baseColorTexture"])
        << "one picture, once";
    EXPECT_EQ(third["pbrMetallicRoughness"]["baseColorFactor"], (std::vector<double>{1, 1, 1, 1})) << "no darkening grey";
    EXPECT_FALSE(fourth["pbrMetallicRoughness"].contains("baseColorTexture"));
    EXPECT_EQ(fourth["extras"]["missing_textures"][0], (folder / "gone.png").string());

    write_file(folder / "wood.png", "not a picture");
    EXPECT_NE(message_of([&] { save_glb(r, folder / "motion.glb"); }).find("neither PNG nor JPEG"), std::string::npos);
}

TEST(Gltf, CheckerSquaresOnAHalfSpaceAreOneMetre) {
    TemporaryFolder folder;
    save_glb(sample_recording(), folder / "motion.glb");
    const Glb glb(folder / "motion.glb");
    const json& ground = glb.content["nodes"][glb.node("ground")["children"][0].get<std::size_t>()];
    const json& attributes = glb.content["meshes"][ground["mesh"].get<std::size_t>()]["primitives"][0]["attributes"];
    const auto positions = glb.elements(attributes["POSITION"]), uvs = glb.elements(attributes["TEXCOORD_0"]);
    EXPECT_GE(positions[2][0] - positions[0][0], 40) << "large";
    // The picture holds 2 x 2 squares, so one unit of u is two metres.
    EXPECT_FLOAT_EQ(static_cast<float>((uvs[2][0] - uvs[0][0]) * 2), static_cast<float>(positions[2][0] - positions[0][0]));
}

TEST(Gltf, ExportsEmptyAndBrokenRunsAsFarAsTheyGo) {
    TemporaryFolder folder;
    save_glb(Recording{}, folder / "empty.glb");
    EXPECT_EQ(Glb(folder / "empty.glb").content["nodes"].size(), 1u);
    Recording still = sample_recording();
    still.frames.resize(1);
    save_glb(still, folder / "still.glb");
    EXPECT_FALSE(Glb(folder / "still.glb").content.contains("animations"));
    still.frames.clear();
    save_glb(still, folder / "none.glb");
    EXPECT_FALSE(Glb(folder / "none.glb").content.contains("animations"));

    Recording broken = sample_recording();
    broken.bodies[1].name = "not \xff utf-8";
    for (std::size_t i = 6; i < 11; ++i) broken.frames[i].poses[1].position.y = std::numeric_limits<double>::quiet_NaN();
    broken.frames[3].time = broken.frames[2].time;  // two frames at the same time: the later one is left out
    save_glb(broken, folder / "broken.glb");
    const Glb glb(folder / "broken.glb");
    const auto where = glb.output("not \xef\xbf\xbd utf-8", "translation");
    ASSERT_EQ(where.size(), 10u);
    EXPECT_EQ(where[9], where[4]) << "stays where it was last seen";
}

/// Vertices of a deformable body in world axes, with the weights of its targets, as a viewer computes them.
std::vector<Vec3> deformed(const Glb& glb, const std::string& name, const std::vector<double>& weights) {
    const json& node = glb.node(name);
    const json& primitive = glb.content["meshes"][node["mesh"].get<std::size_t>()]["primitives"][0];
    std::vector<Vec3> out;
    for (const auto& p : glb.elements(primitive["attributes"]["POSITION"])) out.push_back({p[0], p[1], p[2]});
    for (std::size_t k = 0; k < weights.size(); ++k) {
        const auto moved = glb.elements(primitive["targets"][k]["POSITION"]);
        for (std::size_t i = 0; i < out.size(); ++i) out[i] += weights[k] * Vec3{moved[i][0], moved[i][1], moved[i][2]};
    }
    const auto at = node["translation"].get<std::vector<double>>();
    for (Vec3& p : out) p += Vec3{at[0], at[1], at[2]};
    return out;
}

/// Largest distance of a vertex from the nearest of the points.
double distance_from(const std::vector<Vec3>& vertices, const std::vector<Vec3>& points) {
    double largest = 0;
    for (const Vec3& v : vertices) {
        double nearest = HUGE_VAL;
        for (const Vec3& p : points) nearest = std::fmin(nearest, length(v - p));
        largest = std::fmax(largest, nearest);
    }
    return largest;
}

TEST(Gltf, DeformableBodiesMoveByMorphTargets) {
    TemporaryFolder folder;
    const Recording r = deformable_recording();
    save_glb(r, folder / "motion.glb");
    const Glb glb(folder / "motion.glb");
    EXPECT_FALSE(glb.node("jelly").contains("children")) << "the collider is not drawn";
    EXPECT_EQ(glb.paths("jelly"), std::set<std::string>{"weights"});
    const auto weights = glb.output("jelly", "weights");
    ASSERT_EQ(weights.size(), 11u * 11u);
    for (std::size_t key = 0; key < 11; ++key) {
        std::vector<double> now;
        for (std::size_t k = 0; k < 11; ++k) now.push_back(weights[11 * key + k][0]);
        const std::vector<Vec3> vertices = deformed(glb, "jelly", now);
        EXPECT_EQ(vertices.size(), 18u) << "all edges of the two tetrahedra are sharp";
        // Float rounding of coordinates up to 2 m, three times.
        EXPECT_LT(distance_from(vertices, r.frames[key].deformations[0].positions), 1e-6);
        EXPECT_LT(distance_from(r.frames[key].deformations[0].positions, vertices), 1e-6) << "no node is missing";
    }
    for (const Vec3& p : deformed(glb, "plate", {})) EXPECT_NEAR(std::fabs(p.y), 0.1, 1e-7) << "drawn with its depth";
}

TEST(Gltf, DeformableBodiesOfLongRunsHaveSixtyKeysEvenlySpacedInTime) {
    TemporaryFolder folder;
    Recording r = deformable_recording(300);
    for (std::size_t i = 200; i < 300; ++i) r.frames[i].deformations[0].positions[1].y = std::nan("");
    save_glb(r, folder / "motion.glb");
    const Glb glb(folder / "motion.glb");
    ASSERT_EQ(glb.output("jelly", "weights").size(), 60u * 60u);
    std::vector<double> last(60, 0);
    last[59] = 1;
    const auto near = [&](std::size_t frame) {
        return distance_from(deformed(glb, "jelly", last), r.frames[frame].deformations[0].positions);
    };
    EXPECT_LT(std::fmin(near(199), std::fmin(near(198), std::fmin(near(197), near(196)))), 1e-5)
        << "stays where it was last seen, at a key at most half a spacing, 2.5 frames, before";
}

TEST(Gltf, LinksReachFromEndToEnd) {
    const Recording r = sample_recording();
    detail::Track track(r.links[0]);
    for (std::size_t k = 0; k < r.frames.size(); ++k) {
        const detail::Track::Values& key = track.next(r.frames[k]);
        const auto f = [&](std::size_t i) { return static_cast<double>(key[i]); };
        const Quat q{f(6), f(3), f(4), f(5)};
        const Vec3 middle{f(0), f(1), f(2)};
        const Vec3 half = rotate(q, {0, 0, 0.5 * f(9)});
        EXPECT_NEAR(length(middle - half - r.frames[k].poses[1] * r.links[0].local_a), 0, 1e-6);  // float rounding of 2 m
        EXPECT_NEAR(length(middle + half - r.frames[k].poses[2] * r.links[0].local_b), 0, 1e-6);
    }
}

}  // namespace
}  // namespace asperity::record
