#include "asperity/record/detail/motion.h"

namespace asperity::record::detail {
namespace {

bool is_sound(const Pose& pose) {
    const Quat& q = pose.orientation;
    const double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return is_finite(pose.position) && std::isfinite(norm) && norm > 1e-12;
}

void put(std::vector<float>& out, const Vec3& v) {
    for (int i = 0; i < 3; ++i) out.push_back(static_cast<float>(v[i]));
}

/// q and -q are the same rotation, but blending from q to -q spins the body once round: return the sign nearer to
/// `previous`.
Quat nearest_sign(const Quat& q, const Quat& previous) {
    const double d = q.w * previous.w + q.x * previous.x + q.y * previous.y + q.z * previous.z;
    return d < 0 ? Quat{-q.w, -q.x, -q.y, -q.z} : q;
}

void put_turn(std::vector<float>& out, const Quat& q) {
    for (const double c : {q.x, q.y, q.z, q.w}) out.push_back(static_cast<float>(c));
}

/// The smallest rotation from +z to the unit vector d.
Quat from_z(const Vec3& d) {
    if (d.z < -1 + 1e-12) return {0, 1, 0, 0};  // opposite: a half turn about any axis normal to z
    return normalized(Quat{1 + d.z, -d.y, d.x, 0});
}

}  // namespace

Keys animation_keys(const Recording& recording) {
    Keys keys;
    for (std::size_t i = 0; i < recording.frames.size(); ++i) {
        const auto time = static_cast<float>(recording.frames[i].time - recording.frames[0].time);
        if (!keys.times.empty() && !(time > keys.times.back())) continue;
        keys.frames.push_back(static_cast<int>(i));
        keys.times.push_back(time);
    }
    return keys;
}

Track body_track(const Recording& recording, const Keys& keys, int body) {
    Track track;
    Pose last;
    const auto add = [&](const Pose& pose) {
        if (is_sound(pose)) last = {pose.position, nearest_sign(normalized(pose.orientation), last.orientation)};
        put(track.translation, last.position);
        put_turn(track.rotation, last.orientation);
    };
    if (keys.frames.empty()) add({});
    for (const int frame : keys.frames)
        add(recording.frames[static_cast<std::size_t>(frame)].poses[static_cast<std::size_t>(body)]);
    return track;
}

Track link_track(const Recording& recording, const Keys& keys, const Link& link) {
    Track track;
    Vec3 a, b;
    Quat turn;
    const auto add = [&](const Pose& pose_a, const Pose& pose_b) {
        if (is_sound(pose_a)) a = pose_a * link.local_a;
        if (is_sound(pose_b)) b = pose_b * link.local_b;
        const double span = length(b - a);
        if (span > 1e-9) turn = nearest_sign(from_z((b - a) / span), turn);
        put(track.translation, 0.5 * (a + b));
        put_turn(track.rotation, turn);
        put(track.scale, {1, 1, std::fmax(span, 1e-6)});  // not zero: a degenerate scale leaves the normals undefined
    };
    if (keys.frames.empty()) add({}, {});
    for (const int frame : keys.frames) {
        const auto& poses = recording.frames[static_cast<std::size_t>(frame)].poses;
        const auto pose = [&](int body) { return body < 0 ? Pose{} : poses[static_cast<std::size_t>(body)]; };
        add(pose(link.body_a), pose(link.body_b));
    }
    return track;
}

bool varies(const std::vector<float>& values, std::size_t components) {
    for (std::size_t i = components; i < values.size(); ++i)
        if (values[i] != values[i % components]) return true;
    return false;
}

}  // namespace asperity::record::detail
