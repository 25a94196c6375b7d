// `asperity lab NAME`: the friction lab. lab_options.cpp declares the options of each NAME; lab/NAME.cpp does the work.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace asperity::app {

/// Adds `lab` and its commands to the parser, and runs the one that was chosen.
class LabCommands {
  public:
    explicit LabCommands(CLI::App& app);
    bool chosen() const;
    int run() const;

  private:
    struct Command {
        const CLI::App* app;
        std::function<int()> run;
    };
    CLI::App* lab_ = nullptr;
    std::vector<Command> commands_;
};

struct LabHertzArgs {
    double force = 100;                       ///< [N]; for cylinders per length [N/m]
    double radius_a = 0.01, radius_b = 0.02;  ///< [m]; 0: flat
    double young_a = 200e9, young_b = 200e9;  ///< [Pa]; 0: rigid
    double poisson_a = 0.3, poisson_b = 0.3;
    bool line = false, json = false;
};
int lab_hertz(const LabHertzArgs& args);

struct LabRunArgs {
    std::string file, out;
    std::vector<std::string> set;
    int threads = 1;
    bool film = false, json = false, quiet = false;
};
int lab_run(const LabRunArgs& args);

struct LabStudyArgs {
    std::string file, out;
    int jobs = 0;  ///< 0: one per core
    bool resume = false, quiet = false, json = false;
};
int lab_study(const LabStudyArgs& args);

/// A rough surface against an elastic half-space, by boundary elements.
struct LabBemArgs {
    std::string file;
    std::optional<double> pixel, height_range;
    std::optional<std::string> unit;
    double pressure = 0;  ///< mean pressure [Pa, or the unit of the modulus]
    double modulus = 1;   ///< E*
    std::optional<double> hardness;
    bool free = false, fill = false, json = false;
    double tolerance = 1e-8;
    int max_iterations = 2000, threads = 0;
    std::string detrend = "none";
    std::string out, picture;  ///< .npy of the pressures; PNG of the contact
};
int lab_bem(const LabBemArgs& args);

/// Makes a surface, or reads one from `file`; then measures, draws and saves it.
struct LabSurfaceArgs {
    std::string file;      ///< empty: made from the spectrum
    bool profile = false;  ///< a profile instead of a map
    std::string kind = "pink";
    std::uint64_t seed = 1;
    std::vector<int> size;  ///< [pixels]; empty: 256 x 256, or 4096 for a profile
    std::optional<double> pixel, sq, sdq, f_min, f_max, exponent, hurst, roll_off, frequency, bandwidth, direction_deg;
    std::optional<std::string> unit;
    std::optional<double> height_range;  ///< of a picture [unit]
    bool fill = false;
    std::string detrend;                        ///< none, mean, plane, quadratic
    std::optional<double> low_pass, high_pass;  ///< cut-off [unit]
    std::string out, plot, picture;             ///< files to write; empty: not wanted
    std::string subsample;                      ///< file of Poisson-disk points
    std::optional<double> subsample_f_max;
    bool json = false;
};
int lab_surface(const LabSurfaceArgs& args);

/// Two real materials (support vector regression on Table 4.3), or a setting of the 2D lab (Gaussian process on Table 4.1).
struct LabPredictArgs {
    std::string a, b;  ///< names of the table, or E,nu,rho
    std::optional<double> young, poisson, damping, density;
    std::string runs, target = "mu_30";  ///< CSV of further runs, and its column
    bool json = false;
};
int lab_predict(const LabPredictArgs& args);

}  // namespace asperity::app
