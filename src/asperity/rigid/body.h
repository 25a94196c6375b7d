// Rigid bodies: as a user describes them (BodyDesc), what is constant about them (Bodies), and their motion (BodyStates).
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "asperity/core/id.h"
#include "asperity/geometry/shape/shape.h"

namespace asperity::rigid {

using asperity::BodyId, asperity::ColliderId, asperity::JointId, asperity::MaterialId;

enum class Motion { Dynamic, Kinematic, Fixed };

/// A primitive shape on a body. Several of them make a compound.
struct Collider {
    geometry::Shape shape;
    /// BodyDesc: in the body axes as authored. Bodies: in axes whose origin is the centre of mass.
    Pose local;
    MaterialId material;
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

/// Constants of bodies while the world steps, one array per quantity. The slot of a removed body is an empty fixed body
/// without a name; the next body with as many colliders takes it, so that all other indices stay valid.
struct Bodies {
    std::vector<std::string> name;
    std::vector<Motion> motion;
    std::vector<double> mass, inverse_mass;         ///< inverse 0 unless dynamic
    std::vector<Mat3> inertia, inverse_inertia;     ///< body axes; inverse 0 unless dynamic
    std::vector<char> isotropic;                    ///< 1: the inertia is a multiple of the identity, no gyroscopic term
    std::vector<Vec3> center;                       ///< centre of mass in authored axes
    std::vector<std::function<Pose(double)>> path;  ///< of kinematic bodies: the pose at time t; may be empty
    std::vector<int> first_collider, collider_count;
    std::vector<Collider> colliders;        ///< flat; those of body i start at first_collider[i]
    std::vector<int> collider_body;         ///< the body of each collider
    std::vector<std::uint32_t> generation;  ///< how many bodies were removed from this slot
    std::vector<char> removed;              ///< 1: an empty slot
    int removed_count = 0;

    int count() const { return static_cast<int>(motion.size()); }  ///< slots, empty ones included
    bool is_removed(int body) const { return removed[static_cast<size_t>(body)] != 0; }
    BodyId id(int body) const { return body < 0 ? BodyId{} : BodyId{body, generation[static_cast<size_t>(body)]}; }
    ColliderId collider_id(int collider) const {
        return ColliderId{collider, generation[static_cast<size_t>(collider_body[static_cast<size_t>(collider)])]};
    }
    /// Takes the first empty slot that fits, else a new one.
    BodyId add(const BodyDesc& desc, const MassProperties& mass_properties);
    void remove(int body);
};

/// Variables of bodies, one array per quantity. Poses are those of axes with the origin in the centre of mass,
/// parallel to the authored ones.
struct BodyStates {
    std::vector<Pose> pose;
    std::vector<Vec3> velocity, angular_velocity;  ///< world axes [m/s, rad/s]
    std::vector<Vec3> angular_impulse;             ///< of contacts and joints in the last step, world axes [N m s]
    std::vector<double> trusted_impulse;           ///< the part of it that the last step expected in advance [N m s]
    std::vector<int> island;                       ///< of a sleeping body: the smallest body index of its island; -1 awake
    std::vector<double> quiet_time;                ///< time since the body was last faster than the sleep speed [s]

    /// The state of a described body. `body`: its slot, which may be one behind the end.
    void set(int body, const BodyDesc& desc, const MassProperties& mass_properties);
    void remove(int body);  ///< empties the slot
    Vec3 velocity_at(int i, const Vec3& world_point) const {
        const auto k = static_cast<size_t>(i);
        return velocity[k] + cross(angular_velocity[k], world_point - pose[k].position);
    }
};

/// The pose of a body's authored axes.
inline Pose authored_pose(const Bodies& bodies, const BodyStates& states, int i) {
    const auto k = static_cast<size_t>(i);
    return states.pose[k] * Pose{-bodies.center[k], {}};
}
/// Inertia in world axes of a body whose orientation is q.
inline Mat3 inertia_world(const Bodies& bodies, int i, const Quat& q) {
    const Mat3 r = matrix(q);
    return r * bodies.inertia[static_cast<size_t>(i)] * transposed(r);
}
double kinetic_energy(const Bodies& bodies, const BodyStates& states, int i);

}  // namespace asperity::rigid
