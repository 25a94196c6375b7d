// Stage 2: contact points of every pair, with persistent ids, their places on both bodies and last step's impulses.
#include <algorithm>
#include <cmath>
#include <utility>

#include "asperity/core/parallel.h"
#include "asperity/core/prefetch.h"
#include "asperity/sim/patch_parts.h"

namespace asperity::sim {
namespace {

using contact::Contact;
using contact::PairMemory;

constexpr int kChunk = 32;  // pairs that a thread takes at once: some microseconds of work
constexpr int kAhead = 2;   // pairs: time enough for the memory to answer
// pairs per thread that are filled in while the next ones are found: what both read and write stays in the cache
constexpr int kBlock = 512;
// of contact_reuse: points this much beyond the margin are kept; a pair may move by as much in any case
constexpr double kKeptShare = 1.0 / 3;

size_t collider_a(std::uint64_t pair) { return static_cast<size_t>(pair >> 32); }
size_t collider_b(std::uint64_t pair) { return static_cast<size_t>(pair & 0xffffffffU); }
size_t body_of(const World& world, size_t collider) { return static_cast<size_t>(world.bodies.collider_body[collider]); }

/// Where last step's list has the pairs [begin, end) of this one; both are sorted.
void remember_pairs(const World& world, StepData& d, size_t begin, size_t end) {
    const std::vector<PairMemory>& last = world.pair_memory;
    auto k = std::lower_bound(last.begin(), last.end(), d.pairs[begin],
                              [](const PairMemory& memory, std::uint64_t pair) { return memory.pair < pair; });
    for (size_t i = begin; i < end; ++i) {
        while (k != last.end() && k->pair < d.pairs[i]) ++k;
        d.remembered[i] = k != last.end() && k->pair == d.pairs[i] ? static_cast<int>(k - last.begin()) : -1;
    }
}

std::span<const Contact> previous_of(const World& world, const StepData& d, size_t index) {
    if (d.remembered[index] < 0) return {};
    const PairMemory& memory = world.pair_memory[static_cast<size_t>(d.remembered[index])];
    return std::span(world.contacts).subspan(static_cast<size_t>(memory.first), static_cast<size_t>(memory.count));
}

/// How far two bodies may close in on each other within the step, so that contacts exist before they are needed. Bodies that
/// fall together do not approach each other, until a third one stops the lower of them: so each one's own speed counts as
/// well.
double lookahead(const World& world, const StepData& d, std::uint64_t pair) {
    const Vec3 &v_a = world.bodies.velocity[body_of(world, collider_a(pair))],
               &v_b = world.bodies.velocity[body_of(world, collider_b(pair))];
    const double fastest2 = larger(larger(length_squared(v_a), length_squared(v_b)), length_squared(v_b - v_a));
    return d.dt *
           (std::sqrt(fastest2) + d.collider_motion[collider_a(pair)].swing + d.collider_motion[collider_b(pair)].swing);
}

/// Contacts are made a little before they are needed. Meshes are fine: a margin beyond 1 % of the smaller moving body would
/// make contacts of triangles that are nowhere near.
double resting_margin(const World& world, const StepData& d, std::uint64_t pair, bool mesh) {
    double margin = world.settings.contact_margin;
    if (!mesh) return margin;
    for (const size_t collider : {collider_a(pair), collider_b(pair)}) {
        if (world.bodies.motion[body_of(world, collider)] != rigid::Motion::Dynamic) continue;
        const geometry::Aabb& box = d.boxes[collider];
        margin = smaller(margin, 0.01 * max_component(box.high - box.low));
    }
    return margin;
}

/// The pose of one body in the axes of the other, and how far the first reaches from its centre.
struct Relative {
    Pose where;
    double reach;
};
Relative relative(const World& world, const StepData& d, std::uint64_t pair) {
    size_t fixed = collider_a(pair), moving = collider_b(pair);
    if (d.collider_motion[moving].endless) std::swap(fixed, moving);
    const Pose &frame = world.bodies.pose[body_of(world, fixed)], &pose = world.bodies.pose[body_of(world, moving)];
    return {{frame.to_local(pose.position), conjugate(frame.orientation) * pose.orientation},
            d.collider_motion[moving].reach};
}

/// An upper bound of how far any point has moved against the other body; of one beyond `limit`, that it is.
double moved(const Relative& now, const Pose& then, double limit) {
    const double centre = length(now.where.position - then.position);
    if (centre > limit) return centre;
    const Quat turn = conjugate(then.orientation) * now.where.orientation;  // by 2 asin |vector part|, up to a sign
    const double sine = length(Vec3{turn.x, turn.y, turn.z});
    return centre + now.reach * 2 * (sine < 0.1 ? 1.01 * sine : 2.0);
}

/// How far a pair may have moved since it was looked at, if this step asks for that margin: where there are no contacts,
/// nothing has to stay where it is.
double allowed_motion(const World& world, const PairMemory& last, double margin) {
    return smaller(last.count > 0 ? world.settings.contact_reuse : last.margin, last.margin - margin);
}

/// Whether that can be told from the ways of both bodies alone, which bound moved(): most pairs of a settled pile never look
/// at their poses. With turns x of A and y of B and centres that are D apart, moved() is at most
///     the ways of both centres + x D + 1.01 (x + y) reach of B,    D <= reach of A + reach of B + what is ahead, as their
///     boxes meet;
/// ways count x and y by a lever that is longer than what stands beside them here. Below 0.2 rad the short form of its sine
/// holds. Where one has never moved, as floors and walls, and the other is the one whose reach counts, it is the way of that
/// centre + 1.01 times its turn times its reach.
bool surely_stayed(const World& world, const StepData& d, std::uint64_t pair, const PairMemory& last) {
    const StepData::Motion &a = d.collider_motion[collider_a(pair)], &b = d.collider_motion[collider_b(pair)];
    const bool floor_a = a.way == 0 && !b.endless, floor_b = b.way == 0 && b.endless;
    if (!floor_a && !floor_b && (a.endless || b.endless || a.reach + 2.3 * b.reach + 2 * (a.ahead + b.ahead) > d.lever))
        return false;
    const double reach = floor_a ? b.reach : floor_b ? a.reach : smaller(a.reach, b.reach);
    const double most = a.way + b.way - last.way + 1e-9;  // rounding is far below
    return most < 0.1 * reach && 1.01 * reach <= d.lever &&
           most <= allowed_motion(world, last, world.settings.contact_margin + a.ahead + b.ahead);
}

/// Points beyond the margin are there for the reuse alone: in this step they cannot press. The farther ones would cost as
/// much as those that do; without them the pair is looked at again a little sooner.
void drop_far_points(double farthest, geometry::Manifold& manifold, PairMemory& memory) {
    const int found = manifold.count;
    manifold.count = 0;
    for (int k = 0; k < found; ++k) {
        if (manifold.points[k].gap > farthest) {
            memory.margin = smaller(memory.margin, manifold.points[k].gap);
            continue;
        }
        if (manifold.count < k) manifold.points[manifold.count] = manifold.points[k];
        ++manifold.count;
    }
}

void collide_pair(const World& world, StepData& d, size_t index, geometry::Manifold& manifold) {
    const std::uint64_t pair = d.pairs[index];
    const StepData::Motion &motion_a = d.collider_motion[collider_a(pair)], &motion_b = d.collider_motion[collider_b(pair)];
    d.may_be_ground[index] = motion_a.endless || motion_a.mesh || motion_b.endless || motion_b.mesh;
    PairMemory& memory = d.pair_memory[index];
    const PairMemory* last =
        d.remembered[index] >= 0 ? &world.pair_memory[static_cast<size_t>(d.remembered[index])] : nullptr;
    const double reuse = world.settings.contact_reuse;
    const int mesh_list = d.mesh_list_of[index];
    if (mesh_list >= 0) {
        d.kept[index] = 0;
        memory.pair = pair;
        const double ahead = lookahead(world, d, pair);
        memory.margin = resting_margin(world, d, pair, true) + ahead;
        d.met_in_patches[static_cast<size_t>(mesh_list)] =
            meet_in_patches(world, d, index, ahead, previous_of(world, d, index));
        if (d.met_in_patches[static_cast<size_t>(mesh_list)]) return;
    }
    d.kept[index] = reuse > 0 && last && surely_stayed(world, d, pair, *last);
    if (d.kept[index]) {
        memory = *last;
        return;
    }
    const auto margin_now = [&] { return resting_margin(world, d, pair, mesh_list >= 0) + lookahead(world, d, pair); };
    if (reuse > 0) {
        const Relative now = relative(world, d, pair);
        const double way = motion_a.way + motion_b.way;
        if (last) {
            const double since = moved(now, last->where, allowed_motion(world, *last, 0));
            // margin: sooner known, and nearly always enough
            const double widest = world.settings.contact_margin + motion_a.ahead + motion_b.ahead;
            if (since <= allowed_motion(world, *last, widest) || since <= allowed_motion(world, *last, margin_now())) {
                memory = *last;
                memory.way = way - since;
                d.kept[index] = 1;
                return;
            }
        }
        memory.where = now.where;
        memory.way = way;
    }
    const double margin = margin_now();
    memory.pair = pair;
    memory.margin = margin + reuse;

    std::uint32_t features[geometry::ContactList::kCapacity];
    const int most = mesh_list < 0 ? 4 : geometry::ContactList::kCapacity;
    int count = 0;
    for (const Contact& c : previous_of(world, d, index))
        if (count < most) features[count++] = c.feature;
    const std::span<const std::uint32_t> previous{features, static_cast<size_t>(count)};

    const geometry::Shape& a = world.bodies.colliders[collider_a(pair)].shape;
    const geometry::Shape& b = world.bodies.colliders[collider_b(pair)].shape;
    const Pose &pose_a = d.collider_pose[collider_a(pair)], &pose_b = d.collider_pose[collider_b(pair)];
    if (mesh_list >= 0) {
        geometry::ContactList& list = d.mesh_lists[static_cast<size_t>(mesh_list)];
        geometry::collide_mesh(a, pose_a, b, pose_b, memory.margin, previous,
                               approach_of(world, d.dt, body_of(world, collider_a(pair)), body_of(world, collider_b(pair))),
                               list);
        std::sort(list.items, list.items + list.count,
                  [](const auto& p, const auto& q) { return p.point.feature < q.point.feature; });
        memory.count = list.count;
        if (list.count == 0) memory.margin = smaller(memory.margin, list.reach);
    } else {
        geometry::collide(a, pose_a, b, pose_b, memory.margin, previous, manifold);
        if (manifold.count == 0) memory.margin = larger(memory.margin, manifold.apart);
        drop_far_points(margin + kKeptShare * reuse, manifold, memory);
        std::sort(manifold.points, manifold.points + manifold.count,
                  [](const auto& p, const auto& q) { return p.feature < q.feature; });
        memory.count = manifold.count;
    }
}

/// Gives every pair with a mesh a list of its own, so that pairs can be filled in parallel.
void assign_mesh_lists(StepData& d) {
    d.mesh_list_of.assign(d.pairs.size(), -1);
    int lists = 0;
    for (size_t i = 0; d.any_mesh && i < d.pairs.size(); ++i)
        if (d.collider_motion[collider_a(d.pairs[i])].mesh || d.collider_motion[collider_b(d.pairs[i])].mesh)
            d.mesh_list_of[i] = lists++;
    d.mesh_lists.resize(static_cast<size_t>(lists));
    d.shared_patches.resize(static_cast<size_t>(lists));
    d.met_in_patches.resize(static_cast<size_t>(lists));
}

/// Impulses live in world axes, so they survive a turn of the contact frame; the body's own turn within a step is small.
void inherit(Contact& c, std::span<const Contact> previous) {
    for (const Contact& old : previous) {
        if (old.feature != c.feature) continue;
        c.impulse = old.impulse;
        c.drilling = old.drilling;
        c.t = old.t;
        return;
    }
    c.impulse = c.t = {};
    c.drilling = 0;
}

/// The axes of a pair's bodies in columns, for all its contacts.
struct PairAxes {
    size_t a, b;  // bodies
    Mat3 of_a, of_b;
    PairAxes(const World& world, std::uint64_t pair)
        : a(body_of(world, collider_a(pair))),
          b(body_of(world, collider_b(pair))),
          of_a(matrix(world.bodies.pose[a].orientation)),
          of_b(matrix(world.bodies.pose[b].orientation)) {}
};

void fill_contact(const World& world, const StepData& d, std::uint64_t pair, const PairAxes& axes, const Vec3& normal,
                  const geometry::ManifoldPoint& point, Contact& c) {
    const rigid::Bodies& bodies = world.bodies;
    const size_t a = axes.a, b = axes.b;
    c.pair = pair;
    c.feature = point.feature;
    c.collider_a = static_cast<int>(collider_a(pair));
    c.collider_b = static_cast<int>(collider_b(pair));
    c.body_a = static_cast<int>(a);
    c.body_b = static_cast<int>(b);
    c.material_a = d.collider_motion[collider_a(pair)].material;
    c.material_b = d.collider_motion[collider_b(pair)].material;
    c.in_patch = false;
    c.normal = normal;
    c.point = 0.5 * (point.on_a + point.on_b);
    c.gap = point.gap;
    c.local_a = transposed(axes.of_a) * (point.on_a - bodies.pose[a].position) + bodies.center[a];
    c.local_b = transposed(axes.of_b) * (point.on_b - bodies.pose[b].position) + bodies.center[b];
    c.local_normal = transposed(axes.of_a) * normal;
}

/// The contacts of a pair in the last step, moved with its bodies.
void move_contacts(const World& world, const PairAxes& axes, std::span<const Contact> last, Contact* out, double* gap) {
    const rigid::Bodies& bodies = world.bodies;
    const size_t a = axes.a, b = axes.b;
    for (size_t k = 0; k < last.size(); ++k) {
        Contact& c = out[k];
        c = last[k];
        c.in_patch = false;
        const Vec3 on_a = bodies.pose[a].position + axes.of_a * (c.local_a - bodies.center[a]);
        const Vec3 on_b = bodies.pose[b].position + axes.of_b * (c.local_b - bodies.center[b]);
        c.normal = axes.of_a * c.local_normal;
        c.point = 0.5 * (on_a + on_b);
        gap[k] = c.gap = dot(on_b - on_a, c.normal);
    }
}

void fill_pair(const World& world, StepData& d, size_t index, const geometry::Manifold& manifold) {
    const PairMemory& memory = d.pair_memory[index];
    if (memory.count == 0) return;
    const std::span<const Contact> previous = previous_of(world, d, index);
    Contact* out = &d.contacts[static_cast<size_t>(memory.first)];
    fetch_to_change(out + kAheadInList, static_cast<size_t>(memory.count) * sizeof(Contact));
    double* gap = &d.gap[static_cast<size_t>(memory.first)];
    const PairAxes axes(world, memory.pair);
    if (d.kept[index]) return move_contacts(world, axes, previous, out, gap);
    const int mesh_list = d.mesh_list_of[index];
    for (int k = 0; k < memory.count; ++k) {
        if (mesh_list >= 0) {
            const geometry::ContactList::Item& item = d.mesh_lists[static_cast<size_t>(mesh_list)].items[k];
            fill_contact(world, d, memory.pair, axes, item.normal, item.point, out[k]);
        } else {
            fill_contact(world, d, memory.pair, axes, manifold.normal_of(k), manifold.points[k], out[k]);
        }
        inherit(out[k], previous);
        gap[k] = out[k].gap;
    }
}

double deepest_overlap(StepData& d) {
    constexpr size_t kGaps = 8192;  // at once
    d.chunk_overlap.assign(d.gap.size() / kGaps + 1, 0);
    parallel_for(
        static_cast<int>(d.chunk_overlap.size()),
        [&](int c) {
            const size_t begin = static_cast<size_t>(c) * kGaps;
            double deepest = 0;
            for (size_t i = begin; i < std::min(begin + kGaps, d.gap.size()); ++i) deepest = larger(deepest, -d.gap[i]);
            d.chunk_overlap[static_cast<size_t>(c)] = deepest;
        },
        1);
    return *std::max_element(d.chunk_overlap.begin(), d.chunk_overlap.end());
}

/// Finds the points of the pairs [begin, end); returns how many there are.
int find_chunk(const World& world, StepData& d, int begin, int end, std::span<geometry::Manifold> manifolds) {
    if (begin >= end) return 0;
    remember_pairs(world, d, static_cast<size_t>(begin), static_cast<size_t>(end));
    int count = 0;
    for (int i = begin; i < end; ++i) {
        if (i + kAhead < end) {
            const std::span<const Contact> soon = previous_of(world, d, static_cast<size_t>(i + kAhead));
            fetch(soon.data(), soon.size_bytes());
        }
        collide_pair(world, d, static_cast<size_t>(i), manifolds[static_cast<size_t>(i - begin)]);
        count += d.pair_memory[static_cast<size_t>(i)].count;
    }
    return count;
}

/// Makes contacts of them, from index `first` on.
void fill_chunk(const World& world, StepData& d, int begin, int end, int first,
                std::span<const geometry::Manifold> manifolds) {
    for (int i = begin; i < end; ++i) {
        PairMemory& memory = d.pair_memory[static_cast<size_t>(i)];
        memory.first = first;
        first += memory.count;
        fill_pair(world, d, static_cast<size_t>(i), manifolds[static_cast<size_t>(i - begin)]);
    }
}

}  // namespace

geometry::Approach approach_of(const World& world, double dt, size_t body_a, size_t body_b) {
    const rigid::Bodies& bodies = world.bodies;
    const auto motion = [&](size_t i) {
        return geometry::StepMotion{dt * (bodies.velocity[i] - cross(bodies.angular_velocity[i], bodies.pose[i].position)),
                                    dt * bodies.angular_velocity[i]};
    };
    return {motion(body_a), motion(body_b)};
}

void make_contacts(World& world, StepData& d) {
    const StageTimer timer(d.report, Stage::make_contacts);
    const int pair_count = static_cast<int>(d.pairs.size());
    d.remembered.resize(d.pairs.size());
    d.pair_memory.resize(d.pairs.size());
    d.kept.resize(d.pairs.size());
    d.may_be_ground.resize(d.pairs.size());
    assign_mesh_lists(d);
    d.contacts.resize(world.contacts.size());  // about as many as last time
    d.gap.resize(d.contacts.size());
    // Block by block, chunks of the last one are filled in and those of the next found. A pair of meshes may take as long as
    // a thousand others.
    const bool meshes = !d.mesh_lists.empty();
    const int block = meshes ? pair_count : kBlock * thread_count(), chunk = meshes ? 1 : kChunk;
    const int chunks = (std::min(block, pair_count) + chunk - 1) / chunk;
    d.manifolds.resize(static_cast<size_t>(chunks * chunk));
    d.chunk_contacts.assign(static_cast<size_t>(chunks), 0);
    int total = 0;
    Team::run([&](Team& team) {
        for (int begin = 0; begin < pair_count + block; begin += block) {
            team.stage(chunks, [&](int c) {
                const std::span manifolds =
                    std::span(d.manifolds).subspan(static_cast<size_t>(c * chunk), static_cast<size_t>(chunk));
                int& contacts = d.chunk_contacts[static_cast<size_t>(c)];
                const int next = begin + c * chunk, found = next - block;
                if (found >= 0) fill_chunk(world, d, found, std::min(found + chunk, pair_count), contacts, manifolds);
                contacts = find_chunk(world, d, next, std::min(next + chunk, pair_count), manifolds);
            });
            for (int& contacts : d.chunk_contacts) total += std::exchange(contacts, total);
            if (static_cast<size_t>(total) > d.contacts.size()) {
                d.contacts.resize(static_cast<size_t>(total));
                d.gap.resize(d.contacts.size());
            }
        }
    });
    d.contacts.resize(static_cast<size_t>(total));
    d.gap.resize(static_cast<size_t>(total));
    make_patches(world, d);

    d.report.penetration = std::fmax(d.report.penetration, deepest_overlap(d));
    d.report.contacts = total;
}

}  // namespace asperity::sim
