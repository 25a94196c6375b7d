// Part of generate_cones: patches with spin_model "integral" feel the law at every one of their cells
// (friction/patch_integral.h): grain, slip and coefficients at the cell's place, the load of the whole patch.
#include "asperity/core/parallel.h"
#include "asperity/sim/cone_parts.h"
#include "asperity/sim/patch_parts.h"

namespace asperity::sim {
namespace {

/// The patch's contact moved along the surfaces to one of its cells.
contact::Contact contact_at(const ConeInputs& from, const contact::PatchContact& p, Vec2 at) {
    contact::Contact c = p.at;
    const Vec3 way = at.x * p.u + at.y * p.w();
    c.point += way;
    c.local_a += rotate_inverse(from.bodies.pose[static_cast<size_t>(c.body_a)].orientation, way);
    c.local_b += rotate_inverse(from.bodies.pose[static_cast<size_t>(c.body_b)].orientation, way);
    return c;
}

/// Whether Contensou's closed form replaces the integral: a disc of one isotropic law everywhere.
bool has_closed_form(const ConeInputs& from, const contact::PatchContact& p, const friction::LimitSurface& middle) {
    const auto* disc = std::get_if<geometry::EllipseRegion>(&p.region);
    const auto* circle = std::get_if<friction::Ellipse>(&middle.set);
    return disc && disc->a == disc->b && circle && circle->t == circle->b && !has_direction(from, p.at) &&
           !reads_slip(from.model.pair_of(p.at).friction);
}

void fill_cells(const ConeInputs& from, size_t index, LimitSurfaces& cones) {
    const contact::PatchContact& p = from.contacts.patches[index];
    const friction::Law& law = from.model.pair_of(p.at).friction;
    const friction::LimitSurface middle = cone_at(from.model, from.contacts, cones, from.contacts.contacts.size() + index);
    if (has_closed_form(from, p, middle)) return;
    std::span<friction::PatchCell> cells(&cones.cells[index * friction::kMostCells], friction::kMostCells);
    cells = cells.first(static_cast<size_t>(make_cells(pressure_region(p.region, p.rolls), cells)));
    cones.cell_count[index] = static_cast<int>(cells.size());
    if (!has_direction(from, p.at) && !reads_slip(law)) {
        for (friction::PatchCell& cell : cells) cell.set = std::get<friction::Ellipse>(middle.set);
        return;
    }
    for (friction::PatchCell& cell : cells) {
        const contact::Contact c = contact_at(from, p, cell.at);
        friction::ConeInput in;
        const PrefetchedSamples pending =
            has_direction(from, c) ? prefetch_surfaces(from.model, from.bodies, c) : PrefetchedSamples{};
        fill_input(from, c, law, pending, in);
        in.previous_t = middle.t;
        friction::LimitSurface here;
        generate(law, {&in, 1}, {&here, 1});
        cell.set = std::get<friction::Ellipse>(here.set);
        cell.cos = dot(here.t, middle.t);
        cell.sin = dot(here.t, middle.b);
    }
}

}  // namespace

void generate_cells(const ConeInputs& from, LimitSurfaces& cones) {
    const auto integrates = [&](size_t i) {
        return from.model.pair_of(from.contacts.patches[i].at).spin == friction::SpinModel::Integral;
    };
    const size_t count = from.contacts.patches.size();
    cones.cell_count.assign(count, 0);
    bool any = false;
    for (size_t i = 0; i < count && !any; ++i) any = integrates(i);
    if (!any) return;
    cones.cells.resize(count * friction::kMostCells);
    parallel_for(
        static_cast<int>(count),
        [&](int i) {
            if (integrates(static_cast<size_t>(i))) fill_cells(from, static_cast<size_t>(i), cones);
        },
        8);
}

}  // namespace asperity::sim
