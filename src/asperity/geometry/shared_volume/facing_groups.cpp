#include "asperity/geometry/shared_volume/detail/facing_groups.h"

#include <algorithm>

namespace asperity::geometry::detail {
namespace {

constexpr double kOnePatch = 0.94;  // cosine of 20 degrees: largest angle between spots of one group

}  // namespace

int FacingGroups::find_components(const TriangleSet& b, const std::vector<int>& triangle_of,
                                  std::vector<FacingPair>& pairs) {
    if (node_of_.size() < b.positions.size()) node_of_.resize(b.positions.size(), -1);
    vertices_.clear();
    parent_.clear();
    const auto node = [&](int vertex) {
        int& n = node_of_[static_cast<size_t>(vertex)];
        if (n < 0) {
            n = static_cast<int>(vertices_.size());
            vertices_.push_back(vertex);
            parent_.push_back(n);
        }
        return n;
    };
    for (const FacingPair& pair : pairs) {
        const std::array<int, 3>& corners = b.triangles[static_cast<size_t>(triangle_of[static_cast<size_t>(pair.t)])];
        const int first = root(node(corners[0]));
        for (const size_t k : {1, 2}) parent_[static_cast<size_t>(root(node(corners[k])))] = first;
    }
    component_of_.assign(vertices_.size(), -1);
    spots_.clear();
    for (FacingPair& pair : pairs) {
        int& spot = component_of_[static_cast<size_t>(
            root(node(b.triangles[static_cast<size_t>(triangle_of[static_cast<size_t>(pair.t)])][0])))];
        if (spot < 0) {
            spot = static_cast<int>(spots_.size());
            spots_.emplace_back();
        }
        pair.spot = spot;
        spots_[static_cast<size_t>(spot)].sum += pair.area * pair.direction;
        spots_[static_cast<size_t>(spot)].area += pair.area;
    }
    for (const int vertex : vertices_) node_of_[static_cast<size_t>(vertex)] = -1;
    return static_cast<int>(spots_.size());
}

int FacingGroups::join(int most, std::vector<FacingPair>& pairs) {
    order_.resize(spots_.size());
    for (size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<int>(i);
    std::sort(order_.begin(), order_.end(), [&](int i, int k) {
        const double a = spots_[static_cast<size_t>(i)].area, b = spots_[static_cast<size_t>(k)].area;
        return a > b || (a == b && i < k);
    });
    sums_.clear();
    for (const int i : order_) {
        FacingComponent& spot = spots_[static_cast<size_t>(i)];
        if (!(spot.area > 0)) break;
        const Vec3 n = normalize_or(spot.sum, {0, 0, 1});
        int best = -1;
        double cosine = -2;
        for (size_t g = 0; g < sums_.size(); ++g)
            if (const double c = dot(normalize_or(sums_[g], n), n); c > cosine) cosine = c, best = static_cast<int>(g);
        if (best < 0 || (cosine < kOnePatch && static_cast<int>(sums_.size()) < most)) {
            best = static_cast<int>(sums_.size());
            sums_.emplace_back();
        }
        sums_[static_cast<size_t>(best)] += spot.sum;
        spot.group = best;
    }
    directions_.clear();
    for (const Vec3& sum : sums_) directions_.push_back(normalize_or(sum, {0, 0, 1}));
    for (FacingPair& pair : pairs) pair.spot = spots_[static_cast<size_t>(pair.spot)].group;
    return static_cast<int>(sums_.size());
}

}  // namespace asperity::geometry::detail
