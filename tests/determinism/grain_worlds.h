// Boxes on ground with each kind of grain field, with enough contacts for several batches.
#pragma once
#include "asperity/scene/scene.h"
#include "asperity/surface/make_grain.h"
#include "tests/unit/geometry/meshes.h"
#include "tests/verify/worlds.h"

namespace asperity::verify {

inline const std::vector<std::string> kFieldKinds = {"constant", "axis", "formula", "vertices", "texture", "footprint"};

inline surface::Grain field_of(const std::string& kind, const geometry::MeshData& ground) {
    if (kind == "constant") return surface::ConstantGrain{{0.8, 0.6, 0}};
    if (kind == "axis") return surface::AxisGrain{.radial = 0.6, .around = 0.8};
    if (kind == "formula") {  // as in a scene file, through the parser
        const scene::Scene s = scene::parse(
            "[world]\ndefault = { mu = 1 }\n[[body]]\nname = \"x\"\nfixed = true\nshape = { half_space = true }\n"
            "grain_field = { angle = \"30*sin(2*pi*y/3) + 10*x\" }\n",
            "test.toml", {});
        return *s.world.model.grain_of(0);
    }
    if (kind == "vertices") {
        std::vector<Vec3> directions;
        for (const Vec3& p : ground.positions) directions.push_back({std::cos(p.x), std::sin(p.x + p.y), 0});
        return surface::VertexGrain{std::make_shared<const std::vector<Vec3>>(directions)};
    }
    surface::TextureGrain texture{std::make_shared<const surface::GrainTexture>(
        surface::grain_from_function(64, 64, [](double u, double v) { return std::sin(2 * pi * u) + 3 * v; }))};
    if (kind == "footprint") texture.footprint = 0.05;
    return texture;
}

/// 36 boxes with different yaw angles on a slope [rad]: 144 contacts. They slide along the slope's grain if it is steeper
/// than 0.05.
inline sim::World boxes_on(const std::string& kind, double slope) {
    sim::World world = world_with({.base = friction::Matchstick{0.3, 0.05, 0.8}}, 0, tilted_gravity(slope));
    world.model.settings.solve = {1e-6, 30};
    const geometry::MeshData ground = geometry::flat_data(12, 12);
    const int floor = kind == "vertices" ? world
                                               .add_body({.name = "ground",
                                                          .motion = rigid::Motion::Fixed,
                                                          .colliders = {{geometry::make_mesh(ground), {}, {}}}})
                                               .index
                                         : add_ground(world);
    world.set_grain(BodyId{floor}, field_of(kind, ground));
    for (int i = 0; i < 36; ++i) {
        const int box = add(world, fmt::format("box{}", i), geometry::Box{{0.1, 0.12, 0.05}},
                            {{0.5 * (i % 6) - 1.3, 0.5 * (i / 6) - 1.2, 0.05}, rotation({0, 0, 0.1 * i})});
        if (i % 2 == 0) world.set_grain(BodyId{box}, surface::ConstantGrain{{1, 0, 0}});
    }
    return world;
}

}  // namespace asperity::verify
