// Mesh files: the meshes of valid files, and the messages for invalid ones.
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/importers/load.h"

namespace asperity::importers {
namespace {

const std::filesystem::path kAssets = std::filesystem::path(ASPERITY_SOURCE_DIR) / "assets";

template <class Work>
std::string complaint(const Work& work) {
    try {
        work();
    } catch (const InputError& error) { return error.what(); }
    return "";
}
std::string obj_complaint(const std::string& text) {
    return complaint([&] { geometry::make_mesh(parse_obj(text, "x.obj"), 1, "x.obj"); });
}
std::string gltf_complaint(
    const std::string& text, const ReadSibling& sibling = [](const std::string&) { return std::string(); }) {
    return complaint([&] { geometry::make_mesh(parse_gltf(text, "x.gltf", sibling), 1, "x.gltf"); });
}
#define EXPECT_SAYS(message, words) EXPECT_NE((message).find(words), std::string::npos) << (message)

const std::string kAsset = R"("asset":{"version":"2.0"})";
const std::string kTetra = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";

TEST(Obj, ReadsPolygonsNegativeIndicesAndAllKindsOfCorners) {
    const geometry::MeshData data = parse_obj(
        kTetra + "# comment\nvt 0.5 0.25\nvn 0 0 1\ng part\nf 1/1/1 2/1/1 3/1/1 4/1/1\r\nf -4/-1/-1 -3/-1/-1 -2/-1/-1\n",
        "x");
    EXPECT_EQ(data.positions.size(), 4U);
    EXPECT_EQ(data.triangles, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3, 0, 1, 2}));
    ASSERT_EQ(data.uvs.size(), 9U);
    EXPECT_EQ(data.uvs[4].y, 0.25);
    ASSERT_EQ(data.normals.size(), 9U);
    // a corner without normal: all normals are computed
    EXPECT_TRUE(parse_obj(kTetra + "vn 0 0 1\nf 1//1 2//1 3//1\nf 1 2 4\n", "x").normals.empty());
}

