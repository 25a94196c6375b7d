// The friction of a patch as the sum of what its parts can carry. Every cell of the region has its own planar set K_i, from
// the law at its place, and a share s_i of the load. The wrenches (f_t, f_b, tau) about the centre of pressure are
//     K = sum over cells of s_i { (f, r_i x f) : f in K_i },
// a convex set with the support function (the power per unit normal force at the slip y = (v_t, v_b, w))
//     h(y) = sum of s_i |D_i (v + w n x r_i), c_i w|,           D_i: semi-axes of K_i in its own axes
// The last entry stands for the cell's own size: c_i^2 is 1.2 times the mean of D_t^2 and D_b^2 times the variance of the
// cell's points along one axis. It makes h smooth but at y = 0. With 36 cells, a disc, a square and an ellipse of 1 : 0.3 of
// evenly loaded Coulomb friction are within 0.8 % of mu N in force and 0.5 % of mu N R in torque at any slip
// (tests/unit/friction/patch_integral_test.cpp).
//
// The load of a rigid patch is not determined by its centre of pressure d. Here it is the most even one (of largest entropy
// against an even load) with that centre: s_i proportional to a_i exp(beta.x_i), a_i the area. Near the edge, where no
// load on the cells has its centre at d, the cells carry that of a place nearer to the middle, and their force acts at d.
#pragma once
#include <array>
#include <span>

#include "asperity/friction/limit_surface.h"

namespace asperity::friction {

struct PressureRegion;

struct PatchCell {
    Vec2 at;           ///< its centroid along u and w [m]
    double share = 0;  ///< its area over that of the region [-]
    double variance;   ///< of its points along one axis, mean of both axes [m^2]
    Ellipse set{0, 0};
    double cos = 1, sin = 0;  ///< of its axis t, in the axes t, b of the patch's law
};
constexpr int kMostCells = 36;

/// Cells of a region: up to 36 of an ellipse or polygon, 16 of a line, none of a point. Their sets are left empty. Returns
/// their number, at most kMostCells.
int make_cells(const PressureRegion& region, std::span<PatchCell> out);

/// The set K for one centre of pressure.
class PatchIntegral {
  public:
    /// `pressure` is in units of `unit` [m], as are torques. (cos, sin): direction of u in the law's axes.
    PatchIntegral(std::span<const PatchCell> cells, Vec2 pressure, double cos, double sin, double unit);

    double support(const Vec3& y) const { return evaluate(y).value; }
    /// The nearest point of K to p. p inside is returned unchanged.
    Vec3 project(const Vec3& p) const;

  private:
    struct Derivatives {
        double value = 0;
        Vec3 gradient;
        Mat3 hessian;
    };
    struct Term {
        Vec3 t, b;   // rows of the matrix whose product with y has the length h_i: (D_t, ...), (D_b, ...), (0, 0, c)
        double own;  // c
    };
    Derivatives evaluate(const Vec3& y, bool second = false) const;
    /// The y with p.y = 1 and the smallest h(y), or one with h(y) < 1.
    Vec3 normal_towards(const Vec3& p, bool& outside) const;

    std::array<Term, kMostCells> terms_;
    int count_ = 0;
};

/// Shares of the most even load with its centre at d (along u and w [m]). Returns the centre they have: d, or near the edge
/// a place nearer to the middle.
Vec2 load_cells(std::span<const PatchCell> cells, Vec2 d, std::span<double> shares);

}  // namespace asperity::friction
