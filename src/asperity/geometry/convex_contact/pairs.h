// One function per family of shape pairs. `a` is the rounder shape: sphere, capsule, cylinder, polyhedron, half-space in
// this order; collide() swaps and flips.
#pragma once
#include "asperity/geometry/convex_contact/manifold.h"
#include "asperity/geometry/convex_contact/polyhedron_sat.h"

namespace asperity::geometry {

struct PairRequest {
    double margin;
    std::span<const std::uint32_t> previous;
    Manifold& out;
    /// Tag of the axis chosen in the last step, or a tag that matches nothing.
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

/// `shape` is any bounded shape and is A; the half-space is B.
bool collide_half_space(const Shape& a, const Pose& pose_a, const Pose& pose_b, const PairRequest& request);

// The rest take the working form. Both centers are relative to `origin`.
bool collide_round_polyhedron(const Convex& a, const Convex& b, const Vec3& origin,
                              const PairRequest& request);  ///< sphere, capsule
bool collide_cylinder_polyhedron(const Convex& a, const Convex& b, const Vec3& origin, const PairRequest& request);
bool collide_with_cylinder(const Convex& a, const Convex& b, const Vec3& origin,
                           const PairRequest& request);  ///< capsule, cylinder
/// Finds the axes itself; searches edges only if no face is tight.
bool collide_hulls(const Convex& a, const Convex& b, const Vec3& origin, const PairRequest& request);

/// A candidate contact: its normal and its two features. Tried in the order of scores.
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

/// Sizes of the smaller shape [m], to which the tolerances of a pair are relative.
struct PairScale {
    double thickness, extent;
};
inline PairScale scale_of(const Convex& a, const Convex& b) {
    return {smaller(a.thickness, b.thickness), smaller(a.extent, b.extent)};
}

/// Adds the choice with its score. Preferred: faces to edges, the choice of the last step, the lower shape's face to the
/// upper's.
void propose(AxisChoices& choices, AxisChoice choice, const PairScale& scale, const PairRequest& request);
/// Adds both faces, and the pair of edges if there is one.
void propose(AxisChoices& choices, const PolyhedronAxes& axes, const PairScale& scale, const PairRequest& request);
/// [m] Separation that a preferred axis may lose against the widest one.
double nearly_as_good(const PairScale& scale, double separation);
/// Rules for clipping the features of a choice; with a wider snap if it was the choice of the last step.
ClipRules clip_rules(const AxisChoice& choice, const PairScale& scale, const PairRequest& request);
/// Whether the deepest point of the overlap of the features is as deep as the separation of the axis. Then no other
/// direction is better for separated shapes, and the axis is a local minimum of depth for overlapping ones.
bool is_tight(const Candidates& candidates, const AxisChoice& choice, const PairScale& scale, const PairRequest& request);
/// Adds the points of `coming` that lie away from the first candidate, as seen along n.
void add_elsewhere(const Candidates& coming, const Vec3& n, const PairScale& scale, Candidates& candidates);

/// Calls make(choice) in the order of scores until one returns true; else false. Empties `choices`.
template <class Make>
bool try_choices(AxisChoices& choices, const PairScale& scale, const Make& make);
/// Makes the manifold from the best tight choice; if none is tight, from the nearest points. features(choice, fa, fb)
/// supplies the two features of a choice.
template <class Features>
bool make_manifold(const Convex& a, const Convex& b, const Vec3& origin, AxisChoices& choices, const PairRequest& request,
                   const Features& features);

/// For shapes that are deep by all choices: makes the manifold if a direction outside the list gives a much shorter exit. A
/// cylinder leaves by its rim, or by its mantle over a vertex, along directions that no list holds.
bool make_if_shorter(const Convex& a, const Convex& b, const Vec3& origin, const AxisChoices& choices,
                     const PairRequest& request);
/// Makes the contact at the nearest points, searched from the direction `start`.
bool nearest_contact(const Convex& a, const Convex& b, const Vec3& origin, const Vec3& start, const PairRequest& request);
/// True, with the manifold made, if the overlap of the features is tight.
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
