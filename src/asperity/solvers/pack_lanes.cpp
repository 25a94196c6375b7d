// Which contact goes into which lane: pairs, colours, batches.
#include <algorithm>

#include "asperity/core/parallel.h"
#include "asperity/core/prefetch.h"
#include "asperity/solvers/contact_lanes.h"

namespace asperity::solvers {
namespace {

constexpr int kMaxPoints = 4;   // per lane; pairs with more are split, which puts their parts into different colours
constexpr int kPartContacts = 2048;   // that a thread looks at in one go
// Pairs per region at least: where regions meet, batches mix pairs with many and with few points, and lanes stay empty.
constexpr int kRegionPairs = 4096, kMaxRegions = 8;

bool fits_lanes(const PointContact& c) {
    return c.rows == 1 || (c.rows == 3 && std::holds_alternative<friction::Ellipse>(c.set));
}

}  // namespace

/// Lists ranges_ and others_: part by part, each from the beginning of a pair to that of another, so that it does not matter who makes which.
void ContactLanes::find_ranges(const ContactProblem& problem) {
    const int count = problem.is_prepared() ? 0 : static_cast<int>(problem.contacts.size());   // prepared: all are rows already
    const auto contact = [&](int i) -> const PointContact& { return problem.contacts[static_cast<size_t>(i)]; };
    const auto begin_of = [&](int part) {
        int i = std::min(part * kPartContacts, count);
        while (i > 0 && i < count && contact(i).a == contact(i - 1).a && contact(i).b == contact(i - 1).b) ++i;
        return i;
    };
    const int parts = (count + kPartContacts - 1) / kPartContacts;
    parts_.resize(std::max(parts_.size(), static_cast<size_t>(parts)));
    parallel_for(parts, [&](int p) {
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
    }, 1);
    ranges_.clear();
    others_.clear();
    for (int p = 0; p < parts; ++p) {
        const Part& part = parts_[static_cast<size_t>(p)];
        ranges_.insert(ranges_.end(), part.ranges.begin(), part.ranges.end());
        others_.insert(others_.end(), part.others.begin(), part.others.end());
    }
}

/// Regions are those of the groups' numbers, which are neighbours in space as a rule, with as many pairs each. Pairs belong to their first group that moves.
void ContactLanes::find_regions(size_t groups) {
    regions_ = std::clamp(static_cast<int>(ranges_.size()) / kRegionPairs, 1, kMaxRegions);
    region_of_.assign(groups, 0);
    for (int r = 1; r < regions_; ++r) {
        const PairRange& range = ranges_[ranges_.size() * static_cast<size_t>(r) / static_cast<size_t>(regions_)];   // in the order of their groups, nearly
        const int group = moving_[static_cast<size_t>(range.a)] ? range.a : range.b;
        std::fill(region_of_.begin() + group, region_of_.end(), static_cast<char>(r));
    }
}

int ContactLanes::part_begin(int colour, int k, int parts) const {
    const int* first = &region_first_[static_cast<size_t>(colour * (regions_ + 1))];
    const int region = k * regions_ / parts, rest = k * regions_ % parts;   // a part may begin within a region
    return first[region] + (rest == 0 ? 0 : (first[region + 1] - first[region]) * rest / parts);
}

void ContactLanes::pack(const ContactProblem& problem) {
    const size_t groups = problem.velocity.size();
    slot_.resize(groups);
    moving_.resize(groups);
    int slots = 1;
    for (size_t g = 0; g < groups; ++g) {
        const Mat3& inertia = problem.inverse_inertia[g];
        moving_[g] = problem.inverse_mass[g] > 0 || inertia.r[0][0] > 0 || inertia.r[1][1] > 0 || inertia.r[2][2] > 0;
        slot_[g] = moving_[g] ? slots++ : 0;
    }
    change_.assign(static_cast<size_t>(slots), {});

    find_ranges(problem);
    colouring_.colour(ranges_, moving_);

    // Sorted by colour, then by region, then by the number of points, largest first: a counting sort. In all colours the same thread meets the groups of a region.
    find_regions(groups);
    const auto region_of = [&](const PairRange& range) { return region_of_[static_cast<size_t>(moving_[static_cast<size_t>(range.a)] ? range.a : range.b)]; };
    const auto buckets = static_cast<size_t>(Colouring::kColours * regions_ * kMaxPoints);
    bucket_.assign(buckets + 1, 0);
    const auto bucket_of = [&](size_t i) {
        const PairRange& range = ranges_[i];
        return static_cast<size_t>((colouring_.colours()[i] * regions_ + region_of(range)) * kMaxPoints + kMaxPoints - range.count);
    };
    for (size_t i = 0; i < ranges_.size(); ++i) ++bucket_[bucket_of(i) + 1];
    for (size_t k = 0; k < buckets; ++k) bucket_[k + 1] += bucket_[k];
    order_.resize(ranges_.size());
    for (size_t i = 0; i < ranges_.size(); ++i) order_[static_cast<size_t>(bucket_[bucket_of(i)]++)] = static_cast<int>(i);

    pairs_.clear();
    sources_.clear();
    colour_first_.clear();
    region_first_.clear();
    serial_colour_ = -1;
    int points = 0, last_colour = -1, lane = 0;
    const auto end_regions = [&] { region_first_.resize(colour_first_.size() * static_cast<size_t>(regions_ + 1), static_cast<int>(pairs_.size())); };
    for (size_t k = 0; k < order_.size(); ++k) {
        const auto range = static_cast<size_t>(order_[k]);
        const int colour = colouring_.colours()[range];
        const bool alone = colour == Colouring::kColours - 1;   // pairs of this colour may share groups
        if (colour != last_colour) {
            end_regions();
            colour_first_.push_back(static_cast<int>(pairs_.size()));
            if (alone) serial_colour_ = static_cast<int>(colour_first_.size()) - 1;
        }
        if (colour != last_colour || alone || lane == kLanes) {
            lane = 0;
            PairLanes& batch = pairs_.emplace_back();
            std::fill_n(batch.a, kLanes, 0);
            std::fill_n(batch.b, kLanes, 0);
            batch.first_point = points;
            batch.points = 0;
            sources_.push_back({});
            const auto begun = colour_first_.size() * static_cast<size_t>(regions_ + 1) - static_cast<size_t>(regions_) + static_cast<size_t>(region_of(ranges_[range]));
            region_first_.resize(std::max(region_first_.size(), begun), static_cast<int>(pairs_.size()) - 1);
        }
        PairLanes& batch = pairs_.back();
        LaneSource& source = sources_.back();
        if (ranges_[range].count > batch.points) {   // the first of the batch, or the first of the next region in it
            points += ranges_[range].count - batch.points;
            batch.points = ranges_[range].count;
        }
        source.contact[lane] = ranges_[range].first;
        source.count[lane] = ranges_[range].count;
        batch.a[lane] = slot_[static_cast<size_t>(ranges_[range].a)];
        batch.b[lane] = slot_[static_cast<size_t>(ranges_[range].b)];
        source.group_a[lane] = ranges_[range].a;
        source.group_b[lane] = ranges_[range].b;
        ++lane;
        last_colour = colour;
    }
    end_regions();
    colour_first_.push_back(static_cast<int>(pairs_.size()));
    points_.resize(static_cast<size_t>(points));
    friction_.resize(static_cast<size_t>(points));
}

}  // namespace asperity::solvers
