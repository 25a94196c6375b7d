// How the runs of a study are started. Here on this machine; a cluster would implement the same three functions.
#pragma once
#include <memory>
#include <string>
#include <vector>

namespace asperity::lab {

/// What became of a run.
struct Finished {
    int id = 0;
    int code = 0;             ///< exit code of the program; minus the signal that ended it
    std::string out, errors;  ///< what it printed
};

class Launcher {
  public:
    virtual ~Launcher() = default;
    /// How many runs may be under way at a time.
    virtual int slots() const = 0;
    /// Starts the program with these arguments. `id` comes back in Finished. Throws InputError if it cannot be started.
    virtual void start(int id, const std::vector<std::string>& arguments) = 0;
    /// Waits up to `seconds` for runs to finish.
    virtual std::vector<Finished> wait(double seconds) = 0;
};

/// One process per run: a run that crashes or is out of memory takes no other with it. When the launcher's process dies, by
/// whatever signal, so do its runs.
std::unique_ptr<Launcher> local_launcher(const std::string& program, int slots);

}  // namespace asperity::lab
