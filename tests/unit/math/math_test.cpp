// Matrices, eigenvalues, quaternions and rotations: invariants over scales from 1e-9 to 1e9.
#include <gtest/gtest.h>

#include <numbers>

#include "asperity/core/random.h"
#include "asperity/math/dense.h"

namespace asperity {
namespace {

constexpr double kEps = 2.3e-16;

Vec3 random_vector(Random& random) { return {random.normal(), random.normal(), random.normal()}; }
Quat random_quaternion(Random& random) {
    return normalized(Quat{random.normal(), random.normal(), random.normal(), random.normal()});
}
double largest(const Mat3& m) {
    double result = 0;
    for (int i = 0; i < 3; ++i) result = std::fmax(result, max_component(abs(m.r[i])));
    return result;
}
Mat3 difference(const Mat3& a, const Mat3& b) { return a + -1.0 * b; }

class Scales : public testing::TestWithParam<double> {};

TEST_P(Scales, InverseTimesMatrixIsTheIdentity) {
    Random random(1);
    for (int i = 0; i < 200; ++i) {
        const Mat3 r = matrix(random_quaternion(random)), s = matrix(random_quaternion(random));
        const Mat3 m = GetParam() * (r * Mat3::diagonal({1, 0.1, 0.01}) * s);  // condition number 100
        EXPECT_LT(largest(difference(m * inverse(m), Mat3::identity())), 100 * 20 * kEps);
    }
}

TEST_P(Scales, SymmetricEigenvaluesAndVectorsRebuildTheMatrix) {
    Random random(2);
    for (int i = 0; i < 200; ++i) {
        const Mat3 q = matrix(random_quaternion(random));
        const double ratio = i % 3 == 0 ? 1.0 : i % 3 == 1 ? 1e-8 : 0.5;  // repeated, tiny and distinct eigenvalues
        const Mat3 a = GetParam() * (q * Mat3::diagonal({1, ratio, ratio * 0.3}) * transposed(q));
        Mat3 symmetric = 0.5 * (a + transposed(a)), vectors;
        Vec3 values;
        symmetric_eigen(symmetric, values, vectors);
        EXPECT_GE(values.x, values.y);
        EXPECT_GE(values.y, values.z);
        EXPECT_LT(largest(difference(vectors * Mat3::diagonal(values) * transposed(vectors), symmetric)),
                  300 * kEps * GetParam());  // 10 x measured
        EXPECT_LT(largest(difference(vectors * transposed(vectors), Mat3::identity())), 300 * kEps);
        EXPECT_NEAR(dot(cross(vectors.column(0), vectors.column(1)), vectors.column(2)), 1, 300 * kEps);  // not a reflection
    }
}

TEST_P(Scales, BlockInverseWorksForEverySize) {
    Random random(3);
    for (int n = 1; n <= kMaxBlockRows; ++n) {
        for (int trial = 0; trial < 50; ++trial) {
            SymBlock a;
            double rows[kMaxBlockRows][kMaxBlockRows];
            for (auto& row : rows)
                for (double& x : row) x = random.normal();
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    double sum = i == j ? 1 : 0;  // keeps the condition number below a few hundred
                    for (int k = 0; k < n; ++k) sum += rows[i][k] * rows[j][k];
                    a.m[i][j] = GetParam() * sum;
                }
            const SymBlock inv = inverse(a, n);
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    double sum = 0;
                    for (int k = 0; k < n; ++k) sum += a.m[i][k] * inv.m[k][j];
                    EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-12) << n;
                }
        }
    }
}

TEST_P(Scales, LargestEigenvalueIsNeverTooSmall) {
    Random random(4);
    for (int n = 1; n <= kMaxBlockRows; ++n) {
        for (int trial = 0; trial < 50; ++trial) {
            SymBlock a;
            double x[kMaxBlockRows];
            for (double& value : x) value = random.normal();
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) a.m[i][j] = GetParam() * (x[i] * x[j] + (i == j ? 0.1 : 0));
            double squares = 0;
            for (int i = 0; i < n; ++i) squares += x[i] * x[i];
            const double exact = GetParam() * (squares + 0.1), bound = largest_eigenvalue(a, 0, n);
            EXPECT_GE(bound, exact * (1 - 1e-12)) << n;
            EXPECT_LE(bound, exact * (n <= 3 ? 1 + 1e-12 : n)) << n;  // exact up to three rows, Gershgorin's bound beyond
        }
    }
}

