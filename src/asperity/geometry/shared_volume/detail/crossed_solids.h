// The intersection of two convex polyhedra, built in one pass. Clipping one by each plane of the other would build a solid
// per plane. Each corner of the intersection is a corner of one body inside the other, or a crossing of an edge of one with
// a face of the other. So its edges are
//     segments: the part of an edge inside the other body. Each corner stores in a bit mask which planes of the other
//     body it is beyond.
//     chords: where a face f of A and a face g of B cross, between two such crossings. An edge between f and f' that
//     crosses g gives one end to (f, g) and one to (f', g).
// In f the chord starts where an edge of f leaves B or an edge of g enters A, and ends where an edge of f enters B or an
// edge of g leaves A. If each chord has one start and one end, every face is a closed loop, whatever the rounding of its
// corners. The result is Unsure if a chord has not exactly one start and one end, if a corner lies in a plane of the other
// body, if corners - edges + faces != 2, or if the mean of the corners is not inside both bodies. A "corner" here is a
// vertex of the offset polyhedron: a vertex with more than three faces splits into several (OffsetPolyhedron).
#pragma once
#include <cstdint>
#include <vector>

#include "asperity/geometry/common/detail/kept_list.h"
#include "asperity/geometry/hull/detail/face_table.h"
#include "asperity/geometry/shared_volume/detail/moments.h"

namespace asperity::geometry::detail {

class CrossedSolids {
  public:
    enum class Found { Nothing, Shared, Unsure };
    /// Maps corners p of A to `at` + `turn` p in the axes of B, whose planes are offset by `grow`. Returns Nothing if one
    /// body lies inside the other.
    Found meet(const FaceTable& a, const FaceTable& b, const Mat3& turn, const Vec3& at, double grow);

    /// Corners of the intersection, in the axes of A.
    size_t corner_count() const { return corner_count_; }
    Vec3 corner(size_t i) const { return {corners_[4 * i], corners_[4 * i + 1], corners_[4 * i + 2]}; }
    /// Moments about `origin`; `b_surface` is the surface of B inside A.
    void integrate(const Vec3& origin, Moments& volume, AreaMoments& b_surface) const;

  private:
    using Mask = std::uint64_t;
    static constexpr size_t kMostFaces = 64;
    struct Body {
        const FaceTable* table = nullptr;
        double grow = 0, margin = 0;       // offset of its planes, and largest displacement of its corners
        std::vector<double> x, y, z;       // its vertices in the axes of the other body
        FourColumns displacement_columns;  // rotates corner displacements to these axes and scales them by `grow`
        Vec3 inner;                        // a point inside the body
        // Its part below one plane of the other body
        std::vector<double> height;               // per vertex
        std::vector<unsigned> seen, reached;      // per vertex and face: number of the last call that visited it
        std::vector<int> edges, vertices, faces;  // edges that reach this part, their vertices and their faces
        std::vector<int> stops;  // per such edge: the far end, which is the higher one if one is above the plane
        size_t edge_count = 0, vertex_count = 0, reached_count = 0;
        Vec3 middle, half;  // bounding box of this part, in the axes of the other body
        // Its faces that may cut the other body, a bit of a mask each
        std::vector<int> number, face;  // per face: its bit, or -1; and the face of each bit
        size_t face_count = 0;
        std::vector<double> nx, ny, nz, offset;
        std::vector<Mask> beyond;  // per bit + 1: the other's faces that all corners of the face are beyond
        // The other's faces that its corners are beyond: per vertex, then per corner into which a vertex splits
        std::vector<Mask> masks;
        std::vector<int> has_split_masks;  // per vertex: whether its corners have masks of their own
        std::vector<int> shared;           // per corner: its index in the intersection, or -1

        bool splits() const { return grow > 0; }
        void place(const FaceTable& t, double planes_move, const Mat3& to_other, const Vec3& shift);
        bool reach_below(const Body& other, double rounding, unsigned call);
        bool choose_faces(const Body& other);
        void set_face_count(size_t count);
        bool find_masks(const Body& other, double rounding);
        bool find_corner_masks(size_t vertex, const Body& other, double rounding);
        void find_faces_beyond();
        void drop_faces_beyond();
        void forget_faces_beyond(Body& other);
        size_t mask_of(int corner, int vertex) const {
            return static_cast<size_t>(
                has_split_masks[static_cast<size_t>(vertex)] ? static_cast<int>(table->corner_rows) + corner : vertex);
        }
        Four corner(int corner, int vertex) const {  // in the axes of the other body
            const Four p{x[static_cast<size_t>(vertex)], y[static_cast<size_t>(vertex)], z[static_cast<size_t>(vertex)], 0};
            if (!splits()) return p;
            const Vec3& way = table->grown.corners[static_cast<size_t>(corner)].way;
            return p + displacement_columns.x * way.x + displacement_columns.y * way.y + displacement_columns.z * way.z;
        }
        Four own_vertex(int v) const { return Four{table->corners(0)[v], table->corners(1)[v], table->corners(2)[v], 0}; }
    };
    struct Segment {
        int from, to, left, right;  // corners; faces, with those of B after those of A
    };
    struct Chord {
        int start = -1, end = -1;  // as seen from A's face
    };
    template <bool kIsA>
    bool take_edges();
    template <bool kIsA>
    bool take(const OffsetPolyhedron::Edge& edge);
    template <bool kIsA>
    bool cut(const OffsetPolyhedron::Edge& edge, Mask from_beyond, Mask to_beyond, int left, int right);
    template <bool kIsA>
    int whole_end(int corner, int vertex);
    int add_corner(const Four& p) {
        four(&corners_[4 * corner_count_]) = p;
        return static_cast<int>(corner_count_++);
    }
    template <bool kIsA>
    void add_segment(int from, int to, int left, int right) {
        const int first = kIsA ? 0 : static_cast<int>(a_.face_count);
        segments_[segment_count_++] = {from, to, first + left, first + right};
    }
    bool add_end(int face_a, int face_b, bool start, int corner);
    bool join_chords();
    bool has_sphere_topology();

    Body a_, b_;
    unsigned call_ = 0;
    std::vector<const OffsetPolyhedron::Edge*> inside_;  // edges that are not wholly outside
    std::vector<double> corners_;                        // four numbers each
    std::vector<Segment> segments_;                      // chords last
    size_t corner_count_ = 0, segment_count_ = 0, first_chord_ = 0;
    std::vector<Chord> chords_;   // per pair of faces; empty between calls
    KeptList<int> met_;           // the chords that are not empty
    std::vector<int> reference_;  // per face: one of its corners
};

}  // namespace asperity::geometry::detail
