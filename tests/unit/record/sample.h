// A small recording with one item of every kind, and a temporary folder for files.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "asperity/core/error.h"
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/record/recording.h"

namespace asperity::record {

class TemporaryFolder {
  public:
    TemporaryFolder() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        path_ = std::filesystem::temp_directory_path() /
                fmt::format("asperity_{}_{}_{}", test->test_suite_name(), test->name(), ::getpid());
        std::filesystem::create_directories(path_);
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// The message of the InputError that `call` throws; the test fails if it throws none.
template <class Call>
std::string message_of(const Call& call) {
    try {
        call();
    } catch (const InputError& error) { return error.what(); }
    ADD_FAILURE() << "no InputError";
    return {};
}

inline std::shared_ptr<const geometry::Polyhedron> cube(double half) {
    return std::make_shared<geometry::Polyhedron>(geometry::box_polyhedron({half, half, half}));
}

/// Body 1 slides and spins, body 2 stands still, body 0 is the floor. 11 frames, 0.1 s apart. Equal hulls in two objects.
inline Recording sample_recording() {
    Recording r;
    r.title = "one of everything";
    surface::Material floor, wood;
    floor.name = "floor";
    floor.appearance.checker = true;
    wood.name = "wood, \"oak\"";
    wood.density = 700;
    wood.mu = 0.4;
    wood.grain = {1, 0, 0};
    wood.surface_velocity = {0, 0.5, 0};
    wood.appearance.color = {0.5, 0.25, 0.125};
    wood.appearance.metallic = 0.25;
    wood.appearance.texture_size = 0.5;
    r.materials = {floor, wood};

    RecordedBody ground{"ground", rigid::Motion::Fixed, {{geometry::HalfSpace{}}}};
    RecordedBody mover{"mover, left", rigid::Motion::Dynamic, {}};
    mover.colliders = {{geometry::Box{{0.1, 0.2, 0.3}}, {}, MaterialId{1}},
                       {geometry::Sphere{0.1}, {{0, 0, 0.4}, rotation({0.3, 0, 0})}, MaterialId{1}},
                       {geometry::Hull{cube(0.05)}, {{0.5, 0, 0}, {}}, MaterialId{1}},
                       {geometry::Hull{cube(0.05)}, {{-0.5, 0, 0}, {}}, MaterialId{1}}};
    auto bumps = std::make_shared<surface::SlopeMap>();
    bumps->width = 3, bumps->height = 2;
    bumps->slopes = {{0, 0}, {0.25F, 0}, {-0.25F, 0.125F}, {0, 1}, {2, -0.5F}, {9, 9}};
    bumps->weight = {1, 1, 1, 1, 1, 0};
    mover.slopes = {{}, {bumps, 0.5, {}}, {bumps, 0.25, {0.5, 0.75}}, {bumps, 0.25, {0.5, 0.75}}};
    RecordedBody stander{"stander", rigid::Motion::Kinematic, {}};
    stander.colliders = {{geometry::Capsule{0.1, 0.2}, {}, {}},
                         {geometry::Cylinder{0.1, 0.2}, {{1, 0, 0}, {}}, MaterialId{1}}};
    geometry::MeshData pyramid;
    pyramid.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    pyramid.triangles = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    stander.colliders.push_back({geometry::make_mesh(pyramid, 0.2), {{0, 1, 0}, {}}, MaterialId{1}});
    r.bodies = {ground, mover, stander};
    r.links = {{1, 2, {0, 0, 0.1}, {0, 0, 0.2}}, {-1, 1, {0, 0, 2}, {}}};
    r.view = View{{3, -4, 2}, {0, 0, 0.5}, 40};

    for (int i = 0; i <= 10; ++i) {
        Frame f;
        f.time = 0.1 * i;
        Quat q = rotation({0, 0, 1.1 * i});
        if (i % 2 == 1) q = {-q.w, -q.x, -q.y, -q.z};  // the same rotation: exporters must not follow the sign
        f.poses = {{}, {{0.2 * i, 0, 0.3}, q}, {{0, 2, 0.5}, {}}};
        f.velocities = {{}, {2, 0, 0}, {}};
        f.angular_velocities = {{}, {0, 0, 11}, {}};
        if (i > 0)
            f.contacts = {{0,
                           1,
                           {0.2 * i, 0, 0},
                           {0, 0, 1},
                           {-0.1 / 3, 0, 9.81},
                           {1, 0, 0},
                           0.4,
                           0.6,
                           0,
                           5,
                           {0.25, 0.5},
                           {0.75, 0.125},
                           -1e-5,
                           0.002,
                           -1,
                           3,
                           0.25,
                           0.5,
                           1e-9},
                          {-1, 2, {}, {0, 0, 1}, {}, {1, 0, 0}, 0, 0}};
        r.frames.push_back(f);
    }
    return r;
}

}  // namespace asperity::record
