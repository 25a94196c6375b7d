#include "asperity/progress.h"
#include "asperity/tell.h"

#include <unistd.h>

#include <fmt/format.h>
#include <chrono>
#include <cmath>

namespace asperity::app {
namespace {

constexpr double kTerminalInterval = 0.1, kLogInterval = 15;  // time between two updates [s]
constexpr int kBarWidth = 30;

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

std::string duration_text(double seconds) {
    const int whole = static_cast<int>(std::ceil(seconds));
    return whole < 60 ? fmt::format("{} s", whole) : fmt::format("{}:{:02d}", whole / 60, whole % 60);
}

Progress::Progress(std::string label, bool quiet)
    : label_(std::move(label)),
      quiet_(quiet),
      terminal_(::isatty(STDERR_FILENO) != 0),
      started_(now_s()),
      last_draw_(started_) {}

Progress::~Progress() { done(); }

void Progress::update(double fraction) {
    fraction_ = fraction;
    const double now = now_s();
    if (quiet_ || now - last_draw_ < (terminal_ ? kTerminalInterval : kLogInterval)) return;
    draw(now);
}

void Progress::draw(double now) {
    last_draw_ = now;
    const double spent = now - started_;
    const std::string left = fraction_ > 0 ? duration_text(spent / fraction_ * (1 - fraction_)) + " left" : "";
    if (terminal_) {
        const int full = static_cast<int>(fraction_ * kBarWidth);
        std::string bar;
        for (int i = 0; i < kBarWidth; ++i) bar += i < full ? "█" : "░";
        tell("\r{} {} {:3.0f} %  {}\033[K", label_, bar, 100 * fraction_, left);
    } else {
        tell("{}: {:.0f} %, {}\n", label_, 100 * fraction_, left);
    }
    std::fflush(stderr);
}

void Progress::done() {
    if (finished_) return;
    finished_ = true;
    if (quiet_ || !terminal_) return;
    tell("\r{}: {:.0f} % in {}\033[K\n", label_, 100 * fraction_, duration_text(now_s() - started_));
}

}  // namespace asperity::app
