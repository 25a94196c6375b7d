// Four doubles processed together, as GCC and clang vector types, and arrays that are aligned for them. Multiply-adds are
// fused where the processor supports it, so the last bit may differ between machines.
#pragma once
#include <cstddef>
#include <new>
#include <utility>
#include <vector>
#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(__SSE__)
#include <immintrin.h>
#endif

namespace asperity::linear {

/// Allocates at cache lines, and does not clear: parts that are never used take no memory. Large arrays begin at a huge page
/// and ask for such pages. With pages of 4 KB, the first use of an array takes longer than a factorisation in it.
template <class T>
struct CacheLineAllocator {
    using value_type = T;
    static constexpr std::size_t kHugePage = std::size_t{1} << 21, kLarge = 2 * kHugePage;
    static constexpr std::align_val_t alignment(std::size_t bytes) {
        return std::align_val_t{bytes >= kLarge ? kHugePage : 64};
    }
    CacheLineAllocator() = default;
    template <class U>
    CacheLineAllocator(const CacheLineAllocator<U>&) {}
    T* allocate(std::size_t n) {
        const std::size_t bytes = n * sizeof(T);
        void* memory = ::operator new(bytes, alignment(bytes));
#if defined(__linux__)
        if (bytes >= kLarge) static_cast<void>(madvise(memory, bytes, MADV_HUGEPAGE));  // advice: no error matters
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t n) { ::operator delete(memory, alignment(n * sizeof(T))); }
    template <class U>
    void construct(U* at) {
        ::new (static_cast<void*>(at)) U;
    }
    template <class U, class... Arguments>
    void construct(U* at, Arguments&&... arguments) {
        ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
    }
    template <class U>
    bool operator==(const CacheLineAllocator<U>&) const {
        return true;
    }
};
using AlignedDoubles = std::vector<double, CacheLineAllocator<double>>;

using Quad = double __attribute__((vector_size(32), may_alias));

[[gnu::always_inline]] inline Quad all_of(double x) { return Quad{x, x, x, x}; }
[[gnu::always_inline]] inline Quad& quad(double* aligned) { return *reinterpret_cast<Quad*>(aligned); }
[[gnu::always_inline]] inline const Quad& quad(const double* aligned) { return *reinterpret_cast<const Quad*>(aligned); }
/// c + a b, and c - a b.
[[gnu::always_inline]] inline Quad add_product(Quad c, Quad a, Quad b) {
#if defined(__FMA__)
    return _mm256_fmadd_pd(a, b, c);
#else
    return c + a * b;
#endif
}
[[gnu::always_inline]] inline Quad subtract_product(Quad c, Quad a, Quad b) {
#if defined(__FMA__)
    return _mm256_fnmadd_pd(a, b, c);
#else
    return c - a * b;
#endif
}

}  // namespace asperity::linear
