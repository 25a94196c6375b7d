// What a scene says of the implicit world: soft bodies, their held and loaded parts, and the settings of the step.
#pragma once
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "asperity/deform/material.h"
#include "asperity/geometry/common/aabb.h"
#include "asperity/implicit/settings.h"
#include "asperity/math/vec.h"

namespace asperity::scene {

/// A part of a soft body: what lies in a box of the body's authored axes.
struct SoftRegion {
    std::string name;
    geometry::Aabb box;
    Vec3 about;                                   ///< held parts: what `path` moves, in the axes of the box
    std::function<Pose(double time)> path;        ///< held parts: pose of axes through `about`; empty: stays in place
    std::function<Vec3(double time)> force;       ///< loaded parts: total force, world axes [N]; may be empty
    std::function<double(double time)> pressure;  ///< loaded parts: against the outward normal [Pa]; may be empty
};

/// The table `soft` of a body.
struct SoftBody {
    deform::Elasticity elasticity;
    double damping_mass = 0, damping_stiffness = 0;  ///< Rayleigh damping [1/s, s]
    bool critical_damping = false;      ///< damping_stiffness is chosen so that the fastest vibration is damped critically
    std::array<int, 3> cells{0, 0, 0};  ///< of the mesh along each axis of the shape; 0: chosen
    int most_cells = 0;                 ///< of the mesh
    double hollow = 0;                  ///< radius of a hole along the axis of a cylinder, or in a disc [m]
    double cell_size = 0;               ///< edge of an element [m]; 0: chosen
    std::filesystem::path mesh;         ///< a file of tetrahedra or triangles; empty: the mesh is made from the shape
    bool self_contact = true;
    std::vector<SoftRegion> holds, loads;
};

struct ImplicitSettings {
    implicit::Settings step;
    int dimension = 3;
    std::map<int, SoftBody> soft;              ///< by body
    std::map<int, double> mass;                ///< by body: as given [kg; kg/m in two dimensions]
    std::map<int, double> thickness;           ///< by body: other surfaces are kept half of this farther away [m]
    std::map<int, int> lies_on;                ///< by body: the body that `on` placed it on
    std::vector<std::pair<int, int>> ignored;  ///< pairs of bodies that pass through each other
    /// Time at the end of the present step [s], for grains that turn with time: their fields read it, and the run sets it.
    std::shared_ptr<double> clock = std::make_shared<double>(0);
};

}  // namespace asperity::scene
