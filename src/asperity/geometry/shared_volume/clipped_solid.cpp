// Clipping a convex solid by planes; see clipped_solid.h.
#include "asperity/geometry/shared_volume/detail/clipped_solid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/geometry/common/detail/four.h"

namespace asperity::geometry::detail {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kRounding = 1e-15;  // of the coordinates: distance from a plane within which a vertex lies in it

double sum_of_coordinates(const Vec3& p) { return std::fabs(p.x) + std::fabs(p.y) + std::fabs(p.z); }

/// The point where an edge crosses the plane; `from` <= `to` are the heights of its ends. A vertex in the plane is returned
/// unchanged.
Vec3 on_edge(const Vec3& low, const Vec3& high, double from, double to) {
    return from < 0 ? low + from / (from - to) * (high - low) : low;
}

}  // namespace

void ClippedSolid::clear() {
    slot_count_ = half_count_ = free_corner_count_ = 0;
    sides_.clear();
}

void ClippedSolid::make_room(size_t corners, size_t halves) {
    if (slot_count_ + corners > leaving_.size()) {
        const size_t size = (2 * (slot_count_ + corners) + 15) / 4 * 4;
        for (std::vector<double>* v : {&x_, &y_, &z_, &height_}) v->resize(size);
        for (std::vector<int>* v : {&leaving_, &opened_, &free_corners_, &above_}) v->resize(size);
    }
    if (half_count_ + halves > halves_.size()) {
        const size_t size = 2 * (half_count_ + halves);
        halves_.resize(size);
        crossing_.resize(size);
    }
}

inline int ClippedSolid::add_corner(const Vec3& p) {
    size_t i = slot_count_;
    if (free_corner_count_ > 0) {
        i = static_cast<size_t>(free_corners_[--free_corner_count_]);
    } else {
        if (i % 4 == 0) four(&x_[i]) = all_four(kNone);
        ++slot_count_;
    }
    x_[i] = p.x, y_[i] = p.y, z_[i] = p.z;
    height_[i] = -1e300;
    opened_[i] = 0;
    return static_cast<int>(i);
}

bool ClippedSolid::load(const PolyhedronView& polyhedron, const Vec3& normal, double offset) {
    clear();
    const size_t corner_count = static_cast<size_t>(polyhedron.vertex_count),
                 all = 2 * static_cast<size_t>(polyhedron.edge_count);
    const Vec3* corners = polyhedron.vertices;
    const Polyhedron::Half* given = polyhedron.halves;
    make_room(corner_count + all, 3 * all);
    slot_of_.resize(corner_count);
    given_height_.resize(corner_count);
    double lowest = 1e300;
    size_ = 0;
    for (size_t i = 0; i < corner_count; ++i) {
        given_height_[i] = dot(normal, corners[i]) - offset;
        lowest = smaller(lowest, given_height_[i]);
        size_ = larger(size_, sum_of_coordinates(corners[i]));
    }
    const double on_plane = kRounding * (size_ + std::fabs(offset));
    if (!(lowest < -on_plane)) return false;
    limit_ = 0;
    for (size_t i = 0; i < corner_count; ++i) slot_of_[i] = given_height_[i] > on_plane ? -1 : add_corner(corners[i]);

    // Visits each kept vertex: adds the half-edges that leave it, and those that return to it from above the plane.
    number_.assign(all, -1);
    side_of_.assign(static_cast<size_t>(polyhedron.face_count), -1);
    given_.resize(all);
    crossing_count_ = 0;
    Half* halves = halves_.data();
    const auto add = [&](int e, int corner) {
        const int number = static_cast<int>(half_count_++), face = given[e].face;
        int& side = side_of_[static_cast<size_t>(face)];
        if (side < 0) {
            side = static_cast<int>(sides_.size());
            sides_.push_back({{polyhedron.faces[face].normal, polyhedron.faces[face].offset}, number, false});
        }
        halves[number] = {corner, -1, -1, side};
        leaving_[static_cast<size_t>(corner)] = number;
        number_[static_cast<size_t>(e)] = number;
        given_[static_cast<size_t>(number)] = e;
        return number;
    };
    for (size_t v = 0; v < corner_count; ++v) {
        const int here = slot_of_[v], start = polyhedron.leaving[v];
        if (here < 0) continue;
        int e = start;
        do {
            const int back = given[e].twin, end = given[back].from;
            add(e, here);
            if (slot_of_[static_cast<size_t>(end)] < 0)
                crossing_[crossing_count_++] = add(back, add_corner(on_edge(corners[v], corners[end], given_height_[v],
                                                                            given_height_[static_cast<size_t>(end)])));
            e = given[back].next;
        } while (e != start);
    }
    // If a face rises above the plane, the half-edge that returns follows the one that leaves.
    for (size_t i = 0; i < half_count_; ++i) {
        const Polyhedron::Half& half = given[given_[i]];
        int next = half.next;
        while (number_[static_cast<size_t>(next)] < 0) next = given[next].next;
        halves[i].next = number_[static_cast<size_t>(next)];
        halves[i].twin = number_[static_cast<size_t>(half.twin)];
    }
    join_along({normal, offset});
    return true;
}

