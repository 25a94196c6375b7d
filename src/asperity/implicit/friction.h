// Friction of the implicit world, `hold`: no smoothing, no creep.
//
// With the normal force N, the limit set K and the axes t, b of a contact frozen, u the slip of the step [m] and y the force
// of the pass before, the friction force on body b and its energy are
//     f = P_{N K}(y - rho u),      Phi(u) = max over f in N K of -f . u - |f - y|^2 / (2 rho)
// (proximal augmented Lagrangian; P: nearest point). Phi is convex with gradient -f and Hessian rho DP, so that Newton's method
// minimises it together with the rest. Each pass then takes f as y and renews N, K, t and b. Where that changes no force any
// more, f lies in N K, u = 0 inside it, and u is most dissipative on its boundary: Coulomb's law for any convex set.
// rho changes the number of passes and not the result.
//
// `smooth` (spec/ipc-friction.md 2.3, with the support function of an elliptic K instead of the length of the slip):
//     Phi(u) = N mu f0(|D u|),    f0'(s) = 2 s/e - s^2/e^2 below e = h eps_v, 1 above,    D = diag(semi-axes of K) / mu
// with mu the larger semi-axis. One pass, or as many as are asked for, without a test of what they leave.
//
// Friction acts on one side of two bodies, the one with the finer mesh: on its vertices and, where it has none at the contact,
// on single stencils. Forces on both sides of one contact would not be determined. Normal forces that act on the other side's
// vertices and on pairs of edges are passed on to vertices of the friction side that carry a load nearby.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "asperity/friction/limit_surface.h"
#include "asperity/implicit/model.h"
#include "asperity/implicit/skin_motion.h"
#include "asperity/ipc/collisions.h"

namespace asperity::implicit {

template <int Dim>
struct Attempt;
template <int Dim>
struct Configuration;
template <int Dim>
struct StepData;
template <int Dim>
struct State;

/// Names what a friction force belongs to, from step to step: a vertex and the other body, or two edges.
using FrictionKey = std::array<int, 4>;

/// The friction force of the last step, where the next one begins.
struct FrictionMemory {
    FrictionKey key{};
    Vec3 force;       ///< on the body of the vertex or of the first edge [N]
    Vec3 axis;        ///< t, for laws without a direction of their own
    Vec3 normal;      ///< mean over the load
    double load = 0;  ///< [N]
};

/// One friction force. It acts on the first primitive of its stencil, body b; the second one belongs to body a.
struct FrictionContact {
    int count = 0;  ///< of vertices
    std::array<int, 4> vertices{-1, -1, -1, -1};
    std::array<double, 4>
        weights{};   ///< slip = sum of weights times displacements; 1 over the first primitive, -1 over the second
    int plane = -1;  ///< half-space that is body a, or -1
    int source = 0;  ///< index of its stencil among the collisions, then among the plane contacts
    FrictionKey key{};
    Vec3 normal;                     ///< unit, from a to b
    friction::LimitSurface surface;  ///< forces on b
    double load = 0;                 ///< normal force [N]
    double stiffness = 0;            ///< rho [N/m]
    Vec3 carried;                    ///< slip of the step that vertices do not make: belts, moving half-spaces [m]
    Vec3 start;                      ///< y, in the axes t and b [N]
    Vec3 force;                      ///< that the last step ended with, in the axes t and b [N]
    double smoothing = 0;            ///< e of `smooth` [m]; 0: `hold`
};

/// The load between two bodies, for laws that depend on it.
struct PairLoad {
    std::array<int, 2> bodies{};  ///< in rising order
    int number = 0;               ///< of the contact
    double load = 0;              ///< [N]
    bool operator<(const PairLoad& o) const { return bodies != o.bodies ? bodies < o.bodies : number < o.number; }
};

template <int Dim>
struct Friction {
    std::vector<FrictionContact> contacts;
    std::vector<FrictionMemory> memory;  ///< by key; of the pass before
    double relaxation = 1;               ///< share of a change of loads and normals that the next pass takes over

