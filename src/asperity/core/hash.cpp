#include "asperity/core/hash.h"

#include <fmt/format.h>

namespace asperity {

std::uint64_t Hash::value() const {
    std::uint64_t x = value_;  // SplitMix64 finaliser: similar states get unrelated hashes
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

std::string Hash::hex() const { return fmt::format("{:016x}", value()); }

}  // namespace asperity