TEST(Obj, SaysWhatIsWrongAndInWhichLine) {
    EXPECT_SAYS(obj_complaint(""), "x.obj: has no triangles");
    EXPECT_SAYS(obj_complaint(kTetra), "has no triangles");
    EXPECT_SAYS(obj_complaint(kTetra + "f 1 2 5\n"), "x.obj:5: vertex 5 does not exist; there are 4 so far");
    EXPECT_SAYS(obj_complaint(kTetra + "f 1 2 0\n"), "x.obj:5: vertex 0 does not exist");
    EXPECT_SAYS(obj_complaint(kTetra + "f 1 2\n"), "x.obj:5: a face has 2 corners");
    EXPECT_SAYS(obj_complaint(kTetra + "f 1/1 2/1 3/1\n"), "texture coordinate 1 does not exist");
    EXPECT_SAYS(obj_complaint("v 0 0\n"), "x.obj:1: expected a number, found ''");
    EXPECT_SAYS(obj_complaint("v 0 zero 0\n"), "expected a number, found 'zero'");
    EXPECT_SAYS(obj_complaint("v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), "vertex 0 is at (nan");
    EXPECT_SAYS(obj_complaint("v 1e999 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), "must be finite");
    EXPECT_SAYS(obj_complaint("v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n"), "without area");
}

TEST(Obj, ABackslashContinuesALine) {
    const geometry::MeshData data = parse_obj(
        "# kept in C:\\meshes\\\nv 0 0 0\nv 1 \\\n 0 0\nv 0\\\r\n1 0\r\nvt 0.5 \\\n0.25\nvt 0.75 \\\n\ng a \\\nf 9 9 9\nf "
        "1/1 2/2\\\n\\\n 3/1\\",
        "x");
    ASSERT_EQ(data.positions.size(), 3U);
    EXPECT_EQ(data.positions[1].x, 1);
    EXPECT_EQ(data.positions[2].y, 1);
    EXPECT_EQ(data.triangles, (std::vector<std::uint32_t>{0, 1, 2}));
    ASSERT_EQ(data.uvs.size(), 3U);
    EXPECT_EQ(data.uvs[0].y, 0.25);
    EXPECT_EQ(data.uvs[1].y, 0);
    // line numbers are those of the file
    EXPECT_SAYS(obj_complaint(kTetra + "f 1 \\\n2 \\\n9\n"), "x.obj:7: vertex 9 does not exist");
    EXPECT_SAYS(obj_complaint(kTetra + "f 1 \\\n2 \\\n3\nf 1 x 3\n"), "x.obj:8: expected an index, found 'x'");
    EXPECT_SAYS(obj_complaint("g \\\nmany \\\nparts\nv 0 zero 0\n"), "x.obj:4: expected a number, found 'zero'");
    EXPECT_SAYS(obj_complaint("v 0 \\ 0\n"), "found '\\'");  // not at the end of the line
}

TEST(Gltf, SuzanneAndTheFunnelAreWhatTheirReadmeSays) {
    const geometry::Mesh suzanne = load(kAssets / "suzanne.glb", 1);
    const geometry::MeshReport& s = suzanne.triangles->report;
    EXPECT_EQ(s.vertices, 2012);
    EXPECT_EQ(s.triangles, 3936);
    EXPECT_EQ(s.boundary_edges, 84);
    EXPECT_TRUE(s.solid);
    // the file has y up (ears along x, 1.97 high), Asperity z up
    const Vec3 size = suzanne.triangles->box.high - suzanne.triangles->box.low;
    EXPECT_NEAR(size.x, 2.674, 1e-3);
    EXPECT_NEAR(size.y, 1.626, 1e-3);
    EXPECT_NEAR(size.z, 1.925, 1e-3);
    // symmetric about x = 0
    EXPECT_NEAR(suzanne.triangles->integrals.center.x, 0, 1e-6);
    EXPECT_GT(suzanne.triangles->integrals.volume, 0.2 * size.x * size.y * size.z);

    const geometry::Mesh funnel = load(kAssets / "funnel.obj", 2);
    EXPECT_EQ(funnel.triangles->report.boundary_edges, 0);
    EXPECT_EQ(funnel.triangles->report.triangles, 1280);
    EXPECT_TRUE(funnel.triangles->solid());
}

TEST(Gltf, EveryTruncationOfAGlbIsRefused) {
    const std::string whole = read_file(kAssets / "suzanne.glb");
    for (std::size_t size = 0; size < whole.size(); size += size < 2000 ? 1 : 997)
        EXPECT_NE(gltf_complaint(whole.substr(0, size)), "") << size;
}

std::string triangle_gltf(const std::string& buffer, const std::string& index_accessor = "") {
    return std::string(R"({"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{"POSITION":0})") +
           (index_accessor.empty() ? "" : R"(,"indices":1)") + R"(}]}],"buffers":[)" + buffer +
           R"(],"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6}],)"
           R"("accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"})" +
           (index_accessor.empty() ? "" : "," + index_accessor) + "]}";
}
std::string triangle_bytes(std::uint16_t last_index) {
    const float p[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const std::uint16_t indices[3] = {0, 1, last_index};
    return std::string(reinterpret_cast<const char*>(p), sizeof p) +
           std::string(reinterpret_cast<const char*>(indices), sizeof indices);
}

TEST(Gltf, SaysWhatIsWrong) {
    const std::string indices = R"({"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"})";
    const std::string file = R"({"uri":"a.bin","byteLength":42})";
    const auto bytes = [](std::uint16_t last) { return [last](const std::string&) { return triangle_bytes(last); }; };
    EXPECT_EQ(gltf_complaint(triangle_gltf(file, indices), bytes(2)), "");
    EXPECT_SAYS(gltf_complaint(triangle_gltf(file, indices), bytes(7)), "an index is 7, but the primitive has 3 vertices");
    EXPECT_SAYS(gltf_complaint(triangle_gltf(file, indices)), "buffer 0 has 0 bytes where 42 should be");
    EXPECT_SAYS(gltf_complaint(triangle_gltf(R"({"byteLength":42})", indices)), "buffer 0 has no content");
    EXPECT_SAYS(gltf_complaint(triangle_gltf("", indices)), "names number 0 of its buffers");
    EXPECT_SAYS(
        gltf_complaint(triangle_gltf(file, R"({"bufferView":1,"componentType":5123,"count":30,"type":"SCALAR"})"), bytes(2)),
        "reaches beyond its buffer");
    EXPECT_SAYS(
        gltf_complaint(triangle_gltf(file, R"({"bufferView":1,"componentType":5123,"count":30000000,"type":"SCALAR"})"),
                       bytes(2)),
        "up to 2000000 triangles");
    EXPECT_SAYS(
        gltf_complaint(triangle_gltf(file, R"({"bufferView":1,"componentType":5123,"count":-1,"type":"SCALAR"})"), bytes(2)),
        "elements");
    EXPECT_SAYS(
        gltf_complaint(triangle_gltf(file, R"({"bufferView":9,"componentType":5123,"count":3,"type":"SCALAR"})"), bytes(2)),
        "number 9 of its bufferViews");
    EXPECT_SAYS(gltf_complaint("{"), "its JSON does not parse");
    EXPECT_SAYS(gltf_complaint("[]"), "its JSON does not parse");
    EXPECT_SAYS(gltf_complaint("{" + kAsset + "}"), "has no triangles");
    EXPECT_SAYS(gltf_complaint("{" + kAsset + R"(,"meshes":[{"primitives":5}]})"), "not as glTF should be");
    EXPECT_SAYS(gltf_complaint("{" + kAsset + R"(,"scenes":[{"nodes":[0]}],"nodes":[{"children":[0]}]})"),
                "nested more than 64 deep");
    EXPECT_SAYS(complaint([] { read("model.stl"); }), "read from .obj, .gltf and .glb");
    EXPECT_SAYS(complaint([] { read("absent.obj"); }), "absent.obj");
    EXPECT_SAYS(complaint([] { read(kAssets); }), "is a folder; name the .obj, .gltf or .glb file in it");
}

TEST(Gltf, OtherVersionsThanTwoAreRefused) {
    const auto asset = [](const std::string& text) { return gltf_complaint("{" + text + R"("meshes":[]})"); };
    EXPECT_SAYS(asset(R"("asset":{"version":"2.1"},)"), "has no triangles");
    EXPECT_SAYS(asset(""), "x.gltf: has no asset.version");
    EXPECT_SAYS(asset(R"("asset":{},)"), "has no asset.version");
    EXPECT_SAYS(asset(R"("asset":{"version":"1.0"},)"), "x.gltf: is glTF 1.0; only 2.x is read");
    EXPECT_SAYS(asset(R"("asset":{"version":"20.0"},)"), "is glTF 20.0");
    EXPECT_SAYS(asset(R"("asset":{"version":2.0},)"), "not as glTF should be");
    EXPECT_SAYS(asset(R"("asset":7,)"), "not as glTF should be");
    // the material readers check the same
    EXPECT_SAYS(complaint([] { parse_anisotropies("{}", "x.gltf", {}); }), "has no asset.version");
    EXPECT_SAYS(complaint([] { parse_normal_textures("{}", "x.gltf", {}); }), "has no asset.version");
}

TEST(Gltf, RequiredExtensionsAreReadConcernLooksOrAreRefused) {
    const auto needs = [](const std::string& extension) {
        return R"({"extensionsRequired":[")" + extension + R"("],)" +
               triangle_gltf(R"({"uri":"a.bin","byteLength":42})").substr(1);
    };
    const ReadSibling bytes = [](const std::string&) { return triangle_bytes(2); };
    for (const char* refused : {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "ACME_folded_space"})
        EXPECT_SAYS(gltf_complaint(needs(refused), bytes),
                    std::string("x.gltf: needs the extension ") + refused + ", which is not read");
    for (const char* read :
         {"KHR_materials_anisotropy", "KHR_texture_transform", "KHR_mesh_quantization", "EXT_mesh_gpu_instancing"})
        EXPECT_TRUE(parse_gltf(needs(read), "x.gltf", bytes).remarks.empty()) << read;
    const geometry::Mesh coated = geometry::make_mesh(parse_gltf(needs("KHR_materials_clearcoat"), "x.gltf", bytes));
    EXPECT_SAYS(geometry::report(coated.triangles->report),
                "; KHR_materials_clearcoat, which it requires, is not read: that changes only its looks");
}

/// The path passed to the sibling reader, or the complaint.
std::string asked_for(const std::string& uri) {
    std::string file;
    const std::string message =
        gltf_complaint(triangle_gltf(R"({"uri":")" + uri + R"(","byteLength":42})"), [&](const std::string& wanted) {
            file = wanted;
            return triangle_bytes(2);
        });
    return message.empty() ? file : message;
}

TEST(Gltf, UrisAreDecodedAndStayInTheFolder) {
    EXPECT_EQ(asked_for("a.bin"), "a.bin");
    EXPECT_EQ(asked_for("my%20mesh.bin"), "my mesh.bin");
    EXPECT_EQ(asked_for("gr%C3%BCn/%41.bin"), "gr\u00fcn/A.bin");
    EXPECT_EQ(asked_for("100%.bin"), "100%.bin");
    EXPECT_EQ(asked_for("50%zz.bin%4"), "50%zz.bin%4");
    EXPECT_EQ(asked_for("a%253A.bin"), "a%3A.bin");  // decoded once
    EXPECT_EQ(asked_for("parts/../a..b.bin"), "a..b.bin");
    for (const char* uri : {"../a.bin", "..", "parts/../../a.bin", "%2e%2e/a.bin", "%2E./a.bin", "parts%2f..%2F../a.bin",
                            "/etc/passwd", "%2fetc/passwd", "//host/a.bin", "file:///etc/passwd", "file:/etc/passwd",
                            "http://host/a.bin", "C:/a.bin", "data:nothing", "a%00.bin", ""}) {
        EXPECT_SAYS(asked_for(uri),
                    std::string("x.gltf: a part of it is at '") + uri + "'; only files in its folder and below are read");
    }
    EXPECT_SAYS(asked_for("../a\\nb"), "'../a b'");  // messages are one line
}

TEST(Gltf, UrisOfPicturesLikewise) {
    const auto picture = [](const std::string& uri) {
        std::string file;
        const std::string text = "{" + kAsset +
                                 R"(,"meshes":[{"primitives":[{"attributes":{"TEXCOORD_0":0},"material":0}]}],)"
                                 R"("materials":[{"normalTexture":{"index":0}}],)"
                                 R"("textures":[{"source":0}],"images":[{"uri":")" +
                                 uri + R"("}]})";
        const std::string message = complaint([&] {
            parse_normal_textures(text, "x.gltf", [&](const std::string& wanted) {
                file = wanted;
                return std::string();
            });
        });
        return file.empty() ? message : file;
    };
    EXPECT_EQ(picture("my%20map.png"), "my map.png");
    EXPECT_SAYS(picture("%2e%2e/map.png"), "only files in its folder");
}

