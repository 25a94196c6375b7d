// Footprint samplers: rays and tables against each other and against closed forms, on all shapes.
#include <gtest/gtest.h>

#include <numbers>

#include "asperity/core/parallel.h"
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/shape/surface_point.h"
#include "maps.h"

namespace asperity::surface {
namespace {

using friction::FacetAverages;
using friction::FacetWeight;
using std::numbers::pi;

const geometry::Shape kGround = geometry::HalfSpace{};

FootprintSide ground_side(const SlopeTable* slopes, double tile) { return {&kGround, {}, {}, slopes, tile, {}}; }

FootprintRequest on_ground(const FootprintSide& a, const FootprintSide& b, const Vec3& point, double width,
                           int directions = 16) {
    FootprintRequest r{{0, 0, 1}, {1, 0, 0}, width, 0.01 * width, directions, a, b};
    r.a.point = r.b.point = point;
    return r;
}

FacetAverages by_rays(const FootprintRequest& r, int resolution = 16) {
    FacetAverages out;
    RaySampler(resolution).sample({&r, 1}, {&out, 1});
    return out;
}
FacetAverages by_tables(const FootprintRequest& r) {
    FacetAverages out;
    EXPECT_TRUE(TableSampler().sample_one(r, out));
    return out;
}

// A map whose slopes all face +u. On A it resists motion of B along -u. On the underside of a box, u is along +x, so it
// resists motion along +x; v is along -y there.
TEST(FootprintSampler, SignsAndAxesOfFacets) {
    const SlopeTable along_u(map_of(4, 4, [](int, int) { return Vec2{1, 0}; }), FacetWeight::Projected);
    const SlopeTable along_v(map_of(4, 4, [](int, int) { return Vec2{0, 1}; }), FacetWeight::Projected);
    const geometry::Shape box = geometry::Box{{0.1, 0.1, 0.1}};
    for (const bool tables : {false, true}) {
        const auto found = [&](const SlopeTable* a, const SlopeTable* b) {
            const FootprintRequest r = on_ground(ground_side(a, 0.1), {&box, {{0, 0, 0.1}, {}}, {}, b, 1, {}}, {}, 0.02, 4);
            return tables ? by_tables(r) : by_rays(r);
        };
        const auto expect = [&](const std::array<double, friction::kMostDirections>& got, std::array<double, 4> want) {
            for (size_t k = 0; k < 4; ++k) EXPECT_NEAR(got[k], want[k], 1e-6) << k << (tables ? " tables" : " rays");
        };
        expect(found(&along_u, nullptr).a, {0, 0, 1, 0});
        expect(found(&along_v, nullptr).a, {0, 0, 0, 1});
        expect(found(nullptr, &along_u).b, {1, 0, 0, 0});
        expect(found(nullptr, &along_v).b, {0, 0, 0, 1});
        expect(found(&along_u, nullptr).b, {0, 0, 0, 0});  // no map: smooth
        EXPECT_NEAR(found(&along_u, &along_v).covered, 1, 1e-12);
    }
}

// The corner of a box on the ground: both surfaces cover a quarter of the footprint. The ground's map has another slope on
// the other three quarters, which must not count.
TEST(FootprintSampler, OnlyWhatBothCoverCounts) {
    const geometry::Shape box = geometry::Box{{0.1, 0.1, 0.1}};
    const SlopeTable ground(map_of(2, 2,
                                   [](int x, int y) {
                                       return x == 0 && y == 0 ? Vec2{0.5, 0} : Vec2{3, 3};
                                   }),
                            FacetWeight::Projected);
    // the first quarter of the ground's tile of 0.2 m is under the box when its corner is at (0.1, 0.1)
    for (const bool tables : {false, true}) {
        FootprintRequest r =
            on_ground(ground_side(&ground, 0.2), {&box, {{0, 0, 0.1}, {}}, {}, nullptr, 1, {}}, {0.1, 0.1, 0}, 0.02);
        const FacetAverages found = tables ? by_tables(r) : by_rays(r);
        EXPECT_NEAR(256 * found.covered, 64, 8) << tables;
        EXPECT_NEAR(found.a[8], 0.5, 1e-6);
        EXPECT_NEAR(found.a[4], 0, tables ? 0.033 : 1e-6);  // tables interpolate directions: 0.5/2 tan(7.5 degrees)
        // rotated by 45 degrees, the corner still covers a quarter
        r.b.pose = {{0.1 - 0.1 * std::sqrt(2.0), 0.1, 0.1}, rotation({0, 0, pi / 4})};
        EXPECT_NEAR(256 * (tables ? by_tables(r) : by_rays(r)).covered, 64, 8);
        r.b.pose.position.x -= 0.1;  // outside the footprint
        EXPECT_EQ((tables ? by_tables(r) : by_rays(r)).covered, 0);
        EXPECT_EQ((tables ? by_tables(r) : by_rays(r)).a[8], 0);
    }
}

// Random flat contacts of all kinds: rays and tables agree up to the noise of 16 x 16 points. For slopes of deviation s, the
// average of a direction over P points has a standard error of 0.584 s/sqrt(P). Both sample different texels, and the table
// is up to 0.9 % too high.
TEST(FootprintSampler, RaysAndTablesAgreeOnFlatSurfaces) {
    Random random(11);
    const SlopeTable rough(gaussian_map(256, 0.5, 0.5, 3), FacetWeight::Projected),
        brushed(gaussian_map(128, 0.1, 0.6, 4), FacetWeight::Projected);
    const geometry::Shape box = geometry::Box{{0.1, 0.12, 0.05}}, cylinder = geometry::Cylinder{0.1, 0.05};
    const Vec3 points[] = {{0.1, 0, -0.05}, {-0.08, 0.1, -0.05}, {-0.06, -0.1, -0.05}, {0, 0, 0.1}};
    const geometry::Shape hull = geometry::convex_hull(points);
    double sum = 0, squares = 0;
    int count = 0;
    for (int trial = 0; trial < 600; ++trial) {
        const geometry::Shape& shape = trial % 3 == 0 ? box : trial % 3 == 1 ? cylinder : hull;
        const double yaw = random.uniform(0, 2 * pi), width = random.uniform(0.01, 0.04);
        const Pose pose{{random.uniform(-1, 1), random.uniform(-1, 1), 0.05}, rotation({0, 0, yaw})};
        const Vec3 at = pose * Vec3{random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), -0.05};
        FootprintRequest r = on_ground(ground_side(&rough, 0.2), {&shape, pose, at, &brushed, 0.5, {0.3, 0.1}}, at, width);
        const double turn = random.uniform(0, 2 * pi);
        r.t = {std::cos(turn), std::sin(turn), 0};
        const FacetAverages rays = by_rays(r), tables = by_tables(r);
        EXPECT_NEAR(rays.covered, tables.covered, 0.08) << trial;
        if (rays.covered < 0.2) continue;
        const double noise = 0.584 / std::sqrt(256 * rays.covered);
        for (size_t k = 0; k < 16; ++k) {
            EXPECT_NEAR(tables.a[k], rays.a[k], 6 * 0.5 * noise) << trial << " direction " << k;
            EXPECT_NEAR(tables.b[k], rays.b[k], 6 * 0.6 * noise) << trial << " direction " << k;
        }
        sum += tables.a[0] - rays.a[0];
        squares += (tables.a[0] - rays.a[0]) * (tables.a[0] - rays.a[0]);
        ++count;
    }
    // no bias except that of the table's polygon
    EXPECT_LT(std::fabs(sum / count), 0.01 * 0.5 / std::sqrt(2 * pi) + 4 * std::sqrt(squares) / count);
    RecordProperty("rms_difference_over_mean", std::to_string(std::sqrt(squares / count) / (0.5 / std::sqrt(2 * pi))));
}

// 64 x 64 rays have little noise, so they show the table's own error. It must be smaller than the error of 16 x 16 rays.
TEST(FootprintSampler, TablesAreCloserToManyRaysThanFewRaysAre) {
    Random random(12);
    const SlopeTable rough(gaussian_map(256, 0.5, 0.5, 3), FacetWeight::TrueArea);
    const geometry::Shape box = geometry::Box{{0.1, 0.12, 0.05}};
    double squares = 0, squares_of_few = 0;
    for (int trial = 0; trial < 100; ++trial) {
        const Pose pose{{random.uniform(-1, 1), random.uniform(-1, 1), 0.05}, {}};
        FootprintRequest r =
            on_ground(ground_side(&rough, 0.256), {&box, pose, {}, nullptr, 1, {}}, pose * Vec3{0, 0, -0.05}, 0.02);
        const FacetAverages rays = by_rays(r, 64), few = by_rays(r, 16), tables = by_tables(r);  // 20 x 20 texels
        squares += (tables.a[3] / rays.a[3] - 1) * (tables.a[3] / rays.a[3] - 1);
        squares_of_few += (few.a[3] / rays.a[3] - 1) * (few.a[3] / rays.a[3] - 1);
    }
    EXPECT_LT(squares, squares_of_few);
    RecordProperty("relative_error_of_tables", std::to_string(std::sqrt(squares / 100)));
    RecordProperty("relative_error_of_16_rays", std::to_string(std::sqrt(squares_of_few / 100)));
}

TEST(FootprintSampler, SwappingTheBodiesTurnsEverythingRound) {
    const SlopeTable rough(gaussian_map(64, 0.5, 0.2, 3), FacetWeight::Projected),
        other(gaussian_map(32, 0.1, 0.6, 4), FacetWeight::Projected);
    const geometry::Shape box = geometry::Box{{0.1, 0.12, 0.05}};
    const Pose pose{{0.3, -0.2, 0.05}, rotation({0, 0, 0.7})};
    const Vec3 at = pose * Vec3{0.095, 0.03, -0.05};
    const FootprintRequest one = on_ground(ground_side(&rough, 0.1), {&box, pose, at, &other, 0.5, {}}, at, 0.03);
    FootprintRequest two = one;
    std::swap(two.a, two.b);
    two.normal = -one.normal;  // b is negated with it: d_k becomes d_-k, and motion of B along d is motion of A along -d
    for (const bool tables : {false, true}) {
        const FacetAverages p = tables ? by_tables(one) : by_rays(one), q = tables ? by_tables(two) : by_rays(two);
        EXPECT_NEAR(p.covered, q.covered, 1e-12);
        for (size_t k = 0; k < 16; ++k) {
            EXPECT_NEAR(p.a[k], q.b[(24 - k) % 16], 1e-6) << k;
            EXPECT_NEAR(p.b[k], q.a[(24 - k) % 16], 1e-6) << k;
        }
    }
}

// A ball or a cylinder on the ground. Its curvature must not count as roughness; its map counts within the box only.
TEST(FootprintSampler, CurvedShapes) {
    // v grows towards the pole
    const SlopeTable ramp(map_of(4, 4, [](int, int) { return Vec2{0, 1}; }), FacetWeight::Projected);
    struct Case {
        geometry::Shape shape;
        Vec3 lowest;  // in the shape's axes. The shape lies on its side: its z is along the world's y
    };
    const Case cases[] = {
        {geometry::Sphere{0.05}, {}}, {geometry::Capsule{0.05, 0.1}, {}}, {geometry::Cylinder{0.05, 0.1}, {}}};
    for (const Case& c : cases) {
        const Pose pose{{0, 0, 0.05}, rotation({-pi / 2, 0, 0})};  // rotates z to +y
        EXPECT_NEAR(rotate(pose.orientation, {0, 0, 1}).y, 1, 1e-15);
        const FootprintRequest r = on_ground(ground_side(nullptr, 1), {&c.shape, pose, {}, &ramp, 1, {}}, {}, 0.02);
        const FacetAverages found = by_rays(r, 64);
        // B's facets face along growing v, +y: they resist motion along +y
        EXPECT_NEAR(found.b[4], 1, 0.01) << geometry::name(c.shape);
        EXPECT_NEAR(found.b[12], 0, 0.01);
        EXPECT_NEAR(found.b[0], 0, 0.05);
        // The ball stays within depth/2 = 0.1 mm of the plane up to a radius of sqrt(2 R 0.1 mm) = 3.16 mm; the cylinder
        // over its whole length.
        const double expected =
            std::holds_alternative<geometry::Sphere>(c.shape) ? pi * 0.00316 * 0.00316 / (0.02 * 0.02) : 2 * 0.00316 / 0.02;
        EXPECT_NEAR(found.covered, expected, 0.04) << geometry::name(c.shape);
        FacetAverages by_table;
        EXPECT_FALSE(TableSampler().sample_one(r, by_table));
        TableSampler().sample({&r, 1}, {&by_table, 1});  // falls back to rays
        EXPECT_NEAR(by_table.b[4], 1, 0.02);
    }
}

// Reference in double precision, point by point: the hit of the line along the normal with the ball, surface_point() there,
// and the facet rotated into the contact plane. The rays use floats. The map of 16 x 16 texels is so coarse that no hit lies
// on a texel edge.
TEST(FootprintSampler, BallsAreWhatTheirPointsSay) {
    Random random(21);
    const SlopeMap map = gaussian_map(16, 0.5, 0.3, 5);
    const SlopeTable rough(map, FacetWeight::Projected);
    const double radius = 0.1, width = 0.03, depth = 0.004;
    const geometry::Shape ball = geometry::Sphere{radius};
    for (int trial = 0; trial < 200; ++trial) {
        const bool on_a = trial % 2 == 0;
        const double sign = on_a ? 1 : -1;
        const Vec3 normal = normalized(Vec3{random.normal(), random.normal(), random.normal()}), t = any_tangent(normal),
                   b = cross(normal, t);
        const Quat turn = normalized(Quat{random.normal(), random.normal(), random.normal(), random.normal()});
        const geometry::Shape plane = geometry::Box{{1, 1, 1}};
        // rotates z to -sign normal
        const Quat level = normalized(Quat{1 - sign * normal.z, sign * normal.y, -sign * normal.x, 0});
        const Vec3 centre{0.3, -0.2, 0.5}, touch = centre + sign * (radius - random.uniform(0, 1e-3)) * normal;
        const FootprintSide round{&ball, {centre, turn}, touch, &rough, 0.7, {0.2, 0.4}},
            flat{&plane, {touch + sign * normal, level}, touch, nullptr, 1, {}};
        const FootprintRequest r{normal, t, width, depth, 16, on_a ? round : flat, on_a ? flat : round};
        const FacetAverages found = by_rays(r);

        double weight = 0;
        std::array<double, 16> sum{};
        const Vec3 out = sign * normal;
        for (int j = 0; j < 16; ++j)
            for (int i = 0; i < 16; ++i) {
                const Vec3 o = touch + ((i + 0.5) / 16 - 0.5) * width * t + ((j + 0.5) / 16 - 0.5) * width * b - centre;
                const double high = dot(o, out), rest = radius * radius - (dot(o, o) - high * high);
                if (rest < 0 || std::fabs(std::sqrt(rest) - high) > depth / 2) continue;
                const Vec3 p = o + (std::sqrt(rest) - high) * out;
                const geometry::SurfacePoint at =
                    geometry::surface_point(ball, rotate_inverse(turn, p), rotate_inverse(turn, out));
                const Vec2 uv{at.uv.x / 0.7 + 0.2, at.uv.y / 0.7 + 0.4};
                const auto texel = [](double x) { return static_cast<size_t>(16 * (x - std::floor(x))); };
                const Slope& g = map.slopes[16 * texel(uv.y) + texel(uv.x)];
                Vec3 slope = rotate(turn, static_cast<double>(g.x) * at.tangent + static_cast<double>(g.y) * at.bitangent());
                const Vec3 n = rotate(turn, at.normal);
                slope = slope - dot(slope, out) / (1 + dot(n, out)) * (n + out);  // smallest rotation from n to out
                for (size_t k = 0; k < 16; ++k) {
                    const double angle = pi * static_cast<double>(k) / 8;
                    sum[k] += larger(0, -sign * dot(slope, std::cos(angle) * t + std::sin(angle) * b));
                }
                weight += 1;
            }
        ASSERT_GT(weight, 20);
        EXPECT_EQ(found.covered, weight / 256) << trial;
        // rounding of floats
        for (size_t k = 0; k < 16; ++k)
            EXPECT_NEAR((on_a ? found.a : found.b)[k], sum[k] / weight, 2e-6) << trial << " " << k;
    }
}

/// A square sheet of two triangles in z = 0, with texture coordinates (x, y)/edge, or mirrored.
geometry::Shape square(double edge, bool mirrored) {
    geometry::MeshData data;
    const double h = 0.5 * edge;
    data.positions = {{-h, -h, 0}, {h, -h, 0}, {h, h, 0}, {-h, h, 0}};
    data.triangles = {0, 1, 2, 0, 2, 3};
    for (const std::uint32_t i : data.triangles) {
        const Vec3& p = data.positions[i];
        const double u = p.x / edge + 0.5;
        data.uvs.push_back({mirrored ? 1 - u : u, p.y / edge + 0.5});
        data.normals.push_back({0, 0, 1});
    }
    return geometry::make_mesh(data);
}

TEST(FootprintSampler, MeshesAndMirroredTextures) {
    const geometry::Shape box = geometry::Box{{0.1, 0.1, 0.1}};
    const SlopeTable ramp(map_of(4, 4, [](int, int) { return Vec2{1, 0.5}; }), FacetWeight::Projected);
    for (const bool mirrored : {false, true}) {
        const geometry::Shape mesh = square(1, mirrored);
        for (const Vec3& at : {Vec3{0.2, -0.2, 0}, Vec3{0, 0, 0}}) {  // within one triangle, and across both
            const FootprintRequest r =
                on_ground({&mesh, {}, {}, &ramp, 0.1, {}}, {&box, {at + Vec3{0, 0, 0.1}, {}}, {}, nullptr, 1, {}}, at, 0.02);
            const FacetAverages rays = by_rays(r);
            EXPECT_NEAR(rays.covered, 1, 1e-12);
            // facing +u (+x, or -x where the texture is mirrored), and +v (+y in both cases)
            EXPECT_NEAR(rays.a[mirrored ? 0 : 8], 1, 1e-6) << mirrored;
            EXPECT_NEAR(rays.a[mirrored ? 8 : 0], 0, 1e-6) << mirrored;
            EXPECT_NEAR(rays.a[12], 0.5, 1e-6);
            EXPECT_NEAR(rays.a[4], 0, 1e-6);
            FacetAverages tables;
            EXPECT_EQ(TableSampler().sample_one(r, tables), at.x > 0) << "one triangle is flat, two are for the rays";
            for (size_t k = 0; at.x > 0 && k < 16; ++k) EXPECT_NEAR(tables.a[k], rays.a[k], 0.01);
        }
    }
}

// The mesh of a box gives the same result as the box.
TEST(FootprintSampler, AMeshOfABoxIsABox) {
    Random random(6);
    const SlopeTable rough(gaussian_map(64, 0.5, 0.5, 3), FacetWeight::Projected);
    const geometry::Box box{{0.1, 0.1, 0.1}};
    const geometry::TriangleMesh drawn = geometry::triangulate(geometry::Shape{box});
    geometry::MeshData data;
    data.positions = drawn.positions;
    data.triangles = drawn.triangles;
    for (const std::uint32_t i : drawn.triangles) data.normals.push_back(drawn.normals[i]), data.uvs.push_back(drawn.uvs[i]);
    const geometry::Shape shape = box, mesh = geometry::make_mesh(data);
    for (int trial = 0; trial < 50; ++trial) {
        const Pose pose{{0, 0, 0.1}, rotation({0, 0, random.uniform(0, 6)})};
        const Vec3 at = pose * Vec3{random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), -0.1};
        const FootprintRequest a = on_ground(ground_side(nullptr, 1), {&shape, pose, at, &rough, 0.3, {}}, at, 0.02);
        FootprintRequest b = a;
        b.b.shape = &mesh;
        const FacetAverages p = by_rays(a), q = by_rays(b);
        EXPECT_NEAR(p.covered, q.covered, 2.0 / 256);
        for (size_t k = 0; k < 16; ++k) EXPECT_NEAR(p.b[k], q.b[k], p.covered > 0 ? 0.02 / p.covered : 0) << trial;
    }
}

