// Memory in use, for bytes per contact or element.
#pragma once
#include <malloc.h>

namespace asperity::bench {

/// Bytes allocated now, by any owner. Asks the allocator, so nothing is missed and spare capacity counts.
inline double heap_bytes() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

}  // namespace asperity::bench
