// How far friction forces are from their limits: the certificate of a hold.
#pragma once
#include <span>

#include "asperity/implicit/friction.h"

namespace asperity::implicit {

/// The smallest force that, added to a friction force, makes slip begin, and the direction of that slip.
struct Spare {
    double force = 0;  ///< [N]
    Vec3 direction;    ///< unit, world axes
};

/// Of one contact. A force f lies in the convex set N K if f . d <= N h(d) in all directions d, h the support function of K.
/// So the distance of f from the boundary is the smallest N h(d) - f . d. `plane`: in two dimensions there are two
/// directions.
Spare spare_of(const FrictionContact& contact, bool plane);
/// Of contacts that would slip together, as two rigid bodies in translation: the sum of N h(d) - f . d over all. `sides`: 1
/// where the contact's body b is the one that `direction` refers to, -1 where it is the other one. Directions are those
/// perpendicular to the axis along which the normal forces act most.
Spare spare_of(std::span<const FrictionContact* const> contacts, std::span<const double> sides, bool plane);

/// Bound of the speed with which a contact that sticks may slip in the next step, loads being equal [m/s]; of others the
/// speed.
///   hold      0 after a step that moved nothing, since the next one is the same. Otherwise the slip of the step, and what
///             the forces that the tolerance left unbalanced can add: force / (rho h)
///   velocity  the residual of the contact solver
///   smooth    the speed of its law
template <int Dim>
double creep_bound(const Model<Dim>& model, const StepData<Dim>& d, const FrictionContact& contact);

}  // namespace asperity::implicit
