// [[joint]]: its kind, its frame from world points at the start poses, and its motor, drive or limits.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "asperity/scene/reader.h"

namespace asperity::scene {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Range kStiffness{0, 1e15}, kEffort{0, 1e15};

// Keys of each kind of joint besides name, kind, a, b and collide.
struct KindKeys {
    const char* kind;
    std::vector<std::string> keys;
};
const std::vector<KindKeys>& kinds() {
    static const std::vector<KindKeys> list = {{"ball", {"at"}},
                                               {"hinge", {"at", "axis", "limits_deg", "motor", "drive", "brake"}},
                                               {"slider", {"at", "axis", "limits", "motor", "drive", "brake"}},
                                               {"weld", {"at"}},
                                               {"distance", {"at", "at_a", "at_b", "length", "rope"}},
                                               {"spring", {"at", "at_a", "at_b", "stiffness", "damping", "max_force"}}};
    return list;
}

std::string read_kind(const Node& node) {
    std::vector<std::string> names;
    for (const KindKeys& k : kinds()) names.push_back(k.kind);
    const Node child = node.child("kind");
    if (child.text() == "fixed") return "weld";
    const std::string kind = child.choice(names);
    const KindKeys& allowed =
        *std::find_if(kinds().begin(), kinds().end(), [&](const KindKeys& k) { return k.kind == kind; });
    for (const std::string& key : node.value().keys) {
        const bool common = key == "name" || key == "kind" || key == "a" || key == "b" || key == "collide";
        if (!common && std::find(allowed.keys.begin(), allowed.keys.end(), key) == allowed.keys.end())
            node.fail_at_key(key, fmt::format("a {} has no such key{}", kind, hint(key, allowed.keys)));
    }
    return kind;
}

std::optional<rigid::Limits> read_limits(const Node& joint, std::string_view key, double unit, double largest) {
    const std::optional<Node> node = joint.find(key);
    if (!node) return {};
    const std::vector<double> two = node->numbers(2, {-largest, largest});
    if (two[0] > two[1]) node->fail("expected [low, high] with low <= high");
    return rigid::Limits{two[0] * unit, two[1] * unit};
}

// A number or a formula of t; unlimited if the key is missing.
rigid::Effort read_effort(const Node& table) {
    if (const std::optional<Node> effort = table.find("max_effort")) return effort->function_of_time(kEffort);
    return kInfinity;
}

std::optional<rigid::Motor> read_motor(const Node& joint) {
    const std::optional<Node> node = joint.find("motor");
    if (!node) return {};
    return rigid::Motor{node->child("speed").function_of_time({-1e6, 1e6}), read_effort(*node)};
}

std::optional<rigid::Brake> read_brake(const Node& joint) {
    const std::optional<Node> node = joint.find("brake");
    if (!node) return {};
    return rigid::Brake{read_effort(*node)};
}

std::optional<rigid::Drive> read_drive(const Node& joint, bool hinge) {
    const std::optional<Node> node = joint.find("drive");
    if (!node) return {};
    rigid::Drive drive;
    if (node->has("target_deg")) {
        const Node target = node->child("target_deg");
        if (!hinge) target.fail("a slider's target is in metres: use target");
        if (node->has("target")) target.fail("give target (rad) or target_deg, not both");
        drive.target = [f = target.function_of_time({-1e6, 1e6})](double t) { return radians(f(t)); };
    } else {
        drive.target = node->child("target").function_of_time({-1e6, 1e6});
    }
    drive.stiffness = node->child("stiffness").number(kStiffness);
    drive.damping = node->number_or("damping", 0, kStiffness);
    drive.max_effort = read_effort(*node);
    return drive;
}

// A world point in the centre-of-mass axes of a body; for the world unchanged.
Pose frame_in(const rigid::BodyStates& bodies, int body, const Vec3& point) {
    if (body < 0) return {point, {}};
    return {bodies.pose[static_cast<std::size_t>(body)].to_local(point), {}};
}

// The anchors of a distance or spring: at_a and at_b, else `at`, else the centre of mass.
struct Anchors {
    Vec3 a, b;
};
Anchors read_anchors(const Node& node, const rigid::BodyStates& bodies, int a, int b) {
    const std::optional<Node> at = node.find("at");
    const auto anchor = [&](std::string_view key, int body) {
        if (node.has(key)) return node.child(key).vec3();
        if (at) return at->vec3();
        if (body < 0) node.fail_at_key(std::string(key), "missing; the world needs a point");
        return bodies.pose[static_cast<std::size_t>(body)].position;
    };
    const Vec3 on_a = anchor("at_a", a);
    return {on_a, anchor("at_b", b)};
}

rigid::Joint distance_or_spring(const Node& node, const std::string& kind, const rigid::BodyStates& bodies, int a, int b) {
    const Anchors at = read_anchors(node, bodies, a, b);
    rigid::Joint joint;
    joint.a = BodyId{a};
    joint.b = BodyId{b};
    joint.frame_a = frame_in(bodies, a, at.a);
    joint.frame_b = frame_in(bodies, b, at.b);
    if (kind == "spring") {
        joint.kind =
            rigid::PointSpring{node.child("stiffness").number({1e-12, 1e15}), node.number_or("damping", 0, kStiffness),
                               node.number_or("max_force", kInfinity, kEffort)};
        return joint;
    }
    rigid::Distance distance;
    distance.rope = node.flag_or("rope", false);
    if (const std::optional<Node> given = node.find("length")) {
        distance.length = given->function_of_time({1e-9, 1e9});
    } else {
        const double start = length(at.b - at.a);
        if (start < 1e-9)
            node.fail("both anchors are at the same point, so give the length; for a length of 0 use a ball joint");
        distance.length = [start](double) { return start; };
    }
    joint.kind = std::move(distance);
    return joint;
}

// The joint frame; its z axis is the joint axis.
Pose world_frame(const Node& node, const std::string& kind, const rigid::BodyStates& bodies, int b) {
    Pose frame;
    const bool needs_point = kind == "ball" || kind == "hinge";
    frame.position =
        needs_point || node.has("at") ? node.child("at").vec3() : bodies.pose[static_cast<std::size_t>(b)].position;
    if (const std::optional<Node> axis = node.find("axis")) {
        const Vec3 direction = axis->vec3();
        if (length(direction) < 1e-9) axis->fail("the axis needs a direction, such as [0, 0, 1]");
        const Vec3 z = normalized(direction), x = any_tangent(z);
        frame.orientation = normalized(quaternion(transposed(Mat3{{x, cross(z, x), z}})));
    }
    return frame;
}

}  // namespace

