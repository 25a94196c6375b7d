// The contact problem that the step solves: u = W lambda + b, with the impulse lambda of each block in its admissible set.
// Matrix-free: W = J M^-1 J^T is never formed. Instead each change of an impulse is applied to the velocities at once. The
// problem consists of velocity groups, matrices and sets. It knows nothing of bodies, shapes or scenes. It is the interface
// between dynamics and solvers.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "asperity/friction/limit_surface.h"
#include "asperity/math/dense.h"
#include "asperity/solvers/problem/block.h"
#include "asperity/solvers/problem/patch_block.h"
#include "asperity/solvers/problem/solver.h"

namespace asperity::solvers {

/// The linear and angular velocity of one velocity group (a rigid body, seen from the solver).
struct Twist {
    Vec3 linear, angular;
};

/// One row of J. `linear` acts on b and -linear on a, because action equals reaction; so one vector serves both groups.
struct Row {
    Vec3 linear, angular_a, angular_b;

    /// J v of the row.
    double rate(const Twist& a, const Twist& b) const {
        return dot(linear, b.linear - a.linear) + dot(angular_a, a.angular) + dot(angular_b, b.angular);
    }
};

/// The angular part of one row of M^-1 J^T. Its linear part is linear / mass.
struct Response {
    Vec3 angular_a, angular_b;
};

/// A touching point in compact form: one lever arm per group and the axes of the limit surface. prepare() makes a block of
/// it: row 0 along the normal, rows 1 and 2 along t and b = normal x t, row 3 the rotation about the normal (drilling). The
/// layout fills three cache lines (indices and set, axes, arms), because long lists do not fit into the cache.
struct alignas(64) PointContact {
    int a = 0, b = 0;  ///< velocity groups
    /// 1 (frictionless), 3, or 4 (with drilling). 0: a patch carries the load, and the point is used only by position
    /// correction.
    int rows = 3;
    friction::LimitSet set = friction::Ellipse{0, 0};
    double drilling_length = 1;  ///< drilling row = this times angular velocity, hence in m/s [m]
    Vec3 normal, t;              ///< unit vectors; the normal points from a to b
    Vec3 arm_a, arm_b;           ///< from each group's centre to the point [m]
    double bias[3] = {};         ///< of rows 0 to 2 [m/s]
};
static_assert(sizeof(PointContact) == 192);

/// Impulses of a point contact along its rows; entries beyond the last row are zero [N s].
using ContactImpulse = std::array<double, 4>;

/// A 6D contact patch. prepare() makes a block of it with the rows of patch_block.h.
struct PatchConstraint {
    int a = 0, b = 0;                    ///< velocity groups
    friction::PatchLimits limits;        ///< lengths in units of `length`
    Vec3 normal, t, u;                   ///< unit vectors; t: axis of the friction law, u: axis of the pressure region
    Vec3 arm_a, arm_b;                   ///< from each group's centre to the centre of the patch [m]
    double length = 1;                   ///< angular rows are multiplied by it, torques divided [m]
    double bias[kPatchRows] = {};        ///< [m/s]
    double compliance[kPatchRows] = {};  ///< [1/kg]
    double impulse[kPatchRows] = {};     ///< warm start on entry, solution on return [N s]

    Row row(int k) const;
};

class ContactProblem {
  public:
    /// Deletes all blocks and sets the number of groups, contacts and patches. The caller must then fill every entry. In a
    /// new problem all groups have zero velocity and zero inverse mass and inertia.
    void reset(int group_count, int contact_count = 0, int patch_count = 0);

    // Filled by the builder. A group with zero inverse mass and inertia keeps its velocity whatever impulses act on it.
    /// free velocity on entry; prepare() adds the warm start; holds the solution after the solve
    std::vector<Twist> velocity;
    std::vector<double> inverse_mass;   ///< [1/kg]
    std::vector<Mat3> inverse_inertia;  ///< world axes [1/(kg m^2)]
    std::vector<PointContact> contacts;
    /// per contact: warm start on entry, solution on return; zero if the list is shorter than `contacts`
    std::vector<ContactImpulse> contact_impulse;
    std::vector<PatchConstraint> patches;
    std::vector<Block> blocks;  ///< the builder adds joints; prepare() appends the contacts in their order, then the patches
    std::vector<Row> jacobian;
    std::vector<double> bias;        ///< u = J v + bias + compliance * lambda; minus the target velocity [m/s]
    std::vector<double> compliance;  ///< [1/kg]
    std::vector<double> impulse;     ///< lambda: warm start on entry, solution on return [N s]

    /// Appends a block whose rows are zero, for the caller to fill.
    Block& add_block(BlockKind kind, int rows, int a, int b);

    /// Appends the normal row of a contact as a block of one row: 0 <= lambda perp u_n + bias >= 0.
    void add_normal_row(const PointContact& contact, double normal_bias);

