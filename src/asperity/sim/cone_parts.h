// Parts of generate_cones. generate_cones.cpp sorts contacts by law and evaluates the laws; sample_footprints.cpp
// averages the slopes under contacts that plough; resist_spinning.cpp adds resistance to spinning; generate_cells.cpp
// evaluates the laws all over patches.
#pragma once
#include <span>

#include "asperity/sim/contact_surface.h"
#include "asperity/sim/stages.h"

namespace asperity::sim {

/// Inputs of generate_cones.
struct ConeInputs {
    const Model& model;
    const Derived& derived;
    const rigid::BodyStates& bodies;
    const PairSearch& search;
    const ContactMemory& contacts;
    std::span<const Vec3> free_slip;
    double dt;
};

/// Whether one of the surfaces has a grain or a surface velocity, so that sampling is needed.
bool has_direction(const ConeInputs& from, const contact::Contact& c);
/// The input of a law, but for the previous axis and footprints. `pending` holds the prefetched samples if the surfaces have
/// a direction. Returns the relative velocity of the surfaces on their bodies, B minus A [m/s].
Vec3 fill_input(const ConeInputs& from, const contact::Contact& c, const friction::Law& law,
                const PrefetchedSamples& pending, friction::ConeInput& in);

/// Builds the tables of all slope maps that ploughing pairs may touch. Called by World::prepare().
void prepare_slopes(const Model& model, Derived& out);
/// Samples the slopes of both surfaces under all entries that plough: out.requests, out.facets.
void sample_footprints(const ConeInputs& from, LimitSurfaces& out);

/// Whether a single contact point of the pair resists spinning.
bool has_spin_resistance(const Settings& settings, const surface::Pair& pair);
/// Adds a third axis, about the normal, to the limit surfaces of such points.
void resist_spinning(const ConeInputs& from, LimitSurfaces& out);

/// The cells of all patches with spin_model "integral", each with the law at its place: out.cells.
void generate_cells(const ConeInputs& from, LimitSurfaces& out);

/// The limit surface of an entry. Circles are computed on demand, because an array of them would cost more memory
/// traffic than the computation.
inline friction::LimitSurface cone_at(const Model& model, const ContactMemory& contacts, const LimitSurfaces& cones,
                                      size_t entry) {
    if (!cones.circles) return cones.cones[entry];
    const contact::Contact& c = contacts.entry(entry);
    const Vec3 t = friction::kept_tangent(contacts.previous_axis(entry), c.normal);
    return {t, cross(c.normal, t), friction::circle_of(model.pair_of(c).friction)};
}

}  // namespace asperity::sim
