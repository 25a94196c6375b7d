// A ball, or half of one, inside a solid of plane faces; see round_in_solid.h.
#include <cmath>
#include <cstdint>

#include "asperity/geometry/common/detail/four.h"
#include "asperity/geometry/shared_volume/detail/ball_fans.h"
#include "asperity/geometry/shared_volume/detail/disc_region.h"
#include "asperity/geometry/shared_volume/detail/round_in_solid.h"

namespace asperity::geometry::detail {
namespace {

/// A face or lid that the ball may cut. Lengths are about the ball's centre, vertices about the foot of the centre in the
/// plane.
struct CutFace {
    Four normal, u, v;
    double height;        // of the plane over the centre
    size_t first, count;  // of its vertices
    bool own;             // a face of the solid, not a lid
};

/// A face of the solid inside the ball. `foot` is the foot of the ball's centre; e1 and e2 span the face. `here` is about
/// the centre in the axes of the round body, `there` about the pole in those of the fans.
struct BallFace {
    struct Frame {
        Four foot, e1, e2;
        Four place(Vec2 p) const { return foot + p.x * e1 + p.y * e2; }
    };
    Fans& fans;
    KeptList<Vec3>& points;
    Frame here, there;
    bool own;

    void begin(Vec2) {}
    void corner(Vec2) {}  // add_corners() handles each vertex of the solid once, not once per face
    void on_circle(Vec2 p) {
        if (own) points.push_back(first_three(here.place(p)));
    }
    /// The border of the ball's surface runs opposite to that of the face.
    void arc(const Four& px, const Four& py, const Four& dx, const Four& dy) {
        const Four &o = there.foot, &a = there.e1, &b = there.e2;
        const Four x = o[0] + px * a[0] + py * b[0], y = o[1] + px * a[1] + py * b[1], t = o[2] + px * a[2] + py * b[2];
        fans.add(x, y, t, y * (dx * a[0] + dy * b[0]) - x * (dx * a[1] + dy * b[1]));
    }
};

/// All in the axes of the solid, about the ball's centre.
class BallInSolid {
  public:
    void set(const FacedSolid& solid, double z, double radius, const Lid* lid, double side) {
        solid_ = &solid;
        lid_ = lid;
        z_ = z, radius_ = radius, side_ = side;
        centre_ = solid.to_solid({0, 0, z});
        slack_ = 1e-7 * radius;
        cut_.clear();
        corners_.clear();
        whole_.clear();
    }
    bool sort_faces();
    void take_lid();
    bool find_pole(Vec3& u) const;
    void sum(const Vec3& u, RoundOverlap& out);

  private:
    struct Nearest {
        double distance2;
        bool found = false, on_face = false;
        Four at, normal;
        bool try_face(const Four& normal, double above, const Four& u, const Four& v, const Vec2* corners, size_t count);
    };
    void take_face(size_t f);
    void add_whole(const Vec3& pole, Moments& volume, AreaMoments& surface) const;

