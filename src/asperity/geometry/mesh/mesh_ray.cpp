#include "asperity/geometry/mesh/mesh_ray.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/geometry/mesh/mesh_closest.h"

namespace asperity::geometry {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Shears space so that the ray runs along z from the origin; x and y of a vertex are then the same for all its triangles.
class ShearedRay {
  public:
    ShearedRay(const Vec3& origin, const Vec3& direction) : origin_(origin) {
        const Vec3 size = abs(direction);
        z_ = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        x_ = (z_ + 1) % 3;
        y_ = (z_ + 2) % 3;
        if (direction[z_] < 0) std::swap(x_, y_);  // keeps the winding
        shear_ = {direction[x_] / direction[z_], direction[y_] / direction[z_], 1 / direction[z_]};
    }
    /// Distance to the plane of the triangle, or infinity where the ray passes outside.
    double meets(const Vec3& a, const Vec3& b, const Vec3& c) const {
        const Vec3 p = sheared(a), q = sheared(b), r = sheared(c);
        const double u = r.x * q.y - r.y * q.x, v = p.x * r.y - p.y * r.x, w = q.x * p.y - q.y * p.x;
        if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return kInfinity;
        const double sum = u + v + w;
        return sum == 0 ? kInfinity : (u * p.z + v * q.z + w * r.z) / sum;
    }

  private:
    Vec3 sheared(const Vec3& point) const {
        const Vec3 p = point - origin_;
        return {p[x_] - shear_.x * p[z_], p[y_] - shear_.y * p[z_], shear_.z * p[z_]};
    }
    Vec3 origin_, shear_;
    int x_ = 0, y_ = 1, z_ = 2;
};

/// Whether the ray meets the box within `reach`. Generous by rounding, since faces of the box may hold triangles.
bool meets_box(const Aabb& box, const Vec3& origin, const Vec3& inverse, double slack, double reach) {
    double from = 0, to = reach;
    for (int k = 0; k < 3; ++k) {
        const double low = box.low[k] - slack - origin[k], high = box.high[k] + slack - origin[k];
        if (std::isinf(inverse[k])) {
            if (low > 0 || high < 0) return false;
            continue;
        }
        const double one = low * inverse[k], two = high * inverse[k];
        from = larger(from, smaller(one, two));
        to = smaller(to, larger(one, two));
    }
    return from <= to * (1 + 1e-12);
}

}  // namespace

MeshHit first_hit(const TriangleSet& mesh, const Vec3& origin, const Vec3& direction, double reach) {
    const ShearedRay ray(origin, direction);
    const Vec3 inverse{1 / direction.x, 1 / direction.y, 1 / direction.z};
    const double slack = 1e-12 * (mesh.extent + max_component(abs(origin)));
    MeshHit best{-1, reach, false};
    mesh.tree.query_if(
        [&](const Aabb& box) { return meets_box(box, origin, inverse, slack, best.distance); },
        [&](int triangle) {
            const double t = ray.meets(mesh.corner(triangle, 0), mesh.corner(triangle, 1), mesh.corner(triangle, 2));
            if (!(t >= 0 && t <= best.distance) || std::isinf(t)) return;
            const bool leaves = dot(mesh.face_normals[static_cast<size_t>(triangle)], direction) > 0;
            if (t == 0 && leaves && mesh.solid()) return;
            const bool nearer = best.triangle < 0 || t < best.distance;
            const bool preferred = best.leaves != leaves ? best.leaves : triangle < best.triangle;  // of equally near ones
            if (nearer || preferred) best = {triangle, t, leaves};
        });
    return best;
}

bool is_inside(const TriangleSet& mesh, const Vec3& point) {
    if (mesh.ground()) {
        if (point.z < mesh.box.low.z - mesh.extent) return false;  // as deep as bounds() says
        return first_hit(mesh, point, {0, 0, 1}, kInfinity).triangle >= 0;
    }
    if (!mesh.solid()) return false;
    const Aabb& box = mesh.box;
    if (!box.overlaps({point, point})) return false;
    return nearest_on_mesh(mesh, point, kInfinity).signed_distance < 0;
}

}  // namespace asperity::geometry
