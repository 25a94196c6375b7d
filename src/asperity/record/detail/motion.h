// Motion of bodies and links in glTF form: float32 keys, and quaternions (x y z w) whose sign does not jump between keys.
#pragma once
#include <vector>

#include "asperity/record/recording.h"

namespace asperity::record::detail {

/// The frames that become keys: each has a float32 time since the first frame that is later than the previous key's time.
struct Keys {
    std::vector<int> frames;
    std::vector<float> times;
};
Keys animation_keys(const Recording& recording);

/// One value per key, and at least one key: without frames, everything is at the origin.
struct Track {
    std::vector<float> translation;  ///< x y z
    std::vector<float> rotation;     ///< x y z w, unit
    std::vector<float> scale;        ///< x y z; empty for bodies
};
/// A pose that is not finite repeats the last finite pose.
Track body_track(const Recording& recording, const Keys& keys, int body);
/// Track of a bar along z from -1/2 to +1/2. The track rotates and stretches it so that it joins both ends of the link.
Track link_track(const Recording& recording, const Keys& keys, const Link& link);

/// True when any key differs from the first key.
bool varies(const std::vector<float>& values, std::size_t components);

}  // namespace asperity::record::detail
