// [[body]]: shapes, orientation, motion, and `on`, which places a body on top of another.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "asperity/geometry/convex_contact/collide.h"
#include "asperity/geometry/mesh/bumpy_box.h"
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/importers/load.h"
#include "asperity/scene/implicit_settings.h"
#include "asperity/scene/reader.h"

namespace asperity::scene {
namespace {

constexpr Range kAngle{-1e6, 1e6};     // [deg]
constexpr Range kSpeed{-1e6, 1e6};     // [m/s], [rad/s]
constexpr double kLargestUsual = 100;  // length of a moving body above which a note asks for the unit [m]

geometry::Shape read_hull(const Reader& reader, const Node& node) {
    if (node.value().items.size() > static_cast<std::size_t>(reader.limits.hull_points))
        node.fail(fmt::format("a hull may have at most {} points", reader.limits.hull_points));
    std::vector<Vec3> points;
    for (const Node& item : node.items()) points.push_back(item.vec3({-1e6, 1e6}));
    geometry::Shape shape = geometry::HalfSpace{};
    node.with_location([&] { shape = geometry::convex_hull(points); });
    return shape;
}

// mesh = "file": the triangles of the file; hull_of = "file": their convex hull. Each file is read once.
geometry::Shape read_mesh(Reader& reader, const Node& shape, const Node& node, bool hull) {
    const std::filesystem::path path = read_file_name(reader, node);
    const double scale = shape.number_or("scale", 1, kSize);
    auto& known = hull ? reader.hulls : reader.meshes;
    const std::pair<std::string, double> key{path.string(), scale};
    if (const auto found = known.find(key); found != known.end()) return found->second;
    geometry::Shape result = geometry::HalfSpace{};
    node.with_location([&] {
        const geometry::Mesh mesh = importers::load(path, scale);
        if (hull) {
            result = geometry::convex_hull(mesh.triangles->positions);
            return;
        }
        result = mesh;
        reader.scene.notes.push_back(
            fmt::format("{}: {}", path.filename().string(), geometry::report(mesh.triangles->report)));
    });
    known.emplace(key, result);
    return result;
}

/// Without this check, a mesh without the attribute would silently have no grain.
void check_vertex_grain(const Node& field, const rigid::BodyDesc& body) {
    for (const rigid::Collider& collider : body.colliders)
        if (const auto* mesh = std::get_if<geometry::Mesh>(&collider.shape); mesh && mesh->triangles->grains.empty())
            field.fail(
                "the mesh has no grain at its vertices; give all primitives of the glTF file the attribute _GRAIN, three "
                "floats along the grain");
}

// Equal bumpy boxes share one shape.
geometry::Shape read_bumpy_box(Reader& reader, const Node& node) {
    const geometry::BumpyBox box{0.5 * node.child("size").vec3(kSize), node.number_or("height", 0.01, {0, 1e6}),
                                 node.integer_or("bumps", 16, 1, 1000), node.integer_or("cells", 128, 2, 1000)};
    const std::pair<std::string, double> key{
        fmt::format("bumpy box {} {} {} {} {} {}", box.half.x, box.half.y, box.half.z, box.height, box.bumps, box.cells), 1};
    if (const auto found = reader.meshes.find(key); found != reader.meshes.end()) return found->second;
    geometry::Shape result = geometry::HalfSpace{};
    node.with_location([&] { result = geometry::make_bumpy_box(box); });
    reader.meshes.emplace(key, result);
    return result;
}

geometry::Shape read_shape(Reader& reader, const Node& node) {
    const std::vector<std::string> kinds = {"sphere", "box",  "capsule", "cylinder",     "half_space",
                                            "hull",   "mesh", "hull_of", "height_field", "bumpy_box"};
    std::vector<std::string> given;
    for (const std::string& kind : kinds)
        if (node.has(kind)) given.push_back(kind);
    if (given.size() != 1)
        node.fail(
            "needs exactly one of sphere, box, capsule, cylinder, half_space, hull, mesh, hull_of, height_field, bumpy_box");
    const Node size = node.child(given[0]);
    if (node.has("scale") && given[0] != "mesh" && given[0] != "hull_of")
        node.child("scale").fail("belongs to mesh and hull_of; give other shapes their size");
    if (given[0] == "sphere") return geometry::Sphere{size.number(kSize)};
    if (given[0] == "box") return geometry::Box{0.5 * size.vec3(kSize)};
    if (given[0] == "hull") return read_hull(reader, size);
    if (given[0] == "mesh" || given[0] == "hull_of") return read_mesh(reader, node, size, given[0] == "hull_of");
    if (given[0] == "height_field") return read_height_field(reader, size);
    if (given[0] == "bumpy_box") return read_bumpy_box(reader, size);
    if (given[0] == "half_space") {
        if (!size.flag()) size.fail("write half_space = true, or leave it out");
        return geometry::HalfSpace{};
    }
    const std::vector<double> two = size.numbers(2, kSize);
    if (given[0] == "capsule") return geometry::Capsule{two[0], 0.5 * two[1]};
    return geometry::Cylinder{two[0], 0.5 * two[1]};
}

rigid::Collider read_collider(Reader& reader, const Node& node, MaterialId body_material) {
    rigid::Collider collider;
    collider.shape = read_shape(reader, node);
    collider.local = {node.vec3_or("position", {}), read_angles(node)};
    collider.material = body_material;
    if (const std::optional<Node> material = node.find("material"))
        collider.material = reader.material(*material, reader.name_text(*material));
    return collider;
}

Quat read_orientation(Reader& reader, const Node& body) {
    const bool by_angles = body.has("roll_deg") || body.has("pitch_deg") || body.has("yaw_deg");
    const bool by_quaternion = body.has("quaternion");
    const bool by_chance = body.flag_or("random_orientation", false);
    if (by_angles + by_quaternion + by_chance > 1)
        body.fail("give one orientation: roll_deg, pitch_deg and yaw_deg, or quaternion, or random_orientation");
    if (by_quaternion) {
        const Node node = body.child("quaternion");
        const std::vector<double> q = node.numbers(4, {-1e6, 1e6});
        if (std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3])) < 1e-9)
            node.fail("a zero quaternion [w, x, y, z] is no orientation");
        return normalized(Quat{q[0], q[1], q[2], q[3]});
    }
    if (by_chance) {  // four normal numbers have no preferred direction in 4D, so their unit vector is a uniform orientation
        Random& random = reader.random;
        const double w = random.normal(), x = random.normal(), y = random.normal(), z = random.normal();
        return normalized(Quat{w, x, y, z});
    }
    return read_angles(body);
}

