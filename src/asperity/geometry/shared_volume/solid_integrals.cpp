// Moments of a clipped solid from its faces, in four lanes: x, y, z and one unused.
#include "asperity/geometry/common/detail/four.h"
#include "asperity/geometry/shared_volume/detail/clipped_solid.h"

namespace asperity::geometry::detail {
namespace {

/// A vertex with the products that every triangle at it needs.
struct Corner {
    Four at, next, after, squares, products;  // xyz, yzx, zxy; xx yy zz; yz zx xy
    explicit Corner(const Four& p) : at(p), next(yzx(p)), after(zxy(p)), squares(p * p), products(next * after) {}
};
Four cross(const Corner& a, const Corner& b) { return a.next * b.after - a.after * b.next; }

}  // namespace

/// Moments::add_tetrahedron for a fan over each face, with the constant factors taken out of the sums.
void ClippedSolid::integrate(const Vec3& origin, Moments& volume, AreaMoments& second_surface) const {
    Four first{}, squares{}, products{}, area{}, turning{}, determinants{};
    const Four zero{origin.x, origin.y, origin.z, 0};
    const Half* halves = halves_.data();
    for (const Side& side : sides_) {
        if (side.half < 0) continue;
        const auto corner = [&](const Half& half) {
            return Corner(Four{x_[static_cast<size_t>(half.corner)], y_[static_cast<size_t>(half.corner)],
                               z_[static_cast<size_t>(half.corner)], 0} -
                          zero);
        };
        const Half* half = halves + side.half;
        const Corner a = corner(*half);
        half = halves + half->next;
        Corner b = corner(*half);
        Four across{}, moment{};
        for (int i = half->next; i != side.half; i = halves[i].next) {
            const Corner c = corner(halves[i]), s(a.at + b.at + c.at);
            const Four terms = a.at * cross(b, c), det = all_four(terms[0] + terms[1] + terms[2]);
            determinants += det;
            first += det * s.at;
            squares += det * (a.squares + b.squares + c.squares + s.squares);
            products += det * (a.products + b.products + c.products + s.products);
            if (side.second) {
                const Four normal = cross(Corner(b.at - a.at), Corner(c.at - a.at));
                across += normal;
                moment += s.next * zxy(normal) - s.after * yzx(normal);
            }
            b = c;
        }
        area += across;
        turning += moment;
    }
    volume.volume += determinants[0] / 6;
    volume.first += (1 / 24.0) * first_three(first);
    volume.squares += (1 / 120.0) * first_three(squares);
    volume.products += (1 / 120.0) * first_three(products);
    second_surface.area += 0.5 * first_three(area);
    second_surface.turning += (1 / 6.0) * first_three(turning);
}

}  // namespace asperity::geometry::detail
