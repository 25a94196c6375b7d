#include "asperity/scene/expect.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/scene/implicit_run.h"
#include "asperity/scene/pattern.h"
#include "asperity/scene/wrap.h"

namespace asperity::scene {
namespace {

double total_energy(const Scene& scene) { return kinetic_energy(scene) + potential_energy(scene); }

double horizontal(const Vec3& v) { return std::hypot(v.x, v.y); }

// Angle between the z axes of both orientations [rad]. atan2 stays accurate near 0 and pi; acos would lose half the digits.
double tilt(const Quat& start, const Quat& now) {
    const Vec3 a = rotate(start, {0, 0, 1}), b = rotate(now, {0, 0, 1});
    return std::atan2(length(cross(a, b)), dot(a, b));
}

// Rotation of the x axis seen from above [rad], -pi to pi.
double yaw(const Quat& start, const Quat& now) {
    const Vec3 a = rotate(start, {1, 0, 0}), b = rotate(now, {1, 0, 0});
    return std::atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y);
}

[[noreturn]] void unknown(const std::string& observable, const std::vector<std::string>& known) {
    const std::string near = nearest_name(observable, known);
    throw InputError(
        fmt::format("unknown observable '{}'{}", observable, near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

}  // namespace

std::vector<std::string> body_observables() {
    return {"x",
            "y",
            "z",
            "vx",
            "vy",
            "vz",
            "wx",
            "wy",
            "wz",
            "speed",
            "spin",
            "travel",
            "travel_x",
            "travel_y",
            "travel_z",
            "heading_deg",
            "displacement_max",
            "sway_max",
            "tilt_deg",
            "tilt_max_deg",
            "yaw_deg",
            "yaw_max_deg",
            "path_length",
            "speed_max",
            "spin_max",
            "height_max",
            "touched"};
}

std::vector<std::string> force_observables() { return {"fx", "fy", "fz", "contact_spread"}; }

std::vector<std::string> point_observables() {
    return {"x", "y", "z", "vx", "vy", "vz", "speed", "travel", "travel_x", "travel_y", "travel_z"};
}

std::vector<std::string> row_observables() { return {"wrap_deg"}; }

std::vector<std::string> world_observables() {
    return {"penetration",     "penetration_max", "residual_max",   "contacts",  "contacts_max",
            "patches",         "patches_max",     "kinetic_energy", "energy",    "energy_gain_max",
            "energy_rise_max", "energy_drift",    "momentum_drift", "sweeps_max"};
}

Observer::Observer(const Scene& scene, int touched_by) : touched_by_(touched_by) {
    const sim::World& world = scene.world;
    for (int i = 0; i < world.model.bodies.count(); ++i) {
        const auto b = static_cast<std::size_t>(i);
        BodyTrack track;
        track.start = world.state.bodies.pose[b];
        track.last = track.start.position;
        track.speed_max = length(world.state.bodies.velocity[b]);
        track.spin_max = length(world.state.bodies.angular_velocity[b]);
        track.height_max = track.start.position.z;
        bodies_.push_back(track);
    }
    start_energy_ = last_energy_ = total_energy(scene);
    start_momentum_ = world.linear_momentum();
}

void Observer::after_step(const Scene& scene, const sim::StepReport& report) {
    const sim::World& world = scene.world;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        BodyTrack& track = bodies_[b];
        const Pose& pose = world.state.bodies.pose[b];
        const Vec3 moved = pose.position - track.start.position;
        track.displacement_max = std::max(track.displacement_max, length(moved));
        track.sway_max = std::max(track.sway_max, horizontal(moved));
        track.tilt_max = std::max(track.tilt_max, tilt(track.start.orientation, pose.orientation));
        track.yaw_max = std::max(track.yaw_max, std::abs(yaw(track.start.orientation, pose.orientation)));
        track.path_length += length(pose.position - track.last);
        track.speed_max = std::max(track.speed_max, length(world.state.bodies.velocity[b]));
        track.spin_max = std::max(track.spin_max, length(world.state.bodies.angular_velocity[b]));
        track.height_max = std::max(track.height_max, pose.position.z);
        track.last = pose.position;
    }
    const auto touch = [&](int a, int b) {
        if (touched_by_ < 0 || b == touched_by_) bodies_[static_cast<std::size_t>(a)].touched = 1;
        if (touched_by_ < 0 || a == touched_by_) bodies_[static_cast<std::size_t>(b)].touched = 1;
    };
    for (const contact::Contact& c : world.state.active.contacts)
        if (dot(c.impulse, c.normal) > 0) touch(c.body_a, c.body_b);  // others are within the margin, but not loaded
    if (scene.implicit)
        for (const record::ForceSample& f : scene.implicit->forces())
            if (f.body_a >= 0 && !(f.force == Vec3{})) touch(f.body_a, f.body_b);
    const double energy = report.kinetic_energy + report.potential_energy;
    energy_gain_max_ = std::max(energy_gain_max_, energy - start_energy_);
    energy_rise_max_ = std::max(energy_rise_max_, energy - last_energy_);
    last_energy_ = energy;
    penetration_ = report.penetration;
    penetration_max_ = std::max(penetration_max_, report.penetration);
    residual_max_ = std::max(residual_max_, report.residual);
    contacts_max_ = std::max(contacts_max_, report.contacts);
    patches_max_ = std::max(patches_max_, static_cast<int>(world.state.active.patches.size()));
    sweeps_max_ = std::max(sweeps_max_, report.sweeps);
}

double Observer::body_value(const std::string& observable, int body, const Scene& scene) const {
    const sim::World& world = scene.world;
    const auto b = static_cast<std::size_t>(body);
    const BodyTrack& track = bodies_[b];
    const Pose& pose = world.state.bodies.pose[b];
    const Vec3 &v = world.state.bodies.velocity[b], &w = world.state.bodies.angular_velocity[b];
    const Vec3 moved = pose.position - track.start.position;
    if (observable == "x") return pose.position.x;
    if (observable == "y") return pose.position.y;
    if (observable == "z") return pose.position.z;
    if (observable == "vx") return v.x;
    if (observable == "vy") return v.y;
    if (observable == "vz") return v.z;
    if (observable == "wx") return w.x;
    if (observable == "wy") return w.y;
    if (observable == "wz") return w.z;
    if (observable == "speed") return length(v);
    if (observable == "spin") return length(w);
    if (observable == "travel") return length(moved);
    if (observable == "travel_x") return moved.x;
    if (observable == "travel_y") return moved.y;
    if (observable == "travel_z") return moved.z;
    if (observable == "heading_deg") return degrees(std::atan2(moved.y, moved.x));
    if (observable == "displacement_max") return track.displacement_max;
    if (observable == "sway_max") return track.sway_max;
    if (observable == "tilt_deg") return degrees(tilt(track.start.orientation, pose.orientation));
    if (observable == "tilt_max_deg") return degrees(track.tilt_max);
    if (observable == "yaw_deg") return degrees(yaw(track.start.orientation, pose.orientation));
    if (observable == "yaw_max_deg") return degrees(track.yaw_max);
    if (observable == "path_length") return track.path_length;
    if (observable == "speed_max") return track.speed_max;
    if (observable == "spin_max") return track.spin_max;
    if (observable == "height_max") return track.height_max;
    if (observable == "touched") return track.touched;
    unknown(observable, body_observables());
}

double Observer::world_value(const std::string& observable, const Scene& scene) const {
    const sim::World& world = scene.world;
    if (observable == "penetration") return penetration_;
    if (observable == "penetration_max") return penetration_max_;
    if (observable == "residual_max") return residual_max_;
    if (observable == "contacts") return static_cast<double>(world.state.active.contacts.size());
    if (observable == "contacts_max") return contacts_max_;
    if (observable == "patches") return static_cast<double>(world.state.active.patches.size());
    if (observable == "patches_max") return patches_max_;
    if (observable == "kinetic_energy") return kinetic_energy(scene);
    if (observable == "energy") return total_energy(scene);
    if (observable == "energy_gain_max") return energy_gain_max_;
    if (observable == "energy_rise_max") return energy_rise_max_;
    if (observable == "energy_drift") {  // relative; absolute [J] if the start energy is zero
        const double change = total_energy(scene) - start_energy_;
        return std::abs(start_energy_) > 1e-12 ? change / std::abs(start_energy_) : change;
    }
    if (observable == "momentum_drift") return length(world.linear_momentum() - start_momentum_);  // [N s]
    if (observable == "sweeps_max") return sweeps_max_;
    unknown(observable, world_observables());
}

namespace {

// The bytes of saved extremes: a count, then native doubles. Only the machine that wrote them reads them.
struct Bytes {
    std::string out;
    void add(double number) {
        char raw[sizeof number];
        std::memcpy(raw, &number, sizeof number);
        out.append(raw, sizeof number);
    }
    void add(const Vec3& v) {
        for (int i = 0; i < 3; ++i) add(v[i]);
    }
};

struct Cursor {
    const std::string& in;
    std::size_t at = 0;
    double number() {
        double value = 0;
        std::memcpy(&value, in.data() + at, sizeof value);
        at += sizeof value;
        return value;
    }
    Vec3 vec3() {
        const double x = number(), y = number(), z = number();
        return {x, y, z};
    }
};

constexpr std::size_t kPerBody = 7 + 9 + 3, kPerWorld = 1 + 7 + 3 + 3;  // numbers of doubles

}  // namespace

std::string Observer::save() const {
    Bytes bytes;
    bytes.add(static_cast<double>(bodies_.size()));
    for (const double x :
         {start_energy_, last_energy_, energy_gain_max_, energy_rise_max_, penetration_, penetration_max_, residual_max_})
        bytes.add(x);
    bytes.add(start_momentum_);
    for (const int n : {contacts_max_, patches_max_, sweeps_max_}) bytes.add(static_cast<double>(n));
    for (const BodyTrack& b : bodies_) {
        bytes.add(b.start.position);
        const Quat& q = b.start.orientation;
        for (const double x : {q.w, q.x, q.y, q.z, b.displacement_max, b.sway_max, b.tilt_max, b.yaw_max, b.path_length,
                               b.speed_max, b.spin_max, b.height_max, b.touched})
            bytes.add(x);
        bytes.add(b.last);
    }
    return bytes.out;
}

void Observer::restore(const std::string& bytes) {
    const std::size_t expected = sizeof(double) * (kPerWorld + kPerBody * bodies_.size());
    Cursor cursor{bytes};
    if (bytes.size() != expected || cursor.number() != static_cast<double>(bodies_.size()))
        throw InputError("the saved observables belong to another scene; start the run again without --resume");
    for (double* x : {&start_energy_, &last_energy_, &energy_gain_max_, &energy_rise_max_, &penetration_, &penetration_max_,
                      &residual_max_})
        *x = cursor.number();
    start_momentum_ = cursor.vec3();
    for (int* n : {&contacts_max_, &patches_max_, &sweeps_max_}) *n = static_cast<int>(clamp(cursor.number(), 0, 2e9));
    for (BodyTrack& b : bodies_) {
        b.start.position = cursor.vec3();
        Quat& q = b.start.orientation;
        for (double* x : {&q.w, &q.x, &q.y, &q.z, &b.displacement_max, &b.sway_max, &b.tilt_max, &b.yaw_max, &b.path_length,
                          &b.speed_max, &b.spin_max, &b.height_max, &b.touched})
            *x = cursor.number();
        b.last = cursor.vec3();
    }
}

namespace {

bool is_force(const std::string& observable) {
    const std::vector<std::string> known = force_observables();
    return std::find(known.begin(), known.end(), observable) != known.end();
}

/// Root mean square distance of the contacts on the body (by the body `by`, or by all) from their centre, weighed by normal
/// force [m]; 0 without contact. Of Hertz' contact of radius a: a sqrt(2/5).
double contact_spread(const Expectation& e, int body, const Scene& scene) {
    const int other = e.by.empty() ? -1 : scene.world.find_body(e.by).index;
    double load = 0, square = 0;
    Vec3 moment;
    const auto add = [&](int a, int b, const Vec3& point, double force) {
        if ((a != body && b != body) || (other >= 0 && a != other && b != other)) return;
        load += force;
        moment += force * point;
        square += force * dot(point, point);
    };
    if (scene.implicit)
        for (const record::ContactSample& c : scene.implicit->contacts())
            add(c.body_a, c.body_b, c.point, dot(c.force, c.normal));
    else
        for (const contact::Contact& c : scene.world.state.active.contacts)
            add(c.body_a, c.body_b, c.point, dot(c.impulse, c.normal));
    if (!(load > 0)) return 0;
    const Vec3 centre = moment / load;
    return std::sqrt(std::max(0.0, square / load - dot(centre, centre)));
}

/// Force on the body in the last step [N], by the body or held region `by`, or by all.
double force_value(const Expectation& e, int body, const Scene& scene) {
    if (e.observable == "contact_spread") return contact_spread(e, body, scene);
    if (!scene.implicit) {
        const BodyId id = scene.world.model.bodies.id(body);
        const Vec3 force = e.by.empty() ? scene.world.contact_force_on(id)
                                        : scene.world.force_between(scene.world.find_body(e.by), id).force;
        return force[e.observable[1] - 'x'];
    }
    const std::vector<std::string> regions = scene.implicit->regions();
    Vec3 sum;
    for (const record::ForceSample& f : scene.implicit->forces()) {
        const auto name_of = [&](int b) {
            return b <= -2 ? regions[static_cast<std::size_t>(-2 - b)]
                           : scene.world.model.bodies.name[static_cast<std::size_t>(b)];
        };
        if (f.body_b == body && (e.by.empty() || name_of(f.body_a) == e.by)) sum += f.force;
        if (f.body_a == body && (e.by.empty() || name_of(f.body_b) == e.by)) sum -= f.force;
    }
    return sum[e.observable[1] - 'x'];
}

/// An observable of a point of the body, given in its authored axes at the start.
double point_value(const std::string& observable, int body, const Vec3& point, const Scene& scene) {
    const auto b = static_cast<std::size_t>(body);
    const sim::World& world = scene.world;
    Vec3 start, now, velocity;
    const int node = scene.implicit ? scene.implicit->nearest_node(body, point) : -1;
    if (node >= 0) {
        start = scene.implicit->node_start(node);
        now = scene.implicit->node_position(node);
        velocity = scene.implicit->node_velocity(node);
    } else {
        const Vec3 local = point - world.model.bodies.center[b];
        now = world.state.bodies.pose[b] * local;
        start = scene.start_poses[b] * local;
        velocity = world.state.bodies.velocity_at(body, now);
    }
    if (observable == "speed") return length(velocity);
    if (observable == "travel") return length(now - start);
    if (observable.starts_with("travel_")) return (now - start)[observable.back() - 'x'];
    return (observable[0] == 'v' ? velocity : now)[observable.back() - 'x'];
}

double over_bodies(const Expectation& e, const Observer& observer, const Scene& scene) {
    const sim::World& world = scene.world;
    std::vector<double> values;
    for (int b = 0; b < world.model.bodies.count(); ++b)
        if (matches(e.body, world.model.bodies.name[static_cast<std::size_t>(b)]))
            values.push_back(e.point                  ? point_value(e.observable, b, *e.point, scene)
                             : is_force(e.observable) ? force_value(e, b, scene)
                                                      : observer.body_value(e.observable, b, scene));
    if (values.empty()) throw InputError(fmt::format("expect '{}': no body '{}'", e.name, e.body));
    // A NaN must fail the expectation, but min and max would ignore it.
    for (const double v : values)
        if (std::isnan(v)) return v;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    if (e.over == "min") return *low;
    if (e.over == "spread") return *high - *low;
    if (e.over == "max") return *high;
    double mean = 0, squares = 0;
    for (const double v : values) mean += v;
    mean /= static_cast<double>(values.size());
    if (e.over == "mean") return mean;
    for (const double v : values) squares += (v - mean) * (v - mean);
    return std::sqrt(squares / static_cast<double>(values.size()));  // deviation
}

}  // namespace

double observed(const Expectation& e, const Observer& observer, const Scene& scene) {
    if (e.observable == "wrap_deg") return wrap_deg(scene.world, e.body, scene.world.find_body(e.by).index);
    return e.body.empty() ? observer.world_value(e.observable, scene) : over_bodies(e, observer, scene);
}

ExpectResult judged(const Expectation& e, double value) {
    ExpectResult result;
    result.name = e.name;
    result.value = value;
    result.ok = std::isfinite(result.value);
    std::vector<std::string> bounds;
    if (e.equals) {
        const double within = e.within_percent ? std::abs(*e.equals) * *e.within_percent / 100 : e.within;
        double difference = std::abs(result.value - *e.equals);
        if ((e.observable == "heading_deg" || e.observable == "yaw_deg") && e.over != "spread")
            difference = std::abs(std::remainder(difference, 360.0));  // 180 equals -180
        bounds.push_back(fmt::format("= {:.6g} +- {:.3g}", *e.equals, within));
        result.ok = result.ok && difference <= within;
    }
    if (e.below) {
        bounds.push_back(fmt::format("<= {:.6g}", *e.below));
        result.ok = result.ok && result.value <= *e.below;
    }
    if (e.above) {
        bounds.push_back(fmt::format(">= {:.6g}", *e.above));
        result.ok = result.ok && result.value >= *e.above;
    }
    for (const std::string& bound : bounds) result.bound += (result.bound.empty() ? "" : " and ") + bound;
    return result;
}

std::vector<ExpectResult> check(const Scene& scene, const Observer& observer) {
    std::vector<ExpectResult> results;
    for (const Expectation& e : scene.expectations) results.push_back(judged(e, observed(e, observer, scene)));
    return results;
}

}  // namespace asperity::scene
