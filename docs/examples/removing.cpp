#include <asperity/asperity.h>
#include <cstdio>
using namespace asperity;

int main() {
    sim::World world;
    world.add_material({.name = "stone", .mu = 0.6});
    world.add_body({.name = "floor", .motion = rigid::Motion::Fixed, .colliders = {{geometry::HalfSpace{}}}});
    const auto box = [&](const char* name, double z) {
        return world.add_body({.name = name, .colliders = {{geometry::Box{{0.1, 0.1, 0.1}}}}, .pose = {{0, 0, z}, {}}});
    };
    const BodyId lower = box("lower", 0.1), upper = box("upper", 0.3);
    for (int i = 0; i < 10; ++i) sim::step(world, 0.01);
    world.remove_body(lower);  // with its contacts, joints and drags; what lay on it wakes
    for (int i = 0; i < 100; ++i) sim::step(world, 0.01);
    std::printf("upper has fallen to z = %.3f m\n", world.pose(upper).position.z);

    const BodyId next = box("next", 0.5);  // takes the slot, with another generation
    std::printf("same slot: %d, same id: %d, old id valid: %d\n", next.index == lower.index, next == lower,
                world.contains(lower));
    try {
        world.pose(lower);
    } catch (const InputError& error) { std::printf("%s\n", error.what()); }
}
