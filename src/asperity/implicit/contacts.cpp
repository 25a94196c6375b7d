#include "asperity/implicit/contacts.h"

#include <algorithm>
#include <limits>

#include "asperity/implicit/kinematics.h"

namespace asperity::implicit {
namespace {

template <int Dim>
double plane_offset(const Attempt<Dim>& attempt, std::size_t plane, double progress) {
    return attempt.plane_from[plane] + progress * (attempt.plane_to[plane] - attempt.plane_from[plane]);
}

/// Distance of a vertex from a half-space, minus the thickness of the two.
template <int Dim>
double plane_gap(const Model<Dim>& model, const Attempt<Dim>& attempt, std::size_t plane, double progress,
                 const Vector<Dim>& vertex, int body) {
    const int solid = model.half_spaces[plane].body;
    const double thickness = 0.5 * (model.surface.thickness[static_cast<std::size_t>(solid)] +
                                    model.surface.thickness[static_cast<std::size_t>(body)]);
    return attempt.plane_normal[plane].dot(vertex) - plane_offset(attempt, plane, progress) - thickness;
}

/// Calls f(plane, vertex, body) for every half-space and every vertex that can touch it.
template <int Dim, class F>
void for_plane_pairs(const Model<Dim>& model, const F& f) {
    const std::size_t count = model.bodies.size();
    for (std::size_t plane = 0; plane < model.half_spaces.size(); ++plane)
        for (std::size_t b = 0; b < count; ++b) {
            const Body<Dim>& body = model.bodies[b];
            if (body.kind == Kind::Obstacle) continue;
            if (!model.surface.collide[b * count + static_cast<std::size_t>(model.half_spaces[plane].body)]) continue;
            for (int v = body.first_vertex; v < body.first_vertex + body.vertex_count; ++v) f(plane, v, static_cast<int>(b));
        }
}

}  // namespace

template <int Dim>
void find_candidates(const Model<Dim>& model, StepData<Dim>& d) {
    ipc::find_candidates(model.surface, std::span<const Vector<Dim>>(d.now.vertices),
                         std::span<const Vector<Dim>>(d.vertex_direction), d.barrier.dhat + d.reach, d.candidates);
}

template <int Dim>
bool find_contacts(const Model<Dim>& model, const StepData<Dim>& d, Configuration<Dim>& at) {
    bool outside = true;
    at.plane_contacts.clear();
    for_plane_pairs(model, [&](std::size_t plane, int v, int body) {
        const auto i = static_cast<std::size_t>(v);
        const double gap = plane_gap(model, d.attempt, plane, at.progress, at.vertices[i], body);
        if (!(gap > 0)) outside = false;
        if (gap < d.barrier.dhat)
            at.plane_contacts.push_back({static_cast<int>(plane), v, model.surface.vertex_area[i], gap});
    });
    if (!outside) return false;
    ipc::find_collisions(model.surface, d.candidates, std::span<const Vector<Dim>>(at.vertices), d.barrier.dhat,
                         at.collisions);
    return true;
}

template <int Dim>
void find_vertex_direction(const Model<Dim>& model, StepData<Dim>& d, double progress) {
    d.vertex_direction.resize(model.carriers.size());
    for (std::size_t v = 0; v < model.carriers.size(); ++v) {
        const Carrier<Dim>& c = model.carriers[v];
        if (c.count == 0) {
            d.vertex_direction[v] = progress * (d.attempt.obstacle_to[v] - d.attempt.obstacle_from[v]);
            continue;
        }
        d.vertex_direction[v] = d.direction[static_cast<std::size_t>(c.node)];
        for (int k = 1; k < c.count; ++k)
            d.vertex_direction[v] += c.local[k - 1] * d.direction[static_cast<std::size_t>(c.node + k)];
    }
}

template <int Dim>
double motion_limit(const Model<Dim>& model, StepData<Dim>& d, double progress) {
    const double keep = model.settings.keep_gap;
    double limit = 1;
    for_plane_pairs(model, [&](std::size_t plane, int v, int body) {
        const auto i = static_cast<std::size_t>(v);
        const double gap = plane_gap(model, d.attempt, plane, d.now.progress, d.now.vertices[i], body);
        const double approach = progress * (d.attempt.plane_to[plane] - d.attempt.plane_from[plane]) -
                                d.attempt.plane_normal[plane].dot(d.vertex_direction[i]);
        if (approach * limit > (1 - keep) * gap) limit = (1 - keep) * gap / approach;
    });
    d.blocking_candidate = -1;
    limit = std::min(limit, ipc::step_limit(model.surface, d.candidates, std::span<const Vector<Dim>>(d.now.vertices),
                                            std::span<const Vector<Dim>>(d.vertex_direction), keep, &d.blocking_candidate));
    const double inversion = deform::inversion_limit(model.elements, std::span<const Vector<Dim>>(d.now.x),
                                                     std::span<const Vector<Dim>>(d.direction));
    return std::min(limit, inversion < 1 ? (1 - keep) * inversion : 1);
}

template <int Dim>
double smallest_gap(const Model<Dim>& model, const StepData<Dim>& d, std::array<int, 2>* bodies) {
    double least = std::numeric_limits<double>::infinity();
    for (const PlaneContact& c : d.now.plane_contacts)
        if (c.gap < least) {
            least = c.gap;
            if (bodies)
                *bodies = {model.half_spaces[static_cast<std::size_t>(c.plane)].body,
                           model.carriers[static_cast<std::size_t>(c.vertex)].body};
        }
    for (const ipc::Collision& c : d.now.collisions) {
        const double gap = ipc::gap(c, std::span<const Vector<Dim>>(d.now.vertices));
        if (!(gap < least)) continue;
        least = gap;
        if (bodies) {
            const int a = model.carriers[static_cast<std::size_t>(c.vertices[0])].body;
            int b = a;
            for (const int v : c.vertices)
                if (v >= 0 && model.carriers[static_cast<std::size_t>(v)].body != a)
                    b = model.carriers[static_cast<std::size_t>(v)].body;
            *bodies = {a, b};
        }
    }
    return least;
}

template <int Dim>
double largest_motion(const Model<Dim>& model, const StepData<Dim>& d) {
    double most = 0;
    for (std::size_t i = 0; i < d.direction.size(); ++i)
        if (model.is_free(static_cast<int>(i)) && model.node_translates[i])
            most = std::max(most, d.direction[i].squaredNorm());
    for (std::size_t v = 0; v < d.vertex_direction.size(); ++v)
        if (model.carriers[v].count > 1) most = std::max(most, d.vertex_direction[v].squaredNorm());
    return std::sqrt(most);
}

#define ASPERITY_INSTANTIATE(Dim)                                                                   \
    template void find_candidates<Dim>(const Model<Dim>&, StepData<Dim>&);                          \
    template bool find_contacts<Dim>(const Model<Dim>&, const StepData<Dim>&, Configuration<Dim>&); \
    template void find_vertex_direction<Dim>(const Model<Dim>&, StepData<Dim>&, double);            \
    template double largest_motion<Dim>(const Model<Dim>&, const StepData<Dim>&);                   \
    template double motion_limit<Dim>(const Model<Dim>&, StepData<Dim>&, double);                   \
    template double smallest_gap<Dim>(const Model<Dim>&, const StepData<Dim>&, std::array<int, 2>*);
ASPERITY_INSTANTIATE(2)
ASPERITY_INSTANTIATE(3)
#undef ASPERITY_INSTANTIATE

}  // namespace asperity::implicit
