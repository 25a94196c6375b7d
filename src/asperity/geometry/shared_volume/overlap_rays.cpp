// Any two bodies, by rays along three axes through the box that their bounds share (Bouchard et al. 2015, section 4.1, which
// renders layered depth images). A ray along z with the cell sides q_x, q_y and an interval [z0, z1] of length L represents
// a bar of the cross-section dA = q_x q_y:
//     V += dA L,   int x += dA x L,   int z += dA (z1^2 - z0^2)/2,   int x^2 += dA L (x^2 + q_x^2/12),
//     int x y += dA x y L,   int x z += dA x (z1^2 - z0^2)/2,   int z^2 += dA (z1^3 - z0^3)/3
// This is exact at any resolution for boxes along the grid. If an interval ends at the surface of B, that surface adds dA to
// the gradient along the ray (-dA if the interval begins there). The results of the three axes are averaged; their spread is
// the error estimate.
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/geometry/shared_volume/detail/directions.h"
#include "asperity/geometry/shared_volume/detail/overlap_parts.h"
#include "asperity/geometry/shared_volume/detail/ray_intervals.h"

namespace asperity::geometry::detail {
namespace {

constexpr int kFewestCells = 8;  // fewest cells along the shorter sides of the box

/// An interval of a ray that lies in both bodies.
struct Bar {
    Vec3 origin;
    double from, to;
    bool from_b, to_b;  // whether that end lies on B's surface
    Vec3 facing;        // from A to B, halfway between both surface normals; zero if both ends lie on one body
};

struct Side {
    const Shape& shape;
    Pose in_grid;
    double grow;
    const TriangleSet* mesh() const {
        const auto* m = std::get_if<Mesh>(&shape);
        return m ? m->triangles.get() : nullptr;
    }
};

struct AxisWork {
    MeshOnGrid mesh_a, mesh_b;
    std::vector<Bar> bars;
    int skipped = 0;
};
struct Scratch {
    AxisWork axes[3];
};
Scratch& scratch() {
    thread_local Scratch s;
    return s;
}

void join(const RayInterval& a, const RayInterval& b, const Vec3& origin, std::vector<Bar>& out) {
    const bool from_b = b.from > a.from, to_b = b.to < a.to;
    Bar bar{origin, from_b ? b.from : a.from, to_b ? b.to : a.to, from_b, to_b, {}};
    if (!(bar.from < bar.to)) return;
    if (from_b != to_b) {
        const Vec3 &n_b = from_b ? b.normal_from : b.normal_to, &n_a = from_b ? a.normal_to : a.normal_from;
        bar.facing = normalize_or(n_a - n_b, {});
    }
    out.push_back(bar);
}

/// Collects all bars along one axis.
void trace(const Side& a, const Side& b, const RayGrid& grid, int axis, AxisWork& work) {
    work.bars.clear();
    const TriangleSet *mesh_a = a.mesh(), *mesh_b = b.mesh();
    if (mesh_a) work.mesh_a.scan(*mesh_a, a.in_grid, grid, axis);
    if (mesh_b) work.mesh_b.scan(*mesh_b, b.in_grid, grid, axis);
    work.skipped = (mesh_a ? work.mesh_a.skipped() : 0) + (mesh_b ? work.mesh_b.skipped() : 0);
    const ConvexOnGrid convex_a(a.shape, a.in_grid, a.grow), convex_b(b.shape, b.in_grid, b.grow);
    RayInterval ia, ib;
    for (int ray = 0; ray < grid.rays(axis); ++ray) {
        const Vec3 origin = grid.origin(axis, ray);
        MeshOnGrid::Range on_a{&ia, &ia + 1}, on_b{&ib, &ib + 1};
        if (mesh_a) on_a = work.mesh_a.on(ray);
        if (on_a.first == on_a.last || (!mesh_a && !convex_a.meets(origin, axis, ia))) continue;
        if (mesh_b) on_b = work.mesh_b.on(ray);
        if (on_b.first == on_b.last || (!mesh_b && !convex_b.meets(origin, axis, ib))) continue;
        for (const RayInterval& x : on_a)
            for (const RayInterval& y : on_b) join(x, y, origin, work.bars);
    }
}

/// Adds a bar to the sums of its axis, about `origin`.
void add_bar(const Bar& bar, const RayGrid& grid, int axis, const Vec3& origin, Moments& volume, AreaMoments& b_surface) {
    const int u = (axis + 1) % 3, w = (axis + 2) % 3;
    const double dA = grid.area(axis), x = bar.origin[u] - origin[u], y = bar.origin[w] - origin[w];
    const double z0 = bar.from - origin[axis], z1 = bar.to - origin[axis], L = z1 - z0;
    const double z = dA * L * 0.5 * (z0 + z1);  // int z
    volume.volume += dA * L;
    volume.first[u] += dA * x * L;
    volume.first[w] += dA * y * L;
    volume.first[axis] += z;
    volume.squares[u] += dA * L * (x * x + grid.cell[u] * grid.cell[u] / 12);
    volume.squares[w] += dA * L * (y * y + grid.cell[w] * grid.cell[w] / 12);
    volume.squares[axis] += dA * L * (z0 * z0 + z0 * z1 + z1 * z1) / 3;
    volume.products[axis] += dA * x * y * L;  // products[k] is that of the two other axes
    volume.products[u] += y * z;
    volume.products[w] += x * z;
    const auto end = [&](double at, double sign) {
        Vec3 area, r;
        area[axis] = sign * dA;
        r[u] = x;
        r[w] = y;
        r[axis] = at;
        b_surface.area += area;
        b_surface.turning += cross(r, area);
    };
    if (bar.to_b) end(z1, 1);
    if (bar.from_b) end(z0, -1);
}

/// The bars of all traced axes. Volumes are averages over the axes. The surface seen along each axis gives one component of
/// its area vector.
struct Bars {
    const Scratch& scratch;
    const RayGrid& grid;
    int axes;
    Vec3 origin;

