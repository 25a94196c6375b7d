// Epsilon-support-vector regression of the coefficient of friction over the properties of two materials.
#pragma once
#include <memory>

#include "asperity/lab/predict/samples.h"
#include "asperity/lab/predict/tables.h"

namespace asperity::lab {

/// The thesis gives epsilon and C; kernel, its width and the scaling are not given. Here: features to mean 0 and
/// deviation 1, and exp(-gamma |x - y|^2) with gamma = 1/features.
struct SvrOptions {
    double epsilon = 0.1, c = 0.5;
    double tolerance = 1e-6;  ///< of libsvm's optimality condition
};

/// min 1/2 |w|^2 + C sum of errors beyond epsilon (Smola and Schoelkopf, Statistics and Computing 14, 2004), solved by
/// libsvm.
class Svr {
  public:
    explicit Svr(const Samples& samples, const SvrOptions& options = {});
    ~Svr();
    Svr(Svr&&) noexcept;
    Svr& operator=(Svr&&) noexcept;

    double predict(const std::vector<double>& features) const;
    int support_vectors() const;
    double bias() const;

  private:
    struct Model;
    std::unique_ptr<Model> model_;
};

struct FitErrors {
    double mean_absolute = 0, root_mean_square = 0, r2 = 0;
};
FitErrors training_errors(const Svr& svr, const Samples& samples);
/// Root mean square error of each sample predicted from all others, standardised anew.
double leave_one_out(const Samples& samples, const SvrOptions& options = {});

/// Table 4.3 as samples: E1, nu1, rho1, E2, nu2, rho2 [GPa, -, kg/m^3].
Samples samples_of_pairs();
/// The features of two materials. The table lists most pairs with steel second, so the order matters to a regression;
/// pairs of the table keep theirs, others are predicted in both orders and averaged (predict_pair).
std::vector<double> features_of(const TabledMaterial& a, const TabledMaterial& b);
double predict_pair(const Svr& svr, const TabledMaterial& a, const TabledMaterial& b);

/// A material of the table by its name, or `E,nu,rho` in Pa and kg/m^3 without a name. Throws InputError for unknown
/// names, with the nearest one, and for numbers out of range.
struct NamedMaterial {
    std::string name;
    TabledMaterial material;
};
NamedMaterial find_material(const std::string& text, const std::string& where);

}  // namespace asperity::lab
