// A cylinder inside a solid of plane faces; see round_in_solid.h.
#include <cmath>

#include "asperity/geometry/common/detail/four.h"
#include "asperity/geometry/shared_volume/detail/disc_region.h"
#include "asperity/geometry/shared_volume/detail/round_in_solid.h"

namespace asperity::geometry::detail {
namespace {

constexpr double kUpright = 1e-12;  // |cosine| below which a face is parallel to the axis and casts no shadow

/// Integrals over the mantle below the faces that look up (or down): of its normal and of r x normal, in four lanes.
struct Mantle {
    Four x{}, y{}, turn_x{}, turn_y{}, turn_z{};
    AreaMoments sum() const { return {{sum_of(x), sum_of(y), 0}, {sum_of(turn_x), sum_of(turn_y), sum_of(turn_z)}}; }
};

/// The shadow of a face in the disc.
struct Shadow {
    Mantle& mantle;
    KeptList<Vec3>& points;
    Vec3& origin;
    bool& has_origin;
    Vec2 slope;
    double height;  // height over (0, 0)
    bool own;       // false for the plane where a capsule continues as a ball
    bool is_end;

    Vec3 place(Vec2 p) const { return {p.x, p.y, height + dot(slope, p)}; }
    void begin(Vec2 p) {
        if (has_origin) return;
        has_origin = true;
        origin = place(p);
    }
    void corner(Vec2 p) {  // vertices of the solid itself are handled once, not once per face
        if (own && is_end) points.push_back(place(p));
    }
    void on_circle(Vec2 p) {
        if (own) points.push_back(place(p));
    }
    void arc(const Four& px, const Four& py, const Four& dx, const Four& dy) {  // the mantle below the face
        const Four x = px - origin.x, y = py - origin.y, z = (height - origin.z) + px * slope.x + py * slope.y,
                   half = 0.5 * z * z;
        mantle.x += z * dy, mantle.y -= z * dx;
        mantle.turn_x += half * dx, mantle.turn_y += half * dy, mantle.turn_z -= (x * dx + y * dy) * z;
    }
};

/// Columns from z = 0 to z0 + slope . p over a region with the moments m, shifted by `at`, whose z is 0.
Moments columns(const PlaneMoments& m, double z0, Vec2 slope, const Vec3& at) {
    const double a = slope.x, b = slope.y;
    const Vec2 lift{m.xx() * a + m.xy() * b, m.xy() * a + m.yy() * b};                   // int (x, y) slope . p
    const double rise = a * m.first.x + b * m.first.y, rise2 = a * lift.x + b * lift.y;  // int slope . p and its square
    const double xx = a * m.xxx() + b * m.xxy(), xy = a * m.xxy() + b * m.xyy(), yy = a * m.xyy() + b * m.yyy();
    const double x2 = a * xx + b * xy, y2 = a * xy + b * yy;  // int (x, y) (slope . p)^2
    const double rise3 = a * x2 + b * y2;
    Moments c;
    c.volume = z0 * m.area + rise;
    c.first = {z0 * m.first.x + lift.x, z0 * m.first.y + lift.y, 0.5 * (z0 * z0 * m.area + 2 * z0 * rise + rise2)};
    c.squares = {z0 * m.xx() + xx, z0 * m.yy() + yy,
                 (z0 * z0 * z0 * m.area + 3 * z0 * z0 * rise + 3 * z0 * rise2 + rise3) / 3};
    c.products = {0.5 * (z0 * z0 * m.first.y + 2 * z0 * lift.y + y2), 0.5 * (z0 * z0 * m.first.x + 2 * z0 * lift.x + x2),
                  z0 * m.xy() + xy};
    return c.moved(at);
}

class CylinderInSolid {
  public:
    void set(const FacedSolid& solid, double radius, const Lid& lower, const Lid& upper, bool has_ends) {
        solid_ = &solid;
        radius_ = radius, lower_ = lower.level, upper_ = upper.level;
        has_ends_ = has_ends;
        has_origin_ = false;
        volume_ = {};
        ends_ = {};
        up_ = down_ = {};
    }
    void add_faces(RoundOverlap& out);
    void add_end(const Lid& lid, bool up, RoundOverlap& out);
    void add_to(RoundOverlap& out) const {
        if (!has_origin_) return;
        AreaMoments surface = up_.sum(), down = down_.sum();
        surface.area -= down.area, surface.turning -= down.turning;
        surface.add(ends_);
        out.add(volume_, surface, origin_);
    }

  private:
    void add_face(const FaceTable::Face& face, bool whole, RoundOverlap& out);
    /// Adds the columns over the polygon in `shadow_`, counter-clockwise from above.
    void add_shadow(const Vec3& normal, double offset, bool whole, bool is_end, RoundOverlap& out);

