#include "asperity/solvers/reference/polyhedral_parts.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "asperity/friction/patch_limits.h"
#include "asperity/solvers/reference/limit_corners.h"

namespace asperity::solvers {
namespace {

std::vector<Block6> placed(const std::vector<Vec3>& corners, int first_row, int rows) {
    std::vector<Block6> out;
    for (const Vec3& c : corners) {
        Block6& g = out.emplace_back();
        for (int i = 0; i < rows; ++i) g[static_cast<size_t>(first_row + i)] = c[i];
    }
    return out;
}

/// Vertices of the pressure region; for an ellipse, `facets` points on it.
std::vector<Vec2> region_corners(const friction::PressureRegion& region, int facets) {
    if (region.count > 0) return {region.corners.begin(), region.corners.begin() + region.count};
    if (region.a == 0 && region.b == 0) return {{0, 0}};
    std::vector<Vec2> out;
    for (int k = 0; k < facets; ++k) {
        const double turn = 2 * std::numbers::pi * k / facets;
        out.push_back({region.a * std::cos(turn), region.b * std::sin(turn)});
    }
    return out;
}

/// The normal part acts at the vertices of R. Friction acts about a held centre (held_centres.h), at the vertices of K. If
/// slide and spin are not coupled they are two sets.
void add_patch(PolyhedralPart& part, const friction::PatchLimits& limits, int facets) {
    const std::vector<Vec2> region = region_corners(limits.region(), facets);
    std::vector<Block6> tilting;
    for (const Vec2& c : region) tilting.push_back({0, 0, 0, 0, c.y, -c.x});  // m = (-tau_w, tau_u)
    if (limits.region().rolls) {
        part.normals = {Block6{1}};
        if (region.size() > 1) part.sets.emplace_back(4, 2, tilting);
    } else {
        part.normals = tilting;
        for (Block6& normal : part.normals) normal[0] = 1;
    }
    if (limits.is_frictionless()) return;
    const double spin = limits.spin_bound({});
    if (limits.couples_slide_and_spin()) {
        std::vector<Vec3> corners;
        const double far = 1e3 * larger(spin, limits.drag({1, 0, 0}, {}));
        for (const Vec3& direction : ellipsoid_corners(facets, {1, 1, 1}))
            corners.push_back(limits.project_friction(far * direction, 1, {}));
        part.sets.emplace_back(1, 3, placed(corners, 1, 3));
        return;
    }
    Block planar;
    planar.kind = BlockKind::Contact;
    planar.rows = 3;
    planar.set = limits.planar();
    part.sets.emplace_back(1, 2, placed(corners_of(planar, facets), 1, 2));
    if (spin > 0) part.sets.emplace_back(3, 1, std::vector<Block6>{{0, 0, 0, spin}, {0, 0, 0, -spin}});
}

}  // namespace

PolyhedralSet::PolyhedralSet(int from, int count, std::vector<Block6> all)
    : first_row(from), rows(count), corners(std::move(all)) {
    for (const Block6& c : corners) {
        double square = 0;
        for (const double x : c) square += x * x;
        radius = std::max(radius, std::sqrt(square));
    }
}

int PolyhedralPart::size() const {
    int sum = static_cast<int>(normals.size());
    for (const PolyhedralSet& set : sets) sum += static_cast<int>(set.corners.size()) + 1;
    return sum > 0 ? sum : std::isinf(bound) ? 1 : 2;
}

bool is_free(const Block& block) {
    return block.kind == BlockKind::Bilateral ||
           (block.kind == BlockKind::Interval && std::isinf(block.low) && std::isinf(block.high)) ||
           (block.kind == BlockKind::Ball && std::isinf(block.high));
}

PolyhedralPart make_part(const Block& block, int index, int column, int facets) {
    PolyhedralPart part;
    part.block = index;
    part.column = column;
    part.scale = std::sqrt(block.kind == BlockKind::Ball ? block.r_f : block.r_n);
    switch (block.kind) {
        case BlockKind::Bilateral: break;
        case BlockKind::Interval:
            part.side = std::isinf(block.low) ? -1 : 1;
            part.bound = (block.high - block.low) / part.scale;
            break;
        case BlockKind::Ball:
            part.sets.emplace_back(0, 3, placed(ellipsoid_corners(facets, {block.high, block.high, block.high}), 0, 3));
            part.scale /= block.high;
            part.bound = 1 / part.scale;
            break;
        case BlockKind::Contact:
            part.normals = {Block6{1}};
            if (block.rows > 1 && block.r_f > 0)
                if (const std::vector<Vec3> corners = corners_of(block, facets); !corners.empty())
                    part.sets.emplace_back(1, block.rows - 1, placed(corners, 1, block.rows - 1));
            break;
        case BlockKind::Patch: add_patch(part, *block.patch, facets); break;
    }
    return part;
}

double residual_of(const PolyhedralPart& part, const Block& block, const double* lambda, const double* u) {
    if (block.kind == BlockKind::Interval) return natural_map(block, lambda, u);
    const bool ball = block.kind == BlockKind::Ball;
    const double n = ball ? 1 : larger(lambda[0], 0.0);
    double error = 0;
    // Never more than the natural map could be: if the normal impulse is only rounding, an error of the friction is not a
    // velocity.
    const auto at_most = [](double value, double impulse, double r) { return r > 0 ? smaller(value, impulse / r) : 0; };
    if (part.normals.size() == 1) {
        error = std::fabs(lambda[0] - larger(lambda[0] - block.r_n * u[0], 0.0)) / block.r_n;
    } else if (!ball) {
        for (const Block6& normal : part.normals) error = larger(error, -(u[0] + normal[4] * u[4] + normal[5] * u[5]));
        const double power = std::fabs(lambda[0] * u[0] + lambda[4] * u[4] + lambda[5] * u[5]);
        if (n > 0) error = larger(error, at_most(power / n, n + std::hypot(lambda[4], lambda[5]), block.r_n));
    }
    for (const PolyhedralSet& set : part.sets) {
        double most = 0, now = 0, size = n * set.radius;  // -f.u at the best vertex, and of the present friction
        for (const Block6& corner : set.corners) {
            double power = 0;
            for (int r = set.first_row; r < set.first_row + set.rows; ++r) power -= corner[static_cast<size_t>(r)] * u[r];
            most = std::max(most, n * power);
        }
        for (int r = set.first_row; r < set.first_row + set.rows; ++r) {
            now -= lambda[r] * u[r];
            size += std::fabs(lambda[r]);
        }
        if (size > 0)
            error =
                std::max(error, at_most(std::fabs(most - now) / (n * set.radius), size, block.step_length(set.first_row)));
    }
    return error;
}

}  // namespace asperity::solvers
