// Coupled sliding and spinning of a disc under even pressure: a spinning disc slides more easily, and a sliding disc spins
// more easily. Each point of the disc has Coulomb friction against its own velocity v + w x r. The resultant (Contensou,
// "Couplage entre frottement de glissement et frottement de pivotement", 1963; for even pressure Farkas, Bartels, Unger,
// Wolf, "Frictional coupling between sliding and spinning motion", PRL 2003), with e = v/(w R) and complete elliptic
// integrals K, E of modulus e or 1/e, is
//     e <= 1:
//     F/(mu N)   = 4/(3 pi e) [(e^2+1) E + (e^2-1) K]      T/(mu N R) = 4/(9 pi) [(4-2 e^2) E + (e^2-1) K]
//     e >= 1:
//     F/(mu N)   = 4/(3 pi) [(e^2+1) E - (e^2-1) K]        T/(mu N R) = 4 e/(9 pi) [(4-2 e^2) E + (2 e^2-5+3/e^2) K]
// Both are derivatives of one convex function, mean |v + w x r|, the power dissipated per mu N. It is the support function
// of a convex set of forces and torques, and (F, T) runs along the boundary of that set. So this law is the most dissipative
// friction of the set.
#pragma once
#include "asperity/math/vec.h"

namespace asperity::friction {

struct DiscForce {
    double force;   ///< F/(mu N)
    double torque;  ///< T/(mu N R)
};
/// For a disc that slides at v >= 0 and whose rim spins at w >= 0; not both zero. Exact to 1e-14.
DiscForce disc_force(double v, double w);

/// The nearest point to p of the set { (f, torque) } of a disc of radius R with mu N = 1. f is along p.x and p.y, the torque
/// about z.
Vec3 project_disc_set(double R, const Vec3& p);

}  // namespace asperity::friction
