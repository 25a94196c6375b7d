// A time limit for a computation, which also ends when a stop is requested (stop.h).
#pragma once
#include <chrono>

#include "asperity/core/stop.h"

namespace asperity {

class Deadline {
  public:
    /// `seconds` from now; infinity: no limit.
    explicit Deadline(double seconds) : seconds_(seconds), start_(Clock::now()) {}
    double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    bool passed() const { return stop_requested() || elapsed() > seconds_; }
    double left() const { return seconds_ - elapsed(); }

  private:
    using Clock = std::chrono::steady_clock;
    double seconds_;
    Clock::time_point start_;
};

}  // namespace asperity
