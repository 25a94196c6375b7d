#include "asperity/contact/broad_phase.h"

#include <algorithm>
#include <utility>

#include "asperity/core/parallel.h"

namespace asperity::contact {
namespace {

// Least number of colliders in a part. The number of parts is limited, since each part searches the lists of all others.
constexpr int kPartColliders = 256, kLargestPartCount = 64;

/// Branch-free: about half of the stored pairs overlap, in random order.
bool overlap(const geometry::Aabb& a, const geometry::Aabb& b) {
    return (a.low.x <= b.high.x) & (b.low.x <= a.high.x) & (a.low.y <= b.high.y) & (b.low.y <= a.high.y) &
           (a.low.z <= b.high.z) & (b.low.z <= a.high.z);
}

}  // namespace

void BroadPhase::build(std::vector<Proxy> proxies, std::vector<std::uint64_t> excluded,
                       std::span<const geometry::Aabb> boxes) {
    proxies_ = std::move(proxies);
    excluded_ = std::move(excluded);
    std::sort(excluded_.begin(), excluded_.end());
    tree_.clear();
    unbounded_.clear();
    leaf_.assign(proxies_.size(), -1);
    movers_.clear();
    for (size_t i = 0; i < proxies_.size(); ++i) {
        if (proxies_[i].absent) continue;
        if (proxies_[i].unbounded)
            unbounded_.push_back(static_cast<int>(i));
        else
            leaf_[i] = tree_.insert(boxes[i], static_cast<int>(i));
        if (proxies_[i].moves) movers_.push_back(static_cast<int>(i));
    }
    all_new_ = true;
    left_box_.assign(proxies_.size(), 0);

    const int count = static_cast<int>(proxies_.size()), parts = std::clamp(count / kPartColliders, 1, kLargestPartCount);
    parts_.resize(static_cast<size_t>(parts));
    for (int p = 0; p < parts; ++p) {
        Part& part = parts_[static_cast<size_t>(p)];
        part.begin = static_cast<int>(static_cast<std::int64_t>(count) * p / parts);
        part.end = static_cast<int>(static_cast<std::int64_t>(count) * (p + 1) / parts);
        part.near.clear();
    }
}

bool BroadPhase::may_touch(int i, int j) const {
    const Proxy &a = proxies_[static_cast<size_t>(i)], &b = proxies_[static_cast<size_t>(j)];
    if (a.body == b.body || !(a.moves || b.moves)) return false;
    return excluded_.empty() || !std::binary_search(excluded_.begin(), excluded_.end(),
                                                    pair_key(std::min(a.body, b.body), std::max(a.body, b.body)));
}

void BroadPhase::query_again(Part& part) const {
    part.found.clear();
    part.found_below.clear();
    for (int i = part.begin; i < part.end; ++i) {
        if (!left_box_[static_cast<size_t>(i)]) continue;
        const auto first = static_cast<std::ptrdiff_t>(part.found.size());
        tree_.query_leaf(leaf_[static_cast<size_t>(i)], [&](int j) {
            if (left_box_[static_cast<size_t>(j)] && j <= i) return;  // found by the query of j
            if (may_touch(i, j)) (j > i ? part.found : part.found_below).push_back(pair_key(std::min(i, j), std::max(i, j)));
        });
        std::sort(part.found.begin() + first, part.found.end());
    }
    std::sort(part.found_below.begin(), part.found_below.end());
}

/// Removes from part.near the pairs of proxies that queried again, and merges in the results of the queries.
void BroadPhase::merge_found(Part& part) const {
    std::vector<std::uint64_t>&below = part.merged, &fresh = part.touching;  // buffers that are free until compare_boxes()
    below.clear();
    for (const Part& other : parts_) {
        const auto first = std::lower_bound(other.found_below.begin(), other.found_below.end(), pair_key(part.begin, 0));
        below.insert(below.end(), first, std::lower_bound(first, other.found_below.end(), pair_key(part.end, 0)));
    }
    std::sort(below.begin(), below.end());
    fresh.resize(part.found.size() + below.size());
    std::merge(part.found.begin(), part.found.end(), below.begin(), below.end(), fresh.begin());

    part.merged.resize(part.near.size() + fresh.size());
    size_t count = 0;
    auto next = fresh.begin();
    for (const std::uint64_t key : part.near) {
        if (left_box_[pair_low(key)] || left_box_[pair_high(key)]) continue;
        while (next != fresh.end() && *next < key) part.merged[count++] = *next++;
        part.merged[count++] = key;
    }
    part.merged.resize(static_cast<size_t>(
        std::copy(next, fresh.end(), part.merged.begin() + static_cast<std::ptrdiff_t>(count)) - part.merged.begin()));
    std::swap(part.near, part.merged);
}

/// Compares the tight boxes, so that the result does not depend on the fat boxes and thereby on earlier steps.
void BroadPhase::compare_boxes(Part& part, std::span<const geometry::Aabb> boxes) const {
    std::vector<std::uint64_t>&bounded = part.merged, &others = part.found;  // buffers that are free after merge_found()
    bounded.resize(part.near.size());
    size_t count = 0;
    for (const std::uint64_t key : part.near) {
        bounded[count] = key;
        count += static_cast<size_t>(overlap(boxes[pair_low(key)], boxes[pair_high(key)]));
    }
    bounded.resize(count);

    others.clear();
    const auto mover = [&](int least) { return std::lower_bound(movers_.begin(), movers_.end(), least); };
    for (const int j : unbounded_) {
        const auto compare = [&](auto first, auto last) {
            for (; first < last; ++first)
                if (overlap(boxes[static_cast<size_t>(*first)], boxes[static_cast<size_t>(j)]) && may_touch(*first, j))
                    others.push_back(pair_key(std::min(*first, j), std::max(*first, j)));
        };
        compare(mover(part.begin), mover(std::min(part.end, j)));
        if (j >= part.begin && j < part.end) compare(mover(j + 1), movers_.end());
    }
    std::sort(others.begin(), others.end());
    part.touching.resize(bounded.size() + others.size());
    std::merge(bounded.begin(), bounded.end(), others.begin(), others.end(), part.touching.begin());
}

void BroadPhase::find_pairs(std::span<const geometry::Aabb> boxes, std::vector<std::uint64_t>& pairs) {
    changed_.clear();
    tree_.update_all(leaf_, boxes, changed_);
    for (const int i : changed_) left_box_[static_cast<size_t>(i)] = 1;
    if (std::exchange(all_new_, false))
        for (size_t i = 0; i < proxies_.size(); ++i) left_box_[i] = leaf_[i] >= 0;
    const bool any_left = std::find(left_box_.begin(), left_box_.end(), 1) != left_box_.end();
    const auto for_parts = [&](const auto& work) {
        parallel_for(
            static_cast<int>(parts_.size()), [&](int p) { work(parts_[static_cast<size_t>(p)]); }, 1);
    };
    if (any_left) for_parts([&](Part& part) { query_again(part); });
    for_parts([&](Part& part) {
        if (any_left) merge_found(part);
        compare_boxes(part, boxes);
    });
    std::fill(left_box_.begin(), left_box_.end(), 0);

    pairs.clear();
    for (const Part& part : parts_) pairs.insert(pairs.end(), part.touching.begin(), part.touching.end());
}

}  // namespace asperity::contact
