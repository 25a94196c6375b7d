// What both surfaces say about a contact, worked out when asked for: a step that nobody asks pays nothing.
#pragma once
#include "asperity/geometry/shape/surface_point.h"
#include "asperity/sim/world.h"
#include "asperity/surface/sample.h"

namespace asperity::surface {
struct FootprintRequest;  // surface/footprint_sampler.h
}

namespace asperity::sim {

struct ContactSurface {
    geometry::SurfacePoint a, b;  ///< normals and tangents in world axes; each normal points out of its own body
};

/// `contact` is one of state.active.contacts, or of the step in progress. (Contacts that restore_state() brought back know their
/// impulses alone, until the next step: for them all fields stay empty.) The surface points are exact, for the contact keeps
/// them in body axes; directions are turned by the bodies' present poses, which after a step are those at its end.
ContactSurface contact_surface(const World& world, const contact::Contact& contact);

/// Grain and surface velocity of both sides, world axes: what friction laws are told of the surfaces.
struct ContactSamples {
    surface::Sample a, b;
};
ContactSamples sample_surfaces(const Model& model, const rigid::BodyStates& bodies, const contact::Contact& contact);
ContactSamples sample_surfaces(const World& world, const contact::Contact& contact);
/// The same in two halves, for those who have many contacts to ask about (surface::PrefetchedGrain).
struct PendingSamples {
    surface::PrefetchedGrain a, b;
};
PendingSamples ask_surfaces(const Model& model, const rigid::BodyStates& bodies, const contact::Contact& contact);
ContactSamples read_surfaces(const Model& model, const rigid::BodyStates& bodies, const contact::Contact& contact,
                             const PendingSamples& pending);

/// The footprint that a ploughing law sampled under an entry of the last step, and the index of its pair of materials. The
/// request is null where the entry does not plough.
struct SampledFootprint {
    const surface::FootprintRequest* request = nullptr;
    int pair = -1;
};
SampledFootprint sampled_footprint(const World& world, size_t entry);

/// The limit surface that state.active.contacts[place] had in the last step, and after them state.active.patches; before the first step,
/// and after restore_state(), set_state() and removals, one that holds nothing.
friction::LimitSurface limit_surface(const World& world, size_t place);

}  // namespace asperity::sim
