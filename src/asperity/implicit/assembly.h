// Gradient and Hessian of the incremental potential, as blocks on the graph of nodes. Elements are visited in chunks; chunks
// of one colour share no node, so they run at the same time, and every block receives its parts in the same order on any
// number of threads.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "asperity/deform/element_blocks.h"
#include "asperity/implicit/model.h"
#include "asperity/ipc/barrier.h"
#include "asperity/ipc/collisions.h"
#include "asperity/linear/block_pattern.h"

namespace asperity::implicit {

template <int Dim>
struct Attempt;
template <int Dim>
struct Configuration;

struct FrictionContact;
enum class FrictionStiffness;

template <int Dim>
class Assembly {
  public:
    static constexpr int kBlock = Dim * Dim;

    /// Elastic elements and affine bodies: the pattern that never changes.
    void prepare(const Model<Dim>& model);
    /// Forgets the contacts of earlier attempts, so that the pattern depends on this attempt alone.
    void begin();
    const linear::BlockPattern& base() const { return base_; }
    const linear::BlockPattern& pattern() const { return pattern_; }
    std::span<const double> values() const { return values_; }
    std::span<const Vector<Dim>> gradient() const { return gradient_; }
    /// Change of the gradient when obstacles go the rest of their way, to first order in the active contacts. Without this
    /// term the Newton direction would ignore their motion: bodies would give way only as gaps close, by a factor of ten in
    /// each iteration.
    std::span<const Vector<Dim>> obstacle_gradient() const { return obstacle_gradient_; }

    /// Stiffness of the elements alone at x, eigenvalues clamped, on the base pattern: for Rayleigh damping.
    void stiffness(const Model<Dim>& model, std::span<const Vector<Dim>> x, std::vector<double>& values);
    /// y^T K y and K y for such values; out may be empty.
    double quadratic(std::span<const double> values, std::span<const Vector<Dim>> y, std::span<Vector<Dim>> out) const;

    /// The gradient alone, or with the Hessian. `clamp`: negative eigenvalues of contacts are set to zero.
    /// `friction_stiffness`: None for the gradient alone.
    void assemble(const Model<Dim>& model, const Attempt<Dim>& attempt, const Configuration<Dim>& at,
                  const ipc::Barrier& barrier, std::span<const FrictionContact> friction, deform::Projection projection,
                  bool hessian, bool clamp = true, FrictionStiffness friction_stiffness = {});
    /// Moves the prescribed part of the direction to the right-hand side, and replaces rows and columns of prescribed nodes
    /// by those of the identity.
    void prescribe(const Model<Dim>& model, std::span<const Vector<Dim>> direction, std::vector<double>& right_hand_side);
    /// Takes a force that assemble() does not know from the gradient [N].
    void add_force(int node, const Vector<Dim>& force) { gradient_[static_cast<std::size_t>(node)] -= force; }
    /// Contact forces alone, per surface vertex: minus the gradient of the barrier.
    void contact_gradient(const Model<Dim>& model, const Attempt<Dim>& attempt, const Configuration<Dim>& at,
                          const ipc::Barrier& barrier, std::vector<ipc::LocalContact<Dim>>& out) const;

  private:
    struct Chunk {
        int first, last;  // elements
    };
    void colour(const Model<Dim>& model);
    void add_element(const Model<Dim>& model, int element, int lane, const deform::ElementBlocks<Dim>& blocks,
                     std::span<const int> entry_of_base, std::vector<double>& values) const;
    void add_elements(const Model<Dim>& model, std::span<const Vector<Dim>> x, deform::Projection projection,
                      std::span<const int> entry_of_base, std::vector<double>& values);
    void add_contacts(const Model<Dim>& model, const Attempt<Dim>& attempt, const Configuration<Dim>& at,
                      const ipc::Barrier& barrier, bool hessian, bool clamp);
    void add_mass_coupling(const Model<Dim>& model, double inertia, double rate);
    void add_attachments(const Model<Dim>& model, const Attempt<Dim>& attempt, const Configuration<Dim>& at, bool hessian);
    void add_friction(const Model<Dim>& model, const Attempt<Dim>& attempt, const Configuration<Dim>& at,
                      std::span<const FrictionContact> friction, FrictionStiffness stiffness);
    void find_pattern(const Model<Dim>& model, const Configuration<Dim>& at, std::span<const FrictionContact> friction);
    double* block(int row, int column);

    linear::BlockPattern base_, pattern_;
    std::vector<int> entry_of_base_;                                           // entries of base_ in pattern_
    std::vector<int> no_offset_;                                               // the identity, for the base alone
    std::vector<std::array<int, (Dim + 1) * (Dim + 2) / 2>> element_entries_;  // in base_
    std::vector<std::vector<Chunk>> colours_;
    std::vector<int> gather_start_, gather_;  // slots of element gradients of each node
    std::vector<Vector<Dim>> element_gradient_;
    std::vector<std::pair<int, int>> extra_, needed_;  // entries of contacts, row and column
    std::vector<ipc::LocalContact<Dim>> local_;
    std::vector<Vector<Dim>> gradient_, obstacle_gradient_, difference_;
    std::vector<double> values_;
};

}  // namespace asperity::implicit
