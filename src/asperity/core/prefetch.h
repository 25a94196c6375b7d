// Software prefetching. The lists of a large pile exceed the cache, and the hardware prefetcher looks ahead only a little.
#pragma once
#include <cstddef>

namespace asperity {

constexpr size_t kCacheLine = 64;  // [bytes]
// Prefetch distance in a loop over a list [items of a few cache lines each]. Smaller: data arrive too late. Larger: they
// evict data still in use.
constexpr size_t kAheadInList = 16;

/// Prefetches for reading.
[[gnu::always_inline]] inline void fetch(const void* from, size_t bytes) {
    for (size_t offset = 0; offset < bytes; offset += kCacheLine)
        __builtin_prefetch(static_cast<const char*>(from) + offset);
}

/// Prefetches for writing: takes the lines away from other cores' caches.
[[gnu::always_inline]] inline void fetch_to_change(const void* from, size_t bytes) {
    for (size_t offset = 0; offset < bytes; offset += kCacheLine) {
        const char* line = static_cast<const char*>(from) + offset;
#if defined(__x86_64__)
        // __builtin_prefetch would request a shared copy; processors without prefetchw ignore it
        asm volatile("prefetchw %0" : : "m"(*line));
#else
        __builtin_prefetch(line, 1);
#endif
    }
}

}  // namespace asperity