    const FacedSolid* solid_;
    double radius_, lower_, upper_;
    bool has_ends_, has_origin_;
    Vec3 origin_;
    Moments volume_;
    AreaMoments ends_;
    Mantle up_, down_;
    KeptList<Vec3> polygon_, clipped_;
    KeptList<Vec2> shadow_;
};

void CylinderInSolid::add_faces(RoundOverlap& out) {
    const FaceTable& t = solid_->table();
    const double *cx = t[FaceTable::kCentroidX], *cy = t[FaceTable::kCentroidY], *cz = t[FaceTable::kCentroidZ],
                 *reaches = t[FaceTable::kReach], *alongs = solid_->along().data(), *rises = solid_->rise().data();
    const Vec3 middle = solid_->to_solid({});
    const Four x = all_four(middle.x), y = all_four(middle.y), z = all_four(middle.z), radius = all_four(radius_),
               slack = all_four(1e-7 * radius_), low = all_four(lower_), high = all_four(upper_), none = all_four(0);
    for (size_t f = 0; f < t.rows; f += 4) {
        const Four dx = four(cx + f) - x, dy = four(cy + f) - y, dz = four(cz + f) - z, along = four(alongs + f),
                   rise = four(rises + f), reach = four(reaches + f);
        const Four away = root_of(larger_of(dx * dx + dy * dy + dz * dz - along * along, none)), top = along + rise,
                   bottom = along - rise;
        const int inside = bits(away + reach + slack <= radius);
        for (int look = bits((away < radius + reach + slack) & (top > low) & (bottom < high)); look; look &= look - 1) {
            const int lane = __builtin_ctz(static_cast<unsigned>(look));
            add_face(t.faces[f + static_cast<size_t>(lane)], inside >> lane & 1, out);
        }
    }
}

void CylinderInSolid::add_face(const FaceTable::Face& face, bool whole, RoundOverlap& out) {
    const Vec3 normal = first_three(solid_->turn_columns() * face.normal);
    if (std::fabs(normal.z) < kUpright) return;
    const int *loop = solid_->form().loop + face.first, count = face.count;
    const double *x = solid_->x().data(), *y = solid_->y().data(), *z = solid_->z().data();
    double left = 1e300, right = -1e300, front = 1e300, back = -1e300, bottom = 1e300, top = -1e300;
    for (int i = 0; i < count; ++i) {
        const int k = loop[i];
        left = smaller(left, x[k]), right = larger(right, x[k]);
        front = smaller(front, y[k]), back = larger(back, y[k]);
        bottom = smaller(bottom, z[k]), top = larger(top, z[k]);
    }
    if (left >= radius_ || front >= radius_ || right <= -radius_ || back <= -radius_ || !(top > lower_) || bottom > upper_)
        return;
    const bool across_lower = !(bottom > lower_), across_upper = top > upper_, up = normal.z > 0;
    shadow_.clear();
    if (!across_lower && !across_upper) {
        for (int i = 0; i < count; ++i) {
            const int k = loop[up ? i : count - 1 - i];
            shadow_.push_back({x[k], y[k]});
        }
    } else {
        polygon_.clear();
        for (int i = 0; i < count; ++i) polygon_.push_back(solid_->corner(loop[i]));
        if (across_lower) {
            keep_beyond(lower_, true, polygon_, clipped_);
            polygon_.swap(clipped_);
        }
        if (across_upper) {
            keep_beyond(upper_, false, polygon_, clipped_);
            polygon_.swap(clipped_);
        }
        const size_t left_over = polygon_.size();
        if (left_over < 3) return;
        for (size_t i = 0; i < left_over; ++i) {
            const Vec3& p = polygon_[up ? i : left_over - 1 - i];
            shadow_.push_back({p.x, p.y});
        }
    }
    add_shadow(normal, dot(normal, solid_->to_round(first_three(face.centroid))), whole, false, out);
}

void CylinderInSolid::add_end(const Lid& lid, bool up, RoundOverlap& out) {
    lid.for_loops([&](const Vec2* corners, size_t count) {
        shadow_.clear();
        for (size_t i = 0; i < count; ++i) shadow_.push_back(corners[i]);
        add_shadow({0, 0, up ? 1.0 : -1.0}, up ? lid.level : -lid.level, false, true, out);
    });
}

void CylinderInSolid::add_shadow(const Vec3& normal, double offset, bool whole, bool is_end, RoundOverlap& out) {
    const double sign = normal.z > 0 ? 1 : -1, inverse = 1 / normal.z;
    const Vec2 slope{-normal.x * inverse, -normal.y * inverse};
    Shadow sink{normal.z > 0 ? up_ : down_, out.points,           origin_, has_origin_, slope,
                offset * inverse,           has_ends_ || !is_end, is_end};
    DiscRegion<true, Shadow> region(radius_, sink);
    if (whole)
        region.all(shadow_.data(), static_cast<int>(shadow_.size()));
    else if (!region.share(shadow_.data(), static_cast<int>(shadow_.size())))
        return;
    const Vec3 at = sink.place(region.origin()) - origin_;
    const PlaneMoments& m = region.moments();
    const Moments piece = columns(m, at.z, slope, {at.x, at.y, 0});
    volume_.add({sign * piece.volume, sign * piece.first, sign * piece.squares, sign * piece.products});
    if (has_ends_ && is_end) {
        ends_.area.z += sign * m.area;
        ends_.turning += sign * Vec3{at.y * m.area + m.first.y, -at.x * m.area - m.first.x, 0};
    }
}

}  // namespace

void RoundOverlap::clear() {
    volume = {};
    surface = {};
    points.clear();
}
void RoundOverlap::add(const Moments& v, const AreaMoments& s, const Vec3& about) {
    if (volume.volume == 0) origin = about;
    volume.add(v.moved(about - origin));
    surface.add(s.moved(about - origin));
}

void add_cylinder(const FacedSolid& solid, double radius, const Lid& lower, const Lid& upper, bool has_ends,
                  RoundOverlap& out) {
    thread_local CylinderInSolid cylinder;
    cylinder.set(solid, radius, lower, upper, has_ends);
    cylinder.add_faces(out);
    cylinder.add_end(lower, false, out);
    cylinder.add_end(upper, true, out);
    cylinder.add_to(out);
}

}  // namespace asperity::geometry::detail
