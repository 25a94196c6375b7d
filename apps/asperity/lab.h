// `asperity lab NAME`: the friction lab. lab_options.cpp declares the options of each NAME; lab/NAME.cpp does the work.
#pragma once
#include <functional>
#include <memory>
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
    bool json = false, quiet = false;
};
int lab_run(const LabRunArgs& args);

struct LabStudyArgs {
    std::string file, out;
    int jobs = 0;  ///< 0: one per core
    bool resume = false, quiet = false, json = false;
};
int lab_study(const LabStudyArgs& args);

struct LabSurfaceArgs {
    std::string kind = "pink";
    std::uint64_t seed = 1;
    bool profile = false, json = false;
};
int lab_surface(const LabSurfaceArgs& args);

}  // namespace asperity::app
