// Threads for loops whose iterations write only their own slots, so that results have the same bits on any thread count.
#pragma once
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>

#include "asperity/core/threads.h"

// Debian's TBB is not instrumented: tell the thread sanitizer the order that a loop implies.
#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);
#define ASPERITY_TSAN_ACQUIRE(address) __tsan_acquire(address)
#define ASPERITY_TSAN_RELEASE(address) __tsan_release(address)
#else
#define ASPERITY_TSAN_ACQUIRE(address) static_cast<void>(address)
#define ASPERITY_TSAN_RELEASE(address) static_cast<void>(address)
#endif

namespace asperity {

namespace detail {
tbb::task_arena& arena();
}

/// A team of threads for many consecutive stages. A stage is a loop over chunks that may run concurrently; it ends before
/// the next begins. Starting a TBB loop takes longer than a short stage, so these threads spin between stages.
///
/// Each thread starts with its own part of the chunks, the same part in every stage, so that its data are in its cache. Then
/// it helps the others, from the end of their parts. This matters where caches are not shared: a line written by another
/// core takes longer to load than one from memory.
class Team {
  public:
    /// Runs work(team) on this thread; the other threads wait for stages. A nested run() uses the team of the outer one.
    template <class Work>
    static void run(const Work& work) {
        if (current_) return work(*current_);
        Team team(std::min(thread_count(), kMost));
        if (team.size_ == 1) return work(team);
        detail::arena().execute([&] {
            const Registration duty(team);
            work(team);
        });
    }
    /// The team of the run() on this thread; null outside of run(), and within a stage.
    static Team* current() { return current_; }
    int size() const { return size_; }
    /// Chunk size for `count` items: at least `least`, or as large as gives each thread kChunksEach chunks. Handing over a
    /// chunk moves some cache lines between threads, which costs 0.1 to 0.2 microseconds.
    int chunk(int count, int least) const { return std::max(least, count / (kChunksEach * size_)); }
    /// Calls body(i) for i in [0, count). An exception of a call is rethrown here after all calls have ended.
    template <class Body>
    void stage(int count, const Body& body) {
        if (size_ == 1 || count <= 1) {
            for (int i = 0; i < count; ++i) body(i);
            return;
        }
        call_ = [](const void* context, int i) { (*static_cast<const Body*>(context))(i); };
        context_ = &body;
        done_.store(0, std::memory_order_relaxed);
        for (int k = 0, first = 0; k < size_; ++k) {
            const int end = static_cast<int>(static_cast<std::int64_t>(count) * (k + 1) / size_);
            slots_[k].ticket.store(static_cast<std::uint64_t>(end) << 32 | static_cast<std::uint32_t>(first),
                                   std::memory_order_release);
            first = end;
        }
        run_stage(count);
    }

  private:
    static constexpr int kMost = 64;
    static constexpr int kChunksEach = 16;  // enough for others to help a thread that is delayed

    /// Registers the team on this thread for the lifetime of the object, and dismisses the helpers at its end.
    struct Registration {
        Team& team;
        explicit Registration(Team& t) : team(t) { current_ = &team; }
        Registration(const Registration&) = delete;
        Registration& operator=(const Registration&) = delete;
        ~Registration();
    };
    explicit Team(int size) : size_(size) {}
    void run_stage(int count);
    void help(int own);
    bool claim_any(int own);
    bool any_left() const;  ///< chunks of the present stage
    bool claim(int own, int part);
    static void pause();

    struct alignas(64) Slot {                  // one cache line each
        std::atomic<std::uint64_t> ticket{0};  // end << 32 | next
        std::atomic<bool> taken{false};
    };
    static thread_local Team* current_;
    int size_;
    void (*call_)(const void*, int) = nullptr;
    const void* context_ = nullptr;
    std::exception_ptr thrown_;  // first exception of this stage
    std::atomic<bool> failed_{false};
    Slot slots_[kMost];
    alignas(64) std::atomic<int> done_{0};
    std::atomic<bool> over_{false};
    tbb::task_group helpers_;
};

/// Calls body(i) for i in [0, count), in chunks of at least `grain` iterations. With one thread: a plain loop.
template <class Body>
void parallel_for(int count, const Body& body, int grain = 32) {
    if (thread_count() == 1 || count <= grain) {
        for (int i = 0; i < count; ++i) body(i);
        return;
    }
    if (Team* team = Team::current()) {
        const int chunk = team->chunk(count, grain);
        return team->stage((count + chunk - 1) / chunk, [&](int c) {
            for (int i = c * chunk; i < std::min(count, (c + 1) * chunk); ++i) body(i);
        });
    }
    char begun = 0, ended = 0;  // only their addresses are used
    ASPERITY_TSAN_RELEASE(&begun);
    detail::arena().execute([&] {
        tbb::parallel_for(tbb::blocked_range<int>(0, count, grain), [&](const tbb::blocked_range<int>& range) {
            ASPERITY_TSAN_ACQUIRE(&begun);
            for (int i = range.begin(); i < range.end(); ++i) body(i);
            ASPERITY_TSAN_RELEASE(&ended);
        });
    });
    ASPERITY_TSAN_ACQUIRE(&ended);
}

}  // namespace asperity
