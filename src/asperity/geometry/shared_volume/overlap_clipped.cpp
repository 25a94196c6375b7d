// Boxes, hulls and half-spaces: the planes of one body clip the other, and the remaining solid is integrated over its faces.
// Two hulls go to CrossedSolids first, which is faster, and are clipped only if its result is doubtful.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "asperity/geometry/hull/detail/face_table.h"
#include "asperity/geometry/shared_volume/detail/clipped_solid.h"
#include "asperity/geometry/shared_volume/detail/crossed_solids.h"
#include "asperity/geometry/shared_volume/detail/overlap_parts.h"

namespace asperity::geometry::detail {
namespace {

/// Kept from call to call to avoid allocation.
struct Scratch {
    ClippedSolid solid;
    CrossedSolids crossed;
    FaceTable box_table;
    std::vector<double> above;  // per candidate plane: how much of the body it may cut off
    std::vector<size_t> face, sorted;
};
Scratch& scratch() {
    thread_local Scratch s;
    return s;
}

/// The planes of a body in its own axes; a half-space has one.
struct Planes {
    explicit Planes(const FaceTable* t) {
        static const std::array<double, 4> none{}, up{1, 0, 0, 0}, offsets{0, 1e300, 1e300, 1e300};
        if (t)
            rows = t->rows, x = (*t)[FaceTable::kNormalX], y = (*t)[FaceTable::kNormalY], z = (*t)[FaceTable::kNormalZ],
            offset = (*t)[FaceTable::kOffset];
        else
            rows = 4, x = y = none.data(), z = up.data(), offset = offsets.data();
    }
    size_t rows;
    const double *x, *y, *z, *offset;
    Vec3 normal(size_t f) const { return {x[f], y[f], z[f]}; }
    Four along(size_t f, const Vec3& p) const { return four(x + f) * p.x + four(y + f) * p.y + four(z + f) * p.z; }
};

// A body with more vertices is represented by its middle. The choice of the first plane affects only the run time.
constexpr int kFewCorners = 8;

/// Finds the plane that the body (or its middle, if it has many vertices) stands highest above. Returns false if the whole
/// body is above that plane.
bool first_plane(const PolyhedronView& p, const Mat3& turn, const Vec3& at, const Planes& planes, double grow,
                 size_t& first) {
    const bool few = p.vertex_count <= kFewCorners;
    std::array<Vec3, kFewCorners> corners;  // in the axes of the planes
    for (int i = 0; few && i < p.vertex_count; ++i) corners[static_cast<size_t>(i)] = at + turn * p.vertices[i];
    Vec3 sum;
    for (int i = 0; !few && i < p.vertex_count; ++i) sum += p.vertices[i];
    const Vec3 middle = at + turn * (sum / p.vertex_count);
    Four highest = all_four(-1e300), faces{}, number{0, 1, 2, 3};
    for (size_t f = 0; f < planes.rows; f += 4) {
        Four lowest = few ? all_four(1e300) : planes.along(f, middle);
        for (int i = 0; few && i < p.vertex_count; ++i)
            lowest = smaller_of(planes.along(f, corners[static_cast<size_t>(i)]), lowest);
        const Four above = lowest - four(planes.offset + f) - grow;
        const FourFlags higher = above > highest;
        highest = higher ? above : highest;
        faces = higher ? number : faces;
        number += 4;
    }
    double farthest = -1e300;
    for (int lane = 0; lane < 4; ++lane)
        if (highest[lane] > farthest) farthest = highest[lane], first = static_cast<size_t>(faces[lane]);
    return !few || farthest < 0;
}

/// One body and the planes that cut it, offset outwards by `grow`. `turn` and `at` map the body's axes to those of the
/// planes.
struct ClipTask {
    const PolyhedronView& body;
    const Pose& pose;
    const FaceTable* cutter;  // null: a half-space
    Mat3 turn;
    Vec3 at;
    double grow;
};

/// Sets totals, normal and outermost points of a solid given in the body's axes, for A = body, B = cutter.
template <class Solid, class ForCorners>
void describe(const ClipTask& m, const Solid& solid, const Vec3& origin, const ForCorners& for_corners, Overlap& out) {
    Moments volume;
    AreaMoments surface;
    solid.integrate(origin, volume, surface);
    const double size = length(m.body.vertices[1] - m.body.vertices[0]);
    if (!counts(volume.volume, surface.area, size * size * size)) return;
    out.method = Overlap::Method::Clipped;
    set_totals(volume, surface, m.pose, origin, out);
    out.grown_b = m.grow;
    OverlapPart& part = whole(out);
    // The volume does not change with sliding along a half-space, so the gradient is along its normal.
    part.normal = m.cutter ? contact_normal(out.second_moment, out.gradient) : normalized(-out.gradient);
    OutermostPoints points(rotate_inverse(m.pose.orientation, part.normal), origin + volume.centre());
    for_corners([&](const Vec3& p) { points.add(p); });
    points.write(m.pose, part);
}

void cut(const ClipTask& m, Overlap& out) {
    Scratch& s = scratch();
    ClippedSolid& solid = s.solid;
    const auto& [body, pose, cutter, turn, at, grow] = m;
    const Planes planes(cutter);
    const Mat3 back = transposed(turn);
    const auto plane_in_body = [&](size_t f) {
        const Vec3 n = planes.normal(f);
        return FacePlane{back * n, planes.offset[f] + grow - dot(n, at)};
    };
    // The plane that cuts off most comes first, to leave little for the others. If it cuts off everything, the bodies are
    // apart.
    size_t first = 0;
    if (!first_plane(body, turn, at, planes, grow, first)) return;
    const FacePlane opening = plane_in_body(first);
    if (!solid.load(body, opening.normal, opening.offset)) return;
    // Planes beyond the bounding box (in their axes) or the bounding ball of the remaining solid cut nothing.
    Vec3 low{1e300, 1e300, 1e300}, high = -low;
    solid.for_corners([&](const Vec3& p) {
        const Vec3 q = at + turn * p;
        low = min(low, q);
        high = max(high, q);
    });
    const Vec3 middle = 0.5 * (low + high), half = 0.5 * (high - low);
    double ball2 = 0;
    const Vec3 middle_in_body = back * (middle - at);
    solid.for_corners([&](const Vec3& p) { ball2 = larger(ball2, length_squared(p - middle_in_body)); });
    const Four ball = all_four(std::sqrt(ball2));
    for (std::vector<size_t>* list : {&s.face, &s.sorted}) list->resize(std::max(list->size(), planes.rows));
    s.above.resize(std::max(s.above.size(), planes.rows));
    size_t count = 0;
    double highest = 0;
    for (size_t f = 0; f < planes.rows; f += 4) {
        const Four n1 = four(planes.x + f), n2 = four(planes.y + f), n3 = four(planes.z + f);
        const Four reach =
            smaller_of(larger_of(n1, -n1) * half.x + larger_of(n2, -n2) * half.y + larger_of(n3, -n3) * half.z, ball);
        const Four above = n1 * middle.x + n2 * middle.y + n3 * middle.z + reach - four(planes.offset + f) - grow;
        for (int cuts = bits(above > all_four(0)); cuts; cuts &= cuts - 1) {
            const size_t lane = static_cast<size_t>(__builtin_ctz(static_cast<unsigned>(cuts)));
            if (f + lane == first) continue;
            s.above[count] = above[lane];
            s.face[count++] = f + lane;
            highest = larger(highest, above[lane]);
        }
    }
    // Planes that may cut off most come first. The sort is coarse, because the order affects only the run time.
    constexpr int kClasses = 16;
    std::array<int, kClasses + 1> begin{};
    const double scale = highest > 0 ? (kClasses - 1e-3) / highest : 0;
    const auto class_of = [&](size_t i) { return static_cast<size_t>(kClasses - 1 - static_cast<int>(scale * s.above[i])); };
    for (size_t i = 0; i < count; ++i) ++begin[class_of(i) + 1];
    for (size_t k = 1; k < kClasses; ++k) begin[k] += begin[k - 1];
    for (size_t i = 0; i < count; ++i) s.sorted[static_cast<size_t>(begin[class_of(i)]++)] = s.face[i];
    for (size_t i = 0; i < count; ++i) {
        const FacePlane plane = plane_in_body(s.sorted[i]);
        if (!solid.cut(plane.normal, plane.offset)) return;
    }

    describe(
        m, solid, solid.any_corner(), [&](const auto& f) { solid.for_corners(f); }, out);
}

/// Overlap of `body` with `cutter`, whose planes are offset by 2 skin; a null cutter is a half-space.
void meet(const PolyhedronView& body, const Pose& pose, const FaceTable* cutter, const Pose& cutter_pose, double skin,
          Overlap& out) {
    const ClipTask m{body,
                     pose,
                     cutter,
                     matrix(conjugate(cutter_pose.orientation) * pose.orientation),
                     cutter_pose.to_local(pose.position),
                     2 * skin};
    if (body.table && cutter && cutter->grown.limit >= 0) {  // two hulls
        CrossedSolids& crossed = scratch().crossed;
        const CrossedSolids::Found found = crossed.meet(*body.table, *cutter, m.turn, m.at, m.grow);
        if (found == CrossedSolids::Found::Shared)
            describe(
                m, crossed, crossed.corner(0),
                [&](const auto& f) {
                    for (size_t i = 0; i < crossed.corner_count(); ++i) f(crossed.corner(i));
                },
                out);
        if (found != CrossedSolids::Found::Unsure) return;
    }
    cut(m, out);
}

}  // namespace

void overlap_clipped(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double skin, Overlap& out) {
    std::optional<PlainPolyhedron> form_a, form_b;
    if (!std::holds_alternative<HalfSpace>(a)) form_a.emplace(a);
    if (!std::holds_alternative<HalfSpace>(b)) form_b.emplace(b);
    const auto table_of = [](const std::optional<PlainPolyhedron>& form) -> const FaceTable* {
        if (!form) return nullptr;
        if ((*form)->table) return (*form)->table;
        scratch().box_table.set_box(**form);
        return &scratch().box_table;
    };
    // Clipping many faces by few planes is cheaper than the reverse.
    if (!form_b || (form_a && (*form_b)->face_count <= (*form_a)->face_count)) {
        meet(**form_a, pose_a, table_of(form_b), pose_b, skin, out);
    } else {
        meet(**form_b, pose_b, table_of(form_a), pose_a, skin, out);
        exchange(out);
    }
}

}  // namespace asperity::geometry::detail
