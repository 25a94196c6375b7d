#include "asperity/core/parallel.h"

#include <algorithm>
#include <memory>
#include <thread>

namespace asperity {
namespace {
int threads = 1;
std::unique_ptr<tbb::task_arena> shared_arena;
}  // namespace

void set_thread_count(int count) {
    if (count <= 0) count = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    if (count == threads) return;
    threads = count;
    shared_arena.reset();
}

int thread_count() { return threads; }

tbb::task_arena& detail::arena() {
    if (!shared_arena) shared_arena = std::make_unique<tbb::task_arena>(threads);
    return *shared_arena;
}

void Team::pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
}

void Team::help(int own) {
    constexpr int kSpins = 4000;   // about 0.1 ms: longer than any pause between stages; then others may have the core
    for (int idle = 0; !over_.load(std::memory_order_acquire);) {
        if (claim_any(own)) {
            idle = 0;
        } else if (++idle < kSpins) {
            pause();
        } else {
            std::this_thread::yield();
        }
    }
}

}  // namespace asperity
