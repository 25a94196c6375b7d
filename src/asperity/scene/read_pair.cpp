// [pair.A-B]: the friction law between two materials and its modifiers.
#include <fmt/format.h>

#include "asperity/scene/reader.h"
#include "asperity/surface/footprint_sampler.h"
#ifdef ASPERITY_HAS_OPENGL
#include "asperity/gl/opengl_sampler.h"
#endif

namespace asperity::scene {
namespace {

constexpr Range kCoefficient{0, 1e6};

/// The keys of each law. A key of another law is reported as a mistake.
struct LawKeys {
    const char *law, *has;
    std::vector<std::string> keys;
};
const std::vector<LawKeys>& law_keys() {
    static const std::vector<LawKeys> all = {
        {"coulomb", "mu", {"mu"}},
        {"elliptic", "mu_t (along the grain) and mu_b (across)", {"mu_t", "mu_b"}},
        {"matchstick",
         "mu (crossed grains), mu_along and mu_across (parallel ones)",
         {"mu", "mu_along", "mu_across", "lone_grain", "blend", "drilling_parallel"}},
        {"tensor", "tensor = [along, across]", {"tensor", "tensor_b", "kappa", "form"}},
        {"ploughing",
         "mu_0 (smooth surfaces) and k_a, k_b (weights of the slopes)",
         {"mu_0", "k_a", "k_b", "weight", "directions", "patch", "resolution", "sampling", "frame"}}};
    return all;
}

void check_keys(const Node& node, const std::string& law) {
    const auto has = [](const LawKeys& keys, const std::string& key) {
        return std::find(keys.keys.begin(), keys.keys.end(), key) != keys.keys.end();
    };
    const LawKeys& own = *std::find_if(law_keys().begin(), law_keys().end(), [&](const LawKeys& k) { return k.law == law; });
    for (const LawKeys& other : law_keys())
        for (const std::string& key : other.keys)
            if (node.has(key) && !has(own, key))
                node.child(key).fail(fmt::format("belongs to law = \"{}\"; the {} law has {}", other.law, law, own.has));
}

/// [along, across], or [[along, x], [y, across]].
friction::SurfaceTensor read_tensor(const Node& node) {
    if (node.value().kind == Value::Kind::List && !node.value().items.empty() &&
        node.value().items[0].kind == Value::Kind::List) {
        const std::vector<Node> rows = node.items();
        if (rows.size() != 2) node.fail("expected [along, across] or [[along, x], [y, across]]");
        const std::vector<double> first = rows[0].numbers(2, {-1e6, 1e6}), second = rows[1].numbers(2, {-1e6, 1e6});
        return {first[0], second[1], first[1], second[0]};
    }
    const std::vector<double> two = node.numbers(2, kCoefficient);
    return {two[0], two[1]};
}

friction::BaseLaw read_base(const Node& node, const std::string& law) {
    const auto number = [&](const char* key) { return node.child(key).number(kCoefficient); };
    if (law == "elliptic") return friction::Elliptic{number("mu_t"), number("mu_b")};
    if (law == "matchstick") {
        friction::Matchstick m{number("mu"), number("mu_along"), number("mu_across"),
                               node.maybe_number("drilling_parallel", kCoefficient)};
        if (const std::optional<Node> lone = node.find("lone_grain"))
            m.lone_grain = lone->choice({"anisotropic", "isotropic"}) == "isotropic" ? friction::LoneGrain::Isotropic
                                                                                     : friction::LoneGrain::Anisotropic;
        if (const std::optional<Node> blend = node.find("blend"))
            m.blend = blend->choice({"linear", "double_angle"}) == "linear" ? friction::GrainBlend::Linear
                                                                            : friction::GrainBlend::DoubleAngle;
        return m;
    }
    if (law == "tensor") {
        friction::FrictionTensor t;
        t.a = t.b = read_tensor(node.child("tensor"));
        if (const std::optional<Node> other = node.find("tensor_b")) t.b = read_tensor(*other);
        t.kappa = node.number_or("kappa", 1, kCoefficient);
        if (const std::optional<Node> form = node.find("form"))
            t.form = form->choice({"cone", "direct"}) == "cone" ? friction::TensorForm::Cone : friction::TensorForm::Direct;
        return t;
    }
    if (law == "ploughing") {
        friction::Ploughing p;
        p.mu_0 = number("mu_0");
        p.k_a = node.number_or("k_a", p.k_a, kCoefficient);
        p.k_b = node.number_or("k_b", p.k_b, kCoefficient);
        if (const std::optional<Node> weight = node.find("weight")) {
            const std::string word = weight->choice({"projected", "true_area", "salience"});
            p.weight = word == "true_area"  ? friction::FacetWeight::TrueArea
                       : word == "salience" ? friction::FacetWeight::Salience
                                            : friction::FacetWeight::Projected;
        }
        p.directions = node.integer_or("directions", p.directions, 4, friction::kMostDirections);
        return p;
    }
    return friction::Coulomb{number("mu")};
}

/// Each pair has its own sampler, because pairs may differ in resolution.
std::shared_ptr<surface::FootprintSampler> opengl_sampler(const Node& node, int resolution) {
#ifdef ASPERITY_HAS_OPENGL
    try {
        return std::make_shared<gl::OpenGlSampler>(resolution);
    } catch (const InputError& error) { node.fail(fmt::format("{}; \"rays\" need no OpenGL", error.what())); }
#else
    (void)resolution;
    node.fail("this program was built without OpenGL (packages libegl-dev, libopengl-dev); use \"rays\" or \"tables\"");
#endif
}

surface::FootprintSettings read_footprint(const Node& node) {
    surface::FootprintSettings footprint;
    footprint.width = node.number_or("patch", footprint.width, kSize);
    footprint.resolution = node.integer_or("resolution", footprint.resolution, 2, surface::RaySampler::kMostPoints);
    if (const std::optional<Node> sampling = node.find("sampling")) {
        const std::string word = sampling->choice({"tables", "rays", "opengl"});
        if (word == "rays") footprint.sampling = surface::FootprintSettings::Sampling::Rays;
        if (word == "opengl") footprint.sampler = opengl_sampler(*sampling, footprint.resolution);
    }
    const std::optional<Node> frame = node.find("frame");
    if (!frame) return footprint;
    if (frame->value().kind == Value::Kind::List) {
        footprint.axis = frame->vec3();
        if (length(footprint.axis) < 1e-9) frame->fail("the axis needs a direction");
        footprint.axis = normalized(footprint.axis);
    } else {
        footprint.frame = frame->choice({"grain", "slip"}) == "grain" ? surface::FootprintSettings::Frame::AlongGrain
                                                                      : surface::FootprintSettings::Frame::AlongSlip;
    }
    return footprint;
}

friction::LoadCurve read_load_curve(const Node& node) {
    friction::LoadCurve curve;
    for (const Node& point : node.child("points").items()) {
        const std::vector<double> two = point.numbers(2, {0, 1e12});
        curve.points.push_back({two[0], two[1]});
    }
    curve.quadratic = node.number_or("quadratic", 0, kCoefficient);
    return curve;
}

void read_patch(const Node& node, surface::Pair& pair) {
    if (const std::optional<Node> model = node.find("contact_model")) pair.contact = read_contact_model(*model);
    const std::vector<std::string> models = {"uniform", "four_corner", "contensou", "integral"};  // in the order of the enum
    if (const std::optional<Node> spin = node.find("spin_model"))
        pair.spin =
            static_cast<friction::SpinModel>(std::find(models.begin(), models.end(), spin->choice(models)) - models.begin());
    pair.patch_radius = node.number_or("patch_radius", 0, {0, 1e6});
    pair.stabilisation = read_stabilisation(node);
    if (pair.contact == surface::ContactModel::Points)
        for (const char* key : {"patch_overlap", "target_volume", "patch_compliance"})
            if (node.has(key)) node.child(key).fail("belongs to contact_model = \"patches\"");
    if (pair.contact == surface::ContactModel::Points && node.has("spin_model") && pair.patch_radius == 0)
        node.child("spin_model").fail("belongs to contact_model = \"patches\", or to points with a patch_radius");
    if ((pair.contact == surface::ContactModel::Patches || pair.patch_radius > 0) && node.has("drilling"))
        node.child("drilling")
            .fail(
                "belongs to points without a patch_radius; the spinning resistance of a patch follows from its size: "
                "spin_model, "
                "patch_radius");
}

}  // namespace

surface::ContactModel read_contact_model(const Node& node) {
    return node.choice({"points", "patches"}) == "points" ? surface::ContactModel::Points : surface::ContactModel::Patches;
}

surface::Stabilisation read_stabilisation(const Node& table) {
    surface::Stabilisation out;
    if (const std::optional<Node> overlap = table.find("patch_overlap"))
        out.overlap =
            overlap->choice({"points", "volume"}) == "points" ? surface::OverlapBy::Points : surface::OverlapBy::Volume;
    out.target_volume = table.maybe_number("target_volume", {0, 1e9});
    out.compliance = table.maybe_number("patch_compliance", {0, 1e6});
    if (out.overlap == surface::OverlapBy::Points && out.target_volume)
        table.child("target_volume").fail("belongs to patch_overlap = \"volume\"");
    return out;
}

surface::Pair read_pair(const Node& node) {
    surface::Pair pair;
    friction::Law& law = pair.friction;
    const std::optional<Node> law_name = node.find("law");
    const std::string name =
        law_name ? law_name->choice({"coulomb", "elliptic", "matchstick", "tensor", "ploughing"}) : "coulomb";
    check_keys(node, name);
    law.base = read_base(node, name);
    pair.footprint = read_footprint(node);
    law.drilling = node.number_or("drilling", 0, {0, 1e6});
    pair.restitution = node.number_or("restitution", 0, kFraction);
    read_patch(node, pair);
    if (const std::optional<double> ratio = node.maybe_number("static_ratio", {1, 1e6})) {
        law.static_kinetic = friction::StaticKinetic{*ratio, node.number_or("static_speed", 1e-3, {1e-12, 1e6})};
    } else if (node.has("static_speed")) {
        node.child("static_speed").fail("needs static_ratio = mu_static / mu_kinetic beside it");
    }
    if (const std::optional<Node> s = node.find("stribeck"))
        law.stribeck =
            friction::Stribeck{s->child("ratio").number(kCoefficient), s->child("speed").number({1e-12, 1e6}),
                               s->number_or("exponent", 2, {1e-3, 100}), s->number_or("viscous", 0, kCoefficient)};
    if (const std::optional<Node> l = node.find("load"))
        law.load = friction::LoadScaling{l->child("reference").number({1e-12, 1e12}), l->child("exponent").number({0, 10}),
                                         l->number_or("floor", 1e-6, {1e-12, 1e12})};
    if (const std::optional<Node> curve = node.find("load_curve")) law.load_curve = read_load_curve(*curve);
    node.with_location([&] { friction::check(law); });
    return pair;
}

}  // namespace asperity::scene
