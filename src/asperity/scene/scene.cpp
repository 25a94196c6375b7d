// Reads a scene in this order: params, step, world, materials, pairs, bodies, joints, expectations, view.
#include "asperity/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <set>

#include <fmt/format.h>

#include "asperity/core/files.h"
#include "asperity/core/hash.h"
#include "asperity/scene/expect.h"
#include "asperity/scene/implicit_run.h"
#include "asperity/scene/implicit_settings.h"
#include "asperity/scene/overrides.h"
#include "asperity/scene/pattern.h"
#include "asperity/scene/reader.h"

namespace asperity::scene {
namespace {

constexpr int kMaxParamDepth = 100;  // a chain a -> b -> c of params is followed by recursion

// Resolves the names in formulas. A param is evaluated when it is first needed, so params may refer to each other and to g,
// dt and duration in any order, but not in a circle.
class Names {
  public:
    Names(Reader& reader, const Node& root) : reader_(reader), root_(root), params_(root.named("params")) {
        if (params_.size() > static_cast<std::size_t>(reader.limits.params))
            root.child("params").fail(fmt::format("more than {} params", reader.limits.params));
        std::vector<std::string> names = {"g", "dt", "duration"};
        const std::vector<std::string> reserved = Formulas::reserved_names();
        for (const Node& param : params_) {
            const std::string& name = param.name();
            const bool letters =
                !name.empty() && name.size() <= 60 && !(name[0] >= '0' && name[0] <= '9') &&
                std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
            if (!letters) param.fail("a param's name has letters, digits and _, and no digit first, since formulas use it");
            if (std::find(reserved.begin(), reserved.end(), name) != reserved.end())
                param.fail(fmt::format("'{}' has a meaning in formulas already; choose another name", name));
            if (param.value().kind != Value::Kind::List) {
                add(param, name);
                continue;
            }
            const std::vector<Node>& items = lists_.emplace_back(param.items());  // NAME_1, NAME_2, ... in formulas
            if (items.size() > static_cast<std::size_t>(reader.limits.params))
                param.fail(fmt::format("more than {} numbers", reader.limits.params));
            for (std::size_t i = 0; i < items.size(); ++i) add(items[i], fmt::format("{}_{}", name, i + 1));
        }
        names.insert(names.end(), order_.begin(), order_.end());
        for (const Node& param : params_)
            if (is_word(param)) reader.source.words[param.name()] = param.text();
        reader.formulas.set_names([this](const std::string& name) { return value(name); }, std::move(names));
    }
    ~Names() { reader_.formulas.set_names({}, {}); }
    Names(const Names&) = delete;
    Names& operator=(const Names&) = delete;

    double dt() { return *value("dt"); }
    double duration() { return *value("duration"); }
    Vec3 gravity() {
        value("g");  // evaluate g once, also when it is drawn at random
        return gravity_;
    }
    std::map<std::string, double> all_params() {
        std::map<std::string, double> out;
        for (const std::string& name : order_)
            if (!reader_.source.words.contains(name)) out[name] = *value(name);
        return out;
    }

  private:
    void add(const Node& node, const std::string& name) {
        if (!by_name_.emplace(name, &node).second)
            node.fail(fmt::format("'{}' is already defined, as a param or as an item of a list param", name));
        order_.push_back(name);
    }

    /// Whether the param is a word: one name that is not the name of a number, nor a misspelling of one.
    bool is_word(const Node& param) const {
        if (param.value().kind != Value::Kind::Text) return false;
        const std::string word = param.text();
        const bool letters =
            !word.empty() && !(word[0] >= '0' && word[0] <= '9') &&
            std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
        std::vector<std::string> numbers = order_;
        numbers.insert(numbers.end(), {"g", "dt", "duration", "pi"});
        std::erase(numbers, param.name());
        return letters && word != param.name() && nearest_name(word, numbers).empty();
    }

    /// "spin_model_is_uniform": 1 if the param spin_model is the word uniform, else 0.
    std::optional<double> comparison(const std::string& name) const {
        for (const auto& [param, word] : reader_.source.words)
            if (name.starts_with(param + "_is_")) return name.substr(param.size() + 4) == word ? 1 : 0;
        return {};
    }

