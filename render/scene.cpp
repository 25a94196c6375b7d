#include "render/scene.h"

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/geometry/mesh/mesh.h"
#include "render/color_map.h"

namespace asperity::render {
namespace {

constexpr int segments = 64;     // per circle: the rim of a body of 600 pixels is off by a third of a pixel
constexpr double hidden = 1e18;  // a position beyond every ray

// Walls are the sides of containers, so light passes through them; otherwise piles in a box would be dark.
constexpr double wall_slope = 0.2;

}  // namespace

Scene::Scene(const record::Recording& recording, const Vec3& origin, const Vec3& eye, double link_radius,
             const std::optional<ColorScale>& scale)
    : recording_(recording), wardrobe_(recording), origin_(origin), eye_(eye), link_radius_(link_radius) {
    // Build with one thread: scenes are small, and the tree is then reproducible.
    device_ = rtcNewDevice("threads=1");
    if (!device_) throw InputError("Embree did not start; is this an x86-64 or ARM processor with SIMD?");
    top_ = rtcNewScene(device_);
    rtcSetSceneFlags(top_, RTC_SCENE_FLAG_DYNAMIC);
    for (std::size_t b = 0; b < recording.bodies.size(); ++b) {
        const auto& colliders = recording.bodies[b].colliders;
        if (const record::DeformableMesh* mesh = recording.bodies[b].deformable.get()) {
            const Look& look = wardrobe_.looks(static_cast<int>(b), 0).front();
            Deformed& deformed = *deformed_.emplace_back(std::make_unique<Deformed>(*mesh, look, scale, device_));
            add_instance({.mesh = &deformed.mesh(),
                          .body = static_cast<int>(b),
                          .collider = 0,
                          .looks = &deformed.looks(),
                          .deformed = &deformed});
            continue;
        }
        for (std::size_t c = 0; c < colliders.size(); ++c) {
            const int body = static_cast<int>(b), collider = static_cast<int>(c);
            const std::vector<Look>& looks = wardrobe_.looks(body, collider);
            if (std::holds_alternative<geometry::HalfSpace>(colliders[c].shape)) {
                planes_.push_back({.body = body, .collider = collider, .looks = &looks});
            } else {
                Instance instance{.body = body, .collider = collider, .looks = &looks};
                instance.mesh = mesh_for(colliders[c].shape, instance.scale);
                add_instance(std::move(instance));
            }
        }
    }
    link_looks_.resize(1);
    link_looks_[0].color = {0.10f, 0.09f, 0.09f};
    for (std::size_t i = 0; i < recording.links.size(); ++i) {
        Instance instance{.body = -1, .collider = static_cast<int>(i), .looks = &link_looks_};
        instance.mesh = mesh_for(geometry::Cylinder{1, 1}, instance.scale);
        add_instance(std::move(instance));
    }
    check(device_);
}

Scene::~Scene() {
    for (const Instance& instance : instances_) rtcReleaseGeometry(instance.geometry);
    rtcReleaseScene(top_);
    for (const auto& [key, mesh] : meshes_) rtcReleaseScene(mesh->scene);
    for (const auto& deformed : deformed_) rtcReleaseScene(deformed->mesh().scene);
    rtcReleaseDevice(device_);
}

const ShapeMesh* Scene::mesh_for(const geometry::Shape& shape, Vec3& scale) {
    using namespace geometry;
    // Spheres, boxes and cylinders of all sizes share one mesh of unit size.
    Shape unit = shape;
    std::vector<double> key{static_cast<double>(shape.index())};
    if (const auto* s = std::get_if<Sphere>(&shape)) {
        unit = Sphere{1}, scale = {s->radius, s->radius, s->radius};
    } else if (const auto* b = std::get_if<Box>(&shape)) {
        unit = Box{{1, 1, 1}}, scale = b->half;
    } else if (const auto* y = std::get_if<Cylinder>(&shape)) {
        unit = Cylinder{1, 1}, scale = {y->radius, y->radius, y->half_height};
    } else if (const auto* c = std::get_if<Capsule>(&shape)) {
        key.insert(key.end(), {c->radius, c->half_length});
    } else if (const auto* h = std::get_if<Hull>(&shape)) {
        for (const Vec3& v : h->polyhedron->vertices) key.insert(key.end(), {v.x, v.y, v.z});
    } else if (const auto* m = std::get_if<Mesh>(&shape)) {
        for (const Vec3& v : m->triangles->positions) key.insert(key.end(), {v.x, v.y, v.z});
        for (const auto& corners : m->triangles->triangles)
            for (const int corner : corners) key.push_back(corner);
        for (const Vec2& uv : m->triangles->uvs) key.insert(key.end(), {uv.x, uv.y});
        key.insert(key.end(), m->triangles->parts.begin(), m->triangles->parts.end());
    }
    std::unique_ptr<ShapeMesh>& mesh = meshes_[key];
    if (mesh) return mesh.get();

    mesh = std::make_unique<ShapeMesh>();
    const TriangleMesh drawn = triangulate(unit, segments);
    for (const Vec3& p : drawn.positions) mesh->positions.push_back(to_float(p));
    for (const Vec3& n : drawn.normals) mesh->normals.push_back(to_float(n));
    mesh->uvs = drawn.uvs;
    mesh->triangles = drawn.triangles;
    mesh->faces = drawn.faces;
    if (const auto* m = std::get_if<Mesh>(&shape)) mesh->parts = m->triangles->parts;
    mesh->curved = !std::holds_alternative<Box>(shape) && !std::holds_alternative<Hull>(shape);

    build(*mesh, device_, false);
    return mesh.get();
}

void Scene::add_instance(Instance instance) {
    instance.geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_INSTANCE);
    rtcSetGeometryInstancedScene(instance.geometry, instance.mesh->scene);
    // The geometry ID is the index in instances_, so a hit gives the instance directly.
    rtcAttachGeometryByID(top_, instance.geometry, static_cast<unsigned>(instances_.size()));
    instances_.push_back(std::move(instance));
}

