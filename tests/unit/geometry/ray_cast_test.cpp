// Rays at every shape: closed forms, and brute force that shares no code with the library (marching by signed distances; all
// triangles of a mesh by another formula).
#include "asperity/geometry/shape/ray_cast.h"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <cmath>
#include <functional>
#include <limits>

#include "asperity/core/error.h"
#include "asperity/geometry/mesh/mesh_ray.h"
#include "tests/support/random_direction.h"
#include "tests/unit/geometry/meshes.h"

namespace asperity::geometry {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Hull tetrahedron() {
    return convex_hull(std::vector<Vec3>{{0.4, 0, -0.2}, {-0.2, 0.35, -0.2}, {-0.2, -0.35, -0.2}, {0, 0, 0.4}});
}

/// Signed distance, or outside a lower bound of it; shape axes.
double distance_to(const Shape& shape, const Vec3& p) {
    if (const auto* s = std::get_if<Sphere>(&shape)) return length(p) - s->radius;
    if (const auto* b = std::get_if<Box>(&shape)) {
        const Vec3 q = abs(p) - b->half;
        return length(max(q, {0, 0, 0})) + smaller(max_component(q), 0.0);
    }
    if (const auto* c = std::get_if<Capsule>(&shape))
        return length(p - Vec3{0, 0, clamp(p.z, -c->half_length, c->half_length)}) - c->radius;
    if (const auto* c = std::get_if<Cylinder>(&shape)) {
        const double side = std::hypot(p.x, p.y) - c->radius, cap = std::fabs(p.z) - c->half_height;
        return std::hypot(larger(side, 0.0), larger(cap, 0.0)) + smaller(larger(side, cap), 0.0);
    }
    if (std::holds_alternative<HalfSpace>(shape)) return p.z;
    double most = -kInfinity;
    for (const Polyhedron::Face& face : std::get<Hull>(shape).polyhedron->faces)
        most = larger(most, dot(face.normal, p) - face.offset);
    return most;
}

struct Named {
    std::string name;
    Shape shape;
};
std::vector<Named> convex_shapes() {
    return {{"sphere", Sphere{0.4}},          {"box", Box{{0.3, 0.2, 0.4}}}, {"capsule", Capsule{0.15, 0.3}},
            {"cylinder", Cylinder{0.2, 0.3}}, {"half_space", HalfSpace{}},   {"hull", tetrahedron()}};
}

TEST(RayCast, MeetsConvexShapesWhereMarchingDoes) {
    for (const auto& [name, shape] : convex_shapes()) {
        Random random(7);
        int hits = 0, misses = 0, inside = 0, unclear = 0;
        for (int i = 0; i < 8000; ++i) {
            const Pose pose{{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)},
                            rotation(3 * random_direction(random))};
            const Vec3 origin = pose.position + random.uniform(0, 1.5) * random_direction(random);
            const Ray ray = make_ray(origin, random.uniform(0.1, 9) * random_direction(random), random.uniform(0.2, 2));
            double t = 0, left = kInfinity;
            for (int k = 0; k < 20000 && t <= ray.max_distance + 1e-3 && left > 1e-13; ++k)
                t += left = distance_to(shape, pose.to_local(ray.at(t)));
            const std::optional<ShapeHit> hit = cast_ray(shape, pose, ray);
            const std::string what = fmt::format("{} {}", name, i);
            if (distance_to(shape, pose.to_local(origin)) < 0) {
                ++inside;
                ASSERT_TRUE(hit) << what;
                EXPECT_EQ(hit->distance, 0) << what;
                EXPECT_NEAR(length(hit->normal + ray.direction), 0, 1e-14) << what;
            } else if (std::fabs(t - ray.max_distance) < 2e-3) {
                ++unclear;
            } else if (left <= 1e-13 && t < ray.max_distance) {
                ++hits;
                ASSERT_TRUE(hit) << what;
                // marching stops 1e-13 in front of the surface: farther along a grazing ray
                const double grazing = larger(-dot(hit->normal, ray.direction), 1e-4);
                EXPECT_NEAR(hit->distance, t, 1e-12 / grazing / grazing) << what;
                EXPECT_NEAR(length(hit->normal), 1, 1e-12) << what;
                const Vec3 at = pose.to_local(ray.at(hit->distance)), n = rotate_inverse(pose.orientation, hit->normal);
                EXPECT_NEAR(distance_to(shape, at), 0, 1e-13) << what;
                const double h = 1e-5;  // the normal is the direction in which the distance grows
                EXPECT_GT(distance_to(shape, at + h * n), 0.9 * h) << what;
            } else {
                ++misses;
                EXPECT_FALSE(hit) << what;
            }
        }
        EXPECT_GT(hits, 300) << name;
        EXPECT_GT(misses, 300) << name;
        EXPECT_GT(inside, 100) << name;
        EXPECT_LT(unclear, 120) << name;
    }
}

