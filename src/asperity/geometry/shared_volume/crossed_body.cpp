// One body of an intersecting pair: the part of it that may reach the other body, and the planes of the other that its
// corners are beyond. See crossed_solids.h.
#include <algorithm>
#include <cmath>

#include "asperity/geometry/shared_volume/detail/crossed_solids.h"

namespace asperity::geometry::detail {
namespace {

Four magnitudes(const Four& a) {
    constexpr long long kAllButSign = 0x7fffffffffffffff;
    return reinterpret_cast<Four>(reinterpret_cast<FourFlags>(a) &
                                  FourFlags{kAllButSign, kAllButSign, kAllButSign, kAllButSign});
}

/// The plane that a point is farthest above.
size_t highest_plane(const FaceTable& t, const Vec3& p) {
    const double *nx = t[FaceTable::kNormalX], *ny = t[FaceTable::kNormalY], *nz = t[FaceTable::kNormalZ],
                 *offset = t[FaceTable::kOffset];
    Four highest = all_four(-1e300), faces{}, number{0, 1, 2, 3};
    for (size_t f = 0; f < t.rows; f += 4) {
        const Four above = four(nx + f) * p.x + four(ny + f) * p.y + four(nz + f) * p.z - four(offset + f);
        const FourFlags higher = above > highest;
        highest = higher ? above : highest;
        faces = higher ? number : faces;
        number += 4;
    }
    size_t best = 0;
    for (size_t lane = 1; lane < 4; ++lane)
        if (highest[lane] > highest[best]) best = lane;
    return static_cast<size_t>(faces[best]);
}

}  // namespace

void CrossedSolids::Body::place(const FaceTable& t, double planes_move, const Mat3& to_other, const Vec3& shift) {
    table = &t;
    grow = planes_move;
    margin = grow * t.grown.longest_way;
    displacement_columns = FourColumns(grow * to_other);
    inner = shift + to_other * t.grown.middle;
    for (std::vector<double>* v : {&x, &y, &z, &height}) make_room(*v, t.corner_rows);
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3& r = to_other.r[axis];
        const Four a = all_four(r.x), b = all_four(r.y), c = all_four(r.z), d = all_four(shift[axis]);
        const double *px = t.corners(0), *py = t.corners(1), *pz = t.corners(2);
        double* out = (axis == 0 ? x : axis == 1 ? y : z).data();
        for (size_t i = 0; i < t.corner_rows; i += 4)
            four(out + i) = a * four(px + i) + b * four(py + i) + c * four(pz + i) + d;
    }
}

