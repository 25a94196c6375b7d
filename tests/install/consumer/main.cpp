// A block on a slope of 30 degrees, in ten lines.
#include <asperity/asperity.h>
#include <cmath>
#include <cstdio>

int main() {
    asperity::sim::World world;
    world.model.settings.gravity = 9.81 * asperity::Vec3{std::sin(M_PI / 6), 0, -std::cos(M_PI / 6)};
    world.add_material({.name = "wood"});
    world.model.pairs.set_default({asperity::friction::Law{asperity::friction::Coulomb{0.5}}, 0});
    world.add_body({.name = "slope",
                    .motion = asperity::rigid::Motion::Fixed,
                    .colliders = {{asperity::geometry::HalfSpace{}, {}, {}}}});
    world.add_body(
        {.name = "block", .colliders = {{asperity::geometry::Box{{0.1, 0.1, 0.05}}, {}, {}}}, .pose = {{0, 0, 0.05}, {}}});
    for (int i = 0; i < 100; ++i) asperity::sim::step(world, 0.01);
    std::printf("speed %.3f, expected %.3f\n", world.state.bodies.velocity[1].x, 9.81 * (0.5 - 0.5 * std::cos(M_PI / 6)));
}
