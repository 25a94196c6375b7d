#include <asperity/asperity.h>
#include <cstdio>
using namespace asperity;

int main() {
    sim::World world;  // SI units, z is up, gravity is (0, 0, -9.81)
    const MaterialId wood = world.add_material({.name = "wood", .density = 700});
    world.model.pairs.set(wood, wood, {.friction = {.base = friction::Coulomb{0.5}}});
    world.add_body({.name = "floor", .motion = rigid::Motion::Fixed, .colliders = {{geometry::HalfSpace{}, {}, wood}}});
    const BodyId block = world.add_body({.name = "block",
                                         .colliders = {{geometry::Box{{0.1, 0.1, 0.05}}, {}, wood}},
                                         .pose = {{0, 0, 0.05}, {}},
                                         .velocity = {2, 0, 0}});
    while (length(world.velocity(block)) > 1e-9) sim::step(world, 0.01);
    std::printf("stops after %.4f m; v^2 / (2 mu g) = %.4f m\n", world.pose(block).position.x, 2 * 2 / (2 * 0.5 * 9.81));
    world.apply_impulse(block, {0, 14, 0}, world.center_of_mass(block));  // [N s]
    sim::step(world, 0.01);
    std::printf("pushed: %.3f m/s\n", world.velocity(block).y);
}
