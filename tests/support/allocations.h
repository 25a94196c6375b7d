// Counts what a test program allocates: linking allocations.cpp replaces its global operator new, in all forms.
#pragma once

namespace asperity::testing_support {

/// Calls of operator new so far, on all threads.
long allocation_count();

}  // namespace asperity::testing_support
