// Slope maps and footprints for the tests of ploughing.
#pragma once
#include <cmath>
#include <functional>

#include "asperity/core/random.h"
#include "asperity/surface/footprint_sampler.h"

namespace asperity::surface {

inline SlopeMap map_of(int width, int height, const std::function<Vec2(int x, int y)>& slope) {
    SlopeMap map{width, height, {}, {}, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const Vec2 g = slope(x, y);
            map.slopes.push_back({static_cast<float>(g.x), static_cast<float>(g.y)});
        }
    return map;
}
/// Independent random slopes per texel.
inline SlopeMap gaussian_map(int size, double s_x, double s_y, std::uint64_t seed = 1) {
    Random random(seed);
    return map_of(size, size, [&](int, int) { return Vec2{s_x * random.normal(), s_y * random.normal()}; });
}
/// Minus the central differences of periodic heights; pixel size 1.
inline SlopeMap slopes_of_heights(int size, const std::vector<double>& h) {
    const auto at = [&](int x, int y) { return h[static_cast<size_t>((y + size) % size * size + (x + size) % size)]; };
    return map_of(size, size, [&](int x, int y) {
        return Vec2{0.5 * (at(x - 1, y) - at(x + 1, y)), 0.5 * (at(x, y - 1) - at(x, y + 1))};
    });
}
/// A sawtooth along x of `period` texels, whose steep side covers `steep_texels` of them and faces +x. The caller chooses
/// the slopes so that the teeth close.
inline SlopeMap sawtooth_map(int size, int period, int steep_texels, double tan_gentle, double tan_steep) {
    return map_of(size, 8, [&](int x, int) { return Vec2{x % period < steep_texels ? tan_steep : -tan_gentle, 0}; });
}
inline std::vector<double> whole(const SlopeMap& map, friction::FacetWeight weight, int directions = 16) {
    std::vector<double> out(static_cast<size_t>(directions));
    SlopeTable(map, weight).whole(friction::plough_directions(directions), out);
    return out;
}

}  // namespace asperity::surface
