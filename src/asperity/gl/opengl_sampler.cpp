#include "asperity/gl/opengl_sampler.h"

#include <algorithm>
#include <cmath>

#include "asperity/core/assert.h"
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/gl/footprint_shaders.h"
#include "asperity/gl/objects.h"

namespace asperity::gl {
namespace {

using friction::kMostDirections;
using geometry::Shape;
using surface::FootprintRequest;
using surface::FootprintSide;

// pixels along an edge of the large picture, as in Andrews et al. 2021: 2048 contacts with tiles of 16 x 16
constexpr int kPictureSize = 1024;

int tiles_per_row(int resolution) { return std::max(2, kPictureSize / resolution); }
int contacts_per_round(int resolution) { return tiles_per_row(resolution) * tiles_per_row(resolution) / 2; }

void append(std::vector<float>& out, const Vec3& v, double w) {
    for (const double x : {v.x, v.y, v.z, w}) out.push_back(static_cast<float>(x));
}

/// Compares meshes and hulls by address, all other shapes by their dimensions.
bool same(const Shape& a, const Shape& b) {
    if (a.index() != b.index()) return false;
    if (const auto* s = std::get_if<geometry::Sphere>(&a)) return s->radius == std::get<geometry::Sphere>(b).radius;
    if (const auto* s = std::get_if<geometry::Box>(&a)) return s->half == std::get<geometry::Box>(b).half;
    if (const auto* s = std::get_if<geometry::Hull>(&a)) return s->polyhedron == std::get<geometry::Hull>(b).polyhedron;
    if (const auto* s = std::get_if<geometry::Mesh>(&a)) return s->triangles == std::get<geometry::Mesh>(b).triangles;
    if (const auto* s = std::get_if<geometry::Capsule>(&a)) {
        const auto& t = std::get<geometry::Capsule>(b);
        return s->radius == t.radius && s->half_length == t.half_length;
    }
    if (const auto* s = std::get_if<geometry::Cylinder>(&a)) {
        const auto& t = std::get<geometry::Cylinder>(b);
        return s->radius == t.radius && s->half_height == t.half_height;
    }
    return false;
}

}  // namespace

struct OpenGlSampler::OnCard {
    Program tile{kTileVertexShader, kTileFragmentShader};
    Program mean{kAverageVertexShader, kAverageFragmentShader};
    ArrayTexture corners{GL_RGBA32F}, sides{GL_RGBA32F}, facets{GL_RGBA32F}, side_maps{GL_RGBA32I};
    Canvas tiles, averages;
    GLuint entries = 0, vertex_array = 0;

