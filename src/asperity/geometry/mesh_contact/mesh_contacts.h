// Contact candidates of a pair with a mesh, each with a normal of its own, and their reduction to a short list.
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
    /// the gap at the end of the step if nothing stopped the bodies or something stops one of them, where they approach;
    /// MeshCandidates::add knows it
    double coming = 0;
};

/// What touched what, for ids.
enum class Meeting : std::uint32_t {
    VertexFace = 1,
    FaceVertex = 2,
    EdgeEdge = 3,
    RoundFace = 4,
    RoundEdge = 5,
    RoundVertex = 6,
    Piece = 7  // of the surface of the one, and where it is nearest to the other
};
/// A well mixed 32-bit id (the finaliser of MurmurHash3 by Appleby, public domain, as the mixing step).
constexpr std::uint32_t meeting_id(Meeting kind, int mesh_part, int other_part) {
    std::uint32_t h = static_cast<std::uint32_t>(kind) * 0x9e3779b9u ^ static_cast<std::uint32_t>(mesh_part);
    const auto mix = [](std::uint32_t x) {
        x = (x ^ x >> 16) * 0x85ebca6bu;
        x = (x ^ x >> 13) * 0xc2b2ae35u;
        return x ^ x >> 16;
    };
    h = mix(h) + static_cast<std::uint32_t>(other_part) * 0x85ebca6bu;
    return mix(h);
}

/// Keeps the candidates with the least coming gap where there are more than it has room for, and the nearest of those with
/// one id. What cannot come nearer than `near` within the step is left out, whichever of the two bodies is stopped on its
/// way.
class MeshCandidates {
  public:
    static constexpr int kCapacity = 256;
    void add(MeshCandidate c);
    StepMotion mesh, other;  ///< mesh axes
    double near = 1e300;
    FixedBuffer<MeshCandidate, kCapacity> items;

  private:
    FixedBuffer<std::uint32_t, kCapacity> features_;  // of the items, side by side
    int farthest_ = 0;                                // the item with the largest coming gap, once there is no room for more
};

/// Where the pair is: candidates are in `frame` (mesh axes); the mesh is shape A of the pair, or B.
struct MeshPlace {
    Pose frame;
    bool mesh_is_a;
    double margin;
    std::span<const std::uint32_t> previous;
};
/// Groups candidates by direction, the ones that will be nearest first. Each group keeps up to eight: those without which
/// the body could sink while it tilts a little (tilt_hull.h), then, where there is room, those that it could sink onto while
/// it tilts by as much as the margin allows.
bool reduce(MeshCandidates& candidates, const MeshPlace& place, ContactList& out);

}  // namespace asperity::geometry
