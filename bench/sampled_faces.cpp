#include "bench/sampled_faces.h"

#include <cmath>
#include <numbers>

namespace asperity::bench {
namespace {

using solvers::ContactProblem;

constexpr double kStep = 0.01, kGravity = 9.81, kDensity = 1000;  // [s], [m/s^2], [kg/m^3]

void set_body(ContactProblem& p, int body, double mass, const Vec3& moments, const Vec3& velocity) {
    const auto i = static_cast<size_t>(body);
    p.inverse_mass[i] = 1 / mass;
    p.inverse_inertia[i] = Mat3::diagonal({1 / moments.x, 1 / moments.y, 1 / moments.z});
    p.velocity[i].linear = velocity + Vec3{0, 0, -kGravity * kStep};
}

/// A patch of body b on body a, with corners around a centre at `arm_a` and `arm_b` from the two centres of mass.
void add_patch(ContactProblem& p, size_t slot, int a, int b, const Vec3& arm_a, const Vec3& arm_b,
               std::span<const Vec2> corners, double mu, double size) {
    solvers::PatchConstraint& patch = p.patches[slot];
    friction::PressureRegion region;
    region.count = static_cast<int>(corners.size());
    for (size_t i = 0; i < corners.size(); ++i) region.corners[i] = corners[i];
    patch.a = a, patch.b = b;
    patch.normal = {0, 0, 1};
    patch.t = patch.u = {1, 0, 0};
    patch.arm_a = arm_a, patch.arm_b = arm_b;
    patch.length = size;
    patch.limits = {region, friction::Ellipse{mu, mu}, friction::SpinModel::Uniform, 0, size};
}
void add_points(ContactProblem& p, size_t first, int a, int b, const Vec3& arm_a, const Vec3& arm_b,
                std::span<const Vec2> points, double mu) {
    for (const Vec2& at : points) {
        solvers::PointContact& c = p.contacts[first++];
        c.a = a, c.b = b;
        c.set = friction::Ellipse{mu, mu};
        c.normal = {0, 0, 1};
        c.t = {1, 0, 0};
        c.arm_a = arm_a + Vec3{at.x, at.y, 0};
        c.arm_b = arm_b + Vec3{at.x, at.y, 0};
    }
}

}  // namespace

ContactProblem tapered_stack(int side) {
    constexpr double kSides[] = {1, 0.8, 0.6, 0.4, 0.2}, kMu = 0.5;
    // As in scenes/sixd/tapered_stack.toml, without its rotations.
    constexpr Vec2 kMiddles[] = {{0, 0}, {0.02, 0}, {0, 0.03}, {-0.02, 0}, {0, 0}};
    constexpr int kCubes = 5;
    ContactProblem p;
    p.reset(kCubes + 1, kCubes * side * side, side == 0 ? kCubes : 0);
    for (int i = 0; i < kCubes; ++i) {
        const auto k = static_cast<size_t>(i);
        const double a = kSides[k], mass = kDensity * a * a * a, moment = mass * a * a / 6;
        set_body(p, i, mass, {moment, moment, moment}, {});
        const Vec2 aside = i == 0 ? Vec2{} : kMiddles[k] - kMiddles[k - 1];
        const Vec3 arm_a = i == 0 ? Vec3{} : Vec3{aside.x, aside.y, 0.5 * kSides[k - 1]}, arm_b{0, 0, -0.5 * a};
        const int below = i == 0 ? kCubes : i - 1;
        if (side == 0) {
            const Vec2 corners[] = {{-0.5 * a, -0.5 * a}, {0.5 * a, -0.5 * a}, {0.5 * a, 0.5 * a}, {-0.5 * a, 0.5 * a}};
            add_patch(p, k, below, i, arm_a, arm_b, corners, kMu, a);
            continue;
        }
        std::vector<Vec2> points;
        for (int x = 0; x < side; ++x)
            for (int y = 0; y < side; ++y) points.push_back({a * (x / (side - 1.0) - 0.5), a * (y / (side - 1.0) - 0.5)});
        add_points(p, k * points.size(), below, i, arm_a, arm_b, points, kMu);
    }
    return p;
}

ContactProblem sliding_octagon(bool as_points) {
    constexpr double kRadius = 0.5, kHeight = 0.2, kMu = 0.3;
    std::vector<Vec2> points;
    const auto ring = [&](int count, double radius, double turn) {
        for (int k = 0; k < count; ++k) {
            const double angle = turn + 2 * std::numbers::pi * k / count;
            points.push_back({radius * std::cos(angle), radius * std::sin(angle)});
        }
    };
    ring(8, kRadius, std::numbers::pi / 8);
    const std::vector<Vec2> corners = points;
    ring(8, kRadius * std::cos(std::numbers::pi / 8), 0);  // midpoints of the sides
    ring(4, 0.5 * kRadius, 0);
    points.push_back({0, 0});
    ContactProblem p;
    p.reset(2, as_points ? static_cast<int>(points.size()) : 0, as_points ? 0 : 1);
    // Regular octagon: area 2 sqrt(2) R^2, mean squared distance from the centre R^2 (2 + cos(pi/4))/6.
    const double mass = kDensity * 2 * std::numbers::sqrt2 * kRadius * kRadius * kHeight,
                 polar = mass * kRadius * kRadius * (2 + std::cos(std::numbers::pi / 4)) / 6;
    const double flat = 0.5 * polar + mass * kHeight * kHeight / 12;
    set_body(p, 0, mass, {flat, flat, polar}, {1, 0, 0});
    const Vec3 arm{0, 0, -0.5 * kHeight};
    if (as_points)
        add_points(p, 0, 1, 0, {}, arm, points, kMu);
    else
        add_patch(p, 0, 1, 0, {}, arm, corners, kMu, kRadius);
    return p;
}

}  // namespace asperity::bench
