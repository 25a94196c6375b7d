// Motion of bodies and links in glTF form: float32 keys, and quaternions (x y z w) whose sign does not jump between keys.
// Frames are passed over one by one, so that no more than one of them is in memory.
#pragma once
#include <array>
#include <functional>
#include <vector>

#include "asperity/record/frames.h"

namespace asperity::record::detail {

/// Calls `visit(frame, time)` for the frames that become keys: every `stride`-th of those whose float32 time since the first
/// frame is later than the time of the frame before.
void for_each_key(const Frames& frames, std::size_t stride, const std::function<void(const Frame&, float)>& visit);

/// A node that moves: a body, or a bar along z from -1/2 to +1/2 that joins both ends of a link.
class Track {
  public:
    // Where each property is in the values of a key, and how many floats it has.
    enum Part { Translation, Rotation, Scale };
    static constexpr std::array<std::size_t, 3> kFirst{0, 3, 7}, kCount{3, 4, 3};
    using Values = std::array<float, 10>;  ///< translation x y z, unit quaternion x y z w, scale x y z

    explicit Track(int body) : body_(body) {}
    explicit Track(const Link& link) : link_(&link) {}
    int parts() const { return link_ ? 3 : 2; }  ///< bodies have no scale

    /// The values at the next key. A pose that is not finite repeats the last finite pose.
    const Values& next(const Frame& frame);
    /// The values without any frame: everything is at the origin.
    const Values& start();

  private:
    void put(const Vec3& translation, const Quat& rotation, const Vec3& scale);
    void follow_link(const Pose& pose_a, const Pose& pose_b);

    int body_ = -1;
    const Link* link_ = nullptr;
    Pose last_;   // of a body
    Vec3 a_, b_;  // ends of a link
    Quat turn_;   // of a link
    Values values_{0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
};

/// The first key of a track, bounds of all its keys, and their number.
struct TrackRange {
    Track::Values first{}, low{}, high{};
    std::size_t keys = 0;
    void add(const Track::Values& values);
    bool varies(Track::Part part) const;  ///< any key differs from the first
};

}  // namespace asperity::record::detail
