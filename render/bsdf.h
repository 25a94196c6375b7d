// Scattering at a surface: a diffuse base below a GGX reflection, for materials from chalk over plastic to metal.
#pragma once
#include "render/float3.h"
#include "render/sampler.h"

namespace asperity::render {

/// Directions are in the frame of the shading normal (z = normal). With base colour c, roughness r and metalness m,
///     alpha = r^2,   F0 = mix(0.04, c, m),   F = F0 + (1 - F0) (1 - v.h)^5                      (Schlick 1994)
///     f = k D(h) G2(v, l) F / (4 v.z l.z)  +  (1 - k E) (1 - m) c / pi
/// D and G2 are Smith-GGX (Walter et al. 2007), sampled by visible normals (Heitz, JCGT 2018). E(v) is the directional
/// albedo of the first term, from a table. The factor k = 1 + F0 (1/E1 - 1), where E1 is E for F0 = 1, restores the light
/// that single scattering loses on rough metal (Turquin 2019). The factor 1 - k E makes a white surface reflect exactly the
/// light it receives; a white furnace test in tests/unit/render checks it. Reciprocity is lost, which is not visible in
/// pictures.
class Bsdf {
  public:
    Bsdf(const Float3& base, float roughness, float metallic, const Float3& view);

    /// f times the cosine of `light` [1/sr], and the density of sample() in that direction.
    struct Value {
        Float3 f_cos;
        float pdf = 0;
    };
    Value evaluate(const Float3& light) const;
    struct Scatter {
        Float3 direction;
        Float3 weight;  ///< f cos / pdf; black if the sample points below the surface
        float pdf = 0;
    };
    Scatter sample(Sample2 u) const;

  private:
    Float3 view_, f0_, diffuse_, gain_;
    float alpha_, specular_chance_;
};

/// Divisor of the denoiser: approximates the fraction of light that a surface reflects, without noise.
inline Float3 albedo(const Float3& base, float metallic) {
    return (1 - metallic) * base + mix(constant(0.04f), base, metallic);
}

}  // namespace asperity::render
