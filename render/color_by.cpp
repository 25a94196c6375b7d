#include "render/color_by.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/core/error.h"
#include "asperity/record/deformable.h"

namespace asperity::render {
namespace {

// Frames and values examined for the range. With fewer, an impact between two frames can be missed; more take longer to read
// than a picture to draw.
constexpr std::size_t kFrames = 240, kValues = std::size_t{1} << 22;

double percentile(std::vector<double>& values, double q) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

}  // namespace

std::string title(Quantity quantity) {
    switch (quantity) {
        case Quantity::Displacement: return "displacement";
        case Quantity::VonMises: return "von Mises stress";
        case Quantity::Pressure: return "pressure";
        case Quantity::Margin: return "margin to slip";
    }
    return "";
}

std::string unit(Quantity quantity) {
    return quantity == Quantity::Displacement ? "m" : quantity == Quantity::Margin ? "-" : "Pa";
}

std::vector<double> node_values(const record::DeformableMesh& mesh, const record::Deformation& now, Quantity quantity) {
    if (quantity != Quantity::Displacement) {
        const std::vector<float>& stress = quantity == Quantity::VonMises ? now.von_mises : now.pressure;
        return stress.empty() ? std::vector<double>() : record::nodal_means(mesh, stress);
    }
    std::vector<double> values(mesh.rest.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = length(now.positions[i] - mesh.rest[i]);
    return values;
}

ColorScale automatic_scale(const record::Footage& footage, Quantity quantity) {
    std::size_t nodes = 0;
    for (const record::RecordedBody& body : footage.head().bodies)
        if (body.deformable) nodes += body.deformable->rest.size();
    if (nodes == 0)
        throw InputError(fmt::format("no body of '{}' is deformable, so there is no {} to colour", footage.head().title,
                                     title(quantity)));
    const std::size_t count = footage.frames().size(), moments = std::min(count, kFrames);
    const std::size_t stride = moments * nodes / kValues + 1;
    std::vector<double> values;
    for (std::size_t k = 0; k < moments; ++k) {
        const record::Frame& frame = footage.frames().at(moments == 1 ? 0 : k * (count - 1) / (moments - 1));
        for (const record::Deformation& now : frame.deformations) {
            const auto body = static_cast<std::size_t>(now.body);
            const std::vector<double> all = node_values(*footage.head().bodies[body].deformable, now, quantity);
            for (std::size_t i = 0; i < all.size(); i += stride)
                if (std::isfinite(all[i])) values.push_back(all[i]);
        }
    }
    if (values.empty())
        throw InputError(
            fmt::format("'{}' has no recorded {}; colour by displacement", footage.head().title, title(quantity)));
    ColorScale scale{quantity, percentile(values, 0.01), percentile(values, 0.99)};
    // A field that is the same everywhere gets the darkest colour.
    if (!(scale.high - scale.low > 1e-9 * std::fmax(std::fabs(scale.low), std::fabs(scale.high))))
        scale.high = scale.low + (scale.low == 0 ? 1.0 : 0.01 * std::fabs(scale.low));
    return scale;
}

}  // namespace asperity::render
