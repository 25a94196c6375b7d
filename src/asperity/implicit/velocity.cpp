#include "asperity/implicit/velocity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/core/error.h"
#include "asperity/core/stop.h"
#include "asperity/implicit/clock.h"
#include "asperity/implicit/contacts.h"
#include "asperity/implicit/kinematics.h"
#include "asperity/implicit/newton.h"
#include "asperity/implicit/potential.h"

namespace asperity::implicit {
namespace {

/// Share of a missing gap that a step makes up for. Missing are the errors of linearisation, of second order in the motion:
/// at 0.2 they are gone after a dozen steps. At 1 the velocities of the step would contain them as a whole, over h.
constexpr double kRecovery = 0.2;
/// Tolerance of the contact solver over that of positions: with the default of 1e-6 m/s what sticks creeps less than 6 nm a
/// minute.
constexpr double kSolverShare = 1e-4;
/// Followed paths that collisions cut short, in one part of a step. Each leaves a tenth of the shortest gap at least, so
/// that ten of them reach a contact 1e10 times as near as it was; more mean that linearisation does not see what blocks.
constexpr int kMostBlocked = 30;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

template <int Dim>
class VelocityStep {
  public:
    VelocityStep(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d, StepReport& report)
        : model_(model),
          state_(state),
          d_(d),
          v_(d.velocity),
          contacts_(d.friction.contacts),
          problem_(d.velocity.problem),
          report_(report),
          clock_(report.part_ms) {}

    Failure run() {
        const Settings& settings = model_.settings;
        v_.kept_gap = asperity::implicit::kept_gap(d_.barrier);
        if (!v_.solver || v_.solver->name() != settings.solver) v_.solver = solvers::make_assembled_solver(settings.solver);
        begin_iterates(model_, d_, report_);
        d_.friction.memory = state_.friction;
        for (int followed = 0, blocked = 0;;) {
            if (stop_requested()) return Failure::Stopped;
            ++report_.iterations;
            clock_(Part::collisions);
            contacts_.clear();
            if (!evaluate(model_, d_, d_.now)) return Failure::NotFinite;
            find_velocity_contacts(model_, state_, d_);
            if (const Failure failure = linearise(); failure != Failure::None) return failure;
            fill_problem();
            if (const Failure failure = solve(); failure != Failure::None) return failure;
            move_direction();
            const double speed = largest_motion() / d_.attempt.h;
            const double length = follow();
            if (!(length > 0)) return Failure::Blocked;
            if (length < 1 && ++blocked > kMostBlocked) return Failure::Iterations;
            followed += length == 1;
            remember_friction(model_, d_);
            if (length == 1 && (followed >= settings.friction_passes || speed <= settings.tolerance)) break;
        }
        return finish();
    }

  private:
    /// Gradient and factorised Hessian without contacts, and the motion without them in d.direction.
    Failure linearise() {
        for (std::size_t i = 0; i < d_.direction.size(); ++i)
            d_.direction[i] = model_.is_free(static_cast<int>(i)) ? Vector<Dim>(Vector<Dim>::Zero())
                                                                  : Vector<Dim>(d_.attempt.target[i] - d_.now.x[i]);
        Configuration<Dim>& bare = d_.trial;
        bare.x = d_.now.x;
        bare.progress = d_.now.progress;
        bare.collisions.clear();
        bare.plane_contacts.clear();
        for (const deform::Projection projection : {deform::Projection::None, deform::Projection::Clamp}) {
            clock_(Part::assembly);
            d_.assembly.assemble(model_, d_.attempt, bare, d_.barrier, {}, projection, true);
            std::vector<double>& rhs = d_.right_hand_side;
            rhs.resize(d_.now.x.size() * Dim);
            for (std::size_t i = 0; i < d_.now.x.size(); ++i)
                for (std::size_t k = 0; k < Dim; ++k)
                    rhs[i * Dim + k] = -d_.assembly.gradient()[i][static_cast<int>(k)] -
                                       d_.assembly.obstacle_gradient()[i][static_cast<int>(k)];
            d_.assembly.prescribe(model_, d_.direction, rhs);
            clock_(Part::factor);
            d_.cholesky.analyse(d_.assembly.pattern());
            const linear::CholeskyStatus status = d_.cholesky.factor(d_.assembly.values());
            if (status == linear::CholeskyStatus::NotFinite) return Failure::NotFinite;
            if (status == linear::CholeskyStatus::NotPositive) continue;
            clock_(Part::solve);
            d_.cholesky.solve(rhs);
            for (std::size_t i = 0; i < d_.direction.size(); ++i)
                if (model_.is_free(static_cast<int>(i)))
                    for (std::size_t k = 0; k < Dim; ++k) d_.direction[i][static_cast<int>(k)] = rhs[i * Dim + k];
            return Failure::None;
        }
        return Failure::Singular;
    }

