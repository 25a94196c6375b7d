// Rigid bodies: their description (BodyDesc, as authored) and their state (Bodies, as the step reads it).
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "asperity/geometry/shape/shape.h"

namespace asperity::rigid {

struct BodyId {
    int index = -1;  ///< -1: the world
    bool is_world() const { return index < 0; }
    bool operator==(const BodyId&) const = default;
};

enum class Motion { Dynamic, Kinematic, Fixed };

/// A primitive shape on a body. Several of them make a compound.
struct Collider {
    geometry::Shape shape;
    /// BodyDesc: in the body axes as authored. Bodies: in axes whose origin is the centre of mass.
    Pose local;
    int material = 0;
};

/// User's description of a body. The origin of the body axes is arbitrary; the engine moves it to the centre of mass.
struct BodyDesc {
    std::string name;
    Motion motion = Motion::Dynamic;
    std::vector<Collider> colliders;
    Pose pose;                         ///< of the authored axes, at t = 0
    Vec3 velocity, angular_velocity;   ///< of the centre of mass, world axes [m/s, rad/s]
    std::optional<double> mass;        ///< [kg]; default: from the materials' densities
    std::function<Pose(double)> path;  ///< kinematic bodies: the pose of the authored axes at time t [s]
};

/// Mass, centre and inertia of a described body. Throws InputError for a dynamic body without volume or with an invalid
/// mass.
struct MassProperties {
    double mass = 0;                           ///< [kg]
    Vec3 center;                               ///< [m], authored axes
    Mat3 inertia = Mat3::diagonal({0, 0, 0});  ///< about the centre, authored axes [kg m^2]
};
MassProperties mass_properties(const BodyDesc& desc, const std::vector<double>& material_density);

/// State of all bodies, one array per quantity. Poses are those of axes at the centre of mass, parallel to the authored
/// ones.
struct Bodies {
    std::vector<std::string> name;
    std::vector<Motion> motion;
    std::vector<Pose> pose;
    std::vector<Vec3> velocity, angular_velocity;  ///< world axes
    std::vector<Vec3> angular_impulse;             ///< of contacts and joints in the last step, world axes [N m s]
    /// magnitude of the angular impulse that the last step predicted for itself (sim/predict_velocities.cpp) [N m s]
    std::vector<double> trusted_impulse;
    std::vector<int> island;         ///< smallest body index of the sleeping island; -1: awake
    std::vector<double> quiet_time;  ///< time since it last moved noticeably [s]; counted only if sleeping is enabled
    std::vector<double> mass, inverse_mass;      ///< inverse 0 unless dynamic
    std::vector<Mat3> inertia, inverse_inertia;  ///< body axes; inverse 0 unless dynamic
    /// 1 where the inertia is a multiple of the identity: no gyroscopic term
    std::vector<char> isotropic;
    std::vector<Vec3> center;  ///< centre of mass in authored axes
    std::vector<std::function<Pose(double)>> path;
    std::vector<int> first_collider, collider_count;
    std::vector<Collider> colliders;  ///< flat; those of body i start at first_collider[i]
    std::vector<int> collider_body;   ///< inverse of first_collider: body of each collider

    int count() const { return static_cast<int>(motion.size()); }
    BodyId add(const BodyDesc& desc, const MassProperties& mass_properties);
    Pose authored_pose(int i) const { return pose[i] * Pose{-center[i], {}}; }
    Mat3 inertia_world(int i, const Quat& q) const {
        const Mat3 r = matrix(q);
        return r * inertia[i] * transposed(r);
    }
    Vec3 velocity_at(int i, const Vec3& world_point) const {
        return velocity[i] + cross(angular_velocity[i], world_point - pose[i].position);
    }
    double kinetic_energy(int i) const;
};

}  // namespace asperity::rigid
