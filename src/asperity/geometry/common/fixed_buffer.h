// A list of up to N items on the stack. Narrow-phase code then allocates nothing, and unused slots are not zeroed.
#pragma once
#include <type_traits>

#include "asperity/core/assert.h"

namespace asperity::geometry {

template <class T, int N>
class FixedBuffer {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  public:
    FixedBuffer() {}
    FixedBuffer(const FixedBuffer&) = delete;
    FixedBuffer& operator=(const FixedBuffer&) = delete;
    int size() const { return size_; }
    bool empty() const { return size_ == 0; }
    bool full() const { return size_ == N; }
    void clear() { size_ = 0; }
    void resize_down(int size) { size_ = size; }
    /// Items beyond N are dropped; callers choose N or check full() so that none is.
    void push(const T& item) {
        ASPERITY_ASSERT(size_ < N);
        if (size_ < N) items_[size_++] = item;
    }
    T& operator[](int i) { return items_[i]; }
    const T& operator[](int i) const { return items_[i]; }
    T* begin() { return items_; }
    T* end() { return items_ + size_; }
    const T* begin() const { return items_; }
    const T* end() const { return items_ + size_; }

  private:
    int size_ = 0;
    union {
        T items_[N];
    };
};

}  // namespace asperity::geometry