    /// Calls f(node, weight) for the nodes whose motion a contact feels.
    template <class F>
    void for_nodes(const FrictionContact& c, const F& f) const {
        for (std::size_t k = 0; k < at(c.count); ++k) {
            const Carrier<Dim>& carrier = model_.carriers[at(c.vertices[k])];
            for (int j = 0; j < carrier.count; ++j) f(carrier.node + j, c.weights[k] * carrier.weight(j));
        }
    }
    static std::array<Vec3, 3> axes(const FrictionContact& c) { return {c.normal, c.surface.t, c.surface.b}; }

    /// What a contact keeps as its gap at the end, or the way there from below.
    static double wanted_gap(const FrictionContact& c) {
        return std::min(c.kept_gap, c.gap + kRecovery * (c.kept_gap - c.gap));
    }
    /// Change of the gap by the motion of all nodes along d.direction and by the rest of the way of obstacles.
    double gap_change(const FrictionContact& c) const {
        const double way = 1 - d_.now.progress;
        const Vector<Dim> normal = from_vec3<Dim>(c.normal);
        double change = 0;
        for_nodes(c, [&](int node, double weight) { change += weight * normal.dot(d_.direction[at(node)]); });
        for (std::size_t k = 0; k < at(c.count); ++k) {
            const std::size_t v = at(c.vertices[k]);
            if (model_.carriers[v].count == 0)
                change += c.weights[k] * way * normal.dot(d_.attempt.obstacle_to[v] - d_.attempt.obstacle_from[v]);
        }
        if (c.plane >= 0) change -= way * (d_.attempt.plane_to[at(c.plane)] - d_.attempt.plane_from[at(c.plane)]);
        return change;
    }

    /// Blocks, free velocities and first impulses; W = w/h^2 J H^-1 J^T, one solve for each of its columns.
    void fill_problem() {
        clock_(Part::assembly);
        const double h = d_.attempt.h, w = d_.attempt.prediction.w;
        problem_.blocks.clear();
        problem_.q.clear();
        problem_.impulse.clear();
        // slip of the whole step along the direction
        v_.end.resize(d_.now.x.size());
        for (std::size_t i = 0; i < v_.end.size(); ++i) v_.end[i] = d_.now.x[i] + d_.direction[i];
        for (const FrictionContact& c : contacts_) {
            solvers::Block block;
            block.kind = solvers::BlockKind::Contact;
            block.first_row = static_cast<int>(problem_.q.size());
            block.rows = c.rubs ? 3 : 1;
            block.set = c.surface.set;
            problem_.blocks.push_back(block);
            problem_.q.push_back(w / h * (c.gap - wanted_gap(c) + gap_change(c)));
            problem_.impulse.push_back(h * c.load);
            if (!c.rubs) continue;
            const Vec3 slip = slip_of<Dim>(model_, d_.attempt, v_.end, c);
            for (int r = 0; r < 2; ++r) {
                problem_.q.push_back(slip[r] / h);
                problem_.impulse.push_back(h * c.start[r]);
            }
        }
        solve_columns();
        write_matrix(w / (h * h));
        problem_.prepare();
    }

    /// v.response: H^-1 J^T, column by column.
    void solve_columns() {
        const std::size_t size = d_.now.x.size() * Dim;
        v_.response.assign(size * problem_.q.size(), 0);
        std::size_t column = 0;
        clock_(Part::solve);
        for (const FrictionContact& c : contacts_)
            for (int r = 0; r < (c.rubs ? 3 : 1); ++r, ++column) {
                const std::span<double> x(&v_.response[column * size], size);
                const Vector<Dim> axis = from_vec3<Dim>(axes(c)[at(r)]);
                bool moves = false;
                for_nodes(c, [&](int node, double weight) {
                    if (!model_.is_free(node)) return;
                    moves = true;
                    for (std::size_t k = 0; k < Dim; ++k) x[at(node) * Dim + k] += weight * axis[static_cast<int>(k)];
                });
                if (moves) d_.cholesky.solve(x);
            }
    }

