#include "asperity/record/detail/recording_shapes.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "asperity/core/error.h"

namespace asperity::record::detail {
namespace {

using geometry::Polyhedron;
using geometry::TriangleSet;

enum class ShapeTag : std::uint8_t { Sphere, Box, Capsule, Cylinder, HalfSpace, Hull, Mesh };

}  // namespace

void put_content(ByteWriter& out, const surface::SlopeMap& map) {
    out.i32(map.width);
    out.u64(map.slopes.size());
    for (std::size_t i = 0; i < map.slopes.size(); ++i) {
        const surface::Slope g = map.weight.empty() || map.weight[i] > 0 ? map.slopes[i] : surface::Slope{};
        out.u32(std::bit_cast<std::uint32_t>(g.x)), out.u32(std::bit_cast<std::uint32_t>(g.y));
    }
}

std::shared_ptr<const surface::SlopeMap> get_map(ByteReader& in) {
    auto map = std::make_shared<surface::SlopeMap>();
    map->width = in.i32();
    map->slopes.resize(in.count(8));
    if (map->width < 1 || map->slopes.empty() || map->slopes.size() % static_cast<std::size_t>(map->width) != 0)
        in.fail(fmt::format("a normal map of {} texels in rows of {}", map->slopes.size(), map->width));
    map->height = static_cast<int>(map->slopes.size() / static_cast<std::size_t>(map->width));
    for (surface::Slope& g : map->slopes) {
        g.x = std::bit_cast<float>(in.u32()), g.y = std::bit_cast<float>(in.u32());
        if (!std::isfinite(g.x) || !std::isfinite(g.y)) in.fail("a slope of a normal map is not finite");
    }
    return map;
}

void put_content(ByteWriter& out, const Polyhedron& p) {
    out.u64(p.vertices.size());
    for (const Vec3& v : p.vertices) out.vec3(v);
    out.u64(p.faces.size());
    for (const Polyhedron::Face& f : p.faces) out.vec3(f.normal), out.f64(f.offset), out.i32(f.first), out.i32(f.count);
    out.u64(p.loop.size());
    for (int corner : p.loop) out.i32(corner);
    out.u64(p.edges.size());
    for (const Polyhedron::Edge& e : p.edges) out.i32(e.from), out.i32(e.to), out.i32(e.left), out.i32(e.right);
}

std::shared_ptr<const Polyhedron> get_polyhedron(ByteReader& in) {
    auto p = std::make_shared<Polyhedron>();
    p->vertices.resize(in.count(kVec3Size));
    for (Vec3& v : p->vertices) v = in.vec3();
    p->faces.resize(in.count(kVec3Size + 8 + 2 * 4));
    for (Polyhedron::Face& f : p->faces) f.normal = in.vec3(), f.offset = in.f64(), f.first = in.i32(), f.count = in.i32();
    p->loop.resize(in.count(4));
    for (int& corner : p->loop) corner = in.i32();
    p->edges.resize(in.count(4 * 4));
    for (Polyhedron::Edge& e : p->edges) e.from = in.i32(), e.to = in.i32(), e.left = in.i32(), e.right = in.i32();
    if (!geometry::connect_faces(*p)) in.fail("the faces of a hull do not close it");
    return p;
}

void put_content(ByteWriter& out, const TriangleSet& m) {
    out.u64(m.positions.size());
    for (const Vec3& v : m.positions) out.vec3(v);
    out.u64(m.triangles.size());
    for (std::size_t t = 0; t < m.triangles.size(); ++t)
        for (std::size_t i = 0; i < 3; ++i) {
            out.i32(m.triangles[t][i]);
            out.vec3(m.normals[3 * t + i]), out.vec3(m.tangents[3 * t + i]);
            out.f64(m.uvs[3 * t + i].x), out.f64(m.uvs[3 * t + i].y);
        }
    out.u64(m.parts.size());
    for (const int part : m.parts) out.i32(part);
    out.u64(m.uv_sizes.size());
    for (const Vec2& size : m.uv_sizes) out.f64(size.x), out.f64(size.y);
}

std::shared_ptr<const TriangleSet> get_triangles(ByteReader& in) {
    geometry::MeshData data;
    data.positions.resize(in.count(kVec3Size));
    for (Vec3& v : data.positions) v = in.vec3();
    const std::size_t corners = 3 * in.count(3 * (4 + 2 * kVec3Size + 16));
    for (std::size_t i = 0; i < corners; ++i) {
        data.triangles.push_back(in.u32());
        data.normals.push_back(in.vec3()), data.tangents.push_back(in.vec3());
        const double u = in.f64();
        data.uvs.push_back({u, in.f64()});
    }
    data.parts.resize(in.count(4));
    for (int& part : data.parts) part = in.i32();
    if (!data.parts.empty() && 3 * data.parts.size() != corners)
        in.fail(fmt::format("parts of {} triangles in a mesh of {}", data.parts.size(), corners / 3));
    data.uv_sizes.resize(in.count(16));
    for (Vec2& size : data.uv_sizes) {
        size.x = in.f64(), size.y = in.f64();
        if (!(size.x > 0 && size.y > 0 && std::isfinite(size.x) && std::isfinite(size.y)))
            in.fail("a scale of texture coordinates is not above 0");
    }
    const int most = data.parts.empty() ? 0 : *std::ranges::max_element(data.parts);
    if (most >= static_cast<int>(data.uv_sizes.size())) in.fail("a part of a mesh has no scale of texture coordinates");
    try {
        return geometry::make_mesh(data).triangles;
    } catch (const InputError& error) { in.fail(error.what()); }
}

void put_shape(ByteWriter& out, const geometry::Shape& shape, const SharedShapes& shared) {
    out.u8(static_cast<std::uint8_t>(shape.index()));
    switch (static_cast<ShapeTag>(shape.index())) {
        case ShapeTag::Sphere: out.f64(std::get<geometry::Sphere>(shape).radius); break;
        case ShapeTag::Box: out.vec3(std::get<geometry::Box>(shape).half); break;
        case ShapeTag::Capsule: {
            const auto& c = std::get<geometry::Capsule>(shape);
            out.f64(c.radius), out.f64(c.half_length);
            break;
        }
        case ShapeTag::Cylinder: {
            const auto& c = std::get<geometry::Cylinder>(shape);
            out.f64(c.radius), out.f64(c.half_height);
            break;
        }
        case ShapeTag::HalfSpace: break;
        case ShapeTag::Hull: out.u32(shared.hulls.number(std::get<geometry::Hull>(shape))); break;
        case ShapeTag::Mesh: out.u32(shared.meshes.number(std::get<geometry::Mesh>(shape))); break;
    }
}

geometry::Shape get_shape(ByteReader& in, const ReadShapes& shared) {
    const int tag = in.u8();
    switch (static_cast<ShapeTag>(tag)) {
        case ShapeTag::Sphere: return geometry::Sphere{in.f64()};
        case ShapeTag::Box: return geometry::Box{in.vec3()};
        case ShapeTag::Capsule: {
            const double radius = in.f64();
            return geometry::Capsule{radius, in.f64()};
        }
        case ShapeTag::Cylinder: {
            const double radius = in.f64();
            return geometry::Cylinder{radius, in.f64()};
        }
        case ShapeTag::HalfSpace: return geometry::HalfSpace{};
        case ShapeTag::Hull: {
            const std::uint32_t number = in.u32();
            if (number >= shared.hulls.size()) in.fail(fmt::format("hull {} of {}", number, shared.hulls.size()));
            return geometry::Hull{shared.hulls[number]};
        }
        case ShapeTag::Mesh: {
            const std::uint32_t number = in.u32();
            if (number >= shared.meshes.size()) in.fail(fmt::format("mesh {} of {}", number, shared.meshes.size()));
            return geometry::Mesh{shared.meshes[number]};
        }
    }
    in.fail(fmt::format("unknown shape {}", tag));
}

}  // namespace asperity::record::detail
