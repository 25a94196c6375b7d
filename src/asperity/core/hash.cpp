#include "asperity/core/hash.h"

#include <fmt/format.h>
#include <algorithm>

#include "asperity/core/bytes.h"

namespace asperity {

std::uint64_t Hash::value() const {
    std::uint64_t x = value_;  // SplitMix64 finaliser: similar states get unrelated hashes
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

std::string Hash::hex() const { return fmt::format("{:016x}", value()); }

std::uint64_t checksum(std::string_view bytes) {
    Hash hash;
    for (std::size_t at = 0; at < bytes.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
        hash.add(little_endian(word));
    }
    hash.add(static_cast<std::uint64_t>(bytes.size()));
    return hash.value();
}

}  // namespace asperity
