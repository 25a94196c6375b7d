#include "asperity/lab/tribometer/experiment.h"

#include <fmt/format.h>
#include <ctime>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "asperity/core/error.h"

namespace asperity::lab {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double processor_time() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A face as a function of x; `stream` tells the two faces of one seed apart.
std::function<double(double)> face_function(const FaceDesc& face, std::uint64_t stream, double middle) {
    switch (face.kind) {
        case FaceDesc::Kind::Flat: return [](double) { return 0.0; };
        case FaceDesc::Kind::Wave:
            return [face](double x) { return face.height * std::cos(2 * std::numbers::pi * x / face.period); };
        case FaceDesc::Kind::Cylinder:
            return [face, middle, stream](double x) {
                const double r = face.radius, u = x - middle;
                if (std::fabs(u) > r) throw InputError(fmt::format("radius = {}: shorter than half of the face", r));
                return (stream == 0 ? 1 : -1) * (std::sqrt(r * r - u * u) - r);
            };
        case FaceDesc::Kind::Sawtooth:
            return [face](double x) {
                // rises over the share slope_down/(slope_up + slope_down) of the period
                const double share = face.slope_down / (face.slope_up + face.slope_down);
                const double phase = x / face.period - std::floor(x / face.period);
                const double top = face.slope_up * share * face.period;
                return (phase < share ? face.slope_up * phase * face.period
                                      : top - face.slope_down * (phase - share) * face.period) -
                       0.5 * top;
            };
        case FaceDesc::Kind::Spectrum: break;
    }
    ProfileSpec spec = face.profile;
    spec.stream = stream;
    return [profile = make_profile(spec)](double x) { return profile.height(x); };
}

std::vector<Vector<2>> points_of(const BlockDesc& block, double spacing, const std::function<double(double)>& height) {
    const int edges = static_cast<int>(std::lround(block.length / spacing));
    if (edges < 2 || std::fabs(edges * spacing - block.length) > 1e-9 * block.length)
        throw InputError(
            fmt::format("length = {}: must be a multiple of the spacing of points, {}, and at least two of them",
                        block.length, spacing));
    std::vector<Vector<2>> out;
    for (int i = 0; i <= edges; ++i) {
        const double x = block.at + i * spacing;
        out.push_back({x, height(x)});
    }
    return out;
}

double slope_variance(const std::vector<Vector<2>>& face) {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < face.size(); ++i) {
        const double slope = (face[i + 1][1] - face[i][1]) / (face[i + 1][0] - face[i][0]);
        sum += slope * slope;
    }
    return sum / static_cast<double>(face.size() - 1);
}

/// Largest amount by which the line a is above the line b where both are, at the points of both.
double most_above(const std::vector<Vector<2>>& a, const std::vector<Vector<2>>& b) {
    double most = -std::numeric_limits<double>::infinity();
    const auto height = [](const std::vector<Vector<2>>& line, double x) {
        const auto right =
            std::upper_bound(line.begin(), line.end(), x, [](double v, const Vector<2>& p) { return v < p[0]; });
        if (right == line.begin()) return kNone;
        if (right == line.end()) return x == line.back()[0] ? line.back()[1] : kNone;
        const Vector<2>&p = *(right - 1), &q = *right;
        return p[1] + (x - p[0]) / (q[0] - p[0]) * (q[1] - p[1]);
    };
    for (const Vector<2>& p : a)
        if (const double other = height(b, p[0]); std::isfinite(other)) most = std::max(most, p[1] - other);
    for (const Vector<2>& p : b)
        if (const double other = height(a, p[0]); std::isfinite(other)) most = std::max(most, other - p[1]);
    return most;
}

double least_quality(const Tribometer& t) {
    return std::min(report(t.lower_mesh()).quality_min, report(t.upper_mesh()).quality_min);
}

}  // namespace

TribometerDesc describe(const Experiment& e) {
    if (e.upper.at < e.lower.at || e.upper.at + e.upper.length + e.drive.slide > e.lower.at + e.lower.length)
        throw InputError(
            fmt::format("the upper block, x = {} to {}, leaves the lower one, x = {} to {}, within its slide of {}",
                        e.upper.at, e.upper.at + e.upper.length, e.lower.at, e.lower.at + e.lower.length, e.drive.slide));
    if (2 * e.upper.bevel > e.upper.length)
        throw InputError(fmt::format("bevel = {}: longer than half of the upper block", e.upper.bevel));
    const double middle = e.upper.at + 0.5 * e.upper.length;
    TribometerDesc out;
    out.lower.face = points_of(e.lower, e.spacing, face_function(e.face, 0, middle));
    const double bevel = e.upper.bevel, left = e.upper.at, right = e.upper.at + e.upper.length;
    const auto height = face_function(e.upper_face.value_or(e.face), 1, middle);
    out.upper.face = points_of(e.upper, e.spacing, [&](double x) {
        const double from_end = std::min(x - left, right - x);
        const double part = from_end < bevel ? 1 - from_end / bevel : 0;
        return height(x) + bevel * part * part;
    });
    const double lift = most_above(out.lower.face, out.upper.face) + e.gap;
    for (Vector<2>& p : out.upper.face) p[1] += lift;
    out.lower.base = -e.lower.height;
    out.upper.base = lift + e.upper.height;
    out.lower.solid = e.lower.solid;
    out.upper.solid = e.upper.solid;
    out.gravity = e.gravity;
    out.dhat = e.dhat;
    out.stiffness_share = e.stiffness_share;
    out.local_mu = e.local_mu;
    out.local_adhesion = e.local_adhesion;
    out.local_cap = e.local_cap;
    out.fine_rows = e.fine_rows;
    return out;
}

