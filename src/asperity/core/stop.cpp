#include "asperity/core/stop.h"

#include <atomic>

namespace asperity {
namespace {

std::atomic<bool> requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // as a signal handler requires
thread_local int shields = 0;

}  // namespace

void request_stop() { requested.store(true, std::memory_order_relaxed); }
void withdraw_stop_request() { requested.store(false, std::memory_order_relaxed); }
bool stop_requested() { return requested.load(std::memory_order_relaxed) && shields == 0; }

StopShield::StopShield() { ++shields; }
StopShield::~StopShield() { --shields; }

}  // namespace asperity