    std::optional<double> value(const std::string& name) {
        if (const std::optional<double> compared = comparison(name)) return compared;
        if (const auto word = reader_.source.words.find(name); word != reader_.source.words.end())
            by_name_.at(name)->fail(
                fmt::format("unknown name '{1}': a formula uses the param {0} as a number; to test for the word: "
                            "'{0}_is_{1}' is 1 or 0",
                            name, one_line(word->second, 40)));
        if (const auto done = values_.find(name); done != values_.end()) return done->second;
        const auto param = by_name_.find(name);
        if (param == by_name_.end() && name != "g" && name != "dt" && name != "duration") return {};
        if (!busy_.insert(name).second) throw FormulaError(fmt::format("'{}' depends on itself", name));
        if (busy_.size() > kMaxParamDepth)
            throw FormulaError(fmt::format("params refer to params more than {} deep", kMaxParamDepth));
        const double result = param != by_name_.end() ? param->second->number() : built_in(name);
        busy_.erase(name);
        values_[name] = result;
        return result;
    }

    double built_in(const std::string& name) {
        if (name == "g") {
            gravity_ = reader_.scene.world.model.settings.gravity;
            if (const std::optional<Node> world = root_.find("world"))
                gravity_ = world->vec3_or("gravity", gravity_, {-1e6, 1e6});
            return length(gravity_);
        }
        const std::optional<Node> step = root_.find("step");
        if (name == "dt") return step ? step->number_or("dt", reader_.scene.dt, {1e-9, 1}) : reader_.scene.dt;
        return step ? step->number_or("duration", reader_.scene.duration, {1e-9, 1e6}) : reader_.scene.duration;
    }

