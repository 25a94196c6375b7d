// Random piles of mixed shapes; the same seed gives the same pile.
#pragma once
#include "asperity/core/random.h"
#include "asperity/surface/make_slopes.h"
#include "tests/verify/worlds.h"

namespace asperity::verify {

inline geometry::Shape random_shape(Random& random, int kind) {
    const double size = random.uniform(0.06, 0.14);
    const double other = random.uniform(0.05, 0.15), third = random.uniform(0.05, 0.15);
    switch (kind % 5) {
        case 0: return geometry::Sphere{size};
        case 1: return geometry::Box{{size, other, third}};
        case 2: return geometry::Capsule{0.6 * size, other};
        case 3: return geometry::Cylinder{size, other};
        default: {
            std::vector<Vec3> points;
            for (int i = 0; i < 12; ++i)
                points.push_back(1.4 * size * normalized(Vec3{random.normal(), random.normal(), random.normal()}));
            return geometry::convex_hull(points);
        }
    }
}

/// `count` bodies above the ground in layers of six, with random orientations and spins, and masses of 0.5 to 2 kg.
inline sim::World pile(int count, std::uint64_t seed, const friction::Law& law = coulomb(0.4)) {
    Random random(seed);
    sim::World world = world_with(law);
    add_ground(world);
    for (int i = 0; i < count; ++i) {
        const double x = 0.35 * (i % 3) - 0.35 + random.uniform(-0.02, 0.02),
                     y = 0.35 * (i / 3 % 2) + random.uniform(-0.02, 0.02);
        const Vec3 turn{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)};
        const double mass = random.uniform(0.5, 2);
        Body body(world, add(world, fmt::format("body{}", i), random_shape(random, i),
                             {{x, y, 0.3 + 0.4 * (i / 6)}, rotation(turn)}, mass));
        for (int k = 0; k < 3; ++k) body.spin()[k] = random.uniform(-3, 3);
    }
    return world;
}

/// The same pile with a rough map on all bodies: tables for flat surfaces and rays elsewhere, or rays everywhere.
inline sim::World ploughing_pile(int count, std::uint64_t seed, int directions, surface::FootprintSettings::Frame frame,
                                 bool rays) {
    sim::World world =
        pile(count, seed, {.base = friction::Ploughing{0.2, 1, 1, friction::FacetWeight::TrueArea, directions}});
    surface::FootprintSettings footprint;
    footprint.frame = frame;
    if (rays) footprint.sampling = surface::FootprintSettings::Sampling::Rays;
    world.model.pairs.set_default(
        {.friction = {.base = friction::Ploughing{0.2, 1, 1, friction::FacetWeight::TrueArea, directions}},
         .footprint = footprint});
    world.set_slopes(
        MaterialId{0},
        {std::make_shared<const surface::SlopeMap>(surface::gaussian_slopes({64, 64}, {0.4, 0.2}, 3)), 0.1, {}});
    return world;
}

}  // namespace asperity::verify
