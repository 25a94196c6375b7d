// Deformable bodies coloured by a scalar field: displacement or stress.
#pragma once
#include <string>
#include <vector>

#include "asperity/record/frames.h"

namespace asperity::render {

/// Margin: of contact points, 1 minus the share of the friction limit that is used up; not of bodies.
enum class Quantity { Displacement, VonMises, Pressure, Margin };

/// Values from `low` to `high` have the colours from dark to bright; values outside have those of the ends.
struct ColorScale {
    Quantity quantity = Quantity::Displacement;
    double low = 0, high = 1;  ///< [m], [Pa] or [-]; low < high
};

/// Title of the colour bar, and unit without prefix.
std::string title(Quantity quantity);
std::string unit(Quantity quantity);

/// The value of each node. Displacement is the distance from the rest position. Stresses are means over the elements round
/// the node (record/deformable.h); empty where none were recorded.
std::vector<double> node_values(const record::DeformableMesh& mesh, const record::Deformation& now, Quantity quantity);

/// From the 1st to the 99th percentile of all nodes in all frames, so that a few extreme nodes do not use up the colours and
/// pictures of one run are comparable. Long recordings and large meshes are sampled evenly. Throws InputError if the
/// recording has no deformable body, or no such stresses.
ColorScale automatic_scale(const record::Footage& footage, Quantity quantity);

}  // namespace asperity::render
