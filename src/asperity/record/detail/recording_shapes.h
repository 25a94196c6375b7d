// Private to record/: shapes and normal maps of a recording. Each is written once, however many bodies use it.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/record/detail/bytes.h"
#include "asperity/record/recording.h"

namespace asperity::record::detail {

constexpr std::size_t kVec3Size = 24;
constexpr std::uint32_t kNoMap = 0xffffffffU;

void put_content(ByteWriter& out, const geometry::Polyhedron& p);
std::shared_ptr<const geometry::Polyhedron> get_polyhedron(ByteReader& in);
/// Writes positions, triangles, their parts and per-corner attributes. Reading rebuilds adjacency and bounding-box tree.
void put_content(ByteWriter& out, const geometry::TriangleSet& m);
std::shared_ptr<const geometry::TriangleSet> get_triangles(ByteReader& in);
/// Writes the slopes as they are drawn: texels of weight 0 are written flat.
void put_content(ByteWriter& out, const surface::SlopeMap& map);
std::shared_ptr<const surface::SlopeMap> get_map(ByteReader& in);

/// All hulls or all meshes of a recording, numbered by content: a thousand equal stones need one polyhedron.
template <class Shape, class Content, std::shared_ptr<const Content> Shape::*member>
class ContentTable {
  public:
    explicit ContentTable(const Recording& recording) {
        for (const RecordedBody& body : recording.bodies)
            for (const rigid::Collider& collider : body.colliders)
                if (const auto* shape = std::get_if<Shape>(&collider.shape)) add((shape->*member).get());
    }
    std::uint32_t number(const Shape& shape) const { return by_address_.at((shape.*member).get()); }
    void write(ByteWriter& out) const {
        out.u64(contents_.size());
        for (const std::string& content : contents_) out.bytes += content;
    }

  private:
    void add(const Content* shared) {
        if (by_address_.contains(shared)) return;
        ByteWriter content;
        put_content(content, *shared);
        const auto [entry, is_new] = by_content_.try_emplace(content.bytes, static_cast<std::uint32_t>(contents_.size()));
        if (is_new) contents_.push_back(content.bytes);
        by_address_[shared] = entry->second;
    }
    // lookup only, never iterated: addresses have no reproducible order
    std::map<const Content*, std::uint32_t> by_address_;
    std::map<std::string, std::uint32_t> by_content_;
    std::vector<std::string> contents_;
};

/// Shared items, numbered in the order in which they are added. Null has the number kNoMap.
template <class Item>
class Numbered {
  public:
    void add(const Item* item) {
        if (item && number_.try_emplace(item, static_cast<std::uint32_t>(items_.size())).second) items_.push_back(item);
    }
    std::uint32_t number(const Item* item) const { return item ? number_.at(item) : kNoMap; }
    const std::vector<const Item*>& items() const { return items_; }

  private:
    std::map<const Item*, std::uint32_t> number_;  // lookup only, never iterated: addresses have no reproducible order
    std::vector<const Item*> items_;
};

/// All normal maps of a recording, numbered in the order of the bodies.
class MapTable {
  public:
    explicit MapTable(const Recording& recording) {
        for (const RecordedBody& body : recording.bodies)
            for (const surface::SlopeTexture& slopes : body.slopes) {
                maps_.add(slopes.map.get());
                if (slopes.parts)
                    for (const surface::SlopeTexture& part : *slopes.parts) maps_.add(part.map.get());
            }
    }
    std::uint32_t number(const surface::SlopeTexture& slopes) const { return maps_.number(slopes.map.get()); }
    void write(ByteWriter& out) const {
        out.u64(maps_.items().size());
        for (const surface::SlopeMap* map : maps_.items()) put_content(out, *map);
    }

  private:
    Numbered<surface::SlopeMap> maps_;
};

struct SharedShapes {
    explicit SharedShapes(const Recording& recording) : hulls(recording), meshes(recording), maps(recording) {
        for (const RecordedBody& body : recording.bodies)
            for (const PartLooks& of_shape : body.looks) {
                if (!of_shape) continue;
                looks.add(of_shape.get());
                for (const auto& look : *of_shape)
                    if (look) pictures.add(look->picture.get());
            }
    }
    ContentTable<geometry::Hull, geometry::Polyhedron, &geometry::Hull::polyhedron> hulls;
    ContentTable<geometry::Mesh, geometry::TriangleSet, &geometry::Mesh::triangles> meshes;
    MapTable maps;
    Numbered<std::vector<std::optional<surface::Appearance>>> looks;
    Numbered<std::string> pictures;
};
struct ReadShapes {
    std::vector<std::shared_ptr<const geometry::Polyhedron>> hulls;
    std::vector<std::shared_ptr<const geometry::TriangleSet>> meshes;
    std::vector<std::shared_ptr<const surface::SlopeMap>> maps;
    std::vector<PartLooks> looks;
    std::vector<std::shared_ptr<const std::string>> pictures;
};

void put_shape(ByteWriter& out, const geometry::Shape& shape, const SharedShapes& shared);
geometry::Shape get_shape(ByteReader& in, const ReadShapes& shared);

}  // namespace asperity::record::detail
