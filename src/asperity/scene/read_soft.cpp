// Reads the keys of the implicit world: step.method and its settings, `soft` of a body, thickness and ignored pairs.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "asperity/implicit/velocity.h"
#include "asperity/scene/implicit_settings.h"
#include "asperity/scene/reader.h"

namespace asperity::scene {
namespace {

constexpr Range kModulus{1e-3, 1e14};  // [Pa]

/// Keys of the step that tune the numerical method of the rigid world.
constexpr const char* kRigidKeys[] = {"substeps",       "solver",           "max_sweeps",      "exact_contacts",
                                      "relaxation",     "contact_margin",   "contact_reuse",   "sleep_speed",
                                      "sleep_time",     "bounce_threshold", "implicit_passes", "halfway_contacts",
                                      "position_sweeps"};
/// Keys of the step that choose a physical model which the implicit world does not have.
constexpr const char* kRigidModels[] = {"contact_model", "patch_overlap", "target_volume", "patch_compliance"};
/// Keys of the step that only the implicit world has.
constexpr const char* kImplicitKeys[] = {"integrator",
                                         "contact_distance",
                                         "contact_stiffness",
                                         "affine_stiffness",
                                         "newton_iterations",
                                         "halvings",
                                         "check",
                                         "mend",
                                         "friction",
                                         "friction_tolerance",
                                         "friction_passes",
                                         "eps_v"};

bool has_soft_body(const Node& root) {
    for (const Node& body : root.tables("body"))
        if (body.has("soft")) return true;
    for (const Node& generate : root.tables("generate"))
        if (generate.has("body") && generate.child("body").has("soft")) return true;
    return false;
}

implicit::Integrator read_integrator(const Node& node) {
    using implicit::Integrator;
    constexpr Integrator all[] = {Integrator::BackwardEuler, Integrator::Newmark, Integrator::Bdf2, Integrator::QuasiStatic,
                                  Integrator::SymplecticEuler};
    std::vector<std::string> names;
    for (const Integrator one : all) names.emplace_back(implicit::name(one));
    const std::string chosen = node.choice(names);
    return all[std::find(names.begin(), names.end(), chosen) - names.begin()];
}

/// In the order of deform::Hyperelastic.
std::vector<std::string> hyperelastic_names() {
    std::vector<std::string> names;
    for (int i = 0; i <= static_cast<int>(deform::Hyperelastic::Linear); ++i)
        names.emplace_back(deform::name(static_cast<deform::Hyperelastic>(i)));
    return names;
}

/// A vector whose components are numbers or formulas of t.
std::function<Vec3(double)> read_vector_of_time(const Node& node, const Range& range) {
    if (node.value().kind != Value::Kind::List || node.value().items.size() != 3)
        node.fail("expected a list of 3 numbers or formulas of t");
    std::array<std::function<double(double)>, 3> f;
    for (std::size_t i = 0; i < 3; ++i)
        f[i] = Node(node, node.value().items[i], fmt::format("{}", i), nullptr).function_of_time(range);
    return [f](double t) { return Vec3{f[0](t), f[1](t), f[2](t)}; };
}

SoftRegion read_region(const Node& node, std::size_t index, const char* word) {
    SoftRegion region;
    region.name = node.text_or("name", fmt::format("{}_{}", word, index));
    check_name(node, region.name);
    const Node box = node.child("box");
    const std::vector<Node> corners = box.items();
    if (corners.size() != 2) box.fail("expected two corners [[x, y, z], [x, y, z]] in the axes of the body's shape");
    region.box = {corners[0].vec3(), corners[1].vec3()};
    for (int k = 0; k < 3; ++k)
        if (!(region.box.low[k] <= region.box.high[k])) box.fail("the first corner must be the lower one on every axis");
    return region;
}

std::vector<SoftRegion> read_holds(const Node& soft) {
    std::vector<SoftRegion> holds;
    for (const Node& node : soft.tables("hold")) {
        SoftRegion region = read_region(node, holds.size(), "hold");
        region.about = node.vec3_or("about", 0.5 * (region.box.low + region.box.high));
        if (node.has("position") || node.has("roll_deg") || node.has("pitch_deg") || node.has("yaw_deg"))
            region.path = path_of(node, {region.about, {}});
        else if (node.has("about"))
            node.child("about").fail("is the point that the part turns about; give roll_deg, pitch_deg or yaw_deg");
        holds.push_back(std::move(region));
    }
    return holds;
}

std::vector<SoftRegion> read_loads(const Node& soft) {
    std::vector<SoftRegion> loads;
    for (const Node& node : soft.tables("load")) {
        SoftRegion region = read_region(node, loads.size(), "load");
        if (node.has("force") == node.has("pressure")) node.fail("give either force = [x, y, z] or pressure");
        if (node.has("force")) region.force = read_vector_of_time(node.child("force"), {-1e15, 1e15});
        if (node.has("pressure")) region.pressure = node.child("pressure").function_of_time({-1e15, 1e15});
        loads.push_back(std::move(region));
    }
    return loads;
}

void read_damping(const Node& soft, SoftBody& body) {
    body.damping_mass = soft.number_or("damping_mass", 0, {0, 1e9});
    const std::optional<Node> damping = soft.find("damping");
    if (!damping) return;
    if (damping->value().kind == Value::Kind::Text && damping->text() == "critical")
        body.critical_damping = true;
    else
        body.damping_stiffness = damping->number({0, 1e6});
}

void read_cells(const Node& soft, SoftBody& body) {
    body.cell_size = soft.number_or("cell_size", 0, kSize);
    const std::optional<Node> cells = soft.find("cells");
    if (!cells) return;
    if (body.cell_size > 0) cells->fail("give cells or cell_size, not both");
    if (cells->value().kind != Value::Kind::List) {
        body.cells.fill(cells->integer(1, 2000));
        return;
    }
    const std::vector<Node> counts = cells->items();
    if (counts.size() != 3) cells->fail("expected one number or a list of three, [nx, ny, nz]");
    for (std::size_t i = 0; i < 3; ++i) body.cells[i] = counts[i].integer(1, 2000);
}

std::string friction_method(const Node& step) {
    return step.has("friction") ? step.child("friction").choice({"hold", "smooth", "velocity"}) : "hold";
}

/// The step is linearised in velocities, with contacts solved as in the rigid world: its keys of solvers count.
void read_velocity_friction(const Node& step, implicit::Settings& s) {
    s.friction = implicit::FrictionMethod::Velocity;
    if (step.has("friction_tolerance"))
        step.child("friction_tolerance")
            .fail("has no effect with friction = \"velocity\": its solver stops at 1e-4 of tolerance");
    for (const char* key : {"exact_contacts", "relaxation", "contact_stiffness"})
        if (step.has(key)) step.child(key).fail("has no effect with friction = \"velocity\"; leave it out");
    if (const std::optional<Node> solver = step.find("solver")) s.solver = solver->choice(solvers::assembled_solver_names());
    s.max_sweeps = step.integer_or("max_sweeps", s.max_sweeps, 1, 100000000);
    s.friction_passes = step.integer_or("friction_passes", 1, 1, 10000);
    step.with_location([&] { implicit::check_velocity(s); });
}

void read_friction(const Node& step, Reader& reader, implicit::Settings& s) {
    const std::string method = friction_method(step);
    if (method != "smooth")  // a scene may leave the choice to a param: then eps_v is one too
        if (step.has("eps_v") && step.child("eps_v").value().kind != Value::Kind::Text)
            step.child("eps_v").fail("belongs to friction = \"smooth\"");
    if (method == "velocity") return read_velocity_friction(step, s);
    s.friction_tolerance = step.number_or("friction_tolerance", s.friction_tolerance, {1e-12, 1});
    if (method == "hold") {
        s.friction_passes = step.integer_or("friction_passes", s.friction_passes, 1, 10000);
        return;
    }
    s.friction = implicit::FrictionMethod::Smooth;
    s.friction_passes = step.integer_or("friction_passes", 1, 1, 10000);
    s.eps_v = step.number_or("eps_v", s.eps_v, {1e-300, 1e6});
    reader.scene.notes.push_back(
        fmt::format("friction = \"smooth\": what should stick creeps, at {:.3g} m/s under half of its friction limit and at "
                    "{:.3g} m/s under 0.95 of it; friction = \"hold\" does not creep",
                    s.eps_v * (1 - std::sqrt(0.5)), s.eps_v * (1 - std::sqrt(0.05))));
}

}  // namespace

void read_implicit_step(Reader& reader, const Node& root) {
    const std::optional<Node> step = root.find("step");
    const bool soft = has_soft_body(root);
    const std::optional<Node> method = step ? step->find("method") : std::nullopt;
    const std::string chosen = method ? method->choice({"rigid", "implicit"}) : soft ? "implicit" : "rigid";
    if (chosen == "rigid" && soft)
        method->fail("a scene with a soft body needs method = \"implicit\", which is its default");
    const std::optional<Node> world = root.find("world");
    if (chosen == "rigid") {
        for (const char* key : kImplicitKeys)
            if (step && step->has(key)) step->child(key).fail("belongs to method = \"implicit\"");
        if (world && world->has("dimension") && world->child("dimension").integer(2, 3) == 2)
            world->child("dimension").fail("two dimensions need step.method = \"implicit\"");
        return;
    }
    auto settings = std::make_shared<ImplicitSettings>();
    if (world) settings->dimension = world->integer_or("dimension", 3, 2, 3);
    reader.scene.implicit_settings = settings;
    if (!step) return;
    std::string without;
    const bool solves = friction_method(*step) == "velocity";
    const auto counts = [&](std::string_view key) { return solves && (key == "solver" || key == "max_sweeps"); };
    for (const char* key : kRigidKeys)
        if (step->has(key) && !counts(key)) without += fmt::format("{}step.{}", without.empty() ? "" : ", ", key);
    if (!without.empty()) reader.scene.notes.push_back(fmt::format("without effect in the implicit world: {}", without));
    for (const char* key : kRigidModels)
        if (step->has(key)) step->child(key).fail("has no effect in the implicit world; leave it out");
    implicit::Settings& s = settings->step;
    if (const std::optional<Node> integrator = step->find("integrator")) s.integrator = read_integrator(*integrator);
    s.tolerance = step->number_or("tolerance", s.tolerance, {1e-14, 1e6});
    s.dhat = step->number_or("contact_distance", 0, kSize);
    s.stiffness = step->number_or("contact_stiffness", 0, kModulus);
    s.affine_stiffness = step->number_or("affine_stiffness", 0, kModulus);
    s.max_iterations = step->integer_or("newton_iterations", s.max_iterations, 1, 1000000);
    s.max_halvings = step->integer_or("halvings", s.max_halvings, 0, 30);
    s.check = step->flag_or("check", s.check);
    settings->mend = step->flag_or("mend", false);
    read_friction(*step, reader, s);
}

void check_implicit_pair(const Reader& reader, const Node& pair) {
    if (!reader.scene.implicit_settings) return;
    constexpr const char* spinning =
        "the implicit world has no drilling friction: contacts are points of a mesh, whose friction adds up to a torque; "
        "leave it out";
    constexpr const char* patches =
        "the implicit world has no contact patches: surfaces touch at the points of their meshes; leave it out";
    for (const auto& [key, why] : {std::pair{"drilling", spinning},
                                   {"drilling_parallel", spinning},
                                   {"spin_model", patches},
                                   {"patch_radius", patches},
                                   {"patch_overlap", patches},
                                   {"target_volume", patches},
                                   {"patch_compliance", patches}})
        if (pair.has(key)) pair.child(key).fail(why);
    if (pair.has("contact_model") && read_contact_model(pair.child("contact_model")) == surface::ContactModel::Patches)
        pair.child("contact_model").fail(patches);
    if (pair.number_or("restitution", 0, {0, 1}) > 0)
        pair.child("restitution")
            .fail("the implicit world has no restitution: bodies rebound by their elasticity; give 0, or leave it out");
    const bool smooth = reader.scene.implicit_settings->step.friction == implicit::FrictionMethod::Smooth;
    if (smooth && pair.has("law") &&
        pair.child("law").choice({"coulomb", "elliptic", "matchstick", "tensor", "ploughing"}) == "ploughing")
        pair.child("law").fail(
            "has polygons for limit surfaces, and step.friction = \"smooth\" is for ellipses; take friction = \"hold\"");
}

void read_implicit_body(Reader& reader, const Node& node, int body, const rigid::BodyDesc& desc) {
    ImplicitSettings* settings = reader.scene.implicit_settings.get();
    if (!settings) {
        for (const char* key : {"thickness", "ignore"})
            if (node.has(key)) node.child(key).fail("belongs to the implicit world; give step.method = \"implicit\"");
        return;
    }
    if (desc.mass) settings->mass[body] = *desc.mass;
    if (node.has("thickness")) settings->thickness[body] = node.child("thickness").number({0, 1e3});
    if (const std::optional<Node> ignore = node.find("ignore"))
        for (const Node& other : ignore->items())
            settings->ignored.emplace_back(body, reader.body(other, reader.name_text(other)));
    const std::optional<Node> soft = node.find("soft");
    if (!soft) return;
    if (desc.motion != rigid::Motion::Dynamic)
        soft->fail("a fixed or kinematic body cannot be soft; hold a part of a soft body by soft.hold");
    if (desc.colliders.size() != 1) soft->fail("a soft body has one shape");
    SoftBody out;
    out.most_cells = reader.limits.cells;
    out.elasticity.young = soft->child("young").number(kModulus);
    out.elasticity.poisson = soft->child("poisson").number({-1, 0.5});
    if (const std::optional<Node> model = soft->find("model")) {
        const std::vector<std::string> names = hyperelastic_names();
        const std::string name = model->choice(names);
        out.elasticity.model =
            static_cast<deform::Hyperelastic>(std::find(names.begin(), names.end(), name) - names.begin());
    }
    if (const std::optional<Node> plane = soft->find("plane")) {
        if (settings->dimension == 3) plane->fail("belongs to worlds of two dimensions");
        out.elasticity.plane =
            plane->choice({"strain", "stress"}) == "stress" ? deform::Plane::Stress : deform::Plane::Strain;
    }
    soft->with_location([&] { deform::check(out.elasticity); });
    out.consistent_mass = soft->has("mass") && soft->child("mass").choice({"lumped", "consistent"}) == "consistent";
    read_damping(*soft, out);
    if (out.consistent_mass && out.critical_damping)
        soft->child("damping").fail("\"critical\" is found for lumped masses; give a number, or mass = \"lumped\"");
    read_cells(*soft, out);
    if (const std::optional<Node> mesh = soft->find("mesh")) out.mesh = read_file_name(reader, *mesh);
    out.hollow = soft->number_or("hollow", 0, {0, 1e6});
    if (const std::optional<Node> finer = soft->find("finer_at")) {
        out.finer_at = finer->vec3();
        if (!(length(out.finer_at) < 1))
            finer->fail("must be shorter than 1: elements there are (1 - l)/(1 + l) times as long");
        if (!std::holds_alternative<geometry::Sphere>(desc.colliders.front().shape) || out.hollow > 0 || !out.mesh.empty())
            finer->fail("only a solid sphere can be finer at a place");
        if (settings->dimension == 2 && out.finer_at.y != 0) finer->fail("must have y = 0 in two dimensions");
    }
    out.self_contact = soft->flag_or("self_contact", true);
    out.holds = read_holds(*soft);
    out.loads = read_loads(*soft);
    settings->soft.emplace(body, std::move(out));
}

}  // namespace asperity::scene
