// A list that keeps its capacity when cleared, like std::vector, but with an inlined push: the compiler keeps std::vector's
// push_back out of line.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

namespace asperity::geometry::detail {

/// Grows scratch memory to at least `size`; never shrinks it.
template <class T>
void make_room(std::vector<T>& list, size_t size) {
    if (list.size() < size) list.resize(2 * size);
}

template <class T>
class KeptList {
  public:
    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    void clear() { size_ = 0; }
    void push_back(const T& item) {
        if (size_ == room_.size()) grow();
        room_[size_++] = item;
    }
    /// Pointer to room for `more` further items; resize_to() then sets how many were written.
    T* room_for(size_t more) {
        while (size_ + more > room_.size()) grow();
        return room_.data() + size_;
    }
    void resize_to(size_t size) { size_ = size; }
    T& operator[](size_t i) { return room_[i]; }
    const T& operator[](size_t i) const { return room_[i]; }
    const T& back() const { return room_[size_ - 1]; }
    T* data() { return room_.data(); }
    const T* data() const { return room_.data(); }
    T* begin() { return room_.data(); }
    T* end() { return room_.data() + size_; }
    const T* begin() const { return room_.data(); }
    const T* end() const { return room_.data() + size_; }
    void swap(KeptList& other) {
        room_.swap(other.room_);
        std::swap(size_, other.size_);
    }

  private:
    [[gnu::noinline]] void grow() { room_.resize(2 * room_.size() + 16); }
    std::vector<T> room_;
    size_t size_ = 0;
};

}  // namespace asperity::geometry::detail