TEST(Gltf, MissingPartsAreNamedTogetherWithTheFileThatNeedsThem) {
    const auto folder = std::filesystem::temp_directory_path() / ("asperity_gltf_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder / "sub");
    const std::filesystem::path file = folder / "x.gltf", part = folder / "my mesh.bin";
    write_file(file, triangle_gltf(R"({"uri":"my%20mesh.bin","byteLength":42})"));
    EXPECT_EQ(complaint([&] { load(file); }), file.string() + ": needs " + part.string() +
                                                  ": no such file; keep its files together, or export it as one .glb");
    write_file(part, triangle_bytes(2));
    EXPECT_EQ(load(file).triangles->report.triangles, 1);
    write_file(file, triangle_gltf(R"({"uri":"sub","byteLength":42})"));
    EXPECT_SAYS(complaint([&] { load(file); }), "needs " + (folder / "sub").string() + ": is a folder");
    std::filesystem::remove_all(folder);
}

TEST(Gltf, PartsOutsideItsFolderOrNoFilesAreRefused) {
    const auto folder = std::filesystem::temp_directory_path() / ("asperity_gltf_links_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder / "in" / "sub");
    const std::filesystem::path file = folder / "in" / "x.gltf", part = folder / "in" / "a.bin";
    write_file(file, triangle_gltf(R"({"uri":"a.bin","byteLength":42})"));
    write_file(folder / "outside.bin", triangle_bytes(2));
    std::filesystem::create_symlink("../outside.bin", part);
    EXPECT_SAYS(complaint([&] { load(file); }), "a.bin: a link that leads to " + (folder / "outside.bin").string() +
                                                    ", out of the folder; keep its files together");
    std::filesystem::remove(part);
    write_file(folder / "in" / "sub" / "b.bin", triangle_bytes(2));
    std::filesystem::create_symlink("sub/b.bin", part);  // within the folder: allowed
    EXPECT_EQ(load(file).triangles->report.triangles, 1);
    std::filesystem::remove(part);
    ASSERT_EQ(::mkfifo(part.c_str(), 0600), 0);
    EXPECT_SAYS(complaint([&] { load(file); }), "a.bin: is a pipe or a device, not a file");
    std::filesystem::remove(part);
    std::filesystem::create_directory_symlink(folder, folder / "in" / "up");  // the folder of a part is a link
    write_file(file, triangle_gltf(R"({"uri":"up/outside.bin","byteLength":42})"));
    EXPECT_SAYS(complaint([&] { load(file); }), "out of the folder");
    // the folder itself may be reached through a link
    std::filesystem::create_directory_symlink(folder / "in", folder / "alias");
    write_file(file, triangle_gltf(R"({"uri":"sub/b.bin","byteLength":42})"));
    EXPECT_EQ(load(folder / "alias" / "x.gltf").triangles->report.triangles, 1);
    std::filesystem::remove_all(folder);
}

template <class Number>
void append(std::string& bytes, std::initializer_list<int> numbers) {
    for (const int n : numbers) {
        const auto value = static_cast<Number>(n);
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
}

// KHR_mesh_quantization: signed and unsigned integers of 8 and 16 bits, normalised or not, on strides of four bytes.
TEST(Gltf, QuantizedMeshesAreRead) {
    std::string bytes;
    append<std::int16_t>(bytes, {-32767, 0, 0, 0, 32767, 0, 0, 0, 0, 16384, -32768, 0});  // positions, padded
    append<std::int8_t>(bytes, {0, 0, 127, 0, 0, 0, 127, 0, 0, 0, 127, 0});               // normals, padded
    append<std::uint16_t>(bytes, {0, 65535, 65535, 65535, 0, 0});                         // texture coordinates
    const std::string text =
        R"({"asset":{"version":"2.0"},"extensionsRequired":["KHR_mesh_quantization"],"buffers":[{"uri":"a.bin",
         "byteLength":48}],
        "bufferViews":[{"buffer":0,"byteLength":24,"byteStride":8},{"buffer":0,"byteOffset":24,"byteLength":12,
         "byteStride":4},
        {"buffer":0,"byteOffset":36,"byteLength":12}],
        "accessors":[{"bufferView":0,"componentType":5122,"normalized":true,"count":3,"type":"VEC3"},
        {"bufferView":1,"componentType":5120,"normalized":true,"count":3,"type":"VEC3"},
        {"bufferView":2,"componentType":5123,"normalized":true,"count":3,"type":"VEC2"}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0,"NORMAL":1,"TEXCOORD_0":2}}]}]})";
    const ReadSibling sibling = [&](const std::string&) { return bytes; };
    const geometry::MeshData data = parse_gltf(text, "x", sibling);
    ASSERT_EQ(data.positions.size(), 3U);
    // y up becomes z up: (x, -z, y)
    EXPECT_LT(length(data.positions[0] - Vec3{-1, 0, 0}), 1e-15);
    EXPECT_LT(length(data.positions[1] - Vec3{1, 0, 0}), 1e-15);
    EXPECT_LT(length(data.positions[2] - Vec3{0, 1, 16384 / 32767.0}), 1e-15);  // -32768 is cut to -1
    EXPECT_LT(length(data.normals[0] - Vec3{0, -1, 0}), 1e-15);
    EXPECT_EQ(data.uvs[1].x, 1);
    EXPECT_EQ(data.uvs[1].y, 0);
    // without `normalized` the integers are the coordinates
    std::string plain = text;
    plain.replace(plain.find(R"(,"normalized":true)"), std::string(R"(,"normalized":true)").size(), "");
    EXPECT_EQ(parse_gltf(plain, "x", sibling).positions[2], (Vec3{0, 32768, 16384}));
}

