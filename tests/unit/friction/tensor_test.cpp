// Friction tensors (equations as in friction/tensor.h): the cone, M33, the direct force, M24, and theorems on dissipation.
#include <gtest/gtest.h>

#include <numbers>

#include "asperity/core/error.h"
#include "asperity/core/random.h"
#include "asperity/friction/law.h"

namespace asperity::friction {
namespace {

using std::numbers::pi;

LimitSurface cone_of(const FrictionTensor& law, const ConeInput& in) {
    LimitSurface out;
    generate({law}, {&in, 1}, {&out, 1});
    return out;
}
ConeInput flat(double a, double b, const Vec3& slip = {}) {
    ConeInput in;
    in.normal = {0, 0, 1};
    in.grain_a = {std::cos(a), std::sin(a), 0};
    in.grain_b = {std::cos(b), std::sin(b), 0};
    in.slip = slip;
    return in;
}
Vec3 times(const TensorSum& l, const Vec3& v) {
    const double x = dot(v, l.e1), y = dot(v, l.e2);
    return (l.m[0][0] * x + l.m[0][1] * y) * l.e1 + (l.m[1][0] * x + l.m[1][1] * y) * l.e2;
}
/// The force per unit load that a solver finds for the slip v: the most dissipative one of the set, in world axes.
Vec3 solver_force(const LimitSurface& s, const Vec3& v) {
    const Vec3 f = support_point(s.set, {-dot(v, s.t), -dot(v, s.b), 0});
    return f.x * s.t + f.y * s.b;
}
FrictionTensor random_law(Random& random, bool symmetric) {
    const auto tensor = [&] {
        SurfaceTensor q{random.uniform(0.1, 0.5), random.uniform(0.1, 0.9)};
        q.along_by_across = random.uniform(-0.09, 0.09);
        q.across_by_along = symmetric ? q.along_by_across : random.uniform(-0.09, 0.09);
        return q;
    };
    return {tensor(), tensor(), random.uniform(0.3, 1)};
}

TEST(FrictionTensor, ConeIsTheImageOfTheUnitDisc) {  // f^T L^-T L^-1 f <= 1 (M33)
    Random random(1);
    for (int k = 0; k < 300; ++k) {
        const FrictionTensor law = random_law(random, k % 2 == 0);
        const ConeInput in = flat(random.uniform(0, pi), random.uniform(0, pi));
        const TensorSum l = tensor_sum(law, in);
        const LimitSurface s = cone_of(law, in);
        for (int i = 0; i < 16; ++i) {
            const double x = pi * i / 8;
            const Vec3 f = times(l, {std::cos(x), std::sin(x), 0});
            EXPECT_NEAR(gauge(s.set, {dot(f, s.t), dot(f, s.b), 0}), 1, 1e-12);
        }
    }
}

// The sum of two tensors, one rotated by the signed angle between the grains, against matrices in world axes.
TEST(FrictionTensor, TurnsTheSecondTensorByTheSignedAngle) {
    const FrictionTensor law{{0.2, 0.6}, {0.1, 0.4}, 0.5};
    for (const double phi : {-0.7, 0.7, 2.0}) {
        const TensorSum l = tensor_sum(law, flat(0.3, 0.3 + phi));
        const auto q = [](double along, double across, double angle) {
            const Vec3 s{std::cos(angle), std::sin(angle), 0}, p{-s.y, s.x, 0};
            return along * outer(s, s) + across * outer(p, p);
        };
        const Mat3 expected = 0.5 * (q(0.2, 0.6, 0.3) + q(0.1, 0.4, 0.3 + phi));
        for (const Vec3& v : {Vec3{1, 0, 0}, Vec3{0, 1, 0}}) EXPECT_LT(length(times(l, v) - expected * v), 1e-15) << phi;
    }
}

TEST(FrictionTensor, IsIntrinsic) {
    Random random(2);
    double worst = 0;
    const auto same = [&](const Vec3& difference) { worst = std::fmax(worst, length(difference)); };
    for (int k = 0; k < 300; ++k) {
        FrictionTensor law = random_law(random, false);
        law.form = k % 2 == 0 ? TensorForm::Cone : TensorForm::Direct;
        const Vec3 slip{random.normal(), random.normal(), 0}, v{random.normal(), random.normal(), 0};
        const ConeInput in = flat(random.uniform(0, pi), random.uniform(0, pi), slip);
        const Vec3 before = solver_force(cone_of(law, in), v);
        ConeInput flipped = in;
        flipped.grain_b = -in.grain_b;
        same(solver_force(cone_of(law, flipped), v) - before);
        // the bodies exchanged: normal, slip and force change sign, and A now has the pair's second material
        ConeInput other = in;
        std::swap(other.grain_a, other.grain_b);
        other.normal = -in.normal, other.slip = -in.slip, other.swapped = true;
        same(solver_force(cone_of(law, other), -v) + before);
        // the law for the materials in the opposite order
        FrictionTensor reversed = std::get<FrictionTensor>(swapped({law}).base);
        other.swapped = false;
        same(solver_force(cone_of(reversed, other), -v) + before);
    }
    // forces up to 1.8 through two roots and a half-angle: some ten rounding errors of 1.1e-16 of that, 2e-15 (measured
    // 6.5e-16)
    EXPECT_LT(worst, 2e-15);
}

// Appendix A: a positive definite tensor always dissipates, but is most dissipative only if v is an eigenvector of L^T.
TEST(FrictionTensor, DirectForceDissipatesButNotMost) {
    Random random(3);
    for (int k = 0; k < 300; ++k) {
        const FrictionTensor law = random_law(random, true);
        const ConeInput in = flat(random.uniform(0, pi), random.uniform(0, pi));
        const TensorSum l = tensor_sum(law, in);
        const LimitSurface cone = cone_of(law, in);
        for (int i = 0; i < 8; ++i) {
            const double x = random.uniform(0, 2 * pi);
            const Vec3 v{std::cos(x), std::sin(x), 0};
            const double direct = dot(times(l, v), v), most = support(cone.set, {dot(v, cone.t), dot(v, cone.b), 0});
            EXPECT_GT(direct, 0);
            EXPECT_LE(direct, most + 1e-15);
            const double off = length(times(l, v) - direct * v);  // zero for an eigenvector (L is symmetric here)
            // v.Lv against |Lv|: the gap is off^2/(|Lv| + v.Lv)
            EXPECT_NEAR(most - direct, off * off / (length(times(l, v)) + direct), 1e-14);
        }
        for (const Vec3& eigenvector : {cone.t, cone.b})
            EXPECT_NEAR(dot(times(l, eigenvector), eigenvector),
                        support(cone.set, {dot(eigenvector, cone.t), dot(eigenvector, cone.b), 0}), 1e-12);
    }
}

// The set for the direct form has the direct force as its most dissipative one at the slip for which it was made.
TEST(FrictionTensor, DirectFormGivesTheDirectForceAtItsSlip) {
    Random random(4);
    double worst = 0;
    for (int k = 0; k < 500; ++k) {
        FrictionTensor law = random_law(random, k % 2 == 0);
        law.form = TensorForm::Direct;
        const double x = random.uniform(0, 2 * pi);
        const Vec3 v{std::cos(x), std::sin(x), 0};
        const ConeInput in = flat(random.uniform(0, pi), random.uniform(0, pi), random.uniform(1e-6, 3) * v);
        worst = std::fmax(worst, length(solver_force(cone_of(law, in), v) + times(tensor_sum(law, in), v)));
    }
    EXPECT_LT(worst, 2e-15);  // as above (measured 3.9e-16)
    // at rest, and along an eigenvector, it is the cone form
    FrictionTensor law{{0.2, 0.6}, {0.1, 0.3}};
    const LimitSurface cone = cone_of(law, flat(0.4, 0.4));
    law.form = TensorForm::Direct;
    for (const Vec3& slip : {Vec3{}, Vec3{std::cos(0.4), std::sin(0.4), 0}}) {
        const LimitSurface s = cone_of(law, flat(0.4, 0.4, slip));
        EXPECT_NEAR(std::get<Ellipse>(s.set).t, std::get<Ellipse>(cone.set).t, 1e-14);
        EXPECT_NEAR(std::get<Ellipse>(s.set).b, std::get<Ellipse>(cone.set).b, 1e-14);
        EXPECT_NEAR(std::fabs(dot(s.t, cone.t)), 1, 1e-14);
    }
}

TEST(FrictionTensor, SurfacesWithoutGrainCountWithTheirMean) {
    ConeInput in = flat(0.5, 0);
    in.grain_a = in.grain_b = {};
    const LimitSurface s = cone_of({{0.2, 0.6}, {0.1, 0.3}}, in);
    EXPECT_NEAR(std::get<Ellipse>(s.set).t, 0.6, 1e-15);
    EXPECT_NEAR(std::get<Ellipse>(s.set).b, 0.6, 1e-15);
}

TEST(FrictionTensor, RefusesTensorsThatWouldDrive) {
    EXPECT_NO_THROW(check({FrictionTensor{{0.2, 0.6}, {0, 0}}}));
    EXPECT_NO_THROW(check({FrictionTensor{{0.2, 0.6, 0.4, -0.4}, {0, 0}}}));  // a force normal to the slip does no work
    EXPECT_THROW(check({FrictionTensor{{0.2, 0.6, 0.4, 0.4}, {0, 0}}}), InputError);
    EXPECT_THROW(check({FrictionTensor{{-0.2, 0.6}, {0, 0}}}), InputError);
    EXPECT_THROW(check({FrictionTensor{{0.2, 0.6}, {0, 0}, 0}}), InputError);
}

}  // namespace
}  // namespace asperity::friction