    // === Scratch memory
    std::vector<char> sliding, sliding_after;
    std::vector<ipc::LocalContact<Dim>> local;
    std::vector<double> residual_scale;  ///< per body [N]
    std::vector<PairLoad> pair_loads;
};

/// Finds the friction contacts at d.now, with loads, sets and axes as they are there, and the forces of `memory` as y.
template <int Dim>
void freeze_friction(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d);
/// Forces of the frozen contacts at d.now as memory.
template <int Dim>
void remember_friction(const Model<Dim>& model, StepData<Dim>& d);

/// Sets, axes and belts of the contacts, which have their loads, at d.now.
template <int Dim>
void set_limit_surfaces(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d);
/// Velocity of body b relative to a at a contact, at the start of the step: the axes of a law that depends on it must not
/// change from pass to pass. Without belts.
template <int Dim>
Vec3 slip_velocity(const Model<Dim>& model, const State<Dim>& state, const StepData<Dim>& d, const FrictionContact& c);
/// The entry of a key, or null.
const FrictionMemory* remembered(const std::vector<FrictionMemory>& memory, const FrictionKey& key);

/// The bodies a and b of a contact.
template <int Dim>
std::array<int, 2> bodies_of(const Model<Dim>& model, const FrictionContact& c) {
    const int last = c.vertices[static_cast<std::size_t>(c.count) - 1];
    return {c.plane >= 0 ? model.half_spaces[static_cast<std::size_t>(c.plane)].body
                         : model.surface.body[static_cast<std::size_t>(last)],
            model.surface.body[static_cast<std::size_t>(c.vertices[0])]};
}
/// The materials of a and b.
template <int Dim>
std::array<int, 2> materials_of(const Model<Dim>& model, const FrictionContact& c) {
    const auto part_of = [&](int vertex) { return model.vertex_part[static_cast<std::size_t>(vertex)]; };
    const int last = c.vertices[static_cast<std::size_t>(c.count) - 1];
    const int a = c.plane >= 0 ? model.half_spaces[static_cast<std::size_t>(c.plane)].part : part_of(last);
    return {model.parts[static_cast<std::size_t>(a)].material,
            model.parts[static_cast<std::size_t>(part_of(c.vertices[0]))].material};
}
/// Slip of a contact in the axes t and b [m].
template <int Dim>
Vec3 slip_of(const Model<Dim>& model, const Attempt<Dim>& attempt, std::span<const Vector<Dim>> x, const FrictionContact& c);
/// What Newton's method takes as the derivative of friction forces.
enum class FrictionStiffness {
    None,
    Exact,  ///< the derivative; none along the slip where a contact slides
    Secant  ///< force over slip in every direction: a step ends near rest instead of far beyond it
};
/// The friction force in the axes t and b at a slip, its energy, and minus its derivative by the slip, or an upper bound of it.
struct FrictionAt {
    Vec3 force;
    double energy = 0, magnitude = 0;  ///< of the sum of the sizes of its parts [J]
    Mat3 stiffness{};                  ///< symmetric, positive semidefinite; only if asked for [N/m]
};
FrictionAt friction_at(const FrictionContact& contact, const Vec3& slip, FrictionStiffness stiffness);
/// In world axes.
inline Vec3 in_world(const FrictionContact& c, const Vec3& f) { return f.x * c.surface.t + f.y * c.surface.b; }
/// Energy over w (docs/implicit-step.md) of all contacts [J], and the size of its parts.
struct FrictionEnergy {
    double value = 0, magnitude = 0;
};
template <int Dim>
FrictionEnergy friction_energy(const Model<Dim>& model, const Attempt<Dim>& attempt,
                               std::span<const FrictionContact> contacts, std::span<const Vector<Dim>> x);

/// Which contacts of `hold` are at their limit: Newton's method takes each as stuck or as sliding.
template <int Dim>
void find_sliding(const Model<Dim>& model, const Attempt<Dim>& attempt, std::span<const FrictionContact> contacts,
                  std::span<const Vector<Dim>> x, std::vector<char>& out);

}  // namespace asperity::implicit
