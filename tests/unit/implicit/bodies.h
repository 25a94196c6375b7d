// Bodies that the tests of the implicit world share.
#pragma once
#include "asperity/deform/meshes/generators.h"
#include "asperity/implicit/step.h"
#include "asperity/implicit/step_data.h"
#include "asperity/implicit/world.h"

namespace asperity::implicit::testing {

template <int Dim>
SoftDesc<Dim> soft_box(const std::string& name, const Vector<Dim>& size, const std::array<int, Dim>& cells,
                       const Vector<Dim>& place, const deform::Elasticity& elasticity) {
    SoftDesc<Dim> desc;
    desc.name = name;
    desc.mesh = deform::box<Dim>(size, cells);
    for (Vector<Dim>& p : desc.mesh.points) p += place;
    desc.elasticity = elasticity;
    return desc;
}

/// A cuboid of a density, centred at `place`.
inline AffineDesc<3> affine_box(const std::string& name, const Vec3& half, double density, const Vec3& place) {
    AffineDesc<3> desc;
    desc.name = name;
    for (int i = 0; i < 8; ++i)
        desc.skin.points.push_back({(i & 1 ? 1 : -1) * half.x, (i & 2 ? 1 : -1) * half.y, (i & 4 ? 1 : -1) * half.z});
    for (const auto& [a, b, c, d] :
         {std::array{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}) {
        desc.skin.faces.push_back({a, b, c});
        desc.skin.faces.push_back({a, c, d});
    }
    desc.volume = 8 * half.x * half.y * half.z;
    desc.mass = density * desc.volume;
    const double m = desc.mass / 3;
    desc.inertia = Mat3::diagonal({m * (half.y * half.y + half.z * half.z), m * (half.x * half.x + half.z * half.z),
                                   m * (half.x * half.x + half.y * half.y)});
    desc.pose = {place, {}};
    return desc;
}

template <int Dim>
int add_ground(World<Dim>& world, double height = 0) {
    ObstacleDesc<Dim> ground;
    ground.name = "ground";
    ground.pose = {{0, 0, height}, {}};
    return world.add(ground);
}

/// Steps until `time`; false if a step fails for good.
template <int Dim>
bool run(World<Dim>& world, double time, double dt) {
    while (world.state.time < time - 0.5 * dt)
        if (!step(world, dt).done) return false;
    return true;
}

/// The force of body a on body b in the last step.
template <int Dim>
Vec3 force_between(const World<Dim>& world, int a, int b) {
    Vec3 sum;
    for (const PairForce& f : world.forces()) {
        if (f.body_a == a && f.body_b == b) sum += f.force;
        if (f.body_a == b && f.body_b == a) sum -= f.force;
    }
    return sum;
}

}  // namespace asperity::implicit::testing
