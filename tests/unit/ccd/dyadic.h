// Exact numbers of the form integer times a power of two, without limits: every double, and their sums and products.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace asperity::ccd {

class Dyadic {
  public:
    Dyadic(double v = 0) {  // converts: exact
        int exponent = 0;
        const double fraction = std::frexp(std::fabs(v), &exponent);
        const std::uint64_t mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
        digits_ = {static_cast<std::uint32_t>(mantissa), static_cast<std::uint32_t>(mantissa >> 32)};
        exponent_ = exponent - 53;
        negative_ = v < 0;
        trim();
    }
    int sign() const { return digits_.empty() ? 0 : negative_ ? -1 : 1; }

    friend Dyadic operator-(Dyadic a) {
        a.negative_ = !a.negative_;
        return a;
    }
    friend Dyadic operator+(Dyadic a, Dyadic b) {
        if (a.sign() == 0) return b;
        if (b.sign() == 0) return a;
        const int exponent = std::min(a.exponent_, b.exponent_);
        a.lower_to(exponent);
        b.lower_to(exponent);
        if (a.negative_ == b.negative_) {
            a.digits_.resize(std::max(a.digits_.size(), b.digits_.size()) + 1);
            std::uint64_t carry = 0;
            for (std::size_t i = 0; i < a.digits_.size(); ++i) {
                carry += static_cast<std::uint64_t>(a.digits_[i]) + b.digit(i);
                a.digits_[i] = static_cast<std::uint32_t>(carry);
                carry >>= 32;
            }
        } else {
            if (a.smaller(b)) std::swap(a, b);
            std::int64_t borrow = 0;
            for (std::size_t i = 0; i < a.digits_.size(); ++i) {
                borrow += static_cast<std::int64_t>(a.digits_[i]) - static_cast<std::int64_t>(b.digit(i));
                a.digits_[i] = static_cast<std::uint32_t>(borrow);
                borrow >>= 32;
            }
        }
        a.trim();
        return a;
    }
    friend Dyadic operator-(const Dyadic& a, const Dyadic& b) { return a + -b; }
    friend Dyadic operator*(const Dyadic& a, const Dyadic& b) {
        Dyadic out;
        out.digits_.assign(a.digits_.size() + b.digits_.size(), 0);
        for (std::size_t i = 0; i < a.digits_.size(); ++i) {
            std::uint64_t carry = 0;
            for (std::size_t j = 0; j < b.digits_.size(); ++j) {
                carry += static_cast<std::uint64_t>(a.digits_[i]) * b.digits_[j] + out.digits_[i + j];
                out.digits_[i + j] = static_cast<std::uint32_t>(carry);
                carry >>= 32;
            }
            out.digits_[i + b.digits_.size()] = static_cast<std::uint32_t>(carry);
        }
        out.exponent_ = a.exponent_ + b.exponent_;
        out.negative_ = a.negative_ != b.negative_;
        out.trim();
        return out;
    }
    friend bool operator==(const Dyadic& a, const Dyadic& b) { return (a - b).sign() == 0; }

  private:
    std::uint32_t digit(std::size_t i) const { return i < digits_.size() ? digits_[i] : 0; }
    bool smaller(const Dyadic& o) const {  // magnitudes of equal exponent
        for (std::size_t i = std::max(digits_.size(), o.digits_.size()); i-- > 0;)
            if (digit(i) != o.digit(i)) return digit(i) < o.digit(i);
        return false;
    }
    void lower_to(int exponent) {
        const int by = exponent_ - exponent, shift = by % 32;
        digits_.push_back(0);
        for (std::size_t i = digits_.size(); i-- > 0;) {
            const std::uint64_t both = static_cast<std::uint64_t>(digits_[i]) << 32 | (i > 0 ? digits_[i - 1] : 0);
            digits_[i] = static_cast<std::uint32_t>(both << shift >> 32);
        }
        digits_.insert(digits_.begin(), static_cast<std::size_t>(by / 32), 0);
        exponent_ = exponent;
    }
    void trim() {
        while (!digits_.empty() && digits_.back() == 0) digits_.pop_back();
        std::size_t zeros = 0;
        while (zeros < digits_.size() && digits_[zeros] == 0) ++zeros;
        digits_.erase(digits_.begin(), digits_.begin() + static_cast<std::ptrdiff_t>(zeros));
        exponent_ += 32 * static_cast<int>(zeros);
    }
    std::vector<std::uint32_t> digits_;  // base 2^32, lowest first
    int exponent_ = 0;
    bool negative_ = false;
};

}  // namespace asperity::ccd
