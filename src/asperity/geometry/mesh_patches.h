// Contacts of two closed meshes that touch in patches: a patch for each direction in which they press on each other, and points where they come near.
#pragma once
#include "asperity/geometry/approach.h"
#include "asperity/geometry/make_patch.h"

namespace asperity::geometry {

struct MeshPatchRequest {
    double skin = 0;     ///< [m] as in OverlapOptions
    double margin = 0;   ///< [m] gaps up to this are contacts
    double ahead = 0;    ///< [m] and up to this where the meshes touch already: what may close within the step
    double deep = 0;     ///< [m] how deep they may be by now; a guess, which costs time where it is wrong and nothing else
    Approach approach;
};

/// Features of points below this say which patch they belong to, feature / kSpotsOfPatch; those of others are larger.
constexpr std::uint32_t kSpotsOfPatch = OverlapPart::kSpots, kFirstFreeFeature = kSpotsOfPatch * PatchList::kCapacity;

/// Meshes that are apart have patches, too, where they will touch within the step: those of the places that come first, with their gap.
/// `points` has up to four of each patch, where the bodies are deepest in each other, all with the patch's normal; and up to four where they are apart. These are
/// the nearest points of pieces of their surfaces that no patch covers, the one that will be nearest, and others as far from each other as may be.
void patches_of_meshes(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b, const MeshPatchRequest& request, PatchList& patches, ContactList& points);

}  // namespace asperity::geometry
