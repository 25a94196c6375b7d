#include "asperity/implicit/footprints.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/geometry/mesh/mesh_closest.h"
#include "asperity/geometry/shape/face_plane.h"
#include "asperity/implicit/contact_side.h"
#include "asperity/implicit/state.h"
#include "asperity/implicit/step_data.h"

namespace asperity::implicit {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// A slower slip does not set the direction of a frame along the slip [m/s]; as in the rigid world.
constexpr double kSlowest = 1e-4;

/// The point of the shape above or below p, which lies on a skin of triangles: rigid shapes are drawn in by half the contact
/// distance, and faces cut off a little of round shapes. Shape axes.
Vec3 onto_shape(const geometry::Shape& shape, const Vec3& p, const Vec3& outward) {
    if (const auto* sphere = std::get_if<geometry::Sphere>(&shape)) return sphere->radius * normalize_or(p, outward);
    if (const auto* capsule = std::get_if<geometry::Capsule>(&shape)) {
        const Vec3 axis{0, 0, std::clamp(p.z, -capsule->half_length, capsule->half_length)};
        return axis + capsule->radius * normalize_or(p - axis, outward);
    }
    if (const auto* cylinder = std::get_if<geometry::Cylinder>(&shape)) {
        if (std::fabs(outward.z) > std::sqrt(0.5)) return {p.x, p.y, std::copysign(cylinder->half_height, outward.z)};
        const Vec3 out = normalize_or({p.x, p.y, 0}, outward);
        return {cylinder->radius * out.x, cylinder->radius * out.y, p.z};
    }
    if (const auto* mesh = std::get_if<geometry::Mesh>(&shape)) {
        const geometry::MeshNearest nearest =
            geometry::nearest_on_mesh(*mesh->triangles, p, std::numeric_limits<double>::infinity());
        return nearest.triangle >= 0 ? nearest.at.point : p;
    }
    geometry::FacePlane facing;  // of plane faces the one that faces outwards most
    double most = -2;
    for (int f = 0; f < geometry::plane_face_count(shape); ++f)
        if (const geometry::FacePlane plane = geometry::face_plane(shape, f); dot(plane.normal, outward) > most) {
            most = dot(plane.normal, outward);
            facing = plane;
        }
    return p + (facing.offset - dot(facing.normal, p)) * facing.normal;
}

/// The shape of a side laid against the contact: see the top of footprints.h.
template <int Dim>
surface::FootprintSide footprint_side(const Model<Dim>& model, const StepData<Dim>& d, const ContactSide<Dim>& side,
                                      const std::vector<surface::SlopeLayer>& layers) {
    const SurfacePart& part = *side.part;
    const Vec3 t = any_tangent(side.normal), b = cross(side.normal, t), n = side.now_normal;
    const Vec3 now_t = side.carry(model, d, t), now_b = side.carry(model, d, b);
    // the rotation of the polar decomposition of [now_t now_b] in the axes e, n x e of the present tangent plane
    const Vec3 e = any_tangent(n), f = cross(n, e);
    const double sine = dot(now_t, f) - dot(now_b, e), cosine = dot(now_t, e) + dot(now_b, f);
    const double size = std::hypot(sine, cosine);
    const Vec3 turned_t = size > 0 ? cosine / size * e + sine / size * f : e;
    const Mat3 before{{t, b, side.normal}}, after{{turned_t, cross(n, turned_t), n}};  // rows
    const Quat turn = quaternion(transposed(after) * before);
    const Pose rest = part.axes * part.shape_pose;
    const Vec3 touching = onto_shape(part.shape, rest.to_local(side.place), rotate_inverse(rest.orientation, side.normal));
    surface::FootprintSide out;
    out.shape = &part.shape;
    out.point = side.now;
    out.pose.orientation = turn * rest.orientation;
    out.pose.position = side.now - rotate(out.pose.orientation, touching);
    if (layers.size() == 1) out.slopes = layers[0].slopes, out.tile = layers[0].tile, out.offset = layers[0].offset;
    if (layers.size() > 1) out.parts = layers;
    return out;
}

surface::SlopeLayer layer_of(Footprints& out, const surface::SlopeTexture& slopes, friction::FacetWeight weight) {
    const auto table = [&]() -> const surface::SlopeTable* {
        for (const Footprints::Table& known : out.tables)
            if (known.map == slopes.map && known.weight == weight) return known.table.get();
        out.tables.push_back({slopes.map, weight, std::make_unique<surface::SlopeTable>(*slopes.map, weight)});
        return out.tables.back().table.get();
    };
    return {table(), slopes.tile, slopes.offset};
}

/// The first axis of the footprint, as in the rigid world (sim/sample_footprints.cpp).
template <int Dim>
Vec3 first_direction(const Model<Dim>& model, const State<Dim>& state, const StepData<Dim>& d, const FrictionContact& c,
                     const ContactSide<Dim>& a, const ContactSide<Dim>& b, const surface::FootprintSettings& settings) {
    using Frame = surface::FootprintSettings::Frame;
    Vec3 t;
    if (settings.frame == Frame::AlongGrain)
        for (const ContactSide<Dim>* side : {&a, &b})
            if (has_direction(model, *side) && friction::set_tangent(t, sample_side(model, d, *side).grain, c.normal))
                return t;
    if (settings.frame == Frame::AlongSlip) {
        Vec3 slip = slip_velocity(model, state, d, c);
        slip = slip - dot(slip, c.normal) * c.normal;
        if (length(slip) > kSlowest && friction::set_tangent(t, slip, c.normal)) return t;
        const FrictionMemory* before = remembered(d.friction.memory, c.key);
        if (before && friction::set_tangent(t, before->axis, c.normal)) return t;
    }
    Vec3 axis = settings.axis;
    if (const Vec3 tangent = axis - dot(axis, c.normal) * c.normal; length(tangent) < 0.1) axis = {axis.z, axis.x, axis.y};
    return friction::set_tangent(t, axis, c.normal) ? t : any_tangent(c.normal);
}

}  // namespace

