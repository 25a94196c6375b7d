// Loops over elements that end in one number: a fixed number of chunks at most, so that their results fit on the stack, and
// chunks that depend on the number of elements alone, so that sums have the same bits on any number of threads.
#pragma once
#include <algorithm>
#include <array>

#include "asperity/core/parallel.h"

namespace asperity::deform {

/// Joins the results of chunk(first, last) in their order: join(join(start, r0), r1) ...
template <class Chunk, class Join>
double join_chunks(int count, double start, const Chunk& chunk, const Join& join) {
    constexpr int kMostChunks = 256;  // enough for 64 threads to share evenly
    constexpr int kLeast = 128;       // elements: handing over a chunk costs as much as 5 elements
    const int size = std::max(kLeast, (count + kMostChunks - 1) / kMostChunks), chunks = (count + size - 1) / size;
    std::array<double, kMostChunks> results;
    parallel_for(
        chunks, [&](int c) { results[static_cast<std::size_t>(c)] = chunk(c * size, std::min(count, (c + 1) * size)); }, 1);
    for (int c = 0; c < chunks; ++c) start = join(start, results[static_cast<std::size_t>(c)]);
    return start;
}

}  // namespace asperity::deform
