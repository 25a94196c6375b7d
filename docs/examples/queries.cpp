#include <asperity/asperity.h>
#include <cstdio>
using namespace asperity;

int main() {
    sim::World world;
    world.add_material({.name = "stone", .mu = 0.6});
    for (int i = 0; i < 5; ++i)
        world.add_body(
            {.name = "ball " + std::to_string(i), .colliders = {{geometry::Sphere{0.2}}}, .pose = {{1.0 * i, 0, 0}, {}}});
    const auto name = [&](BodyId id) { return world.model.bodies.name[id.index].c_str(); };

    const Vec3 eye{-3, 0, 0.1}, ahead{1, 0, 0};
    if (const auto hit = world.cast_ray(eye, ahead, 100))
        std::printf("%s at %.4f m, normal z = %.2f\n", name(hit->body), hit->distance, hit->normal.z);
    const BodyId first = world.find_body("ball 0");
    if (const auto hit = world.cast_ray(eye, ahead, 100, [&](BodyId id) { return id != first; }))
        std::printf("behind it: %s\n", name(hit->body));
    for (const BodyId id : world.overlapping(geometry::Box{{1.0, 0.1, 0.1}}, {{2.5, 0, 0}, {}}))
        std::printf("in the beam: %s\n", name(id));
    std::printf("boxes near the origin: %zu\n", world.bodies_in({{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}}).size());
}