TEST(FootprintSampler, DepthOfTheBox) {
    EXPECT_DOUBLE_EQ(footprint_depth(0.02, 0), 2e-4);        // touching: 1 % of the width
    EXPECT_DOUBLE_EQ(footprint_depth(0.02, -1e-3), 1.2e-3);  // plus the overlap
    EXPECT_DOUBLE_EQ(footprint_depth(0.02, 1e-3), 2e-4);
    // A box on its edge, tilted by 30 degrees: only the strip along the edge lies within the box of the footprint.
    const geometry::Shape box = geometry::Box{{0.1, 0.1, 0.1}};
    const Quat tilt = rotation({0, radians(30), 0});
    const Vec3 edge = rotate(tilt, {0.1, 0, -0.1});
    const FootprintRequest r = on_ground(ground_side(nullptr, 1), {&box, {-edge, tilt}, {}, nullptr, 1, {}}, {}, 0.02);
    const double strip = 1e-4 / std::tan(radians(30)) + 1e-4 / std::tan(radians(60));
    EXPECT_NEAR(by_rays(r, 64).covered, strip / 0.02, 1.5 / 64);
}

// A tilted box touches along its edge, a strip that may be narrower than the spacing of the rays. The ground must still
// count.
TEST(FootprintSampler, EdgesFeelTheGround) {
    const geometry::Shape box = geometry::Box{{0.1, 0.1, 0.1}};
    const SlopeTable ramp(map_of(4, 4, [](int, int) { return Vec2{0.7, 0}; }), FacetWeight::Projected);
    for (const double tilt_deg : {2.0, 8.0, 20.0, 45.0, 70.0}) {
        const Quat tilt = rotation({0, radians(tilt_deg), 0});
        const Vec3 edge = rotate(tilt, {0.1, 0.03, -0.1});
        const FootprintRequest r = on_ground(ground_side(&ramp, 0.1), {&box, {-edge, tilt}, {}, nullptr, 1, {}}, {}, 0.02);
        EXPECT_NEAR(by_rays(r).a[8], 0.7, 1e-6) << tilt_deg;
        EXPECT_NEAR(by_tables(r).a[8], 0.7, 1e-6) << tilt_deg;
    }
}

