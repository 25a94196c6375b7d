// Properties of both surfaces at a contact, computed on request only.
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

/// `contact` must be one of State::active.contacts, or of the step in progress. Contacts from restore_state() have no
/// normal until the next step, so their result is not valid. The surface points are exact, because the contact stores
/// them in body axes. Normals and tangents are rotated by the present poses: after a step, those at its end.
ContactSurface contact_surface(const World& world, const contact::Contact& contact);

/// Grain and surface velocity of both sides, world axes: the inputs of the friction laws.
struct ContactSamples {
    surface::Sample a, b;
};
ContactSamples sample_surfaces(const Model& model, const rigid::BodyStates& bodies, const contact::Contact& contact);
ContactSamples sample_surfaces(const World& world, const contact::Contact& contact);
/// The same in two halves: the first prefetches the texels of many contacts, the second reads them
/// (surface::PrefetchedGrain).
struct PrefetchedSamples {
    surface::PrefetchedGrain a, b;
};
PrefetchedSamples prefetch_surfaces(const Model& model, const rigid::BodyStates& bodies, const contact::Contact& contact);
ContactSamples read_surfaces(const Model& model, const rigid::BodyStates& bodies, const contact::Contact& contact,
                             const PrefetchedSamples& pending);

/// The footprint that was sampled under an entry in the last step, and the index of its pair of materials. The request
/// is null if the entry does not plough.
struct SampledFootprint {
    const surface::FootprintRequest* request = nullptr;
    int pair = -1;
};
SampledFootprint sampled_footprint(const World& world, size_t entry);

/// The limit surface of an entry (ContactMemory::entry of State::active) in the last step. Before the first step, and
/// after restore_state(), set_state() and removals, it is empty: it permits no friction.
friction::LimitSurface limit_surface(const World& world, size_t place);

}  // namespace asperity::sim
