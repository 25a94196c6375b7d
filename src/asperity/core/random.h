// Seeded generator with the same numbers on every platform, unlike the distributions of the standard library.
#pragma once
#include <cstdint>

namespace asperity {

/// PCG-XSH-RR 64/32 (O'Neill 2014, "PCG: a family of simple fast space-efficient algorithms").
class Random {
  public:
    explicit Random(std::uint64_t seed = 1, std::uint64_t stream = 0);
    std::uint32_t bits();
    double uniform();                         ///< in [0, 1), 53 random bits
    double uniform(double low, double high);  ///< in [low, high)
    double normal();                          ///< mean 0, deviation 1 (polar method)
    int below(int count);                     ///< in [0, count)

  private:
    std::uint64_t state_ = 0;
    std::uint64_t increment_ = 1;
};

}  // namespace asperity
