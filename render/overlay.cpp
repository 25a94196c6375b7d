#include "render/overlay.h"

#include <embree3/rtcore.h>

#include "asperity/core/parallel.h"
#include "render/color_map.h"

namespace asperity::render {
namespace {

const Float3 force_color{0.90f, 0.10f, 0.04f}, trail_color{0.05f, 0.20f, 0.50f}, cone_color{0.95f, 0.50f, 0.03f};
constexpr int sides = 14;
constexpr float kBehind = 0.65f;  // opacity of what lies behind bodies; colours of contact points have to stay what they are
constexpr double kBall = 0.07;    // radius of a contact point, in body radii
constexpr double kArrow = 1, kLongestArrow = 2;  // lengths of a typical arrow and of the largest, in body radii

struct ArrowMesher {
    OverlayMesh& mesh;
    Vec3 origin;
    Float3 color;
    float opacity = 1;

    /// A ring of vertices round `center`. Their normals are radial plus `lean` times the axis.
    std::uint32_t ring(const Vec3& center, const Vec3& axis, double radius, double lean) {
        const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
        const Vec3 x = any_tangent(axis), y = cross(axis, x);
        for (int i = 0; i < sides; ++i) {
            const double a = 2 * std::numbers::pi * i / sides;
            const Vec3 out = std::cos(a) * x + std::sin(a) * y;
            add(center + radius * out, out + lean * axis);
        }
        return first;
    }
    void add(const Vec3& position, const Vec3& normal) {
        mesh.vertices.push_back({to_float(position - origin), to_float(normalized(normal)), color, opacity});
    }
    void join(std::uint32_t a, std::uint32_t b, int count = sides) {
        for (int i = 0; i < count; ++i) {
            const auto p = static_cast<std::uint32_t>(i), q = static_cast<std::uint32_t>((i + 1) % count);
            mesh.triangles.insert(mesh.triangles.end(), {a + p, a + q, b + q, a + p, b + q, b + p});
        }
    }
    void tube(const Vec3& from, const Vec3& to, double radius, float opacity_to) {
        const Vec3 axis = normalize_or(to - from, {0, 0, 1});
        const std::uint32_t a = ring(from, axis, radius, 0);
        opacity = opacity_to;
        join(a, ring(to, axis, radius, 0));
    }
    void arrow(const Vec3& from, const Vec3& vector, double thickness) {
        const double reach = length(vector), head = std::fmin(0.5 * reach, 4.5 * thickness);
        const double slim = head / (4.5 * thickness);  // a short arrow is scaled as a whole, so that it keeps its form
        const Vec3 axis = normalized(vector), neck = from + (reach - head) * axis;
        const std::uint32_t tail = ring(from, axis, slim * thickness, -1);
        join(tail, ring(neck, axis, slim * thickness, 0));
        const std::uint32_t brim = ring(neck, axis, 2.4 * slim * thickness, -2);
        const std::uint32_t flank = ring(neck, axis, 2.4 * slim * thickness, 0.5);
        join(brim, flank);
        join(ring(neck, axis, slim * thickness, -4), brim);
        join(flank, ring(from + vector, axis, 1e-3 * thickness, 0.5));
    }
    /// An arrow bent about the axis by `sweep` [rad]; nothing if the angle is too small to see.
    void arc(const Vec3& center, const Vec3& axis, double radius, double sweep, double thickness) {
        if (!(std::fabs(sweep) > 0.15)) return;
        const Vec3 x = any_tangent(axis), y = cross(axis, x);
        const auto at = [&](double angle) { return center + radius * (std::cos(angle) * x + std::sin(angle) * y); };
        const int parts = 4 + static_cast<int>(8 * std::fabs(sweep));
        for (int i = 0; i + 1 < parts; ++i) tube(at(sweep * i / parts), at(sweep * (i + 1) / parts), thickness, opacity);
        const Vec3 neck = at(sweep * (parts - 1) / parts);
        arrow(neck, (at(sweep) - neck) + 4.5 * thickness * normalized(at(sweep) - neck), thickness);
    }
    void ball(const Vec3& center, double radius) {
        constexpr int rings = 7;
        std::uint32_t last = 0;
        for (int i = 0; i <= rings; ++i) {
            const double a = std::numbers::pi * (0.001 + 0.998 * i / rings), z = std::cos(a), r = std::sin(a);
            const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
            for (int k = 0; k < sides; ++k) {
                const double w = 2 * std::numbers::pi * k / sides;
                const Vec3 out{r * std::cos(w), r * std::sin(w), z};
                add(center + radius * out, out);
            }
            if (i > 0) join(last, first);
            last = first;
        }
    }
    /// A torus along the ellipse center + a cos s t + b sin s u.
    void ellipse(const Vec3& center, const Vec3& t, const Vec3& u, double a, double b, double thickness) {
        constexpr int around = 40;
        const Vec3 axis = cross(t, u);
        const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
        for (int i = 0; i < around; ++i) {
            const double s = 2 * std::numbers::pi * i / around, c = std::cos(s), d = std::sin(s);
            const Vec3 out = normalize_or(b * c * t + a * d * u, t);  // normal of the ellipse in its plane
            for (int k = 0; k < sides; ++k) {
                const double w = 2 * std::numbers::pi * k / sides;
                const Vec3 n = std::cos(w) * out + std::sin(w) * axis;
                add(center + a * c * t + b * d * u + thickness * n, n);
            }
        }
        for (std::uint32_t i = 0; i < around; ++i) join(first + i * sides, first + (i + 1) % around * sides);
    }
};

double typical_force(const record::Frames& frames) {
    std::vector<double> forces;
    const std::size_t stride = std::max<std::size_t>(1, frames.size() / 200);
    const auto add = [&](const Vec3& force) {
        if (const double size = length(force); size > 0 && std::isfinite(size)) forces.push_back(size);
    };
    for (std::size_t f = 0; f < frames.size(); f += stride) {
        const record::Frame& frame = frames.at(f);
        for (const record::ContactSample& contact : frame.contacts)
            if (contact.patch < 0) add(contact.force);
        for (const record::PatchSample& patch : frame.patches) add(patch.force);
    }
    if (forces.empty()) return 0;
    const auto at = forces.begin() + static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(forces.size() - 1));
    std::nth_element(forces.begin(), at, forces.end());
    return *at;
}

/// Coordinates that float32 holds well enough to draw, and whose squares Embree can form [m].
bool is_drawable(const Vec3& v) { return length(v) < 1e9; }
bool is_unit(const Vec3& v) { return std::fabs(length(v) - 1) < 1e-3; }

}  // namespace

