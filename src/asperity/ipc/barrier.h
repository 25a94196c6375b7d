// The contact barrier: an energy per area that rises from zero at the distance dhat to infinity where surfaces touch.
// Li et al. 2020, "Incremental Potential Contact", equation 6, on the gap instead of the squared distance, and with dhat as
// its unit of length, so that the pressure scale does not change with dhat:
//     value = kappa dhat b(s),  b(s) = -(s - 1)^2 ln s,  s = gap / dhat in (0, 1)
#pragma once
#include <cmath>
#include <limits>

namespace asperity::ipc {

/// Twice continuously differentiable in the gap, at dhat too. Two faces at half of dhat press with
/// -kappa b'(1/2) = (ln 2 + 1/2) kappa = 1.193 kappa; as the gap goes to zero the pressure grows as kappa dhat / gap.
struct Barrier {
    double kappa = 0;  ///< pressure scale [Pa]
    double dhat = 0;   ///< contacts act at gaps below this [m]

    /// Energy per area [J/m^2]. Infinite at and below zero.
    double value(double gap) const {
        if (gap >= dhat) return 0;
        if (!(gap > 0)) return std::numeric_limits<double>::infinity();
        const double s = gap / dhat;
        return -kappa * dhat * (s - 1) * (s - 1) * std::log(s);
    }
    /// Its derivative, minus the pressure [Pa].
    double first(double gap) const {
        if (gap >= dhat) return 0;
        if (!(gap > 0)) return -std::numeric_limits<double>::infinity();
        const double s = gap / dhat;
        return kappa * (1 - s) * (2 * std::log(s) - (1 - s) / s);
    }
    /// Its second derivative, the stiffness per area [Pa/m].
    double second(double gap) const {
        if (gap >= dhat) return 0;
        if (!(gap > 0)) return std::numeric_limits<double>::infinity();
        const double s = gap / dhat;
        // the first two terms are the derivatives of (1 - s) ln s, the last one that of -(1 - s)^2 / s
        return kappa / dhat * (-2 * std::log(s) + 2 * (1 - s) / s + (1 - s) * (1 + s) / (s * s));
    }
};

}  // namespace asperity::ipc