double mu_at(const std::vector<Sample>& curve, double distance, bool running_max) {
    double most = 0;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        if (curve[i].slide >= distance) {
            if (i == 0) return curve[0].push;
            const Sample &a = curve[i - 1], &b = curve[i];
            const double mu = a.push + (b.push - a.push) * (distance - a.slide) / (b.slide - a.slide);
            return running_max ? std::max(most, mu) : mu;
        }
        most = std::max(most, curve[i].push);
    }
    return kNone;
}

ExperimentResult run(const Experiment& e, const Observer& observer) {
    const double start = processor_time();
    const TribometerDesc desc = describe(e);
    Tribometer tribometer(desc);
    ExperimentResult out;
    out.triangles = tribometer.triangles();
    const BlockReport lower = report(tribometer.lower_mesh()), upper = report(tribometer.upper_mesh());
    out.face_edge = 0.5 * (lower.face_edge + upper.face_edge);
    out.base_edge = 0.5 * (lower.base_edge + upper.base_edge);
    out.quality_min = least_quality(tribometer);
    out.rms_slope = std::sqrt(slope_variance(desc.lower.face) + slope_variance(desc.upper.face));

    const Tribometer::Settled settled = tribometer.settle(e.settle_dt, e.settle_rest);
    out.normal_over_weight = settled.normal_over_weight;
    const DriveDesc& d = e.drive;
    Tribometer::Drive drive;
    drive.dt = d.dt;
    switch (d.kind) {
        case DriveDesc::Kind::Ramp:
            drive.kind = Tribometer::Drive::Kind::Force;
            drive.value = [d](double time) { return d.direction * d.rate * time; };
            break;
        case DriveDesc::Kind::Displacement:
            // Steps so long that the draw to the last positions, mass increment/dt^2, is 1e-6 of the weight
            drive.dt = std::sqrt(d.increment / (1e-6 * e.gravity));
            drive.kind = Tribometer::Drive::Kind::Displacement;
            drive.value = [d, h = drive.dt](double time) { return d.direction * d.increment * std::round(time / h); };
            break;
        case DriveDesc::Kind::Speed:
            drive.kind = Tribometer::Drive::Kind::Speed;
            drive.value = [d](double time) { return d.direction * d.speed * time; };
            break;
    }
    tribometer.begin(drive);
    const Sample first = tribometer.measure();
    out.contact_length = first.contact_length / e.upper.length;
    out.patches = first.patches;
    out.curve.push_back(first);
    bool going = !observer || observer(tribometer, first);
    const double slow = 0.1 * std::sqrt(e.gravity * e.onset_length);
    while (going && out.curve.back().slide < d.slide && out.curve.back().push < d.most_push) {
        Sample sample = tribometer.advance();
        sample.push *= d.direction;  // forces and slides count along the drive
        sample.slide *= d.direction;
        sample.speed *= d.direction;
        sample.tangential *= d.direction;
        if (sample.speed < slow) out.mu_onset = std::max(out.mu_onset, sample.push);
        out.curve.push_back(sample);
        going = !observer || observer(tribometer, sample);
    }
    const bool running = d.kind != DriveDesc::Kind::Ramp;
    out.mu_30 = mu_at(out.curve, 30, running);
    out.mu_10 = mu_at(out.curve, 10, running);
    std::size_t top = 0;
    for (std::size_t i = 0; i < out.curve.size(); ++i)
        if (out.curve[i].push > out.curve[top].push) top = i;
    out.mu_static = out.curve[top].push;
    double force = 0, load = 0;
    for (std::size_t i = top + 1; i < out.curve.size(); ++i) {
        force += out.curve[i].tangential;
        load += out.curve[i].normal;
    }
    out.mu_kinetic = running && load > 0 ? force / load : kNone;
    out.newton_iterations = tribometer.iterations();
    out.steps = tribometer.steps();
    out.halvings = tribometer.halvings();
    out.slide = out.curve.back().slide;
    out.cpu_s = processor_time() - start;
    return out;
}

}  // namespace asperity::lab
