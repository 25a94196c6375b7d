// The scenes of peer_scene.h: geometry, masses and start poses.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "asperity/core/random.h"
#include "peer_scene.h"

namespace asperity::peers {
namespace {

constexpr double kDensity = 1000;  // [kg/m^3]

Pose at(double x, double y, double z) { return {{x, y, z}, {}}; }
Body ground(const Quat& orientation = {}) { return fixed(geometry::HalfSpace{}, {{}, orientation}); }

/// Principal moments from the integrals of x^2, y^2, z^2 over the mass.
Vec3 moments(const Vec3& second) { return {second.y + second.z, second.x + second.z, second.x + second.y}; }

/// Uniform over all orientations: four normal deviates, scaled to unit length (Muller 1959).
Quat random_orientation(Random& random) {
    const double w = random.normal(), x = random.normal(), y = random.normal(), z = random.normal();
    return normalized(Quat{w, x, y, z});
}

/// A wedge between two radii, covering `angle` of a ring: x radial, y along the depth, z along the ring.
/// `radius` receives the distance of its centre of mass from the ring's axis.
Body voussoir(double inner, double outer, double depth, double angle, double& radius) {
    const double slope = std::tan(angle / 2);  // half the width is slope * x
    const double x0 = inner * std::cos(angle / 2), x1 = outer * std::cos(angle / 2);
    const auto power_difference = [&](int n) { return std::pow(x1, n) - std::pow(x0, n); };
    const double area = slope * power_difference(2);
    radius = 2 * slope / 3 * power_difference(3) / area;
    const double xx = slope / 2 * power_difference(4) / area - radius * radius;  // mean squared distances from the centre
    const double zz = slope * slope * slope / 6 * power_difference(4) / area;

    ConvexHull hull;
    for (const double x : {x0, x1}) {
        for (const double y : {-depth / 2, depth / 2}) {
            for (const double side : {-1.0, 1.0}) hull.vertices.push_back({x - radius, y, side * slope * x});
        }
    }
    hull.faces = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};  // -x +x -y +y -z +z
    Body body{.shape = std::move(hull)};
    body.mass = kDensity * area * depth;
    body.inertia = body.mass * moments({xx, depth * depth / 12, zz});
    return body;
}

/// Two cards leaning against each other at `lean` from the vertical, with their apex at x and their feet at height z.
void add_leaning_pair(Scene& scene, const Vec3& card_half, double lean, double x, double z) {
    const double reach = card_half.z * std::sin(lean) + card_half.x * std::cos(lean);  // from the centre to the apex
    // from the centre to the lowest vertex
    const double height = card_half.z * std::cos(lean) + card_half.x * std::sin(lean);
    for (const double side : {-1.0, 1.0}) {
        scene.bodies.push_back(
            box(card_half, kDensity, {{x + side * reach, 0, z + height}, rotation({0, -side * lean, 0})}));
    }
}

constexpr double kWall = 0.25;  ///< half the thickness of walls and plates [m]

/// Four walls round the square |x|, |y| < half_width. A body beyond their middle planes is lost.
void add_walls(Scene& scene, double half_width, double height) {
    const double offset = half_width + kWall, length = half_width + 2 * kWall;
    for (const double sign : {-1.0, 1.0}) {
        scene.bodies.push_back(fixed(geometry::Box{{kWall, length, height / 2}}, at(sign * offset, 0, height / 2)));
        scene.bodies.push_back(fixed(geometry::Box{{length, kWall, height / 2}}, at(0, sign * offset, height / 2)));
        scene.inside.push_back({{-sign, 0, 0}, -offset});
        scene.inside.push_back({{0, -sign, 0}, -offset});
    }
}

/// A cubic grid with one body per cell. Neighbours cannot touch: a cube's diagonal is 0.3465 m, a capsule is 0.32 m long.
struct Grid {
    static constexpr double kSpacing = 0.36;
    int count, side;
    explicit Grid(int bodies) : count(bodies), side(std::max(2, static_cast<int>(std::lround(std::cbrt(bodies))))) {}
    double width() const { return side * kSpacing; }
    double height() const { return kSpacing * (count / (side * side) + 1); }

    void fill(Scene& scene, PileShape shape, double bottom, unsigned seed) const {
        Random random(seed);
        for (int i = 0; i < count; ++i) {
            const int layer = i / (side * side), row = i / side % side, column = i % side;
            const Vec3 cell{column + 0.5 - 0.5 * side, row + 0.5 - 0.5 * side, layer + 0.5};
            const Pose pose{Vec3{0, 0, bottom} + kSpacing * cell, random_orientation(random)};
            scene.bodies.push_back(shape == PileShape::Cubes ? box({0.1, 0.1, 0.1}, kDensity, pose)
                                                             : capsule(0.06, 0.1, kDensity, pose));
        }
    }
};

}  // namespace

Body box(const Vec3& half, double density, const Pose& pose) {
    Body body{.shape = geometry::Box{half}, .pose = pose};
    body.mass = density * 8 * half.x * half.y * half.z;
    body.inertia = body.mass / 3 * moments(scaled(half, half));
    return body;
}

Body capsule(double radius, double half_length, double density, const Pose& pose) {
    const double r2 = radius * radius, h = half_length;
    const double side = density * std::numbers::pi * r2 * 2 * h;           // mass of the cylinder
    const double caps = density * std::numbers::pi * r2 * radius * 4 / 3;  // mass of both half balls
    // A half ball about the cylinder's centre: <z^2> = r^2/5 + 2 h (3 r / 8) + h^2.
    const double across = side * r2 / 4 + caps * r2 / 5;
    const double along = side * h * h / 3 + caps * (r2 / 5 + 0.75 * h * radius + h * h);
    return {.shape = geometry::Capsule{radius, half_length},
            .pose = pose,
            .mass = side + caps,
            .inertia = moments({across, across, along})};
}

