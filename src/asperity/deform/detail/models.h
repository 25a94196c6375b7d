// The choice between the models, made once a call.
#pragma once
#include "asperity/deform/detail/fixed_corotated.h"
#include "asperity/deform/detail/linear.h"
#include "asperity/deform/detail/neo_hookean.h"
#include "asperity/deform/detail/stable_neo_hookean.h"

namespace asperity::deform {

/// use(Model) with a value of the model's type.
template <int Dim, class Use>
auto with_model(Hyperelastic model, const Use& use) {
    switch (model) {
        case Hyperelastic::StableNeoHookean: return use(StableNeoHookean<Dim>{});
        case Hyperelastic::FixedCorotated: return use(FixedCorotated<Dim>{});
        case Hyperelastic::Linear: return use(LinearElastic<Dim>{});
        case Hyperelastic::NeoHookean: break;
    }
    return use(NeoHookean<Dim>{});
}

template <int Dim>
void hessian_of(const Material& material, const Matrix<Dim, Dim>& G, Projection projection,
                const Matrix<Dim, Dim>& directions, Matrix<Dim * Dim, Dim * Dim>& out) {
    with_model<Dim>(material.model, [&]<class Model>(Model) {
        if constexpr (std::is_same_v<Model, LinearElastic<Dim>>) {
            Model::hessian(material.lame, directions, out);
        } else if (projection == Projection::None) {
            Model::hessian(material.lame, G, directions, out);
        } else {
            const SingularValues<Dim> svd = singular_values<Dim>(G);
            PrincipalHessian<Dim> principal = Model::principal(material.lame, svd);
            principal.project(projection);
            principal.contract(svd, directions, out);
        }
    });
    for (int j = 1; j < Dim * Dim; ++j)  // symmetric to the last bit, as the factorisation assumes
        for (int i = 0; i < j; ++i) out(j, i) = out(i, j);
}

}  // namespace asperity::deform
