// Queries of a world against brute force over all shapes, after every kind of change.
#include <algorithm>
#include <limits>

#include "asperity/core/error.h"
#include "asperity/core/parallel.h"
#include "asperity/geometry/mesh_contact/overlaps.h"
#include "asperity/geometry/shape/ray_cast.h"
#include "tests/support/random_direction.h"
#include "tests/unit/geometry/meshes.h"
#include "tests/verify/worlds.h"

namespace asperity::verify {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// All kinds of shapes, above a ground with a hill.
struct Scene {
    sim::World world = world_with(coulomb(0.5));
    std::vector<BodyId> bodies;
    Random random{9};
    int made = 0;

    explicit Scene(int count) {
        bodies.push_back(BodyId{add_ground(world)});
        bodies.push_back(world.add_body({.name = "hill",
                                         .motion = rigid::Motion::Fixed,
                                         .colliders = {{geometry::height_field(10, 10, {2, 2}, [](double x, double y) {
                                             return 0.3 * std::cos(x) * std::cos(y);
                                         })}}}));
        for (int i = 0; i < count; ++i) add_random();
    }
    void add_random() {
        const geometry::Shape shapes[] = {
            geometry::Sphere{0.1},
            geometry::Box{{0.1, 0.05, 0.2}},
            geometry::Capsule{0.05, 0.1},
            geometry::Cylinder{0.1, 0.1},
            geometry::Hull{std::make_shared<const geometry::Polyhedron>(geometry::box_polyhedron({0.1, 0.1, 0.05}))},
            geometry::make_mesh(geometry::box_data({0.1, 0.07, 0.05}))};
        rigid::BodyDesc desc{.name = fmt::format("body{}", made++)};
        desc.colliders.push_back({shapes[random.below(6)], {}, {}});
        if (random.below(4) == 0) desc.colliders.push_back({shapes[random.below(6)], {{0.2, 0, 0}, {}}, {}});
        desc.pose = {{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(0.2, 3)},
                     rotation(3 * random_direction(random))};
        desc.velocity = 0.5 * random_direction(random);
        bodies.push_back(world.add_body(desc));
    }
};

std::optional<sim::RayHit> by_all_shapes(const sim::World& world, const geometry::Ray& ray, const sim::BodyFilter& filter) {
    std::optional<sim::RayHit> best;
    const rigid::Bodies& bodies = world.model.bodies;
    for (int c = 0; c < static_cast<int>(bodies.colliders.size()); ++c) {
        const int body = bodies.collider_body[static_cast<size_t>(c)];
        if (bodies.is_removed(body) || (filter && !filter(bodies.id(body)))) continue;
        const rigid::Collider& collider = bodies.colliders[static_cast<size_t>(c)];
        const auto hit =
            geometry::cast_ray(collider.shape, world.state.bodies.pose[static_cast<size_t>(body)] * collider.local, ray);
        if (hit && (!best || hit->distance < best->distance))
            best = {bodies.id(body), bodies.collider_id(c), hit->distance, ray.at(hit->distance), hit->normal};
    }
    return best;
}

void compare(Scene& s, const std::string& when) {
    int hits = 0, misses = 0, found = 0;
    const sim::BodyFilter odd = [](BodyId id) { return id.index % 2 == 1; };
    std::vector<geometry::Ray> rays;
    std::vector<std::optional<sim::RayHit>> expected;
    for (int i = 0; i < 300; ++i) {
        const Vec3 origin{s.random.uniform(-3, 3), s.random.uniform(-3, 3), s.random.uniform(0.5, 4)};
        const Vec3 direction =
            i % 10 == 0 ? Vec3{0, 0, -1} : Vec3{s.random.uniform(-1, 1), s.random.uniform(-1, 1), 0.7} - origin;
        const double reach = i % 3 == 0 ? kInfinity : s.random.uniform(0, 5);
        const sim::BodyFilter filter = i % 2 ? odd : sim::BodyFilter{};
        const auto hit = s.world.cast_ray(origin, direction, reach, filter);
        const auto brute = by_all_shapes(s.world, geometry::make_ray(origin, direction, reach), filter);
        ASSERT_EQ(hit.has_value(), brute.has_value()) << when << i;
        if (filter) {
            rays.push_back({origin, direction, reach});
            expected.push_back(brute);
        }
        ++(hit ? hits : misses);
        if (!hit) continue;
        EXPECT_EQ(hit->distance, brute->distance) << when << i;
        EXPECT_EQ(hit->collider, brute->collider) << when << i;
        EXPECT_EQ(hit->body, brute->body) << when << i;
        EXPECT_EQ(hit->normal, brute->normal) << when << i;
        EXPECT_EQ(hit->point, brute->point) << when << i;
    }
    for (const int threads : {1, 2}) {
        set_thread_count(threads);
        const auto together = s.world.cast_rays(rays, odd);
        set_thread_count(1);
        ASSERT_EQ(together.size(), expected.size());
        for (size_t i = 0; i < rays.size(); ++i) {
            ASSERT_EQ(together[i].has_value(), expected[i].has_value()) << when << i;
            if (expected[i]) { EXPECT_EQ(together[i]->collider, expected[i]->collider) << when << i; }
        }
    }
    for (int i = 0; i < 60; ++i) {
        const Pose pose{{s.random.uniform(-2, 2), s.random.uniform(-2, 2), s.random.uniform(0, 2)},
                        rotation(random_direction(s.random))};
        const geometry::Shape probe =
            i % 2 ? geometry::Shape{geometry::Sphere{0.4}} : geometry::Shape{geometry::Box{{0.3, 0.2, 0.5}}};
        const geometry::Aabb box = geometry::bounds(probe, pose);
        std::vector<BodyId> touching, boxed;
        for (const BodyId id : s.bodies) {
            const auto b = static_cast<size_t>(id.index);
            bool touches = false, inside = false;
            for (int c = 0; c < s.world.model.bodies.collider_count[b]; ++c) {
                const rigid::Collider& collider =
                    s.world.model.bodies.colliders[static_cast<size_t>(s.world.model.bodies.first_collider[b] + c)];
                const Pose at = s.world.state.bodies.pose[b] * collider.local;
                touches |= geometry::overlaps(collider.shape, at, probe, pose);
                inside |= geometry::bounds(collider.shape, at).overlaps(box);
            }
            if (touches) touching.push_back(id);
            if (inside) boxed.push_back(id);
        }
        const auto by_index = [](BodyId a, BodyId b) { return a.index < b.index; };
        std::sort(touching.begin(), touching.end(), by_index);
        std::sort(boxed.begin(), boxed.end(), by_index);
        EXPECT_EQ(s.world.overlapping(probe, pose), touching) << when << i;
        EXPECT_EQ(s.world.bodies_in(box), boxed) << when << i;
        found += static_cast<int>(touching.size());
    }
    EXPECT_GT(hits, 50) << when;
    EXPECT_GT(misses, 30) << when;
    EXPECT_GT(found, 20) << when;
}

TEST(Query, AnswersLikeBruteForceWhateverChanged) {
    Scene s(80);
    compare(s, "before the first step");
    const std::string hash = [&] {
        Scene untouched(80);
        run(untouched.world, 0.01, 20);
        return untouched.world.state_hash();
    }();
    for (int i = 0; i < 20; ++i) {
        run(s.world, 0.01, 1);
        s.world.cast_ray({0, 0, 3}, {0, 0, -1}, 10);
    }
    EXPECT_EQ(s.world.state_hash(), hash) << "a query changed the world";
    compare(s, "after steps");
    const sim::State snapshot = s.world.state;
    run(s.world, 0.01, 30);
    s.world.set_state(snapshot);
    compare(s, "after set_state");
    for (size_t i = 2; i < s.bodies.size(); i += 5)
        s.world.state.bodies.pose[static_cast<size_t>(s.bodies[i].index)].position += Vec3{0.5, -0.5, 0.3};  // by hand
    compare(s, "after poses were written");
    for (size_t i = 40; i > 2; i -= 3) {
        s.world.remove_body(s.bodies[i]);
        s.bodies.erase(s.bodies.begin() + static_cast<std::ptrdiff_t>(i));
    }
    compare(s, "after removals");
    for (int i = 0; i < 10; ++i) s.add_random();  // half of them into empty slots
    compare(s, "after additions");
    s.world.remove_body(s.bodies[0]);  // the half-space
    s.bodies.erase(s.bodies.begin());
    s.add_random();
    compare(s, "with a body in the slot of the ground");
    sim::World moved = std::move(s.world);
    s.world = std::move(moved);
    compare(s, "after a move");
}

TEST(Query, RayFromInsideABodyHitsItAtOnce) {
    sim::World world = world_with(coulomb(0.5));
    const BodyId ball{add(world, "ball", geometry::Sphere{1}, {})};
    const auto hit = world.cast_ray({0.5, 0, 0}, {2, 0, 0}, 10);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->body, ball);
    EXPECT_EQ(hit->collider, world.collider(ball));
    EXPECT_EQ(hit->distance, 0);
    EXPECT_EQ(hit->point, (Vec3{0.5, 0, 0}));
    EXPECT_EQ(hit->normal, (Vec3{-1, 0, 0}));
    EXPECT_FALSE(world.cast_ray({0.5, 0, 0}, {2, 0, 0}, 10, [&](BodyId id) { return id != ball; }));
}

