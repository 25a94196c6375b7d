// Asking for memory before it is needed. Lists of a large pile do not fit into the cache, and a processor looks ahead by
// itself only so far.
#pragma once
#include <cstddef>

namespace asperity {

constexpr size_t kCacheLine = 64;  // [bytes]
// items of some cache lines each that a loop over a list asks for beforehand: less would come late, more would push others
// out
constexpr size_t kAheadInList = 16;

/// To read it soon.
[[gnu::always_inline]] inline void fetch(const void* from, size_t bytes) {
    for (size_t offset = 0; offset < bytes; offset += kCacheLine)
        __builtin_prefetch(static_cast<const char*>(from) + offset);
}

/// To change it soon: takes it away from other threads' caches.
[[gnu::always_inline]] inline void fetch_to_change(const void* from, size_t bytes) {
    for (size_t offset = 0; offset < bytes; offset += kCacheLine) {
        const char* line = static_cast<const char*>(from) + offset;
#if defined(__x86_64__)
        // the builtin would ask for a copy to read; processors that do not know this one pass over it
        asm volatile("prefetchw %0" : : "m"(*line));
#else
        __builtin_prefetch(line, 1);
#endif
    }
}

}  // namespace asperity
