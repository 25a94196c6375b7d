// Clusters of directions; see directions.h.
#include "asperity/geometry/shared_volume/detail/directions.h"

namespace asperity::geometry::detail {
namespace {

constexpr double kClusterCosine = 0.766;  // cos 40 degrees: largest angle to the mean of a cluster
constexpr double kSmallest = 0.03;        // of the total area: a smaller cluster is ignored

}  // namespace

DirectionClusters::DirectionClusters(const DirectionBins& bins) {
    std::array<double, DirectionBins::kCells> left;
    double total = 0;
    Vec3 sum;
    for (size_t i = 0; i < left.size(); ++i) {
        left[i] = length(bins.sums_[i]);
        total += left[i];
        sum += bins.sums_[i];
    }
    if (!(total > 0)) return;
    // The mean of the area within 40 degrees of `start`, computed twice so that the cluster moves to its own middle.
    const auto gather = [&](Vec3 start, double& area) {
        for (int go = 0; go < 2; ++go) {
            Vec3 inside;
            area = 0;
            for (size_t i = 0; i < left.size(); ++i) {
                if (left[i] <= 0 || dot(bins.sums_[i], start) < kClusterCosine * length(bins.sums_[i])) continue;
                inside += bins.sums_[i];
                area += left[i];
            }
            start = normalize_or(inside, start);
        }
        return start;
    };
    const auto take_away = [&](const Vec3& mean) {
        for (size_t i = 0; i < left.size(); ++i)
            if (left[i] > 0 && dot(bins.sums_[i], mean) >= kClusterCosine * length(bins.sums_[i])) left[i] = 0;
    };
    // The common case first: one cluster about the mean of everything.
    double area = 0;
    const Vec3 mean = gather(normalize_or(sum, {0, 0, 1}), area);
    if (area >= (1 - kSmallest) * total) {
        means_[0] = mean;
        count_ = 1;
        return;
    }
    while (count_ < kMost) {
        // The next cluster starts at the cell with most area around it, so that a peak split between four cells counts as
        // one.
        double most = 0;
        size_t start = 0;
        for (size_t i = 0; i < left.size(); ++i) {
            if (left[i] <= 0) continue;
            double around = 0;
            for (size_t k = 0; k < left.size(); ++k)
                if (left[k] > 0 &&
                    dot(bins.sums_[i], bins.sums_[k]) >= kClusterCosine * length(bins.sums_[i]) * length(bins.sums_[k]))
                    around += left[k];
            if (around > most) most = around, start = i;
        }
        if (count_ > 0 && most < kSmallest * total) break;
        if (!(most > 0)) break;
        means_[static_cast<size_t>(count_++)] = gather(normalize_or(bins.sums_[start], {0, 0, 1}), area);
        take_away(means_[static_cast<size_t>(count_ - 1)]);
        left[start] = 0;
    }
}

}  // namespace asperity::geometry::detail