    const FacedSolid* solid_;
    const Lid* lid_;
    double z_, radius_, side_, slack_;
    Vec3 centre_;
    bool inside_ = false;  // whether the centre is in the solid
    KeptList<CutFace> cut_;
    KeptList<Vec2> corners_;
    std::vector<uint8_t> whole_;  // per four faces: a bit for each that is wholly inside
    KeptList<size_t> undecided_;
    KeptList<Vec3> polygon_, clipped_;
    mutable KeptList<Vec2> flat_;
};

/// Classifies faces as outside, wholly inside or undecided, by the circle round each face and the disc in which its plane
/// cuts the ball. Returns false if a plane separates the ball from the solid.
bool BallInSolid::sort_faces() {
    const FaceTable& t = solid_->table();
    const double *nx = t[FaceTable::kNormalX], *ny = t[FaceTable::kNormalY], *nz = t[FaceTable::kNormalZ],
                 *cx = t[FaceTable::kCentroidX], *cy = t[FaceTable::kCentroidY], *cz = t[FaceTable::kCentroidZ];
    const double *reaches = t[FaceTable::kReach], *alongs = solid_->along().data(), *rises = solid_->rise().data();
    const Four x = all_four(centre_.x), y = all_four(centre_.y), z = all_four(centre_.z), r2 = all_four(radius_ * radius_),
               slack = all_four(slack_), none = all_four(0), side = all_four(side_), level = all_four(z_);
    Four lowest = all_four(1e300);
    undecided_.clear();
    whole_.resize(t.rows / 4);
    for (size_t f = 0; f < t.rows; f += 4) {
        const Four dx = four(cx + f) - x, dy = four(cy + f) - y, dz = four(cz + f) - z, reach = four(reaches + f);
        const Four height = four(nx + f) * dx + four(ny + f) * dy + four(nz + f) * dz, height2 = height * height,
                   disc2 = r2 - height2;
        lowest = smaller_of(height, lowest);
        const Four disc = root_of(larger_of(disc2, none)),
                   away = root_of(larger_of(dx * dx + dy * dy + dz * dz - height2, none));
        FourFlags near = (disc2 > none) & (away < disc + reach + slack),
                  whole = (disc2 > none) & (away + reach + slack <= disc);
        if (lid_) {
            const Four over = side * (four(alongs + f) - level), rise = four(rises + f);
            near &= over > -rise;
            whole &= over >= rise;
        }
        const int whole_bits = bits(whole);
        whole_[f / 4] = static_cast<uint8_t>(whole_bits);
        for (int look = bits(near) & ~whole_bits; look; look &= look - 1)
            undecided_.push_back(f + static_cast<size_t>(__builtin_ctz(static_cast<unsigned>(look))));
    }
    const double low = smaller(smaller(lowest[0], lowest[1]), smaller(lowest[2], lowest[3]));
    if (low <= -radius_) return false;
    inside_ = low >= 0;
    for (const size_t f : undecided_) take_face(f);
    return true;
}

void BallInSolid::take_face(size_t f) {
    const FaceTable& t = solid_->table();
    const FaceTable::Face& face = t.faces[f];
    const Four d = face.centroid - xyz(centre_);
    const double height = dot(face.normal, d), disc2 = (radius_ - height) * (radius_ + height);
    const Vec2 middle{dot(face.u, d), dot(face.v, d)};  // the centroid relative to the foot
    const Vec2* in_face = t.in_face.data() + face.first;
    const size_t first = corners_.size();
    bool divided = false;
    if (lid_) {
        const int* loop = solid_->form().loop + face.first;
        const double* z = solid_->z().data();
        double bottom = 1e300, top = -1e300;
        for (int i = 0; i < face.count; ++i) bottom = smaller(bottom, z[loop[i]]), top = larger(top, z[loop[i]]);
        const bool any_above = top > z_, any_below = !(bottom > z_), above = side_ > 0;
        if (above ? !any_above : !any_below) return;
        divided = any_above && any_below;
        if (divided) {
            polygon_.clear();
            for (int i = 0; i < face.count; ++i)
                polygon_.push_back({middle.x + in_face[i].x, middle.y + in_face[i].y, z[loop[i]]});
            keep_beyond(z_, above, polygon_, clipped_);
            for (const Vec3& p : clipped_) corners_.push_back({p.x, p.y});
        }
    }
    if (!divided)
        for (int i = 0; i < face.count; ++i) corners_.push_back(middle + in_face[i]);
    Vec2 low{1e300, 1e300}, high{-1e300, -1e300};
    double farthest = 0;
    for (const Vec2 *p = corners_.data() + first, *end = corners_.end(); p != end; ++p) {
        low = {smaller(low.x, p->x), smaller(low.y, p->y)};
        high = {larger(high.x, p->x), larger(high.y, p->y)};
        farthest = larger(farthest, dot(*p, *p));
    }
    const double disc = std::sqrt(disc2);
    if (!divided && farthest <= disc2)
        whole_[f / 4] = static_cast<uint8_t>(whole_[f / 4] | 1u << f % 4);
    else if (low.x < disc && low.y < disc && high.x > -disc && high.y > -disc) {
        cut_.push_back({face.normal, face.u, face.v, height, first, corners_.size() - first, true});
        return;
    }
    corners_.resize_to(first);
}

void BallInSolid::take_lid() {
    // Exchange x and y for the half above, whose lid is seen from below.
    const bool up = side_ > 0;
    const Four x = xyz(solid_->turn().r[0]), y = xyz(solid_->turn().r[1]), z = xyz(solid_->turn().r[2]);
    lid_->for_loops([&](const Vec2* corners, size_t count) {
        const size_t first = corners_.size();
        for (size_t i = 0; i < count; ++i)
            corners_.push_back(up ? Vec2{corners[count - 1 - i].y, corners[count - 1 - i].x} : corners[i]);
        cut_.push_back({up ? -z : z, up ? y : x, up ? x : y, 0, first, count, false});
    });
}

/// Updates the nearest point. Returns true if the foot lies in the face; then no other face is nearer.
bool BallInSolid::Nearest::try_face(const Four& n, double above, const Four& u, const Four& v, const Vec2* corners,
                                    size_t count) {
    bool in_face = true;
    Vec2 a = corners[count - 1];
    for (size_t i = 0; i < count; ++i) {
        const Vec2 b = corners[i], edge = b - a;
        if (cross(edge, -a) < 0) {  // the foot is beyond this edge
            in_face = false;
            const double along = -dot(edge, a), all = dot(edge, edge),
                         t = along <= 0 || all <= 0 ? 0
                             : along >= all         ? 1
                                                    : along / all;
            const Vec2 p = a + t * edge;
            const double d2 = dot(p, p) + above * above;
            if (d2 < distance2) distance2 = d2, at = p.x * u + p.y * v - above * n, found = true;
        }
        a = b;
    }
    if (in_face) distance2 = above * above, normal = n, found = on_face = true;
    return in_face;
}

/// The direction from the centre to the nearest point of the solid. Returns false if that point is outside the ball.
bool BallInSolid::find_pole(Vec3& u) const {
    if (inside_) {
        u = side_ * solid_->axis_in_solid();
        return true;
    }
    Nearest nearest{radius_ * radius_};
    for (const CutFace& face : cut_) {
        if (!(face.height < 0) || face.height * face.height >= nearest.distance2) continue;
        if (nearest.try_face(face.normal, -face.height, face.u, face.v, corners_.data() + face.first, face.count)) break;
    }
    const FaceTable& t = solid_->table();
    for (size_t block = 0; block < whole_.size() && !nearest.on_face; ++block)
        for (unsigned left = whole_[block]; left && !nearest.on_face; left &= left - 1) {
            const FaceTable::Face& face = t.faces[4 * block + static_cast<size_t>(__builtin_ctz(left))];
            const Four d = face.centroid - xyz(centre_);
            const double height = dot(face.normal, d);
            if (!(height < 0) || height * height >= nearest.distance2) continue;
            const Vec2 middle{dot(face.u, d), dot(face.v, d)};
            flat_.clear();
            for (int i = 0; i < face.count; ++i) flat_.push_back(middle + t.in_face[static_cast<size_t>(face.first + i)]);
            nearest.try_face(face.normal, -height, face.u, face.v, flat_.data(), flat_.size());
        }
    if (!nearest.found) return false;
    const double gap = std::sqrt(nearest.distance2);
    u = nearest.on_face        ? -first_three(nearest.normal)
        : gap > 1e-9 * radius_ ? first_three(nearest.at) / gap
                               : solid_->axis_in_solid() * side_;
    return true;
}

/// Adds cones from the pole over the faces that lie wholly inside.
void BallInSolid::add_whole(const Vec3& pole, Moments& volume, AreaMoments& surface) const {
    const FaceTable& t = solid_->table();
    const double *nx = t[FaceTable::kNormalX], *ny = t[FaceTable::kNormalY], *nz = t[FaceTable::kNormalZ],
                 *cx = t[FaceTable::kCentroidX], *cy = t[FaceTable::kCentroidY], *cz = t[FaceTable::kCentroidZ];
    const double *areas = t[FaceTable::kArea], *xx = t[FaceTable::kXX], *yy = t[FaceTable::kYY], *zz = t[FaceTable::kZZ],
                 *yz = t[FaceTable::kYZ], *zx = t[FaceTable::kZX], *xy = t[FaceTable::kXY];
    const Vec3 about = centre_ + pole;
    const Four px = all_four(about.x), py = all_four(about.y), pz = all_four(about.z);
    Four v{}, x{}, y{}, z{}, sxx{}, syy{}, szz{}, syz{}, szx{}, sxy{}, ax{}, ay{}, az{}, tx{}, ty{}, tz{};
    bool any = false;
    for (size_t block = 0; block < whole_.size(); ++block) {
        if (!whole_[block]) continue;
        any = true;
        const size_t f = 4 * block;
        const auto flag = [&](unsigned lane) { return whole_[block] >> lane & 1 ? 1.0 : 0.0; };
        const Four counts{flag(0), flag(1), flag(2), flag(3)};
        const Four dx = four(cx + f) - px, dy = four(cy + f) - py, dz = four(cz + f) - pz, n1 = four(nx + f),
                   n2 = four(ny + f), n3 = four(nz + f);
        // Unused lanes hold finite values, so their product with zero is zero.
        const Four area = counts * four(areas + f), distance = counts * (n1 * dx + n2 * dy + n3 * dz), w = distance * area;
        v += w;
        x += w * dx, y += w * dy, z += w * dz;
        sxx += distance * four(xx + f) + w * dx * dx;
        syy += distance * four(yy + f) + w * dy * dy;
        szz += distance * four(zz + f) + w * dz * dz;
        syz += distance * four(yz + f) + w * dy * dz;
        szx += distance * four(zx + f) + w * dz * dx;
        sxy += distance * four(xy + f) + w * dx * dy;
        const Four a1 = area * n1, a2 = area * n2, a3 = area * n3;
        ax += a1, ay += a2, az += a3;
        tx += dy * a3 - dz * a2, ty += dz * a1 - dx * a3, tz += dx * a2 - dy * a1;
    }
    if (!any) return;
    volume.volume += sum_of(v) / 3;
    volume.first += 0.25 * Vec3{sum_of(x), sum_of(y), sum_of(z)};
    volume.squares += 0.2 * Vec3{sum_of(sxx), sum_of(syy), sum_of(szz)};
    volume.products += 0.2 * Vec3{sum_of(syz), sum_of(szx), sum_of(sxy)};
    surface.area -= {sum_of(ax), sum_of(ay), sum_of(az)};
    surface.turning -= {sum_of(tx), sum_of(ty), sum_of(tz)};
}

void BallInSolid::sum(const Vec3& up, RoundOverlap& out) {
    const Vec3 pole = radius_ * up;
    Moments volume;
    AreaMoments surface;
    add_whole(pole, volume, surface);
    Fans fans(radius_);
    const Vec3 fan_x = any_tangent(up), fan_y = cross(up, fan_x);
    const FourColumns to_fans(Mat3{{fan_x, fan_y, -up}}), &turn = solid_->turn_columns();
    const Four up4 = xyz(up), pole4 = xyz(pole), level{0, 0, z_, 0};
    double cones = 0;
    Four first{}, squares{}, products{}, area{}, turning{};
    for (const CutFace& face : cut_) {
        const Four &u = face.u, &v = face.v, foot = face.height * face.normal;
        BallFace sink{fans,
                      out.points,
                      {turn * foot + level, turn * u, turn * v},
                      {to_fans * (foot - pole4), to_fans * u, to_fans * v},
                      face.own};
        DiscRegion<false, BallFace> region(std::sqrt((radius_ - face.height) * (radius_ + face.height)), sink);
        if (!region.share(corners_.data() + face.first, static_cast<int>(face.count))) continue;
        // Moments of the region about the pole, and of the cone from the pole over it.
        const PlaneMoments& m = region.moments();
        const double xx = m.xx(), xy = m.xy(), yy = m.yy(), distance = face.height - radius_ * dot(face.normal, up4);
        const Four at = foot - pole4 + region.origin().x * u + region.origin().y * v, u1 = yzx(u), u2 = zxy(u), v1 = yzx(v),
                   v2 = zxy(v), at1 = yzx(at), at2 = zxy(at);
        const Four flat = m.first.x * u + m.first.y * v, all = flat + m.area * at;
        cones += distance * m.area;
        first += distance * all;
        squares += distance * (xx * u * u + yy * v * v + 2 * xy * u * v + at * (flat + all));
        products += distance * (xx * u1 * u2 + yy * v1 * v2 + xy * (u1 * v2 + v1 * u2) + at1 * zxy(all) + at2 * yzx(flat));
        area += m.area * face.normal;
        turning += cross(all, face.normal);
    }
    volume.add({cones / 3, 0.25 * first_three(first), 0.2 * first_three(squares), 0.2 * first_three(products)});
    surface.area -= first_three(area);
    surface.turning -= first_three(turning);
    fans.add_to(volume, fan_x, fan_y, up);
    const Mat3& to_round = solid_->turn();
    out.add(volume.turned_by(to_round), {to_round * surface.area, to_round * surface.turning},
            to_round * pole + Vec3{0, 0, z_});
}

}  // namespace

void add_ball(const FacedSolid& solid, double z, double radius, const Lid* lid, double side, RoundOverlap& out) {
    thread_local BallInSolid ball;
    ball.set(solid, z, radius, lid, side);
    if (!ball.sort_faces()) return;
    Vec3 up;
    if (!ball.find_pole(up)) return;
    if (lid) ball.take_lid();
    ball.sum(up, out);
}

}  // namespace asperity::geometry::detail
