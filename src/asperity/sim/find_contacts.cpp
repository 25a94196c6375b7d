// Narrow phase: the contact points of every pair, with persistent ids, their positions on both bodies and the impulses
// of the last step. Pairs that have hardly moved keep their contacts (contact_reuse).
#include <algorithm>
#include <cmath>
#include <utility>

#include "asperity/core/parallel.h"
#include "asperity/core/prefetch.h"
#include "asperity/sim/collide_again.h"

namespace asperity::sim {
namespace {

using contact::Contact;
using contact::PairMemory;

constexpr int kChunk = 32;  // pairs per unit of work of a thread: some microseconds
constexpr int kAhead = 2;   // pairs: prefetch distance, which covers the memory latency
// Pairs per thread of a block. The contacts of one block are filled while those of the next are found; a block is small
// enough that the data of both stay in the cache.
constexpr int kBlock = 512;
// of contact_reuse: points up to this distance beyond the margin are kept; a pair may move by the same distance in any
// case
constexpr double kKeptBeyondMargin = 1.0 / 3;

using contact::pair_high;
using contact::pair_low;
size_t body_of(const Model& model, size_t collider) { return static_cast<size_t>(model.bodies.collider_body[collider]); }

/// Finds the pairs [begin, end) in the list of the last step. Both lists are sorted.
void remember_pairs(const ContactInput& in, ContactSet& set, size_t begin, size_t end) {
    const std::vector<PairMemory>& last = in.state.active.pair_memory;
    auto k = std::lower_bound(last.begin(), last.end(), in.search.pairs[begin],
                              [](const PairMemory& memory, std::uint64_t pair) { return memory.pair < pair; });
    for (size_t i = begin; i < end; ++i) {
        while (k != last.end() && k->pair < in.search.pairs[i]) ++k;
        set.previous_index[i] = k != last.end() && k->pair == in.search.pairs[i] ? static_cast<int>(k - last.begin()) : -1;
    }
}

std::span<const Contact> previous_of(const ContactInput& in, const ContactSet& set, size_t index) {
    if (set.previous_index[index] < 0) return {};
    const PairMemory& memory = in.state.active.pair_memory[static_cast<size_t>(set.previous_index[index])];
    return std::span(in.state.active.contacts).subspan(static_cast<size_t>(memory.first), static_cast<size_t>(memory.count));
}

/// Bound of the approach of two bodies within the step, so that contacts exist before they are needed. The speed of
/// each body counts as well as their relative speed: bodies that fall together do not approach until a third one stops
/// the lower one.
double lookahead(const ContactInput& in, std::uint64_t pair) {
    const Vec3 &v_a = in.state.bodies.velocity[body_of(in.model, pair_low(pair))],
               &v_b = in.state.bodies.velocity[body_of(in.model, pair_high(pair))];
    const double fastest2 = larger(larger(length_squared(v_a), length_squared(v_b)), length_squared(v_b - v_a));
    return in.dt * (std::sqrt(fastest2) + in.search.collider_motion[pair_low(pair)].swing +
                    in.search.collider_motion[pair_high(pair)].swing);
}

/// Margin of a pair at rest. For meshes at most 1 % of the smaller moving body: a larger margin would make contacts
/// with triangles that are far away compared to the detail of the mesh.
double resting_margin(const ContactInput& in, std::uint64_t pair, bool mesh) {
    double margin = in.model.settings.contact_margin;
    if (!mesh) return margin;
    for (const size_t collider : {pair_low(pair), pair_high(pair)}) {
        if (in.model.bodies.motion[body_of(in.model, collider)] != rigid::Motion::Dynamic) continue;
        const geometry::Aabb& box = in.search.boxes[collider];
        margin = smaller(margin, 0.01 * max_component(box.high - box.low));
    }
    return margin;
}

/// Pose of one body in the axes of the other, and the largest distance of a point of the first body from its centre.
struct RelativePose {
    Pose relative_pose;
    double reach;
};
RelativePose relative(const ContactInput& in, std::uint64_t pair) {
    size_t fixed = pair_low(pair), moving = pair_high(pair);
    if (in.search.collider_motion[moving].endless) std::swap(fixed, moving);
    const Pose &frame = in.state.bodies.pose[body_of(in.model, fixed)],
               &pose = in.state.bodies.pose[body_of(in.model, moving)];
    return {{frame.to_local(pose.position), conjugate(frame.orientation) * pose.orientation},
            in.search.collider_motion[moving].reach};
}

/// Upper bound of the displacement of any point relative to the other body. If it exceeds `limit`, the result is only
/// known to be larger.
double moved(const RelativePose& now, const Pose& then, double limit) {
    const double centre = length(now.relative_pose.position - then.position);
    if (centre > limit) return centre;
    // the angle is 2 asin |vector part|, up to its sign
    const Quat turn = conjugate(then.orientation) * now.relative_pose.orientation;
    const double sine = length(Vec3{turn.x, turn.y, turn.z});
    return centre + now.reach * 2 * (sine < 0.1 ? 1.01 * sine : 2.0);
}

/// Largest displacement since the contacts of the pair were found that permits their reuse, if this step needs
/// `margin`. A pair without contacts has no contact positions that could become wrong, so only the margin limits it.
double allowed_motion(const ContactInput& in, const PairMemory& last, double margin) {
    return smaller(last.count > 0 ? in.model.settings.contact_reuse : last.margin, last.margin - margin);
}

/// Whether the path lengths of both bodies alone show that the contacts can be reused: they bound moved(). So most
/// pairs of a settled pile never read their poses. With rotations x of A and y of B and a distance D of the centres,
/// moved() is at most
///     path of both centres + x D + 1.01 (x + y) reach of B,
///     D <= reach of A + reach of B + displacements in the step, since the boxes overlap.
/// Path lengths count x and y with a lever that is longer than their factors here. The short form of the sine in
/// moved() holds below 0.2 rad. If one body has never moved (floors, walls) and the reach is that of the other, moved()
/// is at most the path of the other centre + 1.01 times its rotation times its reach.
bool can_reuse_by_paths(const ContactInput& in, std::uint64_t pair, const PairMemory& last) {
    const PairSearch::ColliderMotion &a = in.search.collider_motion[pair_low(pair)],
                                     &b = in.search.collider_motion[pair_high(pair)];
    const bool floor_a = a.path == 0 && !b.endless, floor_b = b.path == 0 && b.endless;
    if (!floor_a && !floor_b &&
        (a.endless || b.endless || a.reach + 2.3 * b.reach + 2 * (a.ahead + b.ahead) > in.search.lever))
        return false;
    const double reach = floor_a ? b.reach : floor_b ? a.reach : smaller(a.reach, b.reach);
    const double most = a.path + b.path - last.path + 1e-9;  // rounding errors are far below 1e-9
    return most < 0.1 * reach && 1.01 * reach <= in.search.lever &&
           most <= allowed_motion(in, last, in.model.settings.contact_margin + a.ahead + b.ahead);
}

/// Drops points with a gap above `farthest`. Points beyond the margin serve the reuse of contacts only: they cannot
/// carry a load in this step but cost as much as others. Without them the pair is checked again a little earlier.
void drop_points_beyond(double farthest, geometry::Manifold& manifold, PairMemory& memory) {
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

void collide_pair(const ContactInput& in, ContactSet& set, size_t index, geometry::Manifold& manifold) {
    const std::uint64_t pair = in.search.pairs[index];
    const PairSearch::ColliderMotion &motion_a = in.search.collider_motion[pair_low(pair)],
                                     &motion_b = in.search.collider_motion[pair_high(pair)];
    set.may_be_ground[index] = motion_a.endless || motion_a.mesh || motion_b.endless || motion_b.mesh;
    PairMemory& memory = set.pair_memory[index];
    const PairMemory* last = set.previous_index[index] >= 0
                                 ? &in.state.active.pair_memory[static_cast<size_t>(set.previous_index[index])]
                                 : nullptr;
    const double reuse = in.model.settings.contact_reuse;
    const int mesh_list = set.mesh_list_of[index];
    if (mesh_list >= 0) {
        set.kept[index] = 0;
        memory.pair = pair;
        const double ahead = lookahead(in, pair);
        memory.margin = resting_margin(in, pair, true) + ahead;
        set.met_in_patches[static_cast<size_t>(mesh_list)] =
            collide_closed_meshes(in, set, index, ahead, previous_of(in, set, index));
        if (set.met_in_patches[static_cast<size_t>(mesh_list)]) return;
    }
    set.kept[index] = reuse > 0 && last && can_reuse_by_paths(in, pair, *last);
    if (set.kept[index]) {
        memory = *last;
        return;
    }
    const auto margin_now = [&] { return resting_margin(in, pair, mesh_list >= 0) + lookahead(in, pair); };
    if (reuse > 0) {
        const RelativePose now = relative(in, pair);
        const double way = motion_a.path + motion_b.path;
        if (last) {
            const double since = moved(now, last->relative_pose, allowed_motion(in, *last, 0));
            // an upper bound of margin_now(), cheaper to compute and nearly always sufficient
            const double widest = in.model.settings.contact_margin + motion_a.ahead + motion_b.ahead;
            if (since <= allowed_motion(in, *last, widest) || since <= allowed_motion(in, *last, margin_now())) {
                memory = *last;
                memory.path = way - since;
                set.kept[index] = 1;
                return;
            }
        }
        memory.relative_pose = now.relative_pose;
        memory.path = way;
    }
    const double margin = margin_now();
    memory.pair = pair;
    memory.margin = margin + reuse;

    std::uint32_t features[geometry::ContactList::kCapacity];
    const int most = mesh_list < 0 ? 4 : geometry::ContactList::kCapacity;
    int count = 0;
    for (const Contact& c : previous_of(in, set, index))
        if (count < most) features[count++] = c.feature;
    const std::span<const std::uint32_t> previous{features, static_cast<size_t>(count)};

    const geometry::Shape& a = in.model.bodies.colliders[pair_low(pair)].shape;
    const geometry::Shape& b = in.model.bodies.colliders[pair_high(pair)].shape;
    const Pose &pose_a = in.search.collider_pose[pair_low(pair)], &pose_b = in.search.collider_pose[pair_high(pair)];
    if (mesh_list >= 0) {
        geometry::ContactList& list = set.mesh_lists[static_cast<size_t>(mesh_list)];
        geometry::collide_mesh(
            a, pose_a, b, pose_b, memory.margin, previous,
            approach_of(in.state.bodies, in.dt, body_of(in.model, pair_low(pair)), body_of(in.model, pair_high(pair))),
            list);
        std::sort(list.items, list.items + list.count,
                  [](const auto& p, const auto& q) { return p.point.feature < q.point.feature; });
        memory.count = list.count;
        if (list.count == 0) memory.margin = smaller(memory.margin, list.reach);
    } else {
        geometry::collide(a, pose_a, b, pose_b, memory.margin, previous, manifold);
        if (manifold.count == 0) memory.margin = larger(memory.margin, manifold.apart);
        drop_points_beyond(margin + kKeptBeyondMargin * reuse, manifold, memory);
        std::sort(manifold.points, manifold.points + manifold.count,
                  [](const auto& p, const auto& q) { return p.feature < q.feature; });
        memory.count = manifold.count;
    }
}

/// Gives every pair with a mesh a list of its own, so that pairs can be filled in parallel.
void assign_mesh_lists(const PairSearch& search, ContactSet& set) {
    set.mesh_list_of.assign(search.pairs.size(), -1);
    int lists = 0;
    for (size_t i = 0; search.any_mesh && i < search.pairs.size(); ++i)
        if (search.collider_motion[pair_low(search.pairs[i])].mesh ||
            search.collider_motion[pair_high(search.pairs[i])].mesh)
            set.mesh_list_of[i] = lists++;
    set.mesh_lists.resize(static_cast<size_t>(lists));
    set.shared_patches.resize(static_cast<size_t>(lists));
    set.met_in_patches.resize(static_cast<size_t>(lists));
}

/// Copies the impulses of the contact with the same feature in the last step. Impulses are in world axes, so they stay
/// valid when the contact frame rotates; the rotation of the bodies within a step is neglected.
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

/// Orientations of the two bodies of a pair as matrices, computed once for all its contacts.
struct PairAxes {
    size_t a, b;  // bodies
    Mat3 of_a, of_b;
    PairAxes(const ContactInput& in, std::uint64_t pair)
        : a(body_of(in.model, pair_low(pair))),
          b(body_of(in.model, pair_high(pair))),
          of_a(matrix(in.state.bodies.pose[a].orientation)),
          of_b(matrix(in.state.bodies.pose[b].orientation)) {}
};

void fill_contact(const ContactInput& in, std::uint64_t pair, const PairAxes& axes, const Vec3& normal,
                  const geometry::ManifoldPoint& point, Contact& c) {
    const std::vector<Pose>& pose = in.state.bodies.pose;
    const std::vector<Vec3>& center = in.model.bodies.center;
    const size_t a = axes.a, b = axes.b;
    c.pair = pair;
    c.feature = point.feature;
    c.collider_a = static_cast<int>(pair_low(pair));
    c.collider_b = static_cast<int>(pair_high(pair));
    c.body_a = static_cast<int>(a);
    c.body_b = static_cast<int>(b);
    c.material_a = in.search.collider_motion[pair_low(pair)].material;
    c.material_b = in.search.collider_motion[pair_high(pair)].material;
    c.in_patch = false;
    c.normal = normal;
    c.point = 0.5 * (point.on_a + point.on_b);
    c.gap = point.gap;
    c.local_a = transposed(axes.of_a) * (point.on_a - pose[a].position) + center[a];
    c.local_b = transposed(axes.of_b) * (point.on_b - pose[b].position) + center[b];
    c.local_normal = transposed(axes.of_a) * normal;
}

/// Copies the contacts of a pair from the last step and moves them with its bodies.
void move_contacts(const ContactInput& in, const PairAxes& axes, std::span<const Contact> last, Contact* out, double* gap) {
    const std::vector<Pose>& pose = in.state.bodies.pose;
    const std::vector<Vec3>& center = in.model.bodies.center;
    const size_t a = axes.a, b = axes.b;
    for (size_t k = 0; k < last.size(); ++k) {
        Contact& c = out[k];
        c = last[k];
        c.in_patch = false;
        const Vec3 on_a = pose[a].position + axes.of_a * (c.local_a - center[a]);
        const Vec3 on_b = pose[b].position + axes.of_b * (c.local_b - center[b]);
        c.normal = axes.of_a * c.local_normal;
        c.point = 0.5 * (on_a + on_b);
        gap[k] = c.gap = dot(on_b - on_a, c.normal);
    }
}

void fill_pair(const ContactInput& in, ContactSet& set, size_t index, const geometry::Manifold& manifold) {
    const PairMemory& memory = set.pair_memory[index];
    if (memory.count == 0) return;
    const std::span<const Contact> previous = previous_of(in, set, index);
    Contact* out = &set.contacts[static_cast<size_t>(memory.first)];
    fetch_to_change(out + kAheadInList, static_cast<size_t>(memory.count) * sizeof(Contact));
    double* gap = &set.gap[static_cast<size_t>(memory.first)];
    const PairAxes axes(in, memory.pair);
    if (set.kept[index]) return move_contacts(in, axes, previous, out, gap);
    const int mesh_list = set.mesh_list_of[index];
    for (int k = 0; k < memory.count; ++k) {
        if (mesh_list >= 0) {
            const geometry::ContactList::Item& item = set.mesh_lists[static_cast<size_t>(mesh_list)].items[k];
            fill_contact(in, memory.pair, axes, item.normal, item.point, out[k]);
        } else {
            fill_contact(in, memory.pair, axes, manifold.normal_of(k), manifold.points[k], out[k]);
        }
        inherit(out[k], previous);
        gap[k] = out[k].gap;
    }
}

double deepest_overlap(ContactSet& set) {
    constexpr size_t kGaps = 8192;  // per chunk
    set.chunk_overlap.assign(set.gap.size() / kGaps + 1, 0);
    parallel_for(
        static_cast<int>(set.chunk_overlap.size()),
        [&](int c) {
            const size_t begin = static_cast<size_t>(c) * kGaps;
            double deepest = 0;
            for (size_t i = begin; i < std::min(begin + kGaps, set.gap.size()); ++i) deepest = larger(deepest, -set.gap[i]);
            set.chunk_overlap[static_cast<size_t>(c)] = deepest;
        },
        1);
    return *std::max_element(set.chunk_overlap.begin(), set.chunk_overlap.end());
}

/// Finds the contact points of the pairs [begin, end). Returns their number.
int find_chunk(const ContactInput& in, ContactSet& set, int begin, int end, std::span<geometry::Manifold> manifolds) {
    if (begin >= end) return 0;
    remember_pairs(in, set, static_cast<size_t>(begin), static_cast<size_t>(end));
    int count = 0;
    for (int i = begin; i < end; ++i) {
        if (i + kAhead < end) {
            const std::span<const Contact> soon = previous_of(in, set, static_cast<size_t>(i + kAhead));
            fetch(soon.data(), soon.size_bytes());
        }
        collide_pair(in, set, static_cast<size_t>(i), manifolds[static_cast<size_t>(i - begin)]);
        count += set.pair_memory[static_cast<size_t>(i)].count;
    }
    return count;
}

/// Fills the contacts of the pairs [begin, end), from index `first` on.
void fill_chunk(const ContactInput& in, ContactSet& set, int begin, int end, int first,
                std::span<const geometry::Manifold> manifolds) {
    for (int i = begin; i < end; ++i) {
        PairMemory& memory = set.pair_memory[static_cast<size_t>(i)];
        memory.first = first;
        first += memory.count;
        fill_pair(in, set, static_cast<size_t>(i), manifolds[static_cast<size_t>(i - begin)]);
    }
}

}  // namespace

geometry::Approach approach_of(const rigid::BodyStates& bodies, double dt, size_t body_a, size_t body_b) {
    const auto motion = [&](size_t i) {
        return geometry::StepMotion{dt * (bodies.velocity[i] - cross(bodies.angular_velocity[i], bodies.pose[i].position)),
                                    dt * bodies.angular_velocity[i]};
    };
    return {motion(body_a), motion(body_b)};
}

void find_contacts(const Model& model, const State& state, const Derived& derived, const PairSearch& search, double dt,
                   ContactSet& set) {
    const ContactInput in{model, state, derived, search, dt};
    const int pair_count = static_cast<int>(in.search.pairs.size());
    set.previous_index.resize(in.search.pairs.size());
    set.pair_memory.resize(in.search.pairs.size());
    set.kept.resize(in.search.pairs.size());
    set.may_be_ground.resize(in.search.pairs.size());
    assign_mesh_lists(search, set);
    set.contacts.resize(in.state.active.contacts.size());  // an estimate: as many as in the last step
    set.gap.resize(set.contacts.size());
    // One stage per block: fills the chunks of the previous block and finds those of the next. With meshes all pairs
    // form one block and a chunk is one pair, because a pair of meshes may take as long as a thousand others.
    const bool meshes = !set.mesh_lists.empty();
    const int block = meshes ? pair_count : kBlock * thread_count(), chunk = meshes ? 1 : kChunk;
    const int chunks = (std::min(block, pair_count) + chunk - 1) / chunk;
    set.manifolds.resize(static_cast<size_t>(chunks * chunk));
    set.chunk_contacts.assign(static_cast<size_t>(chunks), 0);
    int total = 0;
    Team::run([&](Team& team) {
        for (int begin = 0; begin < pair_count + block; begin += block) {
            team.stage(chunks, [&](int c) {
                const std::span manifolds =
                    std::span(set.manifolds).subspan(static_cast<size_t>(c * chunk), static_cast<size_t>(chunk));
                int& contacts = set.chunk_contacts[static_cast<size_t>(c)];
                const int next = begin + c * chunk, found = next - block;
                if (found >= 0) fill_chunk(in, set, found, std::min(found + chunk, pair_count), contacts, manifolds);
                contacts = find_chunk(in, set, next, std::min(next + chunk, pair_count), manifolds);
            });
            for (int& contacts : set.chunk_contacts) total += std::exchange(contacts, total);
            if (static_cast<size_t>(total) > set.contacts.size()) {
                set.contacts.resize(static_cast<size_t>(total));
                set.gap.resize(set.contacts.size());
            }
        }
    });
    set.contacts.resize(static_cast<size_t>(total));
    set.gap.resize(static_cast<size_t>(total));
    set.deepest_overlap = deepest_overlap(set);
}

}  // namespace asperity::sim
