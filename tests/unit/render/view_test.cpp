// The automatic camera: everything that moves is in the picture, and bodies that flew away do not shrink it.
#include <gtest/gtest.h>

#include "render/camera.h"
#include "stage.h"
#include "tests/unit/record/deformable_sample.h"

namespace asperity::render {
namespace {

// Position of a point on the picture, in half picture sizes from the middle: inside if both are within -1 .. 1.
Vec2 on_picture(const record::View& view, double aspect, const Vec3& point) {
    const Vec3 forward = normalized(view.target - view.eye), right = normalized(cross(forward, Vec3{0, 0, 1}));
    const Vec3 up = cross(right, forward), d = point - view.eye;
    const double scale = std::tan(0.5 * radians(view.field_of_view_deg)) * dot(d, forward);
    return {dot(d, right) / (scale * aspect), dot(d, up) / scale};
}

Stage row_of_balls(int count, const Vec3& step) {
    Stage stage;
    const int grey = stage.material({});
    stage.body(geometry::HalfSpace{}, grey, {}, rigid::Motion::Fixed);
    for (int i = 0; i < count; ++i)
        stage.body(geometry::Sphere{0.2}, grey, {static_cast<double>(i) * step + Vec3{5, 3, 0.2}, {}});
    stage.frame(0);
    stage.frame(1);
    return stage;
}

TEST(AutomaticView, HoldsEverythingThatMoves) {
    for (const Vec3& step : {Vec3{0.5, 0, 0}, Vec3{0, 0.5, 0}, Vec3{0.01, 0.01, 0.5}}) {
        for (const double aspect : {0.5, 1.0, 16.0 / 9, 3.0}) {
            const Stage stage = row_of_balls(12, step);
            const record::View view = automatic_view(stage.recording, aspect);
            double reach = 0;
            for (std::size_t b = 1; b < stage.recording.bodies.size(); ++b) {
                const Vec2 p = on_picture(view, aspect, stage.recording.frames[0].poses[b].position);
                reach = std::fmax(reach, std::fmax(std::fabs(p.x), std::fabs(p.y)));
            }
            EXPECT_LT(reach, 1);
            EXPECT_GT(reach, 0.5) << "the picture is mostly empty";
            EXPECT_GT(view.eye.z, 0.5) << "the camera is in the ground";
        }
    }
}

TEST(AutomaticView, IgnoresABodyThatFlewAway) {
    Stage stage = row_of_balls(12, {0.5, 0, 0});
    const record::View before = automatic_view(stage.recording, 1.5);
    stage.recording.frames[1].poses[4].position = {1e5, -2e5, -7e6};
    const record::View after = automatic_view(stage.recording, 1.5);
    EXPECT_LT(length(after.eye - after.target), 1.05 * length(before.eye - before.target));
}

TEST(AutomaticView, StaysAboveASlope) {
    Stage stage = row_of_balls(6, {0.5, 0, 0});
    stage.recording.frames[0].poses[0] = {{5, 3, 0},
                                          rotation({radians(-35), 0, 0})};  // rises towards -y, where the camera would be
    const record::View view = automatic_view(stage.recording, 1.5);
    const Vec3 normal = rotate(stage.recording.frames[0].poses[0].orientation, {0, 0, 1});
    EXPECT_GT(dot(normal, view.eye - Vec3{5, 3, 0}), 0);
}

TEST(AutomaticView, HoldsDeformableBodiesWhereverTheirNodesGo) {
    record::Recording r = record::deformable_recording();
    // The poses say nothing; a beam-like shape grows along x, and one node of the last frame flies away.
    for (record::Frame& frame : r.frames) frame.poses[1].position = {100, 100, 100};
    for (int i = 0; i < 11; ++i) r.frames[static_cast<std::size_t>(i)].deformations[0].positions[1].x = 1 + 0.5 * i;
    for (const double aspect : {0.5, 16.0 / 9}) {
        const record::View view = automatic_view(r, aspect);
        double reach = 0;
        for (const record::Frame& frame : r.frames)
            for (const record::Deformation& now : frame.deformations)
                for (const Vec3& p : now.positions)
                    for (const double y : {-0.1, 0.1}) {
                        const Vec2 at = on_picture(view, aspect, p + Vec3{0, now.body == 2 ? y : 0, 0});
                        reach = std::fmax(reach, std::fmax(std::fabs(at.x), std::fabs(at.y)));
                    }
        EXPECT_LT(reach, 1);
        EXPECT_GT(reach, 0.6) << "the picture is mostly empty";
    }
    const record::View before = automatic_view(r, 1.5);
    r.frames[10].deformations[0].positions[3] = {std::nan(""), 0, 0};
    const record::View after = automatic_view(r, 1.5);
    EXPECT_LT(length(after.eye - before.eye), 0.3 * length(before.eye - before.target));
}

TEST(AutomaticView, FindsAPlaceForAnEmptyScene) {
    record::Recording empty;
    empty.frames.emplace_back();
    const record::View view = automatic_view(empty, 1.5);
    EXPECT_TRUE(is_finite(view.eye));
    EXPECT_GT(length(view.eye - view.target), 0.1);
}

}  // namespace
}  // namespace asperity::render