/// Finds the part below the other's plane that cuts off most: its edges, vertices, faces and bounding box. Returns false if
/// nothing is below that plane.
bool CrossedSolids::Body::reach_below(const Body& other, double rounding, unsigned call) {
    const OffsetPolyhedron& form = table->grown;
    const FaceTable& t = *other.table;
    const size_t f = highest_plane(t, inner);
    const Four n1 = all_four(t[FaceTable::kNormalX][f]), n2 = all_four(t[FaceTable::kNormalY][f]),
               n3 = all_four(t[FaceTable::kNormalZ][f]);
    const Four level = all_four(t[FaceTable::kOffset][f] + other.grow + margin + rounding);
    Four lowest = all_four(1e300);
    for (size_t i = 0; i < table->corner_rows; i += 4) {
        const Four h = four(&x[i]) * n1 + four(&y[i]) * n2 + four(&z[i]) * n3 - level;
        four(&height[i]) = h;
        lowest = smaller_of(h, lowest);
    }
    if (!bits(lowest < all_four(0))) return false;

    make_room(edges, form.edges.size() + 1);  // branchless lists: a rejected entry is overwritten by the next
    make_room(vertices, table->corner_rows + 1);
    make_room(seen, table->corner_rows);
    make_room(reached, table->rows);
    make_room(faces, table->rows + 1);
    make_room(stops, form.edges.size() + 1);
    const double *heights = height.data(), *px = x.data(), *py = y.data(), *pz = z.data();
    int *list = edges.data(), *to = stops.data(), *ends = vertices.data(), *face_list = faces.data();
    unsigned *been = seen.data(), *touched = reached.data();
    size_t count = 0, near_count = 0, touched_count = 0;
    // No branches where either outcome is equally likely.
    for (int v = 0; v < static_cast<int>(table->corner_rows); ++v) {
        ends[near_count] = v;
        near_count += heights[v] <= 0;
    }
    for (size_t i = 0; i < near_count; ++i) {
        const int v = ends[i];
        been[v] = call;
        for (int k = form.first_neighbour[static_cast<size_t>(v)]; k < form.first_neighbour[static_cast<size_t>(v) + 1];
             ++k) {
            const OffsetPolyhedron::Neighbour& next = form.neighbours[static_cast<size_t>(k)];
            list[count] = next.edge, to[count] = next.to;
            // else the edge is added from its other end
            count += static_cast<size_t>(heights[next.to] > 0) | static_cast<size_t>(v < next.to);
        }
    }
    size_t end_count = near_count;
    for (size_t i = 0; i < count; ++i) {
        const OffsetPolyhedron::Edge& edge = form.edges[static_cast<size_t>(list[i])];
        face_list[touched_count] = edge.left;
        touched_count += touched[edge.left] != call;
        touched[edge.left] = call;
        face_list[touched_count] = edge.right;
        touched_count += touched[edge.right] != call;
        touched[edge.right] = call;
        ends[end_count] = to[i];
        end_count += been[to[i]] != call;
        been[to[i]] = call;
    }
    Four low = all_four(1e300), high = -low;
    for (size_t i = 0; i < end_count; ++i) {
        const Four p{px[ends[i]], py[ends[i]], pz[ends[i]], 0};
        low = smaller_of(p, low);
        high = larger_of(p, high);
    }
    edge_count = count;
    vertex_count = end_count;
    reached_count = touched_count;
    middle = first_three(0.5 * (low + high));
    half = first_three(0.5 * (high - low)) + (margin + rounding) * Vec3{1, 1, 1};
    return true;
}

/// Chooses the faces of this body whose planes the bounding box of the other's part reaches beyond. Returns false if there
/// are too many.
bool CrossedSolids::Body::choose_faces(const Body& other) {
    const FaceTable& t = *table;
    make_room(number, t.rows);
    make_room(face, t.rows);
    for (std::vector<double>* v : {&nx, &ny, &nz, &offset}) make_room(*v, t.rows + 4);
    const double *tx = t[FaceTable::kNormalX], *ty = t[FaceTable::kNormalY], *tz = t[FaceTable::kNormalZ],
                 *to = t[FaceTable::kOffset];
    const Vec3 c = other.middle, h = other.half;
    size_t count = 0;
    for (size_t i = 0; i < reached_count; ++i) {
        const size_t f = static_cast<size_t>(faces[i]);
        const double x_f = tx[f], y_f = ty[f], z_f = tz[f], offset_f = to[f] + grow;
        const double above = x_f * c.x + y_f * c.y + z_f * c.z + std::fabs(x_f) * h.x + std::fabs(y_f) * h.y +
                             std::fabs(z_f) * h.z - offset_f;
        const bool cuts = above > 0;
        number[f] = cuts ? static_cast<int>(count) : -1;
        face[count] = static_cast<int>(f);
        nx[count] = x_f, ny[count] = y_f, nz[count] = z_f, offset[count] = offset_f;
        count += cuts;
    }
    set_face_count(count);
    return count <= kMostFaces;
}
void CrossedSolids::Body::set_face_count(size_t count) {
    face_count = count;
    for (; count % 4 != 0; ++count) nx[count] = ny[count] = nz[count] = 0, offset[count] = 1e300;
}

