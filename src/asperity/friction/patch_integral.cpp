#include "asperity/friction/patch_integral.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "asperity/friction/patch_limits.h"

namespace asperity::friction {
namespace {

constexpr double kPi = std::numbers::pi;
/// Weight of |beta|^2/2 beside the logarithm of the load [-]. Without it no beta gives a centre of pressure outside the
/// cells' centres, and near them beta has no bound. It moves the centre of the load towards the middle by 0.4 % of the
/// region's size for each unit of beta; half-way to the edge beta is below 3. Were it ten times smaller, exp(beta.x) could
/// overflow at the edge.
constexpr double kEvenness = 0.004;
/// Cells along a line.
constexpr int kAlong = 16;
/// Corners of the polygon of the same area that stands for an ellipse. Its torque is 3e-4 larger.
constexpr int kRound = 16;
/// Square of the own spin of a cell over that which agrees with the integral to second order where the cell slides (1).
/// Where it only spins, 1.7 would be exact; between them the errors of forces and torques are least.
constexpr double kOwnSpin = 1.2;
constexpr int kNewtonSteps = 60;
constexpr double kRounding = 1e-15;

size_t at(int i) { return static_cast<size_t>(i); }

struct Part {
    double area = 0;
    Vec2 first;         // integral of x
    double second = 0;  // integral of |x|^2

    /// Adds the triangle (0, p, q).
    void add(Vec2 p, Vec2 q) {
        const double twice = cross(p, q);
        area += 0.5 * twice;
        first = first + (twice / 6) * (p + q);
        second += twice / 12 * (dot(p, p) + dot(p, q) + dot(q, q));
    }
    PatchCell cell(double whole) const {
        PatchCell out;
        out.at = first / area;
        out.share = area / whole;
        out.variance = larger(0.5 * (second / area - dot(out.at, out.at)), 0.0);
        return out;
    }
};

/// A convex polygon cut by straight lines.
struct Outline {
    std::array<Vec2, PressureRegion::kMostCorners + 4> corner;
    int count = 0;

