// A box at a pose, and one of its faces as reference face for clipping.
#pragma once
#include <cmath>

#include "asperity/geometry/convex_contact/convex.h"

namespace asperity::geometry {

struct PlacedBox {
    double half[3];
    Vec3 axes[3];
    Vec3 center;  // relative to the shared origin

    PlacedBox(const Vec3& size, const Mat3& rotation, const Vec3& place)
        : half{size.x, size.y, size.z}, axes{rotation.column(0), rotation.column(1), rotation.column(2)}, center(place) {}
    const Vec3& axis(int k) const { return axes[k]; }
    Vec3 vertex(int i) const {
        return center + (i & 1 ? half[0] : -half[0]) * axes[0] + (i & 2 ? half[1] : -half[1]) * axes[1] +
               (i & 4 ? half[2] : -half[2]) * axes[2];
    }
    /// The face whose outward normal is nearest to d.
    int nearest_face(const Vec3& d) const {
        int best = 0;
        double far = -1;
        for (int k = 0; k < 3; ++k) {
            const double along = dot(axis(k), d);
            if (std::fabs(along) <= far) continue;
            far = std::fabs(along);
            best = 2 * k + (along < 0 ? 1 : 0);
        }
        return best;
    }
    Vec3 face_normal(int face) const { return (face % 2 ? -1.0 : 1.0) * axis(face / 2); }
};

/// A reference face, seen along `view` (unit, outward).
struct ReferenceFace {
    Vec3 center, u, v;  // u and v: unit vectors in the face
    double half_u, half_v;
    Vec3 view, rise;  // the height of a point along the view above the face is rise . p
    double view_u, view_v;

    ReferenceFace(const PlacedBox& box, int face, const Vec3& direction) : view(direction) {
        const Vec3 normal = box.face_normal(face);
        rise = (1 / dot(view, normal)) * normal;
        const int k = face / 2, i = (k + 1) % 3, j = (k + 2) % 3;
        center = box.center + box.half[k] * normal;
        u = box.axis(i);
        v = box.axis(j);
        half_u = box.half[i];
        half_v = box.half[j];
        view_u = dot(view, u);
        view_v = dot(view, v);
    }
    /// Coordinates (x, y, gap) of p = x u + y v + gap view.
    Vec3 coordinates(const Vec3& p) const {
        const double gap = dot(p, rise);
        return {dot(p, u) - gap * view_u, dot(p, v) - gap * view_v, gap};
    }
};

}  // namespace asperity::geometry
