// The capstan equation: weights at the ends of a chain over a fixed rod balance while T1/T2 <= exp(mu W), W the wrap angle.
// A chain of rigid links differs from a thread, but its limit has a closed form too.
#include "worlds.h"

namespace asperity::verify {
namespace {

// Radii [m]: of the rod, of a link's wire, and of the chain's centre line.
constexpr double kRod = 0.05, kWire = 0.002, kReach = kRod + kWire;

/// The ratio of tensions across one link of a slipping chain. The link touches the rod at its middle and turns the chain by
/// alpha. Its ends are l = 2 R tan(alpha/2) apart, with R from the rod's axis to the centre line. The force at one end is F,
/// at the angle beta from the link's direction. At the other end it is F' = rho F, turned by alpha. N acts at the middle,
/// and mu N on the wire's surface, a below the centre line. With s = sin(beta), q = rho sin(alpha - beta):
///     across:   N/F = s + q
///     along:    rho cos(alpha - beta) = cos(beta) + mu (s + q)
///     moments:  (l/2)(s - q) = a mu (s + q)
/// For small alpha and a this is 1 + mu alpha, the capstan equation.
double tension_ratio_of_a_link(double alpha, double mu) {
    const double length = 2 * kReach * std::tan(alpha / 2), k = 2 * kWire / length * mu;
    double low = 0, high = alpha, rho = 1;
    for (int i = 0; i < 60; ++i) {
        const double beta = (low + high) / 2, s = std::sin(beta), q = s * (1 - k) / (1 + k),
                     along = std::cos(beta) + mu * (s + q);
        rho = std::hypot(q, along);
        (std::atan2(q, along) < alpha - beta ? low : high) = beta;
    }
    return rho;
}

/// Slope of the helix if there is more than one turn; links, two wires wide, lie side by side.
double slope_of(double wrap) { return wrap > 2 * pi ? 1.05 * 4 * kWire / (2 * pi * kReach) : 0; }

struct Capstan {
    int links;         // on the rod
    double wrap;       // [rad], an odd number of half turns, so that both ends hang
    double mu, ratio;  // ratio of the weights
};

/// A chain wound over the rod in a helix with adjacent turns, and a weight at each end; the light one hangs on the side of
/// -x. Body 1 is the heavy one.
sim::World wound(const Capstan& c) {
    constexpr double light = 1, link = 5e-4, drop = 0.1;  // [kg], [kg], from the last joint to the weight's centre [m]
    sim::World world = world_with(coulomb(c.mu));
    world.model.settings.solver = "newton";
    world.model.settings.solve.tolerance = 1e-8;
    world.model.settings.contact_margin = 1e-4;
    world.add_body({.name = "rod",
                    .motion = rigid::Motion::Fixed,
                    .colliders = {{geometry::Cylinder{kRod, 0.2}, {{}, rotation({pi / 2, 0, 0})}, {}}}});
    const double alpha = c.wrap / c.links, length = 2 * kReach * std::tan(alpha / 2);
    const double rise = slope_of(c.wrap) * kReach * alpha;  // along the rod, per link
    const auto joint_point = [&](int i) {                   // i = 0 on the heavy side, at +x; then over the top
        return Vec3{kReach / std::cos(alpha / 2) * std::cos(i * alpha), rise * i,
                    kReach / std::cos(alpha / 2) * std::sin(i * alpha)};
    };
    const auto weight = [&](const char* name, double mass, const Vec3& at) {
        return world.add_body({.name = name,
                               .colliders = {{geometry::Sphere{0.02}, {}, {}}},
                               .pose = {at - Vec3{0, 0, drop}, {}},
                               .mass = mass});
    };
    const BodyId heavy = weight("heavy", c.ratio * light, joint_point(0));
    const BodyId hanging = weight("light", light, joint_point(c.links));
    BodyId last = heavy;
    for (int i = 0; i < c.links; ++i) {
        const double middle = (i + 0.5) * alpha;
        const Vec3 centre{kReach * std::cos(middle), rise * (i + 0.5), kReach * std::sin(middle)};
        const Vec3 along = normalized(joint_point(i + 1) - joint_point(i));
        // Two wires side by side (their axis is z), so that the link lies flat: z along the chain, x away from the rod.
        const Quat turned = rotation({0, -middle, 0}) * rotation({std::atan2(-along.y, std::hypot(along.x, along.z)), 0, 0});
        const geometry::Capsule wire{kWire, length / 2 - kWire};
        const BodyId body = world.add_body({.name = fmt::format("link_{}", i),
                                            .colliders = {{wire, {{0, -kWire, 0}, {}}, {}}, {wire, {{0, kWire, 0}, {}}, {}}},
                                            .pose = {centre, turned},
                                            .mass = link});
        world.add_joint(rigid::joint_at(fmt::format("joint_{}", i), last, body, {joint_point(i), {}}, rigid::Ball{},
                                        world.state.bodies));
        last = body;
    }
    world.add_joint(rigid::joint_at("end", last, hanging, {joint_point(c.links), {}}, rigid::Ball{}, world.state.bodies));
    return world;
}

/// Downward speed of the heavy weight after 0.2 s [m/s].
double sinking(const Capstan& c) {
    sim::World world = wound(c);
    run(world, 1e-3, 200);
    return -Body(world, 1).velocity().z;
}

// A share e above the limit, both weights accelerate at about e g/(1 + 1/ratio): 0.05 to 0.1 m/s after 0.2 s. Below the
// limit they stand, once the links have settled on the rod.
constexpr double kHolds = 1e-5, kSlips = 0.03;

TEST(Capstan, HoldsJustBelowTheLimitAndSlipsJustAbove) {
    for (const auto& [links, half_turns] : {std::pair{8, 1}, {24, 3}})
        for (const double mu : {0.1, 0.28}) {
            const double wrap = half_turns * pi, limit = std::pow(tension_ratio_of_a_link(wrap / links, mu), links);
            // At its ends the chain bends out of the helix. Friction that holds it sideways there does not hold it along,
            // over an angle of at most slope/mu.
            const double below = sinking({links, wrap, mu, 0.95 * limit * std::exp(-2 * slope_of(wrap))}),
                         above = sinking({links, wrap, mu, 1.05 * limit});
            const std::string what = fmt::format("{} links, {} half turns, mu {}", links, half_turns, mu);
            measured(what + ": limit", limit);
            measured(what + ": below", below);
            measured(what + ": above", above);
            EXPECT_LT(std::abs(below), kHolds) << what;
            EXPECT_GT(above, kSlips) << what;
        }
}

// As links get shorter they approach a thread whose centre line is a above the rubbing surface. With D = N/(T W) per angle
// and c = mu^2 r a/R^2, the equations above become
//     T1/T2 = exp(mu (r/R) D W),   D = 1 - c D^2
// and the remaining error decreases with alpha squared. For a = 0 this is Euler's exp(mu W).
TEST(Capstan, ShortLinksMakeAThread) {
    const double mu = 0.3, c = mu * mu * kRod * kWire / (kReach * kReach), D = (std::sqrt(1 + 4 * c) - 1) / (2 * c);
    const double thread = std::exp(mu * kRod / kReach * D * pi);
    const double coarse = 1 - std::pow(tension_ratio_of_a_link(pi / 16, mu), 16) / thread,
                 fine = 1 - std::pow(tension_ratio_of_a_link(pi / 32, mu), 32) / thread;
    EXPECT_GT(fine, 0);
    EXPECT_LT(fine, 0.002);
    EXPECT_NEAR(order(coarse, fine), 2, 0.05);
}

}  // namespace
}  // namespace asperity::verify
