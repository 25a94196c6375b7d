// Root of a function of one variable within a bracket.
#pragma once
#include <cmath>

#include "asperity/math/vec.h"

namespace asperity::geometry::detail {

/// Root between p and q, where f has the values fp and fq of opposite sign. False position by the Illinois rule: a secant
/// that halves the value at the retained end. At most 12 rounds.
template <class F>
double root_between(const F& f, double p, double q, double fp, double fq, double tolerance) {
    double x = p;
    for (int go = 0; go < 12 && std::fabs(q - p) > tolerance; ++go) {
        x = clamp(p - fp * (q - p) / (fq - fp), smaller(p, q), larger(p, q));
        const double fx = f(x);
        if (fx == 0) break;
        if ((fx > 0) != (fq > 0))
            p = q, fp = fq;
        else
            fp *= 0.5;
        q = x, fq = fx;
    }
    return x;
}

}  // namespace asperity::geometry::detail
