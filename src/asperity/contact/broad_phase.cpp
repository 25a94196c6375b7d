#include "asperity/contact/broad_phase.h"

#include <algorithm>

#include "asperity/core/parallel.h"

namespace asperity::contact {
namespace {

/// Half of the stored pairs overlap, in no order: without branches.
bool overlap(const geometry::Aabb& a, const geometry::Aabb& b) {
    return (a.low.x <= b.high.x) & (b.low.x <= a.high.x) & (a.low.y <= b.high.y) & (b.low.y <= a.high.y) & (a.low.z <= b.high.z) & (b.low.z <= a.high.z);
}

}  // namespace

void BroadPhase::build(std::vector<Proxy> proxies, std::vector<std::uint64_t> excluded, std::span<const geometry::Aabb> boxes) {
    proxies_ = std::move(proxies);
    excluded_ = std::move(excluded);
    std::sort(excluded_.begin(), excluded_.end());
    tree_.clear();
    unbounded_.clear();
    leaf_.assign(proxies_.size(), -1);
    left_box_.assign(proxies_.size(), 0);
    near_.clear();
    movers_.clear();
    who_left_.clear();
    for (size_t i = 0; i < proxies_.size(); ++i) {
        if (proxies_[i].unbounded)
            unbounded_.push_back(static_cast<int>(i));
        else
            leaf_[i] = tree_.insert(boxes[i], static_cast<int>(i));
        if (proxies_[i].moves) movers_.push_back(static_cast<int>(i));
    }
    for (size_t i = 0; i < proxies_.size(); ++i)   // all are new
        if (leaf_[i] >= 0) {
            left_box_[i] = 1;
            who_left_.push_back(static_cast<int>(i));
        }
}

bool BroadPhase::may_touch(int i, int j) const {
    const Proxy &a = proxies_[static_cast<size_t>(i)], &b = proxies_[static_cast<size_t>(j)];
    if (a.body == b.body || !(a.moves || b.moves)) return false;
    return excluded_.empty() ||
           !std::binary_search(excluded_.begin(), excluded_.end(), pair_key(std::min(a.body, b.body), std::max(a.body, b.body)));
}

void BroadPhase::query_moved() {
    constexpr int kChunk = 128;
    const int chunks = (static_cast<int>(who_left_.size()) + kChunk - 1) / kChunk;
    found_.resize(std::max(found_.size(), static_cast<size_t>(chunks)));
    parallel_for(
        chunks,
        [&](int c) {
            Found& found = found_[static_cast<size_t>(c)];
            found.above.clear();
            found.below.clear();
            const int end = std::min((c + 1) * kChunk, static_cast<int>(who_left_.size()));
            for (int k = c * kChunk; k < end; ++k) {
                const int i = who_left_[static_cast<size_t>(k)];
                const auto first = static_cast<std::ptrdiff_t>(found.above.size());
                tree_.query_leaf(leaf_[static_cast<size_t>(i)], [&](int j) {
                    if (left_box_[static_cast<size_t>(j)] && j <= i) return;   // j finds this pair itself
                    if (may_touch(i, j)) (j > i ? found.above : found.below).push_back(pair_key(std::min(i, j), std::max(i, j)));
                });
                std::sort(found.above.begin() + first, found.above.end());
            }
        },
        1);
    // who_left_ ascends, and so do the pairs with a higher partner, from end to end; only the others are out of order
    std::vector<std::uint64_t>&above = merged_, &below = below_;
    above.clear();
    below.clear();
    for (int c = 0; c < chunks; ++c) {
        const Found& found = found_[static_cast<size_t>(c)];
        above.insert(above.end(), found.above.begin(), found.above.end());
        below.insert(below.end(), found.below.begin(), found.below.end());
    }
    std::sort(below.begin(), below.end());
    fresh_.resize(above.size() + below.size());
    std::merge(above.begin(), above.end(), below.begin(), below.end(), fresh_.begin());
}

/// near_ without the pairs of those that looked again, and with what they found.
void BroadPhase::merge_found() {
    merged_.resize(near_.size() + fresh_.size());
    size_t count = 0;
    auto next = fresh_.begin();
    for (const std::uint64_t key : near_) {
        if (left_box_[static_cast<size_t>(key >> 32)] || left_box_[static_cast<size_t>(key & 0xffffffffU)]) continue;
        while (next != fresh_.end() && *next < key) merged_[count++] = *next++;
        merged_[count++] = key;
    }
    merged_.resize(static_cast<size_t>(std::copy(next, fresh_.end(), merged_.begin() + static_cast<std::ptrdiff_t>(count)) - merged_.begin()));
    std::swap(near_, merged_);
}

void BroadPhase::find_pairs(std::span<const geometry::Aabb> boxes, std::vector<std::uint64_t>& pairs) {
    changed_.clear();
    tree_.update_all(leaf_, boxes, changed_);
    for (const int i : changed_) {
        if (left_box_[static_cast<size_t>(i)]) continue;
        left_box_[static_cast<size_t>(i)] = 1;
        who_left_.push_back(i);
    }
    if (!who_left_.empty()) {
        query_moved();
        merge_found();
        for (const int i : who_left_) left_box_[static_cast<size_t>(i)] = 0;
        who_left_.clear();
    }

    // Comparing the true boxes makes the result independent of what is stored, and so of the past.
    merged_.resize(near_.size());
    overlaps_.resize(near_.size());
    parallel_for(static_cast<int>(near_.size()), [&](int k) {
        const std::uint64_t key = near_[static_cast<size_t>(k)];
        overlaps_[static_cast<size_t>(k)] = overlap(boxes[static_cast<size_t>(key >> 32)], boxes[static_cast<size_t>(key & 0xffffffffU)]);
    }, 2048);
    size_t count = 0;
    for (size_t k = 0; k < near_.size(); ++k) {
        merged_[count] = near_[k];
        count += static_cast<size_t>(overlaps_[k]);
    }
    merged_.resize(count);
    fresh_.clear();
    for (const int j : unbounded_)
        for (const int i : movers_)
            if (boxes[static_cast<size_t>(i)].overlaps(boxes[static_cast<size_t>(j)]) && may_touch(i, j))
                fresh_.push_back(pair_key(std::min(i, j), std::max(i, j)));
    std::sort(fresh_.begin(), fresh_.end());
    pairs.resize(merged_.size() + fresh_.size());
    std::merge(merged_.begin(), merged_.end(), fresh_.begin(), fresh_.end(), pairs.begin());
}

}  // namespace asperity::contact
