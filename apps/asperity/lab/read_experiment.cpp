#include "asperity/lab/read_experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/commands.h"
#include "asperity/core/files.h"
#include "asperity/scene/node.h"
#include "asperity/scene/overrides.h"

namespace asperity::app {
namespace {

using scene::Key;
using scene::Node;
using scene::Range;
using scene::Table;
using Is = scene::Key::Is;

const Table kSolid{"material", {{"young"}, {"poisson"}, {"density"}, {"damping"}}};
const Table kBlock{"lower", {{"length"}, {"height"}, {"young"}, {"poisson"}, {"density"}, {"damping"}}};
const Table kUpper{"upper", {{"length"}, {"height"}, {"at"}, {"bevel"}, {"young"}, {"poisson"}, {"density"}, {"damping"}}};
const Table kSurface{"surface",
                     {{"kind"},
                      {"seed"},
                      {"sigma"},
                      {"f_min"},
                      {"f_max"},
                      {"exponent"},
                      {"hurst"},
                      {"roll_off"},
                      {"frequency"},
                      {"bandwidth"},
                      {"period"},
                      {"slope_up"},
                      {"slope_down"},
                      {"amplitude"},
                      {"radius"},
                      {"spacing"}}};
const Table kContact{"contact", {{"gap"}, {"distance"}, {"stiffness"}, {"mu"}, {"adhesion"}, {"cap"}}};
const Table kSettle{"settle", {{"dt"}, {"rest"}}};
const Table kDrive{
    "drive", {{"kind"}, {"rate"}, {"dt"}, {"increment"}, {"speed"}, {"slide"}, {"most"}, {"direction"}, {"onset_length"}}};
const Table kMesh{"mesh", {{"fine_rows"}}};
const Table kRun{"",
                 {{"title"},
                  {"gravity"},
                  {"params", Is::Named},
                  {"material", Is::Table, &kSolid},
                  {"lower", Is::Table, &kBlock},
                  {"upper", Is::Table, &kUpper},
                  {"surface", Is::Table, &kSurface},
                  {"upper_surface", Is::Table, &kSurface},
                  {"contact", Is::Table, &kContact},
                  {"mesh", Is::Table, &kMesh},
                  {"settle", Is::Table, &kSettle},
                  {"drive", Is::Table, &kDrive}}};

const Table kStudy{"", {{"title"}, {"run"}, {"seeds"}, {"reference"}, {"sweep", Is::Named}}};

/// A TOML document with its formulas. Params may use those above them.
class Document {
  public:
    Document(const std::filesystem::path& file, const std::vector<std::string>& set, const Table& format)
        : random_(1), formulas_(random_) {
        try {
            value_ = scene::parse_toml(read_file(file, 1 << 24));
        } catch (const scene::TomlError& error) {
            throw InputError(fmt::format("{}:{}:{}: {}", file.filename().string(), error.line, error.column, error.what));
        }
        for (const std::string& text : set) overrides_.push_back(override_of(text));
        scene::apply_overrides(value_, overrides_, format);
        source_ = {file.filename().string(), &overrides_, &formulas_, {0}, {}};
        root_.emplace(source_, value_, format);
    }
    Document(const Document&) = delete;
    Document& operator=(const Document&) = delete;

    const Node& root() const { return *root_; }

    std::vector<std::pair<std::string, double>> read_params() {
        std::vector<std::string> names;
        const auto lookup = [this](const std::string& name) -> std::optional<double> {
            for (const auto& [known, value] : params_)
                if (known == name) return value;
            return {};
        };
        for (const Node& param : root_->named("params")) {
            formulas_.set_names(lookup, names);
            const double value = param.number();
            params_.push_back({param.name(), value});
            names.push_back(param.name());
        }
        formulas_.set_names(lookup, names);
        return params_;
    }

