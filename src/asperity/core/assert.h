// A broken promise of ours, as opposed to a wrong input of a user (error.h).
#pragma once
#include <cstdio>
#include <cstdlib>

#ifdef __CUDACC__
#define ASPERITY_HD __host__ __device__
#else
#define ASPERITY_HD
#endif

#if defined(ASPERITY_ENABLE_ASSERTS)
#define ASPERITY_ASSERT(condition)                                                               \
    do {                                                                                         \
        if (!(condition)) {                                                                      \
            std::fprintf(stderr, "%s:%d: broken promise: %s\n", __FILE__, __LINE__, #condition); \
            std::abort();                                                                        \
        }                                                                                        \
    } while (false)
#else
// names what it would read, and reads nothing
#define ASPERITY_ASSERT(condition) static_cast<void>(sizeof((condition) ? 1 : 0))
#endif
