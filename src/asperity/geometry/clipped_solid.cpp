// Cutting a convex solid by planes; see clipped_solid.h.
#include "asperity/geometry/detail/clipped_solid.h"

#include <algorithm>

namespace asperity::geometry::detail {

void ClippedSolid::clear() {
    corners_.clear();
    loop_count_ = 0;
    faces_.clear();
    planes_.clear();
}

/// `faces.loop(i)` is where the i-th face to cut has its corners; `faces.face(i, ...)` makes what is left of it, and is not asked where that is nothing.
template <class Faces>
bool ClippedSolid::cut_faces(const Faces& faces, size_t face_count, const Vec3* corners, size_t corner_count, const int* loops, size_t loop_count, const FacePlane& plane) {
    height_.resize(corner_count);
    double lowest = 1e300;
    for (size_t i = 0; i < corner_count; ++i) {
        height_[i] = dot(plane.normal, corners[i]) - plane.offset;
        lowest = smaller(lowest, height_[i]);
    }
    if (!(lowest < 0)) {
        clear();
        return false;
    }
    kept_corners_.clear();
    place_.resize(corner_count);
    for (size_t i = 0; i < corner_count; ++i) {
        place_[i] = -1;
        if (height_[i] > 0) continue;
        place_[i] = static_cast<int>(kept_corners_.size());
        kept_corners_.push_back(corners[i]);
    }
    first_new_ = static_cast<int>(kept_corners_.size());
    first_cut_.assign(kept_corners_.size(), -1);
    edge_cuts_.clear();
    follows_.clear();
    kept_faces_.clear();
    // Each edge of a face may be cut, and gives the opening a corner: room for three times as many, whatever rounding does.
    kept_loops_.resize(std::max(kept_loops_.size(), 3 * loop_count + face_count));
    loop_count_ = 0;
    for (size_t i = 0; i < face_count; ++i) {
        const auto& [first, count] = faces.loop(i);
        int gone = -1;  // stays negative where all corners are above the plane
        for (int k = 0; k < count; ++k) gone &= place_[static_cast<size_t>(loops[first + k])];
        if (gone < 0) continue;
        const int kept = kept_face(loops + first, count, corners, kept_loops_.data() + loop_count_);
        kept_faces_.push_back(faces.face(i, loop_count_, kept));
        loop_count_ += kept;
    }
    planes_.push_back(plane);
    close_opening();
    corners_.swap(kept_corners_);
    loops_.swap(kept_loops_);
    faces_.swap(kept_faces_);
    return !faces_.empty();
}

namespace {

struct LoopOfFace {
    int first, count;
};

/// The faces of a solid that has been cut before.
struct Own {
    const std::vector<ClippedSolid::Face>& all;
    LoopOfFace loop(size_t i) const { return {all[i].first, all[i].count}; }
    ClippedSolid::Face face(size_t i, int first, int count) const { return {first, count, all[i].second, all[i].plane}; }
};

}  // namespace

bool ClippedSolid::cut(const Vec3& normal, double offset) {
    if (!reaches_above(normal, offset)) return true;
    return cut_faces(Own{faces_}, faces_.size(), corners_.data(), corners_.size(), loops_.data(), static_cast<size_t>(loop_count_), {normal, offset});
}

bool ClippedSolid::load(const ClippedSolid& whole, const Vec3& normal, double offset) {
    planes_ = whole.planes_;
    if (whole.reaches_above(normal, offset))
        return cut_faces(Own{whole.faces_}, whole.faces_.size(), whole.corners_.data(), whole.corners_.size(), whole.loops_.data(), static_cast<size_t>(whole.loop_count_), {normal, offset});
    corners_ = whole.corners_;
    faces_ = whole.faces_;
    loops_.assign(whole.loops_.begin(), whole.loops_.begin() + whole.loop_count_);
    loop_count_ = whole.loop_count_;
    return true;
}

bool ClippedSolid::reaches_above(const Vec3& normal, double offset) const {
    double highest = -1e300;
    for (const Vec3& p : corners_) highest = larger(highest, dot(normal, p));
    return highest > offset;
}

bool ClippedSolid::load(const PolyhedronView& polyhedron, const Vec3& normal, double offset) {
    clear();
    struct Given {
        const Polyhedron::Face* all;
        std::vector<FacePlane>& planes;
        LoopOfFace loop(size_t i) const { return {all[i].first, all[i].count}; }
        Face face(size_t i, int first, int count) const {
            planes.push_back({all[i].normal, all[i].offset});
            return {first, count, false, static_cast<int>(planes.size()) - 1};
        }
    };
    const Polyhedron::Face& last = polyhedron.faces[polyhedron.face_count - 1];
    return cut_faces(Given{polyhedron.faces, planes_}, static_cast<size_t>(polyhedron.face_count), polyhedron.vertices, static_cast<size_t>(polyhedron.vertex_count), polyhedron.loop,
                     static_cast<size_t>(last.first + last.count), {normal, offset});
}

void ClippedSolid::move(const Mat3& turn, const Vec3& shift) {
    for (Vec3& p : corners_) p = turn * p + shift;
    for (FacePlane& plane : planes_) {
        plane.normal = turn * plane.normal;
        plane.offset += dot(plane.normal, shift);
    }
}

int ClippedSolid::corner_on_edge(int kept, int above, const Vec3* corners) {
    int& first = first_cut_[static_cast<size_t>(place_[static_cast<size_t>(kept)])];
    for (int i = first; i >= 0; i = edge_cuts_[static_cast<size_t>(i)].next)
        if (edge_cuts_[static_cast<size_t>(i)].above == above) return edge_cuts_[static_cast<size_t>(i)].corner;
    const Vec3 &low = corners[kept], &high = corners[above];
    const double from = height_[static_cast<size_t>(kept)], to = height_[static_cast<size_t>(above)];
    const int corner = static_cast<int>(kept_corners_.size());
    kept_corners_.push_back(low + from / (from - to) * (high - low));
    follows_.push_back(-1);
    edge_cuts_.push_back({above, corner, first});
    first = static_cast<int>(edge_cuts_.size()) - 1;
    return corner;
}

/// Writes what is left of a face; returns how many corners that has.
int ClippedSolid::kept_face(const int* loop, int count, const Vec3* corners, int* out) {
    const int* place = place_.data();
    int above = 0;  // negative where one is
    for (int i = 0; i < count; ++i) above |= out[i] = place[loop[i]];
    if (above >= 0) return count;
    // The outline goes above the plane and comes back, once each; rounding may let a sliver do so more often. The opening has the way back.
    int written = 0, left = -1, came_back_first = -1;
    const auto opened = [&](int leaves, int returns) { follows_[static_cast<size_t>(returns - first_new_)] = leaves; };
    int kept = place[loop[0]];
    for (int i = 0; i < count; ++i) {
        const int next = i + 1 < count ? i + 1 : 0, kept_next = place[loop[next]];
        if (kept >= 0) out[written++] = kept;
        if (kept >= 0 && kept_next < 0) {
            left = corner_on_edge(loop[i], loop[next], corners);
            out[written++] = left;
        } else if (kept < 0 && kept_next >= 0) {
            const int back = corner_on_edge(loop[next], loop[i], corners);
            out[written++] = back;
            if (left >= 0)
                opened(left, back);
            else
                came_back_first = back;
            left = -1;
        }
        kept = kept_next;
    }
    if (came_back_first >= 0) opened(left, came_back_first);
    return written;
}

void ClippedSolid::close_opening() {
    for (size_t start = 0; start < follows_.size(); ++start) {
        if (follows_[start] < 0) continue;
        const int first = loop_count_;
        for (size_t at = start; follows_[at] >= 0;) {
            kept_loops_[static_cast<size_t>(loop_count_++)] = static_cast<int>(at) + first_new_;
            const int next = follows_[at] - first_new_;
            follows_[at] = -1;
            at = static_cast<size_t>(next);
        }
        kept_faces_.push_back({first, loop_count_ - first, true, static_cast<int>(planes_.size()) - 1});
    }
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