TEST(Query, RefusesWhatIsNotFinite) {
    const sim::World world = world_with(coulomb(0.5));
    const double nan = std::nan("");
    EXPECT_THROW(world.cast_ray({}, {}, 1), InputError);
    EXPECT_THROW(world.cast_ray({nan, 0, 0}, {1, 0, 0}, 1), InputError);
    EXPECT_THROW(world.cast_ray({}, {1, 0, 0}, -1), InputError);
    EXPECT_THROW(world.cast_rays(std::vector<geometry::Ray>{{{}, {}, 1}}), InputError);
    EXPECT_THROW(world.overlapping(geometry::Sphere{1}, {{nan, 0, 0}, {}}), InputError);
    EXPECT_THROW(world.overlapping(geometry::Sphere{1}, {{}, {2, 0, 0, 0}}), InputError);
    EXPECT_THROW(world.bodies_in({{nan, 0, 0}, {1, 1, 1}}), InputError);
    EXPECT_THROW(world.bodies_in({{1, 0, 0}, {0, 1, 1}}), InputError);
    EXPECT_FALSE(world.cast_ray({}, {1, 0, 0}, 1));  // an empty world
    EXPECT_TRUE(world.overlapping(geometry::Sphere{1}, {}).empty());
    EXPECT_TRUE(world.bodies_in({{0, 0, 0}, {1, 1, 1}}).empty());
}

// The tree, not all bodies: the filter is asked only about bodies whose boxes the ray meets.
TEST(Query, LooksOnlyAtWhatIsNear) {
    sim::World world = world_with(coulomb(0.5));
    for (int i = 0; i < 4000; ++i)
        add(world, fmt::format("ball{}", i), geometry::Sphere{0.1},
            {{static_cast<double>(i % 64), static_cast<double>(i / 64), 0}, {}});
    int asked = 0;
    const auto hit = world.cast_ray({10, 20, 50}, {0, 0, -1}, 100, [&](BodyId) { return ++asked > 0; });
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->body, BodyId{20 * 64 + 10});
    EXPECT_LE(asked, 4);
    asked = 0;
    const auto first = world.cast_ray({-5, 20, 0}, {1, 0, 0}, 100, [&](BodyId) { return ++asked > 0; });
    ASSERT_TRUE(first);
    EXPECT_EQ(first->body, BodyId{20 * 64});
    EXPECT_LE(asked, 4);  // not the 63 behind it
}

}  // namespace
}  // namespace asperity::verify
