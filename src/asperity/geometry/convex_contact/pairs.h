// One function per family of shape pairs. In every one, `a` is the rounder shape: sphere, capsule, cylinder, polyhedron,
// half-space in this order; collide() swaps and flips.
#pragma once
#include "asperity/geometry/convex_contact/manifold.h"
#include "asperity/geometry/convex_contact/polyhedron_sat.h"

namespace asperity::geometry {

struct PairRequest {
    double margin;
    std::span<const std::uint32_t> previous;
    Manifold& out;
    /// The choice of axis of the last step, or one that matches nothing.
    std::uint32_t previous_tag() const { return previous.empty() ? ~0u : previous[0] & axis_tag_mask; }
};

bool collide_spheres(const Sphere& a, const Pose& pose_a, const Sphere& b, const Pose& pose_b, const PairRequest& request);
bool collide_sphere_capsule(const Sphere& a, const Pose& pose_a, const Capsule& b, const Pose& pose_b,
                            const PairRequest& request);
bool collide_capsules(const Capsule& a, const Pose& pose_a, const Capsule& b, const Pose& pose_b,
                      const PairRequest& request);
bool collide_sphere_cylinder(const Sphere& a, const Pose& pose_a, const Cylinder& b, const Pose& pose_b,
                             const PairRequest& request);

bool collide_boxes(const Box& a, const Pose& pose_a, const Box& b, const Pose& pose_b, const PairRequest& request);

/// Any bounded shape; the half-space is b.
bool collide_half_space(const Shape& a, const Pose& pose_a, const Pose& pose_b, const PairRequest& request);

// The rest share the working form. `origin` is what both centers are relative to.
bool collide_round_polyhedron(const Convex& a, const Convex& b, const Vec3& origin,
                              const PairRequest& request);  ///< sphere, capsule
bool collide_cylinder_polyhedron(const Convex& a, const Convex& b, const Vec3& origin, const PairRequest& request);
bool collide_with_cylinder(const Convex& a, const Convex& b, const Vec3& origin,
                           const PairRequest& request);  ///< capsule, cylinder
/// Finds the axes itself, the edges only where no face will do.
bool collide_hulls(const Convex& a, const Convex& b, const Vec3& origin, const PairRequest& request);

/// One way to make the contact: along which normal, between which features. Tried best score first.
struct AxisChoice {
    AxisKind kind;
    int index_a = -1, index_b = -1;  ///< face, edge or cap, by kind
    Vec3 normal;                     ///< unit, from a to b
    double separation = 0;           ///< of the surfaces
    double score = 0;
    std::uint32_t tag() const {
        if (kind == AxisKind::FaceOfA) return axis_tag(kind, index_a);
        if (kind == AxisKind::FaceOfB) return axis_tag(kind, index_b);
        return axis_tag(kind, index_a * 61 + index_b);
    }
};
using AxisChoices = FixedBuffer<AxisChoice, 4>;

/// The sizes that tolerances of a pair are measured by: those of the smaller shape.
struct PairScale {
    double thickness, extent;
};
inline PairScale scale_of(const Convex& a, const Convex& b) {
    return {smaller(a.thickness, b.thickness), smaller(a.extent, b.extent)};
}

/// Adds the choice with its score: faces before edges, last step's before others, the lower shape's face before the upper's.
void propose(AxisChoices& choices, AxisChoice choice, const PairScale& scale, const PairRequest& request);
/// Both faces, and the edges where there are some.
void propose(AxisChoices& choices, const PolyhedronAxes& axes, const PairScale& scale, const PairRequest& request);
/// How much separation a preferred axis may give away.
double nearly_as_good(const PairScale& scale, double separation);
/// How the features of a choice are clipped: generously when it was last step's choice as well.
ClipRules clip_rules(const AxisChoice& choice, const PairScale& scale, const PairRequest& request);
/// Whether the overlap of the features reaches down to the separation of the axis: then no other direction can be better for
/// separated shapes, and the axis is a local minimum of depth for overlapping ones.
bool is_tight(const Candidates& candidates, const AxisChoice& choice, const PairScale& scale, const PairRequest& request);
/// Adds those of `coming` that lie in another place than the first candidate, as seen along n.
void add_elsewhere(const Candidates& coming, const Vec3& n, const PairScale& scale, Candidates& candidates);

/// Calls make(choice), best score first, until one returns true; uses the choices up. False when none does.
template <class Make>
bool try_choices(AxisChoices& choices, const PairScale& scale, const Make& make);
/// Makes the manifold from the best choice that is tight; where none is, the contact at the nearest points.
/// features(choice, fa, fb) supplies the two features of a choice.
template <class Features>
bool make_manifold(const Convex& a, const Convex& b, const Vec3& origin, AxisChoices& choices, const PairRequest& request,
                   const Features& features);

/// Of shapes that are deep in each other by all of the choices: whether a way out that none of them is leads much less far.
/// A cylinder leaves by its rim, or by its mantle over a corner, along directions that no list holds. Makes the manifold
/// then.
bool make_if_shorter(const Convex& a, const Convex& b, const Vec3& origin, const AxisChoices& choices,
                     const PairRequest& request);
/// The contact at the nearest points, started from the direction `start`.
bool nearest_contact(const Convex& a, const Convex& b, const Vec3& origin, const Vec3& start, const PairRequest& request);
/// True and the manifold made, when the overlap of the features is tight.
bool make_if_tight(const Feature& fa, const Feature& fb, const Convex& a, const Convex& b, const Vec3& origin,
                   const AxisChoice& choice, const PairRequest& request);

inline const AxisChoice& widest(const AxisChoices& choices) {
    int best = 0;
    for (int i = 1; i < choices.size(); ++i) {
        if (choices[i].separation > choices[best].separation) best = i;
    }
    return choices[best];
}

template <class Make>
bool try_choices(AxisChoices& choices, const PairScale& scale, const Make& make) {
    const double top = widest(choices).separation, enough = top - nearly_as_good(scale, top);
    for (; !choices.empty(); choices.resize_down(choices.size() - 1)) {
        int best = 0;
        for (int i = 1; i < choices.size(); ++i) {
            if (choices[i].score > choices[best].score) best = i;
        }
        if (choices[best].separation >= enough && make(choices[best])) return true;
        choices[best] = choices[choices.size() - 1];
    }
    return false;
}

template <class Features>
bool make_manifold(const Convex& a, const Convex& b, const Vec3& origin, AxisChoices& choices, const PairRequest& request,
                   const Features& features) {
    const Vec3 start = widest(choices).normal;
    const auto make = [&](const AxisChoice& choice) {
        Feature fa, fb;
        features(choice, fa, fb);
        return make_if_tight(fa, fb, a, b, origin, choice, request);
    };
    return try_choices(choices, scale_of(a, b), make) || nearest_contact(a, b, origin, start, request);
}

}  // namespace asperity::geometry
