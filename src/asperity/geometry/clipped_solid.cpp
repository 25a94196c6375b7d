// Cutting a convex solid by planes; see clipped_solid.h.
#include "asperity/geometry/detail/clipped_solid.h"

#include <cmath>
#include <limits>

#include "asperity/geometry/detail/four.h"

namespace asperity::geometry::detail {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kRounding = 1e-15;  // of the coordinates: how far a corner may be off a plane that it lies in

double sum_of_coordinates(const Vec3& p) { return std::fabs(p.x) + std::fabs(p.y) + std::fabs(p.z); }

/// Where an edge meets the plane that its ends have the heights `from` <= `to` over; a corner in the plane stays where it is.
Vec3 on_edge(const Vec3& low, const Vec3& high, double from, double to) { return from < 0 ? low + from / (from - to) * (high - low) : low; }

}  // namespace

void ClippedSolid::clear() {
    places_ = 0;
    free_corners_.clear();
    halves_.clear();
    free_halves_.clear();
    sides_.clear();
}

int ClippedSolid::add_corner(const Vec3& p) {
    size_t i = places_;
    if (!free_corners_.empty()) {
        i = static_cast<size_t>(free_corners_.back());
        free_corners_.pop_back();
    } else {
        if (i == x_.size())
            for (std::vector<double>* v : {&x_, &y_, &z_, &height_}) v->resize(2 * i + 16);
        if (leaving_.size() < x_.size()) leaving_.resize(x_.size()), opened_.resize(x_.size());
        if (i % 4 == 0) four(&x_[i]) = all_four(kNone);
        ++places_;
    }
    x_[i] = p.x, y_[i] = p.y, z_[i] = p.z;
    height_[i] = 0;
    return static_cast<int>(i);
}

int ClippedSolid::add_half(const Half& half) {
    if (free_halves_.empty()) {
        halves_.push_back(half);
        return static_cast<int>(halves_.size()) - 1;
    }
    const int i = free_halves_.back();
    free_halves_.pop_back();
    halves_[static_cast<size_t>(i)] = half;
    return i;
}

bool ClippedSolid::load(const PolyhedronView& polyhedron, const Vec3& normal, double offset) {
    clear();
    const size_t corner_count = static_cast<size_t>(polyhedron.vertex_count);
    const Vec3* corners = polyhedron.vertices;
    place_.resize(corner_count);
    above_height_.resize(corner_count);
    size_ = 0;
    double lowest = 1e300;
    for (size_t i = 0; i < corner_count; ++i) {
        above_height_[i] = dot(normal, corners[i]) - offset;
        lowest = smaller(lowest, above_height_[i]);
        size_ = larger(size_, sum_of_coordinates(corners[i]));
    }
    on_plane_ = kRounding * (size_ + std::fabs(offset));
    if (!(lowest < -on_plane_)) return false;
    for (size_t i = 0; i < corner_count; ++i) place_[i] = above_height_[i] > on_plane_ ? -1 : add_corner(corners[i]);

    // The halves that have an end which is kept, of the faces that have one. Where a face goes above the plane, the half that comes back follows the one that leaves.
    const Polyhedron::Face& last = polyhedron.faces[polyhedron.face_count - 1];
    number_.resize(static_cast<size_t>(last.first + last.count));
    from_loop_.clear();
    crossing_.clear();
    for (int f = 0; f < polyhedron.face_count; ++f) {
        const Polyhedron::Face& face = polyhedron.faces[f];
        const int* loop = polyhedron.loop + face.first;
        int gone = -1;  // stays negative where all corners are above the plane
        for (int i = 0; i < face.count; ++i) gone &= place_[static_cast<size_t>(loop[i])];
        if (gone < 0) continue;
        const int first = static_cast<int>(halves_.size()), side = static_cast<int>(sides_.size());
        int here = place_[static_cast<size_t>(loop[0])];
        for (int i = 0; i < face.count; ++i) {
            const int end = loop[i + 1 < face.count ? i + 1 : 0], next = place_[static_cast<size_t>(end)];
            if (here >= 0 || next >= 0) {
                const int half = static_cast<int>(halves_.size());
                int corner = here;
                if (here < 0) {
                    corner = add_corner(on_edge(corners[end], corners[loop[i]], above_height_[static_cast<size_t>(end)], above_height_[static_cast<size_t>(loop[i])]));
                    crossing_.push_back(half);
                }
                leaving_[static_cast<size_t>(corner)] = half;
                number_[static_cast<size_t>(face.first + i)] = half;
                from_loop_.push_back(face.first + i);
                halves_.push_back({corner, half + 1, -1, side});
            }
            here = next;
        }
        halves_.back().next = first;
        sides_.push_back({{face.normal, face.offset}, first, false});
    }
    for (size_t i = 0; i < from_loop_.size(); ++i) halves_[i].twin = number_[static_cast<size_t>(polyhedron.opposite[from_loop_[i]])];
    join_along({normal, offset});
    return true;
}

bool ClippedSolid::load(const ClippedSolid& whole, const Vec3& normal, double offset) {
    places_ = whole.places_;
    x_ = whole.x_, y_ = whole.y_, z_ = whole.z_;
    height_.resize(x_.size());
    leaving_ = whole.leaving_;
    opened_.resize(leaving_.size());
    free_corners_ = whole.free_corners_;
    halves_ = whole.halves_;
    free_halves_ = whole.free_halves_;
    sides_ = whole.sides_;
    size_ = whole.size_;
    return cut(normal, offset);
}

