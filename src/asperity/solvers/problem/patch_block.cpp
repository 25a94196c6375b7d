#include "asperity/solvers/problem/patch_block.h"

#include <algorithm>
#include <cmath>

namespace asperity::solvers {
namespace {

using friction::PatchLimits;

constexpr int kNewtonSteps = 40;
constexpr int kHalvings = 8;
constexpr int kRescueSteps = 10;  // projected steps after a failed Newton step; doubled after each failure
constexpr int kMostRescueSteps = 400;
constexpr double kRounding = 2e-16;   // relative to the impulses: a smaller defect counts as zero
constexpr double kSolved = 1e-12;     // relative to the impulses: a smaller defect counts as solved
constexpr double kDifference = 1e-7;  // relative to the impulses: step of the difference quotients

Vec2 moment_of(const double* lambda) { return {-lambda[5], lambda[4]}; }
Vec2 tilt_of(const double* u) { return {-u[5], u[4]}; }

/// x and y of the friction part about d (law's axes).
Vec3 friction_about(Vec2 d, const double* lambda) {
    return {lambda[1], lambda[2], lambda[3] - (d.x * lambda[2] - d.y * lambda[1])};
}
Vec3 slip_at(Vec2 d, const double* u) { return {u[1] - u[3] * d.y, u[2] + u[3] * d.x, u[3]}; }

double largest_defect(const double* F) {
    double most = 0;
    for (int i = 0; i < kPatchRows; ++i)
        if (!(std::fabs(F[i]) <= most)) most = std::fabs(F[i]);
    return most;
}

void multiply(const SymBlock& w, const double* lambda, const double* c, double* u) {
    for (int i = 0; i < kPatchRows; ++i) {
        u[i] = c[i];
        for (int k = 0; k < kPatchRows; ++k) u[i] += w.m[i][k] * lambda[k];
    }
}

/// Gaussian elimination with row exchange. Unknowns without an equation (locked rotations) get no change.
void solve_linear(double (&a)[kPatchRows][kPatchRows], double* b) {
    for (int k = 0; k < kPatchRows; ++k) {
        int pivot = k;
        for (int i = k + 1; i < kPatchRows; ++i)
            if (std::fabs(a[i][k]) > std::fabs(a[pivot][k])) pivot = i;
        std::swap(a[k], a[pivot]);
        std::swap(b[k], b[pivot]);
        if (!(std::fabs(a[k][k]) > 1e-13)) {  // rows of the natural map are of size 1
            for (int j = k; j < kPatchRows; ++j) a[k][j] = j == k ? 1 : 0;
            b[k] = 0;
        }
        for (int i = k + 1; i < kPatchRows; ++i) {
            const double f = a[i][k] / a[k][k];
            for (int j = k; j < kPatchRows; ++j) a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int k = kPatchRows - 1; k >= 0; --k) {
        for (int j = k + 1; j < kPatchRows; ++j) b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
}

/// The defect as a function of the patch's own impulses; all others are fixed.
struct IsolatedPatch {
    const PatchLimits& limits;
    const PatchSteps& steps;
    const SymBlock& w;
    const double* c;
    bool no_tilt = false;  // replaces the normal law by zero tilt and zero normal velocity
    bool no_slip = false;  // replaces the friction law by zero slip at the centre of pressure

    double defect(const double* lambda, double* F) const {
        double u[kPatchRows];
        multiply(w, lambda, c, u);
        patch_defect(limits, steps, lambda, u, F);
        if (no_tilt) {  // the projection is left out: x - (x - r y) instead of x - P(x - r y)
            const Vec2 tilt = tilt_of(u);
            F[0] = steps.r_n * u[0];
            F[1] = steps.r_n * tilt.x;
            F[2] = steps.r_n * tilt.y;
        }
        if (no_slip) {
            const Vec2 d = lambda[0] > 0 ? moment_of(lambda) / lambda[0] : Vec2{};
            const Vec3 slip = slip_at(limits.arm(d), u);
            F[3] = steps.r_f * slip.x;
            F[4] = steps.r_f * slip.y;
        }
        return largest_defect(F);
    }
    /// Newton step -J^-1 F, with J by finite differences.
    void newton(const double* lambda, const double* F, double size, double* step) const {
        double J[kPatchRows][kPatchRows], moved[kPatchRows], changed[kPatchRows];
        const double h = kDifference * size;
        for (int k = 0; k < kPatchRows; ++k) {
            std::copy_n(lambda, kPatchRows, moved);
            moved[k] += h;
            defect(moved, changed);
            for (int i = 0; i < kPatchRows; ++i) J[i][k] = (changed[i] - F[i]) / h;
        }
        for (int i = 0; i < kPatchRows; ++i) step[i] = -F[i];
        solve_linear(J, step);
    }
    void projected_steps(int count, double* lambda) const {
        double u[kPatchRows];
        for (int i = 0; i < count; ++i) {
            multiply(w, lambda, c, u);
            patch_projected_step(limits, steps, w, lambda, u);
        }
    }
};

}  // namespace

Vec2 centre_of_pressure(const PatchLimits& limits, const double* lambda) {
    return lambda[0] > 0 ? limits.in_law_axes(moment_of(lambda) / lambda[0]) : Vec2{};
}

PatchSteps patch_steps(const SymBlock& w) {
    const auto step_on = [&](int i, int j, int k) {
        const int rows[3] = {i, j, k};
        SymBlock part;
        for (int r = 0; r < 3; ++r)
            for (int s = 0; s < 3; ++s) part.m[r][s] = w.m[rows[r]][rows[s]];
        const double largest = largest_eigenvalue(part, 0, 3);
        return largest > 0 ? 1 / largest : 0;
    };
    return {step_on(0, 4, 5), step_on(1, 2, 3)};
}

int patch_defect(const PatchLimits& limits, const PatchSteps& steps, const double* lambda, const double* u, double* F,
                 double frozen) {
    const Vec2 m = moment_of(lambda), g = tilt_of(u), wanted = m - steps.r_n * g;
    const friction::ConePoint press = limits.project_pressing(lambda[0] - steps.r_n * u[0], wanted);
    F[0] = lambda[0] - press.n;
    F[1] = m.x - press.f.x;
    F[2] = m.y - press.f.y;
    const Vec2 d = press.n > 0 ? Vec2{press.f.x, press.f.y} / press.n : Vec2{}, arm = limits.arm(d);
    const Vec3 x = friction_about(arm, lambda), z = x - steps.r_f * slip_at(arm, u);
    const Vec3 rub = limits.project_friction(z, frozen < 0 ? press.n : press.n > 0 ? frozen : 0, d);
    for (int i = 0; i < 3; ++i) F[3 + i] = x[i] - rub[i];
    const bool inside = press.f.x == wanted.x && press.f.y == wanted.y, sticks = rub.x == z.x && rub.y == z.y;
    static_assert(1 + 1 + 2 + 4 == kPatchSticks);
    return press.n > 0 ? 1 + (inside ? 1 : 0) + (sticks ? 2 : 0) + (rub.z == z.z ? 4 : rub.z < z.z ? 8 : 0) : kPatchOpen;
}

double patch_natural_map(const PatchLimits& limits, const PatchSteps& steps, const double* lambda, const double* u) {
    if (steps.r_n == 0) return 0;
    double F[kPatchRows];
    patch_defect(limits, steps, lambda, u, F);
    const double press = length(Vec3{F[0], F[1], F[2]}) / steps.r_n;
    const double rub = steps.r_f > 0 ? length(Vec3{F[3], F[4], F[5]}) / steps.r_f : 0;
    return rub <= press || press != press ? press : rub;  // keeps a NaN
}

void patch_projected_step(const PatchLimits& limits, const PatchSteps& steps, const SymBlock& w, double* lambda, double* u) {
    const Vec2 m = moment_of(lambda), g = tilt_of(u);
    const friction::ConePoint press = limits.project_pressing(lambda[0] - steps.r_n * u[0], m - steps.r_n * g);
    const double change[3] = {press.n - lambda[0], press.f.y - lambda[4], -press.f.x - lambda[5]};
    lambda[0] = press.n;
    lambda[4] = press.f.y;
    lambda[5] = -press.f.x;
    for (int i = 1; i < 4; ++i) u[i] += w.m[i][0] * change[0] + w.m[i][4] * change[1] + w.m[i][5] * change[2];

    const Vec2 d = press.n > 0 ? Vec2{press.f.x, press.f.y} / press.n : Vec2{}, arm = limits.arm(d);
    const Vec3 x = friction_about(arm, lambda);
    const double far = 1 + std::fabs(arm.x) + std::fabs(arm.y);  // bounds the norm of the shear that moves the rows to d
    const Vec3 next = limits.project_friction(x - (steps.r_f / (far * far)) * slip_at(arm, u), press.n, d);
    lambda[1] = next.x;
    lambda[2] = next.y;
    lambda[3] = next.z + (arm.x * next.y - arm.y * next.x);
}

namespace {

/// Newton's method from `best`, with projected steps where Newton fails. Returns the smallest defect found; `best` then
/// holds the impulses with that defect.
double improve(const IsolatedPatch& alone, double size, double smallest, double* best) {
    double F[kPatchRows], at[kPatchRows], step[kPatchRows], trial[kPatchRows], trial_F[kPatchRows], here = smallest;
    int rescue = kRescueSteps;
    std::copy_n(best, kPatchRows, at);
    for (int i = 0; i < kNewtonSteps && smallest > kRounding * size; ++i) {
        here = alone.defect(at, F);
        bool moved = false;
        alone.newton(at, F, size, step);
        for (double t = 1; t > std::ldexp(1.0, -kHalvings) && !moved; t *= 0.5) {
            for (int k = 0; k < kPatchRows; ++k) trial[k] = at[k] + t * step[k];
            moved = alone.defect(trial, trial_F) < (1 - 0.1 * t) * here;
        }
        if (moved) {
            std::copy_n(trial, kPatchRows, at);
            here = largest_defect(trial_F);
        } else {
            if (smallest <= 1e-13 * size) break;  // as close as rounding allows
            if (rescue > kMostRescueSteps) break;
            alone.projected_steps(rescue, at);
            rescue *= 2;
            here = alone.defect(at, F);
        }
        if (here < smallest) {
            smallest = here;
            std::copy_n(at, kPatchRows, best);
        }
    }
    return smallest;
}

}  // namespace

bool solve_patch(const PatchLimits& limits, const PatchSteps& steps, const PatchMatrix& w, const double* c, double* lambda) {
    if (c[0] >= limits.approach_by_tilt(tilt_of(c))) {  // separates everywhere
        std::fill_n(lambda, kPatchRows, 0.0);
        return true;
    }
    const IsolatedPatch alone{limits, steps, w.own, c};
    double F[kPatchRows], best[kPatchRows], size = 0;
    for (int i = 0; i < kPatchRows; ++i) {  // the impulses that stop all motion
        best[i] = 0;
        for (int k = 0; k < kPatchRows; ++k) best[i] -= w.inverse.m[i][k] * c[k];
        size = larger(size, std::fabs(best[i]));
    }
    const double before = alone.defect(lambda, F);
    if (before <= kRounding * size) return true;
    double smallest = alone.defect(best, F);
    if (smallest > 1e-14 * size) {  // else start from their projection, or from the guess on entry if its defect is smaller
        alone.projected_steps(2, best);
        smallest = alone.defect(best, F);
        if (before < smallest) {
            smallest = before;
            std::copy_n(lambda, kPatchRows, best);
        }
    }
    smallest = improve(alone, size, smallest, best);
    // In a spinning patch, friction also changes the slip by moving the centre of pressure: by w_n |d|/f_n. For a light
    // contact this is a thousand times the effect of W. A ball that spins and hardly slides then settles where the slip is
    // zero, and all around that point the map sees full sliding in one direction or another, so Newton fails. The loop
    // therefore first demands zero slip (no_slip), then returns to the true law from there.
    for (const bool no_tilt : {true, false}) {
        if (smallest <= kSolved * size) break;
        const IsolatedPatch gripping{limits, steps, w.own, c, no_tilt, true};
        double trial[kPatchRows];
        std::copy_n(best, kPatchRows, trial);
        improve(gripping, size, gripping.defect(trial, F), trial);
        if (const double found = improve(alone, size, alone.defect(trial, F), trial); found < smallest) {
            smallest = found;
            std::copy_n(trial, kPatchRows, best);
        }
    }
    std::copy_n(best, kPatchRows, lambda);
    return smallest <= kSolved * size;
}

}  // namespace asperity::solvers
