// How a surface scatters light: a diffuse base under a GGX reflection, from chalk over plastic to metal.
#pragma once
#include "render/float3.h"
#include "render/sampler.h"

namespace asperity::render {

/// Directions are in the frame of the shading normal (z = normal). With base colour c, roughness r and metalness m,
///     alpha = r^2,   F0 = mix(0.04, c, m),   F = F0 + (1 - F0) (1 - v.h)^5                      (Schlick 1994)
///     f = k D(h) G2(v, l) F / (4 v.z l.z)  +  (1 - k E) (1 - m) c / pi
/// D and G2 are Smith-GGX (Walter et al. 2007), sampled by visible normals (Heitz, JCGT 2018). E(v) is the directional
/// albedo of the first term, from a table; k = 1 + F0 (1/E1 - 1), with E1 that of F0 = 1, gives back what single scattering
/// loses on rough metal (Turquin 2019). The factor 1 - k E makes a white surface reflect exactly what it receives, which
/// render_test checks in a white furnace; it costs reciprocity, which no picture shows.
class Bsdf {
  public:
    Bsdf(const Float3& base, float roughness, float metallic, const Float3& view);

    /// f times the cosine of `light` [1/sr], and the density of sample() there.
    struct Value {
        Float3 f_cos;
        float pdf = 0;
    };
    Value evaluate(const Float3& light) const;
    struct Scatter {
        Float3 direction;
        Float3 weight;  ///< f cos / pdf; black when the sample went below the surface
        float pdf = 0;
    };
    Scatter sample(Sample2 u) const;

  private:
    Float3 view_, f0_, diffuse_, gain_;
    float alpha_, specular_chance_;
};

/// What the denoiser divides by: close to the share of light a surface sends back, free of noise.
inline Float3 albedo(const Float3& base, float metallic) {
    return (1 - metallic) * base + mix(constant(0.04f), base, metallic);
}

}  // namespace asperity::render
