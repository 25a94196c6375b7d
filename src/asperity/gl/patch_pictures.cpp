#include "asperity/gl/patch_pictures.h"

#include <algorithm>
#include <cmath>

#include "asperity/core/assert.h"
#include "asperity/gl/objects.h"
#include "asperity/gl/patch_shaders.h"

namespace asperity::gl {
namespace {

constexpr int kPictureSize = 1024;   // pixels along a side of the large picture, as in the paper: 2048 contacts with tiles of 16 x 16
constexpr int kFloatsPerSide = 20;
constexpr int kFloatsPerCorner = 12;

int tiles_per_row(int resolution) { return std::max(2, kPictureSize / resolution); }
int contacts_per_round(int resolution) { return tiles_per_row(resolution) * tiles_per_row(resolution) / 2; }

void append(std::vector<float>& out, const Vec3& v, double w) {
    for (const double x : {v.x, v.y, v.z, w}) out.push_back(static_cast<float>(x));
}

double wrapped(double x) { return x - std::floor(x); }   // large texture coordinates lose their digits in floats

}  // namespace

struct PatchPictures::OnCard {
    Program tile{kTileVertexShader, kTileFragmentShader};
    Program mean{kAverageVertexShader, kAverageFragmentShader};
    ArrayTexture corners{GL_RGBA32F}, sides{GL_RGBA32F}, texels{GL_RGBA32F}, side_maps{GL_RGBA32I};
    Canvas tiles, averages;
    GLuint entries = 0, vertex_array = 0;

    OnCard(int resolution, int directions)
        : tiles(resolution * tiles_per_row(resolution), resolution * tiles_per_row(resolution), true),
          averages(directions, contacts_per_round(resolution), false) {
        glGenBuffers(1, &entries);
        glGenVertexArrays(1, &vertex_array);
        glBindVertexArray(vertex_array);
        glBindBuffer(GL_ARRAY_BUFFER, entries);
        glEnableVertexAttribArray(0);
        glVertexAttribIPointer(0, 2, GL_UNSIGNED_INT, sizeof(Entry), nullptr);
        glVertexAttribDivisor(0, 1);   // a triangle is an instance; its corners are the vertices
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        constexpr float flat[4] = {};
        texels.upload(flat, sizeof flat, GL_STATIC_DRAW);
    }
    ~OnCard() {
        glDeleteBuffers(1, &entries);
        glDeleteVertexArrays(1, &vertex_array);
    }
};

PatchPictures::PatchPictures(int resolution, int directions, FacetWeight weight)
    : resolution_(resolution), directions_(directions), weight_(weight) {
    ASPERITY_ASSERT(resolution >= 1 && resolution <= kPictureSize / 2 && directions >= 1);
    const Context::Use use(context_);
    card_ = std::make_unique<OnCard>(resolution, directions);
}

PatchPictures::~PatchPictures() {
    const Context::Use use(context_);
    card_.reset();
}

int PatchPictures::add_surface(std::vector<Corner> corners) {
    Surface surface;
    surface.first_triangle = static_cast<int>(corners_.size() / 3);
    surface.triangle_count = static_cast<int>(corners.size() / 3);
    std::vector<geometry::Aabb> boxes(corners.size() / 3);
    for (size_t i = 0; i < boxes.size(); ++i) {
        const Vec3 &p = corners[3 * i].position, &q = corners[3 * i + 1].position, &r = corners[3 * i + 2].position;
        boxes[i] = {min(min(p, q), r), max(max(p, q), r)};
    }
    surface.tree.build(boxes);
    surfaces_.push_back(std::move(surface));
    corners_.insert(corners_.end(), corners.begin(), corners.end());
    surfaces_changed_ = true;
    return static_cast<int>(surfaces_.size()) - 1;
}

int PatchPictures::add_map(const surface::SlopeMap& map) {
    maps_.push_back({static_cast<int>(texels_.size() / 4), map.width, map.height});
    for (size_t i = 0; i < map.slopes.size(); ++i) {
        texels_.insert(texels_.end(), {map.slopes[i].x, map.slopes[i].y, map.weight.empty() ? 1.0f : map.weight[i],
                                       map.salience.empty() ? 1.0f : map.salience[i]});
    }
    maps_changed_ = true;
    return static_cast<int>(maps_.size()) - 1;
}

void PatchPictures::upload_new() {
    if (surfaces_changed_) {
        std::vector<float> data;
        data.reserve(corners_.size() * kFloatsPerCorner);
        for (const Corner& c : corners_) {
            append(data, c.position, c.uv.x);
            append(data, c.normal, c.uv.y);
            append(data, c.tangent, c.mirrored ? -1 : 1);
        }
        card_->corners.upload(data.data(), data.size() * sizeof(float), GL_STATIC_DRAW);
        surfaces_changed_ = false;
    }
    if (maps_changed_) {
        card_->texels.upload(texels_.data(), texels_.size() * sizeof(float), GL_STATIC_DRAW);
        maps_changed_ = false;
    }
}

/// Appends both sides of a view, and the triangles that its box may meet.
void PatchPictures::list_triangles(const PatchView& view, int index) {
    const Vec3 axes[3] = {view.t, cross(view.normal, view.t), view.normal};
    const double half[3] = {0.5 * view.width, 0.5 * view.width, 0.5 * view.depth};
    for (int which = 0; which < 2; ++which) {
        const PatchSide& side = which == 0 ? view.a : view.b;
        const Surface& surface = surfaces_[static_cast<size_t>(side.surface)];
        const Quat back = conjugate(side.pose.orientation);
        const Vec3 centre = rotate(back, view.point - side.pose.position);
        Vec3 reach;
        for (int i = 0; i < 3; ++i) {
            const Vec3 row = rotate(back, axes[i]);   // axis i of the contact in the surface's axes: a row of surface -> contact
            append(sides_, row, -dot(row, centre));
            reach += half[i] * abs(row);
        }
        append(sides_, {2 / view.width, 2 / view.depth, 0}, 0);
        append(sides_, {side.uv_scale.x, side.uv_scale.y, wrapped(side.uv_offset.x)}, wrapped(side.uv_offset.y));
        const Map map = side.map < 0 ? Map{} : maps_[static_cast<size_t>(side.map)];
        side_maps_.insert(side_maps_.end(), {map.first, map.width, map.height, 0});
        surface.tree.query({centre - reach, centre + reach}, [&](int triangle) {
            entries_.push_back({static_cast<std::uint32_t>(2 * index + which), static_cast<std::uint32_t>(surface.first_triangle + triangle)});
        });
    }
}

void PatchPictures::draw_tiles() {
    card_->sides.upload(sides_.data(), sides_.size() * sizeof(float), GL_STREAM_DRAW);
    card_->side_maps.upload(side_maps_.data(), side_maps_.size() * sizeof(std::int32_t), GL_STREAM_DRAW);
    glBindVertexArray(card_->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, card_->entries);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(entries_.size() * sizeof(Entry)), entries_.data(), GL_STREAM_DRAW);

