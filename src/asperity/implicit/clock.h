// Measures the wall time of the parts of a step. A call ends the previous part and starts the one it names.
#pragma once
#include <chrono>

#include "asperity/implicit/report.h"

namespace asperity::implicit {

class PartClock {
  public:
    explicit PartClock(std::array<double, kPartCount>& part_ms) : part_ms_(part_ms), since_(Clock::now()) {}
    ~PartClock() { (*this)(Part::other); }
    PartClock(const PartClock&) = delete;
    PartClock& operator=(const PartClock&) = delete;
    void operator()(Part next) {
        const auto now = Clock::now();
        part_ms_[static_cast<std::size_t>(part_)] += std::chrono::duration<double, std::milli>(now - since_).count();
        part_ = next;
        since_ = now;
    }

  private:
    using Clock = std::chrono::steady_clock;
    std::array<double, kPartCount>& part_ms_;
    Part part_ = Part::other;
    Clock::time_point since_;
};

}  // namespace asperity::implicit
