// Assertions: a failure is a bug in the engine. For invalid user input see error.h.
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
// keeps the operands referenced without evaluating them
#define ASPERITY_ASSERT(condition) static_cast<void>(sizeof((condition) ? 1 : 0))
#endif