bool ClippedSolid::cut(const Vec3& normal, double offset) {
    on_plane_ = kRounding * (size_ + std::fabs(offset));
    const Four nx = all_four(normal.x), ny = all_four(normal.y), nz = all_four(normal.z), d = all_four(offset), limit = all_four(on_plane_);
    FourFlags above{}, below{};
    for (size_t i = 0; i < places_; i += 4) {
        const Four height = nx * four(&x_[i]) + ny * four(&y_[i]) + nz * four(&z_[i]) - d;
        four(&height_[i]) = height;
        above |= height > limit;
        below |= height < -limit;
    }
    if (!any(above)) return true;
    if (!any(below)) {
        clear();
        return false;
    }
    above_.clear();
    for (size_t i = 0; i < places_; ++i)
        if (height_[i] > on_plane_) above_.push_back(static_cast<int>(i));
    // Round each corner that goes: halves to another one go as well, those that come back start where the edge is cut.
    gone_.clear();
    crossing_.clear();
    for (const int u : above_) {
        const int start = leaving_[static_cast<size_t>(u)];
        int e = start;
        do {
            Half& half = halves_[static_cast<size_t>(e)];
            const Half& twin = halves_[static_cast<size_t>(half.twin)];
            const int w = twin.corner;
            sides_[static_cast<size_t>(half.side)].half = -1;  // unless it is joined
            const double from = height_[static_cast<size_t>(w)];
            if (from > on_plane_) {
                gone_.push_back(e);
            } else {
                half.corner = add_corner(on_edge(corner(w), corner(u), from, height_[static_cast<size_t>(u)]));
                leaving_[static_cast<size_t>(half.corner)] = e;
                crossing_.push_back(e);
            }
            e = twin.next;
        } while (e != start);
    }
    join_along({normal, offset});
    free_halves_.insert(free_halves_.end(), gone_.begin(), gone_.end());
    free_corners_.insert(free_corners_.end(), above_.begin(), above_.end());
    for (const int u : above_) x_[static_cast<size_t>(u)] = kNone;
    return true;
}

void ClippedSolid::join_along(const FacePlane& plane) {
    openings_.clear();
    for (const int e : crossing_) {
        const auto [p, next, t, other] = halves_[static_cast<size_t>(e)];
        const int side = halves_[static_cast<size_t>(t)].side;
        int back = halves_[static_cast<size_t>(t)].next;
        while (height_[static_cast<size_t>(halves_[static_cast<size_t>(back)].corner)] > on_plane_) back = halves_[static_cast<size_t>(back)].next;
        const int q = halves_[static_cast<size_t>(back)].corner;
        const int along = add_half({p, back, -1, side}), opening = add_half({q, -1, along, -1});
        halves_[static_cast<size_t>(along)].twin = opening;
        halves_[static_cast<size_t>(t)].next = along;
        sides_[static_cast<size_t>(side)].half = along;
        opened_[static_cast<size_t>(q)] = opening;
        openings_.push_back(opening);
    }
    for (const int i : openings_) {
        Half& opening = halves_[static_cast<size_t>(i)];
        opening.next = opened_[static_cast<size_t>(halves_[static_cast<size_t>(opening.twin)].corner)];
    }
    for (const int start : openings_) {  // one face; rounding may leave several
        if (halves_[static_cast<size_t>(start)].side >= 0) continue;
        const int side = static_cast<int>(sides_.size());
        for (int i = start; halves_[static_cast<size_t>(i)].side < 0; i = halves_[static_cast<size_t>(i)].next) halves_[static_cast<size_t>(i)].side = side;
        sides_.push_back({plane, start, true});
    }
}

void ClippedSolid::move(const Mat3& turn, const Vec3& shift) {
    size_ = 0;
    for (size_t i = 0; i < places_; ++i) {
        const Vec3 p = turn * Vec3{x_[i], y_[i], z_[i]} + shift;
        x_[i] = p.x, y_[i] = p.y, z_[i] = p.z;
        size_ = larger(sum_of_coordinates(p), size_);  // free places do not count
    }
    for (Side& side : sides_) {
        side.plane.normal = turn * side.plane.normal;
        side.plane.offset += dot(side.plane.normal, shift);
    }
}

void ClippedSolid::list(SolidFaces& out) {
    place_.resize(places_);
    out.corners.clear();
    for (size_t i = 0; i < places_; ++i) {
        place_[i] = static_cast<int>(out.corners.size());
        if (x_[i] == x_[i]) out.corners.push_back({x_[i], y_[i], z_[i]});
    }
    out.loop.clear();
    out.faces.clear();
    for (const Side& side : sides_) {
        if (side.half < 0) continue;
        const int first = static_cast<int>(out.loop.size());
        int i = side.half;
        do {
            const Half& half = halves_[static_cast<size_t>(i)];
            out.loop.push_back(place_[static_cast<size_t>(half.corner)]);
            i = half.next;
        } while (i != side.half);
        out.faces.push_back({side.plane, first, static_cast<int>(out.loop.size()) - first, side.second});
    }
}

}  // namespace asperity::geometry::detail
