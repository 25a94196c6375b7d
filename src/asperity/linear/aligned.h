// Four doubles processed together, as GCC and clang vector types, and arrays that are aligned for them. Multiply-adds are fused
// where the processor supports it, so the last bit may differ between machines.
#pragma once
#include <cstddef>
#include <new>
#include <vector>
#if defined(__SSE__)
#include <immintrin.h>
#endif

namespace asperity::linear {

/// Allocates at cache lines.
template <class T>
struct CacheLineAllocator {
    using value_type = T;
    static constexpr std::align_val_t kAlignment{64};
    CacheLineAllocator() = default;
    template <class U>
    CacheLineAllocator(const CacheLineAllocator<U>&) {}
    T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kAlignment)); }
    void deallocate(T* memory, std::size_t) { ::operator delete(memory, kAlignment); }
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
