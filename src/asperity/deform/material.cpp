#include "asperity/deform/material.h"

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/deform/detail/models.h"

namespace asperity::deform {

void check(const Elasticity& e) {
    if (!(e.young > 0) || !std::isfinite(e.young))
        throw InputError(
            fmt::format("young = {}: Young's modulus must be positive and finite [Pa]; rubber has about 1e6, "
                        "steel 2e11",
                        e.young));
    if (e.poisson == 0.5)
        throw InputError(
            "poisson = 0.5: an incompressible material has no finite lambda, and linear elements would lock; use "
            "0.49 at most, or 0.45 for rubber");
    if (!(e.poisson > -1 && e.poisson < 0.5))
        throw InputError(
            fmt::format("poisson = {}: Poisson's ratio must be above -1 and below 0.5; metals have about 0.3, "
                        "rubber 0.45 to 0.49",
                        e.poisson));
    if (e.model == Hyperelastic::FixedCorotated && e.poisson < 0)
        throw InputError(fmt::format(
            "poisson = {}: with a negative ratio the energy of fixed_corotated falls without bound as a body grows; "
            "use neo_hookean or stable_neo_hookean",
            e.poisson));
}

template <int Dim>
Material material(const Elasticity& e) {
    Lame lame{e.young / (2 * (1 + e.poisson)), e.young * e.poisson / ((1 + e.poisson) * (1 - 2 * e.poisson))};
    if (Dim == 2 && e.plane == Plane::Stress) lame.lambda = 2 * lame.lambda * lame.mu / (lame.lambda + 2 * lame.mu);
    return {e.model, lame, Dim == 2 ? e.plane : Plane::Strain};
}

template <int Dim>
double energy_density(const Material& material, const Matrix<Dim, Dim>& G) {
    return with_model<Dim>(material.model, [&]<class Model>(Model) { return Model::energy(material.lame, G); });
}

template <int Dim>
Matrix<Dim, Dim> first_piola(const Material& material, const Matrix<Dim, Dim>& G) {
    return with_model<Dim>(material.model, [&]<class Model>(Model) { return Model::stress(material.lame, G); });
}

template <int Dim>
void energy_hessian(const Material& material, const Matrix<Dim, Dim>& G, Projection projection,
                    const Matrix<Dim, Dim>& directions, Matrix<Dim * Dim, Dim * Dim>& out) {
    hessian_of<Dim>(material, G, projection, directions, out);
}

std::string_view name(Hyperelastic model) {
    switch (model) {
        case Hyperelastic::StableNeoHookean: return "stable_neo_hookean";
        case Hyperelastic::FixedCorotated: return "fixed_corotated";
        case Hyperelastic::Linear: return "linear";
        case Hyperelastic::NeoHookean: break;
    }
    return "neo_hookean";
}

#define ASPERITY_INSTANTIATE(Dim)                                                                                    \
    template Material material<Dim>(const Elasticity&);                                                              \
    template double energy_density<Dim>(const Material&, const Matrix<Dim, Dim>&);                                   \
    template Matrix<Dim, Dim> first_piola<Dim>(const Material&, const Matrix<Dim, Dim>&);                            \
    template void energy_hessian<Dim>(const Material&, const Matrix<Dim, Dim>&, Projection, const Matrix<Dim, Dim>&, \
                                      Matrix<Dim * Dim, Dim * Dim>&);
ASPERITY_INSTANTIATE(2)
ASPERITY_INSTANTIATE(3)
#undef ASPERITY_INSTANTIATE

}  // namespace asperity::deform