    /// Makes blocks of all contacts and patches, computes M^-1 J^T, the diagonal blocks and the step lengths, and adds the
    /// warm start to the velocities. Needed by solvers that read rows; the others read `contacts` directly.
    void prepare();
    /// The same with blocks for the listed contacts only, in the order given, and for all patches.
    void prepare(std::span<const int> contacts_in_rows);
    /// Copies the impulses of the blocks that prepare() made back to contact_impulse and to the patches.
    void store_contact_impulses();
    /// Undoes prepare(), where it was called: the velocities are the free ones again. The next solve starts from the present
    /// impulses of joints and the stored ones of contacts and patches. Call it before changing anything for another solve.
    void reopen();
    /// Solves, and first makes rows where the solver reads them and there are none: all that a caller needs after filling or
    /// changing the problem.
    SolveReport resolve(Solver& solver, const SolveOptions& options, std::vector<double>& history);
    int first_contact_block() const { return first_contact_block_; }
    /// Block index as used in reports: joints first, then contacts by their index in `contacts`, then patches.
    int report_index(int block) const {
        const int k = block - first_contact_block_;
        return k < 0 ? block : first_contact_block_ + contact_of_block_[static_cast<size_t>(k)];
    }
    bool is_prepared() const { return prepared_; }
    /// The island of a block, named by one of its groups. An island is a connected component of the graph whose edges are
    /// the blocks between groups that can move. Valid after prepare() of all contacts.
    int island_of(const Block& block) const {
        int i = inverse_mass[static_cast<size_t>(block.a)] > 0 ? block.a : block.b;
        while (island_parent_[static_cast<size_t>(i)] != i) i = island_parent_[static_cast<size_t>(i)];
        return i;
    }

    /// u of one row at the present velocities.
    double row_velocity(const Block& block, int row) const {
        const auto i = static_cast<size_t>(row);
        return jacobian[i].rate(velocity[static_cast<size_t>(block.a)], velocity[static_cast<size_t>(block.b)]) + bias[i] +
               compliance[i] * impulse[i];
    }
    /// Adds `change` to lambda of the row and applies it to the velocities.
    void add_impulse(const Block& block, int row, double change) {
        const auto i = static_cast<size_t>(row), a = static_cast<size_t>(block.a), b = static_cast<size_t>(block.b);
        impulse[i] += change;
        velocity[a].linear -= (inverse_mass[a] * change) * jacobian[i].linear;
        velocity[b].linear += (inverse_mass[b] * change) * jacobian[i].linear;
        velocity[a].angular += change * response_[i].angular_a;
        velocity[b].angular += change * response_[i].angular_b;
    }
    std::span<const Response> response() const { return response_; }
    const SymBlock& inverse(const Block& block) const { return inverses_[static_cast<size_t>(block.inverse)]; }
    const PatchMatrix& patch_matrix(const Block& block) const { return patch_matrices_[static_cast<size_t>(block.inverse)]; }
    /// W_ii of a block, compliance included.
    SymBlock diagonal_block(const Block& block) const;
    /// One diagonal entry of W, compliance included.
    double diagonal(const Block& block, int row) const;

    /// D(lambda) = lambda . (W lambda/2 + b): the kinetic energy added by the impulses, with the biases counted as work [J].
    /// D = 0 without impulses. Without friction the solution minimises D, and each projected step lowers it.
    double merit() const;

    /// Recomputes the velocities from the impulses. Removes the rounding errors that many sweeps accumulate.
    void refresh_velocities();

  private:
    void append_contact(int contact);
    void append_patches();
    void add_warm_start();
    void prepare_blocks();
    void scale_harmful_warm_start();

    bool prepared_ = false;
    int first_contact_block_ = 0;
    std::vector<int> contact_of_block_;  // per block from first_contact_block_ on; patches are numbered after the contacts
    std::vector<Response> response_;
    std::vector<SymBlock> inverses_;
    std::vector<PatchMatrix> patch_matrices_;
    std::vector<Twist> free_velocity_;
    std::vector<double> free_rate_;  // u of each row at zero impulses
    struct WarmStart {
        double with_free = 0, with_own = 0;  // lambda . b and lambda . W lambda, summed over an island [J]
    };
    std::vector<int> island_parent_;     // per group
    std::vector<WarmStart> warm_start_;  // per group; only the entries of island roots are used
};

/// The natural map of one block at the present velocities [m/s].
double block_residual(const ContactProblem& problem, const Block& block);

/// Whether the present velocity of some block violates its constraint by more than the tolerance while an impulse could
/// reduce the violation. For blocks without friction; needs no prepare().
bool any_violated(const ContactProblem& problem, double tolerance);

/// The largest natural map over all blocks, and the index of that block as returned by report_index().
Residual natural_map_residual(const ContactProblem& problem);

/// Ends a solve: copies the contact impulses back and sets status, residual and worst block of the report from the residual.
/// The status is NotFinite if any velocity is not finite. The residual alone would not show that: a projection can swallow a
/// NaN.
void conclude(SolveReport& report, ContactProblem& problem, const Residual& residual, double tolerance);

}  // namespace asperity::solvers