  private:
    Random random_;
    scene::Formulas formulas_;
    std::vector<scene::Override> overrides_;
    scene::Value value_;
    scene::Source source_;
    std::optional<Node> root_;
    std::vector<std::pair<std::string, double>> params_;
};

constexpr Range kLength{1e-9, 1e9};

void read_solid(const Node& node, lab::Solid& solid) {
    solid.young = node.number_or("young", solid.young, scene::kPositive);
    solid.poisson = node.number_or("poisson", solid.poisson, {-0.999, 0.4999});
    solid.density = node.number_or("density", solid.density, scene::kPositive);
    solid.damping = node.number_or("damping", solid.damping, scene::kNotNegative);
}

/// Refuses keys that this kind does not use.
void refuse(const Node& node, const std::string& kind, const std::vector<std::string_view>& used) {
    for (const std::string& key : node.value().keys)
        if (key != "kind" && std::find(used.begin(), used.end(), key) == used.end())
            node.fail_at_key(key, fmt::format("has no effect with kind = \"{}\"; leave it out", kind));
}

lab::FaceDesc read_face(const Node& node, bool own_spacing) {
    lab::FaceDesc face;
    const std::optional<Node> given = node.find("kind");
    const std::string kind =
        given ? given->choice({"pink", "uniform", "selfaffine", "gabor", "flat", "sawtooth", "wave", "cylinder"}) : "pink";
    std::vector<std::string_view> used;
    if (own_spacing) used.push_back("spacing");
    const auto use = [&](std::initializer_list<std::string_view> keys) { used.insert(used.end(), keys); };
    using Kind = lab::FaceDesc::Kind;
    if (kind == "flat") {
        face.kind = Kind::Flat;
    } else if (kind == "sawtooth") {
        face.kind = Kind::Sawtooth;
        use({"period", "slope_up", "slope_down"});
        face.period = node.number_or("period", face.period, kLength);
        face.slope_up = node.number_or("slope_up", face.slope_up, {1e-3, 20});
        face.slope_down = node.number_or("slope_down", face.slope_down, {1e-3, 20});
    } else if (kind == "wave") {
        face.kind = Kind::Wave;
        use({"period", "amplitude"});
        face.period = node.number_or("period", face.period, kLength);
        face.height = node.number_or("amplitude", face.height, scene::kPositive);
    } else if (kind == "cylinder") {
        face.kind = Kind::Cylinder;
        use({"radius"});
        face.radius = node.number_or("radius", face.radius, kLength);
    } else {
        lab::ProfileSpec& p = face.profile;
        use({"seed", "sigma", "f_min", "f_max", "period"});
        if (kind == "pink") use({"exponent"});
        if (kind == "selfaffine") use({"hurst", "roll_off"});
        if (kind == "gabor") use({"frequency", "bandwidth"});
        p.spectrum.kind = lab::spectrum_kind(kind, "surface.kind");
        p.seed = static_cast<std::uint64_t>(node.number_or("seed", 1, {0, 9e15}));
        p.sigma = node.number_or("sigma", p.sigma, scene::kPositive);
        p.period = node.number_or("period", p.period, kLength);
        p.spectrum.f_min = node.number_or("f_min", p.spectrum.f_min, scene::kPositive);
        p.spectrum.f_max = node.number_or("f_max", p.spectrum.f_max, scene::kPositive);
        p.spectrum.exponent = node.number_or("exponent", p.spectrum.exponent, {-10, 10});
        p.spectrum.hurst = node.number_or("hurst", p.spectrum.hurst, {0, 1});
        p.spectrum.roll_off = node.number_or("roll_off", p.spectrum.roll_off, scene::kNotNegative);
        p.spectrum.frequency = node.number_or("frequency", p.spectrum.frequency, scene::kNotNegative);
        p.spectrum.bandwidth = node.number_or("bandwidth", p.spectrum.bandwidth, scene::kPositive);
        if (node.has("seed") && std::floor(node.number_or("seed", 1)) != node.number_or("seed", 1))
            node.child("seed").fail("must be a whole number");
    }
    refuse(node, kind, used);
    return face;
}

void read_drive(const Node& node, lab::Experiment& e) {
    lab::DriveDesc& d = e.drive;
    const std::optional<Node> given = node.find("kind");
    const std::string kind = given ? given->choice({"ramp", "displacement", "speed"}) : "ramp";
    using Kind = lab::DriveDesc::Kind;
    std::vector<std::string_view> used{"slide", "direction", "onset_length", "most"};
    if (kind == "ramp") {
        d.kind = Kind::Ramp;
        used.insert(used.end(), {"rate", "dt"});
    } else if (kind == "displacement") {
        d.kind = Kind::Displacement;
        used.insert(used.end(), {"increment"});
    } else {
        d.kind = Kind::Speed;
        used.insert(used.end(), {"speed", "dt"});
    }
    refuse(node, kind, used);
    d.rate = node.number_or("rate", d.rate, scene::kPositive);
    d.dt = node.number_or("dt", d.dt, scene::kPositive);
    d.increment = node.number_or("increment", d.increment, scene::kPositive);
    d.speed = node.number_or("speed", d.speed, scene::kPositive);
    d.slide = node.number_or("slide", d.slide, scene::kPositive);
    d.most_push = node.number_or("most", d.most_push, scene::kPositive);
    if (const std::optional<Node> direction = node.find("direction"))
        d.direction = direction->choice({"right", "left"}) == "left" ? -1 : 1;
    e.onset_length = node.number_or("onset_length", e.onset_length, scene::kPositive);
}

}  // namespace

ReadExperiment read_experiment(const std::filesystem::path& file, const std::vector<std::string>& set) {
    Document document(file, set, kRun);
    const Node& root = document.root();
    ReadExperiment out;
    out.params = document.read_params();
    lab::Experiment& e = out.experiment;
    e.title = root.text_or("title", file.stem().string());
    e.gravity = root.number_or("gravity", e.gravity, scene::kPositive);
    lab::Solid solid;
    if (const auto material = root.find("material")) read_solid(*material, solid);
    e.lower.solid = e.upper.solid = solid;
    if (const auto lower = root.find("lower")) {
        e.lower.length = lower->number_or("length", e.lower.length, kLength);
        e.lower.height = lower->number_or("height", e.lower.height, kLength);
        read_solid(*lower, e.lower.solid);
    }
    if (const auto upper = root.find("upper")) {
        e.upper.length = upper->number_or("length", e.upper.length, kLength);
        e.upper.height = upper->number_or("height", e.upper.height, kLength);
        e.upper.at = upper->number_or("at", e.upper.at, scene::kCoordinate);
        e.upper.bevel = upper->number_or("bevel", e.upper.bevel, scene::kNotNegative);
        read_solid(*upper, e.upper.solid);
    }
    if (const auto surface = root.find("surface")) {
        e.face = read_face(*surface, true);
        e.spacing = surface->number_or("spacing", e.spacing, kLength);
    }
    if (e.face.kind == lab::FaceDesc::Kind::Spectrum) e.onset_length = 1 / e.face.profile.spectrum.f_max;
    if (const auto surface = root.find("upper_surface")) e.upper_face = read_face(*surface, false);
    if (const auto contact = root.find("contact")) {
        e.gap = contact->number_or("gap", e.gap, scene::kPositive);
        e.dhat = contact->number_or("distance", e.dhat, scene::kPositive);
        e.stiffness_share = contact->number_or("stiffness", e.stiffness_share, scene::kPositive);
        e.local_mu = contact->number_or("mu", e.local_mu, {0, 100});
        e.local_adhesion = contact->number_or("adhesion", e.local_adhesion, scene::kNotNegative);
        e.local_cap = contact->number_or("cap", e.local_cap, scene::kPositive);
        for (const char* key : {"adhesion", "cap"})
            if (contact->has(key) && e.local_mu == 0)
                contact->fail_at_key(
                    key, "has no effect with mu = 0; give mu, the slope of the shear strength over the pressure");
    }
    if (const auto mesh = root.find("mesh")) e.fine_rows = mesh->integer_or("fine_rows", e.fine_rows, 0, 100);
    if (const auto settle = root.find("settle")) {
        e.settle_dt = settle->number_or("dt", e.settle_dt, scene::kPositive);
        e.settle_rest = settle->number_or("rest", e.settle_rest, {1e-9, 0.5});
    }
    if (const auto drive = root.find("drive")) read_drive(*drive, e);
    try {
        lab::describe(e);
    } catch (const InputError& error) {  // two keys that contradict each other
        throw InputError(fmt::format("{}: {}", file.filename().string(), error.what()));
    }
    return out;
}

namespace {

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> out(1);
    for (const char c : line) {
        if (c == ',')
            out.emplace_back();
        else if (c != '\r')
            out.back() += c;
    }
    return out;
}

/// The table of a source: columns with the names of params, mu_mean and mu_std. Rows of other settings are left out; of
/// several rows with one setting the first counts.
void read_reference(const Node& node, const std::filesystem::path& file, lab::StudyPlan& plan) {
    if (!std::filesystem::exists(file)) node.fail("no such file; its path starts from the folder of the study's file");
    const std::string text = read_file(file, 1 << 24);
    std::vector<std::string> header;
    int number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::vector<std::string> cells = cells_of(text.substr(begin, end - begin));
        begin = end + 1;
        ++number;
        if (header.empty()) {
            header = cells;
            continue;
        }
        const auto cell = [&](const std::string& name) {
            const auto at = std::find(header.begin(), header.end(), name);
            if (at == header.end()) node.fail(fmt::format("{} has no column '{}'", file.filename().string(), name));
            const auto index = static_cast<std::size_t>(at - header.begin());
            try {
                if (index < cells.size()) return std::stod(cells[index]);
            } catch (const std::exception&) {}
            node.fail(fmt::format("{}, line {}: no number in column '{}'", file.filename().string(), number, name));
        };
        std::vector<double> setting;
        for (const std::string& name : plan.names) setting.push_back(cell(name));
        const auto found = std::find(plan.settings.begin(), plan.settings.end(), setting);
        if (found == plan.settings.end()) continue;
        const int index = static_cast<int>(found - plan.settings.begin());
        if (std::none_of(plan.references.begin(), plan.references.end(), [&](const auto& r) { return r.setting == index; }))
            plan.references.push_back({index, cell("mu_mean"), cell("mu_std")});
    }
}

}  // namespace