void Scene::place(Instance& instance, const Pose& pose, const Vec3& scale) {
    Pose moved{pose.position - origin_, pose.orientation};
    const Quat& q = pose.orientation;
    const bool turned = std::fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 0.1;  // false for NaN
    const bool shown = turned && length(moved.position) < 1e7;
    if (!shown) moved = {{0, 0, -hidden}, {}};  // a body that diverged is not drawn
    show(instance, shown);
    instance.transform = Affine(moved, scale);
    const Affine& a = instance.transform;
    const Float3 columns[4] = {a.columns[0], a.columns[1], a.columns[2], a.shift};
    rtcSetGeometryTransform(instance.geometry, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, columns);
    rtcCommitGeometry(instance.geometry);
}

void Scene::show(Instance& instance, bool shown) {
    if (shown != instance.shown) shown ? rtcEnableGeometry(instance.geometry) : rtcDisableGeometry(instance.geometry);
    instance.shown = shown;
}

void Scene::place_link(Instance& instance, const record::Frame& frame) {
    const record::Link& link = recording_.links[static_cast<std::size_t>(instance.collider)];
    const auto anchor = [&](int body, const Vec3& local) {
        return body < 0 ? local : frame.poses[static_cast<std::size_t>(body)] * local;
    };
    const Vec3 a = anchor(link.body_a, link.local_a), b = anchor(link.body_b, link.local_b), d = b - a;
    const double half = std::fmax(0.5 * length(d), 1e-3 * link_radius_);
    const Vec3 z = normalize_or(d, {0, 0, 1}), x = any_tangent(z);
    const Mat3 axes = transposed(Mat3{{x, cross(z, x), z}});
    place(instance, {0.5 * (a + b), quaternion(axes)}, {link_radius_, link_radius_, half});
}