// A homogeneous map has one coefficient, for every size and position of the footprint.
TEST(FootprintSampler, HomogeneousMapsDoNotDependOnWidthOrResolution) {
    const SlopeTable rough(gaussian_map(512, 0.5, 0.5, 9), FacetWeight::Projected);
    const geometry::Shape box = geometry::Box{{0.2, 0.2, 0.1}};
    const double closed = 0.5 / std::sqrt(2 * pi);
    for (const double width : {0.01, 0.02, 0.04})
        for (const int resolution : {8, 16, 32}) {
            double mean = 0;
            Random random(2);
            for (int i = 0; i < 200; ++i) {
                const Vec3 at{random.uniform(-1, 1), random.uniform(-1, 1), 0};
                mean += by_rays(on_ground(ground_side(&rough, 0.512), {&box, {at + Vec3{0, 0, 0.1}, {}}, {}, nullptr, 1, {}},
                                          at, width),
                                resolution)
                            .a[5] /
                        200;
            }
            EXPECT_NEAR(mean, closed, 0.05 * closed) << width << " " << resolution;
        }
}

// One ridge with two flanks of slope 1, each 2 mm wide, anywhere in the footprint. Averaged over positions it counts as 2
// mm/width, for any resolution. Rays spaced wider than a flank may miss it; the table never does.
TEST(FootprintSampler, ASingleRidgeCountsAsOneOverTheWidth) {
    constexpr double texel = 1e-3, flank = 2e-3;
    const SlopeTable ridge(map_of(256, 256,
                                  [](int x, int) {
                                      return Vec2{x == 128 || x == 129 ? -1.0 : x == 130 || x == 131 ? 1.0 : 0.0, 0};
                                  }),
                           FacetWeight::Projected);
    const geometry::Shape box = geometry::Box{{0.2, 0.2, 0.1}};
    for (const double width : {0.01, 0.02, 0.04}) {
        // mean and minimum over positions, with the ridge inside the footprint
        const auto look = [&](const std::function<FacetAverages(const FootprintRequest&)>& sample) {
            std::pair<double, double> seen{0, 1};
            constexpr int places = 400;
            for (int i = 0; i < places; ++i) {
                const Vec3 at{130 * texel + (width / 2 - flank) * ((i + 0.5) / places * 2 - 1), 0.004, 0};
                const double a = sample(on_ground(ground_side(&ridge, 256 * texel),
                                                  {&box, {at + Vec3{0, 0, 0.1}, {}}, {}, nullptr, 1, {}}, at, width))
                                     .a[0];
                seen = {seen.first + a / places, std::min(seen.second, a)};
            }
            return seen;
        };
        for (const int resolution : {8, 16, 32}) {
            const auto [mean, least] = look([&](const FootprintRequest& r) { return by_rays(r, resolution); });
            EXPECT_NEAR(mean, flank / width, 0.05 * flank / width) << width << " " << resolution;
            EXPECT_EQ(least > 0, width / resolution <= flank) << width << " " << resolution;
        }
        const auto [mean, least] = look([](const FootprintRequest& r) { return by_tables(r); });
        EXPECT_NEAR(mean, flank / width, 0.05 * flank / width) << width << ", tables";
        EXPECT_GT(least, 0);
    }
}