void read_joint(Reader& reader, const Node& node, const std::string& name) {
    if (reader.joints.size() >= static_cast<std::size_t>(reader.limits.bodies))
        node.fail(fmt::format("more than {} joints", reader.limits.bodies));
    if (!reader.joints.emplace(name, 0).second)
        node.fail(fmt::format("two joints are called '{}'; names must differ", one_line(name, 60)));
    const rigid::BodyStates& bodies = reader.scene.world.state.bodies;
    const std::string kind = read_kind(node);

    const auto body_of = [&](const Node& key) {
        const std::string text = reader.name_text(key);
        return text == "world" ? -1 : reader.body(key, text);
    };
    const int a = node.has("a") ? body_of(node.child("a")) : -1;
    const int b = body_of(node.child("b"));
    if (b < 0) node.child("b").fail("b is a body; the world can only be a");
    if (a == b) node.child("b").fail("a joint needs two different bodies");

    rigid::Joint joint;
    if (kind == "distance" || kind == "spring") {
        joint = distance_or_spring(node, kind, bodies, a, b);
        joint.name = name;
    } else {
        rigid::JointKind what = rigid::Ball{};
        if (kind == "hinge")
            what = rigid::Hinge{read_limits(node, "limits_deg", radians(1), 180), read_motor(node), read_drive(node, true),
                                read_brake(node)};
        if (kind == "slider")
            what = rigid::Slider{read_limits(node, "limits", 1, 1e9), read_motor(node), read_drive(node, false),
                                 read_brake(node)};
        if (kind == "weld") what = rigid::Weld{};
        joint = rigid::joint_at(name, BodyId{a}, BodyId{b}, world_frame(node, kind, bodies, b), std::move(what), bodies);
    }
    joint.collide = node.flag_or("collide", false);
    node.with_location([&] { reader.scene.world.add_joint(std::move(joint)); });
}

}  // namespace asperity::scene
