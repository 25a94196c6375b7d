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

}  // namespace asperity
