#include "tests/support/random_problem.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

namespace asperity::solvers {
namespace {

double log_uniform(Random& random, double low, double high) {
    return std::exp(random.uniform(std::log(low), std::log(high)));
}
Vec3 random_vector(Random& random) { return {random.normal(), random.normal(), random.normal()}; }
Vec3 unit(const Vec3& v) { return v / length(v); }

friction::LimitSet random_set(Random& random, const RandomProblemOptions& options, std::vector<std::vector<Vec2>>& corners) {
    const double mu = log_uniform(random, 0.05, options.mu_max), other = mu / log_uniform(random, 1, options.aspect);
    const auto part = [&] { return mu / log_uniform(random, 1, options.aspect); };
    switch (options.set) {
        case SetKind::Circle: return friction::Ellipse{mu, mu};
        case SetKind::Ellipse: return friction::Ellipse{mu, other};
        case SetKind::Rectangle: return friction::Rectangle{part(), part(), part(), part()};
        case SetKind::Ellipsoid: return friction::Ellipsoid{mu, other, 0.1 * part()};
        case SetKind::Polygon: {  // on a flat ellipse off the origin, so opposite directions have different friction
            std::vector<Vec2>& out = corners.emplace_back();
            const int count = 3 + random.below(5);
            const double turn = random.uniform(0, 2 * std::numbers::pi);
            // The origin stays inside even for a triangle at radius 1/2.
            const Vec2 offset{random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4)};
            for (int i = 0; i < count; ++i) {
                const double angle = turn + 2 * std::numbers::pi * i / count;
                const Vec2 round = Vec2{std::cos(angle), std::sin(angle)} + (count > 4 ? 1.0 : 0.5) * offset;
                out.push_back({mu * round.x, other * round.y});
            }
            return friction::Polygon{out};
        }
    }
    return friction::Ellipse{mu, mu};
}

}  // namespace

RandomProblem random_problem(Random& random, const RandomProblemOptions& options) {
    RandomProblem out;
    out.corners.reserve(static_cast<size_t>(options.contacts));  // spans point into the vectors
    ContactProblem& p = out.problem;
    p.reset(options.bodies + 1, 0);
    std::vector<Vec3> center(static_cast<size_t>(options.bodies) + 1);
    for (size_t i = 0; i + 1 < center.size(); ++i) {
        const double mass = 1 / log_uniform(random, 1, options.mass_ratio);
        p.inverse_mass[i] = 1 / mass;
        p.inverse_inertia[i] =
            Mat3::diagonal({random.uniform(5, 20) / mass, random.uniform(5, 20) / mass, random.uniform(5, 20) / mass});
        p.velocity[i] = {random_vector(random), random_vector(random)};
        center[i] = random_vector(random);
    }
    const auto other_than = [&](int body) {
        int b = random.below(options.bodies);
        if (b >= body) ++b;
        return b;
    };
    for (int j = 0; j < options.joints; ++j) {
        const int b = random.below(options.bodies), a = other_than(b), rows = random.below(2) == 0 ? 3 : 5;
        const Vec3 at = center[static_cast<size_t>(b)] + 0.5 * random_vector(random);
        const Block& block = p.add_block(BlockKind::Bilateral, rows, a, b);
        for (int r = 0; r < rows; ++r) {
            Row& row = p.jacobian[static_cast<size_t>(block.first_row + r)];
            Vec3 axis;
            axis[r % 3] = 1;
            if (r < 3)
                row = {axis, -cross(at - center[static_cast<size_t>(a)], axis),
                       cross(at - center[static_cast<size_t>(b)], axis)};
            else
                row = {{}, -axis, axis};
        }
    }
    for (int k = 0; k < options.contacts;) {
        const int b = random.below(options.bodies), a = other_than(b);
        const Vec3 normal = unit(random_vector(random)), t = unit(cross(normal, random_vector(random)));
        const Vec3 at = center[static_cast<size_t>(b)] + 0.5 * random_vector(random);
        const friction::LimitSet set = random_set(random, options, out.corners);
        for (int corner = 0; corner < (options.redundant ? 4 : 1) && k < options.contacts; ++corner, ++k) {
            const Vec3 to_corner = 0.3 * ((corner % 2 == 0 ? 1 : -1) * t + (corner < 2 ? 1 : -1) * cross(normal, t));
            const Vec3 offset = options.redundant ? to_corner : Vec3{};
            PointContact c;
            c.a = a;
            c.b = b;
            c.rows = friction::dimension(set) + 1;
            c.set = set;
            c.normal = normal;
            c.t = t;
            c.arm_a = at + offset - center[static_cast<size_t>(a)];
            c.arm_b = at + offset - center[static_cast<size_t>(b)];
            c.drilling_length = 0.1;
            p.contacts.push_back(c);
        }
    }
    return out;
}

RandomProblemOptions variation(int number) {
    RandomProblemOptions o;
    o.set = static_cast<SetKind>(number % kSetKinds);
    number /= kSetKinds;
    const auto take = [&](int count) {
        const int value = number % count;
        number /= count;
        return value;
    };
    o.mass_ratio = std::array{1.0, 1e4}[static_cast<size_t>(take(2))];
    o.mu_max = std::array{1.0, 10.0}[static_cast<size_t>(take(2))];
    o.aspect = std::array{2.0, 20.0}[static_cast<size_t>(take(2))];
    o.redundant = take(2) == 1;
    o.joints = take(3);
    o.bodies = 1 + (number + o.joints) % 4;
    o.contacts = o.redundant ? 8 : 1 + number % 6;
    return o;
}

std::string describe(const RandomProblemOptions& o) {
    constexpr const char* kNames[] = {"circle", "ellipse", "rectangle", "polygon", "ellipsoid"};
    return fmt::format("{} bodies, {} contacts{}, {} joints, {} up to {}, aspect to {}, masses 1:{}", o.bodies, o.contacts,
                       o.redundant ? " in fours" : "", o.joints, kNames[static_cast<int>(o.set)], o.mu_max, o.aspect,
                       o.mass_ratio);
}

}  // namespace asperity::solvers
