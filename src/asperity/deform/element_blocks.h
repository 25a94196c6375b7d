// Hessians of four elements at a time, as blocks of pairs of corners. The assembly of the implicit step spends most of its
// time here. NeoHookean without projection is computed in SIMD lanes, one element each; the other models one by one.
#pragma once
#include "asperity/deform/elements.h"

namespace asperity::deform {

template <int Dim>
struct ElementBlocks {
    static constexpr int kElements = 4;
    static constexpr int kPairs = (Dim + 1) * (Dim + 2) / 2;
    /// Index of a pair of corners, b <= a.
    static constexpr int pair(int a, int b) { return a * (a + 1) / 2 + b; }
    /// The blocks of a pair: entry (i, k) is the (k Dim + i)-th; then by element.
    alignas(32) double value[kPairs][Dim * Dim][kElements];
};

/// The blocks of elastic_hessian() for elements first to last - 1, kElements at most; equal to it but for rounding.
template <int Dim>
void elastic_blocks(const Elements<Dim>& elements, std::span<const Vector<Dim>> x, Projection projection, int first,
                    int last, ElementBlocks<Dim>& out);

}  // namespace asperity::deform
