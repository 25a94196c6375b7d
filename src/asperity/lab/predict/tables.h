// The two tables of the friction-lab thesis that predictors learn from.
#pragma once
#include <span>
#include <string_view>

namespace asperity::lab {

/// A row of Table 4.1: simulated friction of two equal rough blocks, in the undeclared units of the source.
struct LabResult {
    double young, poisson, damping, density;
    double mu_mean, mu_std;  ///< over 12 surfaces
};
std::span<const LabResult> table_of_lab_results();

/// A row of Table 4.3: coefficients of static friction of real pairs, collected from handbooks.
struct TabledMaterial {
    std::string_view name;
    double young;  ///< [GPa]
    double poisson;
    double density;  ///< [kg/m^3]
};
struct MaterialPair {
    TabledMaterial a, b;
    double mu;
};
std::span<const MaterialPair> table_of_pairs();

}  // namespace asperity::lab
