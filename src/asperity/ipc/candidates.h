// Pairs of primitives that may come close along a motion: the broad phase, and how far the motion may go.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "asperity/ccd/box_tree.h"
#include "asperity/ipc/collision.h"
#include "asperity/ipc/surface.h"

namespace asperity::ipc {

using Pair = std::array<int, 2>;

/// The pairs of a motion, sorted. They depend on the arguments of find_candidates() alone: what is kept between calls, a
/// wider list with a margin, changes the time and not the pairs.
template <int Dim>
struct Candidates {
    std::vector<Pair> vertex_cell;  ///< a vertex and a face (2D: an edge)
    std::vector<Pair> edge_edge;    ///< 3D: two edges, the smaller index first
    int size() const { return static_cast<int>(vertex_cell.size() + edge_edge.size()); }

    // === Kept between calls
    std::vector<Pair> wide_vertex_cell, wide_edge_edge;
    std::vector<ccd::Box<Dim>> allowed;  ///< per vertex: while it moves in here, the wide lists have all pairs
    double allowed_distance = -1;        ///< largest distance for which they do [m]
    std::uint64_t version = 0;           ///< of the surface that they belong to
    int builds = 0;                      ///< how often they were made

    // === Scratch memory
    ccd::BoxTree<Dim> tree;
    std::vector<ccd::Box<Dim>> boxes, swept;
    std::vector<int> primitives;
    std::vector<char> keep;
    std::vector<std::vector<Pair>> chunks;
    mutable CollisionScratch collision_scratch;
};

/// All pairs whose boxes, swept from x to x + direction, come within `distance` of each other along every axis. Pairs that
/// share a vertex, that belong to bodies that do not collide, or of which neither moves, are left out.
template <int Dim>
void find_candidates(const Surface<Dim>& surface, std::span<const Vector<Dim>> x, std::span<const Vector<Dim>> direction,
                     double distance, Candidates<Dim>& candidates);

/// Largest part of the motion, at most 1, along which every candidate keeps the share `keep` of its gap. `blocking`: the
/// first candidate with that limit, counted through vertex_cell and then edge_edge; -1 if the limit is 1.
template <int Dim>
double step_limit(const Surface<Dim>& surface, const Candidates<Dim>& candidates, std::span<const Vector<Dim>> x,
                  std::span<const Vector<Dim>> direction, double keep, int* blocking);

/// The bodies of a candidate as step_limit() counts them.
template <int Dim>
std::array<int, 2> candidate_bodies(const Surface<Dim>& surface, const Candidates<Dim>& candidates, int index);

}  // namespace asperity::ipc
