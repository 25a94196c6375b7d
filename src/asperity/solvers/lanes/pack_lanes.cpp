// Assigns contacts to lanes: finds the pairs, then regions, colours and batches.
#include <algorithm>
#include <numeric>
#include <utility>

#include "asperity/core/parallel.h"
#include "asperity/core/prefetch.h"
#include "asperity/solvers/lanes/contact_lanes.h"

namespace asperity::solvers {
namespace {

constexpr int kMaxPoints = 4;        // per lane; a pair with more is split into ranges, which then get different colours
constexpr int kPartContacts = 2048;  // contacts per task

bool fits_lanes(const PointContact& c) {
    return c.rows == 1 || (c.rows == 3 && std::holds_alternative<friction::Ellipse>(c.set));
}

}  // namespace

/// Fills ranges_ and others_ part by part. Each part starts and ends at the border of a pair, so the result does not depend
/// on which thread processes it.
void ContactLanes::find_ranges(const ContactProblem& problem) {
    // a prepared problem has all contacts in rows
    const int count = problem.is_prepared() ? 0 : static_cast<int>(problem.contacts.size());
    const auto contact = [&](int i) -> const PointContact& { return problem.contacts[static_cast<size_t>(i)]; };
    const auto begin_of = [&](int part) {
        int i = std::min(part * kPartContacts, count);
        while (i > 0 && i < count && contact(i).a == contact(i - 1).a && contact(i).b == contact(i - 1).b) ++i;
        return i;
    };
    part_count_ = (count + kPartContacts - 1) / kPartContacts;
    parts_.resize(std::max(parts_.size(), static_cast<size_t>(part_count_)));  // unused parts keep their memory
    parallel_for(
        part_count_,
        [&](int p) {
            Part& part = parts_[static_cast<size_t>(p)];
            part.ranges.clear();
            part.others.clear();
            for (int i = begin_of(p), end = begin_of(p + 1); i < end; ++i) {
                fetch(&contact(i) + kAheadInList, kCacheLine);
                const PointContact& c = contact(i);
                if (!fits_lanes(c)) {
                    part.others.push_back(i);
                    continue;
                }
                PairRange* last = part.ranges.empty() ? nullptr : &part.ranges.back();
                if (last && last->a == c.a && last->b == c.b && last->first + last->count == i && last->count < kMaxPoints)
                    ++last->count;
                else
                    part.ranges.push_back({c.a, c.b, i, 1});
            }
        },
        1);
    others_.clear();
    int ranges = 0;
    for (Part& part : std::span(parts_).first(static_cast<size_t>(part_count_))) {
        part.first_range = ranges;
        ranges += static_cast<int>(part.ranges.size());
        others_.insert(others_.end(), part.others.begin(), part.others.end());
    }
    ranges_.resize(static_cast<size_t>(ranges));
    parallel_for(
        part_count_,
        [&](int p) {
            const Part& part = parts_[static_cast<size_t>(p)];
            std::copy(part.ranges.begin(), part.ranges.end(), ranges_.begin() + part.first_range);
        },
        1);
}

void ContactLanes::find_slots(const ContactProblem& problem) {
    const size_t groups = problem.velocity.size();
    slot_.resize(groups);
    moving_.resize(groups);
    int slots = 1;
    for (size_t g = 0; g < groups; ++g) {
        const Mat3& inertia = problem.inverse_inertia[g];
        moving_[g] = problem.inverse_mass[g] > 0 || inertia.r[0][0] > 0 || inertia.r[1][1] > 0 || inertia.r[2][2] > 0;
        slot_[g] = moving_[g] ? slots++ : 0;
    }
    change_.resize(static_cast<size_t>(slots));
    forget_changes();
}

/// Sorts the ranges into in_node_ by node and sets the first range of each node.
void ContactLanes::sort_into_nodes() {
    tree_.grow(ranges_, moving_);
    nodes_.resize(static_cast<size_t>(tree_.node_count()) + 1);
    in_node_.resize(ranges_.size());
    order_.resize(ranges_.size());
    nodes_.back().first_pair = static_cast<int>(ranges_.size());
    if (tree_.node_count() == 1) {
        nodes_[0].first_pair = 0;
        std::iota(in_node_.begin(), in_node_.end(), 0);
        return;
    }
    const auto node_of = [&](const PairRange& range) { return static_cast<size_t>(tree_.node_of(range)); };
    const std::span<Part> parts = std::span(parts_).first(static_cast<size_t>(part_count_));
    parallel_for(
        part_count_,
        [&](int p) {
            Part& part = parts[static_cast<size_t>(p)];
            part.in_node.assign(static_cast<size_t>(tree_.node_count()), 0);
            for (const PairRange& range : part.ranges) ++part.in_node[node_of(range)];
        },
        1);
    int place = 0;
    for (size_t n = 0; n + 1 < nodes_.size(); ++n) {
        nodes_[n].first_pair = place;
        for (Part& part : parts) place += std::exchange(part.in_node[n], place);
    }
    parallel_for(
        part_count_,
        [&](int p) {
            Part& part = parts[static_cast<size_t>(p)];
            int range = part.first_range;
            for (const PairRange& r : part.ranges) in_node_[static_cast<size_t>(part.in_node[node_of(r)]++)] = range++;
        },
        1);
}

/// Colours the pairs of a node and sorts them by colour, then by number of points, largest first. The indices of its runs,
/// batches and points start at zero; fill_node() adds the offsets.
void ContactLanes::plan_node(int index) {
    Node& node = nodes_[static_cast<size_t>(index)];
    const auto first = static_cast<size_t>(node.first_pair),
               count = static_cast<size_t>(nodes_[static_cast<size_t>(index) + 1].first_pair) - first;
    const std::span<const int> chosen(in_node_.data() + first, count);
    colouring_.colour(ranges_, moving_, chosen);
    constexpr size_t kBuckets = Colouring::kColours * kMaxPoints;
    int bucket[kBuckets + 1] = {};
    const auto bucket_of = [&](int i) {
        return static_cast<size_t>(colouring_.colours()[static_cast<size_t>(i)] * kMaxPoints + kMaxPoints -
                                   ranges_[static_cast<size_t>(i)].count);
    };
    for (const int i : chosen) ++bucket[bucket_of(i) + 1];
    for (size_t k = 0; k < kBuckets; ++k) bucket[k + 1] += bucket[k];
    node.runs.clear();
    node.first_batch = node.first_point = 0;  // hold counts until pack() turns them into offsets
    for (size_t colour = 0; colour < Colouring::kColours; ++colour) {
        const int* begin = &bucket[colour * kMaxPoints];
        const int pairs = begin[kMaxPoints] - begin[0];
        if (pairs == 0) continue;
        // pairs of the last colour may share groups: one pair in each batch
        const bool serial = colour == Colouring::kColours - 1;
        const int lanes = serial ? 1 : kLanes, batches = (pairs + lanes - 1) / lanes;
        node.runs.push_back({node.first_batch, node.first_batch + batches, serial});
        node.first_batch += batches;
        // the first pair of a batch has the largest number of points in it
        for (int pair = 0, k = 0; pair < pairs; pair += lanes) {
            while (begin[0] + pair >= begin[k + 1]) ++k;
            node.first_point += kMaxPoints - k;
        }
    }
    for (const int i : chosen) order_[first + static_cast<size_t>(bucket[bucket_of(i)]++)] = i;
}

void ContactLanes::fill_node(int index) {
    Node& node = nodes_[static_cast<size_t>(index)];
    auto next = static_cast<size_t>(node.first_pair);
    const auto last = static_cast<size_t>(nodes_[static_cast<size_t>(index) + 1].first_pair);
    int points = node.first_point;
    for (Run& run : node.runs) {
        run.begin += node.first_batch;
        run.end += node.first_batch;
        const std::uint8_t colour = colouring_.colours()[static_cast<size_t>(order_[next])];
        for (int k = run.begin; k < run.end; ++k) {
            PairLanes& batch = pairs_[static_cast<size_t>(k)];
            LaneSource& source = sources_[static_cast<size_t>(k)];
            source = {};
            std::fill_n(batch.a, kLanes, 0);
            std::fill_n(batch.b, kLanes, 0);
            batch.first_point = points;
            batch.points = ranges_[static_cast<size_t>(order_[next])].count;
            points += batch.points;
            for (int lane = 0; lane < (run.serial ? 1 : kLanes) && next < last; ++lane, ++next) {
                const auto i = static_cast<size_t>(order_[next]);
                if (colouring_.colours()[i] != colour) break;
                const PairRange& range = ranges_[i];
                source.contact[lane] = range.first;
                source.count[lane] = range.count;
                source.group_a[lane] = range.a;
                source.group_b[lane] = range.b;
                batch.a[lane] = slot_[static_cast<size_t>(range.a)];
                batch.b[lane] = slot_[static_cast<size_t>(range.b)];
            }
        }
    }
}

void ContactLanes::pack(const ContactProblem& problem) {
    find_slots(problem);
    find_ranges(problem);
    sort_into_nodes();
    colouring_.begin(ranges_.size(), moving_.size());
    for (int level = 0; level < tree_.levels(); ++level) {
        const int first = tree_.first_node(level);
        parallel_for(
            tree_.first_node(level + 1) - first, [&](int k) { plan_node(first + k); }, 1);
    }
    int batches = 0, points = 0;
    for (Node& node : nodes_) {
        if (&node == &nodes_.back()) node.first_batch = node.first_point = 0;
        batches += std::exchange(node.first_batch, batches);
        points += std::exchange(node.first_point, points);
    }
    pairs_.resize(static_cast<size_t>(batches));
    sources_.resize(static_cast<size_t>(batches));
    points_.resize(static_cast<size_t>(points));
    friction_.resize(static_cast<size_t>(points));
    parallel_for(
        tree_.node_count(), [&](int node) { fill_node(node); }, 1);
}

}  // namespace asperity::solvers
