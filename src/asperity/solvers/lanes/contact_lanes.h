// Contacts laid out for eight at a time: each lane is a pair of groups, each batch eight pairs of one colour with equally
// many points. Single precision. Velocities are kept as changes against the free ones, so that float's seven digits go to
// what the solver decides.
//
// Friction is solved in axes scaled by the ellipse, t' = mu_t t and b' = mu_b b. There the ellipse is the disc of radius
// lambda_n, and the law is the same: -u in N_K(f) holds for f = (mu_t f'_t, mu_b f'_b) exactly when -u' = -(mu_t u_t, mu_b
// u_b) in N_disc(f').
#pragma once
#include <span>
#include <vector>

#include "asperity/math/lanes.h"
#include "asperity/solvers/iteration/colouring.h"
#include "asperity/solvers/lanes/region_tree.h"
#include "asperity/solvers/problem/contact_problem.h"

namespace asperity::solvers {

// Laid out by who reads it: a sweep passes over all of it, and most of a large pile's sweep is waiting for memory.
struct alignas(32) PairLanes {
    int a[kLanes], b[kLanes];         ///< slots; 0 is at rest and stays so
    Lanes mass_a, mass_b;             ///< inverse [1/kg]
    LanesSym3 inertia_a, inertia_b;   ///< inverse, world axes [1/(kg m^2)]
    int first_point = 0, points = 0;  ///< of the batch
};

/// Where the lanes of a batch come from. Sweeps never ask.
struct LaneSource {
    int group_a[kLanes], group_b[kLanes];  ///< any in an empty lane: nothing happens at its points
    int contact[kLanes], count[kLanes];    ///< the contacts of the lane: the first and how many, 0 in an empty lane
};

/// What sweeps and the position pass read.
struct alignas(64) PointLanes {
    Lanes3 arm_a, arm_b, normal;
    Lanes r_n;             ///< 1 / W_nn [kg]
    Lanes gap_rate, push;  ///< of the position pass alone [m/s, N s]
};

/// What the position pass does not need.
struct alignas(32) FrictionLanes {
    Lanes3 tangent;
    Lanes mu_t, mu_b;
    Lanes bias_n, bias_t, bias_b;  ///< u with no impulse at all, friction in scaled axes [m/s]
    // These say which way a sweep goes, not where it ends, so eight bits of each will do.
    LanePair w_n;                            ///< W_tn and W_bn: what an impulse along the normal does to u_t and u_b [1/kg]
    LanePair inverse_tt_bb, inverse_tb_r_f;  ///< of W_ff in scaled axes: its inverse, and r_f, 1 / its largest eigenvalue
    Lanes lambda_n, lambda_t, lambda_b;      ///< friction in scaled axes [N s]
};

/// The change of a group's velocity so far.
struct alignas(32) SlotTwist {
    float linear[3], unused_1, angular[3], unused_2;
};

/// What impulses meet in a group, inverse.
struct alignas(32) GroupMass {
    float mass, xx, yy, zz, xy, xz, yz, unused;
};

class ContactLanes {
  public:
    /// Colours and packs all contacts but those that lanes cannot take, which go to others().
    void pack(const ContactProblem& problem);
    std::span<const int> others() const { return others_; }

    // Sweeps go level by level through the tree of regions. Nodes of a level are independent of each other, and so are the
    // batches of a run.
    int level_count() const { return tree_.levels(); }
    int first_node(int level) const { return tree_.first_node(level); }  ///< of level_count(): the end of all nodes
    struct Run {                                                         ///< batches of one colour within a node
        int begin, end;
        bool serial;  ///< these are not independent
    };
    std::span<const Run> runs(int node) const { return nodes_[static_cast<size_t>(node)].runs; }
    int batch_count() const { return static_cast<int>(pairs_.size()); }

    /// Reads masses and velocities of the groups: what is there without the impulses of the contacts in lanes, warm starts
    /// of other blocks included.
    void bind_groups(const ContactProblem& problem);

    // All of these work on one batch, and may run at the same time on batches of one colour.
    /// biases and step lengths; changes of velocity must be zero
    void bind(int batch, const ContactProblem& problem);
    void warm_start(int batch, int batches);
    /// returns the largest |change| / r [m/s], if it is to be measured
    float sweep(int batch, int batches, bool measure);
    float residual(int batch, int& worst_contact) const;  ///< of the natural map [m/s]
    /// For the position pass; returns the largest speed at which a gap would close too far with no push at all [m/s].
    float bind_positions(int batch, std::span<const double> gap_rate);
    float sweep_positions(int batch, int batches);
    void store_impulses(int batch, ContactProblem& problem) const;

    /// Begins a position pass, in which the groups move so if nothing is pushed.
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
    std::vector<SlotTwist> motion_;        // per group: the velocity without impulses
    std::vector<int> slot_;                // per group
    std::vector<int> others_;
    struct Node {
        std::vector<Run> runs;
        int first_pair = 0, first_batch = 0, first_point = 0;  // of the node; the last node is empty and says where all end
    };
    RegionTree tree_;
    std::vector<Node> nodes_;
    // scratch of pack()
    Colouring colouring_;
    struct Part {
        std::vector<PairRange> ranges;
        std::vector<int> others;
        int first_range = 0;  // in ranges_
        // per node: how many of the ranges, then where they begin in in_node_
        std::vector<int> in_node;
    };
    std::vector<Part> parts_;
    int part_count_ = 0;
    std::vector<PairRange> ranges_;
    std::vector<char> moving_;
    std::vector<int> in_node_, order_;  // pairs, sorted by nodes; and by colours and points within them
};

}  // namespace asperity::solvers
