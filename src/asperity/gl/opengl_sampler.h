// Samples the footprints of many contacts side by side on the graphics card, and averages them there. The pipeline of
// Andrews et al., "Coupling Friction with Visual Appearance" (2021), section 4, with float storage and the reduction on the
// card.
//
// Each contact has two tiles of one large picture: the surfaces of A and B seen along the normal, through the box w x w x
// depth around its contact point. A pixel holds the slope of the facet in the contact's axes. A second pass reduces each
// pair of tiles to the averages per direction, and only these are read back. Contacts in excess of the tiles need several
// rounds. Triangles are uploaded as integers, as in surface/footprint_raster.h, so that the card hits the same triangles and
// texels as the rays.
#pragma once
#include <map>
#include <memory>
#include <vector>

#include "asperity/geometry/mesh/mesh_tree.h"
#include "asperity/gl/card_surface.h"
#include "asperity/gl/context.h"
#include "asperity/surface/footprint_raster.h"

namespace asperity::gl {

/// Same grid points as RaySampler. Round shapes are replaced by the triangles of corners_of(). Shapes and maps are uploaded
/// at their first use.
class OpenGlSampler final : public surface::FootprintSampler {
  public:
    /// `resolution` pixels along the edge of a tile. Throws InputError if OpenGL 3.3 is not available.
    explicit OpenGlSampler(int resolution = 16);
    ~OpenGlSampler() override;

    void sample(std::span<const surface::FootprintRequest> requests, std::span<friction::FacetAverages> out) override;

    const Context& context() const { return context_; }

  private:
    struct Surface {
        geometry::Shape shape;  // keeps meshes alive, so that their addresses are not reused
        int first_triangle = 0;
        bool solid = true;  // visible from outside only
        // for shapes that are no meshes
        geometry::MeshTree tree;
        std::vector<Corner> corners;
        std::vector<Vec3> face_normals;
    };
    struct Map {
        int first = 0, width = 0, height = 0;
    };
    struct Entry {  // a triangle in a tile; vertex attributes of one instance
        surface::GridFunction border[3], height, u, v;
        std::uint32_t side, triangle, shift;
        float share[3];
        std::uint32_t behind, columns, rows, map;  // columns, rows: first index | last index << 16; map: row of side_maps
    };
    struct OnCard;  // the OpenGL objects

    int surface_of(const geometry::Shape& shape);
    int square_of(double width);
    int add_surface(const geometry::Shape& shape, std::vector<Corner> corners);
    Map map_of(const surface::SlopeTable* table);
    void sample_round(std::span<const surface::FootprintRequest> requests, std::span<friction::FacetAverages> out);
    void list_triangles(const surface::FootprintRequest& request, int index);
    void add_triangle(const surface::FootprintSide& side, const surface::FootprintFrame& frame,
                      const surface::FootprintGrid& grid, const Surface& on, int triangle, int which, size_t first_map);
    void draw_tiles();
    void average(std::span<const surface::FootprintRequest> requests, std::span<friction::FacetAverages> out);

    Context context_;
    int resolution_;
    std::vector<Surface> surfaces_;
    std::map<int, int> squares_;           // for half-spaces: the surface whose half edge is 2^key
    std::map<std::uint64_t, Map> maps_;    // by SlopeTable::id()
    std::vector<float> corners_, facets_;  // in the layout of the uploads
    bool surfaces_changed_ = false, maps_changed_ = true;

    // contacts without a covered point at the first attempt
    std::vector<size_t> missed_;
    std::vector<surface::FootprintRequest> again_;
    std::vector<friction::FacetAverages> found_;

    // of the current round
    std::vector<Entry> entries_;
    std::vector<float> sides_;
    std::vector<std::int32_t> side_maps_;  // four per side
    std::vector<float> averages_;
    std::unique_ptr<OnCard> card_;
};

}  // namespace asperity::gl
