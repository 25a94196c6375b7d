// Threads for loops whose iterations write only their own slots, so results have the same bits on any thread count.
#pragma once
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

#if defined(__SANITIZE_THREAD__)   // Debian's TBB is not instrumented, so the thread sanitizer must be told what a loop orders
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

/// Calls body(i) for i in [0, count), in chunks of at least `grain` iterations. One thread: a plain loop.
template <class Body>
void parallel_for(int count, const Body& body, int grain = 32) {
    if (thread_count() == 1 || count <= grain) {
        for (int i = 0; i < count; ++i) body(i);
        return;
    }
    char begun = 0, ended = 0;   // addresses only
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

/// Calls both, at the same time if there is a second thread.
template <class First, class Second>
void parallel_both(const First& first, const Second& second) {
    if (thread_count() == 1) {
        first();
        second();
        return;
    }
    char begun = 0, ended = 0;   // addresses only
    ASPERITY_TSAN_RELEASE(&begun);
    const auto ordered = [&](const auto& work) {
        return [&] {
            ASPERITY_TSAN_ACQUIRE(&begun);
            work();
            ASPERITY_TSAN_RELEASE(&ended);
        };
    };
    detail::arena().execute([&] { tbb::parallel_invoke(ordered(first), ordered(second)); });
    ASPERITY_TSAN_ACQUIRE(&ended);
}

/// Threads that stand by for many short stages, each a loop over chunks that may run at the same time. A stage ends before the next one
/// begins. Starting a parallel_for takes longer than such a stage; here the threads spin in between. Each thread begins with its own part of
/// the chunks, the same part of every stage, so that what it has in its cache is what it needs; then it helps the others.
class Team {
  public:
    /// Runs work(team) on this thread while the others wait for its stages.
    template <class Work>
    static void run(const Work& work) {
        Team team(std::min(thread_count(), kMost));
        if (team.size_ == 1) return work(team);
        detail::arena().execute([&] {
            tbb::task_group group;
            for (int i = 1; i < team.size_; ++i) group.run([&team, i] { team.help(i); });
            work(team);
            team.over_.store(true, std::memory_order_release);
            group.wait();
        });
    }
    int size() const { return size_; }
    /// How many of `count` items make a chunk that is worth handing over: `least`, or what gives each thread a few of them. Each chunk costs the
    /// way of some cache lines between the threads, a tenth of a microsecond or two.
    int chunk(int count, int least) const { return std::max(least, count / (kChunksEach * size_)); }
    /// Calls body(i) for i in [0, count).
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
            tickets_[k].value.store(static_cast<std::uint64_t>(end) << 32 | static_cast<std::uint32_t>(first), std::memory_order_release);
            first = end;
        }
        while (claim_any(0)) {
        }
        while (done_.load(std::memory_order_acquire) != count) pause();
    }

  private:
    static constexpr int kMost = 64;
    static constexpr int kChunksEach = 4;   // enough for a thread that is held up to be helped

    explicit Team(int size) : size_(size) {}
    bool claim_any(int own) {
        for (int k = 0; k < size_; ++k)
            if (claim(tickets_[(own + k) % size_].value)) return true;
        return false;
    }
    /// Takes the next chunk of a part of the present stage, if there is one left, and does it. A thread of the team may be late, even by
    /// several stages: the exchange succeeds only on the ticket as it is now, and the stage that has issued it cannot end before done_ says so.
    bool claim(std::atomic<std::uint64_t>& part) {
        std::uint64_t ticket = part.load(std::memory_order_acquire);
        do {
            if (static_cast<std::uint32_t>(ticket) >= ticket >> 32) return false;
        } while (!part.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel, std::memory_order_acquire));
        call_(context_, static_cast<int>(static_cast<std::uint32_t>(ticket)));
        done_.fetch_add(1, std::memory_order_release);
        return true;
    }
    void help(int own);
    static void pause();

    struct alignas(64) Ticket {   // a cache line each
        std::atomic<std::uint64_t> value{0};   // end << 32 | next
    };
    int size_;
    void (*call_)(const void*, int) = nullptr;
    const void* context_ = nullptr;
    Ticket tickets_[kMost];
    alignas(64) std::atomic<int> done_{0};
    std::atomic<bool> over_{false};
};

}  // namespace asperity
