// Surfaces for the tests of ipc: strips, sheets, boxes and soups, put together as bodies.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "asperity/core/random.h"
#include "asperity/ipc/collisions.h"

namespace asperity::ipc {

template <int Dim>
using Points = std::vector<Vector<Dim>>;
template <int Dim>
std::span<const Vector<Dim>> view(const Points<Dim>& x) {
    return x;
}

template <int Dim>
Vector<Dim> random_vector(Random& random, double size = 1) {
    Vector<Dim> v;
    for (int k = 0; k < Dim; ++k) v[k] = random.uniform(-size, size);
    return v;
}

inline Matrix<3, 3> random_rotation(Random& random) {
    Vector<3> a = random_vector<3>(random).normalized(), b = random_vector<3>(random);
    b = (b - a * a.dot(b)).normalized();
    Matrix<3, 3> out;
    out << a, b, a.cross(b);
    return out;
}

/// Adds a body with these cells (2D: edges, 3D: faces) and makes the edges of faces. Returns its first vertex.
template <int Dim>
int add_body(Surface<Dim>& s, const Points<Dim>& points, const std::vector<std::array<int, Dim>>& cells,
             double thickness = 0, bool moves = true) {
    const int first = static_cast<int>(s.rest.size()), body = s.body_count();
    s.rest.insert(s.rest.end(), points.begin(), points.end());
    s.body.insert(s.body.end(), points.size(), body);
    std::vector<std::array<int, 2>> edges;
    for (std::array<int, Dim> cell : cells) {
        for (int& v : cell) v += first;
        if constexpr (Dim == 2) {
            s.edges.push_back(cell);
        } else {
            s.faces.push_back(cell);
            for (std::size_t k = 0; k < 3; ++k)
                edges.push_back({std::min(cell[k], cell[(k + 1) % 3]), std::max(cell[k], cell[(k + 1) % 3])});
        }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    s.edges.insert(s.edges.end(), edges.begin(), edges.end());
    s.moves.push_back(moves);
    s.thickness.push_back(thickness);
    s.collide.assign(s.moves.size() * s.moves.size(), 1);
    return first;
}

/// A chain of `count` edges from a to b; inner points move along by up to `jitter` of an edge.
inline int add_strip(Surface<2>& s, const Vector<2>& a, const Vector<2>& b, int count, double jitter = 0,
                     Random* random = nullptr) {
    Points<2> points;
    std::vector<std::array<int, 2>> edges;
    for (int i = 0; i <= count; ++i) {
        const double shift = i > 0 && i < count && random ? random->uniform(-jitter, jitter) : 0;
        points.push_back(a + (b - a) * ((i + shift) / count));
        if (i < count) edges.push_back({i, i + 1});
    }
    return add_body<2>(s, points, edges);
}

/// A grid of nx * ny squares from `origin` along u and v, each cut in two; the cut alternates at random if `random`, and
/// inner points are moved within the plane by up to `jitter` of a square.
inline int add_sheet(Surface<3>& s, const Vector<3>& origin, const Vector<3>& u, const Vector<3>& v, int nx, int ny,
                     double jitter = 0, Random* random = nullptr, bool moves = true) {
    Points<3> points;
    std::vector<std::array<int, 3>> faces;
    for (int j = 0; j <= ny; ++j)
        for (int i = 0; i <= nx; ++i) {
            double a = i, b = j;
            if (random && i > 0 && i < nx && j > 0 && j < ny) {
                a += random->uniform(-jitter, jitter);
                b += random->uniform(-jitter, jitter);
            }
            points.push_back(origin + u * (a / nx) + v * (b / ny));
        }
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) {
            const int p = j * (nx + 1) + i, q = p + 1, r = p + nx + 1, t = r + 1;
            if (random && random->below(2) == 0) {
                faces.push_back({p, q, r});
                faces.push_back({q, t, r});
            } else {
                faces.push_back({p, q, t});
                faces.push_back({p, t, r});
            }
        }
    return add_body<3>(s, points, faces, 0, moves);
}

/// Separate cells of size `size` at random places in a cube of size 1, all of one body; many of them overlap.
template <int Dim>
int add_soup(Surface<Dim>& s, Random& random, int count, double size) {
    Points<Dim> points;
    std::vector<std::array<int, Dim>> cells;
    for (int c = 0; c < count; ++c) {
        const Vector<Dim> middle = random_vector<Dim>(random, 0.5);
        std::array<int, Dim> cell{};
        for (int& v : cell) {
            v = static_cast<int>(points.size());
            points.push_back(middle + random_vector<Dim>(random, size));
        }
        cells.push_back(cell);
    }
    return add_body<Dim>(s, points, cells);
}

/// Collisions of resting positions.
template <int Dim>
std::vector<Collision> collisions_at(const Surface<Dim>& s, const Points<Dim>& x, double dhat) {
    Candidates<Dim> candidates;
    const Points<Dim> still(x.size(), Vector<Dim>::Zero());
    double reach = dhat;
    for (const double thickness : s.thickness) reach = std::max(reach, dhat + thickness);
    find_candidates<Dim>(s, x, still, reach, candidates);
    std::vector<Collision> out;
    find_collisions<Dim>(s, candidates, x, dhat, out);
    return out;
}

/// Gradient of the barrier per vertex.
template <int Dim>
Points<Dim> gradient_at(const Surface<Dim>& s, const Barrier& barrier, const std::vector<Collision>& collisions,
                        const Points<Dim>& x) {
    Points<Dim> out(x.size(), Vector<Dim>::Zero());
    LocalContact<Dim> local;
    for (const Collision& c : collisions) {
        barrier_local<Dim>(s, barrier, c, x, false, local);
        for (int k = 0; k < local.count; ++k)
            out[static_cast<std::size_t>(local.vertices[static_cast<std::size_t>(k)])] +=
                local.gradient.template segment<Dim>(k * Dim);
    }
    return out;
}

}  // namespace asperity::ipc