/// The contents of a mesh file, read once.
template <class Known, class Read>
const auto& read_once(Known& known, const std::string& file, const Read& read) {
    const auto found = known.find(file);
    return found != known.end() ? found->second : known.emplace(file, read()).first->second;
}

bool has_own_look(const surface::Appearance& a) {
    const surface::Appearance standard;
    return a.color != standard.color || a.checker || a.textured() || a.roughness != standard.roughness ||
           a.metallic != standard.metallic;
}

// Uses the grain, the normal maps and the looks of a mesh's file if neither the body nor its material has its own. What is
// not used is not read.
void set_looks_of_files(Reader& reader, const Node& node, BodyId id) {
    std::vector<Node> shapes = node.tables("shapes");
    if (node.has("shape")) shapes.push_back(node.child("shape"));
    sim::World& world = reader.scene.world;
    const int first = world.model.bodies.first_collider[static_cast<std::size_t>(id.index)];
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (!shapes[i].has("mesh")) continue;
        const int collider = first + static_cast<int>(i);
        const surface::Material& material = world.model.materials[static_cast<std::size_t>(
            world.model.bodies.colliders[static_cast<std::size_t>(collider)].material.index)];
        const std::filesystem::path path = read_file_name(reader, shapes[i].child("mesh"));
        const std::string file = path.string();
        const geometry::TriangleSet& mesh =
            *std::get<geometry::Mesh>(world.model.bodies.colliders[static_cast<std::size_t>(collider)].shape).triangles;
        shapes[i].child("mesh").with_location([&] {
            if (!node.has("grain") && !node.has("grain_field") && !material.grain_field && material.grain == Vec3{})
                if (const auto& grain = read_once(reader.grains, file, [&] { return grain_of_file(path, mesh); }))
                    world.set_grain(world.model.bodies.collider_id(collider), *grain);
            if (!node.has("normal_map") && material.slopes.smooth())
                if (const auto& slopes = read_once(reader.slopes, file, [&] { return slopes_of_file(reader, path, mesh); }))
                    world.set_slopes(world.model.bodies.collider_id(collider), *slopes);
        });
        if (!has_own_look(material.appearance))
            if (const auto& looks = read_once(reader.looks, file, [&] { return looks_of_file(reader, path); }))
                reader.scene.looks[collider] = looks;
    }
}

