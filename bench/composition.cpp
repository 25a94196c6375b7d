// Prints docs/composition.md: a row per friction law and a column per solver, once with contact points and once with contact
// patches, and a column per way of friction in the implicit world. Exit code 1 if a cell is bad without a known explanation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include "asperity/deform/meshes/generators.h"
#include "asperity/implicit/step.h"
#include "asperity/implicit/world.h"
#include "asperity/sim/step.h"
#include "asperity/solvers/problem/solver.h"
#include "asperity/surface/make_slopes.h"
#include "bench/bench.h"

namespace {

using namespace asperity;

constexpr double kGravity = 9.81, kSlope = 35 * std::numbers::pi / 180, kGrain = 45 * std::numbers::pi / 180;
constexpr double kDt = 0.01, kMass = 2;
constexpr int kSlopeSteps = 50, kFirst = 10, kStackSteps = 20;
constexpr double kErrorBound = 1e-6;  // largest good error: relative on the slope, m/s in the stack
constexpr double kTolerance = 1e-10;

struct NamedLaw {
    const char* name;
    friction::Law law;
};

std::vector<NamedLaw> laws() {
    using namespace friction;
    return {
        {"Coulomb", {.base = Coulomb{0.3}}},
        {"elliptic", {.base = Elliptic{0.2, 0.6}}},
        {"matchstick, parallel grains", {.base = Matchstick{0.3, 0.2, 0.6}}},
        {"friction tensors", {.base = FrictionTensor{{0.1, 0.4}, {0.1, 0.4}}}},
        {"static and kinetic", {.base = Coulomb{0.3}, .static_kinetic = StaticKinetic{1.5, 0.01}}},
        {"Stribeck", {.base = Coulomb{0.3}, .stribeck = Stribeck{1.5, 0.05}}},
        {"load scaling", {.base = Coulomb{0.3}, .load = LoadScaling{10, 1.1}}},
        {"load curve", {.base = Coulomb{0.3}, .load_curve = LoadCurve{{{1, 1.2}, {100, 0.8}}}}},
        {"Coulomb with drilling", {.base = Coulomb{0.3}, .drilling = 0.02}},
        {"elliptic with drilling", {.base = Elliptic{0.2, 0.6}, .drilling = 0.02}},
        {"ploughing, 16 directions", {.base = Ploughing{.mu_0 = 0.2, .directions = 16}}},
        {"ploughing, box", {.base = Ploughing{.mu_0 = 0.2, .directions = 4}}},
    };
}

using surface::ContactModel;

/// The spinning resistance of a patch follows from its size, so the engine refuses a drilling coefficient there.
bool is_refused(const NamedLaw& law, ContactModel model) { return model == ContactModel::Patches && law.law.drilling > 0; }

constexpr double kFacetSlope = 0.25;  // slope of the ground's facets for ploughing laws: all face up the slope

constexpr int kFacets = 16, kDrillingFacets = 8;

/// Why a solver may miss the closed form, and the largest error of its friction, in units of the longest semi-axis.
struct Explanation {
    const char* why;
    double friction_error;
};
const std::map<std::string, Explanation> kExplained = {
    {"pgs",
     {"boxes replace ellipses. Friction is exact along the axes of a set. Between them it lies in a corner of the box, off\n"
      "  by at most the longest semi-axis (docs/solvers/pgs.md)",
      1}},
    {"lcp",
     {"a polygon of 16 corners replaces an ellipse (8 with a drilling axis). Friction lies in the nearest corner, off by "
      "at\n  most the chord of half their spacing, 2 sin(pi/2N) of the longest semi-axis",
      2 * std::sin(std::numbers::pi / (2 * kFacets))}},
};
double tolerance_of(const std::string& solver) { return solver == "fast" ? 1e-6 : kTolerance; }

sim::World world_of(const NamedLaw& law, ContactModel model, const std::string& solver, const Vec3& gravity,
                    const Vec3& grain) {
    sim::World world;
    world.model.settings.contact_model = model;
    world.model.settings.gravity = gravity;
    world.model.settings.solver = solver;
    world.model.settings.solve.tolerance = tolerance_of(solver);
    world.model.settings.solve.max_sweeps = 20000;
    world.model.settings.solve.facets = law.law.drilling > 0 ? kDrillingFacets : kFacets;
    world.add_material({.name = "stuff", .grain = grain});
    world.model.pairs.set_default({law.law, 0});
    world.add_body({.name = "ground", .motion = rigid::Motion::Fixed, .colliders = {{geometry::HalfSpace{}, {}, {}}}});
    if (std::holds_alternative<friction::Ploughing>(law.law.base))
        world.set_slopes(BodyId{0}, {std::make_shared<surface::SlopeMap>(surface::ramp_slopes({4, 4}, {-kFacetSlope, 0}))});
    return world;
}

/// A sliding point on a slope: travel direction and acceleration for an elliptic set with semi-axes mu_t along t
/// and mu_b along b. With ps the angle from t to the downslope and ch the angle from t to the motion,
///     tan(al) sin(ps - ch) = (mu_b^2 - mu_t^2) sin(ch) cos(ch)/s(ch),   a = g (sin(al) cos(ps - ch) - cos(al) s(ch)).
struct Motion {
    Vec3 direction;
    double acceleration;
    double largest_friction;  // longest semi-axis times the normal load, per mass
};
Motion closed_form(const friction::LimitSurface& surface) {
    double mu_t = 0, mu_b = 0;
    if (const auto* e = std::get_if<friction::Ellipse>(&surface.set)) mu_t = e->t, mu_b = e->b;
    if (const auto* e = std::get_if<friction::Ellipsoid>(&surface.set)) mu_t = e->t, mu_b = e->b;
    const Vec3 down{1, 0, 0};
    const double along = dot(surface.t, down), across = dot(surface.b, down),
                 ps = std::atan2(std::fabs(across), std::fabs(along));
    const auto s = [&](double ch) { return std::hypot(mu_t * std::cos(ch), mu_b * std::sin(ch)); };
    const auto balance = [&](double ch) {
        return std::tan(kSlope) * std::sin(ps - ch) - (mu_b * mu_b - mu_t * mu_t) * std::sin(ch) * std::cos(ch) / s(ch);
    };
    double low = 0, high = std::numbers::pi / 2;  // balance() falls from positive to negative
    for (int k = 0; k < 100; ++k) (balance(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
    const Vec3 t = along < 0 ? -surface.t : surface.t, b = across < 0 ? -surface.b : surface.b;
    return {std::cos(low) * t + std::sin(low) * b,
            kGravity * (std::sin(kSlope) * std::cos(ps - low) - std::cos(kSlope) * s(low)),
            kGravity * std::cos(kSlope) * std::max(mu_t, mu_b)};
}

/// Straight down the slope against the facets: mu = mu_0 + (2/pi) k_A s (Andrews and others 2021, A6); a side of the box or
/// polygon faces up the slope.
Motion closed_form(const friction::Ploughing& law) {
    const double mu = law.mu_0 + 2 / std::numbers::pi * law.k_a * kFacetSlope;
    return {{1, 0, 0}, kGravity * (std::sin(kSlope) - mu * std::cos(kSlope)), kGravity * std::cos(kSlope) * mu};
}
/// For any other law, from the limit surface that it gives for a point on the slope.
Motion closed_form(const friction::Law& law, const Vec3& grain) {
    if (const auto* ploughing = std::get_if<friction::Ploughing>(&law.base)) return closed_form(*ploughing);
    friction::ConeInput in;
    in.normal = {0, 0, 1};
    in.grain_a = in.grain_b = grain;
    in.slip = {2, 0, 0};
    in.normal_force = kMass * kGravity * std::cos(kSlope);
    friction::LimitSurface surface;
    friction::generate(law, {&in, 1}, {&surface, 1});
    return closed_form(surface);
}

struct Cell {
    double error = 0;
    double allowed = kErrorBound;
    int unsolved = 0;           // number of steps that did not converge
    double worst_residual = 0;  // largest residual of those, in units of the tolerance

    void count(const sim::StepReport& report, const std::string& solver) {
        if (report.status == solvers::SolveStatus::Converged) return;
        ++unsolved;
        worst_residual = std::fmax(worst_residual, report.residual / tolerance_of(solver));
    }
    /// A solver that stopped at the rounding limit may leave up to ten times the tolerance.
    bool is_unexplained() const { return !(error <= allowed) || !(worst_residual <= 10); }
};

/// A ball that cannot rotate has one contact point, so its load is known; with patches, a box that cannot rotate has one
/// patch. It starts at 2 m/s in its final direction, where laws that depend on the slip are at their kinetic limit.
Cell slope(const NamedLaw& law, ContactModel model, const std::string& solver) {
    const Vec3 grain{std::cos(kGrain), std::sin(kGrain), 0};
    sim::World world = world_of(law, model, solver, kGravity * Vec3{std::sin(kSlope), 0, -std::cos(kSlope)}, grain);
    const Motion expected = closed_form(law.law, grain);
    const geometry::Shape shape = model == ContactModel::Points ? geometry::Shape(geometry::Sphere{0.1})
                                                                : geometry::Shape(geometry::Box{{0.1, 0.1, 0.1}});
    const int ball = world
                         .add_body({.name = "ball",
                                    .colliders = {{shape, {}, {}}},
                                    .pose = {{0, 0, 0.1}, {}},
                                    .velocity = 2 * expected.direction,
                                    .mass = kMass})
                         .index;
    world.model.bodies.inertia[static_cast<size_t>(ball)] = Mat3::diagonal({1e12, 1e12, 1e12});
    world.model.bodies.inverse_inertia[static_cast<size_t>(ball)] = Mat3::diagonal({1e-12, 1e-12, 1e-12});
    Cell cell;
    Vec3 start;
    for (int step = 0; step < kSlopeSteps; ++step) {
        cell.count(sim::step(world, kDt), solver);
        if (step == kFirst) start = world.state.bodies.velocity[static_cast<size_t>(ball)];
    }
    const double time = kDt * (kSlopeSteps - 1 - kFirst);
    const Vec3 gained = world.state.bodies.velocity[static_cast<size_t>(ball)] - start;
    if (const auto e = kExplained.find(solver); e != kExplained.end())
        cell.allowed += (law.law.drilling > 0 && solver == "lcp" ? 2 * std::sin(std::numbers::pi / (2 * kDrillingFacets))
                                                                 : e->second.friction_error) *
                        expected.largest_friction / std::fabs(expected.acceleration);
    cell.error =
        length(gained - (expected.acceleration * time) * expected.direction) / std::fabs(expected.acceleration * time);
    return cell;
}

/// Velocities after 20 steps of three stacked boxes. The middle one is pushed along the grain and keeps sliding on it.
std::vector<Vec3> stack(const NamedLaw& law, ContactModel model, const std::string& solver, Cell& cell) {
    sim::World world = world_of(law, model, solver, {0, 0, -kGravity}, {1, 0, 0});
    double z = 0;
    for (int i = 0; i < 3; ++i) {
        const Vec3 half{0.2 - 0.02 * i, 0.15, 0.03 + 0.01 * i};
        world.add_body({.name = std::string(1, static_cast<char>('a' + i)),
                        .colliders = {{geometry::Box{half}, {}, {}}},
                        .pose = {{0, 0, z + half.z}, {}},
                        .velocity = {i == 1 ? 0.8 : 0, 0, 0},
                        .mass = 1.0 + i});
        z += 2 * half.z;
    }
    for (int step = 0; step < kStackSteps; ++step) cell.count(sim::step(world, kDt), solver);
    return {world.state.bodies.velocity.begin() + 1, world.state.bodies.velocity.end()};
}

std::string text(const Cell& cell) {
    if (!std::isfinite(cell.error)) return "no number";
    const std::string error = cell.error < 1e-13 ? "0" : fmt::format("{:.0e}", cell.error);
    return fmt::format("{}{}{}", cell.error <= kErrorBound ? error : fmt::format("**{}**", error),
                       cell.unsolved > 0 ? fmt::format(" ({})", cell.unsolved) : "", cell.is_unexplained() ? " ?" : "");
}

// === The implicit world

struct FrictionWay {
    const char* name;
    implicit::FrictionMethod method;
    double allowed;  // largest good error on the slope, relative
};
/// Forces are balanced to step.friction_tolerance, 1e-4 of the limit. Smoothed friction is the law itself above eps_v.
constexpr FrictionWay kWays[] = {{"hold", implicit::FrictionMethod::Hold, 1e-3},
                                 {"smooth", implicit::FrictionMethod::Smooth, 1e-3}};

/// Drilling needs a contact with an area; smoothing needs an ellipse.
bool is_refused(const NamedLaw& law, const FrictionWay& way) {
    return law.law.drilling > 0 ||
           (way.method == implicit::FrictionMethod::Smooth && std::holds_alternative<friction::Ploughing>(law.law.base));
}

/// As slope(), with a plate of eight corners: soft, or affine in place of rigid.
Cell implicit_slope(const NamedLaw& law, const FrictionWay& way, bool soft) {
    const Vec3 grain{std::cos(kGrain), std::sin(kGrain), 0}, half{0.1, 0.1, 0.005};
    const Motion expected = closed_form(law.law, grain);
    implicit::World<3> world;
    world.model.settings.friction = way.method;
    if (way.method == implicit::FrictionMethod::Smooth) world.model.settings.friction_passes = 5;
    world.model.settings.dhat = 1e-3;
    world.model.settings.tolerance = 1e-8;
    world.model.gravity = {kGravity * std::sin(kSlope), 0, -kGravity * std::cos(kSlope)};
    world.model.materials.resize(1);
    world.model.materials[0].grain = grain;
    world.model.pairs.set_default({law.law, 0});
    implicit::ObstacleDesc<3> ground;
    ground.name = "ground";
    world.add(ground);
    world.model.parts[0].shape = geometry::HalfSpace{};
    if (std::holds_alternative<friction::Ploughing>(law.law.base))
        world.model.parts[0].slopes = {std::make_shared<surface::SlopeMap>(surface::ramp_slopes({4, 4}, {-kFacetSlope, 0}))};
    const Vec3 velocity = 2 * expected.direction;
    const Pose start{{0, 0, half.z + 0.9e-3}, {}};
    deform::SolidMesh<3> mesh = deform::box<3>({2 * half.x, 2 * half.y, 2 * half.z}, {2, 2, 1});
    int plate = 0;
    if (soft) {
        for (Vector<3>& p : mesh.points) p[2] += start.position.z;
        implicit::SoftDesc<3> desc;
        desc.name = "plate";
        desc.mesh = mesh;
        desc.elasticity = {deform::Hyperelastic::NeoHookean, 1e6, 0.4};
        desc.density = kMass / (8 * half.x * half.y * half.z);
        desc.damping_stiffness = 0.01;
        desc.velocity = velocity;
        plate = world.add(desc);
        world.set_self_contact(plate, false);
    } else {
        implicit::AffineDesc<3> desc;
        desc.name = "plate";
        desc.skin.points = mesh.points;
        desc.skin.faces = deform::boundary(mesh);
        desc.mass = kMass;
        desc.volume = 8 * half.x * half.y * half.z;
        desc.inertia =
            Mat3::diagonal({kMass / 3 * (half.y * half.y + half.z * half.z), kMass / 3 * (half.x * half.x + half.z * half.z),
                            kMass / 3 * (half.x * half.x + half.y * half.y)});
        desc.pose = start;
        desc.velocity = velocity;
        plate = world.add(desc);
    }
    world.model.parts.back().shape = geometry::Box{half};
    world.model.parts.back().axes = start;
    Cell cell;
    cell.allowed = way.allowed;
    Vec3 before;
    for (int step = 0; step < kSlopeSteps; ++step) {
        const implicit::StepReport report = implicit::step(world, kDt);
        cell.unsolved += !report.done || report.friction_misses > 0;
        if (step == kFirst) before = world.velocity(plate);
    }
    const double time = kDt * (kSlopeSteps - 1 - kFirst);
    Vec3 gained = world.velocity(plate) - before;
    gained.z = 0;
    cell.error =
        length(gained - (expected.acceleration * time) * expected.direction) / std::fabs(expected.acceleration * time);
    return cell;
}

/// Prints the table; returns the number of cells that are bad without an explanation.
int print_implicit() {
    int holes = 0;
    fmt::print(
        "\n## The slope, in the implicit world\n\nThe same with a plate, [soft](soft.md) or affine, under each way of "
        "friction\n([laws/soft-friction.md](laws/soft-friction.md)). Bold: above {:.0e}; forces are balanced to 1e-4 of the "
        "limit\n(`step.friction_tolerance`). In brackets: steps whose forces did not settle. Refused (-): drilling, since "
        "contacts are\npoints of a mesh whose friction adds up to a torque; and, with `smooth`, limit surfaces that are not "
        "ellipses.\n\n| law |",
        kWays[0].allowed);
    for (const FrictionWay& way : kWays) fmt::print(" `{0}`, soft | `{0}`, affine |", way.name);
    fmt::print("\n|---|");
    for (std::size_t i = 0; i < 2 * std::size(kWays); ++i) fmt::print("---|");
    fmt::print("\n");
    for (const NamedLaw& law : laws()) {
        fmt::print("| {} |", law.name);
        for (const FrictionWay& way : kWays)
            for (const bool soft : {true, false}) {
                if (is_refused(law, way)) {
                    fmt::print(" - |");
                    continue;
                }
                const Cell cell = implicit_slope(law, way, soft);
                const bool bad = !(cell.error <= cell.allowed) || cell.unsolved > 0;
                holes += bad;
                const std::string error = cell.error < 1e-13 ? "0" : fmt::format("{:.0e}", cell.error);
                fmt::print(" {}{}{} |", cell.error <= cell.allowed ? error : fmt::format("**{}**", error),
                           cell.unsolved > 0 ? fmt::format(" ({})", cell.unsolved) : "", bad ? " ?" : "");
            }
        fmt::print("\n");
    }
    return holes;
}

}  // namespace

int asperity::bench::composition(int, char**) {
    const std::vector<std::string> names = solvers::solver_names();
    int holes = 0;
    std::map<std::string, Cell> unsolved;
    const auto table = [&](const char* title, ContactModel model,
                           const std::function<Cell(const NamedLaw&, ContactModel, const std::string&)>& measure) {
        fmt::print("\n{}\n\n| law |", title);
        for (const std::string& name : names) fmt::print(" `{}` |", name);
        fmt::print("\n|---|");
        for (size_t i = 0; i < names.size(); ++i) fmt::print("---|");
        fmt::print("\n");
        for (const NamedLaw& law : laws()) {
            fmt::print("| {} |", law.name);
            for (const std::string& name : names) {
                if (is_refused(law, model)) {
                    fmt::print(" - |");
                    continue;
                }
                const Cell cell = measure(law, model, name);
                holes += cell.is_unexplained();
                unsolved[name].unsolved += cell.unsolved;
                unsolved[name].worst_residual = std::fmax(unsolved[name].worst_residual, cell.worst_residual);
                fmt::print(" {} |", text(cell));
            }
            fmt::print("\n");
        }
    };
    fmt::print(
        "# Laws, contact models and solvers together\n\nThis page combines every friction law with every solver, on contact "
        "points and on contact patches, and with every way of\nfriction in the implicit world. `make composition` writes it "
        "with the laws and solvers of the program. The program exits with\n1 if a cell is bad and the page does not explain "
        "it.\n");
    const auto stacked = [](const NamedLaw& law, ContactModel model, const std::string& name) {
        Cell cell, ignored;
        const std::vector<Vec3> reference = stack(law, model, "prox", ignored), found = stack(law, model, name, cell);
        for (size_t i = 0; i < found.size(); ++i) cell.error = std::fmax(cell.error, length(found[i] - reference[i]));
        return cell;
    };
    table(
        "## The slope\n\nA point slides on a slope of 35 degrees. Its grain is at 45 degrees to the downslope direction. A "
        "cell gives the relative\nerror of the velocity gained in 0.39 s, against the closed form. In brackets: the number "
        "of steps that did not converge.\nBold: above 1e-6.",
        ContactModel::Points, slope);
    table(
        "## The slope, with patches\n\nThe same with a box that cannot turn and lies on its face, which is one patch. Laws "
        "with drilling are refused (-), because\nthe spin resistance of a patch follows from its size.",
        ContactModel::Patches, slope);
    table(
        "## The stack\n\nThree boxes stand on each other. The middle one starts along the grain at 0.8 m/s. A cell gives "
        "the largest difference of a\nvelocity from the result of `prox` after 20 steps [m/s].",
        ContactModel::Points, stacked);
    table("## The stack, with patches", ContactModel::Patches, stacked);
    holes += print_implicit();
    fmt::print("\n## Bold cells\n\n");
    for (const auto& [name, e] : kExplained) fmt::print("* `{}`: {}.\n", name, e.why);
    fmt::print("\nA cell beyond these bounds, or with a step that ends above ten times the tolerance, is marked `?`: {}.\n",
               holes == 0 ? "there is none" : "see above");
    fmt::print("\n## Steps that did not converge\n\n");
    for (const auto& [name, all] : unsolved)
        if (all.unsolved > 0)
            fmt::print("* `{}`: {} step(s), the worst at {:.1e} m/s with a tolerance of {:.0e} m/s. Cause: {}.\n", name,
                       all.unsolved, all.worst_residual * tolerance_of(name), tolerance_of(name),
                       name == "fast" ? "rounding of single precision" : "rounding of redundant contacts");
    return holes == 0 ? 0 : 1;
}
