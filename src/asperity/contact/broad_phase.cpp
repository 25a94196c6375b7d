#include "asperity/contact/broad_phase.h"

#include <algorithm>

namespace asperity::contact {

void BroadPhase::build(std::vector<Proxy> proxies, std::vector<std::uint64_t> excluded, std::span<const geometry::Aabb> boxes) {
    proxies_ = std::move(proxies);
    excluded_ = std::move(excluded);
    std::sort(excluded_.begin(), excluded_.end());
    tree_.clear();
    unbounded_.clear();
    leaf_.assign(proxies_.size(), -1);
    for (size_t i = 0; i < proxies_.size(); ++i) {
        if (proxies_[i].unbounded)
            unbounded_.push_back(static_cast<int>(i));
        else
            leaf_[i] = tree_.insert(boxes[i], static_cast<int>(i));
    }
}

bool BroadPhase::may_touch(int i, int j) const {
    const Proxy &a = proxies_[static_cast<size_t>(i)], &b = proxies_[static_cast<size_t>(j)];
    if (a.body == b.body || !(a.moves || b.moves)) return false;
    return excluded_.empty() ||
           !std::binary_search(excluded_.begin(), excluded_.end(), pair_key(std::min(a.body, b.body), std::max(a.body, b.body)));
}

void BroadPhase::find_pairs(std::span<const geometry::Aabb> boxes, std::vector<std::uint64_t>& pairs) {
    pairs.clear();
    const int count = static_cast<int>(proxies_.size());
    for (int i = 0; i < count; ++i)
        if (leaf_[static_cast<size_t>(i)] >= 0) tree_.update(leaf_[static_cast<size_t>(i)], boxes[static_cast<size_t>(i)]);

    for (int i = 0; i < count; ++i) {
        if (!proxies_[static_cast<size_t>(i)].moves) continue;
        const geometry::Aabb& box = boxes[static_cast<size_t>(i)];
        // The tree's boxes are fatter than they need be; comparing the true ones makes the result independent of its history.
        const auto visit = [&](int j) {
            if (proxies_[static_cast<size_t>(j)].moves && j <= i) return;   // j finds this pair itself
            if (box.overlaps(boxes[static_cast<size_t>(j)]) && may_touch(i, j)) pairs.push_back(pair_key(std::min(i, j), std::max(i, j)));
        };
        tree_.query(box, visit);
        for (const int j : unbounded_) visit(j);
    }
    std::sort(pairs.begin(), pairs.end());
}

}  // namespace asperity::contact
