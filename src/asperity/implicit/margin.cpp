#include "asperity/implicit/margin.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "asperity/implicit/step_data.h"

namespace asperity::implicit {
namespace {

/// Directions that are tried before the best of them is refined. The function may have several minima: for an ellipse up to
/// four, for a polygon one per side.
constexpr int kDirections = 128;
constexpr int kRefinements = 60;  // each shortens the interval to 0.62 of it: 2e-14 of a turn in the end

/// The smallest value of a function of an angle, and the angle.
template <class F>
std::pair<double, double> smallest(const F& f) {
    constexpr double step = 2 * std::numbers::pi / kDirections, ratio = 1 / std::numbers::phi;
    double best = 0, least = f(0.0);
    for (int k = 1; k < kDirections; ++k)
        if (const double value = f(k * step); value < least) {
            least = value;
            best = k * step;
        }
    double low = best - step, high = best + step;
    for (int k = 0; k < kRefinements; ++k) {
        const double left = high - ratio * (high - low), right = low + ratio * (high - low);
        f(left) < f(right) ? high = right : low = left;
    }
    const double middle = 0.5 * (low + high), value = f(middle);
    return value < least ? std::pair(value, middle) : std::pair(least, best);
}

/// N h(d) - f . d for a slip of body b along d.
double rest(const FrictionContact& c, const Vec3& d) {
    const Vec3 along{dot(d, c.surface.t), dot(d, c.surface.b), 0};
    return c.load * friction::support(c.surface.set, along) - dot(c.force, along);
}

/// The axis along which normal forces act most: sum of N n n^T.
Vec3 main_axis(std::span<const FrictionContact* const> contacts) {
    Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
    for (const FrictionContact* c : contacts) {
        const Eigen::Vector3d n(c->normal.x, c->normal.y, c->normal.z);
        sum += c->load * n * n.transpose();
    }
    const Eigen::Vector3d axis = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(sum).eigenvectors().col(2);
    return {axis[0], axis[1], axis[2]};
}

}  // namespace

Spare spare_of(std::span<const FrictionContact* const> contacts, std::span<const double> sides, bool plane) {
    if (contacts.empty()) return {};
    const Vec3 normal = contacts.size() == 1 ? contacts[0]->normal : main_axis(contacts);
    const Vec3 t = plane ? normalized(cross(Vec3{0, 1, 0}, normal)) : any_tangent(normal), b = cross(normal, t);
    const auto direction = [&](double angle) { return std::cos(angle) * t + std::sin(angle) * b; };
    const auto rest_along = [&](double angle) {
        const Vec3 d = direction(angle);
        double sum = 0;
        for (std::size_t i = 0; i < contacts.size(); ++i) sum += rest(*contacts[i], sides[i] * d);
        return sum;
    };
    const double back = std::numbers::pi;
    const auto [force, angle] = !plane                             ? smallest(rest_along)
                                : rest_along(back) < rest_along(0) ? std::pair(rest_along(back), back)
                                                                   : std::pair(rest_along(0), 0.0);
    // the force that begins a slip is opposite to the friction force that resists it
    return {std::max(0.0, force), -direction(angle)};
}

Spare spare_of(const FrictionContact& contact, bool plane) {
    const FrictionContact* const one = &contact;
    const double side = 1;
    return spare_of({&one, 1}, {&side, 1}, plane);
}

template <int Dim>
double creep_bound(const Model<Dim>& model, const StepData<Dim>& d, const FrictionContact& c) {
    const double h = d.attempt.h;
    if (!(h > 0)) return 0;
    const double speed = length(slip_of<Dim>(model, d.attempt, d.now.x, c)) / h;
    if (model.settings.friction == FrictionMethod::Velocity) return std::max(speed, d.velocity.residual);
    if (model.settings.friction == FrictionMethod::Smooth || d.friction.settled) return speed;
    double limit = 0;  // largest on the two bodies
    for (const int body : bodies_of(model, c))
        if (static_cast<std::size_t>(body) < d.friction.residual_scale.size())
            limit = std::max(limit, d.friction.residual_scale[static_cast<std::size_t>(body)]);
    return speed + model.settings.friction_tolerance * limit / (c.stiffness * h);
}

template double creep_bound<2>(const Model<2>&, const StepData<2>&, const FrictionContact&);
template double creep_bound<3>(const Model<3>&, const StepData<3>&, const FrictionContact&);

}  // namespace asperity::implicit
