// Every pair of convex kinds in random poses: against lines cut exactly, finite differences, the swapped pair, and the same
// pair at another position.
#include "asperity/geometry/shared_volume/detail/clipped_solid.h"
#include "overlap_reference.h"
#include "tests/support/allocations.h"

namespace asperity::geometry {
namespace {

using Method = Overlap::Method;

struct Kind {
    const char* name;
    Shape shape;
};
std::vector<Kind> kinds() {
    Random random(21);
    return {{"half-space", HalfSpace{}},
            {"box", Box{{0.5, 0.4, 0.3}}},
            {"hull of 8", random_hull(random, 8, 0.45)},
            {"hull of 64", random_hull(random, 64, 0.45)},
            {"cylinder", Cylinder{0.4, 0.25}},
            {"capsule", Capsule{0.2, 0.3}},
            {"sphere", Sphere{0.4}}};
}

struct Placed {
    Pose a, b;
    double depth;
};
/// B pressed into A by `depth` along a random direction from first contact, which may be on faces, edges or vertices.
Placed pressed(Random& random, const Shape& a, const Shape& b, double depth) {
    const Pose pose_a = random_pose(random, 0.5);
    const Quat turn = random_pose(random, 0).orientation;
    const bool plane = std::holds_alternative<HalfSpace>(a);
    const Vec3 d =
        plane ? rotate(pose_a.orientation, {0, 0, 1}) : normalized(Vec3{random.normal(), random.normal(), random.normal()});
    const Vec3 top = plane ? pose_a.position : pose_a * support(a, rotate_inverse(pose_a.orientation, d));
    const Vec3 low = rotate(turn, support(b, rotate_inverse(turn, -d)));
    return {pose_a, {top - low - depth * d, turn}, depth};
}
/// Calls f(a, b, what) for every pair of kinds.
template <class F>
void for_pairs(const F& f) {
    const std::vector<Kind> all = kinds();
    for (size_t i = 0; i < all.size(); ++i)
        for (size_t k = std::max<size_t>(i, 1); k < all.size(); ++k)
            f(all[i].shape, all[k].shape, std::string(all[i].name) + ", " + all[k].name);
}
/// Error bound, relative to the volume: below ten times the largest error of 60 poses of each pair.
double tolerance(const Overlap& o) { return o.method == Method::Slices ? 3e-3 : 1e-6; }

TEST(OverlapConvex, MatchesLinesCutExactly) {
    Random random(31);
    int checked = 0;
    for_pairs([&](const Shape& a, const Shape& b, const std::string& what) {
        for (int go = 0; go < 4; ++go) {
            const Placed at =
                pressed(random, a, b, go % 4 == 3 ? random.uniform(0.2, 0.6) : std::pow(10, random.uniform(-2.5, -0.8)));
            const Overlap o = shared(a, at.a, b, at.b);
            if (!o) continue;
            const Mat3& m = o.second_moment;
            const double reach = 5 * std::sqrt((m.r[0].x + m.r[1].y + m.r[2].z) / o.volume);
            const Vec3 u = normalized(o.parts[0].normal + Vec3{1e-3, 2e-3, -1e-3});  // not aligned with faces
            const Reference r = by_lines(a, at.a, b, at.b, u, o.centre, reach, 120),
                            coarse = by_lines(a, at.a, b, at.b, u, o.centre, reach, 80);
            // Lines that miss a vertex or run along a face: three times the difference of two grids.
            const double bar = 3 * std::fabs(r.volume / coarse.volume - 1) + 5e-4 + tolerance(o);
            EXPECT_NEAR(o.volume / r.volume, 1, bar) << what << ", pose " << go;
            EXPECT_LE(length(o.centre - r.centre), (2 * bar + length(r.centre - coarse.centre) / r.size) * r.size)
                << what << ", pose " << go;
            for (int i = 0; i < 3; ++i)
                for (int k = 0; k < 3; ++k)
                    EXPECT_NEAR(o.second_moment.r[i][k] / (r.volume * r.size * r.size),
                                r.second_moment.r[i][k] / (r.volume * r.size * r.size), 5 * bar)
                        << what << ", pose " << go;
            ++checked;
        }
    });
    EXPECT_GE(checked, 90);
}

// The derivative of the computed volume. Closed forms: steps of 1e-4 of the depth leave 1e-7 of truncation, and more where a
// feature passes within the step. Slices: steps of 1e-2, because the volume has an error that changes from step to step.
TEST(OverlapConvex, GradientAndTurningAreTheDerivativesOfTheVolume) {
    Random random(32);
    int checked = 0;
    for_pairs([&](const Shape& a, const Shape& b, const std::string& what) {
        for (int go = 0; go < 8; ++go) {
            const Placed at = pressed(random, a, b, std::pow(10, random.uniform(-2.5, -0.8)));
            const Overlap o = shared(a, at.a, b, at.b);
            if (!o) continue;
            const bool slices = o.method == Method::Slices;
            const double step = (slices ? 1e-2 : 1e-4) * at.depth, push = length(o.gradient), within = slices ? 0.03 : 1e-4;
            const Mat3& m = o.second_moment;
            const double size = std::sqrt((m.r[0].x + m.r[1].y + m.r[2].z) / o.volume);
            const Differences d = differences(a, at.a, b, at.b, o.centre, step);
            expect_near(o.gradient / push, d.gradient / push, within, (what + ", gradient").c_str());
            expect_near(o.turning / (push * size), d.turning / (push * size), within, (what + ", turning").c_str());
            ++checked;
        }
    });
    EXPECT_GE(checked, 180);
}

// Slices of cylinders are divided wherever a vertex of one passes a side or an end of the other. So only rounding is left
// and, in the differences, truncation. This holds for rims that touch by 0.1 mm, where several vertices pass within a
// thousandth of the slices, and for bodies deep in each other. Largest of 3000 poses: 1.4e-6; allowed: ten times that.
TEST(OverlapConvex, OfTwoCylindersHasItsGradientInAnyPose) {
    Random random(34);
    int checked = 0;
    for (int go = 0; go < 400; ++go) {
        const Shape a = Cylinder{random.uniform(0.05, 0.5), random.uniform(0.05, 0.5)},
                    b = Cylinder{random.uniform(0.05, 0.5), random.uniform(0.05, 0.5)};
        const Placed at = pressed(random, a, b, std::pow(10, random.uniform(-4, -0.8)));
        const Overlap o = shared(a, at.a, b, at.b);
        if (!o) continue;
        const Differences d = differences(a, at.a, b, at.b, o.centre, 1e-4 * at.depth);
        EXPECT_LE(length(o.gradient - d.gradient), 1.4e-5 * length(o.gradient)) << go << ", " << 1e3 * at.depth << " mm";
        ++checked;
    }
    EXPECT_GE(checked, 380);
}

// Faces wholly inside a round body come from a table; those that it cuts are integrated. Either way two halves of a hull
// must share as much as the hull.
TEST(OverlapConvex, OfAHullIsThatOfItsHalves) {
    Random random(35);
    int checked = 0;
    for (const int corners : {8, 40, 300})
        for (int go = 0; go < 60; ++go) {
            const Hull hull = random_hull(random, corners, 0.45);
            const Vec3 n = normalized(Vec3{random.normal(), random.normal(), random.normal()});
            Vec3 sum;
            for (const Vec3& p : hull.polyhedron->vertices) sum += p;
            const double level = dot(n, sum) / static_cast<double>(hull.polyhedron->vertices.size());
            const auto half = [&](double side) {
                detail::ClippedSolid solid;
                EXPECT_TRUE(solid.load(view(*hull.polyhedron), side * n, side * level));
                std::vector<Vec3> points;
                solid.for_corners([&](const Vec3& p) { points.push_back(p); });
                return convex_hull(points);
            };
            const Hull low = half(1), high = half(-1);
            const Shape rounds[] = {Sphere{random.uniform(0.1, 1.5)},
                                    Capsule{random.uniform(0.1, 0.6), random.uniform(0.05, 0.6)},
                                    Cylinder{random.uniform(0.1, 0.6), random.uniform(0.05, 0.6)}};
            const Shape& round = rounds[go % 3];
            const Placed at = pressed(random, hull, round, std::pow(10, random.uniform(-2, -0.2)));
            const Overlap whole = shared(hull, at.a, round, at.b);
            if (!whole) continue;
            double volume = 0;
            Vec3 first, gradient;
            bool both = true;  // a half apart from the round body, or inside it, has no parts and no gradient
            for (const Hull* part : {&low, &high}) {
                const Overlap o = shared(*part, at.a, round, at.b);
                both = both && o;
                volume += o.volume;
                first += o.volume * (o.centre - whole.centre);
                gradient += o.gradient;
            }
            const double size = std::cbrt(whole.volume);
            // Gauss points on other arcs: 1e-8 each.
            EXPECT_LE(length(gradient - whole.gradient), 1e-6 * size * size) << corners << ", " << go;
            if (!both) continue;
            EXPECT_NEAR(volume / whole.volume, 1, 1e-6) << corners << ", " << go;
            EXPECT_LE(length(first), 1e-6 * whole.volume * size) << corners << ", " << go;
            ++checked;
        }
    EXPECT_GE(checked, 50);
}

// The face table of a box comes from its size, that of its hull from the vertices.
TEST(OverlapConvex, OfABoxIsThatOfItsHull) {
    Random random(36);
    const Vec3 half{0.5, 0.4, 0.3};
    const Shape box = Box{half}, hull = Hull{std::make_shared<Polyhedron>(box_polyhedron(half))};
    int checked = 0;
    for (const Kind& kind : kinds())
        for (int go = 0; go < 20; ++go) {
            if (std::holds_alternative<HalfSpace>(kind.shape)) continue;
            const Placed at = pressed(random, box, kind.shape, std::pow(10, random.uniform(-3, -0.3)));
            const Overlap a = shared(box, at.a, kind.shape, at.b), b = shared(hull, at.a, kind.shape, at.b);
            ASSERT_EQ(static_cast<bool>(a), static_cast<bool>(b)) << kind.name << ", " << go;
            if (!a) continue;
            EXPECT_NEAR(a.volume / b.volume, 1, 1e-9) << kind.name << ", " << go;
            EXPECT_LE(length(a.gradient - b.gradient), 1e-9 * length(b.gradient)) << kind.name << ", " << go;
            EXPECT_LE(length(a.centre - b.centre), 1e-9) << kind.name << ", " << go;
            ++checked;
        }
    EXPECT_GE(checked, 100);
}

TEST(OverlapConvex, DoesNotDependOnTheOrderNorOnThePlace) {
    Random random(33);
    for_pairs([&](const Shape& a, const Shape& b, const std::string& what) {
        for (int go = 0; go < 6; ++go) {
            const Placed at = pressed(random, a, b, std::pow(10, random.uniform(-2, -0.7)));
            const Pose move{{20, -30, 10}, rotation({1, 2, -1})};
            const Overlap o = shared(a, at.a, b, at.b), swapped = shared(b, at.b, a, at.a),
                          moved = shared(a, move * at.a, b, move * at.b);
            if (!o) continue;
            // Slices search for points of division, and may find other ones.
            const double within = o.method == Method::Slices ? 1e-3 : 1e-9, push = length(o.gradient);
            const Mat3 r = matrix(move.orientation);
            EXPECT_NEAR(swapped.volume / o.volume, 1, within) << what;
            expect_near(swapped.gradient / push, -o.gradient / push, 10 * within, what.c_str());
            expect_near(swapped.parts[0].normal, -o.parts[0].normal, 10 * within, what.c_str());
            // Coordinates of 40 m have a resolution of 7e-15 m, and depths of 0.01 m enter as squares and cubes.
            EXPECT_NEAR(moved.volume / o.volume, 1, larger(within, 1e-8)) << what;
            expect_near(moved.centre, move * o.centre, 0.1 * larger(within, 1e-8), what.c_str());
            expect_near(moved.gradient / push, r * o.gradient / push, 10 * larger(within, 1e-8), what.c_str());
        }
    });
}

// Aligned poses: coplanar faces, axes in faces, vertices on circles, centres on edges. The volume must be continuous there.
TEST(OverlapConvex, IsContinuousInPosesThatAreAligned) {
    Random random(38);
    const double places[] = {0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7};
    int checked = 0;
    for_pairs([&](const Shape& a, const Shape& b, const std::string& what) {
        const auto place = [&] {
            return places[static_cast<size_t>(random.uniform(0, 9)) % 9] * (random.uniform(0, 1) < 0.5 ? -1 : 1);
        };
        for (int go = 0; go < 150; ++go) {
            Vec3 turn;
            turn[static_cast<int>(random.uniform(0, 3)) % 3] = 0.25 * kPi * (static_cast<int>(random.uniform(0, 8)) % 8);
            const Pose at{{place(), place(), place()}, rotation(turn)};
            const Vec3 d = normalized(Vec3{random.normal(), random.normal(), random.normal()});
            const Overlap o = shared(a, {}, b, at), beside = shared(a, {}, b, {at.position + 1e-7 * d, at.orientation});
            if (!o || !beside) continue;  // one inside the other, or touching
            // A step of 1e-7 changes a volume by that times its cross-section, which is below 1 m^2.
            const double error = o.method == Method::Slices ? 1e-3 * o.volume : 0;
            EXPECT_NEAR(o.volume, beside.volume, 2e-7 + error)
                << what << " at " << at.position.x << ", " << at.position.y << ", " << at.position.z << ", turned " << turn.x
                << ", " << turn.y << ", " << turn.z;
            ++checked;
        }
    });
    EXPECT_GE(checked, 2000);
}

// The whole smaller body is shared: its volume, centre and second moment. Motion changes nothing, so there is no contact.
TEST(OverlapConvex, OfABodyInsideAnotherIsTheBody) {
    Random random(34);
    const Shape outer_shapes[] = {Box{{2, 2, 2}}, random_hull(random, 30, 4), Cylinder{2, 2}, Capsule{2, 2}, Sphere{2}};
    const Shape inner_shapes[] = {Box{{0.3, 0.2, 0.1}}, random_hull(random, 20, 0.3), Cylinder{0.3, 0.2}, Capsule{0.2, 0.2},
                                  Sphere{0.3}};
    for (const Shape& a : outer_shapes)
        for (const Shape& b : inner_shapes)
            for (int go = 0; go < 5; ++go) {
                const Pose at = random_pose(random, 0.2);
                EXPECT_FALSE(shared(a, {}, b, at)) << a.index() << " " << b.index();
                EXPECT_FALSE(shared(b, at, a, {})) << a.index() << " " << b.index();
                // Cut in half: a plane through the middle shares half of any symmetric body.
                if (std::holds_alternative<Hull>(b)) continue;
                const Overlap half = shared(HalfSpace{}, {at.position, random_pose(random, 0).orientation}, b, at);
                EXPECT_NEAR(half.volume / volume_integrals(b).volume, 0.5, 1e-7) << b.index();
            }
}

TEST(OverlapConvex, TouchingOrApartIsNothingAndASkinBridgesIt) {
    Random random(35);
    for_pairs([&](const Shape& a, const Shape& b, const std::string& what) {
        for (int go = 0; go < 6; ++go) {
            const Placed touching = pressed(random, a, b, -1e-12), near = pressed(random, a, b, 1e-5);
            EXPECT_FALSE(shared(a, touching.a, b, touching.b)) << what;
            // Along a random direction only the support planes are known to touch. So B may be farther away, but never
            // deeper.
            const Overlap o = shared(a, near.a, b, near.b, {.skin = 1e-4});
            for (int i = 0; i < o.part_count; ++i) {
                EXPECT_TRUE(is_finite(o.parts[0].centre) && o.volume > 0) << what;
                EXPECT_LE(o.parts[0].depth, 2.2e-4 * 3) << what;
                EXPECT_GT(dot(o.parts[0].normal, -o.gradient), 0) << what;
            }
        }
    });
}

// Size ratios of 1 : 1000, needles and plates, and depths of 1e-9 to 0.1 of the small body: results are finite and valid,
// and the gradient is the derivative.
TEST(OverlapConvex, NeedlesAndSizesOfOneToAThousandAreSound) {
    Random random(36);
    const Shape large[] = {HalfSpace{},          Box{{500, 500, 500}}, Cylinder{500, 500}, Capsule{500, 500}, Sphere{500},
                           Box{{1, 1e-3, 1e-3}}, Cylinder{1e-3, 1},    Cylinder{1, 1e-3},  Capsule{1e-3, 1}};
    const Shape small[] = {Box{{0.5, 0.4, 0.3}}, Cylinder{0.3, 0.4}, Capsule{0.3, 0.4},  Sphere{0.5},
                           Cylinder{1e-3, 0.5},  Capsule{1e-3, 0.5}, Cylinder{0.5, 1e-3}};
    int found = 0;
    for (const Shape& a : large)
        for (const Shape& b : small)
            for (int go = 0; go < 20; ++go) {
                const Placed at = pressed(random, a, b, std::pow(10, random.uniform(-9, -1)) * 0.3);
                const Overlap o = shared(a, at.a, b, at.b, {.skin = 1e-7});
                for (int i = 0; i < o.part_count; ++i) {
                    const OverlapPart& part = o.parts[static_cast<size_t>(i)];
                    EXPECT_TRUE(is_finite(part.centre) && is_finite(part.normal) && part.volume > 0 &&
                                std::isfinite(part.depth));
                    EXPECT_NEAR(length(part.normal), 1, 1e-12);
                    EXPECT_GT(dot(part.normal, -part.gradient), 0) << a.index() << " " << b.index() << " depth " << at.depth;
                    for (int k = 0; k < 3; ++k)
                        EXPECT_GE(part.second_moment.r[k][k], 0) << a.index() << " " << b.index() << " depth " << at.depth;
                    const PatchList list = patches(o);
                    EXPECT_TRUE(std::isfinite(list.items[0].gap) && is_finite(list.items[0].centre));
                    ++found;
                }
            }
    EXPECT_GE(found, 400);
}

TEST(OverlapConvex, AllocatesNothingOnceItsScratchMemoryHasGrown) {
    Random random(37);
    Overlap o;
    PatchList list;
    for_pairs([&](const Shape& a, const Shape& b, const std::string& what) {
        const Placed deep = pressed(random, a, b, 0.4), at = pressed(random, a, b, 0.05);
        overlap(a, deep.a, b, deep.b, {}, o);
        overlap(a, at.a, b, at.b, {}, o);
        const long before = testing_support::allocation_count();
        for (int go = 0; go < 3; ++go) {
            overlap(a, deep.a, b, deep.b, {}, o);
            make_patches(o, {}, list);
            overlap(a, at.a, b, at.b, {}, o);
            make_patches(o, {}, list);
        }
        EXPECT_EQ(testing_support::allocation_count() - before, 0) << what;
    });
}

}  // namespace
}  // namespace asperity::geometry
