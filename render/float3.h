// Single-precision vectors for rendering. The path tracer does not use the engine's double Vec3, because a picture has eight
// bits per channel and Embree takes floats. Points are relative to the camera's target, so they stay small.
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>

#include "asperity/math/vec.h"

namespace asperity::render {

inline constexpr float pi = std::numbers::pi_v<float>;

struct Float3 {
    float x = 0, y = 0, z = 0;
};

inline Float3 to_float(const Vec3& v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }
inline Float3 operator+(const Float3& a, const Float3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Float3 operator-(const Float3& a, const Float3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Float3 operator-(const Float3& a) { return {-a.x, -a.y, -a.z}; }
inline Float3 operator*(const Float3& a, const Float3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline Float3 operator*(float s, const Float3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Float3 operator*(const Float3& a, float s) { return s * a; }
inline Float3 operator/(const Float3& a, float s) { return (1 / s) * a; }
inline Float3 operator/(const Float3& a, const Float3& b) { return {a.x / b.x, a.y / b.y, a.z / b.z}; }
inline Float3& operator+=(Float3& a, const Float3& b) { return a = a + b; }
inline Float3& operator*=(Float3& a, const Float3& b) { return a = a * b; }
inline Float3& operator*=(Float3& a, float s) { return a = s * a; }
inline float dot(const Float3& a, const Float3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Float3 cross(const Float3& a, const Float3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline float length(const Float3& a) { return std::sqrt(dot(a, a)); }
inline Float3 normalized(const Float3& a) { return a / length(a); }
inline Float3 normalize_or(const Float3& a, const Float3& fallback) {
    const float l = length(a);
    return l > 1e-20f ? a / l : fallback;
}
inline Float3 mix(const Float3& a, const Float3& b, float s) { return a + s * (b - a); }
inline float mix(float a, float b, float s) { return a + s * (b - a); }
inline float max_component(const Float3& a) { return std::max(a.x, std::max(a.y, a.z)); }
inline Float3 constant(float s) { return {s, s, s}; }
/// Luminance of linear RGB (Rec. 709).
inline float luminance(const Float3& c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; }

/// Two unit vectors that form a right-handed frame with the unit vector n.
/// Duff et al., "Building an Orthonormal Basis, Revisited", JCGT 2017.
struct Basis {
    Float3 t, b, n;
    explicit Basis(const Float3& normal) : n(normal) {
        const float sign = std::copysign(1.0f, n.z), a = -1 / (sign + n.z), c = n.x * n.y * a;
        t = {1 + sign * n.x * n.x * a, sign * c, -sign * n.x};
        b = {c, sign + n.y * n.y * a, -n.y};
    }
    Float3 to_world(const Float3& v) const { return v.x * t + v.y * b + v.z * n; }
    Float3 to_local(const Float3& v) const { return {dot(v, t), dot(v, b), dot(v, n)}; }
};

/// Rotation with a scale per axis, then a translation: maps a shape of unit size to a collider in the picture.
struct Affine {
    Float3 columns[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Float3 shift;
    Float3 inverse_scale_squared{1, 1, 1};  ///< for normals: M^-T = R S^-1 = M S^-2

    Affine() = default;
    Affine(const Pose& pose, const Vec3& scale) {
        const Mat3 r = matrix(pose.orientation);
        for (int j = 0; j < 3; ++j) columns[j] = to_float(scale[j] * r.column(j));
        shift = to_float(pose.position);
        inverse_scale_squared = to_float({1 / (scale.x * scale.x), 1 / (scale.y * scale.y), 1 / (scale.z * scale.z)});
    }
    Float3 vector(const Float3& v) const { return v.x * columns[0] + v.y * columns[1] + v.z * columns[2]; }
    Float3 point(const Float3& p) const { return shift + vector(p); }
    Float3 normal(const Float3& n) const { return normalized(vector(n * inverse_scale_squared)); }
};

}  // namespace asperity::render