TEST(RayCast, ClosedForms) {
    const auto distance = [](const Shape& shape, const Vec3& from, const Vec3& to) {
        const auto hit = cast_ray(shape, {}, make_ray(from, to - from));
        return hit ? hit->distance : -1;
    };
    EXPECT_EQ(distance(Sphere{1}, {-3, 0, 0}, {0, 0, 0}), 2);
    EXPECT_EQ(distance(Box{{1, 2, 3}}, {0, 0, 10}, {0, 0, 0}), 7);
    EXPECT_EQ(distance(Capsule{1, 2}, {0, 0, -10}, {0, 0, 0}), 7);
    EXPECT_EQ(distance(Capsule{1, 2}, {-5, 0, 1}, {0, 0, 1}), 4);
    EXPECT_EQ(distance(Cylinder{1, 2}, {0.5, 0, 5}, {0.5, 0, 0}), 3);
    EXPECT_EQ(distance(Cylinder{1, 2}, {0, 5, 0}, {0, 0, 0}), 4);
    EXPECT_NEAR(distance(HalfSpace{}, {1, 2, 3}, {4, 2, 0}), 3 * std::sqrt(2), 1e-15);
    EXPECT_EQ(distance(HalfSpace{}, {0, 0, 1}, {0, 0, 2}), -1);
}

TEST(RayCast, RunningAlongAFaceOrTouchingMeets) {
    const auto meets = [](const Shape& shape, const Vec3& origin, const Vec3& direction) {
        return cast_ray(shape, {}, make_ray(origin, direction)).has_value();
    };
    EXPECT_TRUE(meets(Sphere{1}, {-2, 1, 0}, {1, 0, 0}));
    EXPECT_FALSE(meets(Sphere{1}, {-2, 1 + 1e-12, 0}, {1, 0, 0}));
    EXPECT_TRUE(meets(Box{{1, 1, 1}}, {-2, 1, 0}, {1, 0, 0}));
    EXPECT_FALSE(meets(Box{{1, 1, 1}}, {-2, 1 + 1e-15, 0}, {1, 0, 0}));
    EXPECT_TRUE(meets(Box{{1, 1, 1}}, {-2, 0, 1}, {1, 1, 0}));  // through an edge, in the plane of the top
    EXPECT_TRUE(meets(Cylinder{1, 1}, {-2, 1, 0}, {1, 0, 0}));
    EXPECT_TRUE(meets(Cylinder{1, 1}, {-2, 0, 1}, {1, 0, 0}));
    EXPECT_TRUE(meets(Cylinder{1, 1}, {1, 0, -2}, {0, 0, 1}));
    EXPECT_FALSE(meets(Cylinder{1, 1}, {1 + 1e-15, 0, -2}, {0, 0, 1}));
    EXPECT_TRUE(meets(Capsule{1, 1}, {-2, 1, 0}, {1, 0, 0}));
    EXPECT_FALSE(meets(Capsule{1, 1}, {-2, 1 + 1e-12, 0}, {1, 0, 0}));
    EXPECT_TRUE(meets(Capsule{1, 1}, {1, 0, -2}, {0, 0, 1}));
    EXPECT_TRUE(meets(HalfSpace{}, {0, 0, 0}, {1, 0, 0}));
    EXPECT_FALSE(meets(HalfSpace{}, {0, 0, 1e-300}, {1, 0, 0}));
}

TEST(RayCast, LeadingAwayFromTheSurfaceMisses) {
    std::vector<Named> shapes = convex_shapes();
    shapes.back() = {"hull", Hull{std::make_shared<const Polyhedron>(box_polyhedron({1, 1, 1}))}};  // whose planes are exact
    for (const auto& [name, shape] : shapes) {
        const Vec3 up{0, 0, 1};
        const Vec3 top = std::holds_alternative<HalfSpace>(shape) ? Vec3{} : support(shape, up);
        EXPECT_FALSE(cast_ray(shape, {}, make_ray(top, up))) << name;
        const auto down = cast_ray(shape, {}, make_ray(top, -up));
        ASSERT_TRUE(down) << name;
        EXPECT_EQ(down->distance, 0) << name;
    }
    const Mesh cube = make_mesh(box_data({1, 1, 1}));
    EXPECT_FALSE(cast_ray(cube, {}, make_ray({0.3, 0.2, 1}, {0, 0, 1})));
    EXPECT_EQ(cast_ray(cube, {}, make_ray({0.3, 0.2, 1}, {0, 0, -1}))->distance, 0);
}