// Transforms `body` into the axes of the body below it, then moves it along their -z axis until first contact.
void place_on_body(Reader& reader, const Node& node, const std::string& other_name, rigid::BodyDesc& body) {
    const int other = reader.body(node, other_name);
    const rigid::Bodies& bodies = reader.scene.world.model.bodies;
    const auto o = static_cast<std::size_t>(other);
    body.pose = reader.authored[o] * body.pose;
    body.pose.orientation = normalized(body.pose.orientation);
    const Vec3 down = rotate(reader.authored[o].orientation, {0, 0, -1});
    std::optional<double> nearest;
    for (int c = bodies.first_collider[o]; c < bodies.first_collider[o] + bodies.collider_count[o]; ++c) {
        const rigid::Collider& below = bodies.colliders[static_cast<std::size_t>(c)];
        for (const rigid::Collider& above : body.colliders) {
            if (std::holds_alternative<geometry::HalfSpace>(above.shape) &&
                std::holds_alternative<geometry::HalfSpace>(below.shape))
                continue;
            const geometry::Travel travel =
                geometry::travel_to_touch(below.shape, reader.scene.world.state.bodies.pose[o] * below.local, above.shape,
                                          body.pose * above.local, down);
            if (travel.meets && std::isfinite(travel.distance))
                nearest = std::min(nearest.value_or(travel.distance), travel.distance);
        }
    }
    if (!nearest)
        node.fail(fmt::format(
            "moved along -z of '{}', this body never touches it; change `position`, the offset in the axes of '{}'",
            one_line(other_name, 60), one_line(other_name, 60)));
    body.pose.position += *nearest * down;
}

// The pose of a kinematic body: its start pose, translated and rotated (about its origin, in world axes) by functions of
// time.
struct Path {
    Pose start;
    std::function<double(double)> offset[3], roll, pitch, yaw;  // [m], [deg]
    Pose operator()(double t) const {
        const Quat turn = from_angles(radians(roll(t)), radians(pitch(t)), radians(yaw(t)));
        return {start.position + Vec3{offset[0](t), offset[1](t), offset[2](t)}, turn * start.orientation};
    }
};

}  // namespace

std::function<Pose(double)> path_of(const Node& node, const Pose& start) {
    auto path = std::make_shared<Path>();
    path->start = start;
    const auto function = [&](std::string_view key) {
        const std::optional<Node> child = node.find(key);
        return child ? child->function_of_time(kAngle) : [](double) { return 0.0; };
    };
    for (auto& offset : path->offset) offset = [](double) { return 0.0; };
    if (const std::optional<Node> position = node.find("position")) {
        if (position->value().kind != Value::Kind::List || position->value().items.size() != 3)
            position->fail("expected a list of 3 numbers or formulas of t");
        for (std::size_t i = 0; i < 3; ++i)
            path->offset[i] =
                Node(*position, position->value().items[i], fmt::format("{}", i), nullptr).function_of_time(kCoordinate);
    }
    path->roll = function("roll_deg");
    path->pitch = function("pitch_deg");
    path->yaw = function("yaw_deg");
    return [path](double t) { return (*path)(t); };
}

Quat from_angles(double roll, double pitch, double yaw) {
    return rotation({0, 0, yaw}) * rotation({0, pitch, 0}) * rotation({roll, 0, 0});
}

Quat read_angles(const Node& table) {
    const double roll = table.number_or("roll_deg", 0, kAngle), pitch = table.number_or("pitch_deg", 0, kAngle),
                 yaw = table.number_or("yaw_deg", 0, kAngle);
    return from_angles(radians(roll), radians(pitch), radians(yaw));
}

