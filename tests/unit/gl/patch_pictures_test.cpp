// Patches drawn by OpenGL against rays in double precision that look at every triangle, and against closed forms.
#include <gtest/gtest.h>

#include <numbers>

#include "asperity/core/random.h"
#include "asperity/gl/patch_pictures.h"

namespace asperity::gl {
namespace {

using std::numbers::pi;

Vec3 across(const Vec3& normal, const Vec3& v) { return v - dot(v, normal) * normal; }
Quat turned(const Vec3& axis, double angle) { return {std::cos(angle / 2), std::sin(angle / 2) * axis.x, std::sin(angle / 2) * axis.y, std::sin(angle / 2) * axis.z}; }

/// A sheet z = height(x, y) over the square |x|, |y| <= half, seen from above, with texture coordinates (x, y)/tile; the part x < 0 has
/// its texture mirrored where asked for.
template <class Height>
std::vector<Corner> sheet(double half, int cells, double tile, bool mirror, const Height& height) {
    const double h = 1e-6;
    const auto corner = [&](int i, int j, bool mirrored) {
        const double x = half * (2.0 * i / cells - 1), y = half * (2.0 * j / cells - 1);
        const double hx = (height(x + h, y) - height(x - h, y)) / (2 * h), hy = (height(x, y + h) - height(x, y - h)) / (2 * h);
        const Vec3 normal = normalized(Vec3{-hx, -hy, 1});
        const double sign = mirrored ? -1 : 1;
        return Corner{{x, y, height(x, y)}, normal, sign * normalized(across(normal, {1, 0, hx})), mirrored, {sign * x / tile, y / tile}};
    };
    std::vector<Corner> corners;
    for (int j = 0; j < cells; ++j) {
        for (int i = 0; i < cells; ++i) {
            const bool m = mirror && 2 * i < cells;
            corners.insert(corners.end(), {corner(i, j, m), corner(i + 1, j, m), corner(i + 1, j + 1, m)});
            corners.insert(corners.end(), {corner(i, j, m), corner(i + 1, j + 1, m), corner(i, j + 1, m)});
        }
    }
    return corners;
}
std::vector<Corner> flat_sheet(double half, double tile) { return sheet(half, 1, tile, false, [](double, double) { return 0.0; }); }

surface::SlopeMap gaussian_map(int size, double sx, double sy, std::uint64_t seed) {
    Random random(seed);
    surface::SlopeMap map{size, size, {}, {}, {}};
    for (int i = 0; i < size * size; ++i) map.slopes.push_back({static_cast<float>(sx * random.normal()), static_cast<float>(sy * random.normal())});
    return map;
}

/// One ray in double precision: what the card draws in a pixel.
struct Facet {
    bool covered = false;
    Vec2 slope;
    double weight = 1;
    double tie = 1;   // how far the ray passes from an edge of the sheet or of a texel, in triangles or texels
};
Facet cast(const std::vector<Corner>& corners, const surface::SlopeMap& map, const PatchSide& side, const PatchView& view, const Vec3& through, double outward) {
    Facet result;
    double best = 1e300;
    for (size_t i = 0; i + 2 < corners.size(); i += 3) {
        const Vec3 p = side.pose * corners[i].position, q = side.pose * corners[i + 1].position, r = side.pose * corners[i + 2].position;
        const Vec3 n = cross(q - p, r - p);
        const double along = dot(n, view.normal);
        if (along == 0) continue;
        const double s = dot(n, p - through) / along;
        const Vec3 x = through + s * view.normal;
        const double wp = dot(cross(q - x, r - x), n) / dot(n, n), wq = dot(cross(r - x, p - x), n) / dot(n, n), wr = 1 - wp - wq;
        if (std::min({wp, wq, wr}) > -1e-5) result.tie = std::min(result.tie, std::fabs(std::min({wp, wq, wr})));
        if (wp < 0 || wq < 0 || wr < 0 || std::fabs(s) > 0.5 * view.depth || -outward * s >= best) continue;
        best = -outward * s;
        const auto mix = [&](const Vec3& a, const Vec3& b, const Vec3& c) { return rotate(side.pose.orientation, wp * a + wq * b + wr * c); };
        const Vec3 m = normalized(mix(corners[i].normal, corners[i + 1].normal, corners[i + 2].normal));
        const Vec3 t = normalized(across(m, mix(corners[i].tangent, corners[i + 1].tangent, corners[i + 2].tangent)));
        const Vec3 b = (corners[i].mirrored ? -1.0 : 1.0) * cross(m, t);
        const Vec2 uv = wp * corners[i].uv + wq * corners[i + 1].uv + wr * corners[i + 2].uv;
        const double u = side.uv_scale.x * uv.x + side.uv_offset.x, v = side.uv_scale.y * uv.y + side.uv_offset.y;
        const int tx = static_cast<int>((u - std::floor(u)) * map.width) % map.width, ty = static_cast<int>((v - std::floor(v)) * map.height) % map.height;
        const double in_texel[2] = {u * map.width - std::floor(u * map.width), v * map.height - std::floor(v * map.height)};
        const double tie = std::min({result.tie, in_texel[0], 1 - in_texel[0], in_texel[1], 1 - in_texel[1]});
        const surface::Slope texel = map.slopes[static_cast<size_t>(ty * map.width + tx)];
        const Vec3 out = outward * view.normal;
        Vec3 g = static_cast<double>(texel.x) * t + static_cast<double>(texel.y) * b;
        // Rodrigues' rotation about m x out
        const Vec3 axis = cross(m, out);
        const double sine = length(axis), cosine = dot(m, out);
        if (sine > 1e-12) {
            const Vec3 k = axis / sine;
            g = cosine * g + sine * cross(k, g) + (1 - cosine) * dot(k, g) * k;
        }
        result = {true, {dot(g, view.t), dot(g, cross(view.normal, view.t))}, std::sqrt(1 + texel.x * texel.x + texel.y * texel.y), tie};
    }
    return result;
}

struct Averages {
    std::vector<double> a, b;
    int covered = 0;
    double tie = 1;   // the least of all rays
};
/// The averages of all pixels by such rays.
Averages by_rays(const std::vector<Corner>& on_a, const surface::SlopeMap& map_a, const std::vector<Corner>& on_b, const surface::SlopeMap& map_b,
                 const PatchView& view, int resolution, int directions, FacetWeight weight) {
    Averages sum{std::vector<double>(static_cast<size_t>(directions)), std::vector<double>(static_cast<size_t>(directions)), 0};
    double weight_a = 0, weight_b = 0;
    for (int i = 0; i < resolution; ++i) {
        for (int j = 0; j < resolution; ++j) {
            const Vec3 x = view.point + view.width * ((i + 0.5) / resolution - 0.5) * view.t + view.width * ((j + 0.5) / resolution - 0.5) * cross(view.normal, view.t);
            const Facet a = cast(on_a, map_a, view.a, view, x, 1), b = cast(on_b, map_b, view.b, view, x, -1);
            sum.tie = std::min({sum.tie, a.tie, b.tie});
            if (!a.covered || !b.covered) continue;
            ++sum.covered;
            const double wa = weight == FacetWeight::TrueArea ? a.weight : 1, wb = weight == FacetWeight::TrueArea ? b.weight : 1;
            weight_a += wa;
            weight_b += wb;
            for (int k = 0; k < directions; ++k) {
                const Vec2 d{std::cos(2 * pi * k / directions), std::sin(2 * pi * k / directions)};
                sum.a[static_cast<size_t>(k)] += wa * std::max(0.0, -dot(a.slope, d));
                sum.b[static_cast<size_t>(k)] += wb * std::max(0.0, dot(b.slope, d));
            }
        }
    }
    for (double& x : sum.a) x /= weight_a > 0 ? weight_a : 1;
    for (double& x : sum.b) x /= weight_b > 0 ? weight_b : 1;
    return sum;
}

Averages drawn(PatchPictures& pictures, const PatchView& view) {
    Averages out{std::vector<double>(static_cast<size_t>(pictures.directions())), std::vector<double>(static_cast<size_t>(pictures.directions())), 0};
    pictures.measure({&view, 1}, out.a, out.b, {&out.covered, 1});
    return out;
}

/// A flat sheet under another one, face to face.
PatchView face_to_face(int surface, int map_a, int map_b) {
    PatchView view{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.02, 0.001, {surface, map_a, {}}, {surface, map_b, {}}};
    view.b.pose.orientation = turned({1, 0, 0}, pi);   // looks down; its u stays x, its v is -y
    return view;
}

TEST(PatchPictures, OnlyFacetsThatFaceTheMotionResist) {
    PatchPictures pictures(16, 4, FacetWeight::Projected);
    const int surface = pictures.add_surface(flat_sheet(0.1, 0.1));
    const int ramp = pictures.add_map({1, 1, {{1, 0}}, {}, {}});
    const Averages on_b = drawn(pictures, face_to_face(surface, -1, ramp));
    EXPECT_EQ(on_b.covered, 256);
    EXPECT_NEAR(on_b.b[0], 1, 1e-6);   // B moves along +x, its facets face +x
    for (const int k : {1, 2, 3}) EXPECT_NEAR(on_b.b[static_cast<size_t>(k)], 0, 1e-6) << k;
    const Averages on_a = drawn(pictures, face_to_face(surface, ramp, -1));
    EXPECT_NEAR(on_a.a[2], 1, 1e-6);   // A's face +x: they resist B when it comes along -x
    for (const int k : {0, 1, 3}) EXPECT_NEAR(on_a.a[static_cast<size_t>(k)], 0, 1e-6) << k;
}

TEST(PatchPictures, NothingIsCutAtOne) {   // 8 bits a channel would give 0.238 pi/2 = 0.374 for these, (A8)'s packing
    const surface::SlopeMap map = gaussian_map(256, 1, 1, 3);
    PatchPictures pictures(256, 4, FacetWeight::Projected);
    const int surface = pictures.add_surface(flat_sheet(0.01, 0.02)), number = pictures.add_map(map);
    const Averages found = drawn(pictures, face_to_face(surface, number, number));
    // every texel once: the mean of max(0, N(0, 1)) over 65536 draws is 1/sqrt(2 pi) with a deviation of 0.584/256
    for (const double x : found.a) EXPECT_NEAR(x, 1 / std::sqrt(2 * pi), 4 * 0.584 / 256);
    for (const double x : found.b) EXPECT_NEAR(x, 1 / std::sqrt(2 * pi), 4 * 0.584 / 256);
}

TEST(PatchPictures, APatchOverACornerCountsItsQuarter) {
    PatchPictures pictures(16, 4, FacetWeight::Projected);
    const int ground = pictures.add_surface(flat_sheet(1, 0.1)), foot = pictures.add_surface(flat_sheet(0.1, 0.1));
    PatchView view = face_to_face(ground, -1, -1);
    view.b.surface = foot;
    view.point = {0.1, 0.1, 0};
    EXPECT_EQ(drawn(pictures, view).covered, 64);
    view.point = {0.2, 0.2, 0};
    const Averages none = drawn(pictures, view);
    EXPECT_EQ(none.covered, 0);
    EXPECT_EQ(none.a[0], 0);
}

TEST(PatchPictures, OutermostSurfaceIsSeen) {   // two sheets of A within the box, the lower one rough
    PatchPictures pictures(16, 4, FacetWeight::Projected);
    std::vector<Corner> two = flat_sheet(0.1, 0.1), lower = two;
    for (Corner& c : lower) c.position.z = -0.0002;
    two.insert(two.begin(), lower.begin(), lower.end());
    for (size_t i = 0; i < 6; ++i) two[i].uv = {0.75, 0.5};   // the rough texel
    for (size_t i = 6; i < 12; ++i) two[i].uv = {0.25, 0.5};
    const int surface = pictures.add_surface(two), other = pictures.add_surface(flat_sheet(0.1, 0.1));
    const int map = pictures.add_map({2, 1, {{0, 0}, {5, 5}}, {}, {}});
    PatchView view = face_to_face(surface, map, -1);
    view.b.surface = other;
    for (const double x : drawn(pictures, view).a) EXPECT_EQ(x, 0);
}

/// Contacts of two curved sheets with mirrored textures, some of them at borders; more than one round of tiles.
TEST(PatchPictures, AgreesWithRaysOnCurvedSurfaces) {
    constexpr int kContacts = 10000, kResolution = 16, kDirections = 16;
    const auto saddle = [](double x, double y) { return 2 * x * y + 1.5 * x * x - y * y; };
    const auto waves = [](double x, double y) { return 0.004 * std::sin(60 * x) * std::cos(45 * y); };
    const std::vector<Corner> on_a = sheet(0.1, 12, 0.05, true, saddle), on_b = sheet(0.08, 12, 0.04, true, waves);
    const surface::SlopeMap map_a = gaussian_map(64, 0.5, 0.2, 1), map_b = gaussian_map(48, 0.3, 0.6, 2);
    for (const FacetWeight weight : {FacetWeight::Projected, FacetWeight::TrueArea}) {
        PatchPictures pictures(kResolution, kDirections, weight);
        const int a = pictures.add_surface(on_a), b = pictures.add_surface(on_b), number_a = pictures.add_map(map_a), number_b = pictures.add_map(map_b);
        Random random(7);
        std::vector<PatchView> views;
        for (int i = 0; i < kContacts; ++i) {
            PatchView v;
            v.a = {a, number_a, {{random.normal(), random.normal(), random.normal()}, turned(normalized(Vec3{random.normal(), random.normal(), random.normal()}), random.uniform(0, 6))}, {1, 1}, {random.uniform(), random.uniform()}};
            v.b = {b, number_b, {}, {1.5, 1.5}, {random.uniform(), random.uniform()}};
            const auto place = [&](double half, const auto& height) {
                const double x = random.uniform(-half, half), y = random.uniform(-half, half), h = 1e-6;
                return std::pair{Vec3{x, y, height(x, y)},
                                 normalized(Vec3{-(height(x + h, y) - height(x - h, y)) / (2 * h), -(height(x, y + h) - height(x, y - h)) / (2 * h), 1})};
            };
            const auto [pa, na] = place(0.1, saddle);
            const auto [pb, nb] = place(0.08, waves);
            v.point = v.a.pose * pa;
            v.normal = rotate(v.a.pose.orientation, na);
            v.t = normalized(across(v.normal, {random.normal(), random.normal(), random.normal()}));
            // B's normal against A's, turned at random about it
            const Vec3 target = -v.normal, aim = normalized(cross(nb, target));
            const Quat onto = turned(aim, std::acos(clamp(dot(nb, target), -1, 1)));
            v.b.pose.orientation = normalized(turned(target, random.uniform(0, 2 * pi)) * onto);
            v.b.pose.position = v.point - rotate(v.b.pose.orientation, pb);
            v.width = 0.02;
            v.depth = random.uniform(0.1, 1) * v.width;
            views.push_back(v);
        }
        std::vector<double> found_a(kContacts * kDirections), found_b(found_a.size());
        std::vector<int> covered(kContacts);
        pictures.measure(views, found_a, found_b, covered);
        int border = 0, compared = 0, ties = 0;
        for (int i = 0; i < kContacts; i += weight == FacetWeight::Projected ? 10 : 40) {
            const Averages rays = by_rays(on_a, map_a, on_b, map_b, views[static_cast<size_t>(i)], kResolution, kDirections, weight);
            ++compared;
            border += rays.covered < kResolution * kResolution ? 1 : 0;
            // Where a ray meets the edge of a texel or of the sheet, single precision may see the neighbour: places are good to 4e-6 of a texel
            // (2e-7 of the sheet, 5 tiles of 64 texels along it). 512 rays, each with four sides of a texel and three of a triangle, meet one
            // within 1e-5 in 4 % of the contacts.
            if (rays.tie < 1e-5) {
                ++ties;
                continue;
            }
            EXPECT_EQ(covered[static_cast<size_t>(i)], rays.covered) << i;
            for (int k = 0; k < kDirections; ++k) {
                const auto at = static_cast<size_t>(i * kDirections + k);
                EXPECT_NEAR(found_a[at], rays.a[static_cast<size_t>(k)], 2e-6) << i;   // measured 2e-7; sums of 256 floats
                EXPECT_NEAR(found_b[at], rays.b[static_cast<size_t>(k)], 2e-6) << i;
            }
        }
        EXPECT_GT(border, compared / 10);   // the test sees borders
        EXPECT_LT(ties, compared / 10);
    }
}

}  // namespace
}  // namespace asperity::gl