void Scene::set_frame(const record::Frame& frame) {
    std::size_t next = 0;  // deformation
    for (Instance& instance : instances_) {
        if (instance.body < 0) {
            place_link(instance, frame);
            continue;
        }
        if (instance.deformed) {
            show(instance, instance.deformed->follow(frame.deformations[next++], origin_));
            rtcCommitGeometry(instance.geometry);
            continue;
        }
        const auto body = static_cast<std::size_t>(instance.body);
        const rigid::Collider& collider = recording_.bodies[body].colliders[static_cast<std::size_t>(instance.collider)];
        place(instance, frame.poses[body] * collider.local, instance.scale);
    }
    rtcCommitScene(top_);
    check(device_);
    RTCBounds bounds;
    rtcGetSceneBounds(top_, &bounds);
    low_ = {bounds.lower_x, bounds.lower_y, bounds.lower_z};
    high_ = {bounds.upper_x, bounds.upper_y, bounds.upper_z};

    for (Plane& plane : planes_) {
        const auto body = static_cast<std::size_t>(plane.body);
        const rigid::Collider& collider = recording_.bodies[body].colliders[static_cast<std::size_t>(plane.collider)];
        plane.pose = frame.poses[body] * collider.local;
        const Vec3 normal = rotate(plane.pose.orientation, {0, 0, 1});
        plane.shown = length(plane.pose.position) < 1e9 && std::fabs(length(normal) - 1) < 0.1 &&
                      dot(normal, eye_ - plane.pose.position) > 0;
        plane.casts_shadow = plane.shown && normal.z > wall_slope;
        plane.pose.position -= origin_;
        plane.normal = to_float(normal);
        plane.offset = static_cast<float>(dot(normal, plane.pose.position));
    }
}

bool Scene::touches_bodies(const Ray& ray) const {
    // Embree ends the program at a ray that is not finite; a degenerate triangle can send one.
    if (!(dot(ray.origin, ray.origin) < 1e30f && dot(ray.direction, ray.direction) < 1e30f)) return false;
    float near = 0, far = 1e30f;
    const auto slab = [&](float o, float d, float low, float high) {
        const float inverse = 1 / d, a = (low - o) * inverse, b = (high - o) * inverse;
        near = std::max(near, std::min(a, b));
        far = std::min(far, std::max(a, b));
    };
    slab(ray.origin.x, ray.direction.x, low_.x, high_.x);
    slab(ray.origin.y, ray.direction.y, low_.y, high_.y);
    slab(ray.origin.z, ray.direction.z, low_.z, high_.z);
    return near <= far * 1.0001f;
}

namespace {

// Works for ray packets, whose members are arrays, and for single rays, whose members are scalars.
template <class Packet>
void set_ray(Packet& packet, int lane, const Ray& ray, float far) {
    packet.org_x[lane] = ray.origin.x, packet.org_y[lane] = ray.origin.y, packet.org_z[lane] = ray.origin.z;
    packet.dir_x[lane] = ray.direction.x, packet.dir_y[lane] = ray.direction.y, packet.dir_z[lane] = ray.direction.z;
    packet.tnear[lane] = 0, packet.tfar[lane] = far, packet.time[lane] = 0, packet.mask[lane] = ~0u, packet.flags[lane] = 0;
}

RTCRay single_ray(const Ray& ray, float far) {
    RTCRay r{};
    r.org_x = ray.origin.x, r.org_y = ray.origin.y, r.org_z = ray.origin.z;
    r.dir_x = ray.direction.x, r.dir_y = ray.direction.y, r.dir_z = ray.direction.z;
    r.tfar = far, r.mask = ~0u;
    return r;
}

}  // namespace

float Scene::intersect_planes(const Ray& ray, Hit& hit) const {
    float nearest = 1e30f;
    hit.object = Hit::none;
    for (std::size_t p = 0; p < planes_.size(); ++p) {
        const Plane& plane = planes_[p];
        const float speed = dot(plane.normal, ray.direction), height = dot(plane.normal, ray.origin) - plane.offset;
        if (!plane.shown || speed >= 0 || height < 0) continue;
        const float t = -height / speed;
        if (t >= nearest) continue;
        nearest = t;
        hit.t = t, hit.object = -2 - static_cast<int>(p);
    }
    return nearest;
}

bool Scene::behind_plane(const Ray& ray) const {
    for (const Plane& plane : planes_)
        if (plane.casts_shadow && dot(plane.normal, ray.direction) < 0 && dot(plane.normal, ray.origin) > plane.offset)
            return true;
    return false;
}

