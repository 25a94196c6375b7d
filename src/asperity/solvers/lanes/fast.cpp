// Lanes are swept by region and colour, always in one direction. In the reverse direction the last colour would be swept
// twice in succession, and the second sweep of it has no effect; a stack has only two colours. Blocks that lanes do not
// support (joints, drilling, polygons) are swept one by one in double precision between the sweeps of the lanes, on the same
// velocities.
//
// Colours in 3D: Tonge, Benevolenski, Voroshilov, "Mass splitting for jitter-free parallel rigid body simulation", SIGGRAPH
// 2012, compares them with other orders. Box2D v3 uses lanes across pairs of one colour in 2D.
#include "asperity/solvers/lanes/fast.h"

#include <algorithm>
#include <cmath>

#include "asperity/core/deadline.h"
#include "asperity/core/parallel.h"
#include "asperity/solvers/iteration/relax.h"

namespace asperity::solvers {
namespace {

constexpr int kChunk = 8;            // smallest number of batches per task: half a microsecond of work
constexpr int kMinSharedChunks = 4;  // chunks; a run with fewer is not split, since handing it over takes longer

/// Velocities of the groups for blocks outside the lanes: the problem's velocities plus the changes by the lanes.
struct ChangedVelocities {
    const ContactProblem& problem;
    ContactLanes& lanes;
    Twist load(int group) const {
        const Twist &kept = problem.velocity[static_cast<size_t>(group)], added = lanes.change(group);
        return {kept.linear + added.linear, kept.angular + added.angular};
    }
    void store(int group, const Twist& v) const {
        const Twist now = load(group);
        lanes.add_change(group, {v.linear - now.linear, v.angular - now.angular});
    }
};

double sweep_blocks(ContactProblem& problem, ContactLanes& lanes, bool forward) {
    const int count = static_cast<int>(problem.blocks.size());
    double error = 0;
    for (int i = 0; i < count; ++i) {
        const Block& block = problem.blocks[static_cast<size_t>(forward ? i : count - 1 - i)];
        const ChangedVelocities velocities{problem, lanes};
        const bool disc = block.kind == BlockKind::Patch && block.patch->region().rolls && block.r_n > 0;
        const double e = disc ? step_disc(problem, velocities, block) : relax(problem, velocities, block, 1.0);
        if (!(e <= error)) error = e;
    }
    return error;
}

/// Calls work(batch, batches) for the batches [begin, end), one or two at a time; returns the largest result.
template <class Work>
float for_run(int begin, int end, bool serial, const Work& work) {
    float error = 0;
    const int at_once = serial ? 1 : 2;
    for (int batch = begin; batch < end; batch += at_once)
        error = std::max(error, work(batch, std::min(at_once, end - batch)));
    return error;
}

/// Splits one run of batches among all threads.
template <class Work>
float share_run(Team& team, const ContactLanes::Run& run, std::vector<float>& chunk_error, const Work& work) {
    const int count = run.end - run.begin;
    const bool alone = run.serial || count < kMinSharedChunks * kChunk;
    const int chunk = alone ? count : (team.chunk(count, kChunk) + 1) / 2 * 2;  // even: batches are processed in pairs
    const int chunks = (count + chunk - 1) / chunk;
    chunk_error.resize(std::max(chunk_error.size(), static_cast<size_t>(chunks)));
    team.stage(chunks, [&](int c) {
        const FlushTinyFloats flush;
        chunk_error[static_cast<size_t>(c)] =
            for_run(run.begin + c * chunk, std::min(run.end, run.begin + (c + 1) * chunk), run.serial, work);
    });
    return *std::max_element(chunk_error.begin(), chunk_error.begin() + chunks);
}

/// Processes all batches, level by level. If a level has enough nodes, each node is one task; in the few nodes at the top,
/// each run is split among the threads. The result does not depend on the assignment to threads.
template <class Work>
float for_levels(Team& team, const ContactLanes& lanes, std::vector<float>& chunk_error, const Work& work) {
    float error = 0;
    for (int level = 0; level < lanes.level_count(); ++level) {
        const int first = lanes.first_node(level), nodes = lanes.first_node(level + 1) - first;
        if (nodes < team.size()) {
            for (int node = first; node < first + nodes; ++node)
                for (const ContactLanes::Run& run : lanes.runs(node))
                    error = std::max(error, share_run(team, run, chunk_error, work));
            continue;
        }
        chunk_error.resize(std::max(chunk_error.size(), static_cast<size_t>(nodes)));
        team.stage(nodes, [&](int k) {
            const FlushTinyFloats flush;
            float largest = 0;
            for (const ContactLanes::Run& run : lanes.runs(first + k))
                largest = std::max(largest, for_run(run.begin, run.end, run.serial, work));
            chunk_error[static_cast<size_t>(k)] = largest;
        });
        error = std::max(error, *std::max_element(chunk_error.begin(), chunk_error.begin() + nodes));
    }
    return error;
}

/// For work on batches that changes no velocities: all batches at once.
template <class Work>
void for_batches(Team& team, const ContactLanes& lanes, const Work& work) {
    const int count = lanes.batch_count();
    team.stage((count + kChunk - 1) / kChunk, [&](int c) {
        const FlushTinyFloats flush;
        for (int batch = c * kChunk; batch < std::min(count, (c + 1) * kChunk); ++batch) work(batch);
    });
}

/// Adds the velocity changes of the lanes to the problem's velocities.
void add_changes(const ContactLanes& lanes, ContactProblem& problem) {
    parallel_for(
        static_cast<int>(problem.velocity.size()),
        [&](int g) {
            Twist& v = problem.velocity[static_cast<size_t>(g)];
            const Twist by = lanes.change(g);
            v.linear += by.linear;
            v.angular += by.angular;
        },
        1024);
}

}  // namespace

SolveReport Fast::solve(ContactProblem& problem, const SolveOptions& options, std::vector<double>& history) {
    const Deadline deadline(options.time_limit);
    bool late = false;
    history.clear();
    SolveReport report;
    problem.contact_impulse.resize(problem.contacts.size());
    lanes_.pack(problem);
    if (!problem.is_prepared()) problem.prepare(lanes_.others());
    lanes_.bind_groups(problem);
    Team::run([&](Team& team) {
        for_batches(team, lanes_, [&](int batch) { lanes_.bind(batch, problem); });
        for_levels(team, lanes_, chunk_error_, [&](int batch, int batches) {
            lanes_.warm_start(batch, batches);
            return 0.0F;
        });
        bool forward = true;
        while (report.sweeps < options.max_sweeps) {
            const bool measured = !forward;  // every second sweep
            double error = sweep_blocks(problem, lanes_, forward);
            error = std::fmax(error, for_levels(team, lanes_, chunk_error_, [&](int batch, int batches) {
                                  return lanes_.sweep(batch, batches, measured);
                              }));
            ++report.sweeps;
            history.push_back(measured || history.empty() ? error : history.back());
            const bool done = measured && error <= options.tolerance;
            forward = !forward;
            if (done || (late = deadline.passed())) break;
        }
        chunk_worst_.assign(static_cast<size_t>(lanes_.batch_count() / kChunk + 1), {});
        for_batches(team, lanes_, [&](int batch) {
            lanes_.store_impulses(batch, problem);
            int contact = -1;
            const double value = lanes_.residual(batch, contact);
            Residual& worst = chunk_worst_[static_cast<size_t>(batch / kChunk)];
            if (!(value <= worst.value)) worst = {value, contact};
        });
    });
    add_changes(lanes_, problem);

    Residual worst = natural_map_residual(problem);
    for (const Residual& chunk : chunk_worst_)
        if (!(chunk.value <= worst.value)) worst = {chunk.value, problem.first_contact_block() + chunk.worst_block};
    conclude(report, problem, worst, options.tolerance);
    if (late && report.status == SolveStatus::SweepLimit) report.status = SolveStatus::TimeLimit;
    return report;
}

SolveReport Fast::correct(const ContactProblem& problem, std::span<const double> gap_rate, ContactProblem& positions,
                          const SolveOptions& options) {
    SolveReport report;
    for (const int i : lanes_.others())
        positions.add_normal_row(problem.contacts[static_cast<size_t>(i)], gap_rate[static_cast<size_t>(i)]);
    lanes_.begin_positions(positions.velocity);
    Team::run([&](Team& team) {
        chunk_error_.assign(static_cast<size_t>(lanes_.batch_count() / kChunk + 1), 0);
        for_batches(team, lanes_, [&](int batch) {
            float& broken = chunk_error_[static_cast<size_t>(batch / kChunk)];
            broken = std::max(broken, lanes_.bind_positions(batch, gap_rate));
        });
        const float broken = *std::max_element(chunk_error_.begin(), chunk_error_.end());
        if (!(broken > options.tolerance) && !any_violated(positions, options.tolerance)) return;
        if (!positions.blocks.empty()) positions.prepare();
        bool forward = true;
        while (report.sweeps < options.max_sweeps) {
            double error = sweep_blocks(positions, lanes_, forward);
            error = std::fmax(error, for_levels(team, lanes_, chunk_error_, [&](int batch, int batches) {
                                  return lanes_.sweep_positions(batch, batches);
                              }));
            ++report.sweeps;
            forward = !forward;
            if (error <= options.tolerance) break;
        }
    });
    add_changes(lanes_, positions);
    return report;
}

}  // namespace asperity::solvers
