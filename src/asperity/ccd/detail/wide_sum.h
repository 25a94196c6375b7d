// The exact sum of a few products of three doubles anywhere in their range: one fixed-point number with a bit for every
// power of two that such a product can have. Slow, about a microsecond; for coordinates that expansions cannot take.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace asperity::ccd {

class WideSum {
  public:
    /// Adds sign * a b c; up to 2^28 products. Finite values.
    void add(int sign, double a, double b, double c) {
        const Parts x = parts(a), y = parts(b), z = parts(c);
        if (x.mantissa == 0 || y.mantissa == 0 || z.mantissa == 0) return;
        const std::array<std::uint32_t, 2> first = digits(x.mantissa);
        const std::array<std::uint32_t, 6> product = times(times(first, digits(y.mantissa)), digits(z.mantissa));
        const bool negative = (sign < 0) != (x.negative != (y.negative != z.negative));
        const int position = x.exponent + y.exponent + z.exponent - 3 * kLowest;
        const std::size_t at = static_cast<std::size_t>(position / 32);
        const int shift = position % 32;
        for (std::size_t k = 0; k < product.size(); ++k) {
            const std::uint64_t moved = static_cast<std::uint64_t>(product[k]) << shift;
            put(at + k, negative, moved & 0xffffffffU);
            put(at + k + 1, negative, moved >> 32);
        }
    }
    int sign() const {
        std::int64_t carry = 0;
        bool any = false;
        for (const std::int64_t digit : digits_) {
            const std::int64_t sum = digit + carry;
            any = any || (sum & 0xffffffff) != 0;
            carry = sum >> 32;  // rounds down
        }
        return carry < 0 ? -1 : any ? 1 : 0;
    }

  private:
    static constexpr int kLowest = -1074;  // exponent of the last bit of the smallest double
    struct Parts {
        bool negative;
        std::uint64_t mantissa;
        int exponent;  // value = mantissa 2^exponent
    };
    static Parts parts(double v) {
        const std::uint64_t bits = std::bit_cast<std::uint64_t>(v);
        const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
        const std::uint64_t fraction = bits & 0xfffffffffffffULL;
        return {bits >> 63 != 0, exponent > 0 ? fraction | 1ULL << 52 : fraction,
                (exponent > 0 ? exponent - 1 : 0) + kLowest};
    }
    static std::array<std::uint32_t, 2> digits(std::uint64_t v) {
        return {static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(v >> 32)};
    }
    template <std::size_t Count>
    static std::array<std::uint32_t, Count + 2> times(const std::array<std::uint32_t, Count>& a,
                                                      const std::array<std::uint32_t, 2>& b) {
        std::array<std::uint32_t, Count + 2> out{};
        for (std::size_t j = 0; j < 2; ++j) {
            std::uint64_t carry = 0;
            for (std::size_t i = 0; i < Count; ++i) {
                carry += static_cast<std::uint64_t>(a[i]) * b[j] + out[i + j];
                out[i + j] = static_cast<std::uint32_t>(carry);
                carry >>= 32;
            }
            out[Count + j] = static_cast<std::uint32_t>(carry);
        }
        return out;
    }
    void put(std::size_t at, bool negative, std::uint64_t v) {
        const std::int64_t signed_v = static_cast<std::int64_t>(v);
        digits_[at] += negative ? -signed_v : signed_v;
    }
    // The largest product is below 2^3072 and the smallest unit 2^-3222: 6294 bits, and 28 for the sum.
    std::array<std::int64_t, 200> digits_{};  // base 2^32; carries wait in the upper halves
};

}  // namespace asperity::ccd
