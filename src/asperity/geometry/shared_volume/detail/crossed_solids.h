// What two convex polyhedra share, found all at once where cutting one by the planes of the other would build a solid after
// each cut. Every corner of it is a corner of one body inside the other or a place where an edge of one goes through a face
// of the other, and so its edges are
//     pieces of edges: what is left of each between where it comes in and where it goes out; corners know, a bit each, which
//     planes of the other body they are beyond,
//     chords: a face f of A and a face g of B meet between two of those places. An edge between f and f' that goes through g
//     gives one end to (f, g) and one to (f', g).
// In f the chord starts where an edge of f leaves B, or an edge of g comes into A, and ends where one comes in, or leaves.
// With one start and one end to each chord every face is a closed loop, whatever rounding does to its corners. Where that is
// not so, where a corner lies in a plane of the other body, where corners - edges + faces != 2, or where its middle is not
// inside both bodies, nothing is said.
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
    /// Corners of A are at `at` + `turn` p in the axes of B, whose planes move out by `grow`. A body within the other counts
    /// as nothing.
    Found meet(const FaceTable& a, const FaceTable& b, const Mat3& turn, const Vec3& at, double grow);

    /// Of what is shared, in the axes of A.
    size_t corner_count() const { return corner_count_; }
    Vec3 corner(size_t i) const { return {corners_[4 * i], corners_[4 * i + 1], corners_[4 * i + 2]}; }
    /// Moments about `origin`; the surface of B inside A.
    void integrate(const Vec3& origin, Moments& volume, AreaMoments& b_surface) const;

  private:
    using Mask = std::uint64_t;
    static constexpr size_t kMostFaces = 64;
    struct Body {
        const FaceTable* table = nullptr;
        double grow = 0, margin = 0;  // how far its planes move, and its corners at most
        std::vector<double> x, y, z;  // its vertices in the axes of the other body
        FourColumns way_turn;         // turns the ways of its corners to these, and makes them as long as it grows
        Vec3 inner;                   // some place inside it
        // Its part below one plane of the other
        std::vector<double> height;               // per vertex
        std::vector<unsigned> seen, reached;      // per vertex and face: the call that came there
        std::vector<int> edges, vertices, faces;  // that reach it, with both ends
        std::vector<int> stops;  // of these edges: the end that is the higher one, where one is above the plane
        size_t edge_count = 0, vertex_count = 0, reached_count = 0;
        Vec3 middle, half;  // the box of it, in the axes of the other body
        // Its faces that may cut the other: a bit of a mask each
        std::vector<int> number, face;  // per face, -1: none; and back
        size_t face_count = 0;
        std::vector<double> nx, ny, nz, offset;
        std::vector<Mask> beyond;  // per number + 1: which faces of the other all corners of the face are beyond
        // Which faces of the other its corners are beyond: per vertex, and after these per corner that it falls apart to
        std::vector<Mask> masks;
        std::vector<int> parted;  // per vertex: whether its corners have masks of their own
        std::vector<int> shared;  // per corner: its number in what is shared, -1: none yet

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
            return static_cast<size_t>(parted[static_cast<size_t>(vertex)] ? static_cast<int>(table->corner_rows) + corner
                                                                           : vertex);
        }
        Four corner(int corner, int vertex) const {  // in the axes of the other body
            const Four p{x[static_cast<size_t>(vertex)], y[static_cast<size_t>(vertex)], z[static_cast<size_t>(vertex)], 0};
            if (!splits()) return p;
            const Vec3& way = table->grown.corners[static_cast<size_t>(corner)].way;
            return p + way_turn.x * way.x + way_turn.y * way.y + way_turn.z * way.z;
        }
        Four own_vertex(int v) const { return Four{table->corners(0)[v], table->corners(1)[v], table->corners(2)[v], 0}; }
    };
    struct Segment {
        int from, to, left, right;  // corners and faces: those of B after those of A
    };
    struct Chord {
        int start = -1, end = -1;  // as A's face sees it
    };
    template <bool kIsA>
    bool take_edges();
    template <bool kIsA>
    bool take(const GrownForm::Edge& edge);
    template <bool kIsA>
    bool cut(const GrownForm::Edge& edge, Mask from_beyond, Mask to_beyond, int left, int right);
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
    bool is_one_ball();

    Body a_, b_;
    unsigned call_ = 0;
    std::vector<const GrownForm::Edge*> inside_;  // or partly
    std::vector<double> corners_;                 // four each
    std::vector<Segment> segments_;               // chords last
    size_t corner_count_ = 0, segment_count_ = 0, first_chord_ = 0;
    std::vector<Chord> chords_;   // per pair of faces; between calls all are empty
    KeptList<int> met_;           // those that are not
    std::vector<int> reference_;  // per face: one of its corners
};

}  // namespace asperity::geometry::detail