    /// Motion at a contact by a displacement of all nodes, along its axes.
    std::array<double, 3> motion_at(const FrictionContact& c, const double* x) const {
        Vector<Dim> sum = Vector<Dim>::Zero();
        for_nodes(c, [&](int node, double weight) {
            if (model_.is_free(node)) sum += weight * Eigen::Map<const Eigen::Matrix<double, Dim, 1>>(x + at(node) * Dim);
        });
        std::array<double, 3> out{};
        for (std::size_t r = 0; r < 3; ++r) out[r] = from_vec3<Dim>(axes(c)[r]).dot(sum);
        return out;
    }

    void write_matrix(double scale) {
        const std::size_t size = d_.now.x.size() * Dim, rows = problem_.q.size();
        std::vector<double>& all = v_.matrix;
        all.assign(rows * rows, 0);
        for (std::size_t column = 0; column < rows; ++column)
            for (std::size_t i = 0; i < contacts_.size(); ++i) {
                const solvers::Block& block = problem_.blocks[i];
                const std::array<double, 3> u = motion_at(contacts_[i], &v_.response[column * size]);
                for (int r = 0; r < block.rows; ++r) all[at(block.first_row + r) * rows + column] = scale * u[at(r)];
            }
        if constexpr (Dim == 2)  // across the plane nothing moves and nothing rubs: any positive number
            for (const solvers::Block& block : problem_.blocks)
                if (block.rows == 3) {
                    const std::size_t t = at(block.first_row + 1), b = at(block.first_row + 2);
                    all[b * rows + b] = all[t * rows + t];
                }
        solvers::BlockMatrix& W = problem_.W;
        W.row_start.assign(1, 0);
        W.column.clear();
        W.value_start.clear();
        W.values.clear();
        for (std::size_t i = 0; i < contacts_.size(); ++i) {
            for (std::size_t k = 0; k < contacts_.size(); ++k) add_coupling(i, k, rows);
            W.row_start.push_back(static_cast<int>(W.column.size()));
        }
    }
    /// A block of W, the mean of both triangles: they differ by rounding. Contacts of bodies that nothing joins have none.
    void add_coupling(std::size_t i, std::size_t k, std::size_t rows) {
        const solvers::Block &a = problem_.blocks[i], &b = problem_.blocks[k];
        solvers::BlockMatrix& W = problem_.W;
        const std::size_t first = W.values.size();
        bool any = i == k;
        for (int r = 0; r < a.rows; ++r)
            for (int c = 0; c < b.rows; ++c) {
                const std::size_t p = at(a.first_row + r), q = at(b.first_row + c);
                const double value = 0.5 * (v_.matrix[p * rows + q] + v_.matrix[q * rows + p]);
                any = any || value != 0;
                W.values.push_back(value);
            }
        if (!any) {
            W.values.resize(first);
            return;
        }
        W.column.push_back(static_cast<int>(k));
        W.value_start.push_back(static_cast<int>(first));
    }

    Failure solve() {
        clock_(Part::solve);
        ++report_.friction_passes;
        if (!contacts_.empty()) {
            solvers::SolveOptions options;
            options.tolerance = kSolverShare * model_.settings.tolerance;
            options.max_sweeps = model_.settings.max_sweeps;
            const solvers::SolveReport solved = v_.solver->solve(problem_, options, v_.history);
            report_.residual = v_.residual = solved.residual;
            if (solved.status == solvers::SolveStatus::NotFinite) return Failure::NotFinite;
            if (solved.status != solvers::SolveStatus::Converged && solved.status != solvers::SolveStatus::Stalled) {
                if (!d_.attempt.accepts_misses) return Failure::Friction;
                ++report_.friction_misses;
            }
        } else {
            report_.residual = v_.residual = 0;
        }
        const double h = d_.attempt.h, w = d_.attempt.prediction.w;
        for (std::size_t i = 0; i < contacts_.size(); ++i) {
            FrictionContact& c = contacts_[i];
            const double *impulse = problem_.impulse_of(problem_.blocks[i]), *u = problem_.velocity_of(problem_.blocks[i]);
            c.load = impulse[0] / h;
            c.force = c.rubs ? Vec3{impulse[1] / h, impulse[2] / h, 0} : Vec3{};
            c.gap = wanted_gap(c) + h / w * u[0];
        }
        return Failure::None;
    }

