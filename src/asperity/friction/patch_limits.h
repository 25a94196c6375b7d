// The limit set of a contact patch: the wrenches it can carry, instead of the forces at a point.
//
// A patch carries a normal force f_n >= 0 at a centre of pressure d in its region R ("pressing"). It also carries a
// tangential force f and a torque tau about the normal through d ("rubbing"). About the patch's centre the wrench is
//     m = f_n d                              tilting moments, m = (-tau_w, tau_u)                  f_n >= 0,  m in f_n R
//     tau_n = tau + d x f                    torque about the normal                               (f, tau) in f_n K(d)
// The first line is a closed convex cone. Its dual cone are the motions in which no point of a flat patch approaches: the
// patch may tip over its edge. Where curved surfaces roll on each other, the region moves along (`rolls`). Then f_n is
// complementary to the normal velocity alone, and m in f_n R is a rolling resistance that dissipates most against the
// tilting.
//
// K(d) is the planar limit set of the friction law with a bound on the spin torque tau, by SpinModel:
//     Uniform      |tau| <= the law's drag when the patch spins about d, averaged over an evenly loaded part of R:
//                      d at the centre of R                the whole of R
//                      d at the edge of an ellipse         a point, so the bound is 0
//                      d on a side of a polygon            the largest part of the side with d as its middle, so that a box
//                                                          on its edge still resists
//                      between, with rho = gauge of d      linear along the ray from the centre:
//                                                          (1 - rho) whole + rho edge
//     FourCorner   |tau| <= sum w_i drag at the vertices of the rectangle around R when it spins about d, w_i bilinear in d
//     Contensou    spin and slide are coupled: contensou.h for a round patch and an isotropic law, with radius (1 - rho) R;
//                  else the ellipsoid over the planar set with the torque of Uniform as third semi-axis
// The drag of an ellipse with semi-axes D is |D v|. So the mean drag is the mean distance from the centre in a stretched R,
// which has a closed form. At the centre of a disc: Uniform 2/3 mu R, FourCorner sqrt(2) mu R.
//
// Source: Bouchard, Nesme, Tournier, Wang, Faure, Kry, "6D Frictional Contact for Rigid Bodies", GI 2015 (FourCorner is its
// eqs. 11 to 13, signs of the centre of pressure corrected). Ours differs: polygons as regions, any planar law, Uniform,
// Contensou. Tests: tests/unit/friction/patch_limits_test.cpp.
#pragma once
#include <array>

#include "asperity/friction/cone.h"
#include "asperity/friction/patch_integral.h"
#include "asperity/friction/spin_model.h"

namespace asperity::friction {

/// The set of possible centres of pressure, along u and w from the patch's centre, which it must contain.
struct PressureRegion {
    static constexpr int kMostCorners = 16;
    double a = 0, b = 0;                       ///< semi-axes of an ellipse, used if there are no vertices [m]
    bool rolls = false;                        ///< curved surfaces: tilting makes them roll instead of separating them
    int count = 0;                             ///< vertices, counter-clockwise; 1 is a point, 2 a line
    std::array<Vec2, kMostCorners> corners{};  ///< [m]
};

class PatchLimits {
  public:
    PatchLimits() = default;
    /// `angle` is the direction of u in the law's axes t, b. All lengths are divided by `unit`, so that torques become
    /// forces.
    PatchLimits(const PressureRegion& region, const LimitSet& planar, SpinModel model, double angle, double unit);
    /// The same for Integral. The cells have to outlive the limits; `planar` is the law's set at the centre.
    PatchLimits(const PressureRegion& region, const LimitSet& planar, std::span<const PatchCell> cells, double angle,
                double unit);

    /// The nearest normal part (f_n, m) to (n, moment).
    ConePoint project_pressing(double n, Vec2 moment) const;
    /// Support function of R: max over R of d.g.
    double reach(Vec2 g) const;
    /// The largest extra approach velocity of a point of R when the patch tilts at g = (-w_w, w_u).
    double approach_by_tilt(Vec2 g) const { return region_.rolls ? 0 : reach(-g); }
    bool may_press_at(Vec2 d, double tolerance = 0) const;
    /// The gauge of d in R: 0 at the centre, 1 at the edge.
    double gauge_of(Vec2 d) const;

    /// The nearest friction (f_t, f_b, tau) in n K(d).
    Vec3 project_friction(const Vec3& friction, double n, Vec2 d) const;
    /// The largest spin torque per unit normal force with the centre of pressure at d.
    double spin_bound(Vec2 d) const;
    /// Support function of K(d): the power per unit normal force dissipated at the slip (v_t, v_b, w_n).
    double drag(const Vec3& slip, Vec2 d) const;
    /// The same limits with the friction set K(centre), whatever the centre of pressure is, and friction rows taken about
    /// `centre`. The wrenches that the patch can carry are then a convex cone, the one over R x K(centre).
    PatchLimits held_at(Vec2 centre) const;
    /// For held limits: whether slide and spin are coupled, so that each reduces the other.
    bool couples_slide_and_spin() const { return model_ == SpinModel::Integral || shared(held_spin_) != nullptr; }
    bool is_held() const { return held_; }
    /// For held limits: projects (n, m, x) onto that cone, with x in `stretch` n K, in place.
    void project_held(double& n, Vec2& m, Vec3& x, double stretch) const;
    /// The arm from the point about which friction rows are taken to the centre of friction, in the law's axes.
    Vec2 arm(Vec2 d) const { return held_ ? Vec2{} : in_law_axes(d); }
    /// d in the law's axes t, b.
    Vec2 in_law_axes(Vec2 d) const { return {cos_ * d.x - sin_ * d.y, sin_ * d.x + cos_ * d.y}; }
    bool is_frictionless() const { return drag_.x == 0 && drag_.y == 0; }
    const PressureRegion& region() const { return region_; }
    const LimitSet& planar() const { return planar_; }

  private:
    struct Side {
        int from;      // index of its first vertex
        double gauge;  // of the query point
    };
    /// The side of a polygon through which the ray from the centre through d leaves.
    Side facing_side(Vec2 d) const;
    /// Spin bound of Uniform for a polygonal region.
    double spin_bound_of_polygon(Vec2 d) const;
    Vec2 project_region(Vec2 m, double n) const;
    /// The ellipse of a law that couples slide and spin (Contensou); null if they are independent.
    const Ellipse* shared(double spin) const;
    PatchIntegral integral(Vec2 d) const;
    bool is_disc(const Ellipse& e) const { return e.t == e.b && region_.count == 0 && region_.a == region_.b; }

    PressureRegion region_;
    LimitSet planar_ = Ellipse{0, 0};
    SpinModel model_ = SpinModel::Uniform;
    double cos_ = 1, sin_ = 0;
    Vec2 drag_;                         // extent of the planar set along t and b: the semi-axes of an ellipse
    double mean_drag_ = 0;              // per unit normal force and angular velocity, under even pressure
    Vec2 middle_, half_;                // of the bounding rectangle of R, along u and w
    std::span<const PatchCell> cells_;  // of Integral
    double unit_ = 1;
    bool held_ = false;
    Vec2 held_centre_;
    double held_spin_ = 0;  // spin_bound at the held centre
};

/// The mean distance from the centre over an ellipse: its perimeter over 3 pi.
double mean_radius(double a, double b);
/// The mean distance from the origin over a convex polygon that contains it, a line or a point.
double mean_radius(const PressureRegion& polygon);

}  // namespace asperity::friction
