// Conditions on every mesh.
#pragma once
#include <map>

#include "asperity/deform/meshes/solid_mesh.h"

namespace asperity::deform {

/// The volume that the boundary encloses, by the divergence theorem: positive if the faces look outwards.
inline double enclosed(const SolidMesh<3>& mesh) {
    double sum = 0;
    for (const auto& f : boundary(mesh)) {
        Matrix<3, 3> m;
        for (int k = 0; k < 3; ++k) m.col(k) = mesh.points[static_cast<std::size_t>(f[static_cast<std::size_t>(k)])];
        sum += m.determinant() / 6;
    }
    return sum;
}
inline double enclosed(const SolidMesh<2>& mesh) {
    double sum = 0;
    for (const auto& f : boundary(mesh)) {
        const Vector<2>&a = mesh.points[static_cast<std::size_t>(f[0])], &b = mesh.points[static_cast<std::size_t>(f[1])];
        sum += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    }
    return sum;
}

/// Every edge of the surface has two faces, which run through it in opposite directions.
inline bool is_closed(const SolidMesh<3>& mesh) {
    std::map<std::pair<int, int>, int> count;
    for (const auto& f : boundary(mesh))
        for (std::size_t k = 0; k < 3; ++k) ++count[{f[k], f[(k + 1) % 3]}];
    for (const auto& [edge, n] : count)
        if (n != 1 || !count.contains({edge.second, edge.first})) return false;
    return !count.empty();
}
inline bool is_closed(const SolidMesh<2>& mesh) {
    std::map<int, int> out, in;
    for (const auto& f : boundary(mesh)) ++out[f[0]], ++in[f[1]];
    for (const auto& [v, n] : out)
        if (n != 1 || in[v] != 1) return false;
    return !out.empty();
}

}  // namespace asperity::deform
