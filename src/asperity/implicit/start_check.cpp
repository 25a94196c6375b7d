#include "asperity/implicit/start_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "asperity/ccd/intersections.h"
#include "asperity/implicit/kinematics.h"
#include "asperity/implicit/step_data.h"

namespace asperity::implicit {
namespace {

template <int Dim>
[[noreturn]] void refuse(const Model<Dim>& model, int a, int b, const char* what, std::vector<Vec3> places) {
    const std::string &first = model.bodies[static_cast<std::size_t>(a)].name,
                      &second = model.bodies[static_cast<std::size_t>(b)].name;
    const Vec3 where = places.front();
    const std::string near = fmt::format("near [{:.4g}, {:.4g}, {:.4g}]", where.x, where.y, where.z);
    if (a == b)
        throw StartOverlap(
            fmt::format("'{}' crosses itself at the start, {}; mend its mesh, or switch its self-contact off", first, near),
            a, b, std::move(places));
    throw StartOverlap(
        fmt::format("'{}' and '{}' {} at the start, {}; leave a gap between them, or let step.mend push them apart", first,
                    second, what, near),
        a, b, std::move(places));
}

/// Points of the crossings of two bodies, the first of all first.
template <int Dim>
std::vector<Vec3> crossings_of(const Model<Dim>& model, std::span<const Vector<Dim>> x, const ccd::Intersection& first) {
    constexpr int kMostSearched = 2000;  // of all bodies
    std::vector<Vec3> places{first.where};
    for (const ccd::Intersection& c : ccd::intersections(model.surface.view(), x, kMostSearched)) {
        const bool same = std::minmax(c.body_a, c.body_b) == std::minmax(first.body_a, first.body_b);
        if (same && static_cast<int>(places.size()) < kMostPlaces && !(c.where == first.where)) places.push_back(c.where);
    }
    return places;
}

/// Refuses bodies that cross, touch or contain one another, and bodies below half-spaces.
template <int Dim>
void check_apart(const Model<Dim>& model, double time, std::span<const Vector<Dim>> x) {
    const ccd::Intersection crossing = ccd::first_intersection(model.surface.view(), x);
    if (crossing.found)
        refuse(model, crossing.body_a, crossing.body_b, "intersect or touch", crossings_of(model, x, crossing));
    const ccd::Containment inside = ccd::first_containment(model.surface.view(), x);
    if (inside.found)
        refuse(model, inside.body, inside.container, "overlap: the first lies inside the second", {inside.where});
    const std::size_t count = model.bodies.size();
    for (const HalfSpace<Dim>& plane : model.half_spaces) {
        const Pose pose = obstacle_pose(model.bodies[static_cast<std::size_t>(plane.body)], time);
        const Vector<Dim> normal = from_vec3<Dim>(rotate(pose.orientation, to_vec3(plane.normal)));
        const double offset = normal.dot(from_vec3<Dim>(pose.position));
        for (std::size_t v = 0; v < x.size(); ++v) {
            const int body = model.surface.body[v];
            const auto b = static_cast<std::size_t>(body);
            if (model.bodies[b].kind == Kind::Obstacle ||
                !model.surface.collide[b * count + static_cast<std::size_t>(plane.body)])
                continue;
            if (!(normal.dot(x[v]) - offset - model.surface.pair_thickness(body, plane.body) > 0))
                refuse(model, body, plane.body, "intersect or touch", {to_vec3(x[v])});
        }
    }
}

/// Refuses surfaces that are closer than their thickness.
template <int Dim>
void check_thickness(const Model<Dim>& model, StepData<Dim>& d, std::span<const Vector<Dim>> x) {
    if (!(d.reach > 0)) return;
    const std::vector<Vector<Dim>> rest(x.size(), Vector<Dim>::Zero());
    std::vector<ipc::Collision> near;
    ipc::find_candidates<Dim>(model.surface, x, rest, d.reach + d.barrier.dhat, d.candidates);
    ipc::find_collisions<Dim>(model.surface, d.candidates, x, d.barrier.dhat, near);
    for (const ipc::Collision& c : near) {
        const double gap = ipc::gap(c, x);
        if (gap > 0) continue;
        const int first = model.surface.body[static_cast<std::size_t>(c.vertices[0])];
        int second = first;
        for (const int v : c.vertices)
            if (v >= 0 && model.surface.body[static_cast<std::size_t>(v)] != first)
                second = model.surface.body[static_cast<std::size_t>(v)];
        const std::string &a = model.bodies[static_cast<std::size_t>(std::min(first, second))].name,
                          &b = model.bodies[static_cast<std::size_t>(std::max(first, second))].name;
        if (first == second)
            throw InputError(
                fmt::format("'{}' has a thickness of {:.4g} m, and places of its surface that are only {:.4g} m apart; make "
                            "it thinner than its edges are long, or switch its self-contact off",
                            a, c.thickness, c.thickness + gap));
        throw InputError(
            fmt::format("'{}' and '{}' are {:.4g} m apart at the start, less than their thickness of {:.4g} m; leave "
                        "a larger gap between them",
                        a, b, c.thickness + gap, c.thickness));
    }
}

}  // namespace

template <int Dim>
void check_start(World<Dim>& world, std::span<const Vector<Dim>> x) {
    check_apart(world.model, world.state.time, x);
    check_thickness(world.model, world.data(), x);
}

template void check_start<2>(World<2>&, std::span<const Vector<2>>);
template void check_start<3>(World<3>&, std::span<const Vector<3>>);

}  // namespace asperity::implicit
