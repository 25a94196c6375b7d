// The geometry for ray tracing: colliders and deformable bodies of a recording as Embree instances, and half-spaces as
// infinite planes.
#pragma once
#include <embree3/rtcore.h>

#include <map>
#include <memory>
#include <vector>

#include "asperity/record/recording.h"
#include "render/deformed.h"
#include "render/material.h"

namespace asperity::render {

/// Largest number of rays in a query.
inline constexpr int packet_size = 8;

struct Ray {
    Float3 origin, direction;
};

/// `object`: none, an instance (0, 1, ...) or a plane (-2, -3, ...).
struct Hit {
    static constexpr int none = -1;
    float t = 0;
    int object = none;
    unsigned triangle = 0;
    float u = 0, v = 0;
};

/// A hit point with the data for shading.
struct SurfacePoint {
    Float3 position;   ///< slightly above the surface, where rays may start
    Float3 normal;     ///< shading normal: smooth, bent by the normal map; towards the ray's origin
    Float3 geometric;  ///< unit normal of the triangle; towards the ray's origin
    Paint paint;
    bool ground = false;  ///< the point is on an infinite plane
};

/// Owns one committed Embree scene per distinct shape (of unit size if scaling suffices) and one instance of it per
/// collider. A new frame moves the instances, and the vertices of deformable bodies.
class Scene {
  public:
    /// Positions in the picture are world positions minus `origin`. A wall that hides everything from `eye` is left out.
    /// With a `scale`, deformable bodies are coloured by its quantity.
    Scene(const record::Recording& recording, const Vec3& origin, const Vec3& eye, double link_radius,
          const std::optional<ColorScale>& scale = {});
    ~Scene();
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;

    void set_frame(const record::Frame& frame);

    /// The rays of one pixel are similar and are traced as a packet, which is faster; scattered rays are traced one by one.
    void intersect_packet(const Ray* rays, Hit* hits, int count) const;
    void intersect(const Ray* rays, Hit* hits, int count) const;
    void occluded_packet(const Ray* rays, bool* blocked, int count) const;
    void occluded(const Ray* rays, bool* blocked, int count) const;
    /// `spread`: growth of a pixel's footprint with distance. `simple`: ignore normal maps (for indirect light).
    SurfacePoint surface(const Ray& ray, const Hit& hit, float spread, bool simple) const;

  private:
    struct Instance {
        RTCGeometry geometry = nullptr;
        const ShapeMesh* mesh = nullptr;
        Affine transform;
        Vec3 scale{1, 1, 1};
        int body = -1, collider = -1;  // body < 0: link number `collider`
        bool shown = true;
        const std::vector<Look>* looks = nullptr;  // one per part of the shape
        Deformed* deformed = nullptr;              // null for a collider
    };
    struct Plane {
        int body, collider;
        const std::vector<Look>* looks;
        Pose pose;  // relative to the picture's origin
        Float3 normal;
        float offset = 0;
        bool shown = true, casts_shadow = true;
    };
    const ShapeMesh* mesh_for(const geometry::Shape& shape, Vec3& scale);
    void add_instance(Instance instance);
    void place(Instance& instance, const Pose& pose, const Vec3& scale);
    void show(Instance& instance, bool shown);
    void place_link(Instance& instance, const record::Frame& frame);
    float intersect_planes(const Ray& ray, Hit& hit) const;
    bool behind_plane(const Ray& ray) const;
    bool touches_bodies(const Ray& ray) const;

    const record::Recording& recording_;
    LookTable wardrobe_;
    std::vector<Look> link_looks_;  // of all links
    Vec3 origin_, eye_;
    double link_radius_;
    RTCDevice device_ = nullptr;
    RTCScene top_ = nullptr;
    std::map<std::vector<double>, std::unique_ptr<ShapeMesh>> meshes_;  // key: kind and sizes
    std::vector<std::unique_ptr<Deformed>> deformed_;                   // in the order of bodies
    std::vector<Instance> instances_;
    std::vector<Plane> planes_;
    Float3 low_, high_;  // bounds of all instances
};

}  // namespace asperity::render
