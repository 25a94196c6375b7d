// A ball or capsule and another convex body, where no closed form holds: on edges and corners, on cylinders, on one another. What they share is looked at
// along the contact normal u, from a place inside. Round it the footprint is a curve r(angle), and over the footprint the columns along u have a concave
// height: a rule of Gauss points along each of N directions, evenly round about, is as good as exact where the outline is smooth. Axes are scaled so that a long
// footprint is a round one. The estimate of the error is how far N and N/2 directions disagree; N is doubled once where that is more than 0.2 %.
#include <cmath>
#include <numbers>

#include "asperity/geometry/collide.h"
#include "asperity/geometry/detail/overlap_parts.h"
#include "asperity/geometry/detail/ray_intervals.h"

namespace asperity::geometry::detail {
namespace {

constexpr int kFewest = 12, kMost = 24;      // directions
constexpr double kEnough = 2e-3;             // of the volume: an error that is small enough
constexpr double kWorst = 0.01;              // beyond it rays do better
constexpr double kDeep = 0.5;                // of the radius: deeper, columns meet the side of the round body, where its surface runs along them
constexpr double kBorder = 1e-3;             // of the radius: how well the outline is found where the height runs out evenly; the error is its square
constexpr double kWall = 1e-5;               // the same at a wall, where the error is of first order
constexpr int kMostTries = 24;

/// Both bodies in axes with u = z, about a place in both. `round` is the ball or capsule.
class Columns {
  public:
    Columns(const Shape& round, const Pose& round_at, const Shape& other, const Pose& other_at, double grow)
        : round_(round, round_at, grow), other_(other, other_at, grow) {}

    struct Column {
        double from = 0, to = 0;
        double slope = 0;     // of its height along the direction asked for
        bool round_from = false, round_to = false;
        Vec3 normal_from, normal_to;
    };
    /// What both bodies have of the line along z at (x, y). False where that is nothing; then `out.to` < `out.from` if both are met.
    bool at(const Vec2& p, const Vec2& direction, Column& out) const {
        RayInterval a, b;
        out.from = out.to = 0;
        if (!round_.meets({p.x, p.y, 0}, 2, a) || !other_.meets({p.x, p.y, 0}, 2, b)) return false;
        out.round_from = a.from > b.from;
        out.round_to = a.to < b.to;
        out.from = out.round_from ? a.from : b.from;
        out.to = out.round_to ? a.to : b.to;
        out.normal_from = out.round_from ? a.normal_from : b.normal_from;
        out.normal_to = out.round_to ? a.normal_to : b.normal_to;
        const auto rise = [&](const Vec3& n) { return -(n.x * direction.x + n.y * direction.y) / n.z; };
        out.slope = rise(out.normal_to) - rise(out.normal_from);
        return out.from < out.to;
    }
    /// How far the footprint reaches from p along `direction`; `guess` is where to look first.
    double reach(const Vec2& p, const Vec2& direction, double guess) const {
        double inside = 0, outside = 1e300, next = guess;
        for (int go = 0; go < kMostTries; ++go) {
            Column c;
            const bool in = at(p + next * direction, direction, c);
            const bool known = c.to != c.from;  // both are met
            if (in)
                inside = next;
            else
                outside = next;
            // Newton's method; the height is concave, so that from outside it stays outside. Where one body ends in a wall, halves.
            double step = known && c.slope < 0 ? next + (c.from - c.to) / c.slope : 1e300;
            if (known && std::fabs(step - next) < kBorder * next && step > inside && step < outside) return step;
            if (outside - inside < kWall * outside) return inside;
            if (!(step > inside && step < outside)) step = outside < 1e299 ? 0.5 * (inside + outside) : 2 * next;
            next = step;
        }
        return inside;
    }