Body fixed(BodyShape shape, const Pose& pose) { return {.shape = std::move(shape), .pose = pose, .fixed = true}; }

Scene slope(double angle, double mu) {
    const Quat tilt = rotation({0, angle, 0});
    Scene scene{.name = "slope", .mu = mu, .steps = 200};
    const Vec3 half{0.1, 0.1, 0.05};
    scene.bodies = {ground(tilt), box(half, kDensity, {rotate(tilt, {0, 0, half.z}), tilt})};
    return scene;
}

Scene fan(double speed, double mu) {
    constexpr int kBlocks = 32;
    Scene scene{.name = "fan", .mu = mu, .steps = 200};
    scene.bodies = {ground()};
    for (int i = 0; i < kBlocks; ++i) {
        const double heading = 2 * std::numbers::pi * i / kBlocks;
        Body block = box({0.1, 0.1, 0.05}, kDensity, at(4.0 * (i % 8), 4.0 * (i / 8), 0.05));
        block.velocity = {speed * std::cos(heading), speed * std::sin(heading), 0};
        scene.bodies.push_back(std::move(block));
    }
    return scene;
}

Scene stack10(StackMasses masses) {
    Scene scene{.name = "stack10", .mu = 0.5, .steps = 1000};
    scene.bodies = {ground()};
    for (int i = 0; i < 10; ++i) {
        const bool heavy = masses == StackMasses::HeavyTop ? i == 9 : masses == StackMasses::Alternating && i % 2 == 1;
        scene.bodies.push_back(box({0.1, 0.1, 0.1}, heavy ? 20 * kDensity : kDensity, at(0, 0, 0.1 + 0.2 * i)));
    }
    return scene;
}

Scene arch() {
    constexpr int kStones = 15;
    const double angle = std::numbers::pi / kStones;
    Scene scene{.name = "arch", .mu = 0.6, .steps = 1000};
    scene.bodies = {ground()};
    for (int i = 0; i < kStones; ++i) {
        double radius = 0;
        Body stone = voussoir(1.0, 1.25, 0.4, angle, radius);
        const double phi = (i + 0.5) * angle;
        stone.pose = {{radius * std::cos(phi), 0, radius * std::sin(phi)}, rotation({0, -phi, 0})};
        scene.bodies.push_back(std::move(stone));
    }
    return scene;
}

Scene card_house() {
    // Feet stick only if tan(lean) <= mu; tan 20 deg = 0.36.
    const Vec3 half{0.0025, 0.07, 0.1};  // a card on edge: thickness along x
    const double lean = radians(20);
    const double pair_height = 2 * (half.z * std::cos(lean) + half.x * std::sin(lean));
    const double foot = 2 * (half.z * std::sin(lean) + half.x * std::cos(lean));  // outermost vertex from the apex
    const double apex = foot + 0.01;                                              // the lower pairs are 2 cm apart
    Scene scene{.name = "card_house", .mu = 0.6, .steps = 1000};
    scene.bodies = {ground()};
    add_leaning_pair(scene, half, lean, -apex, 0);
    add_leaning_pair(scene, half, lean, apex, 0);
    scene.bodies.push_back(box({half.z, half.y, half.x}, kDensity, at(0, 0, pair_height + half.x)));
    add_leaning_pair(scene, half, lean, 0, pair_height + 2 * half.x);
    return scene;
}

Scene pile(int count, PileShape shape, unsigned seed) {
    const Grid grid(count);
    Scene scene{.name = shape == PileShape::Cubes ? "box_pile" : "capsule_pile", .mu = 0.5, .steps = 600};
    scene.bodies = {ground()};
    scene.inside = {{{0, 0, 1}, 0}};
    add_walls(scene, grid.width() / 2, 1.5 * grid.height());
    grid.fill(scene, shape, 0, seed);
    return scene;
}

Scene hopper(int count, unsigned seed) {
    // The floor is wider than twice a capsule's length, so that no single body can bridge it. At 45 degrees the funnel is
    // as high as it is wide on each side; its 7.7 m^3 hold N = 1000 capsules (5.3 m^3 at 60 %).
    constexpr double kFloor = 0.4;  // half the width of the floor
    const Grid grid(count);
    const double top = std::max(grid.width() / 2, kFloor + 0.2), height = top - kFloor;
    Scene scene{.name = "hopper", .mu = 0.5, .steps = 600};
    scene.bodies = {ground()};
    scene.inside = {{{0, 0, 1}, 0}};
    add_walls(scene, top, height + 1.5 * grid.height());
    for (int side = 0; side < 4; ++side) {
        const Quat turn = rotation({0, 0, 0.5 * std::numbers::pi * side});  // the plate at +x, then the others round z
        const Quat tilt = turn * rotation({0, -0.25 * std::numbers::pi, 0});
        const Vec3 up = rotate(tilt, {0, 0, 1});                                    // its normal, pointing into the funnel
        const Vec3 middle = rotate(turn, {0.5 * (kFloor + top), 0, 0.5 * height});  // centre of its inner face
        const double length = 0.5 * std::numbers::sqrt2 * height + 2 * kWall;       // extends beyond both ends
        scene.bodies.push_back(fixed(geometry::Box{{length, top + kWall, kWall}}, {middle - kWall * up, tilt}));
        scene.inside.push_back({up, dot(up, middle) - kWall});
    }
    grid.fill(scene, PileShape::Capsules, height, seed);
    return scene;
}

}  // namespace asperity::peers
