// Small matrices and vectors whose sizes are known at compile time, for code that is written once for two and three
// dimensions. The rigid side uses Vec3 and Mat3 (vec.h). Eigen's types, without alignment, so that arrays of them are plain
// arrays of doubles.
#pragma once
#include <Eigen/Core>
#include <Eigen/LU>
#include <vector>

#include "asperity/math/vec.h"

namespace asperity {

template <int Rows, int Columns>
using Matrix = Eigen::Matrix<double, Rows, Columns, Eigen::DontAlign>;  // column by column
template <int Size>
using Vector = Eigen::Matrix<double, Size, 1, Eigen::DontAlign>;

inline Vector<3> to_vector(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Vec3 to_vec3(const Vector<3>& v) { return {v[0], v[1], v[2]}; }
/// A vector of the plane as one of space: the plane's second axis is z. Vectors of space stay as they are.
inline Vec3 to_vec3(const Vector<2>& v) { return {v[0], 0, v[1]}; }

}  // namespace asperity
