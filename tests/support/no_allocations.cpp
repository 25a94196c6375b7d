// Linked to the sanitized tests in the place of allocations.cpp: the sanitizers need their own operator new.
#include <cstdlib>

#include "tests/support/allocations.h"

// No sanitized test may call this: a test that counts allocations must have "Allocat" in its name
// (cmake/AsperityTests.cmake).
long asperity::testing_support::allocation_count() { std::abort(); }
