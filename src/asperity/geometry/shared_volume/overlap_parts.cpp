// Normals, outermost points and sums shared by all methods of overlap.h.
#include "asperity/geometry/shared_volume/detail/overlap_parts.h"

#include <cmath>
#include <numbers>

#include "asperity/geometry/common/detail/four.h"
#include "asperity/math/dense.h"

namespace asperity::geometry::detail {
namespace {

double smooth_step(double low, double high, double x) {
    const double s = clamp((x - low) / (high - low), 0, 1);
    return s * s * (3 - 2 * s);
}

// Limits of the thickness ratio, the root of the ratio of the two smaller second moments: 1 for a cube, 0 for a sheet. Below
// kFlat the thinnest direction has full weight in the normal, above kThick none.
constexpr double kFlat = 0.1, kThick = 0.4;
constexpr double kSheet = 0.3;  // a part with a smaller thickness ratio may be a contact of its own
// Cosines between the thinnest direction and the gradient: full weight above kAligned, none below kAskew. The sheet that a
// plate shares with a block it pokes into is thinnest along the plate's own normal, at right angles to the push.
constexpr double kAligned = 0.7, kAskew = 0.5;
// Smallest volume: of the smaller body's box, and [m^3]. A ball of radius 1 pressed in by 1e-9 has 3e-18.
constexpr double kSmallestVolume = 1e-18, kSmallestAbsolute = 1e-30;
constexpr double kSmallestGradient = 1e-6;  // of the volume to the power 2/3

/// Whether a symmetric positive definite matrix of trace 1 is certainly as thick as kThick. Needs only the eigenvalues, from
/// the smallest root of
///     l^3 - l^2 + m l - det = 0
/// which Newton's method approaches from below. Takes a tenth of the time of the eigenvectors, which thick volumes do not
/// need.
bool surely_thick(const Mat3& s) {
    const double xx = s.r[0].x, yy = s.r[1].y, zz = s.r[2].z, yz = s.r[1].z, zx = s.r[2].x, xy = s.r[0].y;
    const double m = yy * zz - yz * yz + zz * xx - zx * zx + xx * yy - xy * xy, det = dot(s.r[0], cross(s.r[1], s.r[2]));
    if (!(det > 0 && m > 0)) return false;
    double l = det / m;
    for (int go = 0; go < 5; ++go) l -= (((l - 1) * l + m) * l - det) / ((3 * l - 2) * l + m);
    const double sum = 1 - l, spread2 = sum * sum - 4 * det / l;  // of the other two eigenvalues
    if (!(std::fabs(((l - 1) * l + m) * l - det) <= 1e-9 * det && spread2 >= 0)) return false;
    return l > (1 + 1e-6) * kThick * kThick * 0.5 * (sum - std::sqrt(spread2));
}

}  // namespace

Vec3 contact_normal(const Mat3& second_moment, const Vec3& gradient) {
    const Vec3 steepest = normalize_or(-gradient, {0, 0, 1});
    const double trace = second_moment.r[0].x + second_moment.r[1].y + second_moment.r[2].z;
    if (!(trace > 1e-150)) return steepest;
    const Mat3 scaled_moment = (1 / trace) * second_moment;
    if (surely_thick(scaled_moment)) return steepest;
    Vec3 values;
    Mat3 vectors;
    symmetric_eigen(scaled_moment, values, vectors);
    Vec3 thin = vectors.column(2);
    if (dot(thin, steepest) < 0) thin = -thin;
    const double flatness = values.y > 0 ? std::sqrt(larger(values.z, 0) / values.y) : 1;
    const double trust = (1 - smooth_step(kFlat, kThick, flatness)) * smooth_step(kAskew, kAligned, dot(thin, steepest));
    return normalize_or(steepest + trust * (thin - steepest), steepest);
}

const CircleDirections& circle_directions() {
    static const CircleDirections directions = [] {
        CircleDirections d;
        for (size_t k = 0; k < d.cosine.size(); ++k) {
            const double angle =
                2 * std::numbers::pi * (static_cast<double>(k) + 0.25) / static_cast<double>(d.cosine.size());
            d.cosine[k] = std::cos(angle);
            d.sine[k] = std::sin(angle);
        }
        return d;
    }();
    return directions;
}

OutermostPoints::OutermostPoints(const Vec3& normal, const Vec3& about)
    : n_(normal), u_(any_tangent(normal)), w_(cross(n_, u_)), about_(about) {
    reach_.fill(-1e300);
}

void OutermostPoints::try_waiting() {
    // Each block of sixteen directions is compared with all waiting points and keeps the index of the farthest one.
    const CircleDirections& directions = circle_directions();
    constexpr size_t kFours = 4;
    for (size_t k = 0; k < kDirections; k += 4 * kFours) {
        Four reach[kFours], farthest[kFours], number{};
        for (size_t i = 0; i < kFours; ++i) reach[i] = four(&reach_[k + 4 * i]), farthest[i] = all_four(-1);
        for (size_t p = 0; p < waiting_count_; ++p) {
            const Four x = all_four(x_[p]), y = all_four(y_[p]);
#pragma GCC unroll 4
            for (size_t i = 0; i < kFours; ++i) {
                const Four along = x * four(&directions.cosine[k + 4 * i]) + y * four(&directions.sine[k + 4 * i]);
                farthest[i] = along > reach[i] ? number : farthest[i];
                reach[i] = larger_of(along, reach[i]);
            }
            number += all_four(1);
        }
        for (size_t i = 0; i < kFours; ++i) {
            four(&reach_[k + 4 * i]) = reach[i];
            for (size_t lane = 0; lane < 4; ++lane) {
                const int p = static_cast<int>(farthest[i][lane]);
                if (p < 0) continue;
                for (int axis = 0; axis < 3; ++axis) at_[axis][k + 4 * i + lane] = waiting_[axis][static_cast<size_t>(p)];
            }
        }
    }
    waiting_count_ = 0;
    nearest_ = reach_[0];
    for (size_t k = 1; k < kDirections; ++k) nearest_ = smaller(nearest_, reach_[k]);
}

void OutermostPoints::add(const OutermostPoints& other) {
    low_ = smaller(low_, other.low_);
    high_ = larger(high_, other.high_);
    for (size_t k = 0; k < kDirections; ++k)
        if (other.reach_[k] > reach_[k]) {
            reach_[k] = other.reach_[k];
            for (int axis = 0; axis < 3; ++axis) at_[axis][k] = other.at_[axis][k];
        }
    for (size_t i = 0; i < other.waiting_count_; ++i)
        wait({other.waiting_[0][i], other.waiting_[1][i], other.waiting_[2][i]}, other.x_[i], other.y_[i]);
}

void OutermostPoints::write(const Pose& place, OverlapPart& part) {
    try_waiting();
    part.point_count = 0;
    Vec3 last;
    for (size_t k = 0; k < kDirections; ++k) {
        if (reach_[k] <= -1e300) continue;
        const Vec3 p = at(k);
        if (part.point_count > 0 && p == last) continue;
        last = p;
        part.points[static_cast<size_t>(part.point_count++)] = place * p;
    }
    part.depth = depth();
}

bool counts(double volume, const Vec3& gradient, double scale) {
    return volume > larger(kSmallestVolume * scale, kSmallestAbsolute) &&
           length(gradient) > kSmallestGradient * std::cbrt(volume) * std::cbrt(volume);
}

void set_totals(const Moments& volume, const AreaMoments& b_surface, const Pose& frame, const Vec3& origin, Overlap& out) {
    const Mat3 rotation = matrix(frame.orientation);
    const Vec3 centre = volume.centre();
    out.volume = volume.volume;
    out.centre = frame * (origin + centre);
    out.second_moment = rotation * volume.about_centre() * transposed(rotation);
    out.gradient = rotation * b_surface.area;
    out.turning = rotation * (b_surface.turning - cross(centre, b_surface.area));
}

OverlapPart& whole(Overlap& out) {
    out.part_count = 1;
    OverlapPart& part = out.parts[0];
    part.volume = out.volume;
    part.centre = out.centre;
    part.second_moment = out.second_moment;
    part.gradient = out.gradient;
    part.curvature = OverlapPart::Curvature::Flat;
    part.axis = {};
    return part;
}

bool keep_sheets(Overlap& out) {
    double volume = 0, sheets = 0;
    int sheet_count = 0;
    for (int i = 0; i < out.part_count; ++i) {
        const OverlapPart& part = out.parts[static_cast<size_t>(i)];
        Vec3 values;
        Mat3 vectors;
        symmetric_eigen((1 / part.volume) * part.second_moment, values, vectors);
        volume += part.volume;
        if (!(values.z < kSheet * kSheet * values.y)) continue;
        sheets += part.volume;
        if (i != sheet_count) out.parts[static_cast<size_t>(sheet_count)] = part;
        ++sheet_count;
    }
    out.part_count = sheet_count;
    return sheet_count >= 2 && sheets >= 0.5 * volume;
}

void choose_parts(const OverlapPart& whole_part, Overlap& out) {
    if (!keep_sheets(out)) {
        out.parts[0] = whole_part;
        out.part_count = 1;
    }
    sort_parts(out);
}

void sort_parts(Overlap& out) {
    for (int i = 1; i < out.part_count; ++i)
        for (size_t k = static_cast<size_t>(i); k > 0 && out.parts[k].volume > out.parts[k - 1].volume; --k)
            std::swap(out.parts[k], out.parts[k - 1]);
}

void exchange(Overlap& out) {
    out.gradient = -out.gradient;
    // The boundary of A inside B and that of B inside A together bound the shared volume, and int r x n over a closed
    // surface is zero.
    out.turning = -out.turning;
    std::swap(out.grown_a, out.grown_b);
    for (int i = 0; i < out.part_count; ++i) {
        OverlapPart& part = out.parts[static_cast<size_t>(i)];
        part.gradient = -part.gradient;
        part.normal = -part.normal;
    }
}

}  // namespace asperity::geometry::detail
