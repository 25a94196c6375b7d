// Motions whose contact is known exactly. Positions at the contact, displacements and weights are small integers and fractions with
// powers of two, so that positions at the start are exact doubles; touches() checks each query without rounding.
#pragma once
#include <array>
#include <string>

#include "asperity/core/random.h"
#include "asperity/math/matrix.h"
#include "dyadic.h"

namespace asperity::ccd {

template <int Dim, int Count>
struct Query {
    std::array<Vector<Dim>, static_cast<std::size_t>(Count)> x, d;
    std::array<double, static_cast<std::size_t>(Count)> weights;  ///< of the points that touch at `time`
    double time;
    std::string kind;
};

/// Whether the weighted points of both simplices coincide at the time of the query, in exact arithmetic.
template <int Dim, int Count>
bool touches(const Query<Dim, Count>& q, std::size_t first) {
    for (int k = 0; k < Dim; ++k) {
        Dyadic sum;
        for (std::size_t i = 0; i < q.x.size(); ++i) {
            const Dyadic term = Dyadic(q.weights[i]) * (Dyadic(q.x[i][k]) + Dyadic(q.time) * Dyadic(q.d[i][k]));
            sum = i < first ? sum + term : sum - term;
        }
        if (sum.sign() != 0) return false;
    }
    return true;
}

class QueryMaker {
  public:
    explicit QueryMaker(std::uint64_t seed) : random_(seed) {}

    template <int Dim, int Count>
    Query<Dim, Count> make(std::size_t first) {
        Query<Dim, Count> q;
        std::array<Vector<Dim>, static_cast<std::size_t>(Count)> y;
        const int size = 1 << (1 + random_.below(10)), speed = 1 << random_.below(14);
        for (std::size_t i = 0; i < y.size(); ++i) {
            y[i] = 64 * integers<Dim>(size);
            q.d[i] = integers<Dim>(speed) * 64;
        }
        set_weights(q.weights, 0, first);
        set_weights(q.weights, first, y.size());
        shape<Dim, Count>(first, y, q);
        Vector<Dim> apart = Vector<Dim>::Zero();  // moves B so that the weighted points coincide
        for (std::size_t i = 0; i < y.size(); ++i) apart += (i < first ? 1 : -1) * q.weights[i] * y[i];
        for (std::size_t i = first; i < y.size(); ++i) y[i] += apart;
        q.time = (1 + random_.below(256)) / 256.0;
        // Common offset and motion, up to 1e6 sizes; and a scale.
        const int far = random_.below(2) * 20;
        const Vector<Dim> offset = integers<Dim>(1 << 10) * std::ldexp(1.0, far),
                          drift = integers<Dim>(1 << 10) * std::ldexp(1.0, far);
        const double scale = std::ldexp(1.0, random_.below(3) * 20 - 30);
        for (std::size_t i = 0; i < y.size(); ++i) {
            q.d[i] += drift;
            q.x[i] = scale * (y[i] - q.time * q.d[i] + offset);
            q.d[i] *= scale;
        }
        return q;
    }

  private:
    template <int Dim>
    Vector<Dim> integers(int most) {
        Vector<Dim> v;
        for (int k = 0; k < Dim; ++k) v[k] = random_.below(2 * most + 1) - most;
        return v;
    }

    /// Sixty-fourths that sum to 1; often some are zero: a vertex or a side.
    template <std::size_t Count>
    void set_weights(std::array<double, Count>& weights, std::size_t from, std::size_t to) {
        int left = 64;
        for (std::size_t i = from; i < to; ++i) {
            const int part = i + 1 == to ? left : random_.below(3) == 0 ? random_.below(2) * left : random_.below(left + 1);
            weights[i] = part / 64.0;
            left -= part;
        }
    }

    /// Makes the query a special one, or leaves it as it is.
    template <int Dim, int Count>
    void shape(std::size_t first, std::array<Vector<Dim>, static_cast<std::size_t>(Count)>& y, Query<Dim, Count>& q) {
        const auto in_plane = [&](auto& points) {
            for (Vector<Dim>& v : points) v[Dim - 1] = 0;
        };
        q.kind = "any";
        switch (random_.below(8)) {
            case 0:
                q.kind = "all in one plane";
                in_plane(y);
                in_plane(q.d);
                break;
            case 1:
                q.kind = "in one plane at the contact";
                in_plane(y);
                break;
            case 2:
                q.kind = "grazing: relative motion along the plane of B";
                for (std::size_t i = first; i < y.size(); ++i) y[i][Dim - 1] = 0;
                in_plane(q.d);
                break;
            case 3:
                q.kind = "parallel";
                if (Count == 4 && first == 2) {
                    y[3] = y[2] + random_.below(5) * (y[1] - y[0]);
                    if (random_.below(2) == 0) q.d[1] = q.d[0], q.d[3] = q.d[2];  // parallel all the time
                }
                break;
            case 4:
                q.kind = "zero length";
                y.back() = y[first];
                if (random_.below(2) == 0) q.d.back() = q.d[first];
                break;
            case 5:
                q.kind = "zero area";
                if (Count == 4 && first == 1) {
                    y[3] = y[1] + random_.below(4) * (y[2] - y[1]);
                    if (random_.below(2) == 0) q.d[3] = q.d[1] + random_.below(2) * (q.d[2] - q.d[1]);
                }
                break;
            case 6:
                q.kind = "translation";
                for (std::size_t i = 1; i < first; ++i) q.d[i] = q.d[0];
                for (std::size_t i = first + 1; i < y.size(); ++i) q.d[i] = q.d[first];
                break;
            default: break;
        }
    }

    Random random_;
};

}  // namespace asperity::ccd