    card_->tiles.draw_here();
    glEnable(GL_DEPTH_TEST);
    for (const GLenum side : {GL_CLIP_DISTANCE0, GL_CLIP_DISTANCE1, GL_CLIP_DISTANCE2, GL_CLIP_DISTANCE3}) glEnable(side);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    const Program& program = card_->tile;
    program.use();
    card_->corners.bind(0);
    card_->sides.bind(1);
    card_->texels.bind(2);
    card_->side_maps.bind(3);
    glUniform1i(program.location("corners"), 0);
    glUniform1i(program.location("sides"), 1);
    glUniform1i(program.location("texels"), 2);
    glUniform1i(program.location("side_maps"), 3);
    glUniform1i(program.location("tiles_per_row"), tiles_per_row(resolution_));
    glUniform1i(program.location("resolution"), resolution_);
    glUniform1i(program.location("facet_weight"), static_cast<int>(weight_));
    glDrawArraysInstanced(GL_TRIANGLES, 0, 3, static_cast<GLsizei>(entries_.size()));
    for (const GLenum side : {GL_CLIP_DISTANCE0, GL_CLIP_DISTANCE1, GL_CLIP_DISTANCE2, GL_CLIP_DISTANCE3}) glDisable(side);
    glDisable(GL_DEPTH_TEST);
}

void PatchPictures::average(int contacts, std::span<double> a, std::span<double> b, std::span<int> covered) {
    card_->averages.draw_here();
    glViewport(0, 0, directions_, contacts);
    const Program& program = card_->mean;
    program.use();
    card_->tiles.bind(0);
    glUniform1i(program.location("tiles"), 0);
    glUniform1i(program.location("tiles_per_row"), tiles_per_row(resolution_));
    glUniform1i(program.location("resolution"), resolution_);
    glUniform1i(program.location("directions"), directions_);
    glDrawArrays(GL_TRIANGLES, 0, 3);

    averages_.resize(4 * static_cast<size_t>(contacts) * static_cast<size_t>(directions_));
    glReadPixels(0, 0, directions_, contacts, GL_RGBA, GL_FLOAT, averages_.data());
    for (size_t i = 0; i < a.size(); ++i) {
        a[i] = averages_[4 * i];
        b[i] = averages_[4 * i + 1];
    }
    for (size_t i = 0; i < covered.size(); ++i) covered[i] = static_cast<int>(averages_[4 * i * static_cast<size_t>(directions_) + 2]);
}

void PatchPictures::measure(std::span<const PatchView> views, std::span<double> a, std::span<double> b, std::span<int> covered) {
    const auto directions = static_cast<size_t>(directions_);
    ASPERITY_ASSERT(a.size() == views.size() * directions && b.size() == a.size() && covered.size() == views.size());
    const Context::Use use(context_);
    upload_new();
    const auto round = static_cast<size_t>(contacts_per_round(resolution_));
    for (size_t first = 0; first < views.size(); first += round) {
        const size_t count = std::min(round, views.size() - first);
        entries_.clear();
        sides_.clear();
        side_maps_.clear();
        for (size_t i = 0; i < count; ++i) list_triangles(views[first + i], static_cast<int>(i));
        draw_tiles();
        average(static_cast<int>(count), a.subspan(first * directions, count * directions), b.subspan(first * directions, count * directions),
                covered.subspan(first, count));
    }
}

}  // namespace asperity::gl
