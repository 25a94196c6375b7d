// Friction of the implicit world, `hold`: no smoothing, no creep.
//
// With the normal force N, the limit set K and the axes t, b of a contact frozen, u the slip of the step [m] and y the force
// of the pass before, the friction force on body b and its energy are
//     f = P_{N K}(y - rho u),      Phi(u) = max over f in N K of -f . u - |f - y|^2 / (2 rho)
// (proximal augmented Lagrangian; P: nearest point). Phi is convex with gradient -f and Hessian rho DP, so that Newton's
// method minimises it together with the rest. Each pass then takes f as y and renews N, K, t and b. Where that changes no
// force any more, f lies in N K, u = 0 inside it, and u is most dissipative on its boundary: Coulomb's law for any convex
// set. rho changes the number of passes and not the result.
//
// `smooth` (Li et al. 2020, "Incremental Potential Contact", with the support function of an elliptic K instead of the
// length of the slip):
//     Phi(u) = N mu f0(|D u|),    f0'(s) = 2 s/e - s^2/e^2 below e = h eps_v, 1 above,    D = diag(semi-axes of K) / mu
// with mu the larger semi-axis. The step makes `friction_passes` passes, and fewer only if the forces balance before.
//
// Friction acts on the vertices of one body of a pair, the one with the finer mesh (the friction side), and on single
// stencils where a contact has no such vertex. If it acted on both sides, the motion would not determine how it is shared.
// Normal forces on the other side's vertices and on pairs of edges are passed on to nearby loaded vertices of the friction
// side.
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

/// Identifies a friction force from step to step: by a vertex and the other body, or by two edges.
using FrictionKey = std::array<int, 4>;

/// The friction force at the end of the last step. The next step starts from it.
struct FrictionMemory {
    FrictionKey key{};
    Vec3 force;       ///< on the body of the vertex or of the first edge [N]
    Vec3 axis;        ///< t, for laws without a direction of their own
    Vec3 normal;      ///< mean over the load
    double load = 0;  ///< [N]
};

/// One friction force. Its stencil, a set of vertices, consists of two primitives (vertex, edge or face). The force acts on
/// the first one, of body b; the second one belongs to body a.
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
    Vec3 force;                      ///< at the end of the last step, in the axes t and b [N]
    double smoothing = 0;            ///< e of `smooth` [m]; 0: `hold`
};

template <int Dim>
struct Friction {
    std::vector<FrictionContact> contacts;
    std::vector<FrictionMemory> memory;  ///< by key; of the pass before
    double relaxation = 1;               ///< how much of a change of loads and normals the next pass takes over [0, 1]

    // === Scratch memory
    std::vector<char> sliding, sliding_after;
    std::vector<ipc::LocalContact<Dim>> local;
    std::vector<double> residual_scale;  ///< per body [N]
};

/// Finds the friction contacts at d.now, with loads, sets and axes as they are there, and the forces of `memory` as y.
template <int Dim>
void freeze_friction(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d);
/// Forces of the frozen contacts at d.now as memory.
template <int Dim>
void remember_friction(const Model<Dim>& model, StepData<Dim>& d);

/// The bodies a and b of a contact.
template <int Dim>
std::array<int, 2> bodies_of(const Model<Dim>& model, const FrictionContact& c) {
    const int last = c.vertices[static_cast<std::size_t>(c.count) - 1];
    return {c.plane >= 0 ? model.half_spaces[static_cast<std::size_t>(c.plane)].body
                         : model.surface.body[static_cast<std::size_t>(last)],
            model.surface.body[static_cast<std::size_t>(c.vertices[0])]};
}
/// Slip of a contact in the axes t and b [m].
template <int Dim>
Vec3 slip_of(const Model<Dim>& model, const Attempt<Dim>& attempt, std::span<const Vector<Dim>> x, const FrictionContact& c);
/// The derivative of friction forces in the Hessian of Newton's method.
enum class FrictionStiffness {
    None,
    Exact,  ///< the derivative; none along the slip where a contact slides
    Secant  ///< force over slip in every direction: a step ends near rest instead of far beyond it
};
/// At a slip: the friction force in the axes t and b, its energy, and minus its derivative by the slip or an upper bound.
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
