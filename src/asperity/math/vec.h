// Small vectors, matrices, quaternions and poses in double precision. Plain structs, no templates, usable on a GPU.
#pragma once
#include <cmath>

#include "asperity/core/assert.h"

namespace asperity {

struct Vec2 {
    double x = 0, y = 0;
};

struct Vec3 {
    double x = 0, y = 0, z = 0;
    ASPERITY_HD double& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
    ASPERITY_HD double operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
    bool operator==(const Vec3&) const = default;
};

ASPERITY_HD inline Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
ASPERITY_HD inline Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
ASPERITY_HD inline Vec2 operator-(Vec2 a) { return {-a.x, -a.y}; }
ASPERITY_HD inline Vec2 operator*(double s, Vec2 a) { return {s * a.x, s * a.y}; }
ASPERITY_HD inline Vec2 operator*(Vec2 a, double s) { return s * a; }
ASPERITY_HD inline Vec2 operator/(Vec2 a, double s) { return {a.x / s, a.y / s}; }
ASPERITY_HD inline double dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
ASPERITY_HD inline double cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }
ASPERITY_HD inline double length(Vec2 a) { return std::hypot(a.x, a.y); }

ASPERITY_HD inline Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
ASPERITY_HD inline Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
ASPERITY_HD inline Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
ASPERITY_HD inline Vec3 operator*(double s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
ASPERITY_HD inline Vec3 operator*(const Vec3& a, double s) { return s * a; }
ASPERITY_HD inline Vec3 operator/(const Vec3& a, double s) { return {a.x / s, a.y / s, a.z / s}; }
ASPERITY_HD inline Vec3& operator+=(Vec3& a, const Vec3& b) { return a = a + b; }
ASPERITY_HD inline Vec3& operator-=(Vec3& a, const Vec3& b) { return a = a - b; }
ASPERITY_HD inline Vec3& operator*=(Vec3& a, double s) { return a = s * a; }
ASPERITY_HD inline double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
ASPERITY_HD inline Vec3 cross(const Vec3& a, const Vec3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
ASPERITY_HD inline Vec3 scaled(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
ASPERITY_HD inline double length_squared(const Vec3& a) { return dot(a, a); }
ASPERITY_HD inline double length(const Vec3& a) { return std::sqrt(dot(a, a)); }
// A single instruction each; std::fmax is a library call, because it must ignore a NaN. Here a NaN in b is returned.
ASPERITY_HD inline double larger(double a, double b) { return a > b ? a : b; }
ASPERITY_HD inline double smaller(double a, double b) { return a < b ? a : b; }
ASPERITY_HD inline Vec3 min(const Vec3& a, const Vec3& b) {
    return {smaller(a.x, b.x), smaller(a.y, b.y), smaller(a.z, b.z)};
}
ASPERITY_HD inline Vec3 max(const Vec3& a, const Vec3& b) { return {larger(a.x, b.x), larger(a.y, b.y), larger(a.z, b.z)}; }
ASPERITY_HD inline Vec3 abs(const Vec3& a) { return {std::fabs(a.x), std::fabs(a.y), std::fabs(a.z)}; }
ASPERITY_HD inline double max_component(const Vec3& a) { return larger(larger(a.x, a.y), a.z); }
ASPERITY_HD inline bool is_finite(const Vec3& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

/// a / |a|; a must not be zero.
ASPERITY_HD inline Vec3 normalized(const Vec3& a) { return a / length(a); }
/// a / |a|, or `fallback` where |a| is too small to have a direction.
ASPERITY_HD inline Vec3 normalize_or(const Vec3& a, const Vec3& fallback) {
    const double l = length(a);
    return l > 1e-150 ? a / l : fallback;
}
/// A unit vector perpendicular to the unit vector n. Discontinuous where two of |n.x|, |n.y|, |n.z| tie for the smallest.
ASPERITY_HD inline Vec3 any_tangent(const Vec3& n) {
    const Vec3 m = abs(n);
    const Vec3 axis = m.x <= m.y && m.x <= m.z ? Vec3{1, 0, 0} : m.y <= m.z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    return normalized(axis - dot(axis, n) * n);
}
ASPERITY_HD inline double clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }
ASPERITY_HD inline double lerp(double a, double b, double s) { return a + s * (b - a); }
constexpr double radians(double degrees) { return degrees * 0.017453292519943295; }
constexpr double degrees(double radians) { return radians * 57.29577951308232; }

/// Rows r[0..2].
struct Mat3 {
    Vec3 r[3];
    static ASPERITY_HD Mat3 identity() { return diagonal({1, 1, 1}); }
    static ASPERITY_HD Mat3 diagonal(const Vec3& d) { return {{{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}}}; }
    ASPERITY_HD Vec3 column(int j) const { return {r[0][j], r[1][j], r[2][j]}; }
};

ASPERITY_HD inline Vec3 operator*(const Mat3& m, const Vec3& v) { return {dot(m.r[0], v), dot(m.r[1], v), dot(m.r[2], v)}; }
ASPERITY_HD inline Mat3 transposed(const Mat3& m) { return {{m.column(0), m.column(1), m.column(2)}}; }
ASPERITY_HD inline Mat3 operator*(const Mat3& a, const Mat3& b) {
    const Mat3 t = transposed(b);
    Mat3 c;
    for (int i = 0; i < 3; ++i) c.r[i] = {dot(a.r[i], t.r[0]), dot(a.r[i], t.r[1]), dot(a.r[i], t.r[2])};
    return c;
}
ASPERITY_HD inline Mat3 operator+(const Mat3& a, const Mat3& b) {
    return {{a.r[0] + b.r[0], a.r[1] + b.r[1], a.r[2] + b.r[2]}};
}
ASPERITY_HD inline Mat3 operator*(double s, const Mat3& a) { return {{s * a.r[0], s * a.r[1], s * a.r[2]}}; }
ASPERITY_HD inline Mat3 outer(const Vec3& a, const Vec3& b) { return {{a.x * b, a.y * b, a.z * b}}; }
/// Inverse by cofactors; m must be regular.
ASPERITY_HD inline Mat3 inverse(const Mat3& m) {
    const Vec3 c0 = cross(m.r[1], m.r[2]), c1 = cross(m.r[2], m.r[0]), c2 = cross(m.r[0], m.r[1]);
    return transposed((1 / dot(m.r[0], c0)) * Mat3{{c0, c1, c2}});
}

/// Unit quaternion, w first. Rotates body axes into world axes.
struct Quat {
    double w = 1, x = 0, y = 0, z = 0;
    bool operator==(const Quat&) const = default;
};

ASPERITY_HD inline Quat operator*(const Quat& a, const Quat& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
ASPERITY_HD inline Quat conjugate(const Quat& q) { return {q.w, -q.x, -q.y, -q.z}; }
ASPERITY_HD inline Quat normalized(const Quat& q) {
    const double l = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {q.w / l, q.x / l, q.y / l, q.z / l};
}
/// The rotation by |v| radians about v.
ASPERITY_HD inline Quat rotation(const Vec3& v) {
    const double h2 = 0.25 * dot(v, v);  // square of half the angle
    // Taylor series to rounding: the remainder is below h^8/9! = 1.1e-16. Avoids the quotient sin(h)/h, which loses digits.
    if (h2 < 2.5e-3) {
        const double s = 0.5 * (1 - h2 * (1 / 6.0) * (1 - h2 * (1 / 20.0) * (1 - h2 * (1 / 42.0))));
        return {1 - 0.5 * h2 * (1 - h2 * (1 / 12.0) * (1 - h2 * (1 / 30.0) * (1 - h2 * (1 / 56.0)))), s * v.x, s * v.y,
                s * v.z};
    }
    const double angle = 2 * std::sqrt(h2), s = std::sin(0.5 * angle) / angle;
    return {std::cos(0.5 * angle), s * v.x, s * v.y, s * v.z};
}
/// The rotation vector of q, with length in [0, pi].
ASPERITY_HD inline Vec3 rotation_vector(const Quat& q) {
    const Vec3 v = q.w < 0 ? Vec3{-q.x, -q.y, -q.z} : Vec3{q.x, q.y, q.z};
    const double s = length(v);
    return s < 1e-10 ? 2 * v : (2 * std::atan2(s, std::fabs(q.w)) / s) * v;
}
ASPERITY_HD inline Mat3 matrix(const Quat& q) {
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    return {{{1 - 2 * (yy + zz), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y)},
             {2 * (q.x * q.y + q.w * q.z), 1 - 2 * (xx + zz), 2 * (q.y * q.z - q.w * q.x)},
             {2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (xx + yy)}}};
}
/// Quaternion of a rotation matrix (Shepperd's method: the largest component first).
Quat quaternion(const Mat3& m);
ASPERITY_HD inline Vec3 rotate(const Quat& q, const Vec3& v) {
    const Vec3 u{q.x, q.y, q.z};
    const Vec3 c = 2 * cross(u, v);
    return v + q.w * c + cross(u, c);
}
ASPERITY_HD inline Vec3 rotate_inverse(const Quat& q, const Vec3& v) { return rotate(conjugate(q), v); }

/// Position and orientation of a frame: point x of the frame is at position + rotate(orientation, x).
struct Pose {
    Vec3 position;
    Quat orientation;
    ASPERITY_HD Vec3 operator*(const Vec3& local) const { return position + rotate(orientation, local); }
    ASPERITY_HD Vec3 to_local(const Vec3& world) const { return rotate_inverse(orientation, world - position); }
    bool operator==(const Pose&) const = default;
};
ASPERITY_HD inline Pose operator*(const Pose& a, const Pose& b) { return {a * b.position, a.orientation * b.orientation}; }

}  // namespace asperity
