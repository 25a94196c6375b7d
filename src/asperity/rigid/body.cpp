#include "asperity/rigid/body.h"

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/math/dense.h"

namespace asperity::rigid {
namespace {

/// Report of a mesh and its repairs, which often explain why it has no mass; empty for other shapes and for ground.
std::string report_of(const geometry::Shape& shape) {
    const auto* mesh = std::get_if<geometry::Mesh>(&shape);
    return mesh && !mesh->triangles->ground() ? fmt::format(" (the mesh: {})", geometry::report(mesh->triangles->report))
                                              : "";
}

std::string without_volume(const geometry::Shape& shape) {
    const std::string report = report_of(shape);
    if (report.empty())
        return fmt::format("a {} has no volume, so it cannot be dynamic; make the body fixed or kinematic",
                           geometry::name(shape));
    return fmt::format(
        "a mesh has no volume, so it cannot be dynamic, whatever its mass; give it a thickness or close it, or make the "
        "body fixed or kinematic{}",
        report);
}

}  // namespace

MassProperties mass_properties(const BodyDesc& desc, const std::vector<double>& material_density) {
    if (desc.motion != Motion::Dynamic) return {};
    const auto fail = [&](const std::string& what) { throw InputError(fmt::format("body \"{}\": {}", desc.name, what)); };

    // integrals weighted by density, so that `volume` is a mass
    std::vector<geometry::VolumeIntegrals> parts;
    for (const Collider& collider : desc.colliders) {
        geometry::VolumeIntegrals part = geometry::transformed(geometry::volume_integrals(collider.shape), collider.local);
        if (part.volume <= 0) fail(without_volume(collider.shape));
        const double density = material_density[static_cast<size_t>(collider.material.index)];
        part.volume *= density;
        part.inertia = density * part.inertia;
        parts.push_back(part);
    }
    const geometry::VolumeIntegrals total = geometry::sum(parts);
    MassProperties result{total.volume, total.center, total.inertia};
    if (desc.mass) {
        if (!(*desc.mass > 0) || !std::isfinite(*desc.mass))
            fail(fmt::format("mass = {}: must be a positive number [kg]", *desc.mass));
        result.inertia = (*desc.mass / result.mass) * result.inertia;
        result.mass = *desc.mass;
    }
    if (!(result.mass > 0) || !std::isfinite(result.mass))
        fail(fmt::format("its mass comes out as {} kg; check shape and density", result.mass));
    Vec3 principal;  // largest first
    Mat3 axes;
    symmetric_eigen(result.inertia, principal, axes);
    if (!(principal.z > 0) || principal.x > (1 + 1e-6) * (principal.y + principal.z)) {
        std::string reports;
        for (const Collider& collider : desc.colliders) reports += report_of(collider.shape);
        fail(
            fmt::format("no body has the moments of inertia {:.3g}, {:.3g}, {:.3g} kg m^2: triangles of its mesh face both "
                        "ways; repair the mesh, or make the body fixed or kinematic{}",
                        principal.x, principal.y, principal.z, reports));
    }
    return result;
}

BodyId Bodies::add(const BodyDesc& desc, const MassProperties& properties) {
    const auto colliders_needed = static_cast<int>(desc.colliders.size());
    size_t i = 0;
    if (removed_count > 0)
        while (i < removed.size() && !(removed[i] && collider_count[i] == colliders_needed)) ++i;
    else
        i = removed.size();
    if (i < removed.size()) {
        removed[i] = 0;
        --removed_count;
    } else {
        const size_t count = i + 1;
        name.resize(count), motion.resize(count), mass.resize(count), inverse_mass.resize(count), inertia.resize(count);
        inverse_inertia.resize(count), isotropic.resize(count), center.resize(count), path.resize(count);
        first_collider.push_back(static_cast<int>(colliders.size()));
        collider_count.push_back(colliders_needed);
        colliders.resize(colliders.size() + desc.colliders.size());
        collider_body.resize(colliders.size(), static_cast<int>(i));
        generation.push_back(0);
        removed.push_back(0);
    }

    const bool dynamic = desc.motion == Motion::Dynamic;
    name[i] = desc.name;
    motion[i] = desc.motion;
    mass[i] = properties.mass;
    inverse_mass[i] = dynamic ? 1 / properties.mass : 0;
    inertia[i] = properties.inertia;
    inverse_inertia[i] = dynamic ? inverse(properties.inertia) : Mat3::diagonal({0, 0, 0});
    Vec3 principal;
    Mat3 axes;
    symmetric_eigen(properties.inertia, principal, axes);
    isotropic[i] = principal.x - principal.z <= 1e-12 * principal.x ? 1 : 0;
    center[i] = properties.center;
    path[i] = desc.path;
    for (size_t k = 0; k < desc.colliders.size(); ++k) {
        Collider& collider = colliders[static_cast<size_t>(first_collider[i]) + k];
        collider = desc.colliders[k];
        collider.local.position -= properties.center;
    }
    return id(static_cast<int>(i));
}

void Bodies::remove(int body) {
    const auto i = static_cast<size_t>(body);
    name[i].clear();
    motion[i] = Motion::Fixed;
    mass[i] = inverse_mass[i] = 0;
    inertia[i] = inverse_inertia[i] = Mat3::diagonal({0, 0, 0});
    isotropic[i] = 1;
    center[i] = {};
    path[i] = nullptr;
    for (int k = 0; k < collider_count[i]; ++k)
        colliders[static_cast<size_t>(first_collider[i] + k)] = {geometry::Sphere{0}, {}, {}};
    ++generation[i];
    removed[i] = 1;
    ++removed_count;
}

void BodyStates::set(int body, const BodyDesc& desc, const MassProperties& properties) {
    const auto i = static_cast<size_t>(body);
    if (i == pose.size()) {
        const size_t count = i + 1;
        pose.resize(count), velocity.resize(count), angular_velocity.resize(count), angular_impulse.resize(count);
        trusted_impulse.resize(count), island.resize(count), quiet_time.resize(count);
    }
    pose[i] = desc.pose * Pose{properties.center, {}};
    velocity[i] = desc.motion == Motion::Fixed ? Vec3{} : desc.velocity;
    angular_velocity[i] = desc.motion == Motion::Fixed ? Vec3{} : desc.angular_velocity;
    angular_impulse[i] = {};
    trusted_impulse[i] = 0;
    island[i] = -1;
    quiet_time[i] = 0;
}

void BodyStates::remove(int body) {
    const auto i = static_cast<size_t>(body);
    pose[i] = {};
    velocity[i] = angular_velocity[i] = angular_impulse[i] = {};
    trusted_impulse[i] = quiet_time[i] = 0;
    island[i] = -1;
}

double kinetic_energy(const Bodies& bodies, const BodyStates& states, int i) {
    const auto k = static_cast<size_t>(i);
    if (bodies.motion[k] != Motion::Dynamic) return 0;
    const Vec3 v = states.velocity[k], w = rotate_inverse(states.pose[k].orientation, states.angular_velocity[k]);
    return 0.5 * (bodies.mass[k] * dot(v, v) + dot(w, bodies.inertia[k] * w));
}

}  // namespace asperity::rigid
