// Cutting a convex solid by planes; see clipped_solid.h.
#include "asperity/geometry/detail/clipped_solid.h"

namespace asperity::geometry::detail {

void ClippedSolid::clear() {
    corners_.clear();
    loops_.clear();
    faces_.clear();
}

bool ClippedSolid::cut(const Vec3& normal, double offset) {
    const size_t count = corners_.size();
    height_.resize(count);
    double lowest = 1e300, highest = -1e300;
    for (size_t i = 0; i < count; ++i) {
        height_[i] = dot(normal, corners_[i]) - offset;
        lowest = smaller(lowest, height_[i]);
        highest = larger(highest, height_[i]);
    }
    if (!(highest > 0)) return true;
    if (!(lowest < 0)) {
        clear();
        return false;
    }
    kept_corners_.clear();
    place_.resize(count);
    for (size_t i = 0; i < count; ++i) {
        place_[i] = -1;
        if (height_[i] > 0) continue;
        place_[i] = static_cast<int>(kept_corners_.size());
        kept_corners_.push_back(corners_[i]);
    }
    first_new_ = static_cast<int>(kept_corners_.size());
    first_cut_.assign(kept_corners_.size(), -1);
    edge_cuts_.clear();
    follows_.clear();
    kept_loops_.clear();
    kept_faces_.clear();
    for (const Face& face : faces_) cut_face(face);
    close_opening();
    corners_.swap(kept_corners_);
    loops_.swap(kept_loops_);
    faces_.swap(kept_faces_);
    return !faces_.empty();
}

int ClippedSolid::corner_on_edge(int kept, int above) {
    int& first = first_cut_[static_cast<size_t>(place_[static_cast<size_t>(kept)])];
    for (int i = first; i >= 0; i = edge_cuts_[static_cast<size_t>(i)].next)
        if (edge_cuts_[static_cast<size_t>(i)].above == above) return edge_cuts_[static_cast<size_t>(i)].corner;
    const Vec3 &low = corners_[static_cast<size_t>(kept)], &high = corners_[static_cast<size_t>(above)];
    const double from = height_[static_cast<size_t>(kept)], to = height_[static_cast<size_t>(above)];
    const int corner = static_cast<int>(kept_corners_.size());
    kept_corners_.push_back(low + from / (from - to) * (high - low));
    follows_.push_back(-1);
    edge_cuts_.push_back({above, corner, first});
    first = static_cast<int>(edge_cuts_.size()) - 1;
    return corner;
}

void ClippedSolid::cut_face(const Face& face) {
    const int* loop = loops_.data() + face.first;
    const auto kept = [&](int i) { return place_[static_cast<size_t>(loop[i])]; };
    int kept_count = 0;
    for (int i = 0; i < face.count; ++i) kept_count += kept(i) >= 0;
    if (kept_count == 0) return;
    const int first = static_cast<int>(kept_loops_.size());
    if (kept_count == face.count) {
        for (int i = 0; i < face.count; ++i) kept_loops_.push_back(kept(i));
    } else {
        // The outline goes above the plane and comes back, once each; rounding may let a sliver do so more often. The opening has the way back.
        int left = -1, came_back_first = -1;
        const auto opened = [&](int leaves, int returns) { follows_[static_cast<size_t>(returns - first_new_)] = leaves; };
        for (int i = 0; i < face.count; ++i) {
            const int next = i + 1 < face.count ? i + 1 : 0;
            if (kept(i) >= 0) kept_loops_.push_back(kept(i));
            if (kept(i) >= 0 && kept(next) < 0) {
                left = corner_on_edge(loop[i], loop[next]);
                kept_loops_.push_back(left);
            } else if (kept(i) < 0 && kept(next) >= 0) {
                const int back = corner_on_edge(loop[next], loop[i]);
                kept_loops_.push_back(back);
                if (left >= 0)
                    opened(left, back);
                else
                    came_back_first = back;
                left = -1;
            }
        }
        if (came_back_first >= 0) opened(left, came_back_first);
    }
    kept_faces_.push_back({first, static_cast<int>(kept_loops_.size()) - first, face.second});
}

void ClippedSolid::close_opening() {
    for (size_t start = 0; start < follows_.size(); ++start) {
        if (follows_[start] < 0) continue;
        const int first = static_cast<int>(kept_loops_.size());
        for (size_t at = start; follows_[at] >= 0;) {
            kept_loops_.push_back(static_cast<int>(at) + first_new_);
            const int next = follows_[at] - first_new_;
            follows_[at] = -1;
            at = static_cast<size_t>(next);
        }
        kept_faces_.push_back({first, static_cast<int>(kept_loops_.size()) - first, true});
    }
}

Aabb ClippedSolid::box() const {
    Aabb box{corners_[0], corners_[0]};
    for (const Vec3& p : corners_) box = {min(box.low, p), max(box.high, p)};
    return box;
}

void ClippedSolid::integrate(const Vec3& origin, Moments& volume, AreaMoments& second_surface) const {
    for (const Face& face : faces_) {
        const int* loop = loops_.data() + face.first;
        const auto corner = [&](int i) { return corners_[static_cast<size_t>(loop[i])] - origin; };
        const Vec3 a = corner(0);
        Vec3 b = corner(1);
        for (int i = 2; i < face.count; ++i) {
            const Vec3 c = corner(i);
            volume.add_tetrahedron(a, b, c);
            if (face.second) second_surface.add_triangle(a, b, c);
            b = c;
        }
    }
}

}  // namespace asperity::geometry::detail
