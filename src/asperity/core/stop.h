// A request to stop, made by a signal handler or another thread. Long computations look at it: all solvers do, through their
// Deadline.
#pragma once

namespace asperity {

/// May be called in a signal handler.
void request_stop();
void withdraw_stop_request();
/// Whether a stop is requested, and no StopShield of this thread delays it.
bool stop_requested();

/// While one exists, stop_requested() is false on its thread: for work that must end whole.
class StopShield {
  public:
    StopShield();
    ~StopShield();
    StopShield(const StopShield&) = delete;
    StopShield& operator=(const StopShield&) = delete;
};

}  // namespace asperity
