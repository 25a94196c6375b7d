#include "tests/support/patch_problems.h"

#include <cmath>

#include <fmt/format.h>

namespace asperity::solvers {
namespace {

friction::PressureRegion region_of(Random& random, PatchProblemOptions::Region kind) {
    friction::PressureRegion region;
    const double a = random.uniform(0.05, 0.15), b = random.uniform(0.05, 0.15);
    switch (kind) {
        case PatchProblemOptions::Region::Rectangle:
            region.count = 4;
            region.corners[0] = {-a, -b}, region.corners[1] = {a, -b}, region.corners[2] = {a, b},
            region.corners[3] = {-a, b};
            break;
        case PatchProblemOptions::Region::Line:
            region.count = 2;
            region.corners[0] = {-a, 0}, region.corners[1] = {a, 0};
            break;
        case PatchProblemOptions::Region::Ellipse: region.a = a, region.b = b; break;
        case PatchProblemOptions::Region::Ball:
            region.a = region.b = 0.1 * a;
            region.rolls = true;
            break;
    }
    return region;
}

}  // namespace

ContactProblem patch_problem(Random& random, const PatchProblemOptions& options) {
    ContactProblem p;
    p.reset(options.bodies + 1, 0, options.bodies + (options.groove ? 1 : 0));
    const double length = 0.1;
    size_t next = 0;
    double top = 0;  // height of the top of the body below
    const auto touch = [&](int a, int b, const Vec3& normal, const Vec3& arm_a, const Vec3& arm_b) {
        PatchConstraint& patch = p.patches[next++];
        patch.a = a;
        patch.b = b;
        patch.normal = normal;
        const double turn = random.uniform(-1, 1);
        const Vec3 along{0, 1, 0};  // lies in every contact plane here
        patch.t = std::cos(turn) * along + std::sin(turn) * cross(normal, along);
        patch.u = along;
        patch.arm_a = arm_a;
        patch.arm_b = arm_b;
        patch.length = length;
        // u is at the angle -turn from t
        patch.limits = friction::PatchLimits(region_of(random, options.region), options.planar, options.spin, -turn, length);
    };
    for (int i = 0; i < options.bodies; ++i) {
        const Vec3 half{random.uniform(0.1, 0.2), random.uniform(0.1, 0.2), random.uniform(0.1, 0.5) * options.height};
        const double mass = random.uniform(0.5, 5);
        const auto body = static_cast<size_t>(i);
        p.inverse_mass[body] = 1 / mass;
        p.inverse_inertia[body] = Mat3::diagonal({3 / (mass * (half.y * half.y + half.z * half.z)),
                                                  3 / (mass * (half.x * half.x + half.z * half.z)),
                                                  3 / (mass * (half.x * half.x + half.y * half.y))});
        const auto any = [&] { return options.push * random.uniform(-1, 1); };
        p.velocity[body] = {{any(), any(), -0.0981}, {any() / 0.15, any() / 0.15, any() / 0.15}};
        const auto aside = [&] { return options.offset * random.uniform(-1, 1); };
        const Vec3 foot{aside(), aside(), -half.z};
        if (i == 0 && options.groove) {
            const double tilt = 0.7;
            for (const double side : {-1.0, 1.0})
                touch(options.bodies, 0, {-side * std::sin(tilt), 0, std::cos(tilt)}, {},
                      Vec3{0.7 * side * half.x, 0, -half.z});
        } else {
            touch(i == 0 ? options.bodies : i - 1, i, {0, 0, 1}, i == 0 ? Vec3{} : Vec3{aside(), aside(), top}, foot);
        }
        top = half.z;
    }
    return p;
}

std::string describe(const PatchProblemOptions& o) {
    const char* region[] = {"rectangle", "ellipse", "line", "ball"};
    const char* spin[] = {"uniform", "four_corner", "contensou"};
    return fmt::format("{} bodies, {}, {}, set {}, push {}{}", o.bodies, region[static_cast<int>(o.region)],
                       spin[static_cast<int>(o.spin)], o.planar.index(), o.push, o.groove ? ", groove" : "");
}

}  // namespace asperity::solvers
