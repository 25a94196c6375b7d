#include "asperity/record/detail/shape_key.h"

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/record/detail/bytes.h"

namespace asperity::record::detail {

std::string shape_key(const geometry::Shape& shape) {
    ByteWriter key;
    key.u8(static_cast<std::uint8_t>(shape.index()));
    if (const auto* s = std::get_if<geometry::Sphere>(&shape)) key.f64(s->radius);
    if (const auto* b = std::get_if<geometry::Box>(&shape)) key.vec3(b->half);
    if (const auto* c = std::get_if<geometry::Capsule>(&shape)) key.f64(c->radius), key.f64(c->half_length);
    if (const auto* c = std::get_if<geometry::Cylinder>(&shape)) key.f64(c->radius), key.f64(c->half_height);
    if (const auto* m = std::get_if<geometry::Mesh>(&shape)) {
        for (const Vec3& v : m->triangles->positions) key.vec3(v);
        for (const auto& corners : m->triangles->triangles)
            for (const int corner : corners) key.i32(corner);
        for (const Vec2& uv : m->triangles->uvs) key.f64(uv.x), key.f64(uv.y);
        for (const int part : m->triangles->parts) key.i32(part);
    }
    if (const auto* h = std::get_if<geometry::Hull>(&shape)) {
        for (const Vec3& v : h->polyhedron->vertices) key.vec3(v);
        for (const auto& face : h->polyhedron->faces) key.i32(face.first), key.i32(face.count);
        for (const int corner : h->polyhedron->loop) key.i32(corner);
    }
    return key.bytes;
}

}  // namespace asperity::record::detail
