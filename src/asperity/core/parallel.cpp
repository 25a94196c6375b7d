#include "asperity/core/parallel.h"

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

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

thread_local Team* Team::current_ = nullptr;

Team::Registration::~Registration() {
    team.over_.store(true, std::memory_order_release);
    team.helpers_.wait();
    current_ = nullptr;
}

void Team::pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
}

bool Team::claim_any(int own) {
    for (int k = 0; k < size_; ++k)
        if (claim(own, (own + k) % size_)) return true;
    return false;
}

/// Takes one chunk of `part` in the present stage and runs it: the next chunk of a thread's own part, the last chunk of
/// another thread's part. A thread may be late, even by several stages. The exchange still succeeds only on the present
/// ticket, and the stage that issued it cannot end before done_ counts this chunk.
bool Team::claim(int own, int part) {
    std::atomic<std::uint64_t>& tickets = slots_[part].ticket;
    constexpr std::uint64_t kFirst = 1, kLast = std::uint64_t{1} << 32;
    std::uint64_t ticket = tickets.load(std::memory_order_acquire);
    do {
        if (static_cast<std::uint32_t>(ticket) >= ticket >> 32) return false;
    } while (!tickets.compare_exchange_weak(ticket, own == part ? ticket + kFirst : ticket - kLast,
                                            std::memory_order_acq_rel, std::memory_order_acquire));
    try {
        call_(context_, static_cast<int>(own == part ? ticket & 0xffffffffU : (ticket >> 32) - 1));
    } catch (...) {
        if (!failed_.exchange(true)) thrown_ = std::current_exception();
    }
    done_.fetch_add(1, std::memory_order_release);
    return true;
}

void Team::run_stage(int count) {
    // pairs with the fence in help(): either this thread sees that a helper has left, or the helper sees the tickets
    std::atomic_thread_fence(std::memory_order_seq_cst);
    for (int k = 1; k < size_; ++k)  // at the first stage all helpers, later those that have left
        if (!slots_[k].taken.load(std::memory_order_relaxed) && !slots_[k].taken.exchange(true))
            helpers_.run([this, k] { help(k); });
    current_ = nullptr;  // nested loops must not use the team
    while (claim_any(0)) {}
    while (done_.load(std::memory_order_acquire) != count) pause();
    current_ = this;
    if (failed_.exchange(false)) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

/// Leaves after an idle time: most of a step may be a solve on one thread, and other programs may need the core.
void Team::help(int own) {
    constexpr int kSpins = 4000, kYields = 2000;  // 0.1 ms, longer than most pauses between stages; then 1 ms
    do {
        for (int idle = 0; idle < kSpins + kYields && !over_.load(std::memory_order_acquire); ++idle) {
            if (claim_any(own))
                idle = 0;
            else if (idle < kSpins)
                pause();
            else
                std::this_thread::yield();
        }
        slots_[own].taken.store(false, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_seq_cst);
    } while (any_left() && !slots_[own].taken.exchange(true));
}

bool Team::any_left() const {
    for (int k = 0; k < size_; ++k)
        if (const std::uint64_t ticket = slots_[k].ticket.load(std::memory_order_relaxed);
            static_cast<std::uint32_t>(ticket) < ticket >> 32)
            return true;
    return false;
}

}  // namespace asperity
