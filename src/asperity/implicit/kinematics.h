// From nodes to surfaces and bodies: positions of vertices, obstacles along their path, the mean motion of a body.
#pragma once
#include <span>
#include <vector>

#include "asperity/implicit/model.h"

namespace asperity::implicit {

/// A vector of space in the world's dimension: 2D takes x and z.
template <int Dim>
Vector<Dim> from_vec3(const Vec3& v) {
    if constexpr (Dim == 2)
        return {v.x, v.z};
    else
        return {v.x, v.y, v.z};
}

/// Pose of an obstacle's authored axes at a time.
template <int Dim>
Pose obstacle_pose(const Body<Dim>& body, double time) {
    return body.path ? body.path(time) : body.start;
}

/// Vertices of all surfaces. Those of obstacles are `progress` of the way along straight lines from their positions at time
/// `from` to those at `to`: what a step sees of a path.
template <int Dim>
void vertex_positions(const Model<Dim>& model, std::span<const Vector<Dim>> nodes,
                      std::span<const Vector<Dim>> obstacle_from, std::span<const Vector<Dim>> obstacle_to, double progress,
                      std::vector<Vector<Dim>>& out);
/// Positions of the obstacles' vertices at a time, zero for other vertices.
template <int Dim>
void obstacle_positions(const Model<Dim>& model, double time, std::vector<Vector<Dim>>& out);

/// Centre of mass, mean rotation and mean velocities of a soft or affine body. The mean rotation is that of the polar
/// decomposition of sum m (x - c)(X - C)^T; the mean angular velocity has the body's angular momentum.
template <int Dim>
struct MeanMotion {
    Pose pose;
    Vec3 velocity, angular_velocity;
};
template <int Dim>
MeanMotion<Dim> mean_motion(const Model<Dim>& model, int body, std::span<const Vector<Dim>> rest,
                            std::span<const Vector<Dim>> x, std::span<const Vector<Dim>> v);

}  // namespace asperity::implicit
