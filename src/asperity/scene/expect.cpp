#include "asperity/scene/expect.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/scene/pattern.h"
#include "asperity/scene/wrap.h"

namespace asperity::scene {
namespace {

double total_energy(const sim::World& world) { return world.kinetic_energy() + world.potential_energy(); }

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

std::vector<std::string> row_observables() { return {"wrap_deg"}; }

std::vector<std::string> world_observables() {
    return {"penetration",     "penetration_max", "residual_max",   "contacts",  "contacts_max",
            "patches",         "patches_max",     "kinetic_energy", "energy",    "energy_gain_max",
            "energy_rise_max", "energy_drift",    "momentum_drift", "sweeps_max"};
}

Observer::Observer(const sim::World& world, int touched_by) : touched_by_(touched_by) {
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
    start_energy_ = last_energy_ = total_energy(world);
    start_momentum_ = world.linear_momentum();
}

void Observer::after_step(const sim::World& world, const sim::StepReport& report) {
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
    for (const contact::Contact& c : world.state.active.contacts) {
        if (!(dot(c.impulse, c.normal) > 0)) continue;  // within the margin, but not loaded
        if (touched_by_ < 0 || c.body_b == touched_by_) bodies_[static_cast<std::size_t>(c.body_a)].touched = 1;
        if (touched_by_ < 0 || c.body_a == touched_by_) bodies_[static_cast<std::size_t>(c.body_b)].touched = 1;
    }
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

double Observer::body_value(const std::string& observable, int body, const sim::World& world) const {
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

double Observer::world_value(const std::string& observable, const sim::World& world) const {
    if (observable == "penetration") return penetration_;
    if (observable == "penetration_max") return penetration_max_;
    if (observable == "residual_max") return residual_max_;
    if (observable == "contacts") return static_cast<double>(world.state.active.contacts.size());
    if (observable == "contacts_max") return contacts_max_;
    if (observable == "patches") return static_cast<double>(world.state.active.patches.size());
    if (observable == "patches_max") return patches_max_;
    if (observable == "kinetic_energy") return world.kinetic_energy();
    if (observable == "energy") return total_energy(world);
    if (observable == "energy_gain_max") return energy_gain_max_;
    if (observable == "energy_rise_max") return energy_rise_max_;
    if (observable == "energy_drift") {  // relative; absolute [J] if the start energy is zero
        const double change = total_energy(world) - start_energy_;
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

double over_bodies(const Expectation& e, const Observer& observer, const sim::World& world) {
    std::vector<double> values;
    for (int b = 0; b < world.model.bodies.count(); ++b)
        if (matches(e.body, world.model.bodies.name[static_cast<std::size_t>(b)]))
            values.push_back(observer.body_value(e.observable, b, world));
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

double observed(const Expectation& e, const Observer& observer, const sim::World& world) {
    if (e.observable == "wrap_deg") return wrap_deg(world, e.body, world.find_body(e.by).index);
    return e.body.empty() ? observer.world_value(e.observable, world) : over_bodies(e, observer, world);
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
    for (const Expectation& e : scene.expectations) results.push_back(judged(e, observed(e, observer, scene.world)));
    return results;
}

}  // namespace asperity::scene
