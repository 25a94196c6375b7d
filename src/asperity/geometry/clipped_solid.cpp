// Cutting a convex solid by planes; see clipped_solid.h.
#include "asperity/geometry/detail/clipped_solid.h"

namespace asperity::geometry::detail {

void ClippedSolid::clear() {
    faces_.clear();
    edges_.clear();
}

void ClippedSolid::begin_face() {
    const int at = static_cast<int>(edges_.size());
    faces_.push_back({at, at, false});
}

bool ClippedSolid::cut(const Vec3& normal, double offset) {
    height_.resize(edges_.size());
    bool above = false, below = false;
    for (size_t i = 0; i < edges_.size(); ++i) {  // every corner is the start of some edge
        height_[i] = dot(normal, edges_[i].from) - offset;
        above |= height_[i] > 0;
        below |= height_[i] < 0;
    }
    if (!above) return true;
    if (!below) {
        clear();
        return false;
    }
    kept_faces_.clear();
    kept_edges_.clear();
    opened_.clear();
    for (const Face& face : faces_) {
        const int first = static_cast<int>(kept_edges_.size());
        // Where the outline goes above the plane and comes back: once each, but rounding may make a corner or two of a sliver cross again. Any
        // departure may be joined to any return, for all lie on one line.
        leaves_.clear();
        returns_.clear();
        for (int i = face.first; i < face.end; ++i) {
            const Segment& edge = edges_[static_cast<size_t>(i)];
            const double from = height_[static_cast<size_t>(i)], to = dot(normal, edge.to) - offset;
            if (from <= 0 && to <= 0) {
                kept_edges_.push_back(edge);
            } else if (from <= 0) {  // always from the lower end up, so that both faces at an edge find the same point to the bit
                leaves_.push_back(edge.from + from / (from - to) * (edge.to - edge.from));
                if (!(leaves_.back() == edge.from)) kept_edges_.push_back({edge.from, leaves_.back()});
            } else if (to <= 0) {
                returns_.push_back(edge.to + to / (to - from) * (edge.from - edge.to));
                if (!(returns_.back() == edge.to)) kept_edges_.push_back({returns_.back(), edge.to});
            }
        }
        for (size_t k = 0; k < leaves_.size(); ++k) {
            if (leaves_[k] == returns_[k]) continue;
            kept_edges_.push_back({leaves_[k], returns_[k]});
            opened_.push_back({returns_[k], leaves_[k]});
        }
        const int end = static_cast<int>(kept_edges_.size());
        if (end > first) kept_faces_.push_back({first, end, face.second});
    }
    if (!opened_.empty()) {
        const int first = static_cast<int>(kept_edges_.size());
        kept_edges_.insert(kept_edges_.end(), opened_.begin(), opened_.end());
        kept_faces_.push_back({first, static_cast<int>(kept_edges_.size()), true});
    }
    edges_.swap(kept_edges_);
    faces_.swap(kept_faces_);
    return !edges_.empty();
}

Aabb ClippedSolid::box() const {
    Aabb box{edges_[0].from, edges_[0].from};
    for (const Segment& edge : edges_) box = {min(box.low, edge.from), max(box.high, edge.from)};
    return box;
}

void ClippedSolid::integrate(const Vec3& origin, Moments& volume, AreaMoments& second_surface) const {
    for (const Face& face : faces_) {
        const Vec3 corner = edges_[static_cast<size_t>(face.first)].from - origin;
        for (int i = face.first; i < face.end; ++i) {  // triangles from one corner; the two edges at it add nothing
            const Vec3 from = edges_[static_cast<size_t>(i)].from - origin, to = edges_[static_cast<size_t>(i)].to - origin;
            if (from == corner || to == corner) continue;
            volume.add_tetrahedron(corner, from, to);
            if (face.second) second_surface.add_triangle(corner, from, to);
        }
    }
}

}  // namespace asperity::geometry::detail
