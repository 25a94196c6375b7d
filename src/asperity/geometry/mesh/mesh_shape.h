// A triangle mesh as a shape: a handle on triangles that many bodies share. mesh.h builds it and looks into it.
#pragma once
#include <memory>

namespace asperity::geometry {

struct TriangleSet;
/// A triangle mesh, non-convex, built by make_mesh() in mesh.h. Shared as hulls are. Never null.
struct Mesh {
    std::shared_ptr<const TriangleSet> triangles;
};

}  // namespace asperity::geometry
