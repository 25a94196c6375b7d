// Makes assets/creature.obj: an armoured creature with snout, ears, arms, legs and tail, described as a distance field and
// turned into triangles by surface nets. Build it with `ninja make_creature`, run it as `make_creature assets/creature.obj`.
//
//     field      smooth union of tapered capsules: distance to each, blended where two are nearer than kBlend
//     cells      one vertex in every cell of a grid that the surface passes, at the mean of the crossings of its edges
//     faces      one quad round every grid edge that the surface crosses, cut along its shorter diagonal
//     polish     vertices slide onto the zero of the field along its gradient, which is also their normal
// Surface nets: Gibson, "Constrained elastic surface nets", MICCAI 1998.
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <vector>

#include "asperity/math/vec.h"

namespace {

using asperity::Vec3;

// [m] edge of a grid cell: sets the number of triangles; at this one no two sheets share an edge
constexpr double kCell = 0.045;
constexpr double kBlend = 0.045;  // [m] how far parts melt into one another

/// A capsule whose radius goes linearly from a to b.
struct Limb {
    Vec3 from, to;
    double from_radius, to_radius;
};

/// Facing -y, standing on z = 0, about 1 m tall. Left and right are mirrored below.
const Limb kMiddle[] = {
    {{0, 0.03, 0.36}, {0, 0.00, 0.60}, 0.185, 0.150},    // belly and chest
    {{0, 0.10, 0.42}, {0, 0.09, 0.58}, 0.150, 0.120},    // shell on the back
    {{0, -0.02, 0.80}, {0, -0.04, 0.84}, 0.115, 0.105},  // head
    {{0, -0.10, 0.79}, {0, -0.24, 0.75}, 0.075, 0.048},  // snout
    {{0, 0.00, 0.62}, {0, -0.01, 0.76}, 0.090, 0.080},   // neck
    {{0, 0.18, 0.28}, {0, 0.40, 0.13}, 0.085, 0.055},    // tail
    {{0, 0.40, 0.13}, {0, 0.60, 0.17}, 0.060, 0.040},
};
const Limb kSide[] = {
    {{0.13, 0.00, 0.58}, {0.30, -0.04, 0.62}, 0.068, 0.055},   // upper arm
    {{0.30, -0.04, 0.62}, {0.40, -0.14, 0.76}, 0.055, 0.045},  // forearm, raised
    {{0.40, -0.14, 0.76}, {0.43, -0.17, 0.82}, 0.060, 0.050},  // hand
    {{0.11, 0.03, 0.30}, {0.17, -0.03, 0.15}, 0.105, 0.070},   // thigh
    {{0.17, -0.03, 0.15}, {0.18, -0.01, 0.07}, 0.070, 0.062},  // shin
    {{0.18, 0.01, 0.055}, {0.19, -0.14, 0.05}, 0.055, 0.050},  // foot
    {{0.065, 0.00, 0.88}, {0.11, 0.02, 0.97}, 0.055, 0.045},   // ear
};

double distance(const Limb& limb, const Vec3& p) {
    const Vec3 along = limb.to - limb.from;
    const double s = asperity::clamp(dot(p - limb.from, along) / length_squared(along), 0, 1);
    return length(p - limb.from - s * along) - asperity::lerp(limb.from_radius, limb.to_radius, s);
}

/// The polynomial smooth minimum: smooth where |a - b| < kBlend, the smaller one elsewhere.
double blend(double a, double b) {
    const double h = std::fmax(kBlend - std::fabs(a - b), 0) / kBlend;
    return std::fmin(a, b) - 0.25 * kBlend * h * h;
}

double field(const Vec3& p) {
    double d = 1e9;
    for (const Limb& limb : kMiddle) d = blend(d, distance(limb, p));
    const Vec3 folded{std::fabs(p.x), p.y, p.z};
    for (const Limb& limb : kSide) d = blend(d, distance(limb, folded));
    return d;
}

Vec3 gradient(const Vec3& p) {
    const double h = 1e-5;
    return Vec3{field({p.x + h, p.y, p.z}) - field({p.x - h, p.y, p.z}),
                field({p.x, p.y + h, p.z}) - field({p.x, p.y - h, p.z}),
                field({p.x, p.y, p.z + h}) - field({p.x, p.y, p.z - h})} /
           (2 * h);
}

using Cell = std::array<int, 3>;

Vec3 corner(const Cell& c) {
    return {kCell * (c[0] + 0.5), kCell * c[1], kCell * c[2]};  // mirrored in x as the creature is
}

/// The mean of the places where the surface crosses the twelve edges of the cell, or false where it crosses none.
bool vertex_of(const Cell& cell, Vec3& out) {
    double value[8];
    Vec3 at[8];
    for (int i = 0; i < 8; ++i) {
        at[i] = corner({cell[0] + (i & 1), cell[1] + (i >> 1 & 1), cell[2] + (i >> 2 & 1)});
        value[i] = field(at[i]);
    }
    Vec3 sum;
    int crossings = 0;
    for (int i = 0; i < 8; ++i)
        for (const int bit : {1, 2, 4}) {
            const int k = i | bit;
            if (k == i || (value[i] < 0) == (value[k] < 0)) continue;
            const double s = value[i] / (value[i] - value[k]);
            sum += (1 - s) * at[i] + s * at[k];
            ++crossings;
        }
    if (crossings == 0) return false;
    out = sum / crossings;
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: make_creature FILE.obj\n";
        return 2;
    }
    const Cell low{-15, -12, -2}, high{15, 20, 29};
    std::map<Cell, int> number;
    std::vector<Vec3> positions;
    for (int z = low[2]; z < high[2]; ++z)
        for (int y = low[1]; y < high[1]; ++y)
            for (int x = low[0]; x < high[0]; ++x)
                if (Vec3 p; vertex_of({x, y, z}, p)) {
                    number[{x, y, z}] = static_cast<int>(positions.size());
                    positions.push_back(p);
                }
    // slide onto the surface, but stay near the middle of the cell's part: two steps of Newton are enough
    for (Vec3& p : positions)
        for (int i = 0; i < 3; ++i) {
            const Vec3 g = gradient(p);
            p -= field(p) / length_squared(g) * g;
        }