lab::StudyPlan read_study(const std::filesystem::path& file) {
    Document document(file, {}, kStudy);
    const Node& root = document.root();
    lab::StudyPlan plan;
    plan.title = root.text_or("title", file.stem().string());
    const Node run = root.child("run");
    plan.run_file = file.parent_path() / run.text();
    if (!std::filesystem::exists(plan.run_file))
        run.fail("no such file; its path starts from the folder of the study's file");
    const Node seeds = root.child("seeds");
    if (seeds.value().kind == scene::Value::Kind::List)
        for (const Node& item : seeds.items()) plan.seeds.push_back(item.integer(0, 2000000000));
    else
        for (int k = 1; k <= seeds.integer(1, 100000); ++k) plan.seeds.push_back(k);
    for (std::size_t i = 0; i < plan.seeds.size(); ++i)
        if (std::find(plan.seeds.begin(), plan.seeds.begin() + static_cast<std::ptrdiff_t>(i), plan.seeds[i]) !=
            plan.seeds.begin() + static_cast<std::ptrdiff_t>(i))
            seeds.fail(fmt::format("{} stands there twice", plan.seeds[i]));
    if (plan.seeds.empty()) seeds.fail("no seed; write their number, or a list of them");

    const std::vector<std::pair<std::string, double>> params = read_experiment(plan.run_file, {}).params;
    const auto known = [&](const std::string& name) {
        return std::any_of(params.begin(), params.end(), [&](const auto& p) { return p.first == name; });
    };
    if (!known("seed")) run.fail("its [params] have no 'seed', which a study varies");
    for (const auto& [name, value] : params)
        if (name != "seed") {
            plan.names.push_back(name);
            plan.defaults.push_back(value);
        }
    const auto read_values = [&](const Node& node) {
        std::vector<double> values;
        if (node.value().kind == scene::Value::Kind::List)
            for (const Node& item : node.items()) values.push_back(item.number());
        else
            values.push_back(node.number());
        if (values.empty()) node.fail("an empty list");
        return values;
    };
    const std::vector<Node> sweeps = root.named("sweep");
    if (sweeps.empty()) root.fail_at_key("sweep", "missing; write [sweep.NAME] with lists of values for params of the run");
    for (const Node& sweep : sweeps) {
        std::vector<std::vector<double>> settings{plan.defaults};
        if (sweep.value().kind != scene::Value::Kind::Table) sweep.fail("expected a table of params with their values");
        for (std::size_t k = 0; k < sweep.value().keys.size(); ++k) {
            const std::string& key = sweep.value().keys[k];
            const auto at = std::find(plan.names.begin(), plan.names.end(), key);
            if (at == plan.names.end())
                sweep.fail_at_key(key, "no such param in the run file" + scene::hint(key, plan.names));
            const Node node(sweep, sweep.value().items[k], key, nullptr);
            std::vector<std::vector<double>> next;
            for (const std::vector<double>& setting : settings)
                for (const double value : read_values(node)) {
                    next.push_back(setting);
                    next.back()[static_cast<std::size_t>(at - plan.names.begin())] = value;
                }
            settings = std::move(next);
        }
        lab::StudyPlan::Sweep& out = plan.sweeps.emplace_back();
        out.name = sweep.name();
        for (const std::vector<double>& setting : settings) {
            auto found = std::find(plan.settings.begin(), plan.settings.end(), setting);
            out.settings.push_back(static_cast<int>(found - plan.settings.begin()));
            if (found == plan.settings.end()) plan.settings.push_back(setting);
        }
    }
    if (const auto reference = root.find("reference"))
        read_reference(*reference, file.parent_path() / reference->text(), plan);
    for (const std::vector<double>& setting : plan.settings) {  // a wrong value is an error now, and not in the middle
        std::vector<std::string> set;
        for (std::size_t k = 0; k < plan.names.size(); ++k)
            set.push_back(fmt::format("params.{}={}", plan.names[k], setting[k]));
        read_experiment(plan.run_file, set);
    }
    return plan;
}

}  // namespace asperity::app