OverlayBuilder::OverlayBuilder(const record::Footage& footage, OverlaySettings settings, const Vec3& origin)
    : footage_(footage), settings_(settings), origin_(origin), radius_(motion_extent(footage).body_radius) {
    const double force = settings.forces ? typical_force(footage.frames()) : 0;
    if (force > 0) metres_per_newton_ = kArrow * radius_ / force;
}

/// Extends the past paths of the bodies' centres to `frame`, with points at least a part of a body apart. A film goes
/// forwards, so each of its frames adds little.
void OverlayBuilder::follow_paths(std::size_t frame) {
    const std::vector<record::RecordedBody>& bodies = footage_.head().bodies;
    if (followed_ > frame + 1) followed_ = 0;
    if (followed_ == 0) paths_.assign(bodies.size(), {});
    for (; followed_ <= frame; ++followed_) {
        const record::Frame& then = footage_.frames().at(followed_);
        for (std::size_t b = 0; b < bodies.size(); ++b) {
            const Vec3& x = then.poses[b].position;
            std::vector<Vec3>& path = paths_[b];
            if (bodies[b].motion == rigid::Motion::Fixed || !is_drawable(x)) continue;
            if (path.empty() || length(x - path.back()) >= 0.15 * radius_) path.push_back(x);
        }
    }
}

OverlayMesh OverlayBuilder::build(std::size_t frame) {
    OverlayMesh mesh;
    if (settings_.trails) follow_paths(frame);
    const record::Frame& now = footage_.frames().at(frame);
    for (const record::ContactSample& contact : now.contacts) {
        if (!is_drawable(contact.point) || !is_finite(contact.force) || !is_unit(contact.normal)) continue;
        if (settings_.forces) {
            Vec3 drawn = metres_per_newton_ * contact.force;
            const double reach = length(drawn);
            if (reach > kLongestArrow * radius_) drawn *= kLongestArrow * radius_ / reach;
            if (reach > 0.03 * radius_ && contact.patch < 0)
                ArrowMesher{mesh, origin_, force_color}.arrow(contact.point, drawn, 0.06 * radius_);
        }
        if (settings_.margin && std::isfinite(contact.margin))
            ArrowMesher{mesh, origin_, color_map(static_cast<float>(contact.margin)), 1 / kBehind}.ball(contact.point,
                                                                                                        kBall * radius_);
        if (settings_.cones && (contact.mu_t > 0 || contact.mu_b > 0)) {
            const Vec3 t =
                normalize_or(contact.t - dot(contact.t, contact.normal) * contact.normal, any_tangent(contact.normal));
            ArrowMesher{mesh, origin_, cone_color}.ellipse(contact.point, t, cross(contact.normal, t),
                                                           contact.mu_t * radius_, contact.mu_b * radius_, 0.03 * radius_);
        }
    }
    for (const record::PatchSample& patch : now.patches) {  // outline, and force at the centre of pressure
        if (!settings_.forces || !is_drawable(patch.pressure) || !is_finite(patch.force) || !is_unit(patch.normal)) continue;
        double size = 0;
        if (!std::all_of(patch.outline.begin(), patch.outline.end(), is_drawable) || !is_drawable(patch.centre)) continue;
        for (const Vec3& corner : patch.outline) size = std::max(size, length(corner - patch.centre));
        const double thickness = std::min(0.03 * radius_, 0.1 * size);
        for (std::size_t i = 0; i < patch.outline.size() && thickness > 0; ++i)
            ArrowMesher{mesh, origin_, cone_color}.tube(patch.outline[i], patch.outline[(i + 1) % patch.outline.size()],
                                                        thickness, 0.9f);
        Vec3 drawn = metres_per_newton_ * patch.force;
        const double reach = length(drawn);
        if (reach > kLongestArrow * radius_) drawn *= kLongestArrow * radius_ / reach;
        if (reach > 0.03 * radius_) ArrowMesher{mesh, origin_, force_color}.arrow(patch.pressure, drawn, 0.06 * radius_);
        // Spinning torque: an arc about the normal, of almost a full turn if the torque is force times patch size.
        const double force = length(patch.force);
        if (!(force * size > 0) || !std::isfinite(patch.spin_torque)) continue;
        const double sweep = 5.5 * std::clamp(patch.spin_torque / (force * size), -1.0, 1.0);
        ArrowMesher{mesh, origin_, force_color}.arc(
            patch.pressure, patch.normal, std::clamp(0.7 * size, 0.25 * radius_, 0.8 * radius_), sweep, 0.035 * radius_);
    }
    for (const std::vector<Vec3>& path : paths_) {
        if (path.size() < 2) continue;
        const auto fade = [&](std::size_t i) {
            return 0.05f + 0.85f * static_cast<float>(i) / static_cast<float>(path.size() - 1);
        };
        for (std::size_t i = 0; i + 1 < path.size(); ++i)
            ArrowMesher{mesh, origin_, trail_color, fade(i)}.tube(path[i], path[i + 1], 0.05 * radius_, fade(i + 1));
    }
    return mesh;
}

