#include "asperity/implicit/mass.h"

#include <cmath>

namespace asperity::implicit {

template <int Dim>
void add_coupled_mass(const Model<Dim>& model, std::span<const Vector<Dim>> y, std::span<Vector<Dim>> out) {
    if (!has_coupled_mass(model)) return;
    for (std::size_t e = 0; e < model.elements.nodes.size(); ++e) {
        const double c = mass_coupling(model, e);
        if (c == 0) continue;
        Vector<Dim> sum = Vector<Dim>::Zero();
        for (const int node : model.elements.nodes[e]) sum += y[static_cast<std::size_t>(node)];
        for (const int node : model.elements.nodes[e])
            out[static_cast<std::size_t>(node)] += c * (sum - (Dim + 1) * y[static_cast<std::size_t>(node)]);
    }
}

template <int Dim>
double coupled_mass_square(const Model<Dim>& model, std::span<const Vector<Dim>> y) {
    if (!has_coupled_mass(model)) return 0;
    double total = 0;
    for (std::size_t e = 0; e < model.elements.nodes.size(); ++e) {
        const double c = mass_coupling(model, e);
        if (c == 0) continue;
        Vector<Dim> sum = Vector<Dim>::Zero();
        double squares = 0;
        for (const int node : model.elements.nodes[e]) {
            sum += y[static_cast<std::size_t>(node)];
            squares += y[static_cast<std::size_t>(node)].squaredNorm();
        }
        total += c * (sum.squaredNorm() - (Dim + 1) * squares);
    }
    return total;
}

template <int Dim>
void solve_mass(const Model<Dim>& model, std::span<const Vector<Dim>> force, std::span<Vector<Dim>> acceleration) {
    const std::size_t n = force.size();
    std::vector<double> diagonal(model.node_mass);
    for (std::size_t e = 0; e < model.element_mass.size(); ++e)
        for (const int node : model.elements.nodes[e])
            diagonal[static_cast<std::size_t>(node)] -= Dim * mass_coupling(model, e);
    const auto is_free = [&](std::size_t i) { return model.is_free(static_cast<int>(i)); };
    const auto dot = [&](const std::vector<Vector<Dim>>& p, const std::vector<Vector<Dim>>& q) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += p[i].dot(q[i]);
        return sum;
    };
    std::vector<Vector<Dim>> residual(n, Vector<Dim>::Zero()), scaled(n, Vector<Dim>::Zero()), direction(n), product(n);
    for (std::size_t i = 0; i < n; ++i) {
        acceleration[i].setZero();
        if (is_free(i)) residual[i] = force[i];
        scaled[i] = residual[i] / diagonal[i];
    }
    direction = scaled;
    double rho = dot(residual, scaled);
    const double enough = 1e-30 * rho;  // relative to 1e-15
    constexpr int kMost = 500;          // some 60 are needed
    for (int k = 0; k < kMost && rho > enough; ++k) {
        for (std::size_t i = 0; i < n; ++i) product[i] = model.node_mass[i] * direction[i];
        add_coupled_mass<Dim>(model, direction, product);
        for (std::size_t i = 0; i < n; ++i)
            if (!is_free(i)) product[i].setZero();
        const double step = rho / dot(direction, product);
        for (std::size_t i = 0; i < n; ++i) {
            acceleration[i] += step * direction[i];
            residual[i] -= step * product[i];
            scaled[i] = residual[i] / diagonal[i];
        }
        const double next = dot(residual, scaled);
        for (std::size_t i = 0; i < n; ++i) direction[i] = scaled[i] + next / rho * direction[i];
        rho = next;
    }
}

#define ASPERITY_INSTANTIATE(Dim)                                                                                 \
    template void add_coupled_mass<Dim>(const Model<Dim>&, std::span<const Vector<Dim>>, std::span<Vector<Dim>>); \
    template double coupled_mass_square<Dim>(const Model<Dim>&, std::span<const Vector<Dim>>);                    \
    template void solve_mass<Dim>(const Model<Dim>&, std::span<const Vector<Dim>>, std::span<Vector<Dim>>);
ASPERITY_INSTANTIATE(2)
ASPERITY_INSTANTIATE(3)
#undef ASPERITY_INSTANTIATE

}  // namespace asperity::implicit