void Scene::intersect_packet(const Ray* rays, Hit* hits, int count) const {
    alignas(32) RTCRayHit8 packet;
    alignas(32) int valid[packet_size] = {};
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    bool any = false;
    for (int i = 0; i < count; ++i) {
        const float nearest = intersect_planes(rays[i], hits[i]);  // first, because it shortens the rays for the tree
        if (!touches_bodies(rays[i])) continue;
        set_ray(packet.ray, i, rays[i], nearest);
        packet.hit.geomID[i] = packet.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
        valid[i] = -1;
        any = true;
    }
    if (!any) return;
    rtcIntersect8(valid, top_, &context, &packet);
    for (int i = 0; i < count; ++i) {
        if (!valid[i] || packet.hit.geomID[i] == RTC_INVALID_GEOMETRY_ID) continue;
        hits[i] = {packet.ray.tfar[i], static_cast<int>(packet.hit.instID[0][i]), packet.hit.primID[i], packet.hit.u[i],
                   packet.hit.v[i]};
    }
}

void Scene::intersect(const Ray* rays, Hit* hits, int count) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (int i = 0; i < count; ++i) {
        const float nearest = intersect_planes(rays[i], hits[i]);
        if (!touches_bodies(rays[i])) continue;
        RTCRayHit one{};
        one.ray = single_ray(rays[i], nearest);
        one.hit.geomID = one.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(top_, &context, &one);
        if (one.hit.geomID == RTC_INVALID_GEOMETRY_ID) continue;
        hits[i] = {one.ray.tfar, static_cast<int>(one.hit.instID[0]), one.hit.primID, one.hit.u, one.hit.v};
    }
}

void Scene::occluded(const Ray* rays, bool* blocked, int count) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (int i = 0; i < count; ++i) {
        blocked[i] = behind_plane(rays[i]);
        if (blocked[i] || !touches_bodies(rays[i])) continue;
        RTCRay one = single_ray(rays[i], 1e30f);
        rtcOccluded1(top_, &context, &one);
        blocked[i] = one.tfar < 0;
    }
}

void Scene::occluded_packet(const Ray* rays, bool* blocked, int count) const {
    alignas(32) RTCRay8 packet;
    alignas(32) int valid[packet_size] = {};
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    bool any = false;
    for (int i = 0; i < count; ++i) {
        blocked[i] = behind_plane(rays[i]);
        if (blocked[i] || !touches_bodies(rays[i])) continue;
        set_ray(packet, i, rays[i], 1e30f);
        valid[i] = -1;
        any = true;
    }
    if (!any) return;
    rtcOccluded8(valid, top_, &context, &packet);
    for (int i = 0; i < count; ++i)
        if (valid[i]) blocked[i] = packet.tfar[i] < 0;
}

