// Threads for loops whose iterations write only their own slots, so results have the same bits on any thread count.
#pragma once
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>

// Debian's TBB is not instrumented, so the thread sanitizer must be told what a loop orders
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

/// Number of threads that parallel_for uses from now on. 0 takes all cores. Default 1.
void set_thread_count(int count);
int thread_count();

namespace detail {
tbb::task_arena& arena();
}

/// Threads that stand by for many stages, each a loop over chunks that may run at the same time. A stage ends before the
/// next one begins. Starting a loop of TBB takes longer than a short stage; here the threads spin in between. Each thread
/// begins with its own part of the chunks, the same part of every stage, so that what it has in its cache is what it needs;
/// then it helps the others, from the end of their parts. Where caches are not shared that counts for much: a line that
/// another core has written takes longer to come than one from memory.
class Team {
  public:
    /// Runs work(team) on this thread while the others wait for its stages. Within the work of another run: with that team.
    template <class Work>
    static void run(const Work& work) {
        if (standing_) return work(*standing_);
        Team team(std::min(thread_count(), kMost));
        if (team.size_ == 1) return work(team);
        detail::arena().execute([&] {
            const Duty duty(team);
            work(team);
        });
    }
    /// The team whose work this thread is doing, between its stages; null if there is none, and within a stage.
    static Team* standing() { return standing_; }
    int size() const { return size_; }
    /// How many of `count` items make a chunk that is worth handing over: `least`, or what gives each thread a few of them.
    /// Each chunk costs the way of some cache lines between the threads, a tenth of a microsecond or two.
    int chunk(int count, int least) const { return std::max(least, count / (kChunksEach * size_)); }
    /// Calls body(i) for i in [0, count). What a call throws is thrown here, once the others have ended.
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
            seats_[k].ticket.store(static_cast<std::uint64_t>(end) << 32 | static_cast<std::uint32_t>(first),
                                   std::memory_order_release);
            first = end;
        }
        lead(count);
    }

  private:
    static constexpr int kMost = 64;
    static constexpr int kChunksEach = 16;  // enough for a thread that is held up to be helped

    /// From the first stage to the end of the work, however it ends.
    struct Duty {
        Team& team;
        explicit Duty(Team& t) : team(t) { standing_ = &team; }
        Duty(const Duty&) = delete;
        Duty& operator=(const Duty&) = delete;
        ~Duty();
    };
    explicit Team(int size) : size_(size) {}
    void lead(int count);
    void help(int own);
    bool claim_any(int own);
    bool any_left() const;  ///< chunks of this stage
    bool claim(int own, int part);
    static void pause();

    struct alignas(64) Seat {                  // a cache line each
        std::atomic<std::uint64_t> ticket{0};  // end << 32 | next
        std::atomic<bool> taken{false};
    };
    static thread_local Team* standing_;
    int size_;
    void (*call_)(const void*, int) = nullptr;
    const void* context_ = nullptr;
    std::exception_ptr thrown_;  // by the first call that did in this stage
    std::atomic<bool> failed_{false};
    Seat seats_[kMost];
    alignas(64) std::atomic<int> done_{0};
    std::atomic<bool> over_{false};
    tbb::task_group helpers_;
};

/// Calls body(i) for i in [0, count), in chunks of at least `grain` iterations. One thread: a plain loop.
template <class Body>
void parallel_for(int count, const Body& body, int grain = 32) {
    if (thread_count() == 1 || count <= grain) {
        for (int i = 0; i < count; ++i) body(i);
        return;
    }
    if (Team* team = Team::standing()) {
        const int chunk = team->chunk(count, grain);
        return team->stage((count + chunk - 1) / chunk, [&](int c) {
            for (int i = c * chunk; i < std::min(count, (c + 1) * chunk); ++i) body(i);
        });
    }
    char begun = 0, ended = 0;  // addresses only
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
