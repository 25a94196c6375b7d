// Threads for loops whose iterations write only their own slots, so results have the same bits on any thread count.
#pragma once
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

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

}  // namespace asperity
