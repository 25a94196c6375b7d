// The mesh of a soft body, from its shape or from a file.
#pragma once
#include <string>
#include <vector>

#include "asperity/deform/elements.h"
#include "asperity/geometry/shape/shape.h"
#include "asperity/scene/implicit_settings.h"

namespace asperity::scene {

/// The mesh, in shape axes. Boxes, balls, cylinders and capsules get structured meshes, closed triangle meshes and hulls are
/// filled with tetrahedra; in two dimensions boxes and discs. `notes` gets counts and quality. Throws InputError for shapes
/// that cannot be meshed, with the reason.
template <int Dim>
deform::SolidMesh<Dim> soft_mesh(const geometry::Shape& shape, const SoftBody& soft, std::vector<std::string>& notes,
                                 const std::string& name);

}  // namespace asperity::scene
