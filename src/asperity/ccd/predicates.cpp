// Exact orientation tests.
#include "asperity/ccd/predicates.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "asperity/ccd/detail/expansion.h"
#include "asperity/ccd/detail/roundoff.h"
#include "asperity/ccd/detail/wide_sum.h"

namespace asperity::ccd {
namespace {

// Shewchuk's bounds of the error of the determinants of differences, relative to the sums of the absolute products.
constexpr double kError2d = (3 + 16 * kRoundoff) * kRoundoff;
constexpr double kError3d = (7 + 56 * kRoundoff) * kRoundoff;
// They hold without underflow. A product that underflows errs by 2^-1075, and in three dimensions is then multiplied by a
// difference; this is far more, and still a normal number, so that the filter is quick.
constexpr double kUnderflow = 0x1p-1000;

// Expansions are exact for coordinates of these magnitudes: the last bits of three factors multiply to at least 2^-1056, and
// 24 products of three to less than 2^1000.
constexpr double kLeast = 0x1p-300, kMost = 0x1p300;

template <class... Vectors>
bool moderate(const Vectors&... vectors) {
    const auto one = [](const auto& v) {
        for (const double c : v)
            if (c != 0 && !(std::fabs(c) >= kLeast && std::fabs(c) <= kMost)) return false;
        return true;
    };
    return (one(vectors) && ...);
}

int sign_of(double v) { return v > 0 ? 1 : v < 0 ? -1 : 0; }

int exact2d(const Vector<2>& a, const Vector<2>& b, const Vector<2>& c) {
    if (moderate(a, b, c)) {
        const Expansion<2> ax = difference(a[0], c[0]), ay = difference(a[1], c[1]);
        const Expansion<2> bx = difference(b[0], c[0]), by = difference(b[1], c[1]);
        return (ax * by + -(ay * bx)).sign();
    }
    WideSum sum;
    const auto add = [&sum](const Vector<2>& p, const Vector<2>& q) {  // p x q
        sum.add(1, p[0], q[1], 1);
        sum.add(-1, p[1], q[0], 1);
    };
    add(a, b);
    add(b, c);
    add(c, a);
    return sum.sign();
}

int exact3d(const Vector<3>& a, const Vector<3>& b, const Vector<3>& c, const Vector<3>& d) {
    if (moderate(a, b, c, d)) {
        std::array<Expansion<2>, 3> u, v, w;
        for (int k = 0; k < 3; ++k) {
            u[static_cast<std::size_t>(k)] = difference(a[k], d[k]);
            v[static_cast<std::size_t>(k)] = difference(b[k], d[k]);
            w[static_cast<std::size_t>(k)] = difference(c[k], d[k]);
        }
        const Expansion<64> first = (v[0] * w[1] + -(v[1] * w[0])) * u[2];
        const Expansion<64> second = (w[0] * u[1] + -(w[1] * u[0])) * v[2];
        const Expansion<64> third = (u[0] * v[1] + -(u[1] * v[0])) * w[2];
        return (first + second + third).sign();
    }
    WideSum sum;
    const auto add = [&sum](int sign, const Vector<3>& p, const Vector<3>& q, const Vector<3>& r) {  // sign det(p, q, r)
        sum.add(sign, p[0], q[1], r[2]);
        sum.add(sign, p[1], q[2], r[0]);
        sum.add(sign, p[2], q[0], r[1]);
        sum.add(-sign, p[2], q[1], r[0]);
        sum.add(-sign, p[1], q[0], r[2]);
        sum.add(-sign, p[0], q[2], r[1]);
    };
    add(1, a, b, c);
    add(-1, d, b, c);
    add(-1, a, d, c);
    add(-1, a, b, d);
    return sum.sign();
}

}  // namespace

// An overflow makes the determinant infinite or NaN, and the bound with it; then neither is larger and the exact test
// decides.
int orient2d(const Vector<2>& a, const Vector<2>& b, const Vector<2>& c) {
    const double left = (a[0] - c[0]) * (b[1] - c[1]), right = (a[1] - c[1]) * (b[0] - c[0]);
    const double determinant = left - right;
    if (std::fabs(determinant) > kError2d * (std::fabs(left) + std::fabs(right)) + kUnderflow) return sign_of(determinant);
    return exact2d(a, b, c);
}

int orient3d(const Vector<3>& a, const Vector<3>& b, const Vector<3>& c, const Vector<3>& d) {
    const double ax = a[0] - d[0], ay = a[1] - d[1], az = a[2] - d[2];
    const double bx = b[0] - d[0], by = b[1] - d[1], bz = b[2] - d[2];
    const double cx = c[0] - d[0], cy = c[1] - d[1], cz = c[2] - d[2];
    const double bxcy = bx * cy, bycx = by * cx, cxay = cx * ay, cyax = cy * ax, axby = ax * by, aybx = ay * bx;
    const double determinant = az * (bxcy - bycx) + bz * (cxay - cyax) + cz * (axby - aybx);
    const double high = std::fabs(az), middle = std::fabs(bz), low = std::fabs(cz);
    const double sum = (std::fabs(bxcy) + std::fabs(bycx)) * high + (std::fabs(cxay) + std::fabs(cyax)) * middle +
                       (std::fabs(axby) + std::fabs(aybx)) * low;
    if (std::fabs(determinant) > kError3d * sum + kUnderflow * (1 + high + middle + low)) return sign_of(determinant);
    return exact3d(a, b, c, d);
}

}  // namespace asperity::ccd
