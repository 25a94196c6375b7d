// Damaged mesh files. For any bytes, reading must end in a usable mesh or in an InputError on one line.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/core/random.h"
#include "asperity/geometry/convex_contact/collide.h"
#include "asperity/importers/load.h"

namespace asperity::importers {
namespace {

constexpr int kMutants = 4000;  // the same on every machine; take a second of CPU time

int below(Random& random, std::size_t count) { return static_cast<int>(random.uniform() * static_cast<double>(count)); }

std::string mutated(std::string bytes, Random& random, bool text) {
    static const char* const words[] = {"nan", "inf",  "-1", "0",  "999999999999", "1e308", "/",    "//",     "f", "v", "{}",
                                        "[",   "null", "\"", "-0", "4294967295",   "5126",  "\\\n", "%2e%2e/"};
    const int changes = 1 + below(random, 6);
    for (int i = 0; i < changes && !bytes.empty(); ++i) {
        const auto at = static_cast<std::size_t>(below(random, bytes.size()));
        switch (below(random, text ? 5 : 4)) {
            case 0: bytes[at] = static_cast<char>(below(random, 256)); break;
            case 1: bytes.resize(at); break;
            case 2: bytes.erase(at, static_cast<std::size_t>(1 + below(random, 20))); break;
            case 3:
                bytes.insert(at, bytes.substr(static_cast<std::size_t>(below(random, bytes.size())),
                                              static_cast<std::size_t>(below(random, 40))));
                break;
            default: {
                std::size_t end = at;
                while (end < bytes.size() &&
                       (std::isalnum(static_cast<unsigned char>(bytes[end])) || bytes[end] == '.' || bytes[end] == '-'))
                    ++end;
                bytes.replace(at, end - at, words[below(random, std::size(words))]);
            }
        }
    }
    return bytes;
}

/// Reads and uses the mesh; returns whether it was accepted.
template <class Parse>
bool survives(const Parse& parse) {
    try {
        const geometry::Mesh mesh = geometry::make_mesh(parse(), 1, "fuzz");
        geometry::ContactList list;
        const Vec3 middle = 0.5 * (mesh.triangles->box.low + mesh.triangles->box.high);
        const double size = mesh.triangles->extent;
        geometry::collide_mesh(mesh, {}, geometry::Box{{0.3 * size, 0.2 * size, 0.1 * size}},
                               {middle, rotation({0.1, 0.2, 0.3})}, 0.1 * size, {}, list);
        geometry::collide_mesh(mesh, {}, geometry::Sphere{0.2 * size}, {middle, {}}, 0.1 * size, {}, list);
        geometry::collide_mesh(mesh, {}, mesh, {middle, rotation({1, 0, 0})}, 0.01 * size, {}, list);
        for (int i = 0; i < list.count; ++i)
            EXPECT_TRUE(is_finite(list.items[i].normal) && std::isfinite(list.items[i].point.gap));
        EXPECT_TRUE(std::isfinite(geometry::volume_integrals(mesh).volume));
        return true;
    } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        return false;
    }
}

std::string small_obj() {
    return "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 -1\nf 1/1/1 3/2/1 2/3/1\nf 1/1/1 2/2/1 "
           "4/3/1\nf 2/1/1 3/2/1 4/3/1\nf -4/1/1 -1/2/1 -2/3/1\n";
}
std::string small_gltf() {  // a tetrahedron, its buffer as a data URI: 4 positions (float), 12 indices (u8)
    return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"scale":[1,2,1],)"
           R"("children":[1]},{"translation":[0,0,1],"mesh":0}],)"
           R"("meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"buffers":[{"byteLength":60,)"
           R"("uri":"data:application/octet-stream;base64,)"
           R"(AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAIBAAEDAQIDAAMC"}],)"
           R"("bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],)"
           R"("accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},{"bufferView":1,)"
           R"("componentType":5121,"count":12,"type":"SCALAR"}]})";
}

TEST(MeshFuzz, EveryMutantIsTakenOrRefusedCleanly) {
    const std::string name = "fuzz";
    const ReadSibling none = [](const std::string& uri) -> std::string {
        throw InputError("no file " + uri.substr(0, uri.find('\n')));
    };
    const std::filesystem::path assets = std::filesystem::path(ASPERITY_SOURCE_DIR) / "assets";
    const std::string funnel = read_file(assets / "funnel.obj"), suzanne = read_file(assets / "suzanne.glb");
    ASSERT_TRUE(survives([&] { return parse_obj(small_obj(), name); }));
    ASSERT_TRUE(survives([&] { return parse_gltf(small_gltf(), name, none); }));
    Random random(2026);
    int taken = 0, refused = 0;
    for (int i = 0; i < kMutants; ++i) {
        bool good = false;
        const int kind = i % 100 == 99 ? 3 : i % 100 == 49 ? 2 : i % 2;  // the large files only occasionally
        if (kind == 0) good = survives([&] { return parse_obj(mutated(small_obj(), random, true), name); });
        if (kind == 1) good = survives([&] { return parse_gltf(mutated(small_gltf(), random, true), name, none); });
        if (kind == 2) good = survives([&] { return parse_obj(mutated(funnel, random, true), name); });
        if (kind == 3) good = survives([&] { return parse_gltf(mutated(suzanne, random, false), name, none); });
        good ? ++taken : ++refused;
    }
    // If mutation always or never broke a file, the test would be void.
    EXPECT_GT(taken, 50);
    EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace asperity::importers
