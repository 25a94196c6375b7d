// The constant part of the implicit world: bodies, nodes, elements, surfaces, prescribed motions and loads.
//
// The unknowns are the nodes, points with Dim coordinates each. A soft body has one per vertex of its mesh. An affine body
// (a stiff one that stands for a rigid body) has Dim + 1: its centre p and the columns a_k of its matrix A, so that its
// material point X is at p + sum_k X_k a_k. Every vertex of a surface is therefore a sum of nodes with constant weights.
#pragma once
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "asperity/deform/affine.h"
#include "asperity/deform/elements.h"
#include "asperity/geometry/shape/shape.h"
#include "asperity/implicit/settings.h"
#include "asperity/ipc/surface.h"
#include "asperity/math/vec.h"
#include "asperity/surface/material.h"

namespace asperity::implicit {

enum class Kind {
    Soft,      ///< finite elements
    Affine,    ///< stiff, Dim + 1 nodes
    Obstacle,  ///< moves by its path alone, or not at all
};

template <int Dim>
struct Body {
    std::string name;
    Kind kind = Kind::Soft;
    int first_node = 0, node_count = 0;        ///< of soft and affine bodies
    int first_vertex = 0, vertex_count = 0;    ///< in Model::surface
    int first_element = 0, element_count = 0;  ///< of soft bodies
    double mass = 0;                           ///< [kg]; 0 for obstacles
    double young = 0;                          ///< Young's modulus of soft bodies [Pa]
    double damping_mass = 0;                   ///< Rayleigh damping, part in proportion to mass [1/s]
    double damping_stiffness = 0;              ///< likewise to stiffness [s]
    Matrix<Dim, Dim> principal;                ///< affine: columns are the principal axes in the axes of the pose
    Pose start;                        ///< pose at time 0: of the centre-of-mass axes; obstacles: of the authored axes
    std::function<Pose(double)> path;  ///< obstacles: pose of the authored axes at time t [s]; may be empty
    /// Of soft bodies: a force per mass on every node, besides gravity [m/s^2]; may be empty.
    std::function<Vector<Dim>(double time)> push;
};

/// The nodes that carry a vertex: one of a soft body, Dim + 1 of an affine one, none of an obstacle.
template <int Dim>
struct Carrier {
    int body = 0, node = -1, count = 0;
    Vector<Dim> local;  ///< affine: material coordinates X; obstacle: position in the axes of its pose
    double weight(int k) const { return k == 0 ? 1 : local[k - 1]; }  ///< of node + k
};

/// An obstacle with a plane face: solid where normal . x < offset.
template <int Dim>
struct HalfSpace {
    int body = 0;
    Vector<Dim> normal;  ///< unit, outward, in the axes of the body's pose
    int part = 0;
};

/// A part of a body's surface with one material. Friction reads its grain and surface velocity.
struct SurfacePart {
    int body = 0;
    int material = 0;  ///< in Model::materials
    Pose axes;         ///< the body's authored axes at time 0: materials and grains refer to them
    geometry::Shape shape;
    Pose shape_pose;                              ///< of the shape's axes in the body's
    std::shared_ptr<const surface::Grain> grain;  ///< replaces that of the material; may be null
    surface::SlopeTexture slopes;                 ///< likewise, if it has any
};

/// Nodes whose motion is given.
template <int Dim>
struct Region {
    std::string name;
    int body = 0;
    std::vector<int> nodes;
    std::vector<Vector<Dim>> start;                                              ///< positions at time 0
    std::function<Vector<Dim>(const Vector<Dim>& start, double time)> position;  ///< empty: stays where it is
};

/// A force on a part of a body's surface: a total, spread in proportion to area, or a pressure along the inward normal.
template <int Dim>
struct Load {
    int body = 0;
    std::vector<std::array<int, Dim>> faces;        ///< surface vertices of each loaded face
    std::function<Vector<Dim>(double time)> force;  ///< [N] (2D: per metre of depth); may be empty
    std::function<double(double time)> pressure;    ///< [Pa]; may be empty
};

/// A material point as a sum of nodes; of an obstacle or of space (body -1) a point that is given at any time.
template <int Dim>
struct BodyPoint {
    int body = -1, count = 0;
    std::array<int, Dim + 1> nodes{};
    std::array<double, Dim + 1> weights{};
    Vector<Dim> place;  ///< of obstacles in the axes of their pose, of space in world axes
};

/// A stiff spring of length zero between two points: the energy is stiffness/2 times the square of their distance. One makes
/// a ball joint, two on an axis a hinge, one more than the dimension a weld.
template <int Dim>
struct Attachment {
    BodyPoint<Dim> a, b;
    double stiffness = 0;  ///< [N/m]
};

/// A spring that draws the mean displacement of a soft body, weighted by mass, along an axis to a moving value: energy
/// stiffness/2 (axis . mean - place)^2. It holds no node by itself, so it leaves all deformations free.
template <int Dim>
struct Guide {
    int body = 0;
    Vector<Dim> axis = Vector<Dim>::Zero();    ///< unit
    double stiffness = 0;                      ///< [N/m]
    std::function<double(double time)> place;  ///< displacement from time 0 [m]
    Vector<Dim> origin = Vector<Dim>::Zero();  ///< mean position at time 0: World::guide() sets it
};

/// Shear strength of contacts of vertices beyond Coulomb's law with the coefficient mu, which the pair of materials has:
/// tau = min(mu p + adhesion, cap) with the mean pressure p of the vertex's area. The binomial law of friction, T2.14 of the
/// thesis, is adhesion + mu p; a cap is the strength of the softer material, below which junctions shear off (T2.5).
struct ShearStrength {
    double mu = 0, adhesion = 0;                           ///< [-, Pa]
    double cap = std::numeric_limits<double>::infinity();  ///< [Pa]
    bool acts() const { return adhesion > 0 || std::isfinite(cap); }
};

template <int Dim>
struct Model {
    Settings settings;
    Vector<Dim> gravity = Vector<Dim>::Zero();
    std::vector<Body<Dim>> bodies;
    // Nodes
    std::vector<double> node_mass;      ///< [kg]; of a column of A: the second moment along that axis [kg m^2]
    std::vector<char> node_translates;  ///< 1: moves with its body as a whole; 0: a column of A
    std::vector<int> node_body;
    std::vector<int> node_region;  ///< the region that prescribes its motion; -1: free
    // Elements of all soft bodies, and affine parts
    deform::Elements<Dim> elements;
    std::vector<double> element_mass;  ///< of bodies with consistent mass, else 0 [kg]; empty if no body has (mass.h)
    std::vector<int> affine_bodies;
    std::vector<double> affine_volume;  ///< [m^3], in the order of affine_bodies
    // Surfaces
    ipc::Surface<Dim> surface;
    std::vector<Carrier<Dim>> carriers;  ///< per vertex of the surface
    std::vector<HalfSpace<Dim>> half_spaces;
    std::vector<Region<Dim>> regions;
    std::vector<Load<Dim>> loads;
    std::vector<Attachment<Dim>> attachments;
    std::vector<Guide<Dim>> guides;
    // Friction; without materials there is none
    std::vector<surface::Material> materials;
    surface::PairTable pairs;
    std::vector<SurfacePart> parts;
    std::vector<int> vertex_part;  ///< per vertex of the surface
    std::vector<char> rubbing;     ///< per pair of materials, row by row: 1 if they have friction
    bool frictional = false;       ///< any pair has
    ShearStrength shear;

    int node_count() const { return static_cast<int>(node_mass.size()); }
    bool rubs(int material_a, int material_b) const {
        return rubbing[static_cast<std::size_t>(material_a) * materials.size() + static_cast<std::size_t>(material_b)] != 0;
    }
    bool is_free(int node) const { return node_region[static_cast<std::size_t>(node)] < 0; }
};

}  // namespace asperity::implicit
