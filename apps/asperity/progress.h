// Progress of long work on stderr: on a terminal a bar with the remaining time, in a log an occasional line.
#pragma once
#include <string>

namespace asperity::app {

class Progress {
  public:
    Progress(std::string label, bool quiet);
    ~Progress();
    void update(double fraction);  ///< 0..1; cheap, may be called often
    void done();
    /// Characters to print before a line of its own: clears the bar on a terminal.
    const char* line_start() const { return !quiet_ && terminal_ ? "\r\033[K" : ""; }

  private:
    void draw(double now);

    std::string label_;
    bool quiet_, terminal_, finished_ = false;
    double fraction_ = 0, started_, last_draw_;
};

/// "1:05" or "12 s".
std::string duration_text(double seconds);

}  // namespace asperity::app
