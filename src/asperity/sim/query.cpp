// Queries of a world: rays, shapes and boxes.
#include "asperity/sim/query.h"

#include <fmt/format.h>
#include <algorithm>

#include "asperity/core/error.h"
#include "asperity/core/parallel.h"
#include "asperity/geometry/mesh_contact/overlaps.h"
#include "asperity/sim/query_tree.h"
#include "asperity/sim/world.h"

namespace asperity::sim {
namespace {

/// Ids of the marked bodies, by index.
std::vector<BodyId> ids_of(const Model& model, std::vector<int> bodies) {
    std::sort(bodies.begin(), bodies.end());
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    std::vector<BodyId> ids;
    for (const int body : bodies) ids.push_back(model.bodies.id(body));
    return ids;
}

}  // namespace

const QueryTree& World::query_tree() const {
    query_tree_->update(model, state);
    return *query_tree_;
}

std::optional<RayHit> World::cast_ray(const Vec3& origin, const Vec3& direction, double max_distance,
                                      const BodyFilter& filter) const {
    const geometry::Ray ray = geometry::make_ray(origin, direction, max_distance, "cast_ray");
    return query_tree().cast_ray(model, state, ray, filter);
}

std::vector<std::optional<RayHit>> World::cast_rays(std::span<const geometry::Ray> rays, const BodyFilter& filter) const {
    std::vector<geometry::Ray> checked;
    for (const geometry::Ray& ray : rays)
        checked.push_back(geometry::make_ray(ray.origin, ray.direction, ray.max_distance, "cast_rays"));
    std::vector<std::optional<RayHit>> hits(rays.size());
    const QueryTree& tree = query_tree();
    parallel_for(static_cast<int>(rays.size()), [&](int i) {
        const auto k = static_cast<size_t>(i);
        hits[k] = tree.cast_ray(model, state, checked[k], filter);
    });
    return hits;
}

std::vector<BodyId> World::overlapping(const geometry::Shape& shape, const Pose& pose, const BodyFilter& filter) const {
    const Quat& q = pose.orientation;
    const double norm = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!is_finite(pose.position) || !(std::fabs(norm - 1) <= 1e-6))
        throw InputError(
            fmt::format("overlapping: pose at ({}, {}, {}) with an orientation of norm {}: the position must be "
                        "finite and the norm 1, see normalized()",
                        pose.position.x, pose.position.y, pose.position.z, norm));
    std::vector<int> found;
    // a hair larger: shapes that touch may have boxes that miss each other by rounding
    const geometry::Aabb box = geometry::bounds(shape, pose);
    const double hair = 1e-12 * (1 + max_component(max(abs(box.low), abs(box.high))));
    query_tree().in_box(std::isfinite(hair) && hair < 1 ? box.grown(hair) : box, [&](int collider) {
        const int body = model.bodies.collider_body[static_cast<size_t>(collider)];
        if (std::find(found.begin(), found.end(), body) != found.end()) return;
        if (filter && !filter(model.bodies.id(body))) return;
        const rigid::Collider& c = model.bodies.colliders[static_cast<size_t>(collider)];
        if (geometry::overlaps(c.shape, state.bodies.pose[static_cast<size_t>(body)] * c.local, shape, pose))
            found.push_back(body);
    });
    return ids_of(model, std::move(found));
}

std::vector<BodyId> World::bodies_in(const geometry::Aabb& box, const BodyFilter& filter) const {
    const bool ordered = box.low.x <= box.high.x && box.low.y <= box.high.y && box.low.z <= box.high.z;
    if (!is_finite(box.low) || !is_finite(box.high) || !ordered)
        throw InputError(
            fmt::format("bodies_in: box from ({}, {}, {}) to ({}, {}, {}): both corners must be finite, and the "
                        "first one the lower one",
                        box.low.x, box.low.y, box.low.z, box.high.x, box.high.y, box.high.z));
    std::vector<int> found;
    query_tree().in_box(box, [&](int collider) {
        const int body = model.bodies.collider_body[static_cast<size_t>(collider)];
        if (!filter || filter(model.bodies.id(body))) found.push_back(body);
    });
    return ids_of(model, std::move(found));
}

}  // namespace asperity::sim
