// asperity lab: surfaces, closed forms, boundary elements and predictors, read as JSON; and what it refuses.
#include "program.h"

#include <nlohmann/json.hpp>

namespace asperity::cli {
namespace {

class Lab : public Program {
  protected:
    nlohmann::json json(std::vector<std::string> args) const {
        args.insert(args.begin(), "lab");
        args.push_back("--json");
        const Outcome outcome = run(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return nlohmann::json::parse(outcome.out, nullptr, false);
    }
    void complains(std::vector<std::string> args, const std::string& mentions) const {
        args.insert(args.begin(), "lab");
        expect_complaint(run(args), mentions);
    }
    std::string in(const std::string& name) const { return (folder_ / name).string(); }
};

TEST_F(Lab, SurfacesHaveTheirNumbers) {
    const nlohmann::json pink = json({"surface", "--kind", "pink", "--seed", "7"});
    EXPECT_NEAR(pink["sq"].get<double>(), 1, 1e-9);
    EXPECT_NEAR(pink["exponent"].get<double>(), -1, 0.02);
    for (const char* kind : {"uniform", "gabor", "selfaffine"}) {
        const nlohmann::json j = json({"surface", "--kind", kind, "--seed", "7", "--sdq", "0.3"});
        EXPECT_NEAR(j["sdq"].get<double>(), 0.3, 1e-9) << kind;
        for (const char* key : {"sq", "sdq", "exponent"}) EXPECT_TRUE(j[key].is_number()) << kind << " " << key;
    }
    // The profile of the 2D lab's protocol.
    const nlohmann::json profile = json({"surface", "--profile"});
    EXPECT_NEAR(profile["sq"].get<double>(), 5, 1e-9);
    EXPECT_NEAR(profile["sdq"].get<double>(), 1.2054523, 1e-6);
}

TEST_F(Lab, SavedSurfacesAreReadAgain) {
    const std::string file = in("a.x3p");
    const nlohmann::json made = json({"surface", "--size", "64", "64", "--pixel", "0.5", "--unit", "um", "--out", file});
    const nlohmann::json read = json({"surface", file, "--detrend", "none"});
    EXPECT_NEAR(read["sq"].get<double>() / 1e-6, made["sq"].get<double>(), 1e-9);
    EXPECT_EQ(read["unit"], "m");
    const nlohmann::json png = json({"surface", "--size", "64", "64", "--out", in("a.png"), "--plot", in("a.svg"),
                                     "--picture", in("look.png"), "--subsample", in("points.txt")});
    const std::string range = fmt::format("{}", png["height_range"].get<double>());
    EXPECT_NEAR(
        json({"surface", in("a.png"), "--pixel", "1", "--unit", "unit", "--height-range", range, "--detrend", "mean"})["sq"]
            .get<double>(),
        1, 1e-4);  // 65536 levels over 9 deviations
    for (const char* name : {"a.svg", "look.png", "points.txt"}) EXPECT_GT(fs::file_size(in(name)), 1000u) << name;
}

TEST_F(Lab, HertzHasItsReferenceValues) {
    const nlohmann::json j = json({"hertz"});
    EXPECT_NEAR(j["contact_radius"].get<double>(), 0.165706e-3, 5e-10);
    EXPECT_NEAR(j["peak_pressure"].get<double>(), 1.738870e9, 5e2);
    EXPECT_NEAR(j["approach"].get<double>(), 4.118751e-6, 5e-13);
    EXPECT_NEAR(json({"hertz", "--young-b", "0", "--radius-b", "0"})["contact_modulus"].get<double>(), 200e9 / 0.91, 1e3);
    EXPECT_TRUE(json({"hertz", "--line"}).contains("half_width"));
    complains({"hertz", "--force", "-1"}, "force");
    complains({"hertz", "--poisson-a", "0.7"}, "Poisson");
}

TEST_F(Lab, BoundaryElementsPressASurface) {
    ASSERT_EQ(run({"lab", "surface", "--size", "64", "64", "--f-min", "0.02", "--sdq", "0.1", "--out", in("a.npy")}).code,
              0);
    const nlohmann::json j = json({"bem", in("a.npy"), "--pixel", "1", "--unit", "unit", "--pressure", "0.01"});
    for (const char* key : {"area_fraction", "gap_mean", "stiffness"}) EXPECT_GT(j[key].get<double>(), 0) << key;
    EXPECT_NEAR(j["slope"].get<double>(), 0.1, 0.01);
    EXPECT_NEAR(j["kappa"].get<double>(), 2.1, 0.4);  // between Persson's 1.6 and Bush and others' 2.5
    complains({"bem", in("a.npy"), "--pressure", "0.01"}, "--pixel");
    complains({"bem", in("a.npy"), "--pixel", "1", "--unit", "unit", "--pressure", "-1"}, "mean pressure");
    complains({"bem", in("a.npy"), "--pixel", "1", "--unit", "unit", "--pressure", "1", "--hardness", "0.5"}, "hardness");
    EXPECT_EQ(
        run({"lab", "bem", in("a.npy"), "--pixel", "1", "--unit", "unit", "--pressure", "0.01", "--max-iterations", "3"})
            .code,
        3);
}

TEST_F(Lab, PredictionsComeWithTheirErrors) {
    const nlohmann::json j = json({"predict", "--a", "steel", "--b", "glass"});
    EXPECT_NEAR(j["loo_rmse"].get<double>(), 0.3056, 1e-4);
    EXPECT_NEAR(j["loo_rmse_of_mean"].get<double>(), 0.3168, 1e-4);
    EXPECT_TRUE(j["inside_data"].get<bool>());
    EXPECT_FALSE(json({"predict", "--a", "900e9,0.2,3000", "--b", "steel"})["inside_data"].get<bool>());
    const nlohmann::json lab =
        json({"predict", "--young", "1e5", "--poisson", "0.25", "--damping", "0.2", "--density", "0.5"});
    EXPECT_NEAR(lab["mu"].get<double>(), 0.767, 0.03);
    EXPECT_GT(lab["deviation"].get<double>(), 0);
    complains({"predict", "--a", "steel"}, "both --a and --b");
    complains({"predict", "--a", "steeel", "--b", "glass"}, "did you mean 'steel'?");
    complains({"predict", "--a", "steel", "--b", "glass", "--young", "3"}, "either two materials");
    complains({"predict", "--young", "1e5"}, "--poisson is missing");
    complains({"predict"}, "either two materials");
}

TEST_F(Lab, RefusesWhatHasNoEffectAndWhatContradicts) {
    complains({"surface", "--sq", "1", "--sdq", "1"}, "contradict");
    complains({"surface", "--kind", "pinck"}, "did you mean 'pink'?");
    complains({"surface", "--kind", "uniform", "--hurst", "0.5"}, "--hurst has no effect");
    complains({"surface", "--f-max", "3"}, "1/(2 pixel)");
    complains({"surface", "--subsample-f-max", "3"}, "--subsample-f-max has no effect");
    complains({"surface", "nowhere.npy", "--pixel", "1", "--unit", "m"}, "no such file");
    complains({"surface", "--out", in("a.bmp")}, "known: .png");
    complains({"surface", "--out", in("a.sdf")}, "--unit");
    EXPECT_FALSE(fs::exists(in("a.sdf")));
}

TEST_F(Lab, MapsWithHolesOrOfOnePixelGetAMessage) {
    const std::string one = write("one.txt", "3\n"),
                      holes = write("holes.txt", [] {
                          std::string text;
                          for (int y = 0; y < 16; ++y) {
                              for (int x = 0; x < 16; ++x)
                                  text += x == 3 && y == 5 ? "nan " : fmt::format("{} ", (x * 7 + y * y) % 11);
                              text += '\n';
                          }
                          return text;
                      }());
    complains({"surface", one, "--pixel", "1", "--unit", "mm"}, "1 x 1 heights");
    complains({"bem", one, "--pixel", "1", "--unit", "mm", "--pressure", "1"}, "1 x 1 heights");
    complains({"surface", holes, "--pixel", "1", "--unit", "mm"}, "column 4, row 6");
    EXPECT_GT(json({"surface", holes, "--pixel", "1", "--unit", "mm", "--fill"})["sq"].get<double>(), 1);
}

}  // namespace
}  // namespace asperity::cli
