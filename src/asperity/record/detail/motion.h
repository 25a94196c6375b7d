// The motion of bodies and links as glTF wants it: float32 keys, quaternions x y z w that never jump in sign.
#pragma once
#include <vector>

#include "asperity/record/recording.h"

namespace asperity::record::detail {

/// The frames that become keys: those whose time, as a float counted from the first frame, is later than the key before.
struct Keys {
    std::vector<int> frames;
    std::vector<float> times;
};
Keys animation_keys(const Recording& recording);

/// One value per key. Always at least one key: a recording without frames has everything at the origin.
struct Track {
    std::vector<float> translation;  ///< x y z
    std::vector<float> rotation;     ///< x y z w, unit
    std::vector<float> scale;        ///< x y z; empty for bodies
};
/// A pose that is not finite repeats the last one that was.
Track body_track(const Recording& recording, const Keys& keys, int body);
/// Of a bar along z from -1/2 to +1/2, which the track turns and stretches from one end of the link to the other.
Track link_track(const Recording& recording, const Keys& keys, const Link& link);

/// True when any key differs from the first.
bool varies(const std::vector<float>& values, std::size_t components);

}  // namespace asperity::record::detail