    /// Adds the motion that the contact forces make to d.direction.
    void move_direction() {
        const std::size_t size = d_.now.x.size() * Dim;
        for (std::size_t column = 0; column < problem_.impulse.size(); ++column) {
            const double force = problem_.impulse[column] / d_.attempt.h;
            if (force == 0) continue;
            const double* response = &v_.response[column * size];
            for (std::size_t i = 0; i < d_.direction.size(); ++i)
                if (model_.is_free(static_cast<int>(i)))
                    for (std::size_t k = 0; k < Dim; ++k)
                        d_.direction[i][static_cast<int>(k)] += force * response[i * Dim + k];
        }
    }

    double largest_motion() {
        clock_(Part::line_search);
        find_vertex_direction(model_, d_, 1 - d_.now.progress);
        return implicit::largest_motion(model_, d_);
    }

    /// Goes along the direction as far as collisions and elements allow; returns that share of it.
    double follow() {
        const double way = 1 - d_.now.progress;
        clock_(Part::broad_phase);
        find_candidates(model_, d_);
        clock_(Part::ccd);
        const double length = motion_limit(model_, d_, way);
        for (std::size_t i = 0; i < d_.now.x.size(); ++i) {
            if (length == 1 && !model_.is_free(static_cast<int>(i)))
                d_.now.x[i] = d_.attempt.target[i];
            else
                d_.now.x[i] += length * d_.direction[i];
        }
        d_.now.progress = length == 1 ? 1 : d_.now.progress + length * way;
        return length;
    }

    /// Energies, and the forces that hold prescribed nodes, at the end. The barrier does not act.
    Failure finish() {
        clock_(Part::other);
        v_.contacts.swap(contacts_);
        contacts_.clear();
        const bool finite = evaluate(model_, d_, d_.now);
        v_.contacts.swap(contacts_);
        if (!finite) return Failure::NotFinite;
        d_.now.barrier = 0;
        d_.trial.x = d_.now.x;
        d_.trial.progress = 1;
        d_.assembly.assemble(model_, d_.attempt, d_.trial, d_.barrier, {}, deform::Projection::None, false);
        for (const FrictionContact& c : contacts_) {
            const Vector<Dim> force = from_vec3<Dim>(c.load * c.normal + in_world(c, c.force));
            for_nodes(c, [&](int node, double weight) { d_.assembly.add_force(node, weight * force); });
        }
        return Failure::None;
    }

    const Model<Dim>& model_;
    const State<Dim>& state_;
    StepData<Dim>& d_;
    VelocityData<Dim>& v_;
    std::vector<FrictionContact>& contacts_;
    solvers::AssembledProblem& problem_;
    StepReport& report_;
    PartClock clock_;
};

}  // namespace

template <int Dim>
Failure solve_velocities(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d, StepReport& report) {
    return VelocityStep<Dim>(model, state, d, report).run();
}

void check_velocity(const Settings& settings) {
    if (settings.friction != FrictionMethod::Velocity) return;
    if (settings.integrator != Integrator::BackwardEuler && settings.integrator != Integrator::Bdf2)
        throw InputError(fmt::format(
            "step.friction = \"velocity\" goes with the integrators backward_euler and bdf2; with {} {}; take one "
            "of the two, or friction = \"hold\"",
            name(settings.integrator),
            settings.integrator == Integrator::Newmark       ? "contacts that keep a distance would ring from step to step"
            : settings.integrator == Integrator::QuasiStatic ? "there are no velocities"
                                                             : "nothing is solved for"));
    solvers::make_assembled_solver(settings.solver);  // throws if there is none of that name
}

template Failure solve_velocities<2>(const Model<2>&, const State<2>&, StepData<2>&, StepReport&);
template Failure solve_velocities<3>(const Model<3>&, const State<3>&, StepData<3>&, StepReport&);

}  // namespace asperity::implicit
