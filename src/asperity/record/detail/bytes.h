// Writer and reader of core/bytes.h for vectors and poses too.
#pragma once
#include "asperity/core/bytes.h"
#include "asperity/math/vec.h"

namespace asperity::record::detail {

class ByteWriter : public asperity::ByteWriter {
  public:
    void vec3(const Vec3& v) { f64(v.x), f64(v.y), f64(v.z); }
    void pose(const Pose& p) {
        vec3(p.position);
        f64(p.orientation.w), f64(p.orientation.x), f64(p.orientation.y), f64(p.orientation.z);
    }
};

class ByteReader : public asperity::ByteReader {
  public:
    /// `file` names the recording in error messages.
    ByteReader(std::string_view bytes, std::string file)
        : asperity::ByteReader(bytes, std::move(file), "recording", "copy it again, or run the scene again") {}

    Vec3 vec3() {
        Vec3 v;
        v.x = f64(), v.y = f64(), v.z = f64();
        return v;
    }
    Pose pose() {
        Pose p;
        p.position = vec3();
        p.orientation.w = f64(), p.orientation.x = f64(), p.orientation.y = f64(), p.orientation.z = f64();
        return p;
    }
};

}  // namespace asperity::record::detail
