#include "asperity/deform/meshes/generators.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "asperity/core/error.h"
#include "asperity/deform/detail/block_mesh.h"

namespace asperity::deform {
namespace {

void check_size(double value, const char* what) {
    if (!(value > 0) || !std::isfinite(value))
        throw InputError(fmt::format("mesh: {} = {}: must be positive and finite [m]", what, value));
}

template <std::size_t N>
void check_cells(const std::array<int, N>& cells) {
    double product = 1;
    for (const int n : cells) {
        if (n < 1) throw InputError(fmt::format("mesh: {} cells along an axis: at least 1 is needed", n));
        product *= n;
    }
    if (product > kMostCells)
        throw InputError(fmt::format("mesh: {:.3g} cells: at most {} are possible; use larger cells", product, kMostCells));
}

/// Distance from the top, 0 to 1, of level k of `layers`: their heights form a geometric series from 1 to `grading`.
double graded(int k, int layers, double grading) {
    if (layers == 1) return k;
    const double q = std::pow(grading, 1.0 / (layers - 1));
    if (std::fabs(q - 1) < 1e-9) return static_cast<double>(k) / layers;
    return std::expm1(k * std::log(q)) / std::expm1(layers * std::log(q));
}

void check_grading(double grading) {
    if (!(grading >= 1e-3 && grading <= 1e3))
        throw InputError(fmt::format("mesh: grading = {}: must be between 0.001 and 1000, 1 for equal layers", grading));
}

/// Numbers of cells of a ball or disc of blocks: `core` across the inner cube (even), `shell` in each outer block.
struct RoundCells {
    int core, shell;
};
template <int Dim>
RoundCells round_cells(int cells) {
    if (cells < 4) throw InputError(fmt::format("mesh: {} cells across a round body: at least 4 are needed", cells));
    std::array<int, Dim> across;
    across.fill(cells);
    check_cells<Dim>(across);
    const int core = 2 * std::max(1, static_cast<int>(std::lround(0.27 * cells)));
    return {core, std::max(1, (cells - core) / 2)};
}

/// Half the edge of the inner cube in radii, and how far its faces bulge, 0 to 1. Chosen for the worst tetrahedron of balls
/// of 4 to 30 cells: smaller cubes squeeze their own corners, larger ones squeeze the outer blocks beside the corners.
constexpr double kCore = 0.48, kBulge = 0.5;

/// Point p of the cube [-1, 1]^3, as a part of the inner cube of a unit ball.
Vector<3> core_point(const Vector<3>& p) {
    const double m = p.cwiseAbs().maxCoeff();
    if (m == 0) return p;
    const double bulge = kBulge * m * m;
    return kCore * ((1 - bulge) * p + bulge * m / p.norm() * p);
}
/// Point q of the surface of the cube, on the unit sphere: equal steps become equal angles.
Vector<3> sphere_point(const Vector<3>& q) {
    Vector<3> direction;
    for (int d = 0; d < 3; ++d) direction[d] = std::tan(0.25 * std::numbers::pi * q[d]);
    return direction.normalized();
}
Vector<3> shell_point(const Vector<3>& q, double outward) {
    return (1 - outward) * core_point(q) + outward * sphere_point(q);
}

/// The lattice of a unit ball: its inner cube and six blocks, each with three indices. The first two of a block run along
/// the axes beside `axis`, as those of the cube do; the third goes outwards.
struct BallLattice {
    RoundCells cells;
    double at(int index) const { return 2.0 * index / cells.core - 1; }
    Vector<3> core(int i, int j, int k) const { return core_point({at(i), at(j), at(k)}); }
    Vector<3> shell(int axis, int side, int i, int j, int r) const {
        Vector<3> q;
        q[axis] = side;
        q[(axis + 1) % 3] = at(i);
        q[(axis + 2) % 3] = at(j);
        return shell_point(q, static_cast<double>(r) / cells.shell);
    }
};

/// The part of a ball with k_first <= index along z <= k_last, moved along z.
void add_ball(BlockMesh<3>& mesh, const BallLattice& lattice, double radius, int k_first, int k_last, double shift) {
    const int n = lattice.cells.core, m = lattice.cells.shell;
    const auto placed = [=](const Vector<3>& p) { return Vector<3>(radius * p + Vector<3>(0, 0, shift)); };
    mesh.add({0, 0, k_first}, {n, n, k_last}, [&](const auto& i) { return placed(lattice.core(i[0], i[1], i[2])); });
    for (const int side : {-1, 1}) {
        mesh.add({0, k_first, 0}, {n, k_last, m},
                 [&](const auto& i) { return placed(lattice.shell(0, side, i[0], i[1], i[2])); });
        mesh.add({k_first, 0, 0}, {k_last, n, m},
                 [&](const auto& i) { return placed(lattice.shell(1, side, i[0], i[1], i[2])); });
        if (side < 0 ? k_first == 0 : k_last == n)
            mesh.add({0, 0, 0}, {n, n, m}, [&](const auto& i) { return placed(lattice.shell(2, side, i[0], i[1], i[2])); });
    }
}

/// The section z = 0 of a ball, `layers` times along z from low to high. The blocks' lattices are those of the plane.
void add_bar(BlockMesh<3>& mesh, const BallLattice& lattice, double radius, int layers, double low, double high) {
    const int n = lattice.cells.core, m = lattice.cells.shell, middle = n / 2;
    const auto placed = [=](const Vector<3>& p, int k) {
        return Vector<3>(radius * p[0], radius * p[1], low + (high - low) * k / layers);
    };
    mesh.add({0, 0, 0}, {n, n, layers}, [&](const auto& i) { return placed(lattice.core(i[0], i[1], middle), i[2]); });
    for (const int side : {-1, 1}) {
        mesh.add({0, 0, 0}, {n, layers, m},
                 [&](const auto& i) { return placed(lattice.shell(0, side, i[0], middle, i[2]), i[1]); });
        mesh.add({0, 0, 0}, {layers, n, m},
                 [&](const auto& i) { return placed(lattice.shell(1, side, middle, i[1], i[2]), i[0]); });
    }
}

/// As many layers as give cells about as high as wide.
int layers_for(double length, double radius, int cells) {
    const double layers = std::round(length * cells / (2 * radius));
    if (!(layers < kMostCells))
        throw InputError(
            fmt::format("mesh: {:.3g} cells along the axis: at most {} are possible; use larger cells", layers, kMostCells));
    return std::max(1, static_cast<int>(layers));
}

}  // namespace

template <int Dim>
SolidMesh<Dim> box(const Vector<Dim>& size, const std::array<int, Dim>& cells) {
    for (int d = 0; d < Dim; ++d) check_size(size[d], "an edge of a box");
    check_cells(cells);
    BlockMesh<Dim> mesh(0);
    mesh.add({}, cells, [&](const std::array<int, Dim>& index) {
        Vector<Dim> p;
        for (int d = 0; d < Dim; ++d) {
            const int i = index[static_cast<std::size_t>(d)], n = cells[static_cast<std::size_t>(d)];
            p[d] = size[d] * (2 * i - n) / (2.0 * n);
        }
        return p;
    });
    return mesh.take();
}

SolidMesh<2> rectangle(const Vector<2>& size, const std::array<int, 2>& cells, double grading) {
    check_grading(grading);
    SolidMesh<2> mesh = box<2>(size, cells);
    for (Vector<2>& p : mesh.points) {
        const int k = static_cast<int>(std::lround((0.5 - p[1] / size[1]) * cells[1]));
        p[1] = size[1] * (0.5 - graded(k, cells[1], grading));
    }
    return mesh;
}

SolidMesh<3> sheet(const Vector<2>& size, double thickness, const std::array<int, 3>& cells) {
    return box<3>({size[0], size[1], thickness}, cells);
}

SolidMesh<3> ball(double radius, int cells) {
    check_size(radius, "radius");
    const BallLattice lattice{round_cells<3>(cells)};
    BlockMesh<3> mesh(radius);
    add_ball(mesh, lattice, radius, 0, lattice.cells.core, 0);
    return mesh.take();
}

SolidMesh<2> disc(double radius, int cells) {
    check_size(radius, "radius");
    const BallLattice lattice{round_cells<2>(cells)};
    const int n = lattice.cells.core, m = lattice.cells.shell, middle = n / 2;
    BlockMesh<2> mesh(radius);
    const auto placed = [&](const Vector<3>& p) { return Vector<2>(radius * p.head<2>()); };
    mesh.add({0, 0}, {n, n}, [&](const auto& i) { return placed(lattice.core(i[0], i[1], middle)); });
    for (const int side : {-1, 1}) {
        mesh.add({0, 0}, {n, m}, [&](const auto& i) { return placed(lattice.shell(0, side, i[0], middle, i[1])); });
        mesh.add({0, 0}, {n, m}, [&](const auto& i) { return placed(lattice.shell(1, side, middle, i[0], i[1])); });
    }
    return mesh.take();
}

SolidMesh<3> cylinder(double radius, double height, int cells) {
    check_size(radius, "radius");
    check_size(height, "height");
    const BallLattice lattice{round_cells<3>(cells)};
    const int layers = layers_for(height, radius, cells);
    check_cells<3>({cells, cells, layers});
    BlockMesh<3> mesh(std::min(radius, height));
    add_bar(mesh, lattice, radius, layers, -0.5 * height, 0.5 * height);
    return mesh.take();
}

SolidMesh<3> capsule(double radius, double half_length, int cells) {
    check_size(radius, "radius");
    check_size(half_length, "half_length");
    const BallLattice lattice{round_cells<3>(cells)};
    const int layers = layers_for(2 * half_length, radius, cells), n = lattice.cells.core;
    check_cells<3>({cells, cells, layers + cells});
    BlockMesh<3> mesh(std::min(radius, half_length));
    add_ball(mesh, lattice, radius, 0, n / 2, -half_length);
    add_bar(mesh, lattice, radius, layers, -half_length, half_length);
    add_ball(mesh, lattice, radius, n / 2, n, half_length);
    return mesh.take();
}

namespace {

struct RingLattice {
    double inner, outer;
    int radial, around;
    RingLattice(double inner_radius, double outer_radius, int radial_cells, int cells_around)
        : inner(inner_radius),
          outer(outer_radius),
          radial(radial_cells),
          around(std::max(6, cells_around + cells_around % 2)) {
        check_size(inner, "inner");
        check_size(outer, "outer");
        if (!(outer > inner)) throw InputError(fmt::format("mesh: outer = {}: must be above inner = {}", outer, inner));
    }
    Vector<2> at(int i, int j) const {
        const double r = inner + (outer - inner) * i / radial, angle = 2 * std::numbers::pi * (j % around) / around;
        return {r * std::cos(angle), r * std::sin(angle)};
    }
};

}  // namespace

SolidMesh<2> ring(double inner, double outer, const std::array<int, 2>& cells) {
    check_cells(cells);
    const RingLattice lattice(inner, outer, cells[0], cells[1]);
    BlockMesh<2> mesh(outer - inner);
    mesh.add({0, 0}, {lattice.radial, lattice.around}, [&](const auto& i) { return lattice.at(i[0], i[1]); });
    return mesh.take();
}

SolidMesh<3> tube(double inner, double outer, double height, const std::array<int, 3>& cells) {
    check_cells(cells);
    check_size(height, "height");
    const RingLattice lattice(inner, outer, cells[0], cells[1]);
    BlockMesh<3> mesh(std::min(outer - inner, height));
    mesh.add({0, 0, 0}, {lattice.radial, lattice.around, cells[2]}, [&](const auto& i) {
        const Vector<2> p = lattice.at(i[0], i[1]);
        return Vector<3>(p[0], p[1], height * (static_cast<double>(i[2]) / cells[2] - 0.5));
    });
    return mesh.take();
}

template <int Dim>
SolidMesh<Dim> height_field(std::span<const double> heights, const std::array<int, Dim - 1>& count,
                            const std::array<double, Dim - 1>& size, double depth, int layers, double grading) {
    std::array<int, Dim> cells{};
    std::size_t total = 1;
    for (std::size_t d = 0; d + 1 < Dim; ++d) {
        if (count[d] < 2) throw InputError(fmt::format("mesh: {} heights along an axis: at least 2 are needed", count[d]));
        check_size(size[d], "size");
        cells[d] = count[d] - 1;
        total *= static_cast<std::size_t>(count[d]);
    }
    cells[Dim - 1] = layers;
    check_cells(cells);
    check_grading(grading);
    if (heights.size() != total)
        throw InputError(fmt::format("mesh: {} heights for a grid of {} points", heights.size(), total));
    for (std::size_t k = 0; k < total; ++k)
        if (!(heights[k] > -depth) || !std::isfinite(heights[k]))
            throw InputError(fmt::format("mesh: height {} is {}: must be above the bottom at {}", k, heights[k], -depth));
    BlockMesh<Dim> mesh(0);
    mesh.add({}, cells, [&](const std::array<int, Dim>& i) {
        Vector<Dim> p;
        std::size_t k = 0, stride = 1;
        for (std::size_t d = 0; d + 1 < Dim; ++d) {
            p[static_cast<int>(d)] = size[d] * (static_cast<double>(i[d]) / cells[d] - 0.5);
            k += stride * static_cast<std::size_t>(i[d]);
            stride *= static_cast<std::size_t>(count[d]);
        }
        const int from_top = layers - i[Dim - 1];
        p[Dim - 1] = from_top == layers ? -depth : heights[k] - (heights[k] + depth) * graded(from_top, layers, grading);
        return p;
    });
    return mesh.take();
}

template <int Dim>
void refine_towards(SolidMesh<Dim>& mesh, double radius, const Vector<Dim>& towards) {
    const double a2 = towards.squaredNorm();
    if (!(a2 < 1)) throw InputError(fmt::format("mesh: finer_at has the length {:.4g}: must be below 1", std::sqrt(a2)));
    if (a2 == 0) return;
    for (Vector<Dim>& p : mesh.points) {
        const Vector<Dim> u = p / radius;
        const double along = 1 + 2 * towards.dot(u), u2 = u.squaredNorm();
        p = radius / (along + a2 * u2) * ((along + u2) * towards + (1 - a2) * u);
    }
}

template void refine_towards<2>(SolidMesh<2>&, double, const Vector<2>&);
template void refine_towards<3>(SolidMesh<3>&, double, const Vector<3>&);
template SolidMesh<2> box<2>(const Vector<2>&, const std::array<int, 2>&);
template SolidMesh<3> box<3>(const Vector<3>&, const std::array<int, 3>&);
template SolidMesh<2> height_field<2>(std::span<const double>, const std::array<int, 1>&, const std::array<double, 1>&,
                                      double, int, double);
template SolidMesh<3> height_field<3>(std::span<const double>, const std::array<int, 2>&, const std::array<double, 2>&,
                                      double, int, double);

}  // namespace asperity::deform
