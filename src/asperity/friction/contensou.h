// Coupled sliding and spinning of a disc under even pressure: a disc that spins slides more easily, and one that slides
// spins more easily. Each point of the disc rubs against its own velocity v + w x r. Summed up (Contensou, "Couplage entre
// frottement de glissement et frottement de pivotement", 1963; for even pressure Farkas, Bartels, Unger, Wolf, "Frictional
// coupling between sliding and spinning motion", PRL 2003), with e = v/(w R) and complete elliptic integrals K, E of modulus
// e or 1/e,
//     F/(mu N)   = 4/(3 pi e) [(e^2+1) E + (e^2-1) K]      T/(mu N R) = 4/(9 pi) [(4-2 e^2) E + (e^2-1) K]
//     e <= 1
//     F/(mu N)   = 4/(3 pi) [(e^2+1) E - (e^2-1) K]        T/(mu N R) = 4 e/(9 pi) [(4-2 e^2) E + (2 e^2-5+3/e^2) K]
//     e >= 1
// Both are derivatives of one convex function, the power mean |v + w x r| that is lost per mu N: its support function, so
// (F, T) runs along the boundary of a convex limit set of force and torque, and friction of most dissipation on that set is
// this law.
#pragma once
#include "asperity/math/vec.h"

namespace asperity::friction {

struct DiscForce {
    double force;   ///< F/(mu N)
    double torque;  ///< T/(mu N R)
};
/// Of a disc that slides at v >= 0 and whose rim spins at w >= 0; not both zero. Exact to 1e-14.
DiscForce disc_force(double v, double w);

/// The nearest point to p of the set { (f, torque) } of a disc of radius R with mu N = 1, f along p.x and p.y, torque about
/// z.
Vec3 project_disc_set(double R, const Vec3& p);

}  // namespace asperity::friction
