// The intersection of two polyhedra from segments of edges and chords between faces. See crossed_solids.h.
#include "asperity/geometry/shared_volume/detail/crossed_solids.h"

#include <algorithm>
#include <cmath>

namespace asperity::geometry::detail {
namespace {

constexpr double kRounding = 4e-15;  // of the coordinates: distance from a plane within which a corner lies in it

/// Whether a point is below all planes, offset by `grow`.
bool contains(const FaceTable& t, const Vec3& p, double grow) {
    const double *nx = t[FaceTable::kNormalX], *ny = t[FaceTable::kNormalY], *nz = t[FaceTable::kNormalZ],
                 *offset = t[FaceTable::kOffset];
    const Four x = all_four(p.x), y = all_four(p.y), z = all_four(p.z);
    Four highest = all_four(-1e300);
    for (size_t f = 0; f < t.rows; f += 4)
        highest = larger_of(four(nx + f) * x + four(ny + f) * y + four(nz + f) * z - four(offset + f), highest);
    return !bits(highest > all_four(grow));
}

}  // namespace

inline bool CrossedSolids::add_end(int face_a, int face_b, bool start, int corner) {
    const int key = face_a * static_cast<int>(b_.face_count) + face_b;
    Chord& chord = chords_[static_cast<size_t>(key)];
    if (chord.start < 0 && chord.end < 0) met_.push_back(key);
    int& end = start ? chord.start : chord.end;
    if (end >= 0) return false;
    end = corner;
    return true;
}

/// The corner at an end of an edge that lies inside the other body.
template <bool kIsA>
inline int CrossedSolids::whole_end(int corner, int vertex) {
    Body& body = kIsA ? a_ : b_;
    int& shared = body.shared[static_cast<size_t>(body.splits() ? corner : vertex)];
    if (shared < 0) shared = add_corner(kIsA ? body.own_vertex(vertex) : body.corner(corner, vertex));
    return shared;
}

/// Adds the part inside the other body of an edge with at least one end outside.
template <bool kIsA>
bool CrossedSolids::cut(const OffsetPolyhedron::Edge& edge, Mask from_beyond, Mask to_beyond, int left, int right) {
    const Body &body = kIsA ? a_ : b_, &other = kIsA ? b_ : a_;
    const double *nx = other.nx.data(), *ny = other.ny.data(), *nz = other.nz.data(), *offset = other.offset.data();
    const Four p = body.corner(edge.from, edge.from_vertex), q = body.corner(edge.to, edge.to_vertex);
    double ends[8];
    four(ends) = p, four(ends + 4) = q;
    const auto share = [&](size_t k) {
        const double from = nx[k] * ends[0] + ny[k] * ends[1] + nz[k] * ends[2] - offset[k],
                     to = nx[k] * ends[4] + ny[k] * ends[5] + nz[k] * ends[6] - offset[k];
        return from / (from - to);
    };
    double in = 0, out = 1;
    int plane_in = -1, plane_out = -1;
    for (; from_beyond; from_beyond &= from_beyond - 1) {
        const int k = __builtin_ctzll(from_beyond);
        const double t = share(static_cast<size_t>(k));
        if (t > in) in = t, plane_in = k;
    }
    for (; to_beyond; to_beyond &= to_beyond - 1) {
        const int k = __builtin_ctzll(to_beyond);
        const double t = share(static_cast<size_t>(k));
        if (t < out) out = t, plane_out = k;
    }
    if (!(in < out)) return true;

    // The face on the left continues along its chord where the edge leaves, and returns from the chord where the edge
    // enters. A's face and B's face see the chord in opposite directions.
    const Four start = kIsA ? body.own_vertex(edge.from_vertex) : p,
               along = (kIsA ? body.own_vertex(edge.to_vertex) : q) - start;
    const auto add_ends = [&](int corner, int plane, bool starts_left) {
        return kIsA ? add_end(left, plane, starts_left, corner) && add_end(right, plane, !starts_left, corner)
                    : add_end(plane, left, !starts_left, corner) && add_end(plane, right, starts_left, corner);
    };
    const int from = plane_in < 0 ? whole_end<kIsA>(edge.from, edge.from_vertex) : add_corner(start + in * along);
    const int to = plane_out < 0 ? whole_end<kIsA>(edge.to, edge.to_vertex) : add_corner(start + out * along);
    add_segment<kIsA>(from, to, left, right);
    return (plane_in < 0 || add_ends(from, plane_in, false)) && (plane_out < 0 || add_ends(to, plane_out, true));
}

/// Adds an edge that is not wholly outside.
template <bool kIsA>
inline bool CrossedSolids::take(const OffsetPolyhedron::Edge& edge) {
    const Body& body = kIsA ? a_ : b_;
    const int left = body.number[static_cast<size_t>(edge.left)], right = body.number[static_cast<size_t>(edge.right)];
    const Mask from = body.masks[body.mask_of(edge.from, edge.from_vertex)],
               to = body.masks[body.mask_of(edge.to, edge.to_vertex)];
    if (from | to) return cut<kIsA>(edge, from, to, left, right);
    const int start = whole_end<kIsA>(edge.from, edge.from_vertex), end = whole_end<kIsA>(edge.to, edge.to_vertex);
    add_segment<kIsA>(start, end, left, right);
    return true;
}

template <bool kIsA>
bool CrossedSolids::take_edges() {
    const Body& body = kIsA ? a_ : b_;
    const OffsetPolyhedron& form = body.table->grown;
    make_room(inside_, body.edge_count + (body.splits() ? form.short_edges.size() : 0) + 1);
    size_t count = 0;
    // Skip the edge if one of its faces is beyond the other body, or if both ends are beyond one plane.
    const auto list = [&](const OffsetPolyhedron::Edge& edge) {
        const Mask both =
            body.masks[body.mask_of(edge.from, edge.from_vertex)] & body.masks[body.mask_of(edge.to, edge.to_vertex)];
        inside_[count] = &edge;
        count += static_cast<size_t>(
                     (body.number[static_cast<size_t>(edge.left)] | body.number[static_cast<size_t>(edge.right)]) >= 0) &
                 static_cast<size_t>(both == 0);
    };
    for (size_t i = 0; i < body.edge_count; ++i) list(form.edges[static_cast<size_t>(body.edges[i])]);
    for (size_t i = 0; body.splits() && i < body.vertex_count; ++i) {
        const size_t v = static_cast<size_t>(body.vertices[i]);
        if (body.masks[v] != 0) continue;
        for (int e = form.first_short[v]; e < form.first_short[v + 1]; ++e) list(form.short_edges[static_cast<size_t>(e)]);
    }
    for (size_t i = 0; i < count; ++i)
        if (!take<kIsA>(*inside_[i])) return false;
    return true;
}

bool CrossedSolids::join_chords() {
    first_chord_ = segment_count_;
    make_room(segments_, segment_count_ + met_.size());
    const int b_count = static_cast<int>(b_.face_count);
    for (const int key : met_) {
        const Chord& chord = chords_[static_cast<size_t>(key)];
        if (chord.start < 0 || chord.end < 0) return false;
        segments_[segment_count_++] = {chord.start, chord.end, key / b_count,
                                       static_cast<int>(a_.face_count) + key % b_count};
    }
    return true;
}

/// Checks Euler's formula, and sets a corner of each face.
bool CrossedSolids::has_sphere_topology() {
    reference_.assign(a_.face_count + b_.face_count, -1);
    int* references = reference_.data();
    for (size_t i = 0; i < segment_count_; ++i)
        references[segments_[i].left] = references[segments_[i].right] = segments_[i].from;
    size_t face_count = 0;
    for (const int corner : reference_) face_count += corner >= 0;
    return corner_count_ + face_count == segment_count_ + 2;
}

CrossedSolids::Found CrossedSolids::meet(const FaceTable& a, const FaceTable& b, const Mat3& turn, const Vec3& at,
                                         double grow) {
    if (a.grown.limit < 0 || b.grown.limit < grow) return Found::Unsure;
    const Mat3 back = transposed(turn);
    a_.place(a, 0, turn, at);
    b_.place(b, grow, back, -(back * at));
    const double rounding =
        kRounding * (a.grown.reach + b.grown.reach + std::fabs(at.x) + std::fabs(at.y) + std::fabs(at.z)) +
        4 * (a.grown.uneven + b.grown.uneven);
    ++call_;
    if (!a_.reach_below(b_, rounding, call_) || !b_.reach_below(a_, rounding, call_)) return Found::Nothing;
    if (!a_.choose_faces(b_) || !b_.choose_faces(a_) || !b_.find_masks(a_, rounding)) return Found::Unsure;
    b_.find_faces_beyond();
    b_.drop_faces_beyond();
    if (!a_.find_masks(b_, rounding)) return Found::Unsure;
    a_.find_faces_beyond();
    a_.forget_faces_beyond(b_);

    corner_count_ = segment_count_ = 0;
    const size_t edge_count = a_.edge_count + b_.edge_count + b.grown.short_edges.size();
    make_room(corners_, 8 * edge_count);
    make_room(segments_, edge_count);
    make_room(chords_, a_.face_count * b_.face_count);
    const bool closed = take_edges<true>() && take_edges<false>() && join_chords();
    for (const int key : met_) chords_[static_cast<size_t>(key)] = {};
    const bool crossed = !met_.empty();
    met_.clear();
    if (!closed) return Found::Unsure;
    if (!crossed) return Found::Nothing;
    if (!has_sphere_topology()) return Found::Unsure;
    // Faces were dropped on the assumption that the bodies intersect. If they do not, the remaining planes may still enclose
    // a region, but it is not inside both bodies.
    Four sum{};
    for (size_t i = 0; i < corner_count_; ++i) sum += four(&corners_[4 * i]);
    const Vec3 inside = first_three(sum) / static_cast<double>(corner_count_);
    return contains(a, inside, rounding) && contains(b, at + turn * inside, grow + rounding) ? Found::Shared : Found::Unsure;
}

}  // namespace asperity::geometry::detail