TEST(FootprintSampler, SameBitsOnAnyThreads) {
    Random random(8);
    const SlopeTable rough(gaussian_map(64, 0.5, 0.5, 3), FacetWeight::Projected);
    const geometry::Shape box = geometry::Box{{0.1, 0.1, 0.1}}, ball = geometry::Sphere{0.1};
    std::vector<Pose> poses;
    std::vector<FootprintRequest> requests;
    for (int i = 0; i < 200; ++i) {
        const Vec3 at{random.uniform(-1, 1), random.uniform(-1, 1), 0};
        requests.push_back(on_ground(
            ground_side(&rough, 0.064),
            {i % 3 == 0 ? &ball : &box, {at + Vec3{0, 0, 0.1}, rotation({0, 0, 0.1 * i})}, {}, &rough, 1, {}}, at, 0.02));
    }
    std::vector<FacetAverages> one(200), four(200);
    RaySampler rays;
    TableSampler tables;
    for (FootprintSampler* sampler : {static_cast<FootprintSampler*>(&rays), static_cast<FootprintSampler*>(&tables)}) {
        set_thread_count(1);
        sampler->sample(requests, one);
        set_thread_count(4);
        sampler->sample(requests, four);
        set_thread_count(1);
        for (size_t i = 0; i < one.size(); ++i)
            EXPECT_TRUE(one[i].a == four[i].a && one[i].b == four[i].b && one[i].covered == four[i].covered);
    }
}

}  // namespace
}  // namespace asperity::surface
