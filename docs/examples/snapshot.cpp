#include <asperity/asperity.h>
#include <cstdio>
using namespace asperity;

int main() {
    sim::World world;
    world.add_material({.name = "stone", .mu = 0.6});
    world.add_body({.name = "floor", .motion = rigid::Motion::Fixed, .colliders = {{geometry::HalfSpace{}}}});
    const BodyId ball = world.add_body({.name = "ball", .colliders = {{geometry::Sphere{0.1}}}, .pose = {{0, 0, 0.5}, {}}});
    const auto run = [&](int steps) {
        for (int i = 0; i < steps; ++i) sim::step(world, 0.01);
    };
    run(10);
    const sim::State snapshot = world.state;  // poses, velocities, contacts, drags, time
    run(50);
    const std::string once = world.state_hash();
    world.set_state(snapshot);
    world.set_velocity(ball, {1, 0, 0});  // another future
    run(50);
    std::printf("pushed, the ball rolls to x = %.2f m\n", world.pose(ball).position.x);
    world.set_state(snapshot);
    run(50);
    std::printf("the same future again, to the last bit: %s\n", world.state_hash() == once ? "yes" : "no");
}
