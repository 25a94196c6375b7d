#include "tests/support/enumerate.h"

#define EIGEN_MPL2_ONLY
#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "asperity/core/assert.h"

namespace asperity::solvers {
namespace {

constexpr double kResidualTolerance = 1e-9;  // largest natural map of an accepted solution [m/s]
constexpr double kSolutionTolerance = 1e-7;  // velocities closer than this count as one solution [m/s]
constexpr int kStarts[4] = {1, 24, 12, 8};   // Newton starts per angle, by the number of slipping contacts

/// One state of a contact: its impulse is a combination of `rays`, and its velocity has no component along `tests`.
struct State {
    std::vector<Eigen::Vector3d> rays, tests;
    bool on_ellipse = false;
};

struct Contact {
    std::vector<State> states;
    Vec2 axes;  // of an ellipse

    Eigen::Vector3d ray(double angle) const { return {1, axes.x * std::cos(angle), axes.y * std::sin(angle)}; }
    /// Outward normal of the ellipse at `angle`; the slip velocity has the opposite direction.
    Vec2 normal(double angle) const { return {axes.y * std::cos(angle), axes.x * std::sin(angle)}; }
};

Contact states_of(const Block& block) {
    Contact contact;
    const Eigen::Vector3d n = Eigen::Vector3d::UnitX(), t = Eigen::Vector3d::UnitY(), b = Eigen::Vector3d::UnitZ();
    contact.states = {{}, {{n, t, b}, {n, t, b}}};
    if (const auto* e = std::get_if<friction::Ellipse>(&block.set)) {
        contact.axes = {e->t, e->b};
        contact.states.push_back({{}, {n}, true});
        return contact;
    }
    std::vector<Vec2> corners(16);
    corners.resize(static_cast<size_t>(friction::facets(block.set, 16, friction::Fit::Inscribed, corners)));
    for (size_t i = 0; i < corners.size(); ++i) {
        const Vec2 a = corners[i], c = corners[(i + 1) % corners.size()];
        contact.states.push_back({{{1, a.x, a.y}}, {n}});
        contact.states.push_back({{{1, a.x, a.y}, {1, c.x, c.y}}, {n, {0, c.x - a.x, c.y - a.y}}});
    }
    return contact;
}

class Enumeration {
  public:
    explicit Enumeration(const AssembledProblem& problem) : p_(problem) {
        const auto rows = static_cast<Eigen::Index>(p_.q.size());
        W_.setZero(rows, rows);
        std::vector<double> unit(p_.q.size(), 0), column(p_.q.size());
        for (size_t k = 0; k < unit.size(); ++k) {
            unit[k] = 1;
            p_.multiply(unit, column);
            unit[k] = 0;
            W_.col(static_cast<Eigen::Index>(k)) = Eigen::Map<Eigen::VectorXd>(column.data(), rows);
        }
        q_ = Eigen::Map<const Eigen::VectorXd>(p_.q.data(), rows);
        for (const Block& block : p_.blocks) {
            ASPERITY_ASSERT(block.kind == BlockKind::Contact && block.rows == 3);
            contacts_.push_back(states_of(block));
        }
        chosen_.resize(contacts_.size());
    }

    std::vector<Enumerated> run() {
        choose(0);
        return found_;
    }

  private:
    void choose(size_t contact) {
        if (contact < contacts_.size()) {
            for (const State& state : contacts_[contact].states) {
                chosen_[contact] = &state;
                choose(contact + 1);
            }
            return;
        }
        slipping_.clear();
        for (size_t k = 0; k < chosen_.size(); ++k)
            if (chosen_[k]->on_ellipse) slipping_.push_back(k);
        Eigen::VectorXd angles(static_cast<Eigen::Index>(slipping_.size()));
        start_from(angles, 0);
    }

    void start_from(Eigen::VectorXd& angles, Eigen::Index next) {
        if (next == angles.size()) return newton(angles);
        const int starts = kStarts[slipping_.size()];
        for (int i = 0; i < starts; ++i) {
            angles(next) = 2 * std::numbers::pi * i / starts;
            start_from(angles, next + 1);
        }
    }

