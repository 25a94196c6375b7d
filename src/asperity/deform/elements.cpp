#include "asperity/deform/elements.h"

#include <algorithm>

#include "asperity/core/parallel.h"
#include "asperity/deform/detail/chunk_results.h"
#include "asperity/deform/detail/models.h"

namespace asperity::deform {
template <int Dim>
Elements<Dim> make_elements(const SolidMesh<Dim>& mesh, const Elasticity& elasticity, int first_node) {
    Elements<Dim> out;
    const std::size_t count = mesh.elements.size();
    out.nodes = mesh.elements;
    out.rest_edges.resize(count);
    out.inverse_rest_edges.resize(count);
    out.rest_volume.resize(count);
    out.material.assign(count, 0);
    out.materials.push_back(material<Dim>(elasticity));
    for (std::size_t e = 0; e < count; ++e) {
        const Vector<Dim>& origin = mesh.points[static_cast<std::size_t>(mesh.elements[e][0])];
        for (int a = 0; a < Dim; ++a)
            out.rest_edges[e].col(a) =
                mesh.points[static_cast<std::size_t>(mesh.elements[e][static_cast<std::size_t>(a) + 1])] - origin;
        const double determinant = out.rest_edges[e].determinant();
        out.inverse_rest_edges[e] = cofactor(out.rest_edges[e]).transpose() / determinant;
        out.rest_volume[e] = determinant / (Dim == 2 ? 2 : 6);
        for (int& node : out.nodes[e]) node += first_node;
    }
    return out;
}

template <int Dim>
void append(Elements<Dim>& to, Elements<Dim>&& from) {
    std::vector<int> place;  // of the materials of `from` in `to`
    for (const Material& material : from.materials) {
        const auto found = std::find(to.materials.begin(), to.materials.end(), material);
        place.push_back(static_cast<int>(found - to.materials.begin()));
        if (found == to.materials.end()) to.materials.push_back(material);
    }
    const auto join = [](auto& list, const auto& more) { list.insert(list.end(), more.begin(), more.end()); };
    join(to.nodes, from.nodes);
    join(to.rest_edges, from.rest_edges);
    join(to.inverse_rest_edges, from.inverse_rest_edges);
    join(to.rest_volume, from.rest_volume);
    for (const int material : from.material) to.material.push_back(place[static_cast<std::size_t>(material)]);
    from = {};
}

template <int Dim>
double elastic_energy(const Elements<Dim>& elements, std::span<const Vector<Dim>> x) {
    const auto chunk = [&](int first, int last) {
        double sum = 0;
        for (int e = first; e < last; ++e) {
            const auto i = static_cast<std::size_t>(e);
            const Material& material = elements.materials[static_cast<std::size_t>(elements.material[i])];
            const Matrix<Dim, Dim> G = displacement_gradient(elements, x, e);
            sum += elements.rest_volume[i] *
                   with_model<Dim>(material.model, [&]<class Model>(Model) { return Model::energy(material.lame, G); });
        }
        return sum;
    };
    return join_chunks(elements.count(), 0, chunk, [](double a, double b) { return a + b; });
}

template <int Dim>
void elastic_gradient(const Elements<Dim>& elements, std::span<const Vector<Dim>> x, std::span<Vector<Dim>> out) {
    parallel_for(
        elements.count(),
        [&](int e) {
            const auto i = static_cast<std::size_t>(e);
            const Material& material = elements.materials[static_cast<std::size_t>(elements.material[i])];
            const Matrix<Dim, Dim> G = displacement_gradient(elements, x, e);
            const Matrix<Dim, Dim> P = with_model<Dim>(
                material.model, [&]<class Model>(Model) -> Matrix<Dim, Dim> { return Model::stress(material.lame, G); });
            // the gradient of the energy by the corners is +V P D_m^-T; the force is minus that
            const Matrix<Dim, Dim> nodal = elements.rest_volume[i] * P * elements.inverse_rest_edges[i].transpose();
            Vector<Dim> sum = Vector<Dim>::Zero();
            for (int a = 0; a < Dim; ++a) {
                out[i * (Dim + 1) + static_cast<std::size_t>(a) + 1] = nodal.col(a);
                sum -= nodal.col(a);
            }
            out[i * (Dim + 1)] = sum;
        },
        64);
}

template <int Dim>
void elastic_hessian(const Elements<Dim>& elements, std::span<const Vector<Dim>> x, Projection projection, int element,
                     Matrix<Dim*(Dim + 1), Dim*(Dim + 1)>& out) {
    const auto e = static_cast<std::size_t>(element);
    const Material& material = elements.materials[static_cast<std::size_t>(elements.material[e])];
    const Matrix<Dim, Dim> gradients = elements.inverse_rest_edges[e].transpose();
    Matrix<Dim * Dim, Dim * Dim> inner;  // corners 1 to Dim; those of corner 0 are minus their sums
    hessian_of<Dim>(material, displacement_gradient(elements, x, element), projection, gradients, inner);
    inner *= elements.rest_volume[e];
    out.template bottomRightCorner<Dim * Dim, Dim * Dim>() = inner;
    Matrix<Dim, Dim> corner = Matrix<Dim, Dim>::Zero();
    for (int b = 0; b < Dim; ++b) {
        Matrix<Dim, Dim> sum = Matrix<Dim, Dim>::Zero();
        for (int a = 0; a < Dim; ++a) sum -= inner.template block<Dim, Dim>(a * Dim, b * Dim);
        out.template block<Dim, Dim>(0, (b + 1) * Dim) = sum;
        out.template block<Dim, Dim>((b + 1) * Dim, 0) = sum.transpose();
        corner -= sum;
    }
    out.template topLeftCorner<Dim, Dim>() = 0.5 * (corner + corner.transpose());
}

#define ASPERITY_INSTANTIATE(Dim)                                                                                    \
    template Elements<Dim> make_elements<Dim>(const SolidMesh<Dim>&, const Elasticity&, int);                        \
    template void append<Dim>(Elements<Dim>&, Elements<Dim> &&);                                                     \
    template double elastic_energy<Dim>(const Elements<Dim>&, std::span<const Vector<Dim>>);                         \
    template void elastic_gradient<Dim>(const Elements<Dim>&, std::span<const Vector<Dim>>, std::span<Vector<Dim>>); \
    template void elastic_hessian<Dim>(const Elements<Dim>&, std::span<const Vector<Dim>>, Projection, int,          \
                                       Matrix<Dim*(Dim + 1), Dim*(Dim + 1)>&);
ASPERITY_INSTANTIATE(2)
ASPERITY_INSTANTIATE(3)
#undef ASPERITY_INSTANTIATE

}  // namespace asperity::deform
