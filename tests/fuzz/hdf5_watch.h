// Tells who has ended a process: the HDF5 library, which some damaged files bring down, or our own code, which none may.
#pragma once
#include <functional>

namespace asperity::fuzz {

enum class End {
    Exited,     ///< with the code that the work returned
    InHdf5,     ///< a signal or a sanitizer's report while a call of the HDF5 library was running
    InOurCode,  ///< the same anywhere else, or within a call that had been given too little memory to write to
};

struct Outcome {
    End end;
    int code;  ///< of the exit
};

/// Runs `work` in a process of its own. The linker leads every HDF5 call of the reader through a counter that both processes
/// see (--wrap, tests/fuzz/CMakeLists.txt).
Outcome run_apart(const std::function<int()>& work);

}  // namespace asperity::fuzz
