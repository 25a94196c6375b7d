// The paper's view from above, point by point on the CPU.
#include <array>

#include "asperity/core/parallel.h"
#include "asperity/surface/patch_hits.h"

namespace asperity::surface {
namespace {

using friction::kMostDirections;
constexpr size_t kMostPixels = static_cast<size_t>(RaySampler::kMostPoints) * RaySampler::kMostPoints;

/// |slope.d_k| for half of the directions, the mean slope and the weight.
class Sums {
  public:
    explicit Sums(std::span<const Vec2> d) : d_(d) {
        for (size_t k = 0; k < d.size() / 2; ++k) {
            (k < kLanes ? cos_[0][k] : cos_[1][k - kLanes]) = static_cast<float>(d[k].x);
            (k < kLanes ? sin_[0][k] : sin_[1][k - kLanes]) = static_cast<float>(d[k].y);
        }
    }
    void add(Vec2 slope, const Facet& facet) {
        const Lanes x = all_lanes(static_cast<float>(slope.x)), y = all_lanes(static_cast<float>(slope.y)), r = all_lanes(facet.resist);
        row_[0] = mul_add(r, abs(mul_add(cos_[0], x, sin_[0] * y)), row_[0]);
        row_[1] = mul_add(r, abs(mul_add(cos_[1], x, sin_[1] * y)), row_[1]);
        const double resist = static_cast<double>(facet.resist);
        mean_ = mean_ + resist * slope;
        weight_ += static_cast<double>(facet.weight);
    }
    void end_row() {   // floats for a row, doubles for all of them
        for (size_t k = 0; k < d_.size() / 2; ++k) both_[k] += static_cast<double>(k < kLanes ? row_[0][k] : row_[1][k - kLanes]);
        row_[0] = row_[1] = Lanes{};
    }
    /// <max(0, sign g.d_k)>
    void averages(double sign, std::array<double, kMostDirections>& out) const {
        const size_t half = d_.size() / 2;
        for (size_t k = 0; k < half; ++k) {
            const double along = sign * dot(mean_, d_[k]);
            out[k] = weight_ > 0 ? larger(0.5 * (both_[k] + along) / weight_, 0) : 0;
            out[k + half] = weight_ > 0 ? larger(0.5 * (both_[k] - along) / weight_, 0) : 0;
        }
    }

  private:
    std::span<const Vec2> d_;
    Lanes cos_[2]{}, sin_[2]{}, row_[2]{};
    std::array<double, kMostDirections / 2> both_{};
    Vec2 mean_;
    double weight_ = 0;
};

}  // namespace

void RaySampler::sample_one(const PatchRequest& request, friction::FacetAverages& out) const {
    // A body on its edge touches along a strip that may pass between the points: then the patch is looked at more closely.
    double width = request.width;
    for (int look = 0; look <= kCloserLooks && !sample_within(request, width, out); ++look) width *= kCloser;
}

bool RaySampler::sample_within(const PatchRequest& request, double width, friction::FacetAverages& out) const {
    static thread_local std::array<int, kMostPixels> hits_a, hits_b;
    const PatchFrame frame_a(request, request.a, 1), frame_b(request, request.b, -1);
    const PatchGrid grid{resolution_, width, request.depth, width / resolution_};
    const size_t pixels = static_cast<size_t>(resolution_) * static_cast<size_t>(resolution_);
    PatchSurface on_a(request.a, frame_a, grid), on_b(request.b, frame_b, grid);
    on_a.find({hits_a.data(), pixels});
    on_b.find({hits_b.data(), pixels});

    const std::span<const Vec2> d = friction::plough_directions(request.directions);
    Sums a(d), b(d);
    int covered = 0;
    size_t at = 0;
    Vec2 slope;
    Facet facet;
    for (int j = 0; j < resolution_; ++j) {
        const double y = grid.at(j);
        for (int i = 0; i < resolution_; ++i, ++at) {
            if (hits_a[at] == kMissed || hits_b[at] == kMissed) continue;
            ++covered;
            const double x = grid.at(i);
            if (request.a.slopes && on_a.facet(x, y, hits_a[at], slope, facet)) a.add(slope, facet);
            if (request.b.slopes && on_b.facet(x, y, hits_b[at], slope, facet)) b.add(slope, facet);
        }
        a.end_row();
        b.end_row();
    }
    out.t = request.t;
    const double part = width / request.width;   // a power of two: exact
    out.covered = static_cast<double>(covered) / static_cast<double>(pixels) * part * part;
    a.averages(-1, out.a);
    b.averages(1, out.b);
    return covered > 0;
}

void RaySampler::sample(std::span<const PatchRequest> requests, std::span<friction::FacetAverages> out) {
    parallel_for(static_cast<int>(requests.size()), [&](int i) { sample_one(requests[static_cast<size_t>(i)], out[static_cast<size_t>(i)]); }, 4);
}

}  // namespace asperity::surface
