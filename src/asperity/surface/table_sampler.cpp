// Footprints on flat surfaces by table look-up. The region that both surfaces cover is a convex polygon; the slope table
// gives the averages over it.
#include <array>
#include <bit>
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/surface/local_faces.h"

namespace asperity::surface {
namespace {

constexpr int kParts = 4;  // look-ups along each edge of the covered region
constexpr Lanes kColumn = {0, 1, 2, 3, 0, 1, 2, 3}, kRow = {0, 0, 0, 0, 1, 1, 1, 1};  // of the parts in lanes: two rows
static_assert(2 * kParts == kLanes);
// Largest slope of a second face [-]. A steeper face leaves the box within a twentieth of the footprint, so it is neglected
// beside a flatter one.
constexpr double kSteepestSecondFace = 0.2;

using Region = geometry::FixedBuffer<Vec2, 48>;

/// Clips a convex polygon to the half-plane c + n.p >= 0.
void clip(Region& region, const Vec2& n, double c) {
    Region kept;
    const Vec2* p = &region[region.size() - 1];
    double at_p = region.empty() ? 0 : c + dot(n, *p);
    for (const Vec2& q : region) {
        const double at_q = c + dot(n, q);
        if ((at_p >= 0) != (at_q >= 0)) kept.push(*p + at_p / (at_p - at_q) * (q - *p));
        if (at_q >= 0) kept.push(q);
        p = &q, at_p = at_q;
    }
    region.clear();
    for (const Vec2& q : kept) region.push(q);
}

/// The one face under the footprint; the other faces and the limits clip the region. For a body that stands on an edge it is
/// the flatter face, a thin strip. Null where there are several.
const FootprintFace* clip_to_face(const FootprintSide& side, const FootprintFrame& frame, const FootprintRequest& request,
                                  LocalFaces& local, Region& region) {
    if (!local_faces(side, frame, request.width, request.depth, local)) return nullptr;
    const FootprintFace* face = nullptr;
    double least = 0;  // squared
    for (const FootprintFace& candidate : local.faces) {
        const double steep = candidate.height_x * candidate.height_x + candidate.height_y * candidate.height_y;
        if (face && least < kSteepestSecondFace * kSteepestSecondFace && steep < kSteepestSecondFace * kSteepestSecondFace)
            return nullptr;
        if (!face || steep < least) face = &candidate, least = steep;
    }
    if (local.faces.size() + local.limits.size() > 36) return nullptr;
    const double half = 0.5 * request.depth;
    const auto limit = [&](double nx, double ny, double c) {
        if (c - 0.5 * request.width * (std::fabs(nx) + std::fabs(ny)) < 0) clip(region, {nx, ny}, c);
    };
    limit(face->height_x, face->height_y, half + face->height);
    limit(-face->height_x, -face->height_y, half - face->height);
    for (const FootprintFace& other : local.faces)  // beyond the common edge the other face is lower
        if (&other != face)
            limit(other.height_x - face->height_x, other.height_y - face->height_y, other.height - face->height);
    for (const FootprintLimit& l : local.limits)
        limit(l.nx + l.nh * face->height_x, l.ny + l.nh * face->height_y, l.c + l.nh * face->height);
    return face;
}

/// The covered region, in kParts x kParts parts of its bounding rectangle.
struct Parts {
    Vec2 first, step;  // centre of the first part; step between centres
    double area = 0;
    unsigned which = 0;  // bit kParts j + i: the centre of part (i, j) is covered
    int count = 0;
};
/// Divides the region. If no centre is covered, the centroid of the region is the only part.
void divide(const Region& region, Parts& parts) {
    Vec2 low = region[0], high = region[0];
    double twice = 0;
    for (int i = 1; i < region.size(); ++i) {
        const Vec2& p = region[i];
        low = {smaller(low.x, p.x), smaller(low.y, p.y)};
        high = {larger(high.x, p.x), larger(high.y, p.y)};
        twice += cross(region[i - 1] - region[0], p - region[0]);
    }
    parts.step = {(high.x - low.x) / kParts, (high.y - low.y) / kParts};
    parts.first = low + 0.5 * parts.step;
    parts.area = 0.5 * twice;
    parts.which = (1U << (kParts * kParts)) - 1;
    if (parts.area <= (1 - 1e-9) * (high.x - low.x) * (high.y - low.y))
        for (int k = 0; k < region.size(); ++k) {  // two rows of centres at a time
            const Vec2 &p = region[k], &q = region[k + 1 < region.size() ? k + 1 : 0], side = q - p;
            const auto along = [](double x) { return all_lanes(static_cast<float>(x)); };
            const Lanes up = along(side.x * parts.step.y),
                        low_rows = along(cross(side, parts.first - p)) - along(side.y * parts.step.x) * kColumn + up * kRow;
            parts.which &= ~(bits_of(low_rows < 0) | bits_of(low_rows + 2 * up < 0) << kLanes);
        }
    parts.count = std::popcount(parts.which);
    if (parts.count > 0) return;
    Vec2 centroid;
    for (int i = 1; i + 1 < region.size(); ++i) {
        const Vec2 &p = region[i], &q = region[i + 1];
        centroid = centroid + cross(p - region[0], q - region[0]) / 3 * (p + q + region[0]);
    }
    parts.first = centroid / twice;
    parts.which = 1;
    parts.count = 1;
}

/// <max(0, sign g.d_k)> of one side, averaged over the parts.
void look_up(const FootprintFace& face, const Parts& parts, double sign, std::span<const Vec2> d,
             std::array<double, friction::kMostDirections>& out) {
    const SlopeTable& table = *face.slopes;
    const double texels = std::fabs(cross(face.uv_x, face.uv_y)) * table.width() * table.height();  // per square metre
    const int level = table.level_of(texels * parts.area / parts.count);
    constexpr LaneWords column = {0, 1, 2, 3, 0, 1, 2, 3}, row = {0, 0, 0, 0, 1, 1, 1, 1};
    const Vec2 first = face.uv + parts.first.x * face.uv_x + parts.first.y * face.uv_y;
    const std::uint32_t u_y = texture_word(parts.step.y * face.uv_y.x), v_y = texture_word(parts.step.y * face.uv_y.y);
    TextureLanes at;  // two rows
    at.u = texture_word(first.x) + column * texture_word(parts.step.x * face.uv_x.x) + row * u_y;
    at.v = texture_word(first.y) + column * texture_word(parts.step.x * face.uv_x.y) + row * v_y;
    FacetSums sums;
    at.which = parts.which & 0xff;
    table.add(at, level, sums);
    at.u += 2 * u_y;
    at.v += 2 * v_y;
    at.which = parts.which >> 8;
    table.add(at, level, sums);
    table.averages(sums, sign * face.along_u, sign * face.along_v, d, {out.data(), d.size()});
}

}  // namespace

bool TableSampler::sample_one(const FootprintRequest& request, friction::FacetAverages& out) const {
    const FootprintFrame frame_a(request, request.a, 1), frame_b(request, request.b, -1);
    Region region;
    const double half = 0.5 * request.width;
    for (const Vec2& corner : {Vec2{-half, -half}, Vec2{half, -half}, Vec2{half, half}, Vec2{-half, half}})
        region.push(corner);
    LocalFaces local_a, local_b;
    const FootprintFace* face_a = clip_to_face(request.a, frame_a, request, local_a, region);
    if (!face_a) return false;
    const FootprintFace* face_b = clip_to_face(request.b, frame_b, request, local_b, region);
    if (!face_b) return false;
    out.t = request.t;
    out.covered = 0;
    Parts parts;
    if (region.size() >= 3) {
        divide(region, parts);
        out.covered = parts.area / (request.width * request.width);
    }
    if (!(out.covered > 1e-9)) out.covered = 0;
    const std::span<const Vec2> d = friction::plough_directions(request.directions);
    const auto average = [&](const FootprintFace& face, double sign, auto& averages) {
        if (face.slopes && out.covered > 0)
            look_up(face, parts, sign, d, averages);
        else
            averages.fill(0);
    };
    average(*face_a, -1, out.a);
    average(*face_b, 1, out.b);
    return true;
}

void TableSampler::sample(std::span<const FootprintRequest> requests, std::span<friction::FacetAverages> out) {
    parallel_for(
        static_cast<int>(requests.size()),
        [&](int i) {
            const auto k = static_cast<size_t>(i);
            if (!sample_one(requests[k], out[k])) rays_.sample_one(requests[k], out[k]);
        },
        16);
}

}  // namespace asperity::surface
