#include "asperity/lab/predict/tables.h"

#include <array>

// Source: S. Datta, "A Numerical Study of Frictional Contact", MSc thesis, McGill University, 2018.
namespace asperity::lab {
namespace {

// Table 4.1, all 41 printed rows: E, nu, beta, rho, mean and deviation of mu over 12 surfaces.
constexpr std::array kLab{
    LabResult{50000, 0.25, 0.2, 0.5, 0.700, 0.076},    LabResult{100000, 0.25, 0.2, 0.5, 0.767, 0.062},
    LabResult{250000, 0.25, 0.2, 0.5, 0.893, 0.093},   LabResult{500000, 0.25, 0.2, 0.5, 0.935, 0.110},
    LabResult{1000000, 0.25, 0.2, 0.5, 1.005, 0.134},  LabResult{100000, 0.48, 0.1, 0.25, 0.892, 0.150},
    LabResult{100000, 0.25, 0.1, 0.25, 0.875, 0.155},  LabResult{100000, 0.1, 0.1, 0.25, 0.864, 0.163},
    LabResult{100000, 0.05, 0.1, 0.25, 0.858, 0.159},  LabResult{100000, 0.48, 0.1, 0.5, 0.790, 0.106},
    LabResult{100000, 0.25, 0.1, 0.5, 0.751, 0.089},   LabResult{100000, 0.1, 0.1, 0.5, 0.722, 0.080},
    LabResult{100000, 0.05, 0.1, 0.5, 0.701, 0.073},   LabResult{100000, 0.48, 0.1, 1.0, 0.690, 0.061},
    LabResult{100000, 0.25, 0.1, 1.0, 0.668, 0.053},   LabResult{100000, 0.1, 0.1, 1.0, 0.661, 0.071},
    LabResult{100000, 0.05, 0.1, 1.0, 0.654, 0.051},   LabResult{100000, 0.25, 0.3, 0.25, 0.933, 0.144},
    LabResult{100000, 0.25, 0.2, 0.25, 0.914, 0.168},  LabResult{100000, 0.25, 0.1, 0.25, 0.875, 0.155},
    LabResult{100000, 0.25, 0.05, 0.25, 0.842, 0.185}, LabResult{100000, 0.25, 0.3, 0.5, 0.776, 0.080},
    LabResult{100000, 0.25, 0.2, 0.5, 0.767, 0.062},   LabResult{100000, 0.25, 0.1, 0.5, 0.751, 0.071},
    LabResult{100000, 0.25, 0.05, 0.5, 0.743, 0.087},  LabResult{100000, 0.25, 0.3, 1.0, 0.717, 0.090},
    LabResult{100000, 0.25, 0.2, 1.0, 0.699, 0.044},   LabResult{100000, 0.25, 0.1, 1.0, 0.668, 0.052},
    LabResult{100000, 0.25, 0.05, 1.0, 0.643, 0.066},  LabResult{100000, 0.48, 0.1, 0.125, 0.983, 0.189},
    LabResult{100000, 0.48, 0.1, 0.25, 0.892, 0.150},  LabResult{100000, 0.48, 0.1, 0.5, 0.790, 0.106},
    LabResult{100000, 0.48, 0.1, 1.0, 0.690, 0.061},   LabResult{100000, 0.25, 0.1, 0.125, 0.969, 0.176},
    LabResult{100000, 0.25, 0.1, 0.25, 0.875, 0.155},  LabResult{100000, 0.25, 0.1, 0.5, 0.751, 0.089},
    LabResult{100000, 0.25, 0.1, 1.0, 0.668, 0.053},   LabResult{100000, 0.1, 0.1, 0.125, 0.958, 0.169},
    LabResult{100000, 0.1, 0.1, 0.25, 0.864, 0.163},   LabResult{100000, 0.1, 0.1, 0.5, 0.722, 0.080},
    LabResult{100000, 0.1, 0.1, 1.0, 0.661, 0.071},
};

// Table 4.3: two materials with E [GPa], nu, rho [kg/m^3], and the coefficient of static friction.
constexpr std::array kPairs{
    MaterialPair{{"steel", 200, 0.25, 8000}, {"steel", 200, 0.25, 8000}, 0.78},
    MaterialPair{{"copper", 133, 0.35, 8940}, {"copper", 133, 0.35, 8940}, 1.21},
    MaterialPair{{"aluminum", 69, 0.33, 2700}, {"aluminum", 69, 0.33, 2700}, 1.1},
    MaterialPair{{"aluminum", 69, 0.33, 2700}, {"steel", 200, 0.25, 8000}, 0.61},
    MaterialPair{{"brass", 115, 0.34, 8730}, {"cast iron", 170, 0.26, 7200}, 0.4},
    MaterialPair{{"cadmium", 64, 0.31, 8650}, {"cadmium", 64, 0.31, 8650}, 0.5},
    MaterialPair{{"cadmium", 64, 0.31, 8650}, {"steel", 200, 0.25, 8000}, 0.6},
    MaterialPair{{"cast iron", 170, 0.26, 7200}, {"cast iron", 170, 0.26, 7200}, 1.1},
    MaterialPair{{"chromium", 248, 0.31, 7190}, {"chromium", 248, 0.31, 7190}, 0.41},
    MaterialPair{{"copper", 133, 0.35, 8940}, {"cast iron", 170, 0.26, 7200}, 1.05},
    MaterialPair{{"copper", 133, 0.35, 8940}, {"copper", 133, 0.35, 8940}, 1.0},
    MaterialPair{{"copper", 133, 0.35, 8940}, {"steel", 200, 0.25, 8000}, 0.53},
    MaterialPair{{"glass", 60, 0.25, 2400}, {"glass", 60, 0.25, 2400}, 0.95},
    MaterialPair{{"glass", 60, 0.25, 2400}, {"steel", 200, 0.25, 8000}, 0.6},
    MaterialPair{{"glass", 60, 0.25, 2400}, {"nickel", 170, 0.31, 8900}, 0.78},
    MaterialPair{{"graphite", 20, 0.2, 2050}, {"graphite", 20, 0.2, 2050}, 0.1},
    MaterialPair{{"graphite", 20, 0.2, 2050}, {"steel", 200, 0.25, 8000}, 0.1},
    MaterialPair{{"nickel", 170, 0.31, 8900}, {"nickel", 170, 0.31, 8900}, 0.8},
    MaterialPair{{"nickel", 170, 0.31, 8900}, {"steel", 200, 0.25, 8000}, 0.7},
    MaterialPair{{"nylon", 4, 0.39, 1130}, {"nylon", 4, 0.39, 1130}, 0.2},
    MaterialPair{{"plexiglass", 3.3, 0.37, 1190}, {"plexiglass", 3.3, 0.37, 1190}, 0.8},
    MaterialPair{{"plexiglass", 3.3, 0.37, 1190}, {"steel", 200, 0.25, 8000}, 0.45},
    MaterialPair{{"polystyrene", 2.5, 0.4, 1040}, {"polystyrene", 2.5, 0.4, 1040}, 0.5},
    MaterialPair{{"polystyrene", 2.5, 0.4, 1040}, {"steel", 200, 0.25, 8000}, 0.3},
    MaterialPair{{"rubber", 0.01, 0.47, 2300}, {"asphalt", 3, 0.35, 2500}, 0.6},
    MaterialPair{{"rubber", 0.01, 0.47, 2300}, {"concrete", 17, 0.17, 2400}, 0.9},
    MaterialPair{{"brass", 115, 0.34, 8730}, {"steel", 200, 0.25, 8000}, 0.35},
    MaterialPair{{"steel", 200, 0.25, 8000}, {"cast iron", 170, 0.26, 7200}, 0.4},
    MaterialPair{{"teflon", 0.5, 0.47, 2200}, {"steel", 200, 0.25, 8000}, 0.04},
    MaterialPair{{"teflon", 0.5, 0.47, 2200}, {"teflon", 0.5, 0.47, 2200}, 0.04},
    MaterialPair{{"wood", 10, 0.35, 750}, {"wood", 10, 0.35, 750}, 0.3},
    MaterialPair{{"wood", 10, 0.35, 750}, {"copper", 133, 0.35, 8940}, 0.4},
    MaterialPair{{"wood", 10, 0.35, 750}, {"steel", 200, 0.25, 8000}, 0.45},
    MaterialPair{{"wood", 10, 0.35, 750}, {"concrete", 17, 0.17, 2400}, 0.62},
    MaterialPair{{"zinc", 82.7, 0.25, 7120}, {"zinc", 82.7, 0.25, 7120}, 0.6},
    MaterialPair{{"zinc", 82.7, 0.25, 7120}, {"cast iron", 170, 0.26, 7200}, 0.85},
};

}  // namespace

std::span<const LabResult> table_of_lab_results() { return kLab; }
std::span<const MaterialPair> table_of_pairs() { return kPairs; }

}  // namespace asperity::lab