TEST(RayCast, IsExactFromFarAway) {
    for (const double far : {1e3, 1e6}) {
        const Vec3 d = normalized(Vec3{-0.6, 0, -0.8});
        const auto hit = cast_ray(Sphere{0.01}, {}, make_ray(-far * d, d));
        ASSERT_TRUE(hit);
        EXPECT_NEAR(hit->distance, far - 0.01, 4e-16 * far);
        EXPECT_TRUE(cast_ray(Cylinder{0.01, 1}, {}, make_ray({far, 0.009999, 0.5}, {-1, 0, 0})));
        EXPECT_FALSE(cast_ray(Cylinder{0.01, 1}, {}, make_ray({far, 0.010001, 0.5}, {-1, 0, 0})));
    }
}

TEST(RayCast, StopsAtItsEnd) {
    const auto hit = [](double reach) { return cast_ray(Sphere{1}, {}, make_ray({-3, 0, 0}, {5, 0, 0}, reach)); };
    EXPECT_FALSE(hit(0));
    EXPECT_FALSE(hit(1.999999));
    EXPECT_TRUE(hit(2));
    EXPECT_TRUE(cast_ray(Sphere{1}, {}, make_ray({0.5, 0, 0}, {1, 0, 0}, 0)));  // no length, but inside
}

TEST(RayCast, RefusesWhatIsNoRay) {
    const double nan = std::nan("");
    const auto complaint = [](const Vec3& origin, const Vec3& direction, double reach) -> std::string {
        try {
            make_ray(origin, direction, reach, "cast_ray");
        } catch (const InputError& error) { return error.what(); }
        return "";
    };
    EXPECT_EQ(complaint({}, {}, 1), "cast_ray: direction = (0, 0, 0): must be finite and longer than 0");
    EXPECT_EQ(complaint({}, {0, nan, 0}, 1), "cast_ray: direction = (0, nan, 0): must be finite and longer than 0");
    EXPECT_EQ(complaint({}, {0, kInfinity, 0}, 1), "cast_ray: direction = (0, inf, 0): must be finite and longer than 0");
    EXPECT_EQ(complaint({nan, 0, 0}, {1, 0, 0}, 1), "cast_ray: origin = (nan, 0, 0): must be finite");
    EXPECT_EQ(complaint({}, {1, 0, 0}, -1), "cast_ray: max_distance = -1: must be at least 0 m; it may be infinite");
    EXPECT_EQ(complaint({}, {1, 0, 0}, nan), "cast_ray: max_distance = nan: must be at least 0 m; it may be infinite");
    EXPECT_EQ(complaint({}, {1, 0, 0}, kInfinity), "");
    for (const double size : {1e-300, 1e300})
        EXPECT_NEAR(length(make_ray({}, size * Vec3{1, 2, 2}).direction - Vec3{1, 2, 2} / 3), 0, 1e-15) << size;
}

/// Moeller and Trumbore's formula on all triangles.
double by_all_triangles(const TriangleSet& mesh, const Vec3& o, const Vec3& d, double& margin) {
    double nearest = kInfinity;
    margin = kInfinity;
    for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
        const Vec3 a = mesh.corner(t, 0), e1 = mesh.corner(t, 1) - a, e2 = mesh.corner(t, 2) - a, p = cross(d, e2);
        const double det = dot(e1, p);
        if (det == 0) continue;
        const Vec3 s = o - a, q = cross(s, e1);
        const double u = dot(s, p) / det, v = dot(d, q) / det, at = dot(e2, q) / det;
        if (at < 0) continue;
        margin = smaller(margin, smaller(smaller(std::fabs(u), std::fabs(v)), std::fabs(1 - u - v)));
        if (u >= 0 && v >= 0 && u + v <= 1) nearest = smaller(nearest, at);
    }
    return nearest;
}

