#include "asperity/geometry/mesh_contact/tilt_hull.h"

namespace asperity::geometry {
namespace {

bool has(const std::int8_t (&planes)[3], std::int8_t plane) {
    return planes[0] == plane || planes[1] == plane || planes[2] == plane;
}

}  // namespace

TiltHull::TiltHull(double slope, Vec2 at, double gap) {
    points_ = 1;
    for (int k = 0; k < 4; ++k) {
        const Vec2 tilt{k == 0 || k == 3 ? -slope : slope, k < 2 ? -slope : slope};
        corners_.push(
            {tilt, -gap - dot(tilt, at), {0, static_cast<std::int8_t>(-1 - k), static_cast<std::int8_t>(-1 - (k + 3) % 4)}});
    }
}

void TiltHull::hold(Vec2 at, double gap) {
    if (points_ == kMaxPoints) return;
    const auto plane = static_cast<std::int8_t>(points_);
    double below[kMaxCorners];
    const int count = corners_.size();
    bool cuts = false;
    for (int i = 0; i < count; ++i) {
        below[i] = -gap - corners_[i].rise - dot(corners_[i].tilt, at);
        cuts |= below[i] > 0;
    }
    if (!cuts) return;
    // Three edges leave each vertex of the polyhedron, each in two of its planes. Edges from a vertex below the new plane to
    // one above it are cut.
    FixedBuffer<Corner, kMaxCorners> next;
    const auto keep = [&](const Corner& c) {
        if (!next.full()) next.push(c);
    };
    for (int i = 0; i < count; ++i) {
        const Corner& from = corners_[i];
        if (below[i] <= 0) {
            keep(from);
            continue;
        }
        for (int k = 0; k < 3; ++k) {
            const std::int8_t p = from.planes[k], q = from.planes[k == 2 ? 0 : k + 1];
            int other = 0;
            while (other < count && (other == i || !has(corners_[other].planes, p) || !has(corners_[other].planes, q)))
                ++other;
            if (other == count) {
                if (p < 0 && q < 0) keep({from.tilt, from.rise + below[i], {p, q, plane}});  // an edge without upper end
                continue;
            }
            if (below[other] > 0) continue;
            const double share = below[i] / (below[i] - below[other]);
            const Corner& to = corners_[other];
            keep({from.tilt + share * (to.tilt - from.tilt), from.rise + share * (to.rise - from.rise), {p, q, plane}});
        }
    }
    corners_.clear();
    for (const Corner& c : next) corners_.push(c);
    ++points_;
}

}  // namespace asperity::geometry
