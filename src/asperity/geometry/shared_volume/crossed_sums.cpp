// Moments of the intersection of two polyhedra from its edges, four at a time, in any order.
#include "asperity/geometry/shared_volume/detail/crossed_solids.h"

namespace asperity::geometry::detail {
namespace {

/// A vector in each of four lanes.
struct FourVectors {
    Four x, y, z;
};
FourVectors operator+(const FourVectors& a, const FourVectors& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
FourVectors operator*(const Four& s, const FourVectors& a) { return {s * a.x, s * a.y, s * a.z}; }
FourVectors cross(const FourVectors& a, const FourVectors& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Four dot(const FourVectors& a, const FourVectors& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
/// squares: diagonal xx yy zz of a b^T. products: yz zx xy of a a^T, or of a b^T + b a^T.
FourVectors squares(const FourVectors& a, const FourVectors& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
FourVectors products(const FourVectors& a) { return {a.y * a.z, a.z * a.x, a.x * a.y}; }
FourVectors products(const FourVectors& a, const FourVectors& b) {
    return {a.y * b.z + a.z * b.y, a.z * b.x + a.x * b.z, a.x * b.y + a.y * b.x};
}
Vec3 total(const FourVectors& a) { return {sum_of(a.x), sum_of(a.y), sum_of(a.z)}; }

}  // namespace

/// Sums tetrahedra from the origin over triangles from a corner l of each face to its edges p q, as in
/// Moments::add_tetrahedron. With
///     D = l . (p x q),   s = p + q
/// an edge adds to the face on its left, and subtracts from the face on its right,
///     V = D/6,   int x = D/24 (l + s),   int x x^T = D/120 (p p^T + q q^T + s s^T + l (l + s)^T + (l + s) l^T)
/// The border of B's surface inside A consists of the chords. By Stokes' theorem
///     int n dA = 1/2 cint x x dx,   int x x n dA = -1/2 cint |x|^2 dx
void CrossedSolids::integrate(const Vec3& origin, Moments& volume, AreaMoments& b_surface) const {
    Four determinants{};
    FourVectors first{}, square{}, product{}, area{}, turning{};
    const double* corners = corners_.data();
    const auto at = [&](const size_t(&place)[4]) {
        const Four &a = four(corners + place[0]), &b = four(corners + place[1]), &c = four(corners + place[2]),
                   &d = four(corners + place[3]);
        const Four xz_ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), xz_cd = __builtin_shufflevector(c, d, 0, 4, 2, 6),
                   y_ab = __builtin_shufflevector(a, b, 1, 5, 3, 7), y_cd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
        return FourVectors{__builtin_shufflevector(xz_ab, xz_cd, 0, 1, 4, 5) - origin.x,
                           __builtin_shufflevector(y_ab, y_cd, 0, 1, 4, 5) - origin.y,
                           __builtin_shufflevector(xz_ab, xz_cd, 2, 3, 6, 7) - origin.z};
    };
    const size_t count = segment_count_;
    for (size_t i = 0; i < count; i += 4) {
        size_t from[4], to[4], beside[2][4];
        for (size_t lane = 0; lane < 4; ++lane) {
            const Segment& s = segments_[i + lane < count ? i + lane : i];
            // an edge of zero length adds nothing
            from[lane] = 4 * static_cast<size_t>(s.from),
            to[lane] = 4 * static_cast<size_t>(i + lane < count ? s.to : s.from);
            beside[0][lane] = 4 * static_cast<size_t>(reference_[static_cast<size_t>(s.left)]),
            beside[1][lane] = 4 * static_cast<size_t>(reference_[static_cast<size_t>(s.right)]);
        }
        const FourVectors p = at(from), q = at(to), s = p + q, p_q_squares = squares(p, p) + squares(q, q) + squares(s, s),
                          p_q_products = products(p) + products(q) + products(s);
        FourVectors normal = cross(p, q);
        if (i + 4 > first_chord_) {  // p.p + p.q + q.q is half the sum of those squares
            const auto counts = [&](size_t lane) { return i + lane >= first_chord_ ? 1.0 : 0.0; };
            const Four chord{counts(0), counts(1), counts(2), counts(3)};
            area = area + chord * normal;
            turning = turning + chord * (p_q_squares.x + p_q_squares.y + p_q_squares.z) * (q + all_four(-1) * p);
        }
        for (const auto& side : beside) {
            const FourVectors l = at(side), l_s = l + s;
            const Four d = dot(l, normal);
            determinants += d;
            first = first + d * l_s;
            square = square + d * (p_q_squares + squares(l + l, l_s));
            product = product + d * (p_q_products + products(l, l_s));
            normal = all_four(-1) * normal;
        }
    }
    volume.volume += sum_of(determinants) / 6;
    volume.first += (1 / 24.0) * total(first);
    volume.squares += (1 / 120.0) * total(square);
    volume.products += (1 / 120.0) * total(product);
    b_surface.area += -0.5 * total(area);  // B sees chords in the opposite direction
    b_surface.turning += (1 / 12.0) * total(turning);
}

}  // namespace asperity::geometry::detail