/// Returns false if a corner lies in a plane of the other body.
bool CrossedSolids::Body::find_masks(const Body& other, double rounding) {
    const OffsetPolyhedron& form = table->grown;
    const size_t count = other.face_count, corner_count = splits() ? form.corners.size() : table->corner_rows;
    make_room(masks, table->corner_rows + corner_count);
    shared.assign(corner_count, -1);
    make_room(has_split_masks, table->corner_rows);
    const double *ox = other.nx.data(), *oy = other.ny.data(), *oz = other.nz.data(), *offsets = other.offset.data();
    const Four near = all_four(margin + rounding), none = all_four(0);
    for (size_t i = 0; i < vertex_count; ++i) {
        const size_t v = static_cast<size_t>(vertices[i]);
        const Four px = all_four(x[v]), py = all_four(y[v]), pz = all_four(z[v]);
        Mask mask = 0;
        Four nearest = all_four(1e300);
        for (size_t k = 0; k < count; k += 4) {
            const Four h = four(ox + k) * px + four(oy + k) * py + four(oz + k) * pz - four(offsets + k);
            mask |= static_cast<Mask>(static_cast<unsigned>(bits(h > none))) << k;
            nearest = smaller_of(magnitudes(h), nearest);
        }
        masks[v] = mask;
        const bool doubt = bits(nearest <= near);
        has_split_masks[v] = doubt;
        if (doubt && !(splits() && find_corner_masks(v, other, rounding))) return false;
    }
    return true;
}

/// Masks of the corners of a vertex so near to a plane that they may be on either side. The vertex counts as beyond a plane
/// if all its corners are.
bool CrossedSolids::Body::find_corner_masks(size_t v, const Body& other, double rounding) {
    const OffsetPolyhedron& form = table->grown;
    masks[v] = ~Mask{0};
    for (int c = form.first_corner[v]; c < form.first_corner[v + 1]; ++c) {
        const Four p = corner(c, static_cast<int>(v)), px = all_four(p[0]), py = all_four(p[1]), pz = all_four(p[2]);
        Mask mask = 0;
        for (size_t k = 0; k < other.face_count; k += 4) {
            const Four h =
                four(&other.nx[k]) * px + four(&other.ny[k]) * py + four(&other.nz[k]) * pz - four(&other.offset[k]);
            if (bits(magnitudes(h) <= all_four(rounding))) return false;
            mask |= static_cast<Mask>(static_cast<unsigned>(bits(h > all_four(0)))) << k;
        }
        masks[mask_of(c, static_cast<int>(v))] = mask;
        masks[v] &= mask;
    }
    return true;
}

/// A face whose corners are all beyond one plane of the other does not bound the intersection. Corners above the first plane
/// were not visited. They do not matter: between a visited and an unvisited corner, the face leaves the region below that
/// plane.
void CrossedSolids::Body::find_faces_beyond() {
    beyond.assign(face_count + 1, ~Mask{0});
    const OffsetPolyhedron::Edge* given = table->grown.edges.data();
    const int* numbers = number.data();
    Mask *all = beyond.data() + 1, *mask = masks.data();
    for (size_t i = 0; i < edge_count; ++i) {
        const OffsetPolyhedron::Edge& edge = given[edges[i]];
        const Mask both = mask[edge.from_vertex] & mask[edge.to_vertex];
        all[numbers[edge.left]] &= both;
        all[numbers[edge.right]] &= both;
    }
}

/// Called before the other's masks are found: renumbers the remaining faces.
void CrossedSolids::Body::drop_faces_beyond() {
    size_t count = 0;
    for (size_t k = 0; k < face_count; ++k) {
        const bool stays = beyond[k + 1] == 0;
        number[static_cast<size_t>(face[k])] = stays ? static_cast<int>(count) : -1;
        nx[count] = nx[k], ny[count] = ny[k], nz[count] = nz[k], offset[count] = offset[k];
        count += stays;
    }
    set_face_count(count);
}

/// Called after the other's masks are found: faces keep their numbers, and the other's masks lose the dropped ones.
void CrossedSolids::Body::forget_faces_beyond(Body& other) {
    Mask kept = 0;
    for (size_t k = 0; k < face_count; ++k) {
        const bool stays = beyond[k + 1] == 0;
        number[static_cast<size_t>(face[k])] = stays ? static_cast<int>(k) : -1;
        kept |= static_cast<Mask>(stays) << k;
    }
    const std::vector<int>& first = other.table->grown.first_corner;
    for (size_t i = 0; i < other.vertex_count; ++i) {
        const size_t v = static_cast<size_t>(other.vertices[i]);
        other.masks[v] &= kept;
        if (other.has_split_masks[v])
            for (int c = first[v]; c < first[v + 1]; ++c) other.masks[other.mask_of(c, static_cast<int>(v))] &= kept;
    }
}

}  // namespace asperity::geometry::detail
