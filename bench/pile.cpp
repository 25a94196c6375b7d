// Implements brick_pile().
#include "bench/pile.h"

#include <fmt/format.h>

#include "asperity/core/random.h"

namespace asperity::scaling {
namespace {

constexpr double kHalf = 0.1;       // half edge length of a cube [m]
constexpr double kSpacing = 0.225;  // [m]; a cube rotated by 5 degrees is 0.2166 m wide
constexpr double kDrop = 0.001;
constexpr int kLayers = 4;

}  // namespace

sim::World brick_pile(int width) {
    sim::World world;
    const MaterialId stone = world.add_material({.name = "stone"});
    world.model.pairs.set_default({.friction = {.base = friction::Coulomb{0.5}}});
    // A tolerance that is never reached gives every pile its 20 sweeps. So the cost of a contact is compared, not the
    // difficulty of solving a pile.
    world.model.settings.solver = "fast";
    world.model.settings.solve = {.tolerance = 1e-15, .max_sweeps = 20};
    world.model.settings.position_sweeps = 20;
    world.add_body({.name = "floor", .motion = rigid::Motion::Fixed, .colliders = {{geometry::HalfSpace{}, {}, stone}}});
    Random random(1);
    for (int layer = 0; layer < kLayers; ++layer) {
        const int side = layer % 2 == 0 ? width : width - 1;
        for (int i = 0; i < side * side; ++i) {
            const Vec3 at{kSpacing * (i % side - 0.5 * (side - 1)), kSpacing * (i / side - 0.5 * (side - 1)),
                          kHalf + kDrop + layer * (2 * kHalf + kDrop)};
            world.add_body({.name = fmt::format("cube_{}_{}", layer, i),
                            .colliders = {{geometry::Box{{kHalf, kHalf, kHalf}}, {}, stone}},
                            .pose = {at, rotation({0, 0, random.uniform(-radians(5), radians(5))})}});
        }
    }
    world.prepare();
    return world;
}

}  // namespace asperity::scaling
