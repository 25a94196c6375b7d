#include "asperity/scene/start_picture.h"

#include <algorithm>
#include <cmath>

#include "asperity/scene/implicit_settings.h"
#include "asperity/scene/run.h"

namespace asperity::scene {
namespace {

constexpr Vec3 kFirst{0.75, 0.45, 0.08}, kSecond{0.1, 0.3, 0.65}, kMark{0.8, 0.02, 0.02};  // linear RGB

int add_material(record::Recording& recording, const std::string& name, const Vec3& color) {
    surface::Material material;
    material.name = name;
    material.appearance.color = color;
    recording.materials.push_back(std::move(material));
    return static_cast<int>(recording.materials.size()) - 1;
}

void paint(record::RecordedBody& body, int material) {
    for (rigid::Collider& collider : body.colliders) collider.material = MaterialId{material};
    for (record::PartLooks& looks : body.looks) looks = nullptr;
    for (surface::SlopeTexture& slopes : body.slopes) slopes = {};
}

/// Half the extent of what is seen of a body [m]; infinite for a half-space.
double half_size(const record::RecordedBody& body) {
    double size = 0;
    for (const rigid::Collider& collider : body.colliders) {
        const geometry::Aabb box = geometry::bounds(collider.shape, {});
        size = std::max(size, 0.5 * length(box.high - box.low));
    }
    return size;
}

}  // namespace

record::Recording picture_of_overlap(const Scene& scene, const implicit::StartOverlap& overlap) {
    record::Recording out = start_recording(scene);
    record::Frame frame = frame_of(scene, false, {});
    frame.contacts.clear();
    frame.forces.clear();
    out.links.clear();
    out.has_forces = false;
    const auto a = static_cast<std::size_t>(overlap.body_a), b = static_cast<std::size_t>(overlap.body_b);
    const int first = add_material(out, "overlap first", kFirst), second = add_material(out, "overlap second", kSecond);
    for (std::size_t i = 0; i < out.bodies.size(); ++i)
        if (i != a && i != b) {
            out.bodies[i].colliders.clear();
            out.bodies[i].deformable = nullptr;
            std::erase_if(frame.deformations, [&](const record::Deformation& d) { return d.body == static_cast<int>(i); });
        }
    paint(out.bodies[a], first);
    if (b != a) paint(out.bodies[b], second);
    const double size = std::min(half_size(out.bodies[a]), half_size(out.bodies[b]));
    const int mark = add_material(out, "overlap mark", kMark);
    Vec3 low = overlap.places.front(), high = low;
    for (const Vec3& place : overlap.places) {
        low = min(low, place), high = max(high, place);
        record::RecordedBody ball{"place", rigid::Motion::Fixed, {}, {}, {}};
        rigid::Collider collider;
        collider.shape = geometry::Sphere{0.03 * size};
        collider.material = MaterialId{mark};
        ball.colliders.push_back(collider);
        ball.grains.push_back({});
        out.bodies.push_back(std::move(ball));
        frame.poses.push_back({place, {}});
        frame.velocities.push_back({});
        frame.angular_velocities.push_back({});
    }
    const Vec3 target = 0.5 * (low + high);
    const bool plane = scene.implicit_settings->dimension == 2;
    const Vec3 direction = plane ? Vec3{0.05, -1, 0.1} : Vec3{0.55, -0.75, 0.4};
    const double distance = 3 * std::max(size, 0.5 * length(high - low));
    out.view = record::View{target + distance / length(direction) * direction, target};
    out.frames = {std::move(frame)};
    return out;
}

}  // namespace asperity::scene
