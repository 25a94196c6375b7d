// Grain at the vertices of a glTF file (attribute _GRAIN): read, rotated with the node and into our axes, interpolated; and
// the error message if the attribute is missing.
#include <gtest/gtest.h>

#include "asperity/core/files.h"
#include "asperity/scene/scene.h"
#include "asperity/sim/contact_surface.h"
#include "asperity/sim/step.h"
#include "tests/unit/record/sample.h"

namespace asperity::scene {
namespace {

/// A square of 4 m, y up as in glTF, with a grain at each vertex. `node`: additional keys of the node. `attribute`: name of
/// the grain attribute.
void write_square(const record::TemporaryFolder& folder, const std::vector<float>& grains, const std::string& node = "",
                  const std::string& attribute = "_GRAIN") {
    std::string bytes;
    const auto put = [&](const std::vector<float>& numbers) {
        for (const float f : numbers) bytes.append(reinterpret_cast<const char*>(&f), 4);
    };
    put({-2, 0, 2, 2, 0, 2, 2, 0, -2, -2, 0, -2});
    put(grains);
    for (const std::uint16_t i : {0, 1, 2, 0, 2, 3}) bytes.append(reinterpret_cast<const char*>(&i), 2);
    write_file(folder / "square.bin", bytes);
    write_file(folder / "square.gltf",
               R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0)" + node +
                   R"(}],"meshes":[{"primitives":[{"attributes":)" + R"({"POSITION":0,")" + attribute +
                   R"(":1},"indices":2}]}],"buffers":[{"byteLength":108,"uri":"square.bin"}],"bufferViews":[)" +
                   R"({"buffer":0,"byteOffset":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":48},)"
                   R"({"buffer":0,"byteOffset":96,"byteLength":12}],)" +
                   R"("accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},{"bufferView":1,)"
                   R"("componentType":5126,"count":4,"type":"VEC3"},)" +
                   R"({"bufferView":2,"componentType":5123,"count":6,"type":"SCALAR"}]})");
}
Scene ball_at(const record::TemporaryFolder& folder, double x, double y) {
    return parse(fmt::format("[world]\ndefault = {{ law = \"matchstick\", mu = 0.5, mu_along = 0.1, mu_across = 0.9 "
                             "}}\n[[body]]\nname = \"ground\"\nfixed = true\n"
                             "shape = {{ mesh = \"square.gltf\" }}\ngrain_field = {{ kind = \"vertices\" }}\n[[body]]\nname "
                             "= \"ball\"\nshape = {{ sphere = 0.1 }}\n"
                             "position = [{}, {}, 0.1]\n",
                             x, y),
                 folder / "test.toml", {});
}
Vec3 grain_under(const record::TemporaryFolder& folder, double x, double y) {
    Scene s = ball_at(folder, x, y);
    sim::step(s.world, 1e-4);
    EXPECT_EQ(s.world.state.active.contacts.size(), 1U);
    return s.world.state.active.contacts.empty() ? Vec3{}
                                                 : sim::sample_surfaces(s.world, s.world.state.active.contacts[0]).a.grain;
}
double apart_deg(const Vec3& a, const Vec3& b) { return degrees(std::atan2(length(cross(a, b)), std::fabs(dot(a, b)))); }
Vec3 at(double degrees) { return {std::cos(radians(degrees)), std::sin(radians(degrees)), 0}; }
/// A direction in our plane z = 0, in the file's axes, where our y is -z.
void add(std::vector<float>& grains, double degrees, double sign) {
    grains.insert(grains.end(), {static_cast<float>(sign * at(degrees).x), 0, static_cast<float>(-sign * at(degrees).y)});
}

TEST(VertexGrain, OfAGltfFileIsReadAndInterpolatedAsAxes) {
    record::TemporaryFolder folder;
    std::vector<float> grains;  // 20 degrees on the left, 60 on the right; the sign of a grain is arbitrary
    add(grains, 20, 1), add(grains, 60, -1), add(grains, 60, 1), add(grains, 20, -1);
    write_square(folder, grains);
    constexpr double single = 1e-5;                                          // degrees: 6e-8 of a float, as an angle 3.4e-6
    EXPECT_LT(apart_deg(grain_under(folder, -1.99999, 0.5), at(20)), 2e-4);  // at the edge; 40 degrees over 4 m give 1e-4
    EXPECT_LT(apart_deg(grain_under(folder, 0, 0.5), at(40)), single);       // halfway between the two
    // A quarter from the right edge, in double-angle form: the direction of q = (3 e^(2i 60) + e^(2i 20))/4.
    const double c = 3 * std::cos(radians(120)) + std::cos(radians(40)),
                 s = 3 * std::sin(radians(120)) + std::sin(radians(40));
    const Vec3 between = grain_under(folder, 1, -0.7);
    EXPECT_LT(apart_deg(between, at(0.5 * degrees(std::atan2(s, c)))), single);
    EXPECT_NEAR(length(between), std::hypot(c, s) / 4, 1e-6);  // differing directions reduce the strength
    // The mean of the angles would be 50; the test can tell them apart.
    EXPECT_GT(std::fabs(0.5 * degrees(std::atan2(s, c)) - 50), 0.5);
}

TEST(VertexGrain, TurnsWithItsNode) {
    record::TemporaryFolder folder;
    std::vector<float> grains;
    for (int i = 0; i < 4; ++i) add(grains, 25, 1);
    write_square(folder, grains, R"(,"rotation":[0,0.5,0,0.8660254037844386])");  // 60 degrees about the file's y, our z
    EXPECT_LT(apart_deg(grain_under(folder, 0.3, 0.1), at(85)), 1e-5);
}

TEST(VertexGrain, ThatTheFileDoesNotHaveIsSaid) {
    record::TemporaryFolder folder;
    write_square(folder, std::vector<float>(12, 1.0F), "", "_OTHER");
    const std::string message = record::message_of([&] { ball_at(folder, 0, 0); });
    EXPECT_NE(message.find("test.toml:"), std::string::npos) << message;
    EXPECT_NE(message.find("_GRAIN"), std::string::npos) << message;
}

}  // namespace
}  // namespace asperity::scene
