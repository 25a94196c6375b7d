// Contacts of two closed meshes that touch in patches: one patch for each direction in which they press on each other, and
// points in regions where they are close but apart.
#pragma once
#include "asperity/geometry/convex_contact/approach.h"
#include "asperity/geometry/shared_volume/make_patch.h"

namespace asperity::geometry {

struct MeshPatchRequest {
    double skin = 0;    ///< [m] as in OverlapOptions
    double margin = 0;  ///< [m] largest gap of a contact while the meshes are apart
    /// [m] largest gap of a point contact once the meshes touch: the distance that may close within the step
    double ahead = 0;
    double deep = 0;  ///< [m] guess of the penetration depth; a wrong guess costs time only
    Approach approach;
};

/// Whether patches_of_meshes() can handle two meshes: both closed, and at least one of them thick. For two thin shells
/// inside each other, such as nested cups, the far sides of the two walls also face each other at a small distance.
bool can_make_patches(const Mesh& a, const Mesh& b);

/// A point with a feature below kFirstFreeFeature belongs to patch number feature / kDeepPointsOfPatch. Other points have
/// larger features.
constexpr std::uint32_t kDeepPointsOfPatch = OverlapPart::kDeepPoints,
                        kFirstFreeFeature = kDeepPointsOfPatch * PatchList::kCapacity;

/// `points` gets up to four points per patch, the deepest ones, all with the patch's normal. It also gets up to four points
/// where the bodies are apart: nearest points in regions of the surfaces that no patch covers. Of these, the point with the
/// smallest gap at the end of the step comes first; the others are as far from each other as possible. If no patch exists
/// and the meshes approach slowly, `points` gets instead every point that will touch within the step, so that a face lands
/// on its whole outline.
void patches_of_meshes(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b, const MeshPatchRequest& request,
                       PatchList& patches, ContactList& points);

}  // namespace asperity::geometry
