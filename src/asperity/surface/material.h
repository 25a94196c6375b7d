// Materials: density, friction and appearance of a surface. The pair table holds the contact law between two materials.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "asperity/core/id.h"
#include "asperity/friction/law.h"
#include "asperity/friction/spin_model.h"
#include "asperity/surface/grain.h"
#include "asperity/surface/slope_map.h"
#include "asperity/surface/stabilisation.h"

namespace asperity::surface {

/// For pictures and exported glTF.
struct Appearance {
    Vec3 color{0.7, 0.7, 0.7};  ///< linear RGB, 0..1
    double roughness = 0.6;     ///< 0 mirror .. 1 chalk
    double metallic = 0;
    bool checker = false;   ///< chequered with squares of edge texture_size in two shades
    std::string texture;    ///< PNG or JPEG path, empty for none
    TileSize texture_size;  ///< of one copy of the picture, or of one square
    Vec2 texture_offset;    ///< added to the texture coordinates after the division by texture_size
    /// bytes of a PNG or JPEG, instead of the file `texture`: a picture that is part of a mesh file
    std::shared_ptr<const std::string> picture = nullptr;

    bool textured() const { return picture || !texture.empty(); }
};

struct Material {
    std::string name;
    double density = 1000;     ///< [kg/m^3]
    std::optional<double> mu;  ///< [-] for the combination rule, if no pair is given
    std::optional<double> restitution;
    Vec3 grain;                                ///< body axes; zero for none
    std::shared_ptr<const Grain> grain_field;  ///< replaces `grain` where the grain varies over the surface
    SlopeTexture slopes;                       ///< the normal map, used for ploughing and for pictures
    Vec3 surface_velocity;  ///< body axes [m/s]; of the surface relative to its body, as on a conveyor belt
    Appearance appearance;
};

class FootprintSampler;

/// Sampling of the footprint under a contact, for ploughing laws.
struct FootprintSettings {
    double width = 0.02;                                               ///< edge of the footprint [m]
    int resolution = 16;                                               ///< rays along an edge
    enum class Sampling { Tables, Rays } sampling = Sampling::Tables;  ///< Tables: rays where a surface is not flat
    std::shared_ptr<FootprintSampler> sampler;  ///< if set, replaces both, e.g. by a sampler on a graphics card
    /// Axis of the first direction: a world axis, the grain (of A, else of B), or the slip velocity without friction.
    enum class Frame { Axis, AlongGrain, AlongSlip } frame = Frame::Axis;
    Vec3 axis{1, 0, 0};
};

/// Points: each contact point carries a force. Patches: all contact points of one normal direction carry one wrench, with
/// limits on rolling and spinning.
enum class ContactModel { Unset, Points, Patches };

/// Contact law of a pair of materials.
struct Pair {
    friction::Law friction;
    double restitution = 0;                                   ///< [-], 0..1
    ContactModel contact = ContactModel::Unset;               ///< unset: the world's setting applies
    friction::SpinModel spin = friction::SpinModel::Uniform;  ///< of patches
    /// radius of the disc that stands for a patch of a single point [m]
    double patch_radius = 0;
    FootprintSettings footprint = {};  ///< footprint sampling, for ploughing laws
    Stabilisation stabilisation = {};  ///< of patches
};

enum class Combine { GeometricMean, Mean, Min, Max, Product };

/// Precedence: the pair itself, the combination of both materials' own mu, the default. Otherwise an InputError.
class PairTable {
  public:
    void set(MaterialId a, MaterialId b, Pair pair);
    void set_default(Pair pair) { default_ = std::move(pair); }
    void set_combine(Combine rule) { combine_ = rule; }
    /// Fills the table; afterwards pair() is an array access. Throws InputError if a pair in `needed` is not covered.
    void resolve(const std::vector<Material>& materials, const std::vector<std::pair<int, int>>& needed);
    const Pair& pair(int a, int b) const {
        return resolved_[static_cast<size_t>(index_[static_cast<size_t>(a * count_ + b)])];
    }
    /// Dense index of the pair, the same for (a, b) and (b, a). Contacts are batched by it.
    int index(int a, int b) const { return index_[static_cast<size_t>(a * count_ + b)]; }
    int pair_count() const { return static_cast<int>(resolved_.size()); }
    const Pair& at(int index) const { return resolved_[static_cast<size_t>(index)]; }

  private:
    std::map<std::pair<int, int>, Pair> given_;
    std::optional<Pair> default_;
    Combine combine_ = Combine::GeometricMean;
    std::vector<Pair> resolved_;
    std::vector<int> index_;
    int count_ = 0;
};

}  // namespace asperity::surface
