// asperity cone with normal maps from asperity texture; the results are read as JSON.
#include "program.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace asperity::cli {
namespace {

using Json = nlohmann::json;

class ConeOfMaps : public Program {
  protected:
    std::string map(const std::string& name, const std::string& keys) const {
        const std::string file = (folder_ / name).string();
        const Outcome outcome = run({"texture", "--normal-map", keys, "--out", file});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return file;
    }
    /// The coefficients, after checking names and angles.
    std::vector<double> coefficients(std::vector<std::string> args) const {
        args.insert(args.begin(), "cone");
        args.insert(args.end(), {"--json", "--out", (folder_ / "rose.svg").string()});
        const Outcome outcome = run(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        const Json json = Json::parse(outcome.out, nullptr, false);
        EXPECT_FALSE(json.is_discarded()) << outcome.out.substr(0, 300);
        std::vector<double> mu;
        for (const Json& row : json["directions"]) {
            EXPECT_NEAR(row["angle_deg"].get<double>(),
                        360.0 * static_cast<double>(mu.size()) / static_cast<double>(json["directions"].size()), 1e-9);
            mu.push_back(row["mu"]);
        }
        EXPECT_NE(read_file(folder_ / "rose.svg").find("<svg"), std::string::npos);
        return mu;
    }
};

// Closed form 0.253975 s along d. The map's noise is 1/512; 16 bits cost less.
TEST_F(ConeOfMaps, GaussianSlopesGiveTheirClosedForm) {
    const std::string rough = map("rough.png", "gaussian = 1, size = [512, 512]"),
                      brushed = map("brushed.png", "gaussian = [0.1, 1], size = [512, 512]");
    for (const double mu : coefficients({"--map-b", rough, "--directions", "16"}))
        EXPECT_NEAR(mu, 0.253975, 0.03 * 0.253975);
    const std::vector<double> both =
        coefficients({"--map-a", rough, "--map-b", brushed, "--mu-0", "0.1", "--k-a", "2", "--k-b", "3"});
    ASSERT_EQ(both.size(), 16u);
    for (size_t k = 0; k < 16; ++k) {
        const double angle = std::acos(-1.0) * static_cast<double>(k) / 8;
        EXPECT_NEAR(both[k], 0.1 + 2 * 0.253975 + 3 * 0.253975 * std::hypot(0.1 * std::cos(angle), std::sin(angle)), 0.02)
            << k;
    }
}

TEST_F(ConeOfMaps, TeethAreAlikeBothWaysOrNotByTheirWeight) {
    const std::string saw = map("saw.png", "sawtooth = [15, 60], period = 67, size = [268, 16]");
    const std::vector<double> projected = coefficients({"--map-b", saw}),
                              area = coefficients({"--map-b", saw, "--weight", "true_area"});
    EXPECT_NEAR(projected[0], 0.1477, 1e-3);
    EXPECT_NEAR(projected[8], 0.1477, 1e-3);
    EXPECT_NEAR(projected[4], 0, 1e-3);
    EXPECT_NEAR(area[0], 0.254, 2e-3);  // B moves along u, against the steep flanks, which face that way
    EXPECT_NEAR(area[8], 0.131, 2e-3);
    // The same map on A: flanks that face along u resist B's motion against u.
    const std::vector<double> below = coefficients({"--map-a", saw, "--weight", "true_area", "--directions", "4"});
    EXPECT_NEAR(below[0], 0.131, 2e-3);
    EXPECT_NEAR(below[2], 0.254, 2e-3);
}

// The corner of a box covers a quarter of its footprint: 64 of 256 points. They have the colours of their slopes; the other
// points are empty, in both squares.
TEST_F(ConeOfMaps, DrawsThePatchAtTheCornerOfABox) {
    const std::string file = (folder_ / "patch.svg").string();
    const Outcome outcome = run({"cone", "mesoscale/sawtooth_drag", "--contact", "box_1", "--patch", file, "--out",
                                 (folder_ / "cone.svg").string()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::string svg = read_file(file);
    EXPECT_NE(svg.find("64 of 256 points"), std::string::npos);
    int squares = 0, empty = 0;
    for (size_t at = svg.find("<rect x="); at != std::string::npos; at = svg.find("<rect x=", at + 1)) ++squares;
    for (size_t at = svg.find("fill=\"none\"/>"); at != std::string::npos; at = svg.find("fill=\"none\"/>", at + 1)) ++empty;
    EXPECT_EQ(squares, 512);
    EXPECT_EQ(empty, 384);
}

TEST_F(ConeOfMaps, SaysWhatIsWrong) {
    const std::string rough = map("rough.png", "gaussian = 1, size = [16, 16]");
    expect_complaint(run({"cone", "--map-a", "nowhere.png"}), "nowhere.png");
    expect_complaint(run({"cone", "--map-a", rough, "--directions", "5"}), "directions = 5");
    expect_complaint(run({"cone", "--map-a", rough, "--weight", "heavy"}), "--weight heavy");
    expect_complaint(run({"cone", "--map-a", rough, "--k-a", "-1"}), "k_a = -1");
    expect_complaint(run({"cone", "slope", "--map-a", rough}), "need no scene");
    expect_complaint(run({"cone"}), "--map-a");
    expect_complaint(run({"cone", "slope", "--contact", "block", "--patch", (folder_ / "patch.svg").string()}), "ploughing");
    expect_complaint(run({"cone", "slope", "--pair", "wood-wood", "--patch", "patch.svg"}), "--contact");
    expect_complaint(run({"cone", "--map-a", write("not.png", "hello")}), "not.png");
}

}  // namespace
}  // namespace asperity::cli
