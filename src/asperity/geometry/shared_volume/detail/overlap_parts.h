// Shared by all methods of overlap.h: the normal and the outermost points of a part, and declarations of the methods.
#pragma once
#include <array>

#include "asperity/geometry/convex_contact/convex.h"
#include "asperity/geometry/shared_volume/detail/moments.h"
#include "asperity/geometry/shared_volume/overlap.h"

namespace asperity::geometry::detail {

/// The normal from A to B. The volume shrinks fastest along the gradient. But if a face's border cuts through the shared
/// volume, the gradient tilts. For a flat volume the direction in which it is thinnest, the last axis of its second moment,
/// describes the contact better.
Vec3 contact_normal(const Mat3& second_moment, const Vec3& gradient);

/// 32 directions round a circle. None lies along an axis, so that the vertices of an aligned rectangle never tie.
struct CircleDirections {
    std::array<double, OverlapPart::kPoints> cosine, sine;
};
const CircleDirections& circle_directions();

/// The points farthest out in 32 directions across a normal. Finds vertices with interior angles up to 168 degrees exactly.
class OutermostPoints {
  public:
    /// `about`: a point near the middle of the expected points. Points nearer to it than every current outermost point are
    /// rejected early.
    OutermostPoints(const Vec3& normal, const Vec3& about);
    void add(const Vec3& p) {
        const Vec3 d = p - about_;
        const double x = dot(u_, d), y = dot(w_, d), z = dot(n_, d);
        low_ = smaller(low_, z);
        high_ = larger(high_, z);
        if (!(x * x + y * y > nearest_ * nearest_ || nearest_ < 0)) return;
        wait(p, x, y);
    }
    /// Adds the points of another set with the same axes.
    void add(const OutermostPoints& other);
    double depth() const { return high_ > low_ ? high_ - low_ : 0; }
    /// Writes each point once; `place` maps to world axes.
    void write(const Pose& place, OverlapPart& part);

  private:
    static constexpr size_t kDirections = OverlapPart::kPoints, kBatch = 96;
    void wait(const Vec3& p, double x, double y) {
        for (int axis = 0; axis < 3; ++axis) waiting_[axis][waiting_count_] = p[axis];
        x_[waiting_count_] = x;
        y_[waiting_count_] = y;
        if (++waiting_count_ == kBatch) try_waiting();
    }
    void try_waiting();

    Vec3 n_, u_, w_, about_;
    double low_ = 1e300, high_ = -1e300;
    double nearest_ = -1e300;  // the smallest of `reach_`, updated once a batch
    size_t waiting_count_ = 0;
    std::array<double, kBatch> waiting_[3];  // x, y, z
    std::array<double, kBatch> x_, y_;       // coordinates of the waiting points across the normal
    Vec3 at(size_t k) const { return {at_[0][k], at_[1][k], at_[2][k]}; }
    std::array<double, kDirections> reach_;
    std::array<double, kDirections> at_[3];  // x, y, z
};

/// Whether volume and gradient are large enough for a contact; `scale` is the volume of the smaller body's box.
bool counts(double volume, const Vec3& gradient, double scale);
/// Sets volume, centre, second moment, gradient and turning from sums in the axes of `frame` about its point `origin`.
/// `b_surface` is the surface of B inside A.
void set_totals(const Moments& volume, const AreaMoments& b_surface, const Pose& frame, const Vec3& origin, Overlap& out);
/// Makes a single part of the whole volume; normal and points remain to be set.
OverlapPart& whole(Overlap& out);

// The methods. Each leaves `out` without parts if the overlap is negligible.
void overlap_spheres(const Sphere& a, const Vec3& at_a, const Sphere& b, const Vec3& at_b, double skin, Overlap& out);
/// The sphere is B.
void overlap_sphere_half_space(const Pose& half_space, const Sphere& sphere, const Vec3& at, double skin, Overlap& out);
/// A sphere, cylinder or capsule, which is B, with a half-space, box or hull.
void overlap_revolved(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double skin, Overlap& out);
/// A cylinder or capsule with a sphere, which is B.
void overlap_ball_slices(const Shape& a, const Pose& pose_a, const Sphere& sphere, const Vec3& at, double skin,
                         Overlap& out);
/// Two cylinders or capsules.
void overlap_slices(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double skin, Overlap& out);
/// Boxes and hulls with one another or a half-space.
void overlap_clipped(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double skin, Overlap& out);
/// A half-space, box or hull with a mesh, which is B.
void overlap_shadows(const Shape& a, const Pose& pose_a, const Mesh& mesh, const Pose& pose_b, double skin, Overlap& out);
/// Two meshes.
void overlap_meshes(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b, double skin, Overlap& out);
/// Two meshes with small penetration, from the triangles that face each other; `deep` is a guess of the depth. Returns false
/// if they are too deep for this method.
bool overlap_facing(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b, double skin, double deep,
                    Overlap& out);
/// The direction from A to B, in A's axes, along which two meshes overlap least. Returns false if the meshes are apart.
bool least_overlap(const Mesh& a, const Mesh& b, const Pose& b_in_a, double skin, Vec3& direction);
/// The box, in the axes of A, around all pairs of overlapping leaves of both trees, A's grown by `grow`. Returns false if
/// there are none.
bool near_surface_box(const TriangleSet& a, const TriangleSet& b, const Pose& b_in_a, double grow, Aabb& out);
/// Any two shapes, at least one of them bounded.
void overlap_rays(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, const OverlapOptions& options,
                  Overlap& out);
/// Sorts the parts by volume. If the parts are not sheets, as when a spike pokes in, their directions belong to a single
/// contact, and `whole_part` replaces them. It also replaces a single part.
void choose_parts(const OverlapPart& whole_part, Overlap& out);
/// Drops the parts that are not sheets. Returns false if fewer than two remain or if they hold less than half of the volume.
bool keep_sheets(Overlap& out);
void sort_parts(Overlap& out);
/// Converts a result for (b, a) into one for (a, b).
void exchange(Overlap& out);

}  // namespace asperity::geometry::detail