    std::ofstream out(argv[1]);
    out << "# An armoured creature, made by assets/source/make_creature.cpp. z is up, it faces -y.\n";
    char line[200];
    for (const Vec3& p : positions) {
        std::snprintf(line, sizeof line, "v %.5f %.5f %.5f\n", p.x, p.y, p.z);
        out << line;
    }
    for (const Vec3& p : positions) {
        const Vec3 n = normalized(gradient(p));
        std::snprintf(line, sizeof line, "vn %.4f %.4f %.4f\n", n.x, n.y, n.z);
        out << line;
    }
    int triangles = 0;
    const auto emit = [&](int a, int b, int c) {
        out << "f";
        for (const int v : {a, b, c}) out << ' ' << v + 1 << "//" << v + 1;
        out << '\n';
        ++triangles;
    };
    for (const auto& [cell, index] : number)
        for (size_t axis = 0; axis < 3; ++axis) {
            // the grid edge from this cell's low corner along `axis`, and the four cells round it
            const size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
            Cell next = cell;
            ++next[axis];
            const bool inside = field(corner(cell)) < 0;
            if (inside == (field(corner(next)) < 0)) continue;
            int q[4];
            for (int i = 0; i < 4; ++i) {
                Cell c = cell;
                c[u] -= i == 1 || i == 2;
                c[v] -= i >= 2;
                q[i] = number.at(c);
            }
            if (!inside) std::swap(q[1], q[3]);
            const auto at = [&](int i) { return positions[static_cast<size_t>(q[i])]; };
            if (length_squared(at(0) - at(2)) <= length_squared(at(1) - at(3))) {
                emit(q[0], q[1], q[2]), emit(q[0], q[2], q[3]);
            } else {
                emit(q[0], q[1], q[3]), emit(q[1], q[2], q[3]);
            }
        }
    std::cout << positions.size() << " vertices, " << triangles << " triangles\n";
    return out.good() ? 0 : 1;
}
