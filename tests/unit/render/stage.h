// Small recordings for renderer tests: a few bodies at rest, seen from a given position.
#pragma once
#include <unistd.h>

#include <filesystem>
#include <string>

#include "render/render.h"

namespace asperity::render {

class Stage {
  public:
    int material(const surface::Appearance& appearance) {
        surface::Material m;
        m.appearance = appearance;
        recording.materials.push_back(m);
        return static_cast<int>(recording.materials.size()) - 1;
    }
    int body(const geometry::Shape& shape, int material_index, const Pose& pose,
             rigid::Motion motion = rigid::Motion::Dynamic) {
        recording.bodies.push_back({"body", motion, {{shape, {}, MaterialId{material_index}}}});
        start_.push_back(pose);
        return static_cast<int>(recording.bodies.size()) - 1;
    }
    /// Adds a frame with every body at its initial pose.
    record::Frame& frame(double time = 0) {
        record::Frame f;
        f.time = time;
        f.poses = start_;
        f.velocities.resize(start_.size());
        f.angular_velocities.resize(start_.size());
        recording.frames.push_back(f);
        return recording.frames.back();
    }
    record::Recording recording;

  private:
    std::vector<Pose> start_;
};

inline Options small(int width, int height, int samples, const record::View& view) {
    Options options;
    options.width = width, options.height = height, options.samples = samples;
    options.view = view;
    return options;
}

/// A temporary folder, removed with the object.
class Folder {
  public:
    Folder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "asperity_render_XXXXXX").string();
        path_ = ::mkdtemp(pattern.data());
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    int file_count() const {
        int count = 0;
        for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path_)) ++count;
        return count;
    }

  private:
    std::filesystem::path path_;
};

}  // namespace asperity::render