bool ClippedSolid::cut(const Vec3& normal, double offset) {
    const double on_plane = kRounding * (size_ + std::fabs(offset));
    limit_ = offset + on_plane;
    const Four nx = all_four(normal.x), ny = all_four(normal.y), nz = all_four(normal.z);
    Four highest = all_four(-1e300);
    const size_t places = slot_count_;
    double *x = x_.data(), *y = y_.data(), *z = z_.data(), *height = height_.data();
    for (size_t i = 0; i < places; i += 4) {
        const Four along = nx * four(x + i) + ny * four(y + i) + nz * four(z + i);
        four(height + i) = along;
        highest = larger_of(along, highest);
    }
    if (!bits(highest > all_four(limit_))) return true;
    make_room(half_count_, 2 * half_count_);
    x = x_.data(), y = y_.data(), z = z_.data(), height = height_.data();
    size_t above_count = 0;
    Four lowest = all_four(1e300);
    const Four high = all_four(limit_);
    for (size_t i = 0; i < places; i += 4) {
        const Four along = four(height + i);
        lowest = smaller_of(along, lowest);
        for (int above = bits(along > high); above; above &= above - 1)
            above_[above_count++] = static_cast<int>(i) + __builtin_ctz(static_cast<unsigned>(above));
    }
    if (!bits(lowest < all_four(offset - on_plane))) {
        clear();
        return false;
    }
    // Visits each removed vertex: half-edges that return will start at the cut. Half-edges between two removed vertices stay
    // in memory but are no longer reachable.
    size_t crossing_count = 0;
    Half* halves = halves_.data();
    Side* sides = sides_.data();
    int* crossing = crossing_.data();
    const double limit = limit_;
    for (size_t i = 0; i < above_count; ++i) {
        const int start = leaving_[static_cast<size_t>(above_[i])];
        int e = start;
        do {
            const Half &half = halves[e], &twin = halves[half.twin];
            sides[half.side].half = -1;  // unless join_along() connects it
            crossing[crossing_count] = e;
            crossing_count += !(height[twin.corner] > limit);  // branchless: either outcome is equally likely
            e = twin.next;
        } while (e != start);
    }
    crossing_count_ = crossing_count;
    for (size_t i = 0; i < crossing_count; ++i) {
        Half& half = halves[crossing[i]];
        const int w = halves[half.twin].corner, u = half.corner;
        half.corner = add_corner(on_edge({x[w], y[w], z[w]}, {x[u], y[u], z[u]}, height[w] - offset, height[u] - offset));
        leaving_[static_cast<size_t>(half.corner)] = crossing[i];
    }
    join_along({normal, offset});
    for (size_t i = 0; i < above_count; ++i) {
        x[above_[i]] = kNone;
        free_corners_[free_corner_count_++] = above_[i];
    }
    return true;
}

void ClippedSolid::join_along(const FacePlane& plane) {
    Half* halves = halves_.data();
    const double* height = height_.data();
    const int* crossing = crossing_.data();
    int* opened = opened_.data();
    const double limit = limit_;
    int half_count = static_cast<int>(half_count_);
    for (size_t i = 0; i < crossing_count_; ++i) {  // normally one new face; rounding may produce several
        const int start = crossing[i];
        if (opened[halves[start].corner]) continue;
        // Goes from face to face by the returning half-edge of each, so the new face is built backwards.
        const int side = static_cast<int>(sides_.size());
        int e = start, first = -1, last = -1;
        do {
            const int p = halves[e].corner, t = halves[e].twin, beside = halves[t].side;
            opened[p] = 1;
            int back = halves[t].next;
            while (height[halves[back].corner] > limit) back = halves[back].next;
            const int opening = half_count, along = half_count + 1;
            half_count += 2;
            halves[opening] = {halves[back].corner, last, along, side};
            halves[along] = {p, back, opening, beside};
            halves[t].next = along;
            sides_[static_cast<size_t>(beside)].half = along;
            if (first < 0) first = opening;
            last = opening;
            e = back;
        } while (e != start);
        halves[first].next = last;
        sides_.push_back({plane, last, true});
    }
    half_count_ = static_cast<size_t>(half_count);
}

void ClippedSolid::list(SolidFaces& out) const {
    out.corners.resize(slot_count_);
    for (size_t i = 0; i < slot_count_; ++i) out.corners[i] = {x_[i], y_[i], z_[i]};
    out.loop.resize(half_count_);
    out.faces.resize(sides_.size());
    const Half* halves = halves_.data();
    int* loop = out.loop.data();
    SolidFaces::Face* face = out.faces.data();
    for (const Side& side : sides_) {
        if (side.half < 0) continue;
        const int* first = loop;
        int i = side.half;
        do {
            *loop++ = halves[i].corner;
            i = halves[i].next;
        } while (i != side.half);
        *face++ = {side.plane, static_cast<int>(first - out.loop.data()), static_cast<int>(loop - first), side.second};
    }
    out.faces.resize(static_cast<size_t>(face - out.faces.data()));
}

}  // namespace asperity::geometry::detail