    /// Computes lambda and u for the chosen states with slip at these angles; false if the states do not determine them.
    bool solve(const Eigen::VectorXd& angles) {
        const Eigen::Index rows = q_.size();
        Eigen::MatrixXd rays(rows, rows), tests(rows, rows);
        Eigen::Index count = 0, equations = 0, slip = 0;
        rays.setZero();
        tests.setZero();
        for (size_t k = 0; k < chosen_.size(); ++k) {
            const Eigen::Index first = p_.blocks[k].first_row;
            for (const Eigen::Vector3d& ray : chosen_[k]->rays) rays.col(count++).segment<3>(first) = ray;
            if (chosen_[k]->on_ellipse) rays.col(count++).segment<3>(first) = contacts_[k].ray(angles(slip++));
            for (const Eigen::Vector3d& test : chosen_[k]->tests) tests.row(equations++).segment<3>(first) = test;
        }
        if (count == 0) {
            impulse_.setZero(rows);
        } else {
            const Eigen::FullPivLU<Eigen::MatrixXd> lu(tests.topRows(count) * W_ * rays.leftCols(count));
            if (!lu.isInvertible()) return false;
            impulse_ = rays.leftCols(count) * lu.solve(-tests.topRows(count) * q_);
        }
        velocity_ = W_ * impulse_ + q_;
        return true;
    }

    /// Residual of the slip direction: slip must be opposite to the ellipse normal, (u_T x normal) = 0 at each slipping
    /// contact.
    bool misalignment(const Eigen::VectorXd& angles, Eigen::VectorXd& out) {
        if (!solve(angles)) return false;
        for (Eigen::Index i = 0; i < angles.size(); ++i) {
            const size_t k = slipping_[static_cast<size_t>(i)];
            const Vec2 normal = contacts_[k].normal(angles(i));
            const Eigen::Index first = p_.blocks[k].first_row;
            out(i) = (velocity_(first + 1) * normal.y - velocity_(first + 2) * normal.x) / length(normal);
        }
        return true;
    }

    void newton(Eigen::VectorXd angles) {
        Eigen::VectorXd f(angles.size()), moved(angles.size());
        Eigen::MatrixXd jacobian(angles.size(), angles.size());
        for (int iteration = 0; iteration < 30 && angles.size() > 0; ++iteration) {
            if (!misalignment(angles, f)) return;
            if (f.norm() < 1e-13) break;
            constexpr double h = 1e-7;
            for (Eigen::Index i = 0; i < angles.size(); ++i) {
                Eigen::VectorXd shifted = angles;
                shifted(i) += h;
                if (!misalignment(shifted, moved)) return;
                jacobian.col(i) = (moved - f) / h;
            }
            Eigen::VectorXd step = jacobian.fullPivLu().solve(-f);
            if (!step.allFinite()) return;
            const double longest = step.cwiseAbs().maxCoeff();
            if (longest > 0.5) step *= 0.5 / longest;
            angles += step;
        }
        if (solve(angles)) keep();
    }

    void keep() {
        AssembledProblem trial = p_;
        trial.impulse.assign(impulse_.data(), impulse_.data() + impulse_.size());
        trial.refresh_velocities();
        if (!(natural_map_residual(trial).value < kResidualTolerance)) return;
        for (const Enumerated& other : found_) {
            double difference = 0;
            for (size_t i = 0; i < other.velocity.size(); ++i)
                difference = std::fmax(difference, std::fabs(other.velocity[i] - trial.velocity[i]));
            if (difference < kSolutionTolerance) return;
        }
        found_.push_back({trial.impulse, trial.velocity});
    }

    const AssembledProblem& p_;
    Eigen::MatrixXd W_;
    Eigen::VectorXd q_, impulse_, velocity_;
    std::vector<Contact> contacts_;
    std::vector<const State*> chosen_;
    std::vector<size_t> slipping_;
    std::vector<Enumerated> found_;
};

}  // namespace

std::vector<Enumerated> all_solutions(const AssembledProblem& problem) { return Enumeration(problem).run(); }

}  // namespace asperity::solvers
