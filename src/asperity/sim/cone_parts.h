// Parts of generate_cones. generate_cones.cpp sorts contacts by law and evaluates the laws; sample_footprints.cpp
// averages the slopes under contacts that plough; resist_spinning.cpp adds resistance to spinning.
#pragma once
#include <span>

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

/// Builds the tables of all slope maps that ploughing pairs may touch. Called by World::prepare().
void prepare_slopes(const Model& model, Derived& out);
/// Samples the slopes of both surfaces under all entries that plough: out.requests, out.facets.
void sample_footprints(const ConeInputs& from, LimitSurfaces& out);

/// Whether a single contact point of the pair resists spinning.
bool has_spin_resistance(const Settings& settings, const surface::Pair& pair);
/// Adds a third axis, about the normal, to the limit surfaces of such points.
void resist_spinning(const ConeInputs& from, LimitSurfaces& out);

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