    Reader& reader_;
    const Node& root_;
    std::vector<Node> params_;
    std::deque<std::vector<Node>> lists_;
    std::map<std::string, const Node*> by_name_;
    std::vector<std::string> order_;  // in the order of the file, because random numbers are drawn from top to bottom
    std::map<std::string, double> values_;
    std::set<std::string> busy_;
    Vec3 gravity_;
};

std::uint64_t read_seed(const Node& root, std::optional<std::uint64_t> given) {
    if (given || !root.has("seed")) return given.value_or(1);
    const Node node = root.child("seed");
    if (node.value().kind != Value::Kind::Integer || node.value().integer < 0) node.fail("must be a whole number >= 0");
    return static_cast<std::uint64_t>(node.value().integer);
}

void read_step(Reader& reader, const Node& root) {
    const std::optional<Node> step = root.find("step");
    if (!step) return;
    sim::Settings& settings = reader.scene.world.model.settings;
    if (reader.scene.duration / reader.scene.dt > 1e9) step->fail("duration / dt is more than 1e9 steps");
    if (reader.scene.duration < 0.5 * reader.scene.dt)
        step->fail("duration is shorter than half a step dt, so nothing would happen");
    settings.substeps = step->integer_or("substeps", settings.substeps, 1, 10000);
    if (const std::optional<Node> solver = step->find("solver")) settings.solver = solver->choice(solvers::solver_names());
    settings.solve.tolerance = step->number_or("tolerance", settings.solve.tolerance, {0, 1e6, true});
    settings.solve.max_sweeps = step->integer_or("max_sweeps", settings.solve.max_sweeps, 1, 100000000);
    settings.solve.exact_contacts = step->flag_or("exact_contacts", settings.solve.exact_contacts);
    settings.solve.relaxation = step->number_or("relaxation", settings.solve.relaxation, {0.1, 1.99});
    settings.contact_margin = step->number_or("contact_margin", settings.contact_margin, {0, 1e3, true});
    if (const std::optional<Node> model = step->find("contact_model")) settings.contact_model = read_contact_model(*model);
    settings.stabilisation = read_stabilisation(*step);
    settings.sleep_speed = step->number_or("sleep_speed", settings.sleep_speed, {0, 1e3});
    settings.sleep_time = step->number_or("sleep_time", settings.sleep_time, {0, 1e6});
    settings.contact_reuse = step->number_or("contact_reuse", settings.contact_reuse, {0, 1e3});
    settings.bounce_threshold = step->number_or("bounce_threshold", settings.bounce_threshold, {0, 1e6});
    settings.implicit_passes = step->integer_or("implicit_passes", settings.implicit_passes, 0, 1000);
    settings.halfway_contacts = step->flag_or("halfway_contacts", settings.halfway_contacts);
    settings.position_sweeps = step->integer_or("position_sweeps", settings.position_sweeps, 0, 100000000);
}

void read_combine(Reader& reader, const Node& root) {
    const std::optional<Node> world = root.find("world");
    const std::optional<Node> combine = world ? world->find("combine") : std::nullopt;
    if (!combine) return;
    const std::vector<std::string> rules = {"geometric", "mean", "min", "max", "product"};  // in the order of the enum
    const std::string rule = combine->choice(rules);
    const auto index = std::find(rules.begin(), rules.end(), rule) - rules.begin();
    reader.scene.world.model.pairs.set_combine(static_cast<surface::Combine>(index));
}

bool written_before(const Node* a, const Node* b) {
    const Where &x = a->value().where, &y = b->value().where;
    return std::tie(x.origin, x.line, x.column) < std::tie(y.origin, y.line, y.column);
}

// Reads bodies and generators in the order of the file, because `on` refers to earlier bodies and random draws follow it.
void read_bodies(Reader& reader, const std::vector<Node>& bodies, const std::vector<Node>& generators) {
    std::vector<const Node*> order;
    for (const Node& node : bodies) order.push_back(&node);
    for (const Node& node : generators) order.push_back(&node);
    std::stable_sort(order.begin(), order.end(), written_before);
    for (const Node* node : order) {
        if (std::any_of(generators.begin(), generators.end(), [&](const Node& g) { return &g == node; })) {
            generate_bodies(reader, *node);
        } else {
            const Node name = node->child("name");
            check_name(name, name.text());
            read_body(reader, *node, name.text());
        }
    }
}

void read_joints(Reader& reader, const std::vector<Node>& joints, const std::vector<Node>& generators) {
    int number = 0;
    for (const Node& node : joints) {
        const std::string name = node.text_or("name", fmt::format("joint_{}", number++));
        check_name(node, name);
        read_joint(reader, node, name);
    }
    for (const Node& node : generators) generate_joints(reader, node);
}

bool some_body_matches(const Reader& reader, const std::string& pattern) {
    if (pattern.find('*') == std::string::npos) return reader.bodies.contains(pattern);
    return std::any_of(reader.bodies.begin(), reader.bodies.end(),
                       [&](const auto& body) { return matches(pattern, body.first); });
}

Expectation read_expectation(const Reader& reader, const Node& node) {
    Expectation e;
    const Node observable = node.child("observable");
    e.observable = observable.text();
    std::vector<std::string> of_body = body_observables();
    const std::vector<std::string> of_row = row_observables(), of_world = world_observables(),
                                   of_force = force_observables();
    of_body.insert(of_body.end(), of_force.begin(), of_force.end());
    const bool is_force = std::find(of_force.begin(), of_force.end(), e.observable) != of_force.end();
    const bool is_row = std::find(of_row.begin(), of_row.end(), e.observable) != of_row.end();
    const bool is_body = is_row || std::find(of_body.begin(), of_body.end(), e.observable) != of_body.end();
    const bool is_world = std::find(of_world.begin(), of_world.end(), e.observable) != of_world.end();
    if (!is_body && !is_world) {
        std::vector<std::string> known = of_body;
        known.insert(known.end(), of_row.begin(), of_row.end());
        known.insert(known.end(), of_world.begin(), of_world.end());
        observable.fail("unknown observable" + hint(e.observable, known));
    }
    if (is_body) {
        const Node body = node.child("body");
        e.body = body.text();
        if (!some_body_matches(reader, e.body)) {
            std::vector<std::string> names;
            for (const auto& [name, index] : reader.bodies) names.push_back(name);
            body.fail("no body of this name" + hint(e.body, names));
        }
    } else if (node.has("body")) {
        node.child("body").fail(fmt::format("'{}' is an observable of the whole world; leave `body` out", e.observable));
    }
    e.name = node.text_or("name", e.body.empty() ? e.observable : e.body + " " + e.observable);
    if (const std::optional<Node> over = node.find("over")) {
        e.over = over->choice({"max", "min", "mean", "spread", "deviation"});
        if (!is_body) over->fail("only observables of bodies are taken over several bodies");
        if (is_row) over->fail(fmt::format("all bodies together have one `{}`", e.observable));
    }
    if (const std::optional<Node> by = node.find("by")) {
        e.by = by->text();
        if (!is_force || e.by.find('.') == std::string::npos) reader.body(*by, e.by);  // fails if there is no such body
        if (e.observable != "touched" && !is_row && !is_force)
            by->fail("belongs to the observables `touched`, `wrap_deg`, `fx`, `fy` and `fz`");
    } else if (is_row) {
        observable.fail("needs `by`, the body that the others are wound round");
    }
    e.equals = node.maybe_number("equals");
    e.below = node.maybe_number("below");
    e.above = node.maybe_number("above");
    if (!e.equals && !e.below && !e.above) node.fail("has no bound; give equals, below or above");
    for (const char* key : {"within", "within_percent"})
        if (!e.equals && node.has(key)) node.child(key).fail("is the tolerance of `equals`, which is missing");
    if (node.has("within") && node.has("within_percent"))
        node.child("within_percent").fail("give within or within_percent, not both");
    e.within = node.number_or("within", 0, kNotNegative);
    e.within_percent = node.maybe_number("within_percent", kNotNegative);
    e.from = node.number_or("from", 0, kNotNegative);
    e.until = node.maybe_number("until", kNotNegative);
    if (const std::optional<Node> point = node.find("point")) {
        const std::vector<std::string> known = point_observables();
        if (std::find(known.begin(), known.end(), e.observable) == known.end())
            point->fail("belongs to the observables of position and velocity" + hint(e.observable, known));
        e.point = point->vec3();
    }
    if (e.until && *e.until <= e.from) node.child("until").fail(fmt::format("must be later than `from`, {:g} s", e.from));
    return e;
}

std::optional<record::View> read_view(const Node& root) {
    const std::optional<Node> node = root.find("view");
    if (!node) return {};
    record::View view;
    view.eye = node->child("eye").vec3();
    view.target = node->child("target").vec3();
    view.field_of_view_deg = node->number_or("fov_deg", view.field_of_view_deg, {1, 170});
    if (length(view.eye - view.target) < 1e-9) node->fail("eye and target are the same point");
    return view;
}

}  // namespace

Reader::Reader(const std::filesystem::path& file, const std::vector<Override>& overrides, const ReadLimits& read_limits)
    : limits(read_limits), source{one_line(file.string(), 200), &overrides, &formulas, {0}, {}} {
    scene.file = file;
}

MaterialId Reader::material(const Node& node, const std::string& name) const {
    const auto found = materials.find(name);
    if (found != materials.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [known, index] : materials) names.push_back(known);
    node.fail(fmt::format("no material '{}'{}", one_line(name, 60), hint(name, names)));
}

int Reader::body(const Node& node, const std::string& name) const {
    const auto found = bodies.find(name);
    if (found != bodies.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [known, index] : bodies) names.push_back(known);
    node.fail(fmt::format("no body '{}' so far{}", one_line(name, 60), hint(name, names)));
}

void check_name(const Node& node, const std::string& name) {
    const bool good = !name.empty() && name.size() <= 100 && std::all_of(name.begin(), name.end(), [](unsigned char c) {
        return c >= 128 || std::isalnum(c) || c == '_' || c == '-' || c == ' ';
    });
    if (!good)
        node.fail(
            fmt::format("'{}' is not a valid name; use 1 to 100 letters, digits, '_', '-' and spaces", one_line(name, 60)));
}

namespace {

/// Hash of the data that a checkpoint and the run resuming from it must share. The duration may differ, to prolong a run.
std::string fingerprint(std::string_view text, const std::vector<Override>& overrides, std::uint64_t seed) {
    Hash hash;
    const auto add = [&](std::string_view part) {
        for (const char c : part) hash.add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
        hash.add(std::uint64_t{256});  // separator: no character has this value
    };
    add(text);
    for (const Override& o : overrides) {
        if (o.key == "step.duration") continue;
        add(o.key);
        add(o.value);
    }
    hash.add(seed);
    return hash.hex();
}

/// Prepares the world. What it refuses concerns the scene as a whole, such as a pair of materials without friction. The
/// place in the message is that of a material named in it, else that of the first body.
void prepare(Reader& reader, const Node& root, const Node& first_body) {
    Scene& scene = reader.scene;
    try {
        scene.world.prepare();
        if (scene.implicit_settings) scene.implicit = make_implicit_run(scene.world, *scene.implicit_settings, scene.notes);
    } catch (const InputError& error) {
        const std::string what = error.what();
        const Node* at = &first_body;
        const std::vector<Node> materials = root.named("material");
        for (const Node& material : materials)
            if (what.find('"' + material.name() + '"') != std::string::npos) at = &material;
        const std::vector<Node> bodies = root.tables("body");
        for (const Node& body : bodies)
            if (what.find('\'' + body.text_or("name", "") + '\'') != std::string::npos) at = &body;
        const std::vector<Node> generators = root.tables("generate");
        for (const Node& generator : generators)  // their bodies are called NAME_0, NAME_1, ...
            if (const std::string name = generator.text_or("name", "");
                !name.empty() && what.find('\'' + name + '_') != std::string::npos)
                at = &generator;
        at->with_location([&] { throw InputError(what); });
    }
}

}  // namespace

Scene parse_within(std::string_view text, const std::filesystem::path& file, const std::vector<Override>& overrides,
                   std::optional<std::uint64_t> seed, const ReadLimits& limits) {
    Reader reader(file, overrides, limits);
    if (text.size() > limits.bytes)
        throw InputError(fmt::format("{}: larger than {} bytes, the limit for a scene", reader.source.file, limits.bytes));
    Value document;
    try {
        document = parse_toml(text);
    } catch (const TomlError& error) {
        throw InputError(fmt::format("{}:{}:{}: not TOML: {}", reader.source.file, error.line, error.column, error.what));
    }
    document.where = {};
    apply_overrides(document, overrides);

    const Node root(reader.source, document, scene_table());
    Scene& scene = reader.scene;
    scene.title = root.text_or("title", file.stem().string());
    scene.seed = read_seed(root, seed);
    scene.fingerprint = fingerprint(text, overrides, scene.seed);
    reader.random = Random(scene.seed);

    Names names(reader, root);
    scene.params = names.all_params();
    scene.words = reader.source.words;
    scene.dt = names.dt();
    scene.duration = names.duration();
    scene.world.model.settings.gravity = names.gravity();
    reader.source.probes = {0, scene.dt, 0.5 * scene.duration, scene.duration};
    read_step(reader, root);
    read_implicit_step(reader, root);
    read_combine(reader, root);
    read_materials(reader, root);
    read_pairs(reader, root);

    const std::vector<Node> bodies = root.tables("body"), generators = root.tables("generate");
    read_bodies(reader, bodies, generators);
    if (reader.bodies.empty())
        throw InputError(
            fmt::format("{}: no [[body]] and no [[generate]]: a scene needs at least one body", reader.source.file));
    const std::vector<Node> joints = root.tables("joint");
    read_joints(reader, joints, generators);
    for (const Node& node : root.tables("expect")) scene.expectations.push_back(read_expectation(reader, node));
    scene.view = read_view(root);
    prepare(reader, root, bodies.empty() ? generators.front() : bodies.front());
    scene.start_poses = scene.world.state.bodies.pose;
    return std::move(scene);
}

double kinetic_energy(const Scene& scene) {
    return scene.implicit ? scene.implicit->kinetic_energy() : scene.world.kinetic_energy();
}
double potential_energy(const Scene& scene) {
    return scene.implicit ? scene.implicit->potential_energy() : scene.world.potential_energy();
}
std::string state_hash(const Scene& scene) {
    return scene.implicit ? scene.implicit->state_hash() : scene.world.state_hash();
}

Scene parse(std::string_view text, const std::filesystem::path& name, const std::vector<Override>& overrides,
            std::optional<std::uint64_t> seed) {
    return parse_within(text, name, overrides, seed, {});
}

Scene load(const std::filesystem::path& path, const std::vector<Override>& overrides, std::optional<std::uint64_t> seed) {
    return parse(read_file(path, ReadLimits{}.bytes), path, overrides, seed);
}

}  // namespace asperity::scene