TEST(RayCast, MeetsAMeshWhereItsTrianglesSay) {
    const auto bumpy = [](double x, double y) { return 0.2 * std::sin(4 * x) * std::cos(3 * y); };
    const std::vector<std::pair<std::string, Mesh>> meshes = {
        {"closed", make_mesh(box_data({0.3, 0.2, 0.4}))},
        {"sheet", make_mesh(sheet_data(12, 1, 0.3, bumpy))},
        {"ground", height_field(20, 20, {2, 2}, bumpy)},
    };
    for (const auto& [name, mesh] : meshes) {
        Random random(3);
        const TriangleSet& set = *mesh.triangles;
        int hits = 0, misses = 0, inside = 0;
        for (int i = 0; i < 3000; ++i) {
            const Vec3 origin = random.uniform(0, 1.5) * random_direction(random), d = random_direction(random);
            double margin = 0;
            const double expected = by_all_triangles(set, origin, d, margin);
            if (margin < 1e-9) continue;
            const auto hit = cast_ray(mesh, {}, make_ray(origin, d));
            const bool within = name == "closed"
                                    ? distance_to(Box{{0.3, 0.2, 0.4}}, origin) < 0
                                    : name == "ground" && std::isfinite(by_all_triangles(set, origin, {0, 0, 1}, margin));
            if (within) {
                ++inside;
                ASSERT_TRUE(hit) << name << i;
                EXPECT_EQ(hit->distance, 0) << name << i;
                EXPECT_TRUE(cast_ray(mesh, {}, make_ray(origin, d, 1e-9))) << "ends inside, " << name << i;
                continue;
            }
            ASSERT_EQ(hit.has_value(), std::isfinite(expected)) << name << i;
            ++(hit ? hits : misses);
            if (!hit) continue;
            EXPECT_NEAR(hit->distance, expected, 1e-13) << name << i;
            EXPECT_LT(dot(hit->normal, d), 0) << name << i;
            ASSERT_GE(hit->triangle, 0);
            EXPECT_NEAR(std::fabs(dot(hit->normal, set.face_normals[static_cast<size_t>(hit->triangle)])), 1, 1e-14);
            EXPECT_FALSE(cast_ray(mesh, {}, make_ray(origin, d, 0.999 * expected))) << name << i;
        }
        EXPECT_GT(hits, 100) << name;
        EXPECT_GT(misses, 100) << name;
        if (name != "sheet") { EXPECT_GT(inside, 100) << name; }
    }
}

// Aimed at vertices and edges, a ray slips through nowhere.
TEST(RayCast, MeshIsWatertight) {
    const Mesh mesh = make_mesh(sheet_data(20, 1, 0.4, [](double x, double y) { return 0.1 * std::sin(9 * x + 5 * y); }));
    const TriangleSet& set = *mesh.triangles;
    Random random(11);
    int tried = 0;
    for (const TriangleSet::Edge& edge : set.edges) {
        if (edge.right < 0) continue;
        const Vec3 &from = set.positions[static_cast<size_t>(edge.from)], &to = set.positions[static_cast<size_t>(edge.to)];
        if (max_component(abs(from)) > 0.99 || max_component(abs(to)) > 0.99) continue;
        for (const double share : {0.0, 0.5, random.uniform()}) {
            const Vec3 target = lerp(1, 0, share) * from + share * to;
            const Vec3 origin = target + Vec3{random.uniform(-1, 1), random.uniform(-1, 1), 2};
            EXPECT_TRUE(cast_ray(mesh, {}, make_ray(origin, target - origin)));
            EXPECT_TRUE(cast_ray(mesh, {}, make_ray(target + Vec3{0, 0, 1}, {0, 0, -1})));
            ++tried;
        }
    }
    EXPECT_GT(tried, 2000);
}

TEST(RayCast, MovesWithThePose) {
    Random random(5);
    const Mesh mesh = make_mesh(box_data({0.3, 0.2, 0.4}));
    for (int i = 0; i < 200; ++i) {
        const Pose pose{{1, -2, 3}, rotation(random_direction(random))};
        const Vec3 origin = 1.2 * random_direction(random), d = random_direction(random) - origin;
        const auto here = cast_ray(mesh, {}, make_ray(origin, d));
        const auto there = cast_ray(mesh, pose, make_ray(pose * origin, rotate(pose.orientation, d)));
        ASSERT_EQ(here.has_value(), there.has_value());
        if (!here) continue;
        EXPECT_NEAR(here->distance, there->distance, 1e-14);
        EXPECT_NEAR(length(rotate(pose.orientation, here->normal) - there->normal), 0, 1e-14);
    }
}

}  // namespace
}  // namespace asperity::geometry
