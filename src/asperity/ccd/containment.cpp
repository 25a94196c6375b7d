// Bodies inside others: crossings of an upward ray with faces, decided exactly.
//
// The ray starts at the point moved by (e, e^2) along the horizontal axes, e infinitesimal (Edelsbrunner and Muecke 1990,
// "Simulation of simplicity"). So it never passes through an edge or a vertex, and neighbouring faces agree on which of them
// it crosses.
#include <algorithm>
#include <limits>
#include <numeric>

#include "asperity/ccd/box_tree.h"
#include "asperity/ccd/intersections.h"
#include "asperity/ccd/predicates.h"
#include "asperity/core/parallel.h"

namespace asperity::ccd {
namespace {

/// Which side of the horizontal line ab the moved point is on: 1 left, -1 right; 0 only if a == b.
int side(const Vector<3>& a, const Vector<3>& b, const Vector<3>& point) {
    const int exact = orient2d({a[0], a[1]}, {b[0], b[1]}, {point[0], point[1]});
    if (exact != 0) return exact;
    // Derivatives of the determinant by the point's coordinates: a_y - b_y, then b_x - a_x.
    if (a[1] != b[1]) return a[1] > b[1] ? 1 : -1;
    return a[0] == b[0] ? 0 : b[0] > a[0] ? 1 : -1;
}

/// Whether the upward ray crosses: 1 leaving, -1 entering an oriented surface, 0 if it does not.
int crossing(std::span<const Vector<3>> x, const std::array<int, 3>& face, const Vector<3>& point) {
    const Vector<3>&a = x[static_cast<std::size_t>(face[0])], &b = x[static_cast<std::size_t>(face[1])],
          &c = x[static_cast<std::size_t>(face[2])];
    const int ab = side(a, b, point);
    if (ab == 0 || side(b, c, point) != ab || side(c, a, point) != ab) return 0;
    return orient3d(a, b, c, point) == ab ? ab : 0;
}

int crossing(std::span<const Vector<2>> x, const std::array<int, 2>& edge, const Vector<2>& point) {
    const Vector<2>&a = x[static_cast<std::size_t>(edge[0])], &b = x[static_cast<std::size_t>(edge[1])];
    const bool a_right = a[0] > point[0], b_right = b[0] > point[0];
    if (a_right == b_right) return 0;
    const int leftward = a_right ? 1 : -1;
    return orient2d(a, b, point) == leftward ? leftward : 0;
}

const std::array<int, 2>& piece(const SurfaceView<2>& view, std::size_t i) { return view.edges[i]; }
const std::array<int, 3>& piece(const SurfaceView<3>& view, std::size_t i) { return view.faces[i]; }
std::size_t piece_count(const SurfaceView<2>& view) { return view.edges.size(); }
std::size_t piece_count(const SurfaceView<3>& view) { return view.faces.size(); }

enum class Closed : char {
    no,
    even,      ///< its boundary vanishes if orientations are disregarded
    oriented,  ///< its boundary vanishes
};

/// A side of a face, or an end of an edge (second vertex -1), with the orientation that the face or edge gives it.
struct Border {
    int first, second, orientation;
    bool same(const Border& o) const { return first == o.first && second == o.second; }
    friend bool operator<(const Border& a, const Border& b) {
        return a.first != b.first ? a.first < b.first : a.second < b.second;
    }
};

void add_borders(const std::array<int, 2>& edge, std::vector<Border>& out) {
    out.push_back({edge[0], -1, -1});
    out.push_back({edge[1], -1, 1});
}
void add_borders(const std::array<int, 3>& face, std::vector<Border>& out) {
    for (std::size_t k = 0; k < 3; ++k) {
        const int a = face[k], b = face[(k + 1) % 3];
        out.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1});
    }
}

/// Per body; bodies without faces are open. Each border can only lower what its body is.
template <int Dim>
std::vector<Closed> find_closed(const SurfaceView<Dim>& view) {
    std::vector<Border> borders;
    borders.reserve(piece_count(view) * static_cast<std::size_t>(Dim));
    for (std::size_t i = 0; i < piece_count(view); ++i) add_borders(piece(view, i), borders);
    std::sort(borders.begin(), borders.end());
    std::vector<Closed> closed(static_cast<std::size_t>(view.body_count), Closed::no);
    for (const Border& border : borders) closed[static_cast<std::size_t>(view.body_of(border.first))] = Closed::oriented;
    for (std::size_t i = 0, end = 0; i < borders.size(); i = end) {
        int sum = 0;
        for (end = i; end < borders.size() && borders[end].same(borders[i]); ++end) sum += borders[end].orientation;
        Closed& body = closed[static_cast<std::size_t>(view.body_of(borders[i].first))];
        if ((end - i) % 2 != 0)
            body = Closed::no;
        else if (sum != 0)
            body = std::min(body, Closed::even);
    }
    return closed;
}

