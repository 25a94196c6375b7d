// The size of the tiles in which a periodic picture covers a surface.
#pragma once
#include "asperity/geometry/shape/face_size.h"

namespace asperity::surface {

struct TileSize {
    double edge = 1;      ///< along u: [m] if `metres`, else in units of u, so that a face has 1/edge tiles
    double rise = 1;      ///< edge along v over edge along u; of a picture in metres height over width, so texels are square
    bool metres = false;  ///< on a half-space u and v are metres, so there it makes no difference

    TileSize() = default;
    TileSize(double of_face, double v_over_u = 1) : edge(of_face), rise(v_over_u) {}
    static TileSize in_metres(double edge) {
        TileSize size(edge);
        size.metres = true;
        return size;
    }
    /// The same for a picture of this size.
    TileSize of_picture(int width, int height) const {
        TileSize size = *this;
        if (metres) size.rise = static_cast<double>(height) / width;
        return size;
    }
    /// Edges of a tile on a face of the shape, in units of u and v.
    Vec2 on(const geometry::Shape& shape, int face) const {
        const double up = edge * rise;
        if (!metres) return {edge, up};
        const Vec2 size = geometry::face_size(shape, face);
        return {edge / size.x, up / size.y};
    }
    friend bool operator==(const TileSize&, const TileSize&) = default;
};

}  // namespace asperity::surface
