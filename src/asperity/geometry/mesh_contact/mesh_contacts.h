// Contact candidates of a pair with a mesh, each with its own normal, and their reduction to a short list.
#pragma once
#include "asperity/geometry/convex_contact/approach.h"
#include "asperity/geometry/convex_contact/features.h"
#include "asperity/geometry/mesh/mesh_closest.h"

namespace asperity::geometry {

struct MeshCandidate {
    Vec3 on_mesh, on_other;  ///< on_other - on_mesh = gap * outward
    Vec3 outward;            ///< unit, from the mesh to the other shape
    double gap;
    std::uint32_t feature;
    /// [m] end gap: the smallest gap at the end of the step, with both bodies free or either one stopped by a third body;
    /// set by MeshCandidates::add
    double end_gap = 0;
};

/// Kinds of the two features in contact; part of the id.
enum class FeaturePair : std::uint32_t {
    VertexFace = 1,
    FaceVertex = 2,
    EdgeEdge = 3,
    RoundFace = 4,
    RoundEdge = 5,
    RoundVertex = 6,
    Piece = 7  // part of the surface of one mesh, at its nearest point to the other mesh
};
/// A well mixed 32-bit id (mixing step: finaliser of MurmurHash3 by Appleby, public domain).
constexpr std::uint32_t feature_pair_id(FeaturePair kind, int mesh_part, int other_part) {
    std::uint32_t h = static_cast<std::uint32_t>(kind) * 0x9e3779b9u ^ static_cast<std::uint32_t>(mesh_part);
    const auto mix = [](std::uint32_t x) {
        x = (x ^ x >> 16) * 0x85ebca6bu;
        x = (x ^ x >> 13) * 0xc2b2ae35u;
        return x ^ x >> 16;
    };
    h = mix(h) + static_cast<std::uint32_t>(other_part) * 0x85ebca6bu;
    return mix(h);
}

/// A bounded list of candidates. Of several with one id it keeps the nearest; when full, those with the least end gap. It
/// drops candidates that cannot come nearer than `near` [m] within the step, whichever body is stopped on its path.
class MeshCandidates {
  public:
    static constexpr int kCapacity = 256;
    void add(MeshCandidate c);
    StepMotion mesh, other;  ///< mesh axes
    double near = 1e300;
    FixedBuffer<MeshCandidate, kCapacity> items;

  private:
    FixedBuffer<std::uint32_t, kCapacity> features_;  // of the items, in the same order
    int farthest_ = 0;  // the item with the largest end gap, kept up to date while the list is full
};

/// Pose of the mesh axes, in which candidates are given, and whether the mesh is shape A of the pair, or B.
struct MeshFrame {
    Pose frame;
    bool mesh_is_a;
    double margin;
    std::span<const std::uint32_t> previous;
};
/// Groups candidates by direction, the nearest at the end of the step first. Each group keeps up to eight. First come those
/// without which the body could sink at small tilts (tilt_hull.h). Then, if there is room, those that it could sink onto at
/// the tilt that the margin allows.
bool reduce(MeshCandidates& candidates, const MeshFrame& place, ContactList& out);

}  // namespace asperity::geometry