/// The crossings of one ray with one body.
struct Tally {
    int winding = 0, count = 0;
    void add(int crossing) {
        winding += crossing;
        count += crossing != 0;
    }
    bool is_inside(Closed closed) const {
        return closed == Closed::oriented ? winding != 0 : closed == Closed::even && count % 2 != 0;
    }
};

/// The lowest vertex of each connected part of the edges, in increasing order.
template <int Dim>
std::vector<int> find_parts(const SurfaceView<Dim>& view) {
    std::vector<int> lowest(view.body.size());
    std::iota(lowest.begin(), lowest.end(), 0);
    std::vector<char> used(view.body.size(), 0);
    const auto find = [&lowest](int v) {
        while (lowest[static_cast<std::size_t>(v)] != v) {
            int& up = lowest[static_cast<std::size_t>(v)];
            up = lowest[static_cast<std::size_t>(up)];
            v = up;
        }
        return v;
    };
    for (const std::array<int, 2>& edge : view.edges) {
        used[static_cast<std::size_t>(edge[0])] = used[static_cast<std::size_t>(edge[1])] = 1;
        const int a = find(edge[0]), b = find(edge[1]);
        lowest[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
    std::vector<int> out;
    for (std::size_t v = 0; v < lowest.size(); ++v)
        if (used[v] && lowest[v] == static_cast<int>(v)) out.push_back(static_cast<int>(v));
    return out;
}

}  // namespace

template <int Dim>
bool inside(const Vector<Dim>& point, const SurfaceView<Dim>& view, std::span<const Vector<Dim>> x, int body) {
    Tally tally;
    for (std::size_t i = 0; i < piece_count(view); ++i)
        if (view.body_of(piece(view, i)[0]) == body) tally.add(crossing(x, piece(view, i), point));
    return tally.count > 0 && tally.is_inside(find_closed(view)[static_cast<std::size_t>(body)]);
}

template <int Dim>
Containment first_containment(const SurfaceView<Dim>& view, std::span<const Vector<Dim>> x) {
    const std::vector<Closed> closed = find_closed(view);
    const std::vector<int> parts = find_parts(view);
    std::vector<Box<Dim>> boxes(piece_count(view), Box<Dim>::empty());
    for (std::size_t i = 0; i < boxes.size(); ++i)
        for (const int v : piece(view, i)) boxes[i].add(x[static_cast<std::size_t>(v)]);
    BoxTree<Dim> tree;
    tree.build(boxes);

    std::vector<int> containers(parts.size(), -1);
    parallel_for(
        static_cast<int>(parts.size()),
        [&](int k) {
            const int vertex = parts[static_cast<std::size_t>(k)], body = view.body_of(vertex);
            const Vector<Dim>& point = x[static_cast<std::size_t>(vertex)];
            Box<Dim> ray{point, point};
            ray.high[Dim - 1] = std::numeric_limits<double>::infinity();
            std::vector<std::array<int, 2>> crossings;  // body, sign
            tree.for_overlaps(ray, [&](int i) {
                const std::size_t at = static_cast<std::size_t>(i);
                const int other = view.body_of(piece(view, at)[0]);
                if (other == body || !view.may_collide(body, other)) return;
                const int sign = crossing(x, piece(view, at), point);
                if (sign != 0) crossings.push_back({other, sign});
            });
            std::sort(crossings.begin(), crossings.end());
            for (std::size_t i = 0; i < crossings.size();) {
                const int other = crossings[i][0];
                Tally tally;
                for (; i < crossings.size() && crossings[i][0] == other; ++i) tally.add(crossings[i][1]);
                if (!tally.is_inside(closed[static_cast<std::size_t>(other)])) continue;
                containers[static_cast<std::size_t>(k)] = other;
                return;
            }
        },
        1);
    for (std::size_t k = 0; k < parts.size(); ++k) {
        if (containers[k] < 0) continue;
        const std::size_t vertex = static_cast<std::size_t>(parts[k]);
        return {true, view.body[vertex], containers[k], parts[k], to_vec3(x[vertex])};
    }
    return {};
}

template bool inside<2>(const Vector<2>&, const SurfaceView<2>&, std::span<const Vector<2>>, int);
template bool inside<3>(const Vector<3>&, const SurfaceView<3>&, std::span<const Vector<3>>, int);
template Containment first_containment<2>(const SurfaceView<2>&, std::span<const Vector<2>>);
template Containment first_containment<3>(const SurfaceView<3>&, std::span<const Vector<3>>);

}  // namespace asperity::ccd