  private:
    ConvexOnGrid round_, other_;
};

struct Sums {
    Moments volume;
    AreaMoments surface;  // of the round body inside the other
    void add_column(const Vec2& p, const Columns::Column& c, double weight) {
        const double length = c.to - c.from, middle = 0.5 * (c.from + c.to), w = weight * length;
        volume.volume += w;
        volume.first += w * Vec3{p.x, p.y, middle};
        volume.squares += w * Vec3{p.x * p.x, p.y * p.y, middle * middle + length * length / 12};
        volume.products += w * Vec3{p.y * middle, middle * p.x, p.x * p.y};
        const auto add_surface = [&](const Vec3& n, double z) {
            const Vec3 area = weight / std::fabs(n.z) * n;
            surface.area += area;
            surface.turning += cross({p.x, p.y, z}, area);
        };
        if (c.round_from) add_surface(c.normal_from, c.from);
        if (c.round_to) add_surface(c.normal_to, c.to);
    }
    void add(const Sums& o) {
        volume.add(o.volume);
        surface.add(o.surface);
    }
    Sums scaled_by(double f) const {
        return {{f * volume.volume, f * volume.first, f * volume.squares, f * volume.products}, {f * surface.area, f * surface.turning}};
    }
};

constexpr double kNodes[4][2] = {{0.06943184420297371, 0.17392742256872693}, {0.33000947820757187, 0.32607257743127307}, {0.6699905217924281, 0.32607257743127307}, {0.9305681557970262, 0.17392742256872693}};

/// Where to look: an ellipse about `middle` with the half axes of the footprint.
struct Footprint {
    Vec2 middle, along, across;  // half axes
};

Footprint probe(const Columns& columns, const Vec2& axis, double size) {
    const Vec2 side{-axis.y, axis.x};
    Footprint f{{}, axis, side};
    for (int go = 0; go < 2; ++go) {  // twice: the first middle may lie at the border
        const double a0 = columns.reach(f.middle, -axis, size), a1 = columns.reach(f.middle, axis, a0);
        f.middle = f.middle + 0.5 * (a1 - a0) * axis;
        const double b0 = columns.reach(f.middle, -side, size), b1 = columns.reach(f.middle, side, b0);
        f.middle = f.middle + 0.5 * (b1 - b0) * side;
        f.along = 0.5 * (a0 + a1) * axis;
        f.across = 0.5 * (b0 + b1) * side;
        if (std::fabs(a1 - a0) < 0.5 * (a1 + a0) && std::fabs(b1 - b0) < 0.5 * (b0 + b1)) break;
        size = 0.5 * smaller(a0 + a1, b0 + b1);
    }
    return f;
}

}  // namespace

bool overlap_columns(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double skin, Overlap& out) {
    Manifold manifold;
    collide(a, pose_a, b, pose_b, 2 * skin, {}, manifold);
    out.grown_a = out.grown_b = skin;
    if (manifold.count == 0) return true;
    // Halfway between the surfaces at a contact point is in both bodies, and so is the mean of such places.
    Vec3 inside;
    double deepest = 1e300;
    int inner = 0;
    for (int i = 0; i < manifold.count; ++i) {
        const ManifoldPoint& p = manifold.points[i];
        deepest = smaller(deepest, p.gap);
        if (p.gap >= 2 * skin) continue;
        inside += 0.5 * (p.on_a + p.on_b);
        ++inner;
    }
    if (inner == 0) return true;
    inside = inside / inner;
    const Vec3 u = manifold.normal;
    const bool round_b = std::holds_alternative<Sphere>(b) || std::holds_alternative<Capsule>(b);
    const Shape &round = round_b ? b : a, &other = round_b ? a : b;
    const Pose &round_pose = round_b ? pose_b : pose_a, &other_pose = round_b ? pose_a : pose_b;

    // Axes across u; the first along the capsule.
    const auto* capsule = std::get_if<Capsule>(&round);
    const Vec3 straight = capsule ? rotate(round_pose.orientation, {0, 0, 1}) : Vec3{};
    const Vec3 e = normalize_or(straight - dot(straight, u) * u, any_tangent(u)), w = cross(u, e);
    const Mat3 to_frame{{e, w, u}};
    const Quat turn = quaternion(transposed(to_frame));
    const auto in_frame = [&](const Pose& pose) { return Pose{to_frame * (pose.position - inside), conjugate(turn) * pose.orientation}; };
    const double radius = capsule ? capsule->radius : std::get<Sphere>(round).radius;
    const Columns columns(round, in_frame(round_pose), other, in_frame(other_pose), skin);

    const double depth = 2 * skin - deepest;
    if (depth > kDeep * radius) return false;
    const Footprint f = probe(columns, {1, 0}, std::sqrt(2 * radius * depth));
    const double stretch = std::fabs(cross(f.along, f.across));
    if (!(stretch > 0)) return true;
    OutermostPoints points({0, 0, 1}, {f.middle.x, f.middle.y, 0});
    const auto sum_of = [&](int count, double offset) {
        Sums sums;
        double guess = 1;
        for (int k = 0; k < count; ++k) {
            const double angle = 2 * std::numbers::pi * (k + offset) / count;
            const Vec2 direction = std::cos(angle) * f.along + std::sin(angle) * f.across;
            const double r = columns.reach(f.middle, direction, guess);
            if (!(r > 0)) continue;
            guess = r;
            Columns::Column c;
            for (const auto& [node, weight] : kNodes) {
                const Vec2 p = f.middle + node * r * direction;
                if (columns.at(p, direction, c)) sums.add_column(p, c, weight * node * r * r * stretch * 2 * std::numbers::pi / count);
            }
            const Vec2 rim = f.middle + 0.999999 * r * direction;
            if (columns.at(rim, direction, c)) {
                points.add({rim.x, rim.y, c.from});
                points.add({rim.x, rim.y, c.to});
            }
        }
        return sums;
    };
    Sums sums = sum_of(kFewest / 2, 0);
    double error = 1e300;
    for (int count = kFewest / 2; count < kMost && error > kEnough; count *= 2) {
        const double before = sums.volume.volume;
        sums.add(sum_of(count, 0.5));
        sums = sums.scaled_by(0.5);
        error = std::fabs(sums.volume.volume - before) / larger(sums.volume.volume, 1e-300);
        error *= count > kFewest / 2 ? 1 : 0.25;  // six directions alone err by more than the twelve together
    }
    if (error > kWorst) return false;
    const double size = 2 * radius;
    const Vec3 gradient = (round_b ? 1 : -1) * sums.surface.area;
    if (!counts(sums.volume.volume, gradient, size * size * size)) return true;
    AreaMoments surface{gradient, (round_b ? 1 : -1) * sums.surface.turning};
    out.method = Overlap::Method::Columns;
    set_totals(sums.volume, surface, {inside, turn}, {}, out);
    out.error = error * out.volume;
    OverlapPart& part = whole(out);
    part.normal = contact_normal(out.second_moment, out.gradient);
    const bool line = capsule && manifold.count > 1;
    part.curvature = line ? OverlapPart::Curvature::Line : OverlapPart::Curvature::Point;
    if (line) part.axis = e;
    Columns::Column c;
    if (columns.at(f.middle, {1, 0}, c)) {
        points.add({f.middle.x, f.middle.y, c.from});
        points.add({f.middle.x, f.middle.y, c.to});
    }
    points.write({inside, turn}, part);
    part.depth = larger(part.depth, depth);
    return true;
}

}  // namespace asperity::geometry::detail
