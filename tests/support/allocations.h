// Counts the allocations of a test program: linking allocations.cpp replaces all forms of the global operator new.
#pragma once

namespace asperity::testing_support {

/// Number of calls of operator new so far, on all threads.
long allocation_count();

}  // namespace asperity::testing_support
