// The looks of a mesh whose file has several materials, and patterns in metres.
#include <gtest/gtest.h>

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/record/png.h"
#include "render/material.h"

namespace asperity::render {
namespace {

/// Two triangles in different parts, the first with a look of its own.
record::Recording two_parts() {
    geometry::MeshData data;
    data.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}, {3, 0, 0}, {2, 1, 0}};
    data.triangles = {0, 1, 2, 3, 4, 5};
    data.parts = {0, 1};
    record::Recording r;
    surface::Material grey;
    r.materials.push_back(grey);
    record::RecordedBody body{"sheet", rigid::Motion::Fixed, {{geometry::make_mesh(data), {}, MaterialId{0}}}, {}, {}};
    std::vector<std::optional<surface::Appearance>> looks(2);
    surface::Appearance& own = looks[0].emplace();
    own.color = {0.5, 1, 1};
    own.metallic = 0.25;
    own.picture = std::make_shared<const std::string>(record::png(1, 1, 3, std::vector<std::uint8_t>{255, 0, 255}));
    own.texture_size = 0.5;
    own.texture_offset = {0.125, 0};
    body.looks = {std::make_shared<const std::vector<std::optional<surface::Appearance>>>(looks)};
    r.bodies.push_back(std::move(body));
    return r;
}

TEST(Looks, OfAMeshFileAreThoseOfEachPart) {
    const record::Recording r = two_parts();
    const LookTable table(r);
    const std::vector<Look>& looks = table.looks(0, 0);
    ASSERT_EQ(looks.size(), 2U);
    EXPECT_FLOAT_EQ(looks[0].metallic, 0.25F);
    EXPECT_EQ(looks[0].offset.x, 0.125);
    const Paint p = paint(looks[0], {.uv = {0.3, 0.3}, .tile = {0.5, 0.5}, .footprint = 1e-3F});
    EXPECT_NEAR(p.color.x, 0.5, 1e-6);  // the colour tints the picture
    EXPECT_NEAR(p.color.y, 0, 1e-6);
    EXPECT_EQ(looks[1].texture, nullptr);
    EXPECT_FLOAT_EQ(looks[1].metallic, 0);
    EXPECT_GT(looks[1].color.y, 0.3F);  // the grey of fixed bodies
}

TEST(Looks, CheckersInMetresAreSquare) {
    Look look;
    look.color = constant(1);
    look.checker = true;
    look.tile = surface::TileSize::in_metres(0.1);
    const geometry::Shape box = geometry::Box{{0.5, 0.2, 0.1}};  // its top: 1 m along u, 0.4 m along v
    const auto at = [&](double x, double y) {                    // in metres from the lower left of the top
        return paint(look, {.uv = {x, y / 0.4}, .tile = look.tile.on(box, 4), .footprint = 1e-4F}).color.x;
    };
    const float bright = at(0.05, 0.05), dark = at(0.15, 0.05);
    EXPECT_GT(bright, dark + 0.2F);
    EXPECT_NEAR(at(0.05, 0.15), dark, 1e-5);
    EXPECT_NEAR(at(0.15, 0.15), bright, 1e-5);
    EXPECT_NEAR(at(0.85, 0.35), at(0.05, 0.15), 1e-5);
}

}  // namespace
}  // namespace asperity::render
