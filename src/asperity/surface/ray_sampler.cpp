// Rays along the contact normal on the CPU: the view from above of Andrews et al. (2021).
#include <bit>

#include "asperity/core/parallel.h"
#include "asperity/surface/footprint_hits.h"

namespace asperity::surface {

void RaySampler::sample_one(const FootprintRequest& request, friction::FacetAverages& out) const {
    // A body on its edge touches along a strip that may lie between the grid points. Then retry with a smaller footprint.
    double width = request.width;
    for (int look = 0; look <= kRetries && !sample_within(request, width, out); ++look) width *= kRetryScale;
}

bool RaySampler::sample_within(const FootprintRequest& request, double width, friction::FacetAverages& out) const {
    static thread_local FootprintScratch scratch_a, scratch_b;
    const FootprintFrame frame_a(request, request.a, 1), frame_b(request, request.b, -1);
    const FootprintGrid grid(resolution_, width, request.depth);
    FootprintSurface on_a(request.a, frame_a, 1, grid, scratch_a), on_b(request.b, frame_b, -1, grid, scratch_b);
    RowBits met, both;
    on_a.find(both);
    on_b.find(met);
    int covered = 0;
    for (size_t j = 0; j < static_cast<size_t>(resolution_); ++j) {
        both[j] &= met[j];
        covered += std::popcount(both[j]);
    }
    const std::span<const Vec2> d = friction::plough_directions(request.directions);
    const auto average = [&](const FootprintSide& side, FootprintSurface& surface, double sign, auto& averages) {
        SlopeSums sums(d);
        if (!side.smooth()) surface.add(both, sums);
        sums.averages(sign, averages);
    };
    average(request.a, on_a, -1, out.a);
    average(request.b, on_b, 1, out.b);
    out.t = request.t;
    const double part = width / request.width;  // a power of two: exact
    out.covered = covered / static_cast<double>(resolution_ * resolution_) * part * part;
    return covered > 0;
}

void RaySampler::sample(std::span<const FootprintRequest> requests, std::span<friction::FacetAverages> out) {
    parallel_for(
        static_cast<int>(requests.size()),
        [&](int i) { sample_one(requests[static_cast<size_t>(i)], out[static_cast<size_t>(i)]); }, 4);
}

}  // namespace asperity::surface
