#include "asperity/record/check.h"

#include <fmt/format.h>
#include <algorithm>

#include "asperity/geometry/mesh/mesh.h"

namespace asperity::record {
namespace {

// Nothing that is drawn is larger, smaller or farther away [m]; pictures use float32, where squares of 1e19 overflow and
// those of 1e-23 vanish.
constexpr double kLargest = 1e12, kSmallest = 1e-12;

bool positive(double x) { return x > kSmallest && x < kLargest; }
bool in_range(const Vec3& v) { return length(v) < kLargest; }  // false for NaN

bool is_rigid(const Pose& pose) {
    const Quat& q = pose.orientation;
    return in_range(pose.position) && std::fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-3;
}

bool within(int first, int count, std::size_t size) {
    return first >= 0 && count >= 0 && static_cast<std::size_t>(first) + static_cast<std::size_t>(count) <= size;
}
bool index_of(int i, std::size_t size) { return within(i, 1, size); }

std::string defect_of(const geometry::Polyhedron& p) {
    for (const Vec3& v : p.vertices)
        if (!in_range(v)) return "a vertex that is not finite";
    for (int corner : p.loop)
        if (!index_of(corner, p.vertices.size()))
            return fmt::format("a face corner at vertex {} of {}", corner, p.vertices.size());
    for (const auto& face : p.faces) {
        if (!within(face.first, face.count, p.loop.size())) return "a face outside its corner list";
        if (face.count < 3) return fmt::format("a face with {} corners", face.count);
        if (!asperity::is_finite(face.normal) || !std::isfinite(face.offset)) return "a face plane that is not finite";
    }
    for (const auto& edge : p.edges)
        if (!index_of(edge.from, p.vertices.size()) || !index_of(edge.to, p.vertices.size()) ||
            !index_of(edge.left, p.faces.size()) || !index_of(edge.right, p.faces.size()))
            return "an edge whose vertex or face numbers are out of range";
    if (p.vertices.size() < 4 || p.faces.size() < 4) return "fewer than 4 vertices or faces";
    return {};
}

struct ShapeDefect {
    std::string operator()(const geometry::Sphere& s) const {
        return positive(s.radius) ? "" : fmt::format("radius {}", s.radius);
    }
    std::string operator()(const geometry::Box& b) const {
        const bool good = positive(b.half.x) && positive(b.half.y) && positive(b.half.z);
        return good ? "" : fmt::format("half edges {} {} {}", b.half.x, b.half.y, b.half.z);
    }
    std::string operator()(const geometry::Capsule& c) const {
        const bool good = positive(c.radius) && c.half_length >= 0 && c.half_length < kLargest;
        return good ? "" : fmt::format("radius {}, half length {}", c.radius, c.half_length);
    }
    std::string operator()(const geometry::Cylinder& c) const {
        return positive(c.radius) && positive(c.half_height)
                   ? ""
                   : fmt::format("radius {}, half height {}", c.radius, c.half_height);
    }
    std::string operator()(const geometry::HalfSpace&) const { return {}; }
    std::string operator()(const geometry::Mesh& m) const {
        if (!m.triangles) return "no triangles";
        const auto& corners = m.triangles->positions;
        return std::all_of(corners.begin(), corners.end(), in_range) ? "" : "a vertex that is not finite";
    }
    std::string operator()(const geometry::Hull& h) const {
        return h.polyhedron ? defect_of(*h.polyhedron) : "no polyhedron";
    }
};

bool is_sound(const surface::TileSize& tile, const Vec2& offset) {
    return positive(tile.edge) && positive(tile.rise) && std::isfinite(offset.x) && std::isfinite(offset.y);
}

std::string defect_of(const surface::Appearance& a) {
    if (!asperity::is_finite(a.color) || !std::isfinite(a.roughness) || !std::isfinite(a.metallic))
        return "a number that is not finite";
    return is_sound(a.texture_size, a.texture_offset)
               ? ""
               : fmt::format("texture size {}, which should be above 0, or an offset that is not finite",
                             a.texture_size.edge);
}

std::string defect_of(const surface::Material& m) {
    const bool numbers = std::isfinite(m.density) && (!m.mu || std::isfinite(*m.mu)) &&
                         (!m.restitution || std::isfinite(*m.restitution)) && asperity::is_finite(m.grain) &&
                         asperity::is_finite(m.surface_velocity);
    return numbers ? defect_of(m.appearance) : "a number that is not finite";
}

std::string defect_of(const surface::SlopeTexture& slopes) {
    if (!is_sound(slopes.tile, slopes.offset))
        return "a normal map whose tile size is not above 0 or whose offset is not finite";
    if (slopes.map && (slopes.map->width < 1 || slopes.map->height < 1 ||
                       slopes.map->slopes.size() !=
                           static_cast<std::size_t>(slopes.map->width) * static_cast<std::size_t>(slopes.map->height)))
        return fmt::format("a normal map of {} texels that should be {} x {}", slopes.map->slopes.size(), slopes.map->width,
                           slopes.map->height);
    return {};
}

/// Number of parts of a shape: see geometry::TriangleSet::parts.
std::size_t part_count(const geometry::Shape& shape) {
    const auto* mesh = std::get_if<geometry::Mesh>(&shape);
    return mesh ? static_cast<std::size_t>(mesh->triangles->part_count()) : 1;
}

/// The normal maps and looks of a shape's parts.
std::string defect_of_parts(const RecordedBody& body, std::size_t collider) {
    const std::size_t parts = part_count(body.colliders[collider].shape);
    const surface::SlopeTexture slopes = body.slopes_of(collider);
    if (slopes.parts && slopes.parts->size() < parts)
        return fmt::format("{} normal maps for a mesh of {} parts", slopes.parts->size(), parts);
    if (const std::string why = defect_of(slopes); !why.empty()) return why;
    if (slopes.parts)
        for (const surface::SlopeTexture& part : *slopes.parts)
            if (const std::string why = part.map ? defect_of(part) : "a part without normal map"; !why.empty()) return why;
    if (collider < body.looks.size() && body.looks[collider])
        for (const auto& look : *body.looks[collider])
            if (const std::string why = look ? defect_of(*look) : ""; !why.empty()) return "a look with " + why;
    return {};
}

template <std::size_t N>
std::string defect_of(const std::vector<std::array<int, N>>& items, const char* kind, std::size_t node_count) {
    for (const auto& item : items)
        for (const int node : item)
            if (!index_of(node, node_count)) return fmt::format("{} with node {} of {}", kind, node, node_count);
    return {};
}

std::string defect_of(const DeformableMesh& mesh) {
    const std::size_t nodes = mesh.rest.size();
    if (!std::all_of(mesh.rest.begin(), mesh.rest.end(), in_range)) return "a node that is not finite";
    if (mesh.elements.empty()) return "no elements";
    for (const auto& element : mesh.elements) {
        const bool plane = element[3] == -1;
        if (plane != mesh.is_plane()) return "triangles and tetrahedra in one mesh";
        for (std::size_t k = 0; k < (plane ? 3 : 4); ++k)
            if (!index_of(element[k], nodes)) return fmt::format("an element with node {} of {}", element[k], nodes);
    }
    if (!mesh.is_plane() && !mesh.edges.empty()) return "boundary edges, which only a mesh of the plane has";
    if (!mesh.is_plane() && mesh.triangles.empty()) return "no boundary triangles";
    if (mesh.is_plane() && !mesh.triangles.empty()) return "boundary triangles, which a mesh of the plane has not";
    if (mesh.is_plane() && !positive(mesh.depth)) return fmt::format("depth {}, which should be above 0", mesh.depth);
    if (const std::string why = defect_of(mesh.triangles, "a boundary triangle", nodes); !why.empty()) return why;
    return defect_of(mesh.edges, "a boundary edge", nodes);
}

std::string defect_of(const RecordedBody& body, std::size_t material_count) {
    if (body.deformable) {
        if (body.colliders.empty()) return "a deformable mesh, but no collider to say its material";
        if (const std::string why = defect_of(*body.deformable); !why.empty()) return "a deformable mesh with " + why;
    }
    const int motion = static_cast<int>(body.motion);
    if (motion < 0 || motion > static_cast<int>(rigid::Motion::Fixed)) return fmt::format("motion number {}", motion);
    for (const rigid::Collider& collider : body.colliders) {
        if (!index_of(collider.material.index, material_count))
            return fmt::format("material {} of {}", collider.material.index, material_count);
        if (!is_rigid(collider.local)) return "a collider pose that is not finite, or no rotation";
        const std::string why = std::visit(ShapeDefect{}, collider.shape);
        if (!why.empty()) return "a shape with " + why;
    }
    if (!body.slopes.empty() && body.slopes.size() != body.colliders.size())
        return fmt::format("{} normal maps for {} shapes", body.slopes.size(), body.colliders.size());
    if (!body.looks.empty() && body.looks.size() != body.colliders.size())
        return fmt::format("{} looks for {} shapes", body.looks.size(), body.colliders.size());
    for (std::size_t k = 0; k < body.colliders.size(); ++k)
        if (const std::string why = defect_of_parts(body, k); !why.empty()) return why;
    return {};
}

}  // namespace

FrameLayout layout_of(const Recording& recording) {
    FrameLayout layout{recording.bodies.size(), recording.regions.size()};
    for (std::size_t i = 0; i < recording.bodies.size(); ++i)
        if (const DeformableMesh* mesh = recording.bodies[i].deformable.get())
            layout.deformables.push_back({static_cast<int>(i), mesh->rest.size(), mesh->elements.size()});
    return layout;
}

namespace {

std::string defect_of_deformations(const Frame& frame, const FrameLayout& layout) {
    if (frame.deformations.size() != layout.deformables.size())
        return fmt::format("{} deformations for {} deformable bodies", frame.deformations.size(), layout.deformables.size());
    for (std::size_t i = 0; i < layout.deformables.size(); ++i) {
        const Deformation& now = frame.deformations[i];
        const FrameLayout::Deformable& mesh = layout.deformables[i];
        if (now.body != mesh.body)
            return fmt::format("a deformation of body {} in the place of body {}", now.body, mesh.body);
        if (now.positions.size() != mesh.nodes)
            return fmt::format("{} positions for the {} nodes of body {}", now.positions.size(), mesh.nodes, now.body);
        for (const auto* stress : {&now.von_mises, &now.pressure})
            if (!stress->empty() && stress->size() != mesh.elements)
                return fmt::format("{} stresses for the {} elements of body {}", stress->size(), mesh.elements, now.body);
    }
    return {};
}

}  // namespace

std::string defect(const Frame& frame, const FrameLayout& layout, double previous_time) {
    const std::size_t body_count = layout.bodies;
    if (!std::isfinite(frame.time)) return "a time that is not finite";
    if (frame.time < previous_time) return fmt::format("time {} after {}", frame.time, previous_time);
    if (frame.poses.size() != body_count) return fmt::format("{} poses for {} bodies", frame.poses.size(), body_count);
    for (const auto* v : {&frame.velocities, &frame.angular_velocities})
        if (!v->empty() && v->size() != body_count) return fmt::format("{} velocities for {} bodies", v->size(), body_count);
    for (const ContactSample& c : frame.contacts)
        if ((c.body_a != -1 && !index_of(c.body_a, body_count)) || (c.body_b != -1 && !index_of(c.body_b, body_count)))
            return fmt::format("a contact between bodies {} and {} of {}", c.body_a, c.body_b, body_count);
    for (const ContactSample& c : frame.contacts)
        if (c.patch != -1 && !index_of(c.patch, frame.patches.size()))
            return fmt::format("a contact in patch {} of {}", c.patch, frame.patches.size());
    for (const PatchSample& p : frame.patches)
        if ((p.body_a != -1 && !index_of(p.body_a, body_count)) || (p.body_b != -1 && !index_of(p.body_b, body_count)))
            return fmt::format("a patch between bodies {} and {} of {}", p.body_a, p.body_b, body_count);
    for (const ForceSample& f : frame.forces) {
        const bool known = f.body_a == -1 || index_of(f.body_a, body_count) ||
                           (f.body_a < -1 && static_cast<std::size_t>(-2LL - f.body_a) < layout.regions);
        if (!known || (f.body_b != -1 && !index_of(f.body_b, body_count)))
            return fmt::format("a force between bodies {} and {} of {}, with {} regions", f.body_a, f.body_b, body_count,
                               layout.regions);
    }
    return defect_of_deformations(frame, layout);
}

std::string defect(const Recording& recording) {
    const std::size_t body_count = recording.bodies.size();
    for (std::size_t i = 0; i < recording.materials.size(); ++i)
        if (const std::string why = defect_of(recording.materials[i]); !why.empty())
            return fmt::format("material {} has {}", i, why);
    for (std::size_t i = 0; i < body_count; ++i)
        if (const std::string why = defect_of(recording.bodies[i], recording.materials.size()); !why.empty())
            return fmt::format("body {} has {}", i, why);
    for (std::size_t i = 0; i < recording.links.size(); ++i) {
        const Link& link = recording.links[i];
        if ((link.body_a != -1 && !index_of(link.body_a, body_count)) ||
            (link.body_b != -1 && !index_of(link.body_b, body_count)) || !in_range(link.local_a) || !in_range(link.local_b))
            return fmt::format("link {} between bodies {} and {} of {} has a bad body number or a point that is not finite",
                               i, link.body_a, link.body_b, body_count);
    }
    if (recording.view) {
        const View& view = *recording.view;
        if (!in_range(view.eye) || !in_range(view.target) || view.eye == view.target)
            return "the view needs an eye and a target that differ";
        if (!(view.field_of_view_deg > 0 && view.field_of_view_deg < 180))
            return fmt::format("the view has a field of view of {} degrees; allowed is 0 to 180", view.field_of_view_deg);
    }
    double time = -std::numeric_limits<double>::infinity();
    const FrameLayout layout = layout_of(recording);
    for (std::size_t i = 0; i < recording.frames.size(); ++i) {
        if (const std::string why = defect(recording.frames[i], layout, time); !why.empty())
            return fmt::format("frame {} has {}", i, why);
        time = recording.frames[i].time;
    }
    return {};
}

}  // namespace asperity::record
