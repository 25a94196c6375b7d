// Broad phase: all pairs of colliders whose boxes overlap, in an order that depends on the boxes only.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "asperity/contact/pair_key.h"
#include "asperity/contact/tree.h"

namespace asperity::contact {

class BroadPhase {
  public:
    struct Proxy {
        int body = -1;
        bool moves = false;      ///< dynamic; two proxies that do not move make no pair
        bool unbounded = false;  ///< half-spaces: kept outside the tree, since their boxes are infinite
        bool absent = false;     ///< of a removed body: in no pair
    };
    /// `excluded`: pairs of bodies that never touch (joined ones), as pair_key(smaller, larger).
    void build(std::vector<Proxy> proxies, std::vector<std::uint64_t> excluded, std::span<const geometry::Aabb> boxes);
    /// Writes the keys of all overlapping pairs, smaller collider first, in ascending order.
    void find_pairs(std::span<const geometry::Aabb> boxes, std::vector<std::uint64_t>& pairs);

  private:
    // Work unit of a thread: colliders [begin, end), and the pairs whose first collider is among them.
    struct Part {
        int begin = 0, end = 0;
        // Pairs whose fat boxes overlap, kept between steps, sorted. Only proxies that have left their fat box query the
        // tree again.
        std::vector<std::uint64_t> near;
        // results of those queries: pairs with a higher, and with a lower partner
        std::vector<std::uint64_t> found, found_below;
        std::vector<std::uint64_t> merged, touching;
    };
    bool may_touch(int i, int j) const;
    void query_again(Part& part) const;
    void merge_found(Part& part) const;
    void compare_boxes(Part& part, std::span<const geometry::Aabb> boxes) const;

    DynamicTree tree_;
    std::vector<Proxy> proxies_;
    std::vector<int> leaf_;
    std::vector<int> unbounded_;
    std::vector<std::uint64_t> excluded_;
    std::vector<Part> parts_;
    std::vector<int> movers_;
    bool all_new_ = false;
    std::vector<char> left_box_;  // per proxy: has left its fat box in this step
    std::vector<int> changed_;
};

}  // namespace asperity::contact
