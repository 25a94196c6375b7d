// Footprints of ploughing contacts in the implicit world. Each side's shape of time 0 is laid against the contact as the
// surface there lies now: its touching point at the contact point, its normal along that of the contact, turned about it as
// the surface around has turned in the mean. Slopes are those of the undeformed surface: a stretched normal map does not
// become flatter.
#pragma once
#include <memory>
#include <vector>

#include "asperity/implicit/friction.h"
#include "asperity/surface/footprint_sampler.h"

namespace asperity::implicit {

/// What prepare() derives of the model, and what the last call of sample_footprints() found.
struct Footprints {
    struct Table {
        std::shared_ptr<const surface::SlopeMap> map;
        friction::FacetWeight weight;
        std::unique_ptr<surface::SlopeTable> table;
    };
    std::vector<Table> tables;
    std::vector<std::shared_ptr<surface::FootprintSampler>> samplers;  ///< per pair of materials; null: does not plough
    std::vector<std::vector<surface::SlopeLayer>> layers;              ///< per pair, then per part; empty: smooth

    std::vector<surface::FootprintRequest> requests;
    std::vector<friction::FacetAverages> averages;  ///< of `requests`
    std::vector<int> request_of;                    ///< per friction contact; -1: does not plough
    std::vector<Vec2> corners;                      ///< kMostDirections per request: limit surfaces keep spans of it

    bool any() const { return !layers.empty(); }
};

template <int Dim>
void prepare_footprints(const Model<Dim>& model, Footprints& out);
/// Samples the footprints of all friction contacts.
template <int Dim>
void sample_footprints(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d);

}  // namespace asperity::implicit
