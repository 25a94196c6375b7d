#include "asperity/math/dense.h"

#include <algorithm>
#include <cmath>

namespace asperity {

Quat quaternion(const Mat3& m) {
    const double xx = m.r[0].x, yy = m.r[1].y, zz = m.r[2].z;
    const double trace = xx + yy + zz;
    Quat q;
    if (trace >= std::max({xx, yy, zz}))
        q = {1 + trace, m.r[2].y - m.r[1].z, m.r[0].z - m.r[2].x, m.r[1].x - m.r[0].y};
    else if (xx >= yy && xx >= zz)
        q = {m.r[2].y - m.r[1].z, 1 + xx - yy - zz, m.r[0].y + m.r[1].x, m.r[0].z + m.r[2].x};
    else if (yy >= zz)
        q = {m.r[0].z - m.r[2].x, m.r[0].y + m.r[1].x, 1 + yy - xx - zz, m.r[1].z + m.r[2].y};
    else
        q = {m.r[1].x - m.r[0].y, m.r[0].z + m.r[2].x, m.r[1].z + m.r[2].y, 1 + zz - xx - yy};
    return normalized(q);
}

SymBlock inverse(const SymBlock& a, int n) {
    double largest = 0;
    for (int i = 0; i < n; ++i) largest = std::max(largest, a.m[i][i]);
    const double tiny = 1e-12 * largest;

    // A = L L^T, skipping dependent rows
    double L[kMaxBlockRows][kMaxBlockRows] = {};
    bool used[kMaxBlockRows] = {};
    for (int j = 0; j < n; ++j) {
        double pivot = a.m[j][j];
        for (int k = 0; k < j; ++k) pivot -= L[j][k] * L[j][k];
        used[j] = pivot > tiny && pivot > 0;
        if (!used[j]) continue;
        L[j][j] = std::sqrt(pivot);
        for (int i = j + 1; i < n; ++i) {
            double s = a.m[i][j];
            for (int k = 0; k < j; ++k) s -= L[i][k] * L[j][k];
            L[i][j] = s / L[j][j];
        }
    }

    // the inverse column by column: L y = e, L^T x = y
    SymBlock inv;
    for (int c = 0; c < n; ++c) {
        if (!used[c]) continue;
        double y[kMaxBlockRows] = {};
        for (int i = 0; i < n; ++i) {
            if (!used[i]) continue;
            double s = i == c ? 1 : 0;
            for (int k = 0; k < i; ++k) s -= L[i][k] * y[k];
            y[i] = s / L[i][i];
        }
        for (int i = n - 1; i >= 0; --i) {
            if (!used[i]) continue;
            double s = y[i];
            for (int k = i + 1; k < n; ++k)
                if (used[k]) s -= L[k][i] * inv.m[k][c];
            inv.m[i][c] = s / L[i][i];
        }
    }
    return inv;
}

double largest_eigenvalue(const SymBlock& a, int first, int n) {
    if (n - first == 1) return a.m[first][first];
    if (n - first == 2) {
        const double p = a.m[first][first], q = a.m[first + 1][first + 1], s = a.m[first][first + 1];
        return 0.5 * (p + q) + std::hypot(0.5 * (p - q), s);
    }
    if (n - first == 3) {
        Mat3 m, vectors;
        Vec3 values;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) m.r[i][j] = a.m[first + i][first + j];
        symmetric_eigen(m, values, vectors);
        return values.x;
    }
    double bound = 0;  // Gershgorin's upper bound
    for (int i = first; i < n; ++i) {
        double row = 0;
        for (int j = first; j < n; ++j) row += std::fabs(a.m[i][j]);
        bound = std::max(bound, row);
    }
    return bound;
}

void symmetric_eigen(const Mat3& a, Vec3& values, Mat3& vectors) {
    Mat3 m = a;
    vectors = Mat3::identity();
    for (int sweep = 0; sweep < 32; ++sweep) {
        const double off = std::fabs(m.r[0].y) + std::fabs(m.r[0].z) + std::fabs(m.r[1].z);
        const double diagonal = std::fabs(m.r[0].x) + std::fabs(m.r[1].y) + std::fabs(m.r[2].z);
        if (off <= 1e-17 * diagonal) break;
        for (int p = 0; p < 2; ++p) {
            for (int q = p + 1; q < 3; ++q) {
                if (m.r[p][q] == 0) continue;
                const double theta = (m.r[q][q] - m.r[p][p]) / (2 * m.r[p][q]), size = std::fabs(theta);
                const double t = (theta >= 0 ? 1.0 : -1.0) / (size + (size < 1e100 ? std::sqrt(theta * theta + 1) : size));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                // Rotates rows and columns p and q; r is the third index.
                const int r = 3 - p - q;
                const double shift = t * m.r[p][q], rp = m.r[r][p], rq = m.r[r][q];
                m.r[p][p] -= shift;
                m.r[q][q] += shift;
                m.r[p][q] = m.r[q][p] = 0;
                m.r[r][p] = m.r[p][r] = c * rp - s * rq;
                m.r[r][q] = m.r[q][r] = s * rp + c * rq;
                for (Vec3& row : vectors.r) {
                    const double vp = row[p], vq = row[q];
                    row[p] = c * vp - s * vq;
                    row[q] = s * vp + c * vq;
                }
            }
        }
    }
    int order[3] = {0, 1, 2};
    std::sort(order, order + 3, [&](int i, int j) { return m.r[i][i] > m.r[j][j]; });
    const Mat3 columns = transposed(vectors);
    values = {m.r[order[0]][order[0]], m.r[order[1]][order[1]], m.r[order[2]][order[2]]};
    Mat3 sorted = {{columns.r[order[0]], columns.r[order[1]], columns.r[order[2]]}};
    if (dot(cross(sorted.r[0], sorted.r[1]), sorted.r[2]) < 0) sorted.r[2] = -sorted.r[2];  // a rotation, no reflection
    vectors = transposed(sorted);
}

}  // namespace asperity
