// See faced_solid.h.
#include "asperity/geometry/shared_volume/detail/faced_solid.h"

#include "asperity/geometry/common/detail/four.h"

namespace asperity::geometry::detail {
namespace {

/// Interpolated from the lower end, so that both faces at an edge compute the same point.
double share_to_level(double low, double high, double level) { return (level - low) / (high - low); }

}  // namespace

void FacedSolid::place(const PolyhedronView& form, const FaceTable& table, const Mat3& turn, const Vec3& shift) {
    form_ = &form;
    table_ = &table;
    turn_ = turn;
    back_ = transposed(turn);
    columns_ = FourColumns(turn);
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
        for (std::vector<double>* v : {&along_, &rise_, &over_, &upright_, &sine_}) v->resize(t.rows);
    const Vec3 &r = turn_.r[2], middle = to_solid({});
    const Four a = all_four(r.x), b = all_four(r.y), c = all_four(r.z), d = all_four(shift_.z), x = all_four(middle.x),
               y = all_four(middle.y), z = all_four(middle.z);
    const double *nx = t[FaceTable::kNormalX], *ny = t[FaceTable::kNormalY], *nz = t[FaceTable::kNormalZ],
                 *cx = t[FaceTable::kCentroidX], *cy = t[FaceTable::kCentroidY], *cz = t[FaceTable::kCentroidZ];
    const double *reach = t[FaceTable::kReach], *offset = t[FaceTable::kOffset];
    for (size_t f = 0; f < t.rows; f += 4) {
        const Four n1 = four(nx + f), n2 = four(ny + f), n3 = four(nz + f), upright = a * n1 + b * n2 + c * n3,
                   sine = root_of(larger_of(1 - upright * upright, all_four(0)));
        four(&along_[f]) = a * four(cx + f) + b * four(cy + f) + c * four(cz + f) + d;
        // Vertices of merged faces may be 1e-7 of the body off their plane; the margin ensures that a face taken as whole is
        // whole.
        four(&rise_[f]) = four(reach + f) * (sine + 1e-6);
        four(&over_[f]) = n1 * x + n2 * y + n3 * z - four(offset + f);
        four(&upright_[f]) = upright;
        four(&sine_[f]) = sine;
    }
}

bool FacedSolid::may_reach_disc(double z, double radius) const {
    // A face in the plane of the disc may count as below it; then the lid replaces it.
    for (size_t f = 0; f < table_->rows; f += 4)
        if (bits(four(&over_[f]) + z * four(&upright_[f]) > radius * (four(&sine_[f]) + 1e-9))) return false;
    return true;
}
bool FacedSolid::may_reach_ball(double z, double radius) const {
    for (size_t f = 0; f < table_->rows; f += 4)
        if (bits(four(&over_[f]) + z * four(&upright_[f]) >= all_four(radius))) return false;
    return true;
}

/// Walks one loop of the section, from a half-edge that rises through the plane.
void FacedSolid::walk(int start, double level, Lid& out) {
    const Polyhedron::Half* halves = form_->halves;
    const double *x = x_.data(), *y = y_.data(), *z = z_.data();
    int half = start;
    do {
        walked_[static_cast<size_t>(halves[half].face)] = walks_;
        int next = halves[half].next;
        const int low = halves[half].from;
        int high = halves[next].from;
        const double t = share_to_level(z[low], z[high], level);
        out.corners.push_back({x[low] + t * (x[high] - x[low]), y[low] + t * (y[high] - y[low])});
        do {
            half = next;
            next = halves[half].next;
        } while (z[halves[next].from] > level);
        half = halves[half].twin;  // the twin of the half-edge that descends, in the next face
    } while (half != start);
    // Faces are counter-clockwise seen from outside, so the walk is clockwise seen from above; reverse it.
    for (size_t i = out.ends.empty() ? 0 : out.ends.back(), k = out.corners.size(); i + 1 < k; ++i)
        std::swap(out.corners[i], out.corners[--k]);
    out.ends.push_back(out.corners.size());
}

void FacedSolid::find_lid(double level, double radius, Lid& out) {
    out.level = level;
    out.corners.clear();
    out.ends.clear();
    if (!may_reach_disc(level, radius)) return;
    if (walked_.size() < table_->faces.size()) walked_.resize(table_->faces.size());
    ++walks_;
    const Polyhedron::Half* halves = form_->halves;
    const auto above = [&](int half) { return z_[static_cast<size_t>(halves[half].from)] > level; };
    const Four z = all_four(level);
    for (size_t f = 0; f < table_->rows; f += 4) {
        const Four along = four(&along_[f]) - z, rise = four(&rise_[f]);
        for (int across = bits((along < rise) & (along > -rise)); across; across &= across - 1) {
            // Rounding may split the section into two loops. They may share a face that lies in the plane, but not the faces
            // beside it.
            const size_t number = f + static_cast<size_t>(__builtin_ctz(static_cast<unsigned>(across)));
            if (walked_[number] == walks_) continue;
            const int first = table_->faces[number].first, end = first + table_->faces[number].count;
            bool from = above(end - 1);
            for (int half = end - 1, next = first; next < end; half = next++) {
                const bool to = above(next);
                if (!from && to) {
                    walk(half, level, out);
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
    Vec3* next = out.room_for(2 * polygon.size() + 1);
    const Vec3* const first = next;
    const Vec3* p = &polygon.back();
    bool p_above = p->z > level;
    for (const Vec3& q : polygon) {  // branchless, since either outcome is equally likely: a rejected point is overwritten
        const bool q_above = q.z > level;
        const Vec3 &low = p_above ? q : *p, &high = p_above ? *p : q;
        const double t = share_to_level(low.z, high.z, level);
        *next = {low.x + t * (high.x - low.x), low.y + t * (high.y - low.y), level};
        next += p_above != q_above;
        *next = q;
        next += q_above == above;
        p = &q;
        p_above = q_above;
    }
    out.resize_to(static_cast<size_t>(next - first));
}

}  // namespace asperity::geometry::detail
