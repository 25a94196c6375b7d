// The patches of many contacts drawn side by side on the graphics card, and averaged there: the pipeline of Andrews et al.,
// "Coupling Friction with Visual Appearance" (2021), section 4, with float storage and the reduction on the card.
//
// Each contact has two tiles of one large picture, A's and B's surface seen along the normal through the box w x w x depth
// about its contact point. A pixel holds the facet's slope in the contact's axes. A second pass turns each pair of tiles
// into the averages per direction; these alone come back. More contacts than tiles: several rounds. Triangles go to the card
// as surface/patch_piece.h has them, in whole numbers, so that the card meets the same triangles and texels as the rays.
#pragma once
#include <map>
#include <memory>
#include <vector>

#include "asperity/geometry/mesh/mesh_tree.h"
#include "asperity/gl/card_surface.h"
#include "asperity/gl/context.h"
#include "asperity/surface/patch_piece.h"

namespace asperity::gl {

/// As RaySampler, from the same points of the patch; on round shapes from the triangles they are drawn with. Shapes and maps
/// go to the card when they are first met.
class OpenGlSampler final : public surface::PatchSampler {
  public:
    /// `resolution` pixels along an edge of a tile. Throws InputError where there is no OpenGL 3.3.
    explicit OpenGlSampler(int resolution = 16);
    ~OpenGlSampler() override;

    void sample(std::span<const surface::PatchRequest> requests, std::span<friction::FacetAverages> out) override;

    const Context& context() const { return context_; }

  private:
    struct Surface {
        geometry::Shape shape;  // keeps meshes alive, so that their addresses stay theirs
        int first_triangle = 0;
        bool solid = true;  // seen from outside alone
        // of shapes that are no meshes
        geometry::MeshTree tree;
        std::vector<Corner> corners;
        std::vector<Vec3> face_normals;
    };
    struct Map {
        int first = 0, width = 0, height = 0;
    };
    struct Entry {  // a triangle in a tile, as the vertex shader reads it
        surface::GridSteps border[3], height, u, v;
        std::uint32_t side, triangle, shift;
        float share[3];
        std::uint32_t behind, columns, rows, unused;  // the last ones the first and, shifted by 16, the last
    };
    struct OnCard;  // the OpenGL objects

    int surface_of(const geometry::Shape& shape);
    int square_of(double width);
    int add_surface(const geometry::Shape& shape, std::vector<Corner> corners);
    Map map_of(const surface::SlopeTable* table);
    void look(std::span<const surface::PatchRequest> requests, std::span<friction::FacetAverages> out);
    void list_triangles(const surface::PatchRequest& request, int index);
    void add_triangle(const surface::PatchSide& side, const surface::PatchFrame& frame, const surface::PatchGrid& grid,
                      const Surface& on, int triangle, int which);
    void draw_tiles();
    void average(std::span<const surface::PatchRequest> requests, std::span<friction::FacetAverages> out);

    Context context_;
    int resolution_;
    std::vector<Surface> surfaces_;
    std::map<int, int> squares_;           // of half-spaces: the surface whose half edge is 2^key
    std::map<std::uint64_t, Map> maps_;    // by the id of their tables
    std::vector<float> corners_, facets_;  // as the card has them
    bool surfaces_changed_ = false, maps_changed_ = true;

    // of those that missed at first
    std::vector<size_t> missed_;
    std::vector<surface::PatchRequest> again_;
    std::vector<friction::FacetAverages> found_;

    // of one round
    std::vector<Entry> entries_;
    std::vector<float> sides_;
    std::vector<std::int32_t> side_maps_;  // four each
    std::vector<float> averages_;
    std::unique_ptr<OnCard> card_;
};

}  // namespace asperity::gl
