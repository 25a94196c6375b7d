// Hulls deep in one another, in random and degenerate poses, against a reference that knows only planes. A vertex of the
// shared solid is a point of three planes that no other plane cuts off. The reference shares no order of cutting, edges or
// loops with the code under test.
#include <algorithm>

#include "asperity/geometry/shared_volume/detail/clipped_solid.h"
#include "overlap_fixture.h"

namespace asperity::geometry {
namespace {

struct Plane {
    Vec3 normal;
    double offset;
    bool second;
};
void add_planes(const Hull& hull, const Pose& pose, bool second, std::vector<Plane>& planes) {
    for (const Polyhedron::Face& f : hull.polyhedron->faces) {
        const Vec3 n = rotate(pose.orientation, f.normal);
        planes.push_back({n, f.offset + dot(n, pose.position), second});
    }
}
std::vector<Plane> planes_of(const Hull& a, const Pose& pose_a, const Hull& b, const Pose& pose_b) {
    std::vector<Plane> planes;
    add_planes(a, pose_a, false, planes);
    add_planes(b, pose_b, true, planes);
    return planes;
}

struct Judged {
    double volume = 0;
    Vec3 centre, gradient, turning;
    Mat3 second_moment = Mat3::diagonal({0, 0, 0});
};
/// About `about`, near the shared solid, so that vertices of narrow angles keep their digits.
Judged judge(std::vector<Plane> planes, const Vec3& about) {
    struct Corner {
        Vec3 at;
        size_t planes[3];
    };
    std::vector<Corner> corners;
    double size = 0;
    for (Plane& p : planes) {
        p.offset -= dot(p.normal, about);
        size = std::max(size, std::fabs(p.offset));
    }
    size_t last_cutter = 0;
    for (size_t i = 0; i < planes.size(); ++i)
        for (size_t j = i + 1; j < planes.size(); ++j) {
            const Vec3 along = cross(planes[i].normal, planes[j].normal);
            if (length(along) < 1e-12) continue;
            for (size_t k = j + 1; k < planes.size(); ++k) {
                const double det = dot(along, planes[k].normal);
                if (std::fabs(det) < 1e-12) continue;
                const Vec3 p = (planes[i].offset * cross(planes[j].normal, planes[k].normal) +
                                planes[j].offset * cross(planes[k].normal, planes[i].normal) + planes[k].offset * along) /
                               det;
                const auto cuts = [&](size_t m) {
                    return m != i && m != j && m != k && dot(planes[m].normal, p) > planes[m].offset + 1e-11 * size;
                };
                if (cuts(last_cutter)) continue;
                bool kept = true;
                for (size_t m = 0; m < planes.size() && kept; ++m)
                    if (cuts(m)) kept = false, last_cutter = m;
                if (kept) corners.push_back({p, {i, j, k}});
            }
        }
    Judged r;
    if (corners.size() < 4) return r;
    const Vec3 origin = corners[0].at;
    Vec3 first;
    Mat3 second = Mat3::diagonal({0, 0, 0});
    for (size_t i = 0; i < planes.size(); ++i) {
        std::vector<Vec3> face;
        Vec3 middle;
        for (const Corner& c : corners)
            if (c.planes[0] == i || c.planes[1] == i || c.planes[2] == i) face.push_back(c.at), middle += c.at;
        if (face.size() < 3) continue;
        middle = middle / static_cast<double>(face.size());
        const Vec3 e = any_tangent(planes[i].normal), w = cross(planes[i].normal, e);
        const auto angle = [&](const Vec3& p) { return std::atan2(dot(w, p - middle), dot(e, p - middle)); };
        std::sort(face.begin(), face.end(), [&](const Vec3& p, const Vec3& q) { return angle(p) < angle(q); });
        for (size_t k = 0; k < face.size(); ++k) {
            const Vec3 a = middle - origin, b = face[k] - origin, c = face[(k + 1) % face.size()] - origin, sum = a + b + c;
            const double v = dot(a, cross(b, c)) / 6;
            r.volume += v;
            first += v / 4 * sum;
            second = second + (v / 20) * (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum));
            if (!planes[i].second) continue;
            const Vec3 area = 0.5 * cross(b - a, c - a);
            r.gradient += area;
            r.turning += cross(sum / 3, area);
        }
    }
    const Vec3 c = first / r.volume;
    r.centre = about + origin + c;
    r.second_moment = second + (-r.volume) * outer(c, c);
    r.turning -= cross(c, r.gradient);
    return r;
}

/// Compared relative to the shared solid: its volume, surface and extent.
void expect_agree(const Overlap& o, const Judged& r, double within, const std::string& what) {
    const Mat3& m = r.second_moment;
    const double size = std::sqrt((m.r[0].x + m.r[1].y + m.r[2].z) / r.volume), area = std::cbrt(r.volume * r.volume);
    EXPECT_NEAR(o.volume / r.volume, 1, within) << what;
    EXPECT_LE(length(o.centre - r.centre) / size, within) << what;
    EXPECT_LE(length(o.gradient - r.gradient) / area, within) << what;
    EXPECT_LE(length(o.turning - r.turning) / (area * size), within) << what;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            EXPECT_NEAR(o.second_moment.r[i][k] / (r.volume * size * size), m.r[i][k] / (r.volume * size * size), within)
                << what << ", entry " << i << ", " << k;
}

// Ten times the largest difference seen, 7.1e-12 over 26 random sequences (1.8e-13 in this one). For needles and plates it
// is 3.9e-6. convex_hull() merges faces whose vertices lie within 1e-7 of the extent of one plane. So the vertices, which
// the code uses, and the planes, which the reference uses, are not quite the same body; and a part of a plate is a
// thousandth of that extent.
constexpr double kWithin = 7e-11, kWithinThin = 4e-5;

TEST(OverlapHulls, DeepInOneAnotherMatchPlanesThreeByThree) {
    Random random(51);
    int compared = 0;
    for (int go = 0; go < 60; ++go) {
        const Hull a = random_hull(random, 6 + go % 12, 0.5), b = random_hull(random, 6 + go / 5, 0.5);
        const Pose pose_a = random_pose(random, 0.15), pose_b = random_pose(random, 0.15);
        const Overlap o = shared(a, pose_a, b, pose_b);
        const Judged expected = judge(planes_of(a, pose_a, b, pose_b), 0.5 * (pose_a.position + pose_b.position));
        if (!o) {
            EXPECT_LE(length(expected.gradient), 1e-9) << go;  // one inside the other
            continue;
        }
        expect_agree(o, expected, kWithin, "pair " + std::to_string(go));
        ++compared;
    }
    EXPECT_GE(compared, 50);
    for (int go = 0; go < 3; ++go) {  // one in the other by 0.2, 0.5 and 1: up to 240 planes
        const Hull a = random_hull(random, 64, 0.5), b = random_hull(random, 64, 0.5);
        const Pose pose_a = random_pose(random, 0), pose_b{(go == 0   ? 0.8
                                                            : go == 1 ? 0.5
                                                                      : 0.01) *
                                                               random_direction(random),
                                                           random_pose(random, 0).orientation};
        expect_agree(shared(a, pose_a, b, pose_b), judge(planes_of(a, pose_a, b, pose_b), 0.5 * pose_b.position), kWithin,
                     "hulls of 64, " + std::to_string(go));
    }
}

TEST(OverlapHulls, NeedlesPlatesAndSizesOfOneToAThousandMatchPlanesThreeByThree) {
    Random random(52);
    int compared = 0;
    for (const auto& [sa, sb] : extreme_sizes())
        for (int go = 0; go < 12; ++go) {
            const Hull a = stretched_hull(random, sa), b = stretched_hull(random, sb);
            const Quat qa = random_pose(random, 0).orientation, qb = random_pose(random, 0).orientation;
            // A vertex of b goes into a vertex of a, by half of the smaller thickness.
            const Vec3 d = random_direction(random), on = rotate(qa, support(a, rotate_inverse(qa, d))),
                       corner = rotate(qb, support(b, rotate_inverse(qb, -d)));
            const double thin = smaller(smaller(sa.z, sb.z), 1);
            const Pose pose_a{{}, qa}, pose_b{on - corner - 0.5 * thin * d, qb};
            const Overlap o = shared(a, pose_a, b, pose_b);
            if (!o) continue;
            expect_agree(o, judge(planes_of(a, pose_a, b, pose_b), o.centre), kWithinThin,
                         "scales " + std::to_string(sa.y) + ", " + std::to_string(sb.y) + ", pose " + std::to_string(go));
            ++compared;
        }
    EXPECT_GE(compared, 40);
}

/// Volume of a hull cut by all planes of another, whether or not overlap() counts it as a contact.
double cut_volume(const Hull& a, const Hull& b, const Pose& b_in_a) {
    detail::ClippedSolid solid;
    const PolyhedronView body = view(*a.polyhedron);
    bool loaded = false;
    for (const Polyhedron::Face& f : b.polyhedron->faces) {
        const Vec3 n = rotate(b_in_a.orientation, f.normal);
        const double offset = f.offset + dot(n, b_in_a.position);
        if (!(loaded ? solid.cut(n, offset) : solid.load(body, n, offset))) return 0;
        loaded = true;
    }
    detail::Moments volume;
    detail::AreaMoments surface;
    solid.integrate(solid.any_corner(), volume, surface);
    return volume.volume;
}

TEST(OverlapHulls, WithThemselvesAreThemselves) {
    Random random(53);
    for (const int points : {4, 8, 20, 64}) {
        const Hull hull = random_hull(random, points, 0.5);
        const double whole = volume_integrals(hull).volume;
        EXPECT_NEAR(cut_volume(hull, hull, {}) / whole, 1, 1e-13);
        EXPECT_FALSE(shared(hull, {}, hull, {}));
        // After a small displacement d a convex body loses a skin: the area of its shadow times d. The border of the shadow,
        // of length < 4, changes that by at most 4 d^2.
        double shadow = 0;
        const Vec3 d = random_direction(random);
        for (const Polyhedron::Face& f : hull.polyhedron->faces) {
            Vec3 area;
            const auto corner = [&](int i) {
                return hull.polyhedron
                    ->vertices[static_cast<size_t>(hull.polyhedron->loop[static_cast<size_t>(f.first + i)])];
            };
            for (int i = 2; i < f.count; ++i) area += 0.5 * cross(corner(i - 1) - corner(0), corner(i) - corner(0));
            shadow += larger(0, dot(area, d));
        }
        for (const double way : {1e-15, 1e-12, 1e-9, 1e-6, 1e-3}) {
            EXPECT_NEAR(cut_volume(hull, hull, {way * d, {}}), whole - way * shadow, 4 * way * way + 1e-14) << way;
            // In a rotation about the middle every point moves by less than half the angle, so at most that skin is lost.
            EXPECT_NEAR(cut_volume(hull, hull, {{}, rotation(way * d)}), whole, way * 4 + 1e-14) << way;
        }
    }
}

TEST(OverlapHulls, InsideAnotherAreWhole) {
    Random random(54);
    for (int go = 0; go < 20; ++go) {
        const Hull large = random_hull(random, 40, 2), small = random_hull(random, 10 + go, 0.3);
        const Pose at = random_pose(random, 0.2), back{at.to_local({}), conjugate(at.orientation)};
        const double whole = volume_integrals(small).volume;
        EXPECT_NEAR(cut_volume(small, large, back) / whole, 1, 1e-13);
        EXPECT_NEAR(cut_volume(large, small, at) / whole, 1, 1e-11);
        EXPECT_FALSE(shared(large, {}, small, at));
    }
}

TEST(OverlapHulls, WithFacesInOnePlaneShareProductsOfIntervals) {
    // Boxes as hulls with aligned edges: at every combination of positions some faces are coplanar, and edges and vertices
    // lie on each other.
    const Hull a{std::make_shared<Polyhedron>(box_polyhedron({0.5, 0.4, 0.3}))},
        b{std::make_shared<Polyhedron>(box_polyhedron({0.25, 0.4, 0.1}))};
    const Vec3 half_a{0.5, 0.4, 0.3}, half_b{0.25, 0.4, 0.1};
    for (const double x : {-0.75, -0.5, -0.25, 0.0, 0.25, 0.6, 0.75})
        for (const double y : {-0.8, -0.4, 0.0, 0.3, 0.8})
            for (const double z : {-0.4, -0.3, -0.2, 0.0, 0.1, 0.2, 0.35}) {
                const Vec3 at{x, y, z};
                double expected = 1;
                for (int k = 0; k < 3; ++k)
                    expected *= larger(0, smaller(half_a[k], at[k] + half_b[k]) - larger(-half_a[k], at[k] - half_b[k]));
                EXPECT_NEAR(cut_volume(a, b, {at, {}}), expected, 1e-15) << x << " " << y << " " << z;
                EXPECT_NEAR(cut_volume(b, a, {-at, {}}), expected, 1e-15) << x << " " << y << " " << z;
                const Overlap o = shared(a, {}, b, {at, {}});
                if (o) { EXPECT_NEAR(o.volume, expected, 1e-15); }
            }
}

TEST(OverlapHulls, ThatTouchInACornerAnEdgeOrAFaceShareNothing) {
    Random random(55);
    for (int go = 0; go < 50; ++go) {
        const Hull a = random_hull(random, 12, 0.5), b = random_hull(random, 30, 0.5);
        const Quat turn = random_pose(random, 0).orientation;
        const Vec3 d = random_direction(random), top = support(a, d),
                   low = rotate(turn, support(b, rotate_inverse(turn, -d)));
        EXPECT_LE(cut_volume(a, b, {top - low, turn}), 1e-30) << "corners, " << go;
        EXPECT_FALSE(shared(a, {}, b, {top - low, turn}));
        // A hull and its mirror image, vertex to vertex, share the edges and faces that meet there.
        std::vector<Vec3> mirrored;
        for (const Vec3& p : a.polyhedron->vertices) mirrored.push_back(2 * top - p);
        EXPECT_FALSE(shared(a, {}, convex_hull(mirrored), {})) << "mirrored, " << go;
        const Polyhedron::Face& f = a.polyhedron->faces[static_cast<size_t>(go) % a.polyhedron->faces.size()];
        mirrored.clear();
        for (const Vec3& p : a.polyhedron->vertices) mirrored.push_back(p + 2 * (f.offset - dot(f.normal, p)) * f.normal);
        EXPECT_LE(cut_volume(a, convex_hull(mirrored), {}), 1e-14) << "faces, " << go;  // an area of 1 m^2 times rounding
    }
}

// Whatever the planes, the rest is closed: every half-edge has its twin, vertices - edges + faces = 2 (Euler), and the area
// vectors of the surface sum to zero.
TEST(ClippedSolid, StaysClosedWhateverCutsIt) {
    Random random(56);
    detail::SolidFaces left;
    for (int go = 0; go < 200; ++go) {
        const Hull hull = random_hull(random, 8 + go % 40, 0.5);
        detail::ClippedSolid solid;
        ASSERT_TRUE(solid.load(view(*hull.polyhedron), random_direction(random), 0.3));
        for (int cuts = 0; cuts < 30; ++cuts) {
            solid.list(left);
            // A plane through three of its vertices, along one of its faces, or any.
            const auto corner = [&] {
                return left.corners[static_cast<size_t>(left.loop[static_cast<size_t>(
                    random.uniform(0, 1) * 0.999 * (left.faces.back().first + left.faces.back().count))])];
            };
            const Vec3 p = corner(), q = corner(), r = corner();
            const detail::SolidFaces::Face& face =
                left.faces[static_cast<size_t>(random.uniform(0, 1) * 0.999 * static_cast<double>(left.faces.size()))];
            Vec3 n = cuts % 3 == 0 ? cross(q - p, r - p) : cuts % 3 == 1 ? face.plane.normal : random_direction(random);
            if (length(n) < 1e-6) continue;
            n = normalized(n);
            double offset = cuts % 3 == 1 ? face.plane.offset : dot(n, p) + (cuts % 3 == 2 ? -1e-3 : 0);
            if (dot(n, corner()) > offset) n = -n, offset = -offset;
            if (!solid.cut(n, offset)) break;
            solid.list(left);
            std::vector<bool> used(left.corners.size());
            Vec3 area;
            size_t halves = 0;
            for (const auto& f : left.faces) {
                ASSERT_GE(f.count, 3);
                halves += static_cast<size_t>(f.count);
                const auto at = [&](int i) {
                    return left.corners[static_cast<size_t>(left.loop[static_cast<size_t>(f.first + i)])];
                };
                for (int i = 0; i < f.count; ++i)
                    used[static_cast<size_t>(left.loop[static_cast<size_t>(f.first + i)])] = true;
                for (int i = 2; i < f.count; ++i) area += 0.5 * cross(at(i - 1) - at(0), at(i) - at(0));
            }
            ASSERT_EQ(static_cast<long>(std::count(used.begin(), used.end(), true)) - static_cast<long>(halves / 2) +
                          static_cast<long>(left.faces.size()),
                      2)
                << go << ", cut " << cuts;
            ASSERT_LE(length(area), 1e-14) << go << ", cut " << cuts;
        }
    }
}

}  // namespace
}  // namespace asperity::geometry