std::vector<OverlayPixel> draw_overlay(const OverlayMesh& mesh, const Camera& camera, const std::vector<Pixel>& pixels,
                                       int width, int height) {
    std::vector<OverlayPixel> drawn(pixels.size());
    if (mesh.triangles.empty()) return drawn;
    const RTCDevice device = rtcNewDevice("threads=1");
    const RTCScene scene = rtcNewScene(device);
    const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* vertices = static_cast<Float3*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                                  sizeof(Float3), mesh.vertices.size()));
    auto* indices = static_cast<std::uint32_t*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(std::uint32_t), mesh.triangles.size() / 3));
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) vertices[i] = mesh.vertices[i].position;
    std::copy(mesh.triangles.begin(), mesh.triangles.end(), indices);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);

    const auto sample = [&](float x, float y, float body_depth) -> OverlayPixel {
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        const Float3 d = camera.direction(x, y);
        RTCRayHit ray{};
        ray.ray.org_x = camera.eye.x, ray.ray.org_y = camera.eye.y, ray.ray.org_z = camera.eye.z;
        ray.ray.dir_x = d.x, ray.ray.dir_y = d.y, ray.ray.dir_z = d.z;
        ray.ray.tfar = 1e30f, ray.ray.mask = ~0u;
        ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(scene, &context, &ray);
        if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
        const std::uint32_t* corner = &mesh.triangles[std::size_t{3} * ray.hit.primID];
        const float weights[3] = {1 - ray.hit.u - ray.hit.v, ray.hit.u, ray.hit.v};
        Float3 normal, color;
        float opacity = 0;
        for (int k = 0; k < 3; ++k) {
            const OverlayMesh::Vertex& v = mesh.vertices[corner[k]];
            normal += weights[k] * v.normal, color += weights[k] * v.color;
            opacity += weights[k] * v.opacity;
        }
        // Light from above and from the eye, so that round shapes look round.
        normal = normalize_or(normal, {0, 0, 1});
        const float shade = 0.55f + 0.30f * std::fabs(dot(normal, d)) + 0.25f * normal.z;
        const bool behind = body_depth > 0 && ray.ray.tfar > body_depth * 1.0005f;
        opacity = std::min(1.0f, opacity * (behind ? kBehind : 1.0f));
        return {(opacity * shade) * color, opacity};
    };
    const auto draw_row = [&](int y) {
        for (int x = 0; x < width; ++x) {
            const auto p = static_cast<std::size_t>(y * width + x);
            // Take four samples. If they differ, the pixel has an edge and gets sixteen.
            OverlayPixel sum;
            int seen = 0;
            for (int round = 0; round < 2; ++round) {
                const int n = round == 0 ? 2 : 4;
                sum = {}, seen = 0;
                for (int i = 0; i < n * n; ++i) {
                    const float fx = (static_cast<float>(i % n) + 0.5f) / static_cast<float>(n);
                    const float fy = (static_cast<float>(i / n) + 0.5f) / static_cast<float>(n);
                    const OverlayPixel s = sample(static_cast<float>(x) + fx, static_cast<float>(y) + fy, pixels[p].depth);
                    sum.color += s.color, sum.opacity += s.opacity;
                    seen += s.opacity > 0;
                }
                const float scale = 1 / static_cast<float>(n * n);
                sum.color *= scale, sum.opacity *= scale;
                if (seen == 0 || seen == n * n) break;
            }
            drawn[p] = sum;
        }
    };
    parallel_for(height, draw_row, 8);
    rtcReleaseScene(scene);
    rtcReleaseDevice(device);
    return drawn;
}

}  // namespace asperity::render
