// A triangle mesh as a shape: a handle on triangles that many bodies share. mesh.h builds and reads them.
#pragma once
#include <memory>

namespace asperity::geometry {

struct TriangleSet;
/// A triangle mesh, not convex, built by make_mesh() in mesh.h. Shared by bodies, as hulls are. Never null.
struct Mesh {
    std::shared_ptr<const TriangleSet> triangles;
};

}  // namespace asperity::geometry
