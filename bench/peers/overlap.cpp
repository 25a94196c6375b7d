// Implements overlaps() by a sweep and geometry::collide().
#include "overlap.h"

#include <algorithm>

#include "asperity/geometry/convex_contact/collide.h"

namespace asperity::peers {
namespace {

/// Pairs closer than this count as touching [m]: an accurate engine leaves gaps of rounding size.
constexpr double kTouch = 1e-4;

}  // namespace

// All pairs with overlapping bounding boxes, found by a sweep along x.
Overlaps overlaps(const Scene& scene, const std::vector<Pose>& poses) {
    struct Item {
        geometry::Shape shape;
        geometry::Aabb box;
        int body;
    };
    std::vector<Item> items;
    for (int i = 0; i < static_cast<int>(poses.size()); ++i) {
        const geometry::Shape shape = std::visit(
            [](const auto& s) -> geometry::Shape {
                if constexpr (std::is_same_v<std::decay_t<decltype(s)>, ConvexHull>) {
                    return geometry::convex_hull(s.vertices);
                } else {
                    return s;
                }
            },
            scene.bodies[i].shape);
        items.push_back({shape, geometry::bounds(shape, poses[i]).grown(kTouch), i});
    }
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.box.low.x < b.box.low.x; });
    Overlaps result;
    for (std::size_t i = 0; i < items.size(); ++i) {
        for (std::size_t j = i + 1; j < items.size() && items[j].box.low.x <= items[i].box.high.x; ++j) {
            const Item &a = items[i], &b = items[j];
            if (!a.box.overlaps(b.box) || (scene.bodies[a.body].fixed && scene.bodies[b.body].fixed)) continue;
            geometry::Manifold manifold;
            if (!geometry::collide(a.shape, poses[a.body], b.shape, poses[b.body], kTouch, {}, manifold)) continue;
            double depth = 0;
            for (int k = 0; k < manifold.count; ++k) depth = std::max(depth, -manifold.points[k].gap);
            ++result.pairs;
            result.worst = std::max(result.worst, depth);
            result.mean += depth;
        }
    }
    if (result.pairs > 0) result.mean /= result.pairs;
    return result;
}

}  // namespace asperity::peers
