#include <asperity/asperity.h>
#include <cstdio>
using namespace asperity;

int main() {
    sim::World world;
    world.add_material({.name = "stone", .mu = 0.6});
    const BodyId floor =
        world.add_body({.name = "floor", .motion = rigid::Motion::Fixed, .colliders = {{geometry::HalfSpace{}}}});
    const auto box = [&](const char* name, double z, double mass) {
        return world.add_body(
            {.name = name, .colliders = {{geometry::Box{{0.1, 0.1, 0.1}}}}, .pose = {{0, 0, z}, {}}, .mass = mass});
    };
    const BodyId lower = box("lower", 0.1, 2), upper = box("upper", 0.3, 1);
    for (int i = 0; i < 50; ++i) sim::step(world, 0.01);

    std::printf("on upper, all contacts: %.3f N\n", world.contact_force_on(upper).z);
    const sim::PairForce load = world.force_between(floor, lower);
    std::printf("floor on lower: %.3f N at %d points, torque %.3f N m\n", load.force.z, load.contacts, length(load.torque));
    for (const sim::ContactForce& c : world.contact_forces())
        if (c.a == floor || c.b == floor) std::printf("  %.3f N at x = %+.1f\n", length(c.force), c.point.x);
}