    explicit OnCard(int resolution)
        : tiles(resolution * tiles_per_row(resolution), resolution * tiles_per_row(resolution), true),
          averages(kMostDirections, contacts_per_round(resolution), false) {
        glGenBuffers(1, &entries);
        glGenVertexArrays(1, &vertex_array);
        glBindVertexArray(vertex_array);
        glBindBuffer(GL_ARRAY_BUFFER, entries);
        static_assert(sizeof(Entry) == 7 * 16);
        for (GLuint i = 0; i < 7; ++i) {
            glEnableVertexAttribArray(i);
            glVertexAttribIPointer(i, 4, GL_UNSIGNED_INT, sizeof(Entry),
                                   reinterpret_cast<const void*>(std::uintptr_t{16} * i));
            glVertexAttribDivisor(i, 1);  // one instance per triangle; the vertices are those of its bounding rectangle
        }
    }
    ~OnCard() {
        glDeleteBuffers(1, &entries);
        glDeleteVertexArrays(1, &vertex_array);
    }
};

OpenGlSampler::OpenGlSampler(int resolution) : resolution_(resolution), facets_(4) {
    ASPERITY_ASSERT(resolution >= 1 && resolution <= kPictureSize / 2);
    const Context::Use use(context_);
    card_ = std::make_unique<OnCard>(resolution);
}

OpenGlSampler::~OpenGlSampler() {
    const Context::Use use(context_);
    card_.reset();
}

int OpenGlSampler::add_surface(const Shape& shape, std::vector<Corner> corners) {
    const auto* mesh = std::get_if<geometry::Mesh>(&shape);
    Surface surface{shape, static_cast<int>(corners_.size() / 24), !mesh || mesh->triangles->solid(), {}, {}, {}};
    for (const Corner& c : corners) {
        append(corners_, c.normal, c.mirrored ? -1 : 1);
        append(corners_, c.tangent, 0);
    }
    if (!mesh) {
        std::vector<geometry::Aabb> boxes(corners.size() / 3);
        for (size_t i = 0; i < boxes.size(); ++i) {
            const Vec3 &p = corners[3 * i].position, &q = corners[3 * i + 1].position, &r = corners[3 * i + 2].position;
            boxes[i] = {min(min(p, q), r), max(max(p, q), r)};
            // degenerate triangles at the pole of a ball have no normal
            surface.face_normals.push_back(normalize_or(cross(q - p, r - p), {0, 0, 0}));
        }
        surface.tree.build(boxes);
        surface.corners = std::move(corners);
    }
    surfaces_.push_back(std::move(surface));
    surfaces_changed_ = true;
    return static_cast<int>(surfaces_.size()) - 1;
}

int OpenGlSampler::surface_of(const Shape& shape) {
    for (size_t i = 0; i < surfaces_.size(); ++i)
        if (same(surfaces_[i].shape, shape)) return static_cast<int>(i);
    return add_surface(shape, corners_of(shape));
}

int OpenGlSampler::square_of(double width) {
    const int size = std::ilogb(width) + 1;  // half edge 2^size > width
    const auto found = squares_.find(size);
    if (found != squares_.end()) return found->second;
    return squares_[size] = add_surface(geometry::HalfSpace{}, square(std::ldexp(1.0, size)));
}

OpenGlSampler::Map OpenGlSampler::map_of(const surface::SlopeTable* table) {
    if (!table) return {};
    const auto found = maps_.find(table->id());
    if (found != maps_.end()) return found->second;
    const Map map{static_cast<int>(facets_.size() / 4), table->width(), table->height()};
    for (const surface::Facet& f : table->facets()) facets_.insert(facets_.end(), {f.x, f.y, f.resist, f.weight});
    maps_changed_ = true;
    return maps_[table->id()] = map;
}

/// Appends both sides of a contact, and the triangles within the bounding box of its footprint.
void OpenGlSampler::list_triangles(const FootprintRequest& request, int index) {
    const surface::FootprintGrid grid(resolution_, request.width, request.depth);
    const Vec3 axes[3] = {request.t, cross(request.normal, request.t), request.normal};
    for (int which = 0; which < 2; ++which) {
        FootprintSide side = which == 0 ? request.a : request.b;
        surface::FootprintFrame frame(request, side, which == 0 ? 1 : -1);
        const bool endless = std::holds_alternative<geometry::HalfSpace>(*side.shape);
        if (endless) {  // centre the square on the contact point and shift the texture instead
            const Vec2 tile = side.tile.on(*side.shape, 0);
            side.offset = side.offset + Vec2{frame.from.x / tile.x, frame.from.y / tile.y};
            frame.from = {0, 0, frame.from.z};
        }
        const Surface& on = surfaces_[static_cast<size_t>(endless ? square_of(request.width) : surface_of(*side.shape))];
        // rows of the rotation from shape axes to contact axes
        for (const Vec3& axis : axes) append(sides_, rotate_inverse(side.pose.orientation, axis), 0);
        append(sides_, {static_cast<double>(request.directions), 0, 0}, 0);
        const size_t first_map = side_maps_.size() / 4;
        const auto add_map = [&](const surface::SlopeTable* slopes) {
            const Map map = map_of(slopes);
            side_maps_.insert(side_maps_.end(), {map.first, map.width, map.height, 0});
        };
        if (side.parts.empty()) add_map(side.slopes);
        for (const surface::SlopeLayer& part : side.parts) add_map(part.slopes);
        const Vec3 reach = 0.5 * (grid.width * (abs(frame.t) + abs(frame.b)) + grid.depth * abs(frame.out));
        const auto* mesh = std::get_if<geometry::Mesh>(side.shape);
        // the depth test keeps the first of equally near triangles: the order must be that of the rays
        const geometry::MeshTree& tree = mesh ? mesh->triangles->tree : on.tree;
        tree.query({frame.from - reach, frame.from + reach},
                   [&](int triangle) { add_triangle(side, frame, grid, on, triangle, 2 * index + which, first_map); });
    }
}

void OpenGlSampler::add_triangle(const FootprintSide& side, const surface::FootprintFrame& frame,
                                 const surface::FootprintGrid& grid, const Surface& on, int triangle, int which,
                                 size_t first_map) {
    const auto* mesh = std::get_if<geometry::Mesh>(side.shape);
    const auto t = static_cast<size_t>(triangle);
    const double facing = dot(mesh ? mesh->triangles->face_normals[t] : on.face_normals[t], frame.out);
    if ((on.solid ? facing : std::fabs(facing)) < surface::kLeastCosine) return;
    Vec3 corners[3];
    Vec2 uvs[3];
    for (size_t k = 0; k < 3; ++k) {
        corners[k] = mesh ? mesh->triangles->corner(triangle, static_cast<int>(k)) : on.corners[3 * t + k].position;
        uvs[k] = mesh ? mesh->triangles->uvs[3 * t + k] : on.corners[3 * t + k].uv;
    }
    surface::RasterTriangle piece;
    const int face = mesh ? triangle : on.corners[3 * t].face;
    if (!raster_triangle(side.layer(face), frame, grid, corners, uvs, piece)) return;
    const auto part = static_cast<size_t>(mesh && !side.parts.empty() ? mesh->triangles->part_of(triangle) : 0);
    const auto range = [](int first, int last) {
        return static_cast<std::uint32_t>(first) | static_cast<std::uint32_t>(last) << 16;
    };
    entries_.push_back({{piece.border[0], piece.border[1], piece.border[2]},
                        piece.height.steps,
                        piece.u,
                        piece.v,
                        static_cast<std::uint32_t>(which),
                        static_cast<std::uint32_t>(on.first_triangle + triangle),
                        static_cast<std::uint32_t>(piece.height.shift),
                        {piece.share[0], piece.share[1], piece.share[2]},
                        facing < 0 ? 1U : 0U,
                        range(piece.i_first, piece.i_last),
                        range(piece.j_first, piece.j_last),
                        static_cast<std::uint32_t>(first_map + part)});
}

void OpenGlSampler::draw_tiles() {
    if (surfaces_changed_) card_->corners.upload(corners_.data(), corners_.size() * sizeof(float), GL_STATIC_DRAW);
    if (maps_changed_) card_->facets.upload(facets_.data(), facets_.size() * sizeof(float), GL_STATIC_DRAW);
    surfaces_changed_ = maps_changed_ = false;
    card_->sides.upload(sides_.data(), sides_.size() * sizeof(float), GL_STREAM_DRAW);
    card_->side_maps.upload(side_maps_.data(), side_maps_.size() * sizeof(std::int32_t), GL_STREAM_DRAW);
    glBindVertexArray(card_->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, card_->entries);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(entries_.size() * sizeof(Entry)), entries_.data(), GL_STREAM_DRAW);

