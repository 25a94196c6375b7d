// Tells whether a process was ended by the HDF5 library, which some damaged files crash, or by our own code, which none may.
#pragma once
#include <functional>

namespace asperity::fuzz {

enum class End {
    Exited,     ///< exited with the code that the work returned
    InHdf5,     ///< ended by a signal or sanitizer report during a call of the HDF5 library
    InOurCode,  ///< ended anywhere else, or in a library call that got a too small buffer from us
};

struct Outcome {
    End end;
    int code;  ///< exit code
};

/// Runs `work` in a separate process. The linker routes every HDF5 call of the reader through a counter in shared memory
/// (--wrap, tests/fuzz/CMakeLists.txt).
Outcome run_apart(const std::function<int()>& work);

}  // namespace asperity::fuzz