    int first_axis() const { return 3 - axes; }
    /// Sums the bars selected by `belongs`; returns the spread of the volumes over the axes.
    template <class Belongs>
    double sum(const Belongs& belongs, Moments& volume, AreaMoments& b_surface) const {
        double low = 1e300, high = -1e300;
        for (int k = first_axis(); k < 3; ++k) {
            Moments along;
            for (const Bar& bar : scratch.axes[k].bars)
                if (belongs(bar)) add_bar(bar, grid, k, origin, along, b_surface);
            volume.add(along);
            low = smaller(low, along.volume);
            high = larger(high, along.volume);
        }
        const double share = 1.0 / axes;
        volume = {share * volume.volume, share * volume.first, share * volume.squares, share * volume.products};
        return high - low;
    }
    template <class Belongs>
    bool make_part(const Belongs& belongs, const Pose& frame, OverlapPart::Curvature curvature, OverlapPart& part) const {
        Moments volume;
        AreaMoments surface;
        sum(belongs, volume, surface);
        if (!counts(volume.volume, surface.area, 0)) return false;
        const Mat3 turn = matrix(frame.orientation);
        part.volume = volume.volume;
        part.centre = frame * (origin + volume.centre());
        part.second_moment = turn * volume.about_centre() * transposed(turn);
        part.gradient = turn * surface.area;
        part.normal = contact_normal(part.second_moment, part.gradient);
        part.curvature = curvature;
        OutermostPoints points(rotate_inverse(frame.orientation, part.normal), origin + volume.centre());
        for (int k = first_axis(); k < 3; ++k)
            for (const Bar& bar : scratch.axes[k].bars) {
                if (!belongs(bar)) continue;
                Vec3 at = bar.origin;
                for (const double z : {bar.from, bar.to}) at[k] = z, points.add(at);
            }
        points.write(frame, part);
        return true;
    }
};

/// The intersection of the bounding boxes, in the axes of the grid. Returns false if it is empty.
bool shared_box(const Side& a, const Side& b, int resolution, RayGrid& grid) {
    const Aabb box_a = bounds(a.shape, a.in_grid).grown(a.grow), box_b = bounds(b.shape, b.in_grid).grown(b.grow);
    const Vec3 low = max(box_a.low, box_b.low), high = min(box_a.high, box_b.high), size = high - low;
    if (!(size.x > 0 && size.y > 0 && size.z > 0)) return false;
    const double cell = max_component(size) / clamp(resolution, 2, 1024);
    grid.low = low;
    for (int k = 0; k < 3; ++k) {
        grid.count[k] = std::max(std::min(kFewestCells, resolution), static_cast<int>(std::ceil(size[k] / cell - 1e-9)));
        grid.cell[k] = size[k] / grid.count[k];
    }
    return true;
}

/// Rank of a shape's own axes as grid axes: flat faces along the grid are exact.
double flatness(const Shape& shape) {
    if (std::holds_alternative<HalfSpace>(shape)) return 6;
    if (std::holds_alternative<Box>(shape)) return 5;
    if (std::holds_alternative<Hull>(shape)) return 4;
    if (std::holds_alternative<Cylinder>(shape)) return 3;
    const auto* mesh = std::get_if<Mesh>(&shape);
    if (!mesh) return 1;
    if (mesh->triangles->ground()) return 7;
    return 2 + 1.0 / static_cast<double>(mesh->triangles->triangles.size() + 1);
}

Pose relative(const Pose& frame, const Pose& pose) {
    return {frame.to_local(pose.position), conjugate(frame.orientation) * pose.orientation};
}

/// Direction from A to B, in A's axes.
Vec3 towards(const Mesh& a, const Mesh& b, const Pose& b_in_a, double skin) {
    Vec3 direction{0, 0, 1};
    if (a.triangles->ground()) return direction;
    if (b.triangles->ground()) return -rotate(b_in_a.orientation, direction);
    least_overlap(a, b, b_in_a, skin, direction);
    return direction;
}

}  // namespace

void overlap_rays(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, const OverlapOptions& options,
                  Overlap& out) {
    Scratch& s = scratch();
    const Pose& frame = flatness(a) >= flatness(b) ? pose_a : pose_b;
    // A mesh stays as it is if the other body can be offset exactly; of two meshes A is moved towards B.
    const auto *mesh_a = std::get_if<Mesh>(&a), *mesh_b = std::get_if<Mesh>(&b);
    (mesh_b ? out.grown_a : out.grown_b) = 2 * options.skin;
    Pose moved_a = pose_a;
    if (mesh_a && mesh_b)
        moved_a.position +=
            2 * options.skin * rotate(pose_a.orientation, towards(*mesh_a, *mesh_b, relative(pose_a, pose_b), options.skin));
    const Side side_a{a, relative(frame, moved_a), mesh_a ? 0 : out.grown_a},
        side_b{b, relative(frame, pose_b), mesh_b ? 0 : out.grown_b};
    bool ground = false;
    for (const Side* side : {&side_a, &side_b}) {
        const TriangleSet* mesh = side->mesh();
        if (!mesh) continue;
        if (!mesh->solid() && !mesh->ground()) return;  // a sheet has no inside
        ground |= mesh->ground();
        out.open |= mesh->report.boundary_edges > 0 && !mesh->ground();
    }
    RayGrid grid;
    if (!shared_box(side_a, side_b, options.resolution, grid)) return;
    // Ground has no sides, so only rays along its own z can tell inside from outside.
    const int axes = ground ? 1 : 3;
    // Isolated: a thread that waits here must not start another pair, which would overwrite the same scratch memory.
    tbb::this_task_arena::isolate([&] {
        parallel_for(
            axes, [&](int k) { trace(side_a, side_b, grid, 3 - axes + k, s.axes[3 - axes + k]); }, 1);
    });

    const Bars bars{
        s, grid, axes,
        grid.low + 0.5 * Vec3{grid.count[0] * grid.cell.x, grid.count[1] * grid.cell.y, grid.count[2] * grid.cell.z}};
    Moments volume;
    AreaMoments surface;
    out.error = bars.sum([](const Bar&) { return true; }, volume, surface);
    for (int k = bars.first_axis(); k < 3; ++k) out.skipped_rays += s.axes[k].skipped;
    if (!counts(volume.volume, surface.area, 0)) return;
    out.method = Overlap::Method::Rays;
    set_totals(volume, surface, frame, bars.origin, out);

    // Meshes get one part for each direction in which the surfaces face each other. Bars with both ends on one body go to
    // the first part.
    const bool convex = !mesh_a && !mesh_b;
    const auto curvature = convex ? OverlapPart::Curvature::Point : OverlapPart::Curvature::Flat;
    OverlapPart whole_part;
    bars.make_part([](const Bar&) { return true; }, frame, curvature, whole_part);
    DirectionBins faces;
    for (int k = bars.first_axis(); k < 3; ++k)
        for (const Bar& bar : s.axes[k].bars)
            if (!convex && !(bar.facing == Vec3{})) faces.add(bar.facing, grid.area(k));
    const DirectionClusters clusters(faces);
    for (int c = 0; clusters.count() > 1 && c < clusters.count(); ++c) {
        const auto belongs = [&](const Bar& bar) { return (bar.facing == Vec3{} ? 0 : clusters.nearest(bar.facing)) == c; };
        if (bars.make_part(belongs, frame, curvature, out.parts[static_cast<size_t>(out.part_count)])) ++out.part_count;
    }
    choose_parts(whole_part, out);
}

}  // namespace asperity::geometry::detail
