#include "asperity/solvers/problem/linearise_block.h"

#include <cmath>

#include "asperity/friction/projection_derivative.h"
#include "asperity/solvers/problem/patch_block.h"

namespace asperity::solvers {
namespace {

/// Eigenvalues of dx/dp below this count as zero: the set fixes the impulse in that direction.
constexpr double kFixedDirection = 1e-14;

/// Rows [first, rows) of a block: the friction part of a slipping contact, or a Ball at its bound. F is their natural map, D
/// = dx/dp, and dn = y_0 + excess. With D = V diag(d) V^T, the directions N where D vanishes and the others V give
///     N.dlambda = N.p_n dn - N.F                                           known at once
///     (1 - d)/r y + d V.du - V.p_n dn/r = -V.F/r                           one equation per direction V
void reduce_slip(BlockLinearisation& out, int first, int rows, double r, const Vec3& F, const Mat3& D, const Vec3& p_n,
                 double excess) {
    const int count = rows - first;
    Vec3 d;
    Mat3 axes;
    if (count == 2) {  // rank one
        const Vec3 a = std::fabs(D.r[0][0]) >= std::fabs(D.r[1][1]) ? D.r[0] : D.r[1];
        const double size = std::hypot(a.x, a.y);
        const Vec3 v = size > 0 ? Vec3{a.x / size, a.y / size, 0} : Vec3{1, 0, 0};
        axes = {{{v.x, -v.y, 0}, {v.y, v.x, 0}, {0, 0, 1}}};
        d = {D.r[0][0] + D.r[1][1], 0, 0};
    } else {
        symmetric_eigen(D, d, axes);
    }
    for (int k = 0; k < count; ++k) {
        const Vec3 v = axes.column(k);
        if (d[k] <= kFixedDirection) {
            const double push = dot(v, p_n), known = push * excess - dot(v, F);
            for (int i = 0; i < count; ++i) {
                if (first == 1) out.T[first + i][0] += v[i] * push;
                out.c[first + i] += v[i] * known;
            }
            continue;
        }
        const int y = out.size++;
        for (int i = 0; i < count; ++i) {
            out.T[first + i][y] = v[i];
            out.L[y][first + i] = d[k] * v[i];
        }
        out.E[y][y] = (1 - d[k]) / r;
        if (first == 1) out.E[y][0] = -dot(v, p_n) / r;
        out.g[y] = (dot(v, F) - dot(v, p_n) * excess) / r;
    }
}

void start_with_normal(BlockLinearisation& out, const double* u) {
    out.size = 1;
    out.T[0][0] = out.L[0][0] = 1;
    out.g[0] = u[0];
}

void stick(BlockLinearisation& out, int rows, const double* u) {
    out.whole = true;
    out.size = rows;
    for (int i = 0; i < rows; ++i) out.g[i] = u[i];
}

BlockLinearisation linearise_contact(const Block& block, const double* r, const double* lambda, const double* u,
                                     double frozen) {
    BlockLinearisation out;
    const double n = lambda[0] - r[0] * u[0];
    if (!(n > 0) || r[0] == 0) {
        for (int i = 0; i < block.rows; ++i) out.c[i] = -lambda[i];
        return out;
    }
    if (block.rows > 1 && r[1] > 0) {
        const Vec3 f = friction_rows(block, lambda), z = f - r[1] * friction_rows(block, u);
        const bool moves = frozen < 0;
        const friction::Projection x = friction::project_with_derivatives(block.set, z, moves ? n : frozen);
        if (x.inside) {
            stick(out, block.rows, u);
            return out;
        }
        start_with_normal(out, u);
        // n = lambda_n - r_n u_n, and the normal row demands du_n = -u_n; hence dn = dlambda_n + r_n u_n
        reduce_slip(out, 1, block.rows, r[1], f - x.point, x.by_p, moves ? x.by_n : Vec3{}, r[0] * u[0]);
        return out;
    }
    start_with_normal(out, u);
    return out;
}

BlockLinearisation linearise_ball(const Block& block, const double* r, const double* lambda, const double* u) {
    BlockLinearisation out;
    if (r[0] == 0) return out;
    Vec3 f, z;
    for (int i = 0; i < 3; ++i) {
        f[i] = lambda[i];
        z[i] = lambda[i] - r[0] * u[i];
    }
    const double size = length(z);
    if (size <= block.high) {
        stick(out, 3, u);
        return out;
    }
    const Vec3 axis = z / size;
    const Mat3 D = (block.high / size) * (Mat3::identity() + -1.0 * outer(axis, axis));
    reduce_slip(out, 0, 3, r[0], f - block.high * axis, D, {}, 0);
    return out;
}

/// The defect of a patch, reordered to its rows.
int patch_map_of(const Block& block, const double* lambda, const double* u, double* F, double frozen) {
    double d[kPatchRows];
    const int piece = patch_defect(*block.patch, {block.r_n, block.r_f}, lambda, u, d, frozen);
    F[0] = d[0];
    F[4] = d[2];
    F[5] = -d[1];  // m = (-tau_w, tau_u)
    for (int i = 0; i < 3; ++i) F[1 + i] = d[3 + i];
    return piece;
}

/// The change of an open patch, or of one that neither tips, slides nor spins, has a closed form as at a point contact. All
/// others use finite differences with a step of 1e-7 of the impulses. The map is piecewise smooth; at a border between
/// pieces Newton's method must choose one side in any case.
BlockLinearisation linearise_patch(const Block& block, const double* r, const double* lambda, const double* u,
                                   double frozen) {
    BlockLinearisation out;
    if (block.r_n == 0) return out;
    double F[kPatchRows], changed[kPatchRows], moved[kPatchRows], size = 1e-300;
    out.piece = patch_map_of(block, lambda, u, F, frozen);
    if (out.piece == kPatchOpen) {
        for (int i = 0; i < kPatchRows; ++i) out.c[i] = -lambda[i];
        return out;
    }
    if (out.piece == kPatchSticks && block.r_f > 0) {
        stick(out, kPatchRows, u);
        return out;
    }
    for (int i = 0; i < kPatchRows; ++i) size = larger(size, larger(std::fabs(lambda[i]), r[i] * std::fabs(u[i])));
    const double h = 1e-7 * size;
    out.size = kPatchRows;
    for (int k = 0; k < kPatchRows; ++k) {
        out.T[k][k] = 1;
        out.g[k] = r[k] > 0 ? F[k] / r[k] : 0;
        for (const bool by_u : {false, true}) {
            const double step = by_u ? (r[k] > 0 ? h / r[k] : 0) : h;
            if (step == 0) continue;
            for (int i = 0; i < kPatchRows; ++i) moved[i] = (by_u ? u : lambda)[i] + (i == k ? step : 0);
            patch_map_of(block, by_u ? lambda : moved, by_u ? moved : u, changed, frozen);
            for (int i = 0; i < kPatchRows; ++i)
                if (r[i] > 0) (by_u ? out.L : out.E)[i][k] = (changed[i] - F[i]) / (step * r[i]);
        }
    }
    return out;
}

}  // namespace

void natural_map_of(const Block& block, const double* r, const double* lambda, const double* u, double* F, double frozen) {
    if (block.kind == BlockKind::Bilateral) {
        for (int i = 0; i < block.rows; ++i) F[i] = r[i] * u[i];
        return;
    }
    if (block.kind == BlockKind::Patch) {
        patch_map_of(block, lambda, u, F, frozen);
        for (int i = 0; i < kPatchRows; ++i)
            if (r[0] == 0 || r[i] == 0) F[i] = 0;
        return;
    }
    double z[kMaxBlockRows];
    for (int i = 0; i < block.rows; ++i) z[i] = lambda[i] - r[i] * u[i];
    project_block(block, frozen < 0 ? z[0] : z[0] > 0 ? frozen : 0, z);
    for (int i = 0; i < block.rows; ++i) F[i] = r[0] > 0 && r[i] > 0 ? lambda[i] - z[i] : 0;
}

BlockLinearisation linearise(const Block& block, const double* r, const double* lambda, const double* u, double frozen) {
    switch (block.kind) {
        case BlockKind::Contact: return linearise_contact(block, r, lambda, u, frozen);
        case BlockKind::Ball: return linearise_ball(block, r, lambda, u);
        case BlockKind::Patch: return linearise_patch(block, r, lambda, u, frozen);
        case BlockKind::Bilateral: {
            BlockLinearisation out;
            stick(out, block.rows, u);
            for (int i = 0; i < block.rows; ++i)
                if (r[i] == 0) out.g[i] = 0;
            return out;
        }
        case BlockKind::Interval: {
            BlockLinearisation out;
            const double z = lambda[0] - r[0] * u[0];
            if (r[0] > 0 && z > block.low && z < block.high)
                stick(out, 1, u);
            else
                out.c[0] = clamp(z, block.low, block.high) - lambda[0];
            return out;
        }
    }
    return {};
}

}  // namespace asperity::solvers
