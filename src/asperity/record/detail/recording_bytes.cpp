#include "asperity/record/detail/recording_bytes.h"

#include <fmt/format.h>

#include <bit>

#include "asperity/record/detail/recording_shapes.h"

namespace asperity::record::detail {
namespace {

constexpr std::size_t kMaterialSize = 8 + 8 + 2 + 3 * kVec3Size + 2 * 8 + 1 + 8 + 8;  // with empty texts
constexpr std::size_t kPoseSize = 56, kContactSize = 5 * 4 + 4 * kVec3Size + 64 + 4 * 8, kLinkSize = 2 * 4 + 2 * kVec3Size;

// ---- materials ----

void put(ByteWriter& out, const std::optional<double>& value) {
    out.u8(value ? 1 : 0);
    if (value) out.f64(*value);
}

std::optional<double> get_optional(ByteReader& in) {
    if (!in.flag()) return {};
    return in.f64();
}

void put(ByteWriter& out, const surface::TileSize& tile) {
    out.f64(tile.edge), out.f64(tile.rise), out.u8(tile.metres ? 1 : 0);
}

surface::TileSize get_tile(ByteReader& in) {
    surface::TileSize tile;
    tile.edge = in.f64(), tile.rise = in.f64();
    tile.metres = in.flag();
    return tile;
}

void put(ByteWriter& out, const surface::Appearance& a) {
    out.vec3(a.color);
    out.f64(a.roughness);
    out.f64(a.metallic);
    out.u8(a.checker ? 1 : 0);
    out.text(a.texture);
    put(out, a.texture_size);
    out.f64(a.texture_offset.x), out.f64(a.texture_offset.y);
}

surface::Appearance get_appearance(ByteReader& in) {
    surface::Appearance a;
    a.color = in.vec3();
    a.roughness = in.f64();
    a.metallic = in.f64();
    a.checker = in.flag();
    a.texture = in.text();
    a.texture_size = get_tile(in);
    a.texture_offset.x = in.f64(), a.texture_offset.y = in.f64();
    return a;
}

void put(ByteWriter& out, const surface::Material& m) {
    out.text(m.name);
    out.f64(m.density);
    put(out, m.mu);
    put(out, m.restitution);
    out.vec3(m.grain);
    out.vec3(m.surface_velocity);
    put(out, m.appearance);
}

surface::Material get_material(ByteReader& in) {
    surface::Material m;
    m.name = in.text();
    m.density = in.f64();
    m.mu = get_optional(in);
    m.restitution = get_optional(in);
    m.grain = in.vec3();
    m.surface_velocity = in.vec3();
    m.appearance = get_appearance(in);
    return m;
}

// ---- normal maps and looks of bodies ----

constexpr std::size_t kSlopesSize = 4 + 17 + 2 * 8;

void put(ByteWriter& out, const surface::SlopeTexture& slopes, const SharedShapes& shared) {
    out.u32(shared.maps.number(slopes));
    put(out, slopes.tile);
    out.f64(slopes.offset.x), out.f64(slopes.offset.y);
}

surface::SlopeTexture get_one_slopes(ByteReader& in, const ReadShapes& shared) {
    surface::SlopeTexture slopes;
    const std::uint32_t number = in.u32();
    if (number != kNoMap && number >= shared.maps.size())
        in.fail(fmt::format("normal map {} of {}", number, shared.maps.size()));
    if (number != kNoMap) slopes.map = shared.maps[number];
    slopes.tile = get_tile(in);
    slopes.offset.x = in.f64(), slopes.offset.y = in.f64();
    return slopes;
}

/// A count of parts, 0 for a single map; then the single map or those of the parts.
void put_slopes(ByteWriter& out, const surface::SlopeTexture& slopes, const SharedShapes& shared) {
    out.u64(slopes.parts ? slopes.parts->size() : 0);
    if (!slopes.parts) return put(out, slopes, shared);
    for (const surface::SlopeTexture& part : *slopes.parts) put(out, part, shared);
}

surface::SlopeTexture get_slopes(ByteReader& in, const ReadShapes& shared) {
    const std::size_t count = in.count(kSlopesSize);
    if (count == 0) return get_one_slopes(in, shared);
    std::vector<surface::SlopeTexture> parts(count);
    for (surface::SlopeTexture& part : parts) part = get_one_slopes(in, shared);
    return {nullptr, {}, {}, std::make_shared<const std::vector<surface::SlopeTexture>>(std::move(parts))};
}

void put(ByteWriter& out, const std::vector<std::optional<surface::Appearance>>& looks, const SharedShapes& shared) {
    out.u64(looks.size());
    for (const std::optional<surface::Appearance>& look : looks) {
        out.u8(look ? 1 : 0);
        if (!look) continue;
        put(out, *look);
        out.u32(shared.pictures.number(look->picture.get()));
    }
}

PartLooks get_looks(ByteReader& in, const ReadShapes& shared) {
    std::vector<std::optional<surface::Appearance>> looks(in.count(1));
    for (std::optional<surface::Appearance>& look : looks) {
        if (!in.flag()) continue;
        look = get_appearance(in);
        const std::uint32_t number = in.u32();
        if (number != kNoMap && number >= shared.pictures.size())
            in.fail(fmt::format("picture {} of {}", number, shared.pictures.size()));
        if (number != kNoMap) look->picture = shared.pictures[number];
    }
    return std::make_shared<const std::vector<std::optional<surface::Appearance>>>(std::move(looks));
}

// ---- deformable bodies ----

template <std::size_t N>
void put_indices(ByteWriter& out, const std::vector<std::array<int, N>>& items) {
    out.u64(items.size());
    for (const auto& item : items)
        for (const int i : item) out.i32(i);
}

template <std::size_t N>
std::vector<std::array<int, N>> get_indices(ByteReader& in) {
    std::vector<std::array<int, N>> items(in.count(4 * N));
    for (auto& item : items)
        for (int& i : item) i = in.i32();
    return items;
}

void put_points(ByteWriter& out, const std::vector<Vec3>& points) {
    out.u64(points.size());
    for (const Vec3& p : points) out.vec3(p);
}

std::vector<Vec3> get_points(ByteReader& in) {
    std::vector<Vec3> points(in.count(kVec3Size));
    for (Vec3& p : points) p = in.vec3();
    return points;
}

void put_floats(ByteWriter& out, const std::vector<float>& values) {
    out.u64(values.size());
    for (const float x : values) out.u32(std::bit_cast<std::uint32_t>(x));
}

std::vector<float> get_floats(ByteReader& in) {
    std::vector<float> values(in.count(4));
    for (float& x : values) x = std::bit_cast<float>(in.u32());
    return values;
}

void put(ByteWriter& out, const DeformableMesh& mesh) {
    put_points(out, mesh.rest);
    put_indices(out, mesh.elements);
    put_indices(out, mesh.triangles);
    put_indices(out, mesh.edges);
    out.f64(mesh.depth);
}

std::shared_ptr<const DeformableMesh> get_deformable(ByteReader& in) {
    DeformableMesh mesh;
    mesh.rest = get_points(in);
    mesh.elements = get_indices<4>(in);
    mesh.triangles = get_indices<3>(in);
    mesh.edges = get_indices<2>(in);
    mesh.depth = in.f64();
    return std::make_shared<const DeformableMesh>(std::move(mesh));
}

void put(ByteWriter& out, const Deformation& deformation) {
    out.i32(deformation.body);
    put_points(out, deformation.positions);
    put_floats(out, deformation.von_mises);
    put_floats(out, deformation.pressure);
}

Deformation get_deformation(ByteReader& in) {
    Deformation deformation;
    deformation.body = in.i32();
    deformation.positions = get_points(in);
    deformation.von_mises = get_floats(in);
    deformation.pressure = get_floats(in);
    return deformation;
}

// ---- bodies ----

void put(ByteWriter& out, const RecordedBody& body, const SharedShapes& shared) {
    out.text(body.name);
    out.u8(static_cast<std::uint8_t>(body.motion));
    out.u64(body.colliders.size());
    for (const rigid::Collider& collider : body.colliders) {
        put_shape(out, collider.shape, shared);
        out.pose(collider.local);
        out.i32(collider.material.index);
    }
    out.u64(body.slopes.size());
    for (const surface::SlopeTexture& slopes : body.slopes) put_slopes(out, slopes, shared);
    out.u64(body.looks.size());
    for (const PartLooks& looks : body.looks) out.u32(shared.looks.number(looks.get()));
    out.u8(body.deformable ? 1 : 0);
    if (body.deformable) put(out, *body.deformable);
}

RecordedBody get_body(ByteReader& in, const ReadShapes& shared) {
    RecordedBody body;
    body.name = in.text();
    body.motion = static_cast<rigid::Motion>(in.u8());  // defect() checks the range
    const std::size_t count = in.count(1 + kPoseSize + 4);
    for (std::size_t i = 0; i < count; ++i) {
        rigid::Collider collider{get_shape(in, shared), {}, {}};
        collider.local = in.pose();
        collider.material = MaterialId{in.i32()};
        body.colliders.push_back(std::move(collider));
    }
    body.slopes.resize(in.count(8 + kSlopesSize));
    for (surface::SlopeTexture& slopes : body.slopes) slopes = get_slopes(in, shared);
    body.looks.resize(in.count(4));
    for (PartLooks& looks : body.looks) {
        const std::uint32_t number = in.u32();
        if (number != kNoMap && number >= shared.looks.size())
            in.fail(fmt::format("looks {} of {}", number, shared.looks.size()));
        if (number != kNoMap) looks = shared.looks[number];
    }
    if (in.flag()) body.deformable = get_deformable(in);
    return body;
}

/// Calls `read` for each announced item. Does not reserve memory first, because an item may be larger in memory than in
/// the file.
template <class Item, class Read>
std::vector<Item> get_list(ByteReader& in, std::size_t smallest, const Read& read) {
    std::vector<Item> items;
    const std::size_t count = in.count(smallest);
    for (std::size_t i = 0; i < count; ++i) items.push_back(read());
    return items;
}

}  // namespace

void put_head(ByteWriter& out, const Recording& recording) {
    out.text(recording.title);
    out.u64(recording.materials.size());
    for (const surface::Material& material : recording.materials) put(out, material);
    const SharedShapes shared(recording);
    shared.hulls.write(out);
    shared.meshes.write(out);
    shared.maps.write(out);
    out.u64(shared.pictures.items().size());
    for (const std::string* picture : shared.pictures.items()) out.text(*picture);
    out.u64(shared.looks.items().size());
    for (const auto* looks : shared.looks.items()) put(out, *looks, shared);
    out.u64(recording.bodies.size());
    for (const RecordedBody& body : recording.bodies) put(out, body, shared);
    out.u64(recording.links.size());
    for (const Link& link : recording.links)
        out.i32(link.body_a), out.i32(link.body_b), out.vec3(link.local_a), out.vec3(link.local_b);
    out.u8(recording.view ? 1 : 0);
    if (recording.view)
        out.vec3(recording.view->eye), out.vec3(recording.view->target), out.f64(recording.view->field_of_view_deg);
    out.u64(recording.regions.size());
    for (const std::string& region : recording.regions) out.text(region);
    out.u8(recording.has_forces ? 1 : 0);
}

Recording get_head(ByteReader& in) {
    Recording recording;
    recording.title = in.text();
    recording.materials = get_list<surface::Material>(in, kMaterialSize, [&] { return get_material(in); });
    ReadShapes shared;
    shared.hulls = get_list<std::shared_ptr<const geometry::Polyhedron>>(in, 4 * 8, [&] { return get_polyhedron(in); });
    shared.meshes = get_list<std::shared_ptr<const geometry::TriangleSet>>(in, 2 * 8, [&] { return get_triangles(in); });
    shared.maps = get_list<std::shared_ptr<const surface::SlopeMap>>(in, 4 + 8 + 8, [&] { return get_map(in); });
    shared.pictures =
        get_list<std::shared_ptr<const std::string>>(in, 8, [&] { return std::make_shared<const std::string>(in.text()); });
    shared.looks = get_list<PartLooks>(in, 8, [&] { return get_looks(in, shared); });
    recording.bodies = get_list<RecordedBody>(in, 8 + 1 + 8 + 8 + 8 + 1, [&] { return get_body(in, shared); });
    recording.links = get_list<Link>(in, kLinkSize, [&] {
        Link link;
        link.body_a = in.i32(), link.body_b = in.i32();
        link.local_a = in.vec3(), link.local_b = in.vec3();
        return link;
    });
    if (in.flag()) {
        View view;
        view.eye = in.vec3(), view.target = in.vec3(), view.field_of_view_deg = in.f64();
        recording.view = view;
    }
    recording.regions = get_list<std::string>(in, 8, [&] { return in.text(); });
    recording.has_forces = in.flag();
    if (in.remaining() != 0) in.fail(fmt::format("{} bytes too many", in.remaining()));
    if (const std::string why = defect(recording); !why.empty()) in.fail(why);
    return recording;
}

void put_frame(ByteWriter& out, const Frame& frame) {
    out.f64(frame.time);
    out.u8(frame.velocities.empty() ? 0 : 1);
    out.u8(frame.angular_velocities.empty() ? 0 : 1);
    for (const Pose& pose : frame.poses) out.pose(pose);
    for (const Vec3& v : frame.velocities) out.vec3(v);
    for (const Vec3& w : frame.angular_velocities) out.vec3(w);
    out.u64(frame.contacts.size());
    for (const ContactSample& c : frame.contacts) {
        out.i32(c.body_a), out.i32(c.body_b);
        out.vec3(c.point), out.vec3(c.normal), out.vec3(c.force), out.vec3(c.t);
        out.f64(c.mu_t), out.f64(c.mu_b);
        out.i32(c.face_a), out.i32(c.face_b);
        for (const Vec2& uv : {c.uv_a, c.uv_b}) out.f64(uv.x), out.f64(uv.y);
        out.f64(c.gap), out.f64(c.spin_torque);
        out.i32(c.patch);
        for (const double x : {c.limit, c.margin, c.spare, c.creep_bound}) out.f64(x);
    }
    out.u64(frame.patches.size());
    for (const PatchSample& p : frame.patches) {
        out.i32(p.body_a), out.i32(p.body_b);
        for (const Vec3& v : {p.centre, p.normal, p.u, p.force, p.torque, p.pressure}) out.vec3(v);
        out.f64(p.spin_torque);
        out.u64(p.outline.size());
        for (const Vec3& v : p.outline) out.vec3(v);
    }
    out.u64(frame.deformations.size());
    for (const Deformation& deformation : frame.deformations) put(out, deformation);
    out.u64(frame.forces.size());
    for (const ForceSample& f : frame.forces) out.i32(f.body_a), out.i32(f.body_b), out.vec3(f.force), out.vec3(f.torque);
}

Frame get_frame(ByteReader& in, const FrameLayout& layout) {
    const std::size_t body_count = layout.bodies;
    Frame frame;
    frame.time = in.f64();
    const bool velocities = in.flag(), angular_velocities = in.flag();
    const std::size_t body_size = kPoseSize + (velocities ? kVec3Size : 0) + (angular_velocities ? kVec3Size : 0);
    if (body_count > in.remaining() / body_size) in.fail("it is truncated within a frame");
    frame.poses.resize(body_count);
    frame.velocities.resize(velocities ? body_count : 0);
    frame.angular_velocities.resize(angular_velocities ? body_count : 0);
    for (Pose& pose : frame.poses) pose = in.pose();
    for (Vec3& v : frame.velocities) v = in.vec3();
    for (Vec3& w : frame.angular_velocities) w = in.vec3();
    frame.contacts.resize(in.count(kContactSize));
    for (ContactSample& c : frame.contacts) {
        c.body_a = in.i32(), c.body_b = in.i32();
        c.point = in.vec3(), c.normal = in.vec3(), c.force = in.vec3(), c.t = in.vec3();
        c.mu_t = in.f64(), c.mu_b = in.f64();
        c.face_a = in.i32(), c.face_b = in.i32();
        for (Vec2* uv : {&c.uv_a, &c.uv_b}) uv->x = in.f64(), uv->y = in.f64();
        c.gap = in.f64(), c.spin_torque = in.f64();
        c.patch = in.i32();
        for (double* x : {&c.limit, &c.margin, &c.spare, &c.creep_bound}) *x = in.f64();
    }
    const std::size_t patches = in.count(2 * 4 + 6 * kVec3Size + 2 * 8);
    for (std::size_t i = 0; i < patches; ++i) {
        PatchSample& p = frame.patches.emplace_back();
        p.body_a = in.i32(), p.body_b = in.i32();
        for (Vec3* v : {&p.centre, &p.normal, &p.u, &p.force, &p.torque, &p.pressure}) *v = in.vec3();
        p.spin_torque = in.f64();
        p.outline.resize(in.count(kVec3Size));
        for (Vec3& v : p.outline) v = in.vec3();
    }
    frame.deformations = get_list<Deformation>(in, 4 + 3 * 8, [&] { return get_deformation(in); });
    frame.forces.resize(in.count(2 * 4 + 2 * kVec3Size));
    for (ForceSample& f : frame.forces) {
        f.body_a = in.i32(), f.body_b = in.i32();
        f.force = in.vec3(), f.torque = in.vec3();
    }
    return frame;
}

}  // namespace asperity::record::detail