namespace {

/// Lengths in millimetres are a common mistake: such a scene runs, but everything in it falls as slowly as a mountain.
void note_size(Reader& reader, const Node& node, const rigid::BodyDesc& body) {
    if (body.motion != rigid::Motion::Dynamic || reader.noted_size) return;
    double largest = 0;
    for (const rigid::Collider& collider : body.colliders) {
        const geometry::Aabb box = geometry::bounds(collider.shape, {});
        if (const double size = max_component(box.high - box.low); std::isfinite(size)) largest = std::fmax(largest, size);
    }
    if (!(largest > kLargestUsual)) return;
    reader.noted_size = true;  // one note, also for a thousand such bodies
    reader.scene.notes.push_back(fmt::format("{} is {:.3g} m long: all lengths are in metres", node.path(), largest));
}

}  // namespace

void read_body(Reader& reader, const Node& node, const std::string& name, const std::optional<std::string>& first_on) {
    if (reader.bodies.size() >= static_cast<std::size_t>(reader.limits.bodies))
        node.fail(fmt::format("more than {} bodies", reader.limits.bodies));
    if (name == "world") node.fail("the name 'world' is reserved for the world in joints; choose another");
    if (reader.bodies.contains(name))
        node.fail(fmt::format("two bodies are called '{}'; names must differ", one_line(name, 60)));

    rigid::BodyDesc body;
    body.name = name;
    MaterialId material;
    if (const std::optional<Node> text = node.find("material")) material = reader.material(*text, reader.name_text(*text));
    if (node.has("shape") == node.has("shapes")) node.fail("needs either shape = { ... } or shapes = [ { ... }, ... ]");
    if (node.has("shape")) body.colliders.push_back(read_collider(reader, node.child("shape"), material));
    for (const Node& shape : node.tables("shapes")) body.colliders.push_back(read_collider(reader, shape, material));
    if (body.colliders.empty()) node.child("shapes").fail("an empty list; a body needs a shape");

    body.mass = node.maybe_number("mass", {1e-12, 1e15});
    body.pose.position = node.vec3_or("position", {});
    body.pose.orientation = read_orientation(reader, node);
    body.velocity = node.vec3_or("velocity", {}, kSpeed);
    body.angular_velocity = node.vec3_or("angular_velocity", {}, kSpeed);
    if (const std::optional<Node> on = node.find("on")) {
        bool negative = false;
        const std::string other = reader.name_text(*on, &negative);
        place_on_body(reader, *on, negative && first_on ? *first_on : other, body);
        if (ImplicitSettings* settings = reader.scene.implicit_settings.get())
            settings->lies_on[static_cast<int>(reader.bodies.size())] =
                reader.body(*on, negative && first_on ? *first_on : other);
    }

    const bool fixed = node.flag_or("fixed", false);
    if (fixed) body.motion = rigid::Motion::Fixed;
    if (const std::optional<Node> kinematic = node.find("kinematic")) {
        if (fixed) kinematic->fail("a body is either fixed or kinematic");
        body.motion = rigid::Motion::Kinematic;
        body.path = path_of(*kinematic, body.pose);
        body.pose = body.path(0);
    }
    for (const char* key : {"velocity", "angular_velocity"})
        if (body.motion != rigid::Motion::Dynamic && node.has(key))
            node.child(key).fail(
                "fixed and kinematic bodies do not take a velocity; see kinematic = { position = [...] }, surface_velocity");
    BodyId id;
    node.with_location([&] { id = reader.scene.world.add_body(body); });
    reader.bodies[name] = id.index;
    note_size(reader, node, body);
    const surface::Material& first =
        reader.scene.world.model.materials[static_cast<std::size_t>(body.colliders[0].material.index)];
    surface::TileSize tile = first.appearance.texture_size;
    tile.rise = 1;
    if (const std::optional<surface::Grain> grain = read_grain(reader, node, tile)) {
        if (std::holds_alternative<surface::VertexGrain>(*grain)) check_vertex_grain(node.child("grain_field"), body);
        reader.scene.world.set_grain(id, *grain);
    }
    if (const std::optional<surface::SlopeTexture> slopes = read_normal_map(reader, node, tile))
        reader.scene.world.set_slopes(id, *slopes);
    set_looks_of_files(reader, node, id);
    read_implicit_body(reader, node, id.index, body);
    reader.authored.push_back(body.pose);
}

}  // namespace asperity::scene
