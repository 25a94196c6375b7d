// Expansions: exact sums of doubles (Shewchuk 1997, sections 2.2 to 2.5). Components increase in magnitude, do not overlap,
// and none is zero. Exact while no component overflows or underflows.
#pragma once
#include <cmath>

namespace asperity::ccd {

template <int Capacity>
struct Expansion {
    int count = 0;
    double part[static_cast<std::size_t>(Capacity)];

    void push(double v) {
        if (v != 0) part[count++] = v;
    }
    int sign() const { return count == 0 ? 0 : part[count - 1] > 0 ? 1 : -1; }
};

/// sum = fl(a + b); the error, exactly. Shewchuk theorem 7 (Knuth).
inline void two_sum(double a, double b, double& sum, double& error) {
    sum = a + b;
    const double b_part = sum - a;
    error = (a - (sum - b_part)) + (b - b_part);
}
/// The same for |a| >= |b|. Theorem 6 (Dekker).
inline void fast_two_sum(double a, double b, double& sum, double& error) {
    sum = a + b;
    error = b - (sum - a);
}
/// A fused multiply-add rounds once, so it gives the error of the product.
inline void two_product(double a, double b, double& product, double& error) {
    product = a * b;
    error = std::fma(a, b, -product);
}

inline Expansion<2> difference(double a, double b) {
    Expansion<2> out;
    double sum, error;
    two_sum(a, -b, sum, error);
    out.push(error);
    out.push(sum);
    return out;
}

/// Theorem 13, FAST-EXPANSION-SUM: merges by magnitude, then adds from the smallest up. The inputs have to be strongly
/// non-overlapping, which sums, products and their multiples are under rounding to even.
template <int A, int B>
Expansion<A + B> operator+(const Expansion<A>& e, const Expansion<B>& f) {
    Expansion<A + B> out;
    int i = 0, j = 0;
    const auto next = [&] {
        if (j == f.count || (i < e.count && std::fabs(e.part[i]) <= std::fabs(f.part[j]))) return e.part[i++];
        return f.part[j++];
    };
    const int total = e.count + f.count;
    if (total == 0) return out;
    double sum = next(), error;
    if (total > 1) {
        const double second = next();
        fast_two_sum(second, sum, sum, error);
        out.push(error);
        for (int k = 2; k < total; ++k) {
            two_sum(sum, next(), sum, error);
            out.push(error);
        }
    }
    out.push(sum);
    return out;
}

/// Theorem 19, SCALE-EXPANSION.
template <int A>
Expansion<2 * A> operator*(const Expansion<A>& e, double factor) {
    Expansion<2 * A> out;
    if (e.count == 0 || factor == 0) return out;
    double sum, error;
    two_product(e.part[0], factor, sum, error);
    out.push(error);
    for (int k = 1; k < e.count; ++k) {
        double product, low;
        two_product(e.part[k], factor, product, low);
        two_sum(sum, low, sum, error);
        out.push(error);
        fast_two_sum(product, sum, sum, error);
        out.push(error);
    }
    out.push(sum);
    return out;
}

template <int A>
Expansion<4 * A> operator*(const Expansion<A>& e, const Expansion<2>& f) {
    if (f.count == 0) return {};
    const Expansion<2 * A> first = e * f.part[0];
    return first + (f.count == 2 ? e * f.part[1] : Expansion<2 * A>{});
}

template <int A>
Expansion<A> operator-(Expansion<A> e) {
    for (int k = 0; k < e.count; ++k) e.part[k] = -e.part[k];
    return e;
}

}  // namespace asperity::ccd
