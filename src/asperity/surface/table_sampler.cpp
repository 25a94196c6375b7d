// Patches on flat surfaces by look-up: what both cover is a convex polygon, and the map's averages over it stand in the table.
#include <array>
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/surface/local_faces.h"

namespace asperity::surface {
namespace {

constexpr int kParts = 4;           // look-ups along each edge of the covered region
constexpr double kSteep = 0.2;      // a face that falls away more steeply leaves the box within a twentieth of the patch: beside a flatter one it does not count

using Region = geometry::FixedBuffer<Vec2, 48>;

/// Keeps what obeys c + n.p >= 0 of a convex polygon.
void clip(Region& region, const Vec2& n, double c) {
    Region kept;
    for (int i = 0; i < region.size(); ++i) {
        const Vec2 &p = region[i], &q = region[i + 1 < region.size() ? i + 1 : 0];
        const double at_p = c + dot(n, p), at_q = c + dot(n, q);
        if (at_p >= 0) kept.push(p);
        if ((at_p >= 0) != (at_q >= 0)) kept.push(p + at_p / (at_p - at_q) * (q - p));
    }
    region.clear();
    for (const Vec2& p : kept) region.push(p);
}

/// The one face that the patch lies on, with everything else as limits of it: of a body that stands on an edge the flatter of its faces, a thin
/// strip. Null where there are several.
const PatchFace* cut_to_face(const PatchSide& side, const PatchFrame& frame, const PatchRequest& request, LocalFaces& local, Region& region) {
    if (!local_faces(side, frame, request.width, request.depth, local)) return nullptr;
    const PatchFace* face = nullptr;
    double least = 0;
    for (const PatchFace& candidate : local.faces) {
        const double steep = std::hypot(candidate.height_x, candidate.height_y);
        if (face && least < kSteep && steep < kSteep) return nullptr;
        if (!face || steep < least) face = &candidate, least = steep;
    }
    if (local.faces.size() + local.limits.size() > 36) return nullptr;
    const double half = 0.5 * request.depth;
    const auto limit = [&](double nx, double ny, double c) {
        if (c - 0.5 * request.width * (std::fabs(nx) + std::fabs(ny)) < 0) clip(region, {nx, ny}, c);
    };
    limit(face->height_x, face->height_y, half + face->height);
    limit(-face->height_x, -face->height_y, half - face->height);
    for (const PatchFace& other : local.faces)   // beyond their common edge the other face is lower
        if (&other != face) limit(other.height_x - face->height_x, other.height_y - face->height_y, other.height - face->height);
    for (const PatchLimit& l : local.limits) limit(l.nx + l.nh * face->height_x, l.ny + l.nh * face->height_y, l.c + l.nh * face->height);
    return face;
}

struct Parts {
    Vec2 low, size;        // of the box around the region
    double area = 0;
    std::array<Vec2, kParts * kParts> at;
    int count = 0;
};
/// The middles of the parts that lie in the region; its centroid where none does.
void divide(const Region& region, Parts& parts) {
    Vec2 low = region[0], high = region[0], centroid;
    double twice = 0;
    for (int i = 0; i < region.size(); ++i) {
        const Vec2 &p = region[i], &q = region[i + 1 < region.size() ? i + 1 : 0];
        low = {smaller(low.x, p.x), smaller(low.y, p.y)};
        high = {larger(high.x, p.x), larger(high.y, p.y)};
        const double w = cross(p - region[0], q - region[0]);
        twice += w;
        centroid = centroid + w / 3 * (p + q + region[0]);
    }
    parts.low = low;
    parts.size = high - low;
    parts.area = 0.5 * twice;
    parts.count = 0;
    const bool full = parts.area > (1 - 1e-9) * parts.size.x * parts.size.y;
    for (int j = 0; j < kParts; ++j)
        for (int i = 0; i < kParts; ++i) {
            const Vec2 p{low.x + (i + 0.5) / kParts * parts.size.x, low.y + (j + 0.5) / kParts * parts.size.y};
            bool inside = true;
            for (int k = 0; !full && inside && k < region.size(); ++k)
                inside = cross(region[k + 1 < region.size() ? k + 1 : 0] - region[k], p - region[k]) >= 0;
            if (inside) parts.at[static_cast<size_t>(parts.count++)] = p;
        }
    if (parts.count == 0) parts.at[static_cast<size_t>(parts.count++)] = centroid / twice;
}

/// <max(0, sign g.d_k)> of one side over the parts.
void look_up(const PatchSide& side, const PatchFace& face, const Parts& parts, double sign, std::span<const Vec2> d, std::array<double, friction::kMostDirections>& out) {
    const SlopeTable& table = *side.slopes;
    const double texels = std::fabs(cross(face.uv_x, face.uv_y)) * table.width() * table.height();   // per square metre
    const int level = table.level_of(std::sqrt(texels * parts.area / parts.count));
    FacetSums sums;
    for (int i = 0; i < parts.count; ++i) {
        const Vec2 uv = face.uv + parts.at[static_cast<size_t>(i)].x * face.uv_x + parts.at[static_cast<size_t>(i)].y * face.uv_y;
        table.add(uv.x, uv.y, level, sums);
    }
    std::array<Vec2, friction::kMostDirections> turned;   // into the axes of the texture
    for (size_t k = 0; k < d.size() / 2; ++k) turned[k] = {sign * dot(d[k], face.along_u), sign * dot(d[k], face.along_v)};
    table.averages(sums, {turned.data(), d.size()}, {out.data(), d.size()});
}

}  // namespace

bool TableSampler::sample_one(const PatchRequest& request, friction::FacetAverages& out) const {
    const PatchFrame frame_a(request, request.a, 1), frame_b(request, request.b, -1);
    Region region;
    const double half = 0.5 * request.width;
    for (const Vec2& corner : {Vec2{-half, -half}, Vec2{half, -half}, Vec2{half, half}, Vec2{-half, half}}) region.push(corner);
    LocalFaces local_a, local_b;
    const PatchFace* face_a = cut_to_face(request.a, frame_a, request, local_a, region);
    if (!face_a) return false;
    const PatchFace* face_b = cut_to_face(request.b, frame_b, request, local_b, region);
    if (!face_b) return false;
    out.t = request.t;
    out.covered = 0;
    out.a = out.b = {};
    if (region.size() < 3) return true;
    Parts parts;
    divide(region, parts);
    out.covered = parts.area / (request.width * request.width);
    if (!(out.covered > 1e-9)) {
        out.covered = 0;
        return true;
    }
    const std::span<const Vec2> d = friction::plough_directions(request.directions);
    if (request.a.slopes) look_up(request.a, *face_a, parts, -1, d, out.a);
    if (request.b.slopes) look_up(request.b, *face_b, parts, 1, d, out.b);
    return true;
}

void TableSampler::sample(std::span<const PatchRequest> requests, std::span<friction::FacetAverages> out) {
    parallel_for(static_cast<int>(requests.size()), [&](int i) {
        const auto k = static_cast<size_t>(i);
        if (!sample_one(requests[k], out[k])) rays_.sample_one(requests[k], out[k]);
    }, 16);
}

}  // namespace asperity::surface
