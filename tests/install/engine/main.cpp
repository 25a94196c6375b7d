// A block on a slope of 30 degrees, in ten lines.
#include <asperity/asperity.h>
#include <cmath>
#include <cstdio>

int main() {
    asperity::sim::World world;
    world.model.settings.gravity = 9.81 * asperity::Vec3{std::sin(M_PI / 6), 0, -std::cos(M_PI / 6)};
    const asperity::MaterialId wood = world.add_material({.name = "wood"});
    world.model.pairs.set_default({asperity::friction::Law{asperity::friction::Coulomb{0.5}}, 0});
    world.add_body({.name = "slope",
                    .motion = asperity::rigid::Motion::Fixed,
                    .colliders = {{asperity::geometry::HalfSpace{}, {}, wood}}});
    const asperity::BodyId block = world.add_body(
        {.name = "block", .colliders = {{asperity::geometry::Box{{0.1, 0.1, 0.05}}, {}, wood}}, .pose = {{0, 0, 0.05}, {}}});
    for (int i = 0; i < 100; ++i) asperity::sim::step(world, 0.01);
    const auto hit = world.cast_ray({-1, 0, 0.05}, {1, 0, 0}, 10);
    std::printf("speed %.3f, expected %.3f, ray meets %s\n", world.velocity(block).x,
                9.81 * (0.5 - 0.5 * std::cos(M_PI / 6)), hit && hit->body == block ? "the block" : "something else");
}
