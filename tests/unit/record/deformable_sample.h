// Small recordings of deformable bodies: two tetrahedra that move and stretch, and a square of the plane.
#pragma once
#include "asperity/record/recording.h"

namespace asperity::record {

/// Two tetrahedra with a common face: the corners of a cube of edge 1 without three of them. Volumes 1/6 and 1/3.
inline DeformableMesh two_tetrahedra() {
    DeformableMesh mesh;
    mesh.rest = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    mesh.elements = {{0, 1, 2, 3}, {1, 2, 3, 4}};
    mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {2, 0, 3}, {1, 2, 4}, {2, 3, 4}, {3, 1, 4}};
    return mesh;
}

/// The unit square of the plane y = 0 as two triangles, which are numbered in opposite senses.
inline DeformableMesh square_of_the_plane(double depth) {
    DeformableMesh mesh;
    mesh.rest = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
    mesh.elements = {{0, 1, 2, -1}, {0, 3, 2, -1}};
    mesh.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
    mesh.depth = depth;
    return mesh;
}

/// Body 0 is the floor. Body 1, "jelly", moves along x by 0.1 a frame and its top corner up by 0.05 more; from the second
/// frame on there are stresses. Body 2 is a square of the plane that stands still. A force per frame, one of a held region.
inline Recording deformable_recording(int frames = 11) {
    Recording r;
    r.title = "two tetrahedra";
    r.materials.resize(2);
    r.materials[1].appearance.color = {0.8, 0.1, 0.1};
    r.bodies.push_back({"ground", rigid::Motion::Fixed, {{geometry::HalfSpace{}}}, {}, {}});
    r.bodies.push_back({"jelly", rigid::Motion::Dynamic, {{geometry::Sphere{0.1}, {}, MaterialId{1}}}, {}, {}});
    r.bodies.back().deformable = std::make_shared<DeformableMesh>(two_tetrahedra());
    r.bodies.push_back({"plate", rigid::Motion::Dynamic, {{geometry::Sphere{0.1}, {}, MaterialId{1}}}, {}, {}});
    r.bodies.back().deformable = std::make_shared<DeformableMesh>(square_of_the_plane(0.2));
    r.regions = {"jelly.root", "plate.\"edge\""};
    r.has_forces = true;
    for (int i = 0; i < frames; ++i) {
        Frame f;
        f.time = 0.1 * i;
        f.poses = {{}, {{0.1 * i, 0, 0}, {}}, {}};
        f.velocities.resize(3), f.angular_velocities.resize(3);
        Deformation jelly{1, r.bodies[1].deformable->rest, {}, {}};
        for (Vec3& p : jelly.positions) p.x += 0.1 * i;
        jelly.positions[4].z += 0.05 * i;
        const auto load = static_cast<float>(i);
        if (i > 0) jelly.von_mises = {1000 * load, 4000 * load}, jelly.pressure = {-50 * load, 70 * load};
        f.deformations = {jelly, {2, r.bodies[2].deformable->rest, {}, {}}};
        if (i > 0) f.forces = {{0, 1, {0, 0, 9.5}, {0.1, 0, 0}}, {-3, 2, {1, 0, 0}, {}}};
        r.frames.push_back(std::move(f));
    }
    return r;
}

}  // namespace asperity::record
