// Rasterisation in integers: texel indices, no gaps between adjacent triangles, and accuracy of the integer sums.
#include "asperity/surface/footprint_raster.h"

#include <gtest/gtest.h>

#include "asperity/core/random.h"

namespace asperity::surface {
namespace {

TEST(FootprintRaster, TexelsAreThoseOfTheWholeProduct) {
    Random random(1);
    for (int n = 0; n < 100000; ++n) {
        const auto word = static_cast<std::uint32_t>(random.bits()),
                   count = 1 + static_cast<std::uint32_t>(random.below(kMostTexels));
        EXPECT_EQ(texel_of(word, count), static_cast<std::uint32_t>(std::uint64_t{word} * count >> 32));
    }
    for (const std::uint32_t count : {1U, 2U, 3U, 256U, 16384U, 65535U}) {
        EXPECT_EQ(texel_of(0U, count), 0U);
        EXPECT_EQ(texel_of(0xffffffffU, count), count - 1);
        const auto edge = static_cast<std::uint32_t>((std::uint64_t{1} << 32) / 2);
        EXPECT_EQ(texel_of(edge, count), count / 2);
    }
    EXPECT_EQ(texture_word(-0.25), 0xc0000000U);  // periodic in both directions
    EXPECT_EQ(texture_word(1e6 + 0.5), 0x80000000U);
    EXPECT_EQ(texture_word(-1e-17), 0U);  // rounds to a whole tile, which is 0
}

const geometry::Shape kNothing = geometry::HalfSpace{};  // not read by raster_triangle()

struct Footprint {
    FootprintRequest request;
    FootprintGrid grid;
    FootprintFrame frame;
    explicit Footprint(int points)
        : request{{0, 0, 1}, {1, 0, 0}, 0.02, 0.01, 16, {&kNothing, {}, {}, nullptr, 0.3, {0.1, 0.7}}, {}},
          grid(points, request.width, request.depth),
          frame(request, request.a, 1) {}
};

bool covers(const RasterTriangle& piece, int i, int j, int points) {
    if (i < piece.i_first || i > piece.i_last || j < piece.j_first || j > piece.j_last) return false;
    for (const GridFunction& border : piece.border)
        if (static_cast<std::int32_t>(border(i, j)) < -points) return false;
    return true;
}

// A square cut into four triangles at a random point, at a grid point or on a grid line; it may be larger or smaller than
// the footprint. Every grid point must lie in a triangle, with the height and texture coordinates of the common plane.
TEST(FootprintRaster, NeighboursLeaveNoGapAndSayTheSame) {
    Random random(2);
    for (int trial = 0; trial < 2000; ++trial) {
        const int points = trial % 3 == 0 ? 64 : 16;
        const Footprint patch(points);
        const double half = std::pow(10, random.uniform(-1.99, 1)), slope_x = random.uniform(-0.2, 0.2),
                     slope_y = random.uniform(-0.2, 0.2);
        const auto place = [&](double x, double y) { return Vec3{x, y, slope_x * x + slope_y * y}; };
        const auto uv = [](const Vec3& p) { return Vec2{3 * p.x - p.y + 5, 2 * p.y}; };
        const bool on_point = trial % 2 == 0;
        const Vec3 middle = on_point ? place(patch.grid.at(random.below(points)), patch.grid.at(random.below(points)))
                                     : place(random.uniform(-0.01, 0.01), random.uniform(-0.01, 0.01));
        const Vec3 corner[4] = {place(-half, -half), place(half, -half), place(half, half), place(-half, half)};
        RasterTriangle piece[4];
        bool there[4];
        for (int k = 0; k < 4; ++k) {
            const Vec3 corners[3] = {middle, corner[k], corner[(k + 1) % 4]};
            const Vec2 uvs[3] = {uv(corners[0]), uv(corners[1]), uv(corners[2])};
            there[k] = raster_triangle(patch.request.a.layer(0), patch.frame, patch.grid, corners, uvs, piece[k]);
        }
        for (int j = 0; j < points; ++j)
            for (int i = 0; i < points; ++i) {
                const Vec3 p = place(patch.grid.at(i), patch.grid.at(j));
                int owners = 0;
                for (int k = 0; k < 4; ++k) {
                    if (!there[k] || !covers(piece[k], i, j, points)) continue;
                    ++owners;
                    double shares = 0;
                    for (int c = 0; c < 3; ++c)
                        shares +=
                            static_cast<double>(piece[k].share[c]) * static_cast<std::int32_t>(piece[k].border[c](i, j));
                    EXPECT_NEAR(shares, 1, 1e-5) << trial;
                    const double height =
                        std::ldexp(static_cast<std::int32_t>(piece[k].height.steps(i, j)), piece[k].height.shift);
                    // half a unit of rounding for the start and for every step
                    EXPECT_NEAR(height / HeightFunction::kHalfDepth, p.z / (0.5 * patch.grid.depth),
                                points * std::ldexp(1.0, piece[k].height.shift - 22))
                        << trial;
                    const auto off = static_cast<std::int32_t>(piece[k].u(i, j) - texture_word(uv(p).x / 0.3 + 0.1));
                    // plus the rounding of doubles over a large triangle
                    EXPECT_LE(std::abs(off), points + 1 + std::lround(half * 1e3)) << trial;
                }
                ASSERT_GE(owners, 1) << trial << " at " << i << " " << j;
            }
    }
}

// Faces up to a slope of 1000, whose heights span 2600 depths of the box: the sums must not overflow.
TEST(FootprintRaster, SteepPiecesAreInTheBoxWhereTheyAre) {
    const Footprint patch(16);
    for (const double slope : {1.0, 30.0, 1000.0}) {
        const HeightFunction height = height_function(patch.grid, 0.002, slope, -0.3 * slope);
        for (int j = 0; j < 16; ++j)
            for (int i = 0; i < 16; ++i) {
                const double true_height = 0.002 + slope * patch.grid.at(i) - 0.3 * slope * patch.grid.at(j);
                const std::int64_t found = static_cast<std::int32_t>(height.steps(i, j));
                EXPECT_NEAR(std::ldexp(static_cast<double>(found), height.shift - 22) * 0.5 * patch.grid.depth, true_height,
                            1e-7 * (1 + slope))
                    << slope;
            }
    }
}

}  // namespace
}  // namespace asperity::surface
