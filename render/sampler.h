// Low-discrepancy sample points: at 16 to 64 samples per pixel they have half the noise of random numbers.
#pragma once
#include <cstdint>
#include <vector>

namespace asperity::render {

struct Sample2 {
    float x, y;  ///< in [0, 1)
};

/// Pairs of Sobol dimensions, Owen-scrambled by hashing; the index of every pair is shuffled (Burley, "Practical Hash-based
/// Owen Scrambling", JCGT 2020). The points are tabulated once per picture. Each pixel applies its own random digital shift,
/// which keeps their stratification and costs one hash per pixel and pair.
class SampleTable {
  public:
    SampleTable(int sample_count, int pair_count, std::uint64_t seed);
    int pair_count() const { return pair_count_; }

  private:
    friend class PixelSampler;
    struct Bits {
        std::uint32_t x, y;
    };
    int sample_count_, pair_count_;
    std::uint64_t seed_;
    std::vector<Bits> bits_;  // [pair][sample]
};

/// The samples of one pixel. They are the same in every frame and on every thread.
class PixelSampler {
  public:
    PixelSampler(const SampleTable& table, std::uint64_t pixel);
    Sample2 pair(int pair, int sample) const;

  private:
    static constexpr int max_pairs = 32;
    const SampleTable& table_;
    SampleTable::Bits shift_[max_pairs];
};

}  // namespace asperity::render
