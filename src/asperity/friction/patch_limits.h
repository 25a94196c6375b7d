// What a contact patch can carry: the limit set of a whole wrench instead of a force at a point.
//
// A patch presses with f_n >= 0 at a centre of pressure d somewhere in its region R, and rubs with a tangential force f and
// a torque tau about the normal through d. About the patch's centre that is the wrench
//     m = f_n d                              tilting moments, m = (-tau_w, tau_u)                  f_n >= 0,  m in f_n R
//     tau_n = tau + d x f                    torque about the normal                               (f, tau) in f_n K(d)
// The first line is a closed convex cone, whose dual are the motions under which a flat patch sinks nowhere: it tips over
// its edge. Where surfaces curve away from each other the region moves along as they roll (`rolls`); there f_n stands
// against the normal velocity alone, and m in f_n R is a friction of rolling, of most dissipation against the tilting. K(d)
// is the planar limit set of the friction law together with a bound of the spin:
//     Uniform      |tau| <= mean of the law's drag over the part of R that is pressed evenly, when it turns about d: all of
//     R with d at its centre; with d at the
//                  edge of an ellipse a point; with d on a side of a polygon as much of the side as lies evenly around d, so
//                  that a box on its edge still
//                  resists. In between, along the ray from the centre, linear in rho = gauge of d: (1 - rho) all + rho edge
//     FourCorner   |tau| <= sum w_i drag at the corners of the rectangle around R when it turns about d, w_i bilinear in d
//     Contensou    spin and slide share what there is: contensou.h for a round patch and an even law, of radius (1 - rho) R;
//     else the ellipsoid over the planar
//                  set with the torque of Uniform as third semi-axis
// The drag of an ellipse with semi-axes D is |D v|, so the mean is the mean distance from the centre in a stretched R, which
// has a closed form. At the centre of a disc: Uniform 2/3 mu R, FourCorner sqrt(2) mu R.
//
// Source: Bouchard, Nesme, Tournier, Wang, Faure, Kry, "6D Frictional Contact for Rigid Bodies", GI 2015 (FourCorner is its
// eqs. 11 to 13, signs of the centre of pressure corrected). Ours differs: polygons as regions, any planar law, Uniform,
// Contensou. Tests: tests/unit/friction/patch_limits_test.cpp.
#pragma once
#include <array>

#include "asperity/friction/cone.h"
#include "asperity/friction/spin_model.h"

namespace asperity::friction {

/// Where the centre of pressure may lie, along u and w from the patch's centre, which belongs to it.
struct PressureRegion {
    static constexpr int kMostCorners = 16;
    double a = 0, b = 0;                       ///< semi-axes, where there are no corners [m]
    bool rolls = false;                        ///< curved: tilting rolls it along instead of lifting it
    int count = 0;                             ///< corners, counter-clockwise; 1 is a point, 2 a line
    std::array<Vec2, kMostCorners> corners{};  ///< [m]
};

class PatchLimits {
  public:
    PatchLimits() = default;
    /// `angle` is the direction of u in the law's axes t, b. All lengths are divided by `unit`, so that torques become
    /// forces.
    PatchLimits(const PressureRegion& region, const LimitSet& planar, SpinModel model, double angle, double unit);

    /// The nearest pressing (f_n, m) to the one given.
    ConePoint project_pressing(double n, Vec2 moment) const;
    /// max over R of d.g.
    double reach(Vec2 g) const;
    /// What tilting at g = (-w_w, w_u) adds to the normal velocity where it sinks most.
    double sinking(Vec2 g) const { return region_.rolls ? 0 : reach(-g); }
    bool may_press_at(Vec2 d, double tolerance = 0) const;
    /// How far out d lies: 0 at the centre, 1 at the edge.
    double gauge_of(Vec2 d) const;

    /// The nearest friction (f_t, f_b, tau) of n K(d).
    Vec3 project_friction(const Vec3& friction, double n, Vec2 d) const;
    /// The largest torque per unit normal force with the pressure at d.
    double spin_bound(Vec2 d) const;
    /// max over K(d) of friction.slip: what it drags at a slip (v_t, v_b, w_n), per unit normal force.
    double drag(const Vec3& slip, Vec2 d) const;
    /// The same limits with the friction set of a pressure at `centre`, wherever the pressure is, and rows that are taken
    /// about it. With K(d) so held, what the patch can carry is a convex cone: the one over R x K(centre).
    PatchLimits held_at(Vec2 centre) const;
    /// Whether slide and spin share one set with the pressure of limits that are held, so that each takes from the other.
    bool shares_friction() const { return shared(held_spin_) != nullptr; }
    bool is_held() const { return held_; }
    /// Of limits that are held: the nearest point (n, m, x) of that cone, x in `stretch` n K, in place.
    void project_held(double& n, Vec2& m, Vec3& x, double stretch) const;
    /// Where friction acts, from where its rows are taken, in the law's axes.
    Vec2 arm(Vec2 d) const { return held_ ? Vec2{} : in_law_axes(d); }
    /// d in the law's axes t, b.
    Vec2 in_law_axes(Vec2 d) const { return {cos_ * d.x - sin_ * d.y, sin_ * d.x + cos_ * d.y}; }
    bool is_frictionless() const { return drag_.x == 0 && drag_.y == 0; }
    const PressureRegion& region() const { return region_; }
    const LimitSet& planar() const { return planar_; }

  private:
    struct Side {
        int from;      // its first corner
        double gauge;  // of the point that asked
    };
    /// Of a polygon: the side that the ray from the centre through d goes out by.
    Side facing_side(Vec2 d) const;
    /// Uniform's, over a polygon.
    double spin_bound_of_polygon(Vec2 d) const;
    Vec2 project_region(Vec2 m, double n) const;
    /// The ellipse that shares its friction between slide and spin; none where the two are apart.
    const Ellipse* shared(double spin) const;
    bool is_disc(const Ellipse& e) const { return e.t == e.b && region_.count == 0 && region_.a == region_.b; }

    PressureRegion region_;
    LimitSet planar_ = Ellipse{0, 0};
    SpinModel model_ = SpinModel::Uniform;
    double cos_ = 1, sin_ = 0;
    Vec2 drag_;             // how far the planar set reaches along t and b: the semi-axes of an ellipse
    double mean_drag_ = 0;  // per unit normal force and rate of turn, under even pressure
    Vec2 middle_, half_;    // of the rectangle around R, along u and w
    bool held_ = false;
    double held_spin_ = 0;  // spin_bound at the held centre
};

/// The mean of |r| over an ellipse: its perimeter over 3 pi.
double mean_radius(double a, double b);
/// The mean of |r| over a convex polygon around the origin, a line or a point.
double mean_radius(const PressureRegion& polygon);

}  // namespace asperity::friction
