// Runs another program and collects what it prints: an engine that crashes takes its own process down and no other.
#pragma once
#include <string>
#include <vector>

namespace asperity::peers {

struct ChildResult {
    std::string output;   ///< its standard output; standard error passes through
    std::string trouble;  ///< empty when it exited with 0; otherwise "exit code 2", "signal 11 (Segmentation fault)"
};

/// Waits until it ends. arguments[0] is the path of the program. Throws InputError when it cannot be started.
ChildResult run_child(const std::vector<std::string>& arguments);

}  // namespace asperity::peers
