#include "asperity/surface/footprint_raster.h"

namespace asperity::surface {
namespace {

constexpr double kBorder = 1 << 29, kMostHeight = 1 << 30;  // largest scaled values; sums stay below 2^31

std::uint32_t rounded(double x) { return static_cast<std::uint32_t>(static_cast<std::int64_t>(std::floor(x + 0.5))); }

GridFunction scaled_steps(const FootprintGrid& grid, double c, double fx, double fy, double scale) {
    const double first = grid.at(0);
    return {rounded(scale * (c + first * (fx + fy))), rounded(scale * grid.step * fx), rounded(scale * grid.step * fy)};
}

}  // namespace

GridFunction texture_function(const FootprintGrid& grid, double c, double fx, double fy) {
    return {texture_word(c + grid.at(0) * (fx + fy)), texture_word(grid.step * fx), texture_word(grid.step * fy)};
}

GridFunction edge_function(const FootprintGrid& grid, double c, double fx, double fy) {
    const double most = grid.most(c, fx, fy);
    return scaled_steps(grid, c, fx, fy, most > 0 ? kBorder / most : 0);
}

HeightFunction height_function(const FootprintGrid& grid, double c, double fx, double fy) {
    double scale = HeightFunction::kHalfDepth / (0.5 * grid.depth);
    int shift = 0;
    for (const double most = grid.most(c, fx, fy); most * scale > kMostHeight && shift < 31; ++shift) scale *= 0.5;
    return {scaled_steps(grid, c, fx, fy, scale), shift};
}

bool raster_triangle(const FaceLayer& layer, const FootprintFrame& frame, const FootprintGrid& grid, const Vec3 corners[3],
                     const Vec2 uvs[3], RasterTriangle& out) {
    Vec3 c[3];
    for (int k = 0; k < 3; ++k) {
        const Vec3 from = corners[k] - frame.from;
        c[k] = {dot(from, frame.t), dot(from, frame.b), dot(from, frame.out)};
    }
    const double half = 0.5 * grid.depth;
    const Vec3 low = min(min(c[0], c[1]), c[2]), high = max(max(c[0], c[1]), c[2]);
    if (low.z > half || high.z < -half) return false;
    const Vec2 ab{c[1].x - c[0].x, c[1].y - c[0].y}, ac{c[2].x - c[0].x, c[2].y - c[0].y};
    const double area = cross(ab, ac);
    if (!(std::fabs(area) > 0)) return false;
    out.i_first = grid.first(low.x), out.i_last = grid.last(high.x);
    out.j_first = grid.first(low.y), out.j_last = grid.last(high.y);
    if (out.i_first > out.i_last || out.j_first > out.j_last) return false;

    const double sign = area < 0 ? -1 : 1;  // a sheet may be seen from behind
    for (int k = 0; k < 3; ++k) {
        const Vec3 &p = c[(k + 1) % 3], &q = c[(k + 2) % 3];
        const double fx = sign * (p.y - q.y), fy = sign * (q.x - p.x), at = sign * (p.x * q.y - p.y * q.x);
        const double most = grid.most(at, fx, fy);
        // the whole footprint lies outside this edge
        if (at + 0.5 * grid.width * (std::fabs(fx) + std::fabs(fy)) < 0) return false;
        out.border[k] = edge_function(grid, at, fx, fy);
        out.share[k] = static_cast<float>(most / (kBorder * std::fabs(area)));
    }
    // affine function from its values at the corners: solve for the gradient from the two differences along ab and ac
    const auto affine = [&](double f0, double f1, double f2, const auto& make) {
        const double along_b = (f1 - f0) / area, along_c = (f2 - f0) / area;
        const double fx = along_b * ac.y - along_c * ab.y, fy = along_c * ab.x - along_b * ac.x;
        return make(grid, f0 - fx * c[0].x - fy * c[0].y, fx, fy);
    };
    out.height = affine(c[0].z, c[1].z, c[2].z, height_function);
    const Vec2 tiles{1 / layer.tile.x, 1 / layer.tile.y}, from = layer.offset;
    out.u = affine(tiles.x * uvs[0].x + from.x, tiles.x * uvs[1].x + from.x, tiles.x * uvs[2].x + from.x, texture_function);
    out.v = affine(tiles.y * uvs[0].y + from.y, tiles.y * uvs[1].y + from.y, tiles.y * uvs[2].y + from.y, texture_function);
    return true;
}

}  // namespace asperity::surface