template <int Dim>
void prepare_footprints(const Model<Dim>& model, Footprints& out) {
    const auto pairs = at(model.materials.empty() ? 0 : model.pairs.pair_count());
    const std::size_t parts = model.parts.size();
    out.samplers.assign(pairs, nullptr);
    for (std::size_t k = 0; k < pairs; ++k) {
        const surface::Pair& pair = model.pairs.at(static_cast<int>(k));
        const auto* law = std::get_if<friction::Ploughing>(&pair.friction.base);
        if (!law) continue;
        if (pair.footprint.sampler)
            out.samplers[k] = pair.footprint.sampler;
        else if (pair.footprint.sampling == surface::FootprintSettings::Sampling::Rays)
            out.samplers[k] = std::make_shared<surface::RaySampler>(pair.footprint.resolution);
        else
            out.samplers[k] = std::make_shared<surface::TableSampler>(pair.footprint.resolution);
        out.layers.resize(pairs * parts);
        for (std::size_t p = 0; p < parts; ++p) {
            const surface::SlopeTexture& own = model.parts[p].slopes;
            const surface::SlopeTexture& slopes = own.smooth() ? model.materials[at(model.parts[p].material)].slopes : own;
            if (slopes.smooth()) continue;
            const std::size_t count = slopes.parts ? slopes.parts->size() : 1;
            for (std::size_t i = 0; i < count; ++i)
                out.layers[k * parts + p].push_back(layer_of(out, slopes.on_part(static_cast<int>(i)), law->weight));
        }
    }
}

template <int Dim>
void sample_footprints(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d) {
    Footprints& f = d.footprints;
    const std::vector<FrictionContact>& contacts = d.friction.contacts;
    f.requests.clear();
    f.request_of.assign(contacts.size(), -1);
    if (!f.any()) return;
    const std::size_t parts = model.parts.size();
    for (std::size_t k = 0; k < f.samplers.size(); ++k) {  // all footprints of a pair of materials in one call
        if (!f.samplers[k]) continue;
        const std::size_t first = f.requests.size();
        const surface::Pair& pair = model.pairs.at(static_cast<int>(k));
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            const FrictionContact& c = contacts[i];
            if (!c.rubs) continue;
            const ContactSide<Dim> a = side_of(model, state, d, c, true), b = side_of(model, state, d, c, false);
            if (model.pairs.index(a.part->material, b.part->material) != static_cast<int>(k)) continue;
            const auto layers = [&](const ContactSide<Dim>& side) -> const std::vector<surface::SlopeLayer>& {
                return f.layers[k * parts + static_cast<std::size_t>(side.part - model.parts.data())];
            };
            f.request_of[i] = static_cast<int>(f.requests.size());
            f.requests.push_back({c.normal, first_direction(model, state, d, c, a, b, pair.footprint), pair.footprint.width,
                                  surface::footprint_depth(pair.footprint.width, 0),
                                  std::get<friction::Ploughing>(pair.friction.base).directions,
                                  footprint_side(model, d, a, layers(a)), footprint_side(model, d, b, layers(b))});
        }
        f.averages.resize(f.requests.size());
        f.samplers[k]->sample(std::span(f.requests).subspan(first), std::span(f.averages).subspan(first));
    }
    f.corners.resize(f.requests.size() * at(friction::kMostDirections));
}

template void prepare_footprints<2>(const Model<2>&, Footprints&);
template void prepare_footprints<3>(const Model<3>&, Footprints&);
template void sample_footprints<2>(const Model<2>&, const State<2>&, StepData<2>&);
template void sample_footprints<3>(const Model<3>&, const State<3>&, StepData<3>&);

}  // namespace asperity::implicit
