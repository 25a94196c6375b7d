#include "asperity/record/detail/motion.h"

#include <algorithm>

namespace asperity::record::detail {
namespace {

bool is_sound(const Pose& pose) {
    const Quat& q = pose.orientation;
    const double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return length(pose.position) < 1e18 && std::isfinite(norm) && norm > 1e-12;  // farther ones overflow float32 products
}

/// q and -q are the same rotation, but blending from q to -q spins the body once round: return the sign nearer to
/// `previous`.
Quat nearest_sign(const Quat& q, const Quat& previous) {
    const double d = q.w * previous.w + q.x * previous.x + q.y * previous.y + q.z * previous.z;
    return d < 0 ? Quat{-q.w, -q.x, -q.y, -q.z} : q;
}

/// The smallest rotation from +z to the unit vector d.
Quat from_z(const Vec3& d) {
    if (d.z < -1 + 1e-12) return {0, 1, 0, 0};  // opposite: a half turn about any axis normal to z
    return normalized(Quat{1 + d.z, -d.y, d.x, 0});
}

}  // namespace

void for_each_key(const Frames& frames, std::size_t stride, const std::function<void(const Frame&, float)>& visit) {
    double first_time = 0;
    float last = -1;
    std::size_t count = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const Frame& frame = frames.at(i);
        if (i == 0) first_time = frame.time;
        const auto time = static_cast<float>(frame.time - first_time);
        if (!(time > last)) continue;
        last = time;
        if (count++ % stride == 0) visit(frame, time);
    }
}

void Track::put(const Vec3& translation, const Quat& rotation, const Vec3& scale) {
    const double numbers[] = {translation.x, translation.y, translation.z, rotation.x, rotation.y,
                              rotation.z,    rotation.w,    scale.x,       scale.y,    scale.z};
    std::transform(std::begin(numbers), std::end(numbers), values_.begin(), [](double x) { return static_cast<float>(x); });
}

void Track::follow_link(const Pose& pose_a, const Pose& pose_b) {
    if (is_sound(pose_a)) a_ = pose_a * link_->local_a;
    if (is_sound(pose_b)) b_ = pose_b * link_->local_b;
    const double span = length(b_ - a_);
    if (span > 1e-9) turn_ = nearest_sign(from_z((b_ - a_) / span), turn_);
    put(0.5 * (a_ + b_), turn_, {1, 1, std::fmax(span, 1e-6)});  // not zero: a degenerate scale leaves the normals undefined
}

const Track::Values& Track::next(const Frame& frame) {
    const auto pose = [&](int body) { return body < 0 ? Pose{} : frame.poses[static_cast<std::size_t>(body)]; };
    if (link_) {
        follow_link(pose(link_->body_a), pose(link_->body_b));
    } else {
        const Pose now = pose(body_);
        if (is_sound(now)) last_ = {now.position, nearest_sign(normalized(now.orientation), last_.orientation)};
        put(last_.position, last_.orientation, {1, 1, 1});
    }
    return values_;
}

const Track::Values& Track::start() {
    if (link_)
        follow_link({}, {});
    else
        put({}, {}, {1, 1, 1});
    return values_;
}

void TrackRange::add(const Track::Values& values) {
    if (keys++ == 0) first = low = high = values;
    for (std::size_t i = 0; i < values.size(); ++i) {
        low[i] = std::min(low[i], values[i]);
        high[i] = std::max(high[i], values[i]);
    }
}

bool TrackRange::varies(Track::Part part) const {
    for (std::size_t i = Track::kFirst[part]; i < Track::kFirst[part] + Track::kCount[part]; ++i)
        if (low[i] != high[i]) return true;
    return false;
}

}  // namespace asperity::record::detail
