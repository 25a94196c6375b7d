// State hashes: equal bits give equal hashes. Used to compare runs over threads, restarts and machines.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace asperity {

/// FNV-1a over 64-bit words with a final avalanche. -0.0 and 0.0 give different hashes.
class Hash {
  public:
    void add(std::uint64_t word) { value_ = (value_ ^ word) * 1099511628211ULL; }
    void add(double number) {
        std::uint64_t word;
        std::memcpy(&word, &number, sizeof word);
        add(word);
    }
    std::uint64_t value() const;
    std::string hex() const;  ///< 16 digits

  private:
    std::uint64_t value_ = 14695981039346656037ULL;
};

/// Hash of all bytes as little-endian words (the last word padded with zeros), then of the byte count. Each hash step is a
/// bijection of the state, so a change of one word always changes the result.
std::uint64_t checksum(std::string_view bytes);

}  // namespace asperity
