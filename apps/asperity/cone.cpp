// asperity cone SCENE --pair oak-oak --angle 30, or --contact block: prints the limit surface of a pair of materials,
// or of a contact in the scene, and draws it with --out.
#include "asperity/record/cone.h"

#include <fmt/format.h>

#include "asperity/commands.h"
#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/record/footprint.h"
#include "asperity/sim/contact_surface.h"
#include "asperity/sim/step.h"

namespace asperity::app {
namespace {

struct Found {
    friction::LimitSurface surface;
    std::string title;
};

/// The two materials of "A-B". The names themselves may contain dashes.
std::pair<int, int> materials_of(const sim::World& world, const std::string& pair) {
    const auto find = [&](const std::string& name) {
        for (size_t i = 0; i < world.model.materials.size(); ++i)
            if (world.model.materials[i].name == name) return static_cast<int>(i);
        return -1;
    };
    for (size_t dash = pair.find('-'); dash != std::string::npos; dash = pair.find('-', dash + 1)) {
        const int a = find(pair.substr(0, dash)), b = find(pair.substr(dash + 1));
        if (a >= 0 && b >= 0) return {a, b};
    }
    std::string known;
    for (const surface::Material& m : world.model.materials) known += (known.empty() ? "" : ", ") + m.name;
    throw InputError(fmt::format("--pair {}: expected A-B with two materials of the scene, which has {}", pair, known));
}

/// Limit surface of two materials with grains `angle_deg` apart, at the given slip speed and load.
Found of_pair(sim::World& world, const ConeArgs& args) {
    const auto [a, b] = materials_of(world, args.pair);
    std::vector<std::pair<int, int>> needed{{a, b}};
    world.model.pairs.resolve(world.model.materials, needed);
    friction::ConeInput in;
    in.normal = {0, 0, 1};
    in.grain_a = {1, 0, 0};
    in.grain_b = {std::cos(radians(args.angle_deg)), std::sin(radians(args.angle_deg)), 0};
    in.slip = {args.speed, 0, 0};
    in.normal_force = args.load;
    in.swapped = a > b;
    Found found;
    friction::generate(world.model.pairs.pair(a, b).friction, {&in, 1}, {&found.surface, 1});
    found.title = fmt::format("{}, grains {:g} degrees apart", args.pair, args.angle_deg);
    return found;
}

/// Draws the footprint that the friction law sampled under a contact of the last step.
void draw_footprint(const sim::World& world, int contact, const std::string& title, const std::string& file) {
    const sim::SampledFootprint sampled = sim::sampled_footprint(world, static_cast<size_t>(contact));
    if (!sampled.request)
        throw InputError("cone: --patch: this contact does not plough; its pair of materials needs law = \"ploughing\"");
    const contact::Contact& c = world.state.active.contacts[static_cast<size_t>(contact)];
    const auto name = [&](int body) { return world.model.bodies.name[static_cast<size_t>(body)]; };
    write_file(file, record::svg_footprint(*sampled.request, world.model.pairs.at(sampled.pair).footprint.resolution, title,
                                           name(c.body_a), name(c.body_b)));
    fmt::print("patch   {}\n", file);
}

/// The contact with the largest normal impulse among those of the named bodies at that time.
Found at_contact(scene::Scene& s, const ConeArgs& args) {
    std::vector<int> bodies;
    for (const std::string& name : args.contact) {
        const BodyId id = s.world.find_body(name);
        if (id.is_world()) throw InputError(fmt::format("--contact {}: the scene has no body of this name", name));
        bodies.push_back(id.index);
    }
    const double dt = s.dt;
    do sim::step(s.world, dt);
    while (s.world.state.time < args.time - 1e-9);
    int best = -1;
    double most = -1;
    for (size_t i = 0; i < s.world.state.active.contacts.size(); ++i) {
        const contact::Contact& c = s.world.state.active.contacts[i];
        const bool named =
            std::all_of(bodies.begin(), bodies.end(), [&](int body) { return c.body_a == body || c.body_b == body; });
        if (const double load = dot(c.impulse, c.normal); named && load > most) most = load, best = static_cast<int>(i);
    }
    if (best < 0)
        throw InputError(fmt::format("--contact {}: no such contact at {:g} s; try another --time",
                                     fmt::join(args.contact, " "), s.world.state.time));
    const contact::Contact& c = s.world.state.active.contacts[static_cast<size_t>(best)];
    const auto name = [&](int body) { return s.world.model.bodies.name[static_cast<size_t>(body)]; };
    const std::string title = fmt::format("{} on {} at {:g} s", name(c.body_b), name(c.body_a), s.world.state.time);
    if (!args.patch.empty()) draw_footprint(s.world, best, title, args.patch);
    const sim::ContactSamples on = sim::sample_surfaces(s.world, c);
    fmt::print("point   {:.6g} {:.6g} {:.6g}\nnormal  {:.6g} {:.6g} {:.6g}\nload    {:.6g} N\n", c.point.x, c.point.y,
               c.point.z, c.normal.x, c.normal.y, c.normal.z, most / dt);
    fmt::print("grain   {:.6g} {:.6g} {:.6g} of {}\n        {:.6g} {:.6g} {:.6g} of {}\n", on.a.grain.x, on.a.grain.y,
               on.a.grain.z, name(c.body_a), on.b.grain.x, on.b.grain.y, on.b.grain.z, name(c.body_b));
    return {sim::limit_surface(s.world, static_cast<size_t>(best)), title};
}

}  // namespace

int cone_command(const ConeArgs& args) {
    if (!args.map_a.empty() || !args.map_b.empty()) return cone_of_maps(args);
    if (args.scene.empty()) throw InputError("cone: give a scene, or normal maps by --map-a and --map-b");
    if (args.json) throw InputError("cone: --json needs --map-a or --map-b");
    if (!args.patch.empty() && args.contact.empty()) throw InputError("cone: --patch needs --contact");
    if (args.pair.empty() == args.contact.empty()) throw InputError("cone: give either --pair A-B or --contact BODY [BODY]");
    std::vector<scene::Override> overrides;
    for (const std::string& text : args.set) overrides.push_back(override_of(text));
    scene::Scene s = scene::load(find_scene(args.scene), overrides);
    const Found found = args.pair.empty() ? at_contact(s, args) : of_pair(s.world, args);
    const friction::LimitSurface& cone = found.surface;
    fmt::print("{}\nt       {:.6g} {:.6g} {:.6g}\nb       {:.6g} {:.6g} {:.6g}\n", found.title, cone.t.x, cone.t.y, cone.t.z,
               cone.b.x, cone.b.y, cone.b.z);
    if (const auto* e = std::get_if<friction::Ellipse>(&cone.set))
        fmt::print("ellipse mu_t {:.6g}, mu_b {:.6g}\n", e->t, e->b);
    if (const auto* e = std::get_if<friction::Ellipsoid>(&cone.set))
        fmt::print("ellipsoid mu_t {:.6g}, mu_b {:.6g}, drilling {:.6g} m\n", e->t, e->b, e->drill);
    if (const auto* r = std::get_if<friction::Rectangle>(&cone.set))
        fmt::print("box     -{:.6g} .. {:.6g} along t, -{:.6g} .. {:.6g} along b\n", r->t_minus, r->t_plus, r->b_minus,
                   r->b_plus);
    if (const auto* p = std::get_if<friction::Polygon>(&cone.set)) fmt::print("polygon of {} corners\n", p->corners.size());
    fmt::print("\nangle from t   holds   drag   force   slip of a push [deg]\n");
    // A set symmetric about both axes is printed over a quarter turn only.
    const bool round =
        !std::holds_alternative<friction::Rectangle>(cone.set) && !std::holds_alternative<friction::Polygon>(cone.set);
    for (const record::ConeRow& row : record::cone_rows(cone.set, 24))
        if (!round || row.angle <= std::acos(-1.0) / 2 + 1e-9)
            fmt::print("{:12.0f} {:7.4f} {:6.4f} {:7.4f} {:10.2f}\n", degrees(row.angle), row.hold, row.drag, row.force,
                       degrees(row.slip_angle));
    if (args.out.empty()) return kGood;
    write_file(args.out, record::svg_cone(cone.set, found.title));
    fmt::print("\n{}\n", args.out);
    return kGood;
}

}  // namespace asperity::app
