// Grain fields against closed forms, on primitives and meshes.
#include <gtest/gtest.h>

#include <numbers>

#include "asperity/surface/grain.h"
#include "asperity/surface/make_grain.h"
#include "asperity/surface/sample.h"
#include "tests/unit/geometry/meshes.h"

namespace asperity::surface {
namespace {

using std::numbers::pi;

/// The angle between two axes, in degrees.
double apart_deg(const Vec3& a, const Vec3& b) { return degrees(std::atan2(length(cross(a, b)), std::fabs(dot(a, b)))); }
Vec3 on(const Grain& grain, const geometry::Shape& shape, const Vec3& point, const Vec3& normal, const Pose& pose = {}) {
    return grain_at(grain, {shape, pose, point, normal}).direction;
}
const geometry::Shape kPlane = geometry::HalfSpace{};

TEST(Grain, FieldsAboutAnAxis) {
    const Vec3 origin{1, 0, 0}, p{1, 2, 5}, up{0, 0, 1};  // p is two metres from the axis, along y
    const double a = 0.3;
    EXPECT_LT(apart_deg(on(AxisGrain{origin, up, 1, 0, 0}, kPlane, p, up), {0, 1, 0}), 1e-12);
    EXPECT_LT(apart_deg(on(AxisGrain{origin, up, 0, 1, 0}, kPlane, p, up), {1, 0, 0}), 1e-12);
    EXPECT_LT(apart_deg(on(AxisGrain{origin, up, 0, 0, 1}, kPlane, p, up), up), 1e-12);
    // helical: in the plane of the tangential direction (-x here) and the axis; spiral: of the radial (y) and the tangential
    // one
    EXPECT_LT(
        apart_deg(on(AxisGrain{origin, up, 0, std::cos(a), std::sin(a)}, kPlane, p, up), {-std::cos(a), 0, std::sin(a)}),
        1e-12);
    EXPECT_LT(
        apart_deg(on(AxisGrain{origin, up, std::cos(a), std::sin(a), 0}, kPlane, p, up), {-std::sin(a), std::cos(a), 0}),
        1e-12);
    EXPECT_EQ(on(AxisGrain{origin, up, 1, 1, 0}, kPlane, {1, 0, 7}, up), Vec3{});  // on the axis: no direction
}

TEST(Grain, FormulaTurnsFromTheBodysXAxisSeenFromOutside) {
    const Grain wave = FormulaGrain{[](const Vec3& p) { return radians(30) * std::sin(2 * pi * p.y / 3); }};
    const double angle = radians(30) * std::sin(2 * pi * 0.4 / 3);
    EXPECT_LT(apart_deg(on(wave, kPlane, {5, 0.4, 0}, {0, 0, 1}), {std::cos(angle), std::sin(angle), 0}), 1e-12);
    // seen from below
    EXPECT_LT(apart_deg(on(wave, kPlane, {5, 0.4, 0}, {0, 0, -1}), {std::cos(angle), -std::sin(angle), 0}), 1e-12);
    // body x is along the normal there
    EXPECT_LT(apart_deg(on(wave, kPlane, {5, 0.4, 0}, {1, 0, 0}), {0, std::cos(angle), std::sin(angle)}), 1e-12);
    const Grain hole = FormulaGrain{[](const Vec3& p) { return p.x > 0 ? std::nan("") : 1.0; }};
    EXPECT_EQ(on(hole, kPlane, {1, 0, 0}, {0, 0, 1}), Vec3{});
}

TEST(Grain, TextureFollowsTheTangentFrameOfEveryFaceOfABox) {
    // 45 degrees between the directions of growing u and growing v
    const Grain grain = TextureGrain{std::make_shared<GrainTexture>(1, 1, std::vector<Vec2>{{0, 1}})};
    const geometry::Box box{{0.5, 1, 2}};
    const Pose pose{{3, 0, 0}, rotation({0, 0, 0.7})};
    for (int face = 0; face < 6; ++face) {
        Vec3 n;
        n[face / 2] = face % 2 == 0 ? 1 : -1;
        const Vec3 p = scaled(box.half, n) + 0.1 * Vec3{1 - n.x * n.x, 1 - n.y * n.y, 1 - n.z * n.z};
        const auto uv = [&](const Vec3& q) {
            const geometry::SurfaceCoordinates at = geometry::surface_coordinates(box, q, n);
            return Vec2{at.u, at.v};
        };
        const Vec3 s = rotate_inverse(pose.orientation, on(grain, box, pose * p, rotate(pose.orientation, n), pose));
        EXPECT_NEAR(dot(s, n), 0, 1e-12);
        // Along this direction u and v grow equally when measured in metres: the frame is orthonormal for any proportions of
        // the face.
        const Vec2 change = uv(p + 0.01 * s) - uv(p);
        const Vec3 u_axis = any_tangent(n), v_axis = cross(n, u_axis);
        const double u_per_metre = std::hypot(length(uv(p + 0.01 * u_axis) - uv(p)), 0) / 0.01,
                     v_per_metre = length(uv(p + 0.01 * v_axis) - uv(p)) / 0.01;
        const double a = std::fabs(change.x), b = std::fabs(change.y);
        EXPECT_NEAR(std::fmin(a, b) / std::fmax(a, b),
                    std::fmin(u_per_metre, v_per_metre) / std::fmax(u_per_metre, v_per_metre), 1e-6)
            << face;
        EXPECT_GT(change.x * change.y, 0) << face;
    }
}

/// A sheet whose texture coordinates are the coordinates of its plane, optionally mirrored in u.
geometry::Shape sheet(bool mirrored) {
    geometry::MeshData data = geometry::flat_data(8, 2);
    for (const std::uint32_t v : data.triangles)
        data.uvs.push_back({(mirrored ? -1 : 1) * data.positions[v].x, data.positions[v].y});
    return geometry::make_mesh(data);
}

TEST(Grain, MirroredTexturesKeepTheirPicture) {
    // grain at 0.3 rad
    const Grain grain =
        TextureGrain{std::make_shared<GrainTexture>(1, 1, std::vector<Vec2>{{std::cos(0.6), std::sin(0.6)}})};
    const Vec3 n{0, 0, 1}, p{0.3, 0.4, 0};
    EXPECT_LT(apart_deg(on(grain, sheet(false), p, n), {std::cos(0.3), std::sin(0.3), 0}), 1e-6);
    EXPECT_LT(apart_deg(on(grain, sheet(true), p, n), {-std::cos(0.3), std::sin(0.3), 0}), 1e-6);
    EXPECT_LT(apart_deg(on(grain, kPlane, p, n), {std::cos(0.3), std::sin(0.3), 0}), 1e-6);
}

TEST(Grain, VerticesAreInterpolatedAsAxes) {
    geometry::MeshData data;
    data.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    data.triangles = {0, 1, 2};
    const geometry::Mesh mesh = geometry::make_mesh(data);
    const auto at = [](double angle) { return Vec3{std::cos(angle), std::sin(angle), 0}; };
    const Vec3 n{0, 0, 1}, middle{1.0 / 3, 1.0 / 3, 0};
    std::vector<Vec3> grains = {at(0.2), -at(0.2), at(0.2 + pi)};  // three times the same axis: signs must not cancel
    const auto field = [&] { return VertexGrain{std::make_shared<const std::vector<Vec3>>(grains)}; };
    EXPECT_LT(apart_deg(on(field(), mesh, middle, n), at(0.2)), 1e-6);
    EXPECT_NEAR(grain_at(field(), {mesh, {}, middle, n}).strength, 1, 1e-12);
    grains = {at(0.2), at(0.6), at(0.4)};
    EXPECT_LT(apart_deg(on(field(), mesh, middle, n), at(0.4)), 1e-6);
    EXPECT_LT(apart_deg(on(field(), mesh, {1, 0, 0}, n), at(0.6)), 1e-6);
    grains = {at(0), at(pi / 2), {}};  // crossed directions: halfway along an edge they cancel
    EXPECT_LT(grain_at(field(), {mesh, {}, {0.5, 0, 0}, n}).strength, 1e-6);
    EXPECT_EQ(on(field(), kPlane, middle, n), Vec3{});  // not a mesh
    grains.pop_back();
    EXPECT_EQ(on(field(), mesh, middle, n), Vec3{});  // a list for another mesh
    // the mesh's own directions, per corner
    data.grains = {at(0.2), at(0.6), at(0.4)};
    EXPECT_LT(apart_deg(on(VertexGrain{}, geometry::make_mesh(data), middle, n), at(0.4)), 1e-6);
}

TEST(Grain, SampleDropsWhatSticksOutAndKeepsTheStrength) {
    const Material plain{.name = "x", .grain = {1, 0, 1}};
    const SurfaceLocation place{kPlane, {}, {}, {0, 0, 1}};
    EXPECT_LT(length(sample(plain, nullptr, place, {}, {0, 0, 1}).grain - Vec3{1, 0, 0}), 1e-15);
    EXPECT_EQ(sample(plain, nullptr, place, {}, normalized(Vec3{1, 0, 1})).grain, Vec3{});
    // along v, strength 1/4
    const Grain own = TextureGrain{std::make_shared<GrainTexture>(1, 1, std::vector<Vec2>{{-0.25, 0}})};
    EXPECT_LT(length(sample(plain, &own, place, {}, {0, 0, 1}).grain - Vec3{0, 0.25, 0}), 1e-7);
    const Grain none = ConstantGrain{};
    EXPECT_EQ(sample(plain, &none, place, {}, {0, 0, 1}).grain, Vec3{});
}

// A footprint of many texels gives the mean: stripes of crossed directions cancel.
TEST(Grain, FootprintAveragesOverWhatTouches) {
    std::vector<Vec2> stripes;
    for (int i = 0; i < 64 * 64; ++i) stripes.push_back({i % 2 == 0 ? 1.0 : -1.0, 0});
    TextureGrain grain{std::make_shared<GrainTexture>(64, 64, stripes)};
    const SurfaceLocation place{kPlane, {}, {0.5 / 64, 0.3, 0}, {0, 0, 1}};  // the centre of a texel; a tile is one metre
    EXPECT_NEAR(grain_at(grain, place).strength, 1, 1e-6);
    grain.footprint = 4.0 / 64;
    EXPECT_LT(grain_at(grain, place).strength, 1e-6);
}

}  // namespace
}  // namespace asperity::surface
