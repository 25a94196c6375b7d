// Runs another program and collects its output. An engine that crashes ends only its own process.
#pragma once
#include <string>
#include <vector>

namespace asperity::peers {

struct ChildResult {
    std::string output;   ///< its standard output; standard error passes through
    std::string trouble;  ///< empty for exit code 0; otherwise "exit code 2", "signal 11 (Segmentation fault)"
};

/// Waits for the program to end. arguments[0] is its path. Throws InputError if it cannot be started.
ChildResult run_child(const std::vector<std::string>& arguments);

}  // namespace asperity::peers
