// The contact problem: u = W lambda + b with each block's lambda in its set. The second narrow waist of the engine.
// Matrix-free: W = J M^-1 J^T is never formed; the velocities that lambda has caused so far are kept up to date instead.
// Knows groups of six velocities, matrices and sets; never bodies, shapes or scenes.
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

/// Six velocities that move together.
struct Twist {
    Vec3 linear, angular;
};

/// One row of J. Action equals reaction: what pushes b along `linear` pushes a along -linear, so one vector serves both.
struct Row {
    Vec3 linear, angular_a, angular_b;

    /// J v of the row.
    double rate(const Twist& a, const Twist& b) const {
        return dot(linear, b.linear - a.linear) + dot(angular_a, a.angular) + dot(angular_b, b.angular);
    }
};

/// The angular part of the same row of M^-1 J^T; the linear part is linear / mass.
struct Response {
    Vec3 angular_a, angular_b;
};

/// A touching point, in the form that is quick to write: one arm per group and the axes of the limit surface. prepare()
/// makes a block of it: row 0 along the normal, rows 1 and 2 along t and b = normal x t, row 3 the turn about the normal.
/// Three cache lines, for lists that do not fit into the cache: what it is, its axes, its arms.
struct alignas(64) PointContact {
    int a = 0, b = 0;  ///< velocity groups
    /// 1 (frictionless), 3 or 4 (with drilling); 0 where a patch carries its load and it only keeps poses apart
    int rows = 3;
    friction::LimitSet set = friction::Ellipse{0, 0};
    double drilling_length = 1;  ///< the drilling row is this times the turn, so that its velocity is in m/s [m]
    Vec3 normal, t;              ///< unit; the normal points from a to b
    Vec3 arm_a, arm_b;           ///< from each group's centre to the point [m]
    double bias[3] = {};         ///< of rows 0 to 2 [m/s]
};
static_assert(sizeof(PointContact) == 192);

/// Along a contact's rows; zero beyond them [N s].
using ContactImpulse = std::array<double, 4>;

/// A touching patch. prepare() makes a block of it, with the rows of patch_block.h.
struct PatchContact {
    int a = 0, b = 0;                    ///< velocity groups
    friction::PatchLimits limits;        ///< in units of `length`
    Vec3 normal, t, u;                   ///< unit; t of the friction law, u of the region of pressure
    Vec3 arm_a, arm_b;                   ///< from each group's centre to the patch's [m]
    double length = 1;                   ///< turns are multiplied by it, torques divided [m]
    double bias[kPatchRows] = {};        ///< [m/s]
    double compliance[kPatchRows] = {};  ///< [1/kg]
    double impulse[kPatchRows] = {};     ///< warm start on entry, solution on return [N s]

    Row row(int k) const;
};

class ContactProblem {
  public:
    /// Forgets all blocks. There will be so many groups, contacts and patches, for the caller to fill from end to end; of a
    /// new problem the groups are at rest and feel nothing.
    void reset(int group_count, int contact_count = 0, int patch_count = 0);

    // What the builder fills. Groups: a group with zero inverse mass and inertia moves as it likes and feels nothing.
    /// free velocity on entry, with prepare() plus the warm start, at last the solution
    std::vector<Twist> velocity;
    std::vector<double> inverse_mass;   ///< [1/kg]
    std::vector<Mat3> inverse_inertia;  ///< world axes [1/(kg m^2)]
    std::vector<PointContact> contacts;
    /// per contact: warm start on entry, solution on return; zero where the list ends early
    std::vector<ContactImpulse> contact_impulse;
    std::vector<PatchContact> patches;
    std::vector<Block> blocks;  ///< joints; prepare() appends the contacts in their order, then the patches
    std::vector<Row> jacobian;
    std::vector<double> bias;        ///< u = J v + bias + compliance * lambda: minus the wanted velocity [m/s]
    std::vector<double> compliance;  ///< [1/kg]
    std::vector<double> impulse;     ///< lambda: warm start on entry, solution on return [N s]

    /// Appends a block with zero rows for the caller to fill.
    Block& add_block(BlockKind kind, int rows, int a, int b);

    /// Appends the normal row of a contact as a block of its own: 0 <= lambda perp u_n + bias >= 0.
    void add_normal_row(const PointContact& contact, double normal_bias);

    /// Makes blocks of all contacts, computes M^-1 J^T, the diagonal blocks and step lengths, and applies the warm start to
    /// the velocities. For solvers that read rows; others take the contacts as they are.
    void prepare();
    /// The same with blocks for only those contacts, the block of each appended in the order given, and for all patches.
    void prepare(std::span<const int> contacts_in_rows);
    /// Impulses of the blocks that prepare() made of contacts, back to where they came from.
    void store_contact_impulses();
    /// Undoes prepare(), where it was called: the velocities are the free ones again, the solution so far is the warm start.
    /// Call it before anything is changed for another solve.
    void reopen();
    /// Solves, and first makes rows where the solver reads them and there are none: all that a caller needs after filling or
    /// changing the problem.
    SolveReport resolve(Solver& solver, const SolveOptions& options, std::vector<double>& history);
    int first_contact_block() const { return first_contact_block_; }
    /// What a report calls a block: joints as they are, contacts by their place in `contacts` after them, then patches.
    int reported(int block) const {
        const int k = block - first_contact_block_;
        return k < 0 ? block : first_contact_block_ + contact_of_block_[static_cast<size_t>(k)];
    }
    bool is_prepared() const { return prepared_; }
    /// The island of a block, what hangs together by blocks between groups that move; named by one of its groups. After
    /// prepare() of all contacts.
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
    /// lambda_row += change, and the velocities follow.
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

    /// D(lambda) = lambda . (W lambda/2 + b): what the impulses have added to the kinetic energy, the demands counted as
    /// work [J]. It is zero without impulses, and the least at the solution where nothing rubs; there each projected step
    /// lowers it.
    double merit() const;

    /// Velocities recomputed from the impulses instead of being kept up to date: removes the rounding of many sweeps.
    void refresh_velocities();

  private:
    void append_contact(int contact);
    void append_patches();
    void add_warm_start();
    void prepare_blocks();
    void drop_harmful_warm_start();

    bool prepared_ = false;
    int first_contact_block_ = 0;
    std::vector<int> contact_of_block_;  // from first_contact_block_ on; patches are numbered after the contacts
    std::vector<Response> response_;
    std::vector<SymBlock> inverses_;
    std::vector<PatchMatrix> patch_matrices_;
    std::vector<Twist> free_velocity_;
    std::vector<double> free_rate_;  // u of each row without impulses
    struct WarmStart {
        double with_free = 0, with_own = 0;  // lambda . b and lambda . W lambda of an island [J]
    };
    std::vector<int> island_parent_;     // per group
    std::vector<WarmStart> warm_start_;  // per group, used at the roots
};

/// The natural map of one block at the present velocities [m/s].
double block_residual(const ContactProblem& problem, const Block& block);

/// Whether some block's velocity, as it is now, breaks its demand by more than the tolerance although an impulse could help.
/// For blocks without friction; needs no prepare().
bool any_broken(const ContactProblem& problem, double tolerance);

/// The largest over all blocks, and which block it is, as reported() calls it.
Residual natural_map_residual(const ContactProblem& problem);

/// Ends a solve: contact impulses go back to their contacts; status, residual and worst block of the report follow from the
/// residual. A velocity that is not finite makes the whole solution NotFinite: projections can swallow a NaN, so the
/// residual alone would not show it.
void conclude(SolveReport& report, ContactProblem& problem, const Residual& residual, double tolerance);

}  // namespace asperity::solvers
