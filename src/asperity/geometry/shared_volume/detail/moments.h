// Volume, first and second moments summed over tetrahedra. The origin lies near them, so that thin solids keep their digits.
#pragma once
#include "asperity/math/vec.h"

namespace asperity::geometry::detail {

struct Moments {
    double volume = 0;
    Vec3 first;              // int r dV
    Vec3 squares, products;  // int of xx yy zz, and of yz zx xy

    /// The tetrahedron from the origin over a, b, c; positive if they are counter-clockwise seen from outside:
    ///     V = D/6,   int x = D/24 s,   int x x^T = D/120 (a a^T + b b^T + c c^T + s s^T),   D = det(a b c),   s = a + b + c
    void add_tetrahedron(const Vec3& a, const Vec3& b, const Vec3& c) {
        const double det = dot(a, cross(b, c));
        const Vec3 s = a + b + c;
        volume += det / 6;
        first += det / 24 * s;
        squares += det / 120 * (scaled(a, a) + scaled(b, b) + scaled(c, c) + scaled(s, s));
        products += det / 120 * (turned(a) + turned(b) + turned(c) + turned(s));
    }
    /// The tetrahedron a, b, c, d; positive if det(b - a, c - a, d - a) > 0.
    void add_tetrahedron(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
        const double v = dot(b - a, cross(c - a, d - a)) / 6;
        const Vec3 s = a + b + c + d;
        volume += v;
        first += v / 4 * s;
        squares += v / 20 * (scaled(a, a) + scaled(b, b) + scaled(c, c) + scaled(d, d) + scaled(s, s));
        products += v / 20 * (turned(a) + turned(b) + turned(c) + turned(d) + turned(s));
    }
    /// Moments about the point that is at -d relative to the present origin.
    Moments moved(const Vec3& d) const {
        return {volume, first + volume * d, squares + 2 * scaled(d, first) + volume * scaled(d, d),
                products +
                    Vec3{d.y * first.z + d.z * first.y, d.z * first.x + d.x * first.z, d.x * first.y + d.y * first.x} +
                    volume * turned(d)};
    }
    /// Moments in rotated axes.
    Moments turned_by(const Mat3& turn) const {
        const Mat3 m = turn *
                       Mat3{{{squares.x, products.z, products.y},
                             {products.z, squares.y, products.x},
                             {products.y, products.x, squares.z}}} *
                       transposed(turn);
        return {volume, turn * first, {m.r[0].x, m.r[1].y, m.r[2].z}, {m.r[1].z, m.r[2].x, m.r[0].y}};
    }
    void add(const Moments& o) {
        volume += o.volume;
        first += o.first;
        squares += o.squares;
        products += o.products;
    }
    Vec3 centre() const { return first / volume; }
    Mat3 about_centre() const {
        const Vec3 c = centre();
        const Vec3 s = squares - volume * scaled(c, c), p = products - volume * turned(c);
        return {{{s.x, p.z, p.y}, {p.z, s.y, p.x}, {p.y, p.x, s.z}}};
    }

    /// Products yz zx xy of two vectors.
    static Vec3 turned(const Vec3& a, const Vec3& b) { return {a.y * b.z, a.z * b.x, a.x * b.y}; }
    static Vec3 turned(const Vec3& a) { return turned(a, a); }
};

/// Integrals of the normal and of r x normal over a piece of a surface.
struct AreaMoments {
    Vec3 area, turning;
    /// Adds a triangle: its area vector acts at its centroid.
    void add_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
        const Vec3 s = 0.5 * cross(b - a, c - a);
        area += s;
        turning += cross((a + b + c) / 3, s);
    }
    AreaMoments moved(const Vec3& d) const { return {area, turning + cross(d, area)}; }
    void add(const AreaMoments& o) {
        area += o.area;
        turning += o.turning;
    }
};

}  // namespace asperity::geometry::detail