    card_->tiles.draw_here();
    glEnable(GL_DEPTH_TEST);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    const Program& program = card_->tile;
    program.use();
    card_->corners.bind(0);
    card_->sides.bind(1);
    card_->facets.bind(2);
    card_->side_maps.bind(3);
    program.set("corners", 0);
    program.set("sides", 1);
    program.set("facets", 2);
    program.set("side_maps", 3);
    program.set("tiles_per_row", tiles_per_row(resolution_));
    program.set("resolution", resolution_);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(entries_.size()));
    glDisable(GL_DEPTH_TEST);
}

void OpenGlSampler::average(std::span<const FootprintRequest> requests, std::span<friction::FacetAverages> out) {
    int most = 0;
    for (const FootprintRequest& r : requests) most = std::max(most, r.directions);
    const auto count = static_cast<int>(requests.size());
    card_->averages.draw_here();
    glViewport(0, 0, most, count);
    const Program& program = card_->mean;
    program.use();
    card_->tiles.bind(0);
    card_->sides.bind(1);
    program.set("tiles", 0);
    program.set("sides", 1);
    program.set("tiles_per_row", tiles_per_row(resolution_));
    program.set("resolution", resolution_);
    glDrawArrays(GL_TRIANGLES, 0, 3);

    averages_.resize(4 * requests.size() * static_cast<size_t>(most));
    glReadPixels(0, 0, most, count, GL_RGBA, GL_FLOAT, averages_.data());
    for (size_t i = 0; i < requests.size(); ++i) {
        const float* from = &averages_[4 * i * static_cast<size_t>(most)];
        out[i].t = requests[i].t;
        out[i].covered = static_cast<double>(from[2]) / (resolution_ * resolution_);
        for (size_t k = 0; k < static_cast<size_t>(requests[i].directions); ++k, from += 4) {
            out[i].a[k] = from[0];
            out[i].b[k] = from[1];
        }
    }
}

void OpenGlSampler::sample(std::span<const FootprintRequest> requests, std::span<friction::FacetAverages> out) {
    const Context::Use use(context_);
    sample_round(requests, out);
    // As in RaySampler: if no point counts, a body on its edge may touch between the points; retry with a smaller footprint.
    double width = 1;
    for (int closer = 0; closer < surface::RaySampler::kRetries; ++closer) {
        width *= surface::RaySampler::kRetryScale;
        missed_.clear();
        again_.clear();
        for (size_t i = 0; i < requests.size(); ++i) {
            if (out[i].covered > 0) continue;
            missed_.push_back(i);
            again_.push_back(requests[i]);
            again_.back().width *= width;
        }
        if (missed_.empty()) return;
        found_.resize(missed_.size());
        sample_round(again_, found_);
        for (size_t k = 0; k < missed_.size(); ++k) {
            out[missed_[k]] = found_[k];
            out[missed_[k]].covered *= width * width;
        }
    }
}

void OpenGlSampler::sample_round(std::span<const FootprintRequest> requests, std::span<friction::FacetAverages> out) {
    const auto round = static_cast<size_t>(contacts_per_round(resolution_));
    for (size_t first = 0; first < requests.size(); first += round) {
        const size_t count = std::min(round, requests.size() - first);
        entries_.clear();
        sides_.clear();
        side_maps_.clear();
        for (size_t i = 0; i < count; ++i) list_triangles(requests[first + i], static_cast<int>(i));
        draw_tiles();
        average(requests.subspan(first, count), out.subspan(first, count));
    }
}

}  // namespace asperity::gl
