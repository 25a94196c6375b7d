// See faced_solid.h.
#include "asperity/geometry/detail/faced_solid.h"

#include "asperity/geometry/detail/four.h"

namespace asperity::geometry::detail {
namespace {

/// From the lower end, so that both faces beside an edge find the same point.
double share_to_level(double low, double high, double level) { return (level - low) / (high - low); }

}  // namespace

void FacedSolid::place(const PolyhedronView& form, const FaceTable& table, const Mat3& turn, const Vec3& shift) {
    form_ = &form;
    table_ = &table;
    turn_ = turn;
    back_ = transposed(turn);
    shift_ = shift;
    const size_t rows = table.corner_rows;
    if (x_.size() < rows)
        for (std::vector<double>* v : {&x_, &y_, &z_}) v->resize(rows);
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3& r = turn.r[axis];
        const Four a = all_four(r.x), b = all_four(r.y), c = all_four(r.z), d = all_four(shift[axis]);
        const double *px = table.corners(0), *py = table.corners(1), *pz = table.corners(2);
        double* out = (axis == 0 ? x_ : axis == 1 ? y_ : z_).data();
        for (size_t i = 0; i < rows; i += 4) four(out + i) = a * four(px + i) + b * four(py + i) + c * four(pz + i) + d;
    }
}

void FacedSolid::look_along_z() {
    const FaceTable& t = *table_;
    if (along_.size() < t.rows)
        for (std::vector<double>* v : {&along_, &rise_}) v->resize(t.rows);
    const Vec3& r = turn_.r[2];
    const Four a = all_four(r.x), b = all_four(r.y), c = all_four(r.z), d = all_four(shift_.z);
    const double *nx = t[FaceTable::kNormalX], *ny = t[FaceTable::kNormalY], *nz = t[FaceTable::kNormalZ], *cx = t[FaceTable::kCentroidX], *cy = t[FaceTable::kCentroidY], *cz = t[FaceTable::kCentroidZ];
    const double* reach = t[FaceTable::kReach];
    for (size_t f = 0; f < t.rows; f += 4) {
        const Four upright = a * four(nx + f) + b * four(ny + f) + c * four(nz + f);
        four(&along_[f]) = a * four(cx + f) + b * four(cy + f) + c * four(cz + f) + d;
        // Merged faces may have corners 1e-7 of the body off their plane: what is whole must be sure to be.
        four(&rise_[f]) = four(reach + f) * (root_of(larger_of(all_four(1) - upright * upright, all_four(0))) + all_four(1e-6));
    }
}

void FacedSolid::find_lid(double level, Lid& out) {
    out.level = level;
    out.corners.clear();
    out.ends.clear();
    const Polyhedron::Half* halves = form_->halves;
    if (walked_.size() < table_->faces.size()) walked_.resize(table_->faces.size());
    ++walks_;
    const auto above = [&](int half) { return z_[static_cast<size_t>(halves[half].from)] > level; };
    const auto walk = [&](int start) {  // from a half that goes up through the plane
        int half = start;
        do {
            walked_[static_cast<size_t>(halves[half].face)] = walks_;
            const Vec3 low = corner(halves[half].from), high = corner(halves[halves[half].twin].from);
            const double t = share_to_level(low.z, high.z, level);
            out.corners.push_back({low.x + t * (high.x - low.x), low.y + t * (high.y - low.y)});
            do half = halves[half].next;
            while (above(halves[half].next));
            half = halves[half].twin;  // the one that comes down, in the next face
        } while (half != start);
        // Faces are counter-clockwise from outside, and so the walk goes clockwise as seen from above.
        for (size_t i = out.ends.empty() ? 0 : out.ends.back(), k = out.corners.size(); i + 1 < k; ++i) std::swap(out.corners[i], out.corners[--k]);
        out.ends.push_back(out.corners.size());
    };
    const Four z = all_four(level);
    for (size_t f = 0; f < table_->rows; f += 4) {
        const Four along = four(&along_[f]) - z, rise = four(&rise_[f]);
        for (int across = bits((along < rise) & (along > -rise)); across; across &= across - 1) {
            // Two loops, as rounding leaves them, may share a face that lies in the plane, but not those beside it.
            const size_t number = f + static_cast<size_t>(__builtin_ctz(static_cast<unsigned>(across)));
            if (walked_[number] == walks_) continue;
            const int first = table_->faces[number].first, end = first + table_->faces[number].count;
            bool from = above(end - 1);
            for (int half = end - 1, next = first; next < end; half = next++) {
                const bool to = above(next);
                if (!from && to) {
                    walk(half);
                    break;
                }
                from = to;
            }
        }
    }
}

void keep_beyond(double level, bool above, const KeptList<Vec3>& polygon, KeptList<Vec3>& out) {
    out.clear();
    if (polygon.empty()) return;
    const Vec3* p = &polygon.back();
    bool p_above = p->z > level;
    for (const Vec3& q : polygon) {
        const bool q_above = q.z > level;
        if (p_above != q_above) {
            const Vec3 &low = p_above ? q : *p, &high = p_above ? *p : q;
            const double t = share_to_level(low.z, high.z, level);
            out.push_back({low.x + t * (high.x - low.x), low.y + t * (high.y - low.y), level});
        }
        if (q_above == above) out.push_back(q);
        p = &q;
        p_above = q_above;
    }
}

}  // namespace asperity::geometry::detail
