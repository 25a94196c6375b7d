#include "bench/soft_scenes.h"

#include <cmath>

#include "asperity/deform/meshes/generators.h"
#include "asperity/implicit/kinematics.h"

namespace asperity::bench {
namespace {

using implicit::World;

implicit::SoftDesc<3> rubber(const char* name, deform::SolidMesh<3> mesh, const Pose& pose) {
    implicit::SoftDesc<3> desc;
    desc.name = name;
    desc.mesh = std::move(mesh);
    for (Vector<3>& p : desc.mesh.points) p = implicit::from_vec3<3>(pose * Vec3{p[0], p[1], p[2]});
    desc.elasticity = {.model = deform::Hyperelastic::NeoHookean, .young = 1e5, .poisson = 0.4};
    desc.density = 1000;
    return desc;
}

World<3> world_with_ground(const Quat& attitude) {
    World<3> world;
    world.model.gravity = {0, 0, -9.81};
    implicit::ObstacleDesc<3> ground;
    ground.name = "ground";
    ground.pose = {{}, attitude};
    world.add(ground);
    return world;
}

}  // namespace

World<3> soft_cube(int cells, double tangent) {
    const Quat slope = rotation({0, std::atan(tangent), 0});
    World<3> world = world_with_ground(slope);
    const double above = 2e-3;  // the contact distance is 1.73e-3
    world.add(
        rubber("cube", deform::box<3>({1, 1, 1}, {cells, cells, cells}), Pose{{}, slope} * Pose{{0, 0, 0.5 + above}, {}}));
    return world;
}

World<3> soft_ball_on_slab(int cells) {
    constexpr double kHeight = 0.3, kRadius = 0.3, kAbove = 2e-3;
    World<3> world = world_with_ground({});
    const int across = (cells * 5 + 2) / 3, up = (cells + 1) / 2;  // elements of about the ball's size
    world.add(rubber("slab", deform::box<3>({1, 1, kHeight}, {across, across, up}), {{0, 0, kHeight / 2 + kAbove}, {}}));
    implicit::SoftDesc<3> ball =
        rubber("ball", deform::ball(kRadius, cells), {{0, 0, kHeight + kRadius + 2 * kAbove}, rotation({0.3, 0.2, 0.1})});
    ball.velocity = {0, 0, -1};
    world.add(ball);
    return world;
}

}  // namespace asperity::bench
