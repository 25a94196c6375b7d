// Contacts of two closed meshes that touch in patches: a patch for each direction in which they press on each other, and
// points where they come near.
#pragma once
#include "asperity/geometry/convex_contact/approach.h"
#include "asperity/geometry/shared_volume/make_patch.h"

namespace asperity::geometry {

struct MeshPatchRequest {
    double skin = 0;    ///< [m] as in OverlapOptions
    double margin = 0;  ///< [m] gaps up to this are contacts
    double ahead = 0;   ///< [m] and up to this where the meshes touch already: what may close within the step
    double deep = 0;    ///< [m] how deep they may be by now; a guess, which costs time where it is wrong and nothing else
    Approach approach;
};

/// Whether two meshes are for patches_of_meshes(): both closed, and one of them thick. Of two shells within each other, as
/// nested cups, the far sides of both walls face each other, too, and are not far apart.
bool suit_patches(const Mesh& a, const Mesh& b);

/// Features of points below this say which patch they belong to, feature / kSpotsOfPatch; those of others are larger.
constexpr std::uint32_t kSpotsOfPatch = OverlapPart::kSpots, kFirstFreeFeature = kSpotsOfPatch * PatchList::kCapacity;

/// `points` has up to four of each patch, where the bodies are deepest in each other, all with the patch's normal; and up to
/// four where they are apart. These are the nearest points of pieces of their surfaces that no patch covers, the one that
/// will be nearest, and others as far from each other as may be. Meshes that come together slowly have all points that will
/// touch within the step instead, so that a face lands on its outline.
void patches_of_meshes(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b, const MeshPatchRequest& request,
                       PatchList& patches, ContactList& points);

}  // namespace asperity::geometry
