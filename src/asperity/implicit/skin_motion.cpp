#include "asperity/implicit/skin_motion.h"

#include <numeric>

namespace asperity::implicit {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

template <int Dim>
const auto& cells_of(const ipc::Surface<Dim>& surface) {
    if constexpr (Dim == 3)
        return surface.faces;
    else
        return surface.edges;
}

/// Two edge vectors of a cell, whose cross product points outwards. In the plane the second one is along the depth.
template <int Dim>
std::array<Vec3, 2> sides(const std::array<int, Dim>& cell, std::span<const Vector<Dim>> x) {
    const Vec3 first = to_vec3(Vector<Dim>(x[at(cell[1])] - x[at(cell[0])]));
    if constexpr (Dim == 3)
        return {first, to_vec3(Vector<3>(x[at(cell[2])] - x[at(cell[0])]))};
    else
        return {first, {0, -1, 0}};
}

/// Calls f(cell, weight) for the cells around the vertices of a point that face outwards.
template <int Dim, class F>
void for_cells(const ipc::Surface<Dim>& surface, const SkinTopology& topology, std::span<const Vector<Dim>> x,
               const SkinPoint& point, const F& f) {
    for (std::size_t k = 0; k < at(point.count); ++k) {
        const std::size_t v = at(point.vertices[k]);
        for (int c = topology.start[v]; c < topology.start[v + 1]; ++c) {
            const int cell = topology.cells[at(c)];
            const auto [first, second] = sides<Dim>(cells_of(surface)[at(cell)], x);
            // a weight that falls to zero faster than the area as seen: little of a face at 80 degrees is touched
            const Vec3 area = cross(first, second);
            const double size = length(area), facing = size > 0 ? dot(area, point.outward) / size : 0;
            if (facing > 1e-6) f(cell, point.weights[k] * size * facing * facing * facing);
        }
    }
}

}  // namespace

template <int Dim>
SkinTopology skin_topology(const ipc::Surface<Dim>& surface) {
    SkinTopology out;
    out.start.assign(surface.rest.size() + 1, 0);
    for (const auto& cell : cells_of(surface))
        for (const int v : cell) ++out.start[at(v) + 1];
    std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
    out.cells.resize(at(out.start.back()));
    std::vector<int> next(out.start.begin(), out.start.end() - 1);
    for (std::size_t c = 0; c < cells_of(surface).size(); ++c)
        for (const int v : cells_of(surface)[c]) out.cells[at(next[at(v)]++)] = static_cast<int>(c);
    return out;
}

template <int Dim>
Vec3 rest_place(const ipc::Surface<Dim>& surface, const SkinPoint& point) {
    Vec3 place;
    for (std::size_t k = 0; k < at(point.count); ++k)
        place += point.weights[k] * to_vec3(surface.rest[at(point.vertices[k])]);
    return place;
}

template <int Dim>
Vec3 rest_normal(const ipc::Surface<Dim>& surface, const SkinTopology& topology, std::span<const Vector<Dim>> x,
                 const SkinPoint& point) {
    Vec3 sum;
    for_cells(surface, topology, x, point, [&](int c, double weight) {
        const auto [u, v] = sides<Dim>(cells_of(surface)[at(c)], surface.rest);
        const Vec3 area = cross(u, v);
        if (length(area) > 0) sum += (weight / length(area)) * area;
    });
    const double size = length(sum);
    return size > 0 ? sum / size : Vec3{};
}

template <int Dim>
Vec3 carry_tangent(const ipc::Surface<Dim>& surface, const SkinTopology& topology, std::span<const Vector<Dim>> x,
                   const SkinPoint& point, const Vec3& tangent) {
    Vec3 sum;
    double total = 0;
    for_cells(surface, topology, x, point, [&](int c, double weight) {
        const std::array<int, Dim>& cell = cells_of(surface)[at(c)];
        const auto [u, v] = sides<Dim>(cell, surface.rest);
        const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), determinant = uu * vv - uv * uv;
        if (!(determinant > 0)) return;
        const double tu = dot(tangent, u), tv = dot(tangent, v);
        const auto [now_u, now_v] = sides<Dim>(cell, x);
        sum += (weight / determinant) * ((vv * tu - uv * tv) * now_u + (uu * tv - uv * tu) * now_v);
        total += weight;
    });
    return total > 0 ? sum / total : Vec3{};
}

#define ASPERITY_INSTANTIATE(Dim)                                                                                 \
    template SkinTopology skin_topology<Dim>(const ipc::Surface<Dim>&);                                           \
    template Vec3 rest_place<Dim>(const ipc::Surface<Dim>&, const SkinPoint&);                                    \
    template Vec3 rest_normal<Dim>(const ipc::Surface<Dim>&, const SkinTopology&, std::span<const Vector<Dim>>,   \
                                   const SkinPoint&);                                                             \
    template Vec3 carry_tangent<Dim>(const ipc::Surface<Dim>&, const SkinTopology&, std::span<const Vector<Dim>>, \
                                     const SkinPoint&, const Vec3&);
ASPERITY_INSTANTIATE(2)
ASPERITY_INSTANTIATE(3)
#undef ASPERITY_INSTANTIATE

}  // namespace asperity::implicit