    /// Keeps what is below `limit` along an axis (0 or 1), times `sign`.
    void cut(int axis, double sign, double limit) {
        const Outline from = *this;
        const auto above = [&](Vec2 p) { return sign * (axis == 0 ? p.x : p.y) - limit; };
        count = 0;
        for (int i = 0; i < from.count; ++i) {
            const Vec2 p = from.corner[at(i)], q = from.corner[at((i + 1) % from.count)];
            const double a = above(p), b = above(q);
            if (a <= 0) corner[at(count++)] = p;
            if ((a < 0 && b > 0) || (a > 0 && b < 0)) corner[at(count++)] = p + (a / (a - b)) * (q - p);
        }
    }
    Part part() const {
        Part sum;
        for (int i = 0; i < count; ++i) sum.add(corner[at(i)], corner[at((i + 1) % count)]);
        return sum;
    }
};

int cells_of_polygon(const PressureRegion& region, std::span<PatchCell> out) {
    Outline whole;
    whole.count = region.count;
    std::copy_n(region.corners.begin(), region.count, whole.corner.begin());
    const double area = whole.part().area;
    Vec2 low = region.corners[0], high = low;
    for (int i = 1; i < region.count; ++i) {
        low = {smaller(low.x, region.corners[at(i)].x), smaller(low.y, region.corners[at(i)].y)};
        high = {larger(high.x, region.corners[at(i)].x), larger(high.y, region.corners[at(i)].y)};
    }
    // as nearly square as they may be
    const Vec2 size = high - low;
    int columns = 1, rows = 1;
    double least = length(size);
    for (int i = 1; i <= kMostCells; ++i)
        if (const double diagonal = std::hypot(size.x / i, size.y / (kMostCells / i)); diagonal < least) {
            least = diagonal;
            columns = i;
            rows = kMostCells / i;
        }
    const Vec2 step{size.x / columns, size.y / rows};
    int count = 0;
    for (int i = 0; i < columns; ++i) {
        Outline column = whole;
        column.cut(0, -1, -(low.x + i * step.x));
        column.cut(0, 1, low.x + (i + 1) * step.x);
        for (int k = 0; k < rows && column.count > 2; ++k) {
            Outline piece = column;
            piece.cut(1, -1, -(low.y + k * step.y));
            piece.cut(1, 1, low.y + (k + 1) * step.y);
            const Part part = piece.part();
            if (part.area > 1e-12 * area) out[at(count++)] = part.cell(area);
        }
    }
    return count;
}

int cells_of_line(Vec2 from, Vec2 to, std::span<PatchCell> out) {
    const Vec2 step = (to - from) / kAlong;
    for (int i = 0; i < kAlong; ++i) {
        out[at(i)] = {};
        out[at(i)].at = from + (i + 0.5) * step;
        out[at(i)].share = 1.0 / kAlong;
        out[at(i)].variance = dot(step, step) / 24;  // that along the line, 1/12, and none across
    }
    return kAlong;
}

int cells_of_ellipse(double a, double b, std::span<PatchCell> out) {
    if (a == 0 || b == 0) return cells_of_line({-a, -b}, {a, b}, out);
    PressureRegion polygon;
    polygon.count = kRound;
    const double grown = std::sqrt(2 * kPi / (kRound * std::sin(2 * kPi / kRound)));
    for (int i = 0; i < kRound; ++i) {
        const double angle = (2 * i + 1) * kPi / kRound;
        polygon.corners[at(i)] = {grown * a * std::cos(angle), grown * b * std::sin(angle)};
    }
    return cells_of_polygon(polygon, out);
}

/// Solves a symmetric positive definite system of two equations; a singular one as if it were slightly stiffer.
Vec2 solve_two(double xx, double xy, double yy, Vec2 r) {
    const double ridge = 1e-14 * (xx + yy);
    xx += ridge;
    yy += ridge;
    const double det = xx * yy - xy * xy;
    if (!(det > 0)) return xx + yy > 0 ? r / (xx + yy) : Vec2{};
    return {(yy * r.x - xy * r.y) / det, (xx * r.y - xy * r.x) / det};
}

}  // namespace

int make_cells(const PressureRegion& region, std::span<PatchCell> out) {
    if (region.count == 0 && (region.a > 0 || region.b > 0)) return cells_of_ellipse(region.a, region.b, out);
    if (region.count > 2) return cells_of_polygon(region, out);
    if (region.count == 2) return cells_of_line(region.corners[0], region.corners[1], out);
    return 0;
}

Vec2 load_cells(std::span<const PatchCell> cells, Vec2 d, std::span<double> shares) {
    // beta minimises log sum a_i exp(beta.(x_i - d)) + kEvenness |beta|^2/2; lengths in units of the largest |x_i - d|
    double size = 0;
    for (const PatchCell& c : cells) size = larger(size, length(c.at - d));
    Vec2 beta;
    const auto load = [&](Vec2 b, Vec2& mean, double& xx, double& xy, double& yy) {
        double sum = 0;
        mean = {};
        xx = xy = yy = 0;
        for (size_t i = 0; i < cells.size(); ++i) {
            const Vec2 x = (cells[i].at - d) / size;
            const double s = cells[i].share * std::exp(dot(b, x));
            shares[i] = s;
            sum += s;
            mean = mean + s * x;
            xx += s * x.x * x.x;
            xy += s * x.x * x.y;
            yy += s * x.y * x.y;
        }
        mean = mean / sum;
        xx = xx / sum - mean.x * mean.x;
        xy = xy / sum - mean.x * mean.y;
        yy = yy / sum - mean.y * mean.y;
        return sum;
    };
    Vec2 mean;
    double xx = 0, xy = 0, yy = 0, sum = 1;
    if (size > 0) {
        sum = load(beta, mean, xx, xy, yy);
        double value = std::log(sum);
        for (int i = 0; i < kNewtonSteps; ++i) {
            const Vec2 slope = mean + kEvenness * beta;
            if (length(slope) <= kRounding) break;
            const Vec2 step = solve_two(xx + kEvenness, xy, yy + kEvenness, -slope), from = beta;
            const double fall = dot(slope, step), before = value;
            for (double part = 1; part > 1e-6; part *= 0.5) {
                beta = from + part * step;
                sum = load(beta, mean, xx, xy, yy);
                value = std::log(sum) + 0.5 * kEvenness * dot(beta, beta);
                if (value <= before + 1e-4 * part * fall || length(part * step) < 1e-7) break;
            }
            if (length(beta - from) <= kRounding * (1 + length(beta))) break;
        }
    } else {
        for (size_t i = 0; i < cells.size(); ++i) shares[i] = cells[i].share;
        sum = std::accumulate(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(cells.size()), 0.0);
    }
    for (size_t i = 0; i < cells.size(); ++i) shares[i] /= sum;
    return d + size * mean;
}

PatchIntegral::PatchIntegral(std::span<const PatchCell> cells, Vec2 pressure, double cos, double sin, double unit) {
    std::array<double, kMostCells> shares{};
    const Vec2 middle = load_cells(cells, unit * pressure, shares);
    for (size_t i = 0; i < cells.size(); ++i) {
        const PatchCell& c = cells[i];
        if (c.set.t == 0 && c.set.b == 0) continue;
        const Vec2 x = (c.at - middle) / unit, r{cos * x.x - sin * x.y, sin * x.x + cos * x.y};
        // v + w n x r = (v_t - w r.y, v_b + w r.x), along the cell's own axes
        Term& term = terms_[at(count_++)];
        const double t = shares[i] * c.set.t, b = shares[i] * c.set.b;
        term.t = t * Vec3{c.cos, c.sin, c.sin * r.x - c.cos * r.y};
        term.b = b * Vec3{-c.sin, c.cos, c.cos * r.x + c.sin * r.y};
        term.own = std::sqrt(0.5 * kOwnSpin * (t * t + b * b) * c.variance) / unit;
    }
}

PatchIntegral::Derivatives PatchIntegral::evaluate(const Vec3& y, bool second) const {
    Derivatives out;
    for (int i = 0; i < count_; ++i) {
        const Term& term = terms_[at(i)];
        const double t = dot(term.t, y), b = dot(term.b, y), own = term.own * y.z,
                     value = std::sqrt(t * t + b * b + own * own);
        if (!(value > 0)) continue;
        const Vec3 g = (1 / value) * (t * term.t + b * term.b + Vec3{0, 0, term.own * own});
        out.value += value;
        out.gradient += g;
        if (!second) continue;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                out.hessian.r[r][c] += (term.t[r] * term.t[c] + term.b[r] * term.b[c] +
                                        (r == 2 && c == 2 ? term.own * term.own : 0) - g[r] * g[c]) /
                                       value;
    }
    return out;
}

Vec3 PatchIntegral::normal_towards(const Vec3& p, bool& outside) const {
    const double p2 = dot(p, p);
    Vec3 y = (1 / p2) * p;
    const Vec3 e = any_tangent((1 / std::sqrt(p2)) * p), f = cross((1 / std::sqrt(p2)) * p, e);
    Derivatives here = evaluate(y, true);
    for (int i = 0; i < kNewtonSteps; ++i) {
        outside = here.value < 1;
        if (outside) return y;
        const Vec2 slope{dot(here.gradient, e), dot(here.gradient, f)};
        const Vec3 he = here.hessian * e, hf = here.hessian * f;
        const Vec2 step = solve_two(dot(e, he), dot(e, hf), dot(f, hf), -slope);
        const double fall = dot(slope, step);
        // half of -fall is what a parabola still falls: where that is little of what is missing, the answer is certain
        const bool certain = -fall < 0.05 * smaller(here.value - 1, 1.0);
        if (!(fall < 0) || certain || -fall <= kRounding * here.value) return y;
        bool better = false;
        for (double part = 1; part > 1e-8 && !better; part *= 0.5) {
            const Vec3 next = y + part * (step.x * e + step.y * f);
            if (const double value = evaluate(next).value; value <= here.value + 1e-4 * part * fall) {
                y = next;
                better = true;
            }
        }
        if (!better) return y;
        here = evaluate(y, true);
    }
    return y;
}

Vec3 PatchIntegral::project(const Vec3& p) const {
    if (count_ == 0) return {};
    if (p == Vec3{} || p != p) return p;
    bool outside = false;
    Vec3 y = normal_towards(p, outside);
    if (!outside) return p;
    // y + grad h(y) = p: the minimum of |y - p|^2/2 + h(y), from the best point of the ray along y
    const double size = length(y);
    y = (1 / size) * y;
    Derivatives here = evaluate(y, true);
    const double distance = dot(p, y) - here.value;
    if (!(distance > 10 * kRounding * length(p))) return p;  // on the boundary
    y = distance * y;
    const auto potential = [&](const Vec3& at_y, double value) { return 0.5 * dot(at_y, at_y) - dot(p, at_y) + value; };
    here = evaluate(y, true);
    double smallest = length(y + here.gradient - p);
    for (int i = 0; i < kNewtonSteps && smallest > kRounding * length(p); ++i) {
        const Vec3 defect = y + here.gradient - p;
        Mat3 matrix = here.hessian;
        for (int k = 0; k < 3; ++k) matrix.r[k][k] += 1;
        const Vec3 step = inverse(matrix) * (-1.0 * defect), from = y;
        const double fall = dot(defect, step), now = potential(y, here.value), rounding = kRounding * length(y) * length(p);
        for (double part = 1; part > 1e-8; part *= 0.5) {
            y = from + part * step;
            here = evaluate(y, true);
            if (potential(y, here.value) <= now + 1e-4 * part * fall + rounding) break;
        }
        // where the potential no longer shows a fall, the defect has to
        const double now_defect = length(y + here.gradient - p);
        if (-fall <= rounding && now_defect >= smallest) break;
        smallest = now_defect;
    }
    // both are the point: the first has the rounding error of p, the second that of the direction of y
    return length(y) < length(here.gradient) ? p - y : here.gradient;
}

}  // namespace asperity::friction
