// The patches of many contacts drawn side by side on the graphics card, and averaged there: the pipeline of Andrews et al., "Coupling
// Friction with Visual Appearance" (2021), section 4, with float storage and the reduction on the card.
//
// Each contact has two tiles of one large picture, A's and B's surface seen along the normal through the box w x w x depth about the contact
// point. A pixel holds the facet's slope in the contact's axes. A second pass turns each pair of tiles into the averages per direction;
// these alone come back. More contacts than tiles: several rounds.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "asperity/geometry/mesh_tree.h"
#include "asperity/gl/context.h"
#include "asperity/surface/slope_map.h"

namespace asperity::gl {

/// One corner of a triangle, in the axes of its surface.
struct Corner {
    Vec3 position, normal, tangent;
    bool mirrored = false;   ///< v grows against normal x tangent
    Vec2 uv;
};

/// What a contact sees of one of its surfaces.
struct PatchSide {
    int surface = 0;         ///< from add_surface()
    int map = -1;            ///< from add_map(); negative: flat
    Pose pose;               ///< of the surface, world
    Vec2 uv_scale{1, 1}, uv_offset;   ///< texture coordinates of the map = uv_scale * uv + uv_offset
};

struct PatchView {
    Vec3 point, normal, t;   ///< world; t unit and at right angles to the normal, which points from A to B
    double width = 0;        ///< edge of the square [m]
    double depth = 0;        ///< of the box, half of it on either side of the point [m]
    PatchSide a, b;
};

enum class FacetWeight { Projected, TrueArea, Salience };

class PatchPictures {
  public:
    /// `resolution` pixels along each side of a tile, `directions` of motion of B at equal angles from t towards b = normal x t.
    PatchPictures(int resolution, int directions, FacetWeight weight);
    ~PatchPictures();

    /// Three corners a triangle. Returns the surface's number.
    int add_surface(std::vector<Corner> corners);
    int add_map(const surface::SlopeMap& map);

    /// Writes directions() values per view to `a` and `b`: <max(0, -g_A.d_k)> and <max(0, g_B.d_k)> over the pixels that both cover, without
    /// the 2/pi of ploughing. `covered` gets the number of these pixels; where it is zero, so are the averages.
    void measure(std::span<const PatchView> views, std::span<double> a, std::span<double> b, std::span<int> covered);

    int directions() const { return directions_; }
    const Context& context() const { return context_; }

  private:
    struct Surface {
        geometry::MeshTree tree;
        int first_triangle = 0, triangle_count = 0;
    };
    struct Map {
        int first = 0, width = 0, height = 0;
    };
    struct Entry {
        std::uint32_t side, triangle;
    };
    struct OnCard;   // the OpenGL objects

    void upload_new();
    void list_triangles(const PatchView& view, int index);
    void draw_tiles();
    void average(int contacts, std::span<double> a, std::span<double> b, std::span<int> covered);

    Context context_;
    int resolution_, directions_;
    FacetWeight weight_;
    std::vector<Surface> surfaces_;
    std::vector<Corner> corners_;
    std::vector<Map> maps_;
    std::vector<float> texels_;          // four a texel: slope, weight, salience
    bool surfaces_changed_ = false, maps_changed_ = false;

    // of one round
    std::vector<Entry> entries_;
    std::vector<float> sides_;           // kFloatsPerSide each
    std::vector<std::int32_t> side_maps_;   // four each
    std::vector<float> averages_;
    std::unique_ptr<OnCard> card_;
};

}  // namespace asperity::gl