// EXT_mesh_gpu_instancing: the mesh once per entry.
TEST(Gltf, InstancesAreRead) {
    std::string bytes = triangle_bytes(2);
    bytes.resize(44);
    const auto put = [&](std::initializer_list<float> numbers) {
        for (const float f : numbers) bytes.append(reinterpret_cast<const char*>(&f), 4);
    };
    put({0, 0, 0, 10, 0, 0});                                  // translations
    put({1, 1, 1, 2, 2, 2});                                   // scales
    append<std::int8_t>(bytes, {0, 0, 0, 127, 0, 0, 127, 0});  // turns: none, and half a turn about z
    const auto text = [](const std::string& rotation) {
        return R"({"asset":{"version":"2.0"},"extensionsRequired":["EXT_mesh_gpu_instancing"],"scenes":[{"nodes":[0]}],
        "nodes":[{"mesh":0,"translation":[0,5,0],
         "extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":2,"SCALE":3)" +
               rotation +
               R"(}}}}],"buffers":[{"uri":"a.bin","byteLength":100}],
        "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6},{"buffer":0,
         "byteOffset":44,"byteLength":24},
        {"buffer":0,"byteOffset":68,"byteLength":24},{"buffer":0,"byteOffset":92,"byteLength":8}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":1,
         "componentType":5123,"count":3,"type":"SCALAR"},
        {"bufferView":2,"componentType":5126,"count":2,"type":"VEC3"},{"bufferView":3,"componentType":5126,
         "count":2,"type":"VEC3"},
        {"bufferView":4,"componentType":5120,"normalized":true,"count":2,"type":"VEC4"},{"bufferView":4,
         "componentType":5120,"count":1,"type":"VEC4"}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}]})";
    };
    const ReadSibling sibling = [&](const std::string&) { return bytes; };
    const geometry::MeshData data = parse_gltf(text(R"(,"ROTATION":4)"), "x.gltf", sibling);
    ASSERT_EQ(data.positions.size(), 6U);
    EXPECT_LT(length(data.positions[1] - Vec3{1, 0, 5}), 1e-12);
    // (1, 0, 0) doubled, turned to -x, moved by 10 along x and 5 up
    EXPECT_LT(length(data.positions[4] - Vec3{8, 0, 5}), 1e-12);
    EXPECT_LT(length(data.positions[5] - Vec3{10, 0, 3}), 1e-12);
    EXPECT_SAYS(gltf_complaint(text(R"(,"ROTATION":5)"), sibling), "different lengths");
}