SurfacePoint Scene::surface(const Ray& ray, const Hit& hit, float spread, bool simple) const {
    SurfacePoint s;
    const Look* look = nullptr;
    PatternPoint at;
    float uv_per_metre = 1;
    Float3 tangent;              // dP/du
    float handed = 1;            // -1 where v grows against normal x tangent
    std::optional<float> value;  // place on the colour map
    if (hit.object < 0) {
        const Plane& plane = planes_[static_cast<std::size_t>(-2 - hit.object)];
        look = &plane.looks->front();
        s.ground = true;
        s.position = ray.origin + hit.t * ray.direction;
        s.normal = s.geometric = plane.normal;
        const Vec3 local = plane.pose.to_local({s.position.x, s.position.y, s.position.z});
        at.uv = {local.x, local.y};
        at.tile = look->tile.on(geometry::HalfSpace{}, 0), at.normal_tile = look->normal_tile.on(geometry::HalfSpace{}, 0);
        if (look->normal_map && !simple) tangent = to_float(rotate(plane.pose.orientation, {1, 0, 0}));
    } else {
        const Instance& instance = instances_[static_cast<std::size_t>(hit.object)];
        const ShapeMesh& mesh = *instance.mesh;
        look = &(*instance.looks)[static_cast<std::size_t>(mesh.parts.empty() ? 0 : mesh.parts[hit.triangle])];
        const std::uint32_t* corner = &mesh.triangles[std::size_t{3} * hit.triangle];
        const float weights[3] = {1 - hit.u - hit.v, hit.u, hit.v};
        Float3 p, n;
        for (int k = 0; k < 3; ++k) {
            p += weights[k] * mesh.positions[corner[k]];
            n += weights[k] * mesh.normals[corner[k]];
        }
        if (mesh.curved) {
            // Move the point from the flat triangle onto the round shape it approximates, or the shadow terminator shows
            // the triangles. Hanika, "Hacking the Shadow Terminator", Ray Tracing Gems II, 2021.
            Float3 lift;
            for (int k = 0; k < 3; ++k) {
                const Float3& m = mesh.normals[corner[k]];
                lift += weights[k] * std::max(0.0f, dot(mesh.positions[corner[k]] - p, m)) * m;
            }
            p += lift;
        }
        const Float3 e1 = mesh.positions[corner[1]] - mesh.positions[corner[0]];
        const Float3 e2 = mesh.positions[corner[2]] - mesh.positions[corner[0]];
        s.position = instance.transform.point(p);
        s.normal = instance.transform.normal(n);
        s.geometric = mesh.curved ? instance.transform.normal(cross(e1, e2)) : s.normal;
        if (!mesh.values.empty())
            value = weights[0] * mesh.values[corner[0]] + weights[1] * mesh.values[corner[1]] +
                    weights[2] * mesh.values[corner[2]];
        if (look->patterned()) {
            const geometry::Shape& shape = recording_.bodies[static_cast<std::size_t>(instance.body)]
                                               .colliders[static_cast<std::size_t>(instance.collider)]
                                               .shape;
            at.tile = instance.deformed ? instance.deformed->tile() : look->tile.on(shape, mesh.faces[hit.triangle]);
            if (look->normal_map) at.normal_tile = look->normal_tile.on(shape, mesh.faces[hit.triangle]);
            const Vec2 a = mesh.uvs[corner[0]], b = mesh.uvs[corner[1]] - a, c = mesh.uvs[corner[2]] - a;
            at.uv = a + static_cast<double>(hit.u) * b + static_cast<double>(hit.v) * c;
            const Float3 w1 = instance.transform.vector(e1), w2 = instance.transform.vector(e2);
            const auto area = static_cast<float>(cross(b, c));
            uv_per_metre = std::sqrt(std::fabs(area) / std::max(length(cross(w1, w2)), 1e-20f));
            // P = P0 + M (u, v) on the triangle; dP/du from its two edges.
            tangent = (static_cast<float>(c.y) * w1 - static_cast<float>(b.y) * w2) * (area < 0 ? -1.0f : 1.0f);
            if (area < 0) handed = -1;
        }
    }
    // Seen from inside (camera in a body, or a ray that slipped through an edge): reverse the normals.
    if (dot(s.geometric, ray.direction) > 0) s.geometric = -s.geometric, s.normal = -s.normal, handed = -handed;
    const float cosine = std::max(0.02f, -dot(s.normal, ray.direction));
    // The square root is between the footprint's short and long side: sharp near by, without aliasing at the horizon.
    at.footprint = spread * hit.t * uv_per_metre / std::sqrt(cosine);
    s.paint = paint(*look, at);
    if (value) s.paint.color = color_map(*value);
    if (!simple && look->normal_map) {
        const Float3 t = normalize_or(tangent - dot(tangent, s.normal) * s.normal, Basis(s.normal).t);
        const Float3& b = s.paint.bump;
        s.normal = normalized(b.x * t + handed * b.y * cross(s.normal, t) + b.z * s.normal);
    }
    // A shading normal may face away from the viewer near the rim; bend it back until it is just visible.
    const float facing = -dot(s.normal, ray.direction);
    if (facing < 0.01f) s.normal = normalized(s.normal - (0.01f - facing) * ray.direction);
    // Offset the start of outgoing rays by a few rounding errors of the largest coordinate, so that they miss their own
    // triangle.
    const float size = std::max({std::fabs(s.position.x), std::fabs(s.position.y), std::fabs(s.position.z), 0.1f * hit.t});
    s.position += (3e-6f * size) * s.geometric;
    return s;
}

}  // namespace asperity::render
