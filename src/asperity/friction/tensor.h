/// Friction tensors: each surface has a 2x2 tensor in the axes of its grain, and the two are added.
///     f = -f_n L v/|v|,     L = kappa (Q_A + R Q_B R^T)                                  (M24, M28)
///     R is the rotation by phi = atan2(n.(s_A x s_B), s_A.s_B) about n                    (M26; acos there loses the sign)
/// Two forms:
///   Cone    The ellipse f^T L^-T L^-1 f <= f_n^2 (M33) as a limit surface. Its semi-axes are the singular values of L. The
///           force is the most dissipative one of the set, -f_n L L^T v/|L^T v|.
///   Direct  f = -f_n L v/|v| itself. It dissipates for every positive definite L, but is most dissipative only if v is an
///           eigenvector of L^T. So no limit surface has it for all slips at once, but there is one for each slip direction:
///               f^T A^-1 f <= f_n^2,   A = w w^T + (det L/(w.v))^2 p p^T,   w = L v, v unit, p normal to v.
///           Its most dissipative force for this v is -f_n w. If both forms agree on the force, it is the ellipse of the
///           cone form. v is the slip direction of the last step: exact for straight sliding, else one step late. At rest
///           the cone form is used. So every solver supports both forms.
///
/// (Mn) is equation n of the source: Erleben, Macklin, Andrews, Kry, "The Matchstick Model for Anisotropic Friction Cones",
/// CGF 2020, Appendix A.
/// Corrected here: its signs, and its Table 1, which attributes maximum dissipation to the direct form. Ours: the limit
/// surface of the direct form; surfaces without a grain, which contribute the mean of their tensor.
#pragma once
#include "asperity/friction/cone_input.h"

namespace asperity::friction {

/// Axes: along the grain, and rotated by a quarter turn as seen from outside the surface. Positive semidefinite, not
/// necessarily symmetric.
struct SurfaceTensor {
    double along = 0, across = 0;  ///< the diagonal [-]
    /// off-diagonal: force along the grain per slip across it, and vice versa
    double along_by_across = 0, across_by_along = 0;
};

enum class TensorForm { Cone, Direct };

struct FrictionTensor {
    SurfaceTensor a, b;  ///< of the pair's first and second material
    double kappa = 1;
    TensorForm form = TensorForm::Cone;
};

/// L in the axes e1, e2 = n x e1, by rows.
struct TensorSum {
    Vec3 e1, e2;
    double m[2][2];
};
TensorSum tensor_sum(const FrictionTensor& law, const ConeInput& in);

UnitCone cone(const FrictionTensor& law, double drilling, const ConeInput& in);

}  // namespace asperity::friction