TEST(Gltf, NodesMoveTurnAndMirrorTheirMeshes) {
    const std::string head = R"({"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,)";
    const std::string file = R"({"uri":"a.bin","byteLength":42})";
    const auto bytes = [](const std::string&) { return triangle_bytes(2); };
    std::string text = triangle_gltf(file);
    text = head + R"("translation":[1,2,3],"scale":[2,2,-2]}],)" + text.substr(1);
    const geometry::MeshData data = parse_gltf(text, "x", bytes);
    ASSERT_EQ(data.positions.size(), 3U);
    // (1, 0, 0) -> (3, 2, 3) with y up -> (3, -3, 2) with z up
    EXPECT_LT(length(data.positions[1] - Vec3{3, -3, 2}), 1e-12);
    // mirrored by a negative scale: the winding is reversed
    EXPECT_EQ(data.triangles, (std::vector<std::uint32_t>{0, 2, 1}));
}

// The mesh of assets/source/make_creature.cpp: closed, connected, without handles (V - E + F = 2), normals outwards.
TEST(MeshAssets, TheCreatureIsClosedAndSmooth) {
    const geometry::Mesh mesh = load(std::filesystem::path(ASPERITY_SOURCE_DIR) / "assets" / "creature.obj");
    const geometry::TriangleSet& set = *mesh.triangles;
    EXPECT_TRUE(set.solid());
    EXPECT_EQ(set.report.boundary_edges, 0);
    EXPECT_EQ(set.report.nonmanifold_edges, 0);
    EXPECT_EQ(set.report.flipped, 0);
    EXPECT_EQ(static_cast<int>(set.positions.size() + set.triangles.size()) - static_cast<int>(set.edges.size()), 2);
    EXPECT_GT(set.report.triangles, 2000);
    EXPECT_LT(set.report.triangles, 3000);
    EXPECT_NEAR(set.box.high.z - set.box.low.z, 1, 0.05);
    for (size_t c = 0; c < set.normals.size(); ++c)
        EXPECT_GT(dot(set.normals[c], set.face_normals[c / 3]), 0) << "corner " << c;
}

}  // namespace
}  // namespace asperity::importers