INSTANTIATE_TEST_SUITE_P(ManyPowers, Scales, testing::Values(1e-9, 1e-3, 1.0, 1e4, 1e9));

TEST(BlockInverse, DependentRowsTakeNothing) {
    SymBlock a;  // row 1 equals row 0
    a.m[0][0] = a.m[0][1] = a.m[1][0] = a.m[1][1] = 2;
    a.m[2][2] = 4;
    const SymBlock inv = inverse(a, 3);
    EXPECT_NEAR(inv.m[0][0], 0.5, 1e-15);
    EXPECT_NEAR(inv.m[2][2], 0.25, 1e-15);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(inv.m[1][i], 0);
    EXPECT_EQ(inverse(SymBlock{}, 3).m[0][0], 0);  // two fixed bodies
}

TEST(Quaternion, RotatesAsItsMatrixDoesAndBack) {
    Random random(5);
    for (int i = 0; i < 500; ++i) {
        const Quat p = random_quaternion(random), q = random_quaternion(random);
        const Vec3 v = random_vector(random);
        EXPECT_LT(length(rotate(q, v) - matrix(q) * v), 10 * kEps * length(v));
        EXPECT_LT(length(rotate_inverse(q, rotate(q, v)) - v), 10 * kEps * length(v));
        EXPECT_LT(length(rotate(p * q, v) - rotate(p, rotate(q, v))), 10 * kEps * length(v));
        EXPECT_NEAR(length(rotate(q, v)), length(v), 10 * kEps * length(v));
    }
}

TEST(Quaternion, ComesBackFromItsMatrixUpToSign) {
    Random random(6);
    const auto expect_back = [](const Quat& q) {
        const Quat back = quaternion(matrix(q));
        EXPECT_NEAR(std::fabs(back.w * q.w + back.x * q.x + back.y * q.y + back.z * q.z), 1, 10 * kEps);
    };
    for (int i = 0; i < 500; ++i) expect_back(random_quaternion(random));
    for (const Quat& q : {Quat{1, 0, 0, 0}, Quat{0, 1, 0, 0}, Quat{0, 0, 1, 0}, Quat{0, 0, 0, 1}})
        expect_back(q);  // rotations by pi
}

TEST(RotationVector, ComesBackForAllAngles) {  // 0.1: where the series ends
    Random random(7);
    for (const double angle : {0.0, 1e-300, 1e-12, 1e-8, 1e-4, 0.0999, 0.1001, 1.0, 3.0, 3.14159}) {
        for (int i = 0; i < 50; ++i) {
            const Vec3 v = angle * normalized(random_vector(random));
            const Quat q = rotation(v);
            EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 10 * kEps);
            EXPECT_LT(length(rotation_vector(q) - v), 20 * kEps * (angle + kEps)) << angle;
        }
    }
}

TEST(RotationVector, TurnsByItsLengthAboutItself) {
    using std::numbers::pi;
    const Vec3 turned = rotate(rotation({0, 0, pi / 2}), {1, 0, 0});
    EXPECT_NEAR(turned.x, 0, 1e-15);
    EXPECT_NEAR(turned.y, 1, 1e-15);
    const Vec3 axis = normalized(Vec3{1, 2, 3});
    EXPECT_LT(length(rotate(rotation(2.5 * axis), axis) - axis), 1e-15);
}

TEST(PoseProduct, PlacesFramesInFrames) {
    Random random(8);
    for (int i = 0; i < 100; ++i) {
        const Pose a{random_vector(random), random_quaternion(random)}, b{random_vector(random), random_quaternion(random)};
        const Vec3 x = random_vector(random);
        EXPECT_LT(length((a * b) * x - a * (b * x)), 1e-14);
        EXPECT_LT(length(a.to_local(a * x) - x), 1e-14);
    }
}

TEST(AnyTangent, IsAUnitVectorAcross) {
    Random random(9);
    for (int i = 0; i < 1000; ++i) {
        const Vec3 n = normalized(random_vector(random)), t = any_tangent(n);
        EXPECT_NEAR(length(t), 1, 10 * kEps);
        EXPECT_NEAR(dot(n, t), 0, 10 * kEps);
    }
    for (const Vec3& n : {Vec3{1, 0, 0}, Vec3{0, -1, 0}, Vec3{0, 0, 1}}) EXPECT_NEAR(dot(n, any_tangent(n)), 0, kEps);
}

}  // namespace
}  // namespace asperity
