// Surfaces for tests: a list of bodies with their vertices, edges and faces.
#pragma once
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "asperity/ccd/intersections.h"

namespace asperity::ccd {

template <int Dim>
struct Soup {
    std::vector<Vector<Dim>> x;
    std::vector<int> body;
    std::vector<std::array<int, 2>> edges;
    std::vector<std::array<int, 3>> faces;
    std::vector<char> collide;
    int bodies = 0;

    SurfaceView<Dim> view() const { return {body, edges, faces, collide, bodies}; }
    std::span<const Vector<Dim>> points() const { return x; }
    int vertex(const Vector<Dim>& at) {
        x.push_back(at);
        body.push_back(bodies - 1);
        return static_cast<int>(x.size()) - 1;
    }
    void edge(int a, int b) { edges.push_back({a, b}); }
    /// Adds the face; its edges if no face has them yet.
    void face(int a, int b, int c) {
        faces.push_back({a, b, c});
        for (const auto& [from, to] : {std::array{a, b}, std::array{b, c}, std::array{c, a}})
            if (known_.insert({std::min(from, to), std::max(from, to)}).second) edge(from, to);
    }
    int add_body() { return ++bodies - 1; }
    /// Faces or edges of another soup, moved and scaled, as a body of their own.
    int add(const Soup& other, const Vector<Dim>& offset, double scale = 1) {
        add_body();
        const int first = static_cast<int>(x.size());
        for (const Vector<Dim>& v : other.x) vertex(scale * v + offset);
        for (const auto& f : other.faces) face(first + f[0], first + f[1], first + f[2]);
        if (other.faces.empty())
            for (const auto& e : other.edges) edge(first + e[0], first + e[1]);
        return bodies - 1;
    }

  private:
    std::set<std::pair<int, int>> known_;
};

/// The cube [0, 1]^3 with outward faces.
inline Soup<3> cube() {
    Soup<3> out;
    out.add_body();
    for (int i = 0; i < 8; ++i)
        out.vertex({static_cast<double>(i & 1), static_cast<double>(i >> 1 & 1), static_cast<double>(i >> 2)});
    const int quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (const auto& q : quads) {
        out.face(q[0], q[1], q[2]);
        out.face(q[0], q[2], q[3]);
    }
    return out;
}

/// The square [0, 1]^2, counter-clockwise.
inline Soup<2> square() {
    Soup<2> out;
    out.add_body();
    for (const Vector<2>& v : {Vector<2>{0, 0}, Vector<2>{1, 0}, Vector<2>{1, 1}, Vector<2>{0, 1}}) out.vertex(v);
    for (int k = 0; k < 4; ++k) out.edge(k, (k + 1) % 4);
    return out;
}

/// A closed sphere of 2 n (n - 1) triangles, outward, about the origin.
inline Soup<3> sphere(int n, double radius) {
    Soup<3> out;
    out.add_body();
    const auto at = [&](double polar, double around) {
        return Vector<3>(radius * std::sin(polar) * std::cos(around), radius * std::sin(polar) * std::sin(around),
                         radius * std::cos(polar));
    };
    constexpr double kPi = 3.14159265358979323846;
    const int top = out.vertex({0, 0, radius});
    for (int i = 1; i < n; ++i)
        for (int j = 0; j < n; ++j) out.vertex(at(kPi * i / n, 2 * kPi * j / n));
    const int bottom = out.vertex({0, 0, -radius});
    const auto ring = [&](int i, int j) { return 1 + (i - 1) * n + j % n; };
    for (int j = 0; j < n; ++j) {
        out.face(top, ring(1, j), ring(1, j + 1));
        for (int i = 1; i + 1 < n; ++i) {
            out.face(ring(i, j), ring(i + 1, j), ring(i + 1, j + 1));
            out.face(ring(i, j), ring(i + 1, j + 1), ring(i, j + 1));
        }
        out.face(ring(n - 1, j), bottom, ring(n - 1, j + 1));
    }
    return out;
}

}  // namespace asperity::ccd
