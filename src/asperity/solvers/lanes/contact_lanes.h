// Contacts arranged for SIMD, eight at a time. Each lane is a pair of groups. Each batch is eight pairs of one colour with
// about equally many points. Single precision: velocities are stored as changes from the free velocities, so that the seven
// digits of a float resolve the changes that the solver makes.
//
// Friction is solved in axes scaled by the ellipse, t' = mu_t t and b' = mu_b b. There the ellipse is the disc of radius
// lambda_n, and the law has the same form: -u in N_K(f) holds for f = (mu_t f'_t, mu_b f'_b) exactly when -u' = -(mu_t u_t,
// mu_b u_b) in N_disc(f').
#pragma once
#include <span>
#include <vector>

#include "asperity/math/lanes.h"
#include "asperity/solvers/iteration/colouring.h"
#include "asperity/solvers/lanes/region_tree.h"
#include "asperity/solvers/problem/contact_problem.h"

namespace asperity::solvers {

// Data is split by reader. A sweep reads all of its data once, and in a large pile most of that time is waiting for memory.
struct alignas(32) PairLanes {
    int a[kLanes], b[kLanes];         ///< slots; slot 0 is at rest and is never written
    Lanes mass_a, mass_b;             ///< inverse masses [1/kg]
    LanesSym3 inertia_a, inertia_b;   ///< inverse inertias, world axes [1/(kg m^2)]
    int first_point = 0, points = 0;  ///< points of the batch
};

/// The groups and contacts from which the lanes of a batch were filled. Not read by sweeps.
struct LaneSource {
    int group_a[kLanes], group_b[kLanes];  ///< in an empty lane any group: its points have no effect
    int contact[kLanes], count[kLanes];    ///< first contact and number of contacts of the lane; 0 contacts in an empty lane
};

/// Data read by both velocity sweeps and the position pass.
struct alignas(64) PointLanes {
    Lanes3 arm_a, arm_b, normal;
    Lanes r_n;             ///< 1 / W_nn [kg]
    Lanes gap_rate, push;  ///< gap rate and impulse of the position pass [m/s, N s]
};

/// Data read by velocity sweeps only.
struct alignas(32) FrictionLanes {
    Lanes3 tangent;
    Lanes mu_t, mu_b;
    Lanes bias_n, bias_t, bias_b;  ///< u at zero impulses, friction in scaled axes [m/s]
    // The next two set the step of a sweep but not its fixed point, so eight bits of each mantissa suffice.
    LanePair w_n;                            ///< W_tn and W_bn: change of u_t and u_b per unit of normal impulse [1/kg]
    LanePair inverse_tt_bb, inverse_tb_r_f;  ///< inverse of W_ff in scaled axes; r_f = 1 / its largest eigenvalue
    Lanes lambda_n, lambda_t, lambda_b;      ///< impulses, friction in scaled axes [N s]
};

/// The change of a group's velocity since the start of the solve.
struct alignas(32) SlotTwist {
    float linear[3], unused_1, angular[3], unused_2;
};

/// Inverse mass and inverse inertia of a group.
struct alignas(32) GroupMass {
    float mass, xx, yy, zz, xy, xz, yz, unused;
};

class ContactLanes {
  public:
    /// Colours and packs all contacts that lanes support; lists the rest in others().
    void pack(const ContactProblem& problem);
    std::span<const int> others() const { return others_; }

    // Sweeps visit the levels of the region tree in order. The nodes of a level are independent of each other, and so are
    // the batches of a run unless it is serial.
    int level_count() const { return tree_.levels(); }
    int first_node(int level) const { return tree_.first_node(level); }  ///< level_count() gives the end of all nodes
    struct Run {                                                         ///< batches of one colour within a node
        int begin, end;
        bool serial;  ///< batches are not independent
    };
    std::span<const Run> runs(int node) const { return nodes_[static_cast<size_t>(node)].runs; }
    int batch_count() const { return static_cast<int>(pairs_.size()); }

    /// Reads masses and velocities of the groups. The velocities exclude the impulses of contacts in lanes and include the
    /// warm start of all other blocks.
    void bind_groups(const ContactProblem& problem);

    // Each of these works on one batch (or two); batches of one colour may be processed concurrently.
    /// computes biases and step lengths; the velocity changes must be zero
    void bind(int batch, const ContactProblem& problem);
    void warm_start(int batch, int batches);
    /// returns the largest |change| / r [m/s] if `measure` is true
    float sweep(int batch, int batches, bool measure);
    float residual(int batch, int& worst_contact) const;  ///< largest natural map [m/s]
    /// For the position pass; returns the largest violation of a gap constraint at zero impulses [m/s].
    float bind_positions(int batch, std::span<const double> gap_rate);
    float sweep_positions(int batch, int batches);
    void store_impulses(int batch, ContactProblem& problem) const;

    /// Starts a position pass. `motion` is the groups' velocity at zero impulses.
    void begin_positions(std::span<const Twist> motion);
    Twist change(int group) const;
    void add_change(int group, const Twist& change);

  private:
    void forget_changes();
    template <class Ahead, class Work>
    float for_points(int batch, int batches, const Ahead& ahead, const Work& work);
    void find_slots(const ContactProblem& problem);
    void find_ranges(const ContactProblem& problem);
    void sort_into_nodes();
    void plan_node(int node);
    void fill_node(int node);
    void fetch_contacts(int batch, const ContactProblem& problem) const;
    bool moves(int group) const { return slot_[static_cast<size_t>(group)] != 0; }

    std::vector<PairLanes> pairs_;
    std::vector<LaneSource> sources_;  // per batch
    std::vector<PointLanes> points_;
    std::vector<FrictionLanes> friction_;  // per point
    std::vector<SlotTwist> change_;        // per slot
    std::vector<GroupMass> mass_;          // per group
    std::vector<SlotTwist> motion_;        // per group: velocity at zero impulses
    std::vector<int> slot_;                // per group
    std::vector<int> others_;
    struct Node {
        std::vector<Run> runs;
        int first_pair = 0, first_batch = 0, first_point = 0;  // first of the node; the last node is empty and marks the end
    };
    RegionTree tree_;
    std::vector<Node> nodes_;
    // working memory of pack()
    Colouring colouring_;
    struct Part {
        std::vector<PairRange> ranges;
        std::vector<int> others;
        int first_range = 0;  // index in ranges_
        // per node: the number of the part's ranges, later the index in in_node_ of the first of them
        std::vector<int> in_node;
    };
    std::vector<Part> parts_;
    int part_count_ = 0;
    std::vector<PairRange> ranges_;
    std::vector<char> moving_;
    std::vector<int> in_node_, order_;  // pairs by node; and by colour and number of points within each
};

}  // namespace asperity::solvers
