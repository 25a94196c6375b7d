// Materials: what a surface weighs, how it rubs and how it looks. Pair table: which law acts between two of them.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
    /// squares of edge texture_size in two shades, in the shape's own (u, v), or in metres on half-spaces
    bool checker = false;
    std::string texture;  ///< PNG or JPEG path, empty for none
    /// edge of one texture tile [m] on half-spaces; on other shapes tiles per face = 1/texture_size
    double texture_size = 1;
};

struct Material {
    std::string name;
    double density = 1000;     ///< [kg/m^3]
    std::optional<double> mu;  ///< for the combination rule, where no pair is given
    std::optional<double> restitution;
    Vec3 grain;                                ///< body axes; zero for none
    std::shared_ptr<const Grain> grain_field;  ///< in its place, where the grain is not the same everywhere
    SlopeTexture slopes;                       ///< the normal map: what ploughing reads and pictures show
    Vec3 surface_velocity;  ///< body axes [m/s]: a conveyor belt moves at this speed while the body stands still
    Appearance appearance;
};

class PatchSampler;

/// How the patch under a contact is looked at, for laws that plough.
struct PatchSettings {
    double width = 0.02;                                               ///< edge of the patch [m]
    int resolution = 16;                                               ///< points along an edge, for rays
    enum class Sampling { Tables, Rays } sampling = Sampling::Tables;  ///< tables ask rays where a surface is not flat
    std::shared_ptr<PatchSampler> sampler;  ///< in place of both, where it is not null: on another device
    /// Along what the first direction lies: a world axis, the grain of A or else of B, or the slip that would be without
    /// friction.
    enum class Frame { Axis, AlongGrain, AlongSlip } frame = Frame::Axis;
    Vec3 axis{1, 0, 0};
};

/// Points: each touching point carries a force. Patches: all points of one direction carry one wrench, with limits of
/// rolling and spinning.
enum class ContactModel { Unset, Points, Patches };

/// How two materials meet.
struct Pair {
    friction::Law friction;
    double restitution = 0;                                   ///< [-], 0..1
    ContactModel contact = ContactModel::Unset;               ///< unset: as the world's settings say
    friction::SpinModel spin = friction::SpinModel::Uniform;  ///< of patches
    /// of the disc that stands for a lone point of a patch [m]
    double patch_radius = 0;
    PatchSettings patch = {};          ///< of laws that plough: what they look at
    Stabilisation stabilisation = {};  ///< of patches
};

enum class Combine { GeometricMean, Mean, Min, Max, Product };

/// Look-up order: the pair itself, the combination of both materials' own mu, the default; else an InputError.
class PairTable {
  public:
    void set(int material_a, int material_b, Pair pair);
    void set_default(Pair pair) { default_ = std::move(pair); }
    void set_combine(Combine rule) { combine_ = rule; }
    /// Fills the full table; afterwards pair() is a plain array access. Throws InputError for a pair in `needed` that
    /// nothing covers.
    void resolve(const std::vector<Material>& materials, const std::vector<std::pair<int, int>>& needed);
    const Pair& pair(int a, int b) const {
        return resolved_[static_cast<size_t>(index_[static_cast<size_t>(a * count_ + b)])];
    }
    /// A dense number for the pair, the same for (a, b) and (b, a): contacts are batched by it.
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
