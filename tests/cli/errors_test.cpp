// Wrong inputs give one clear line and exit code 2, and leave no partial files.
#include "program.h"

#include "asperity/core/random.h"

namespace asperity::cli {
namespace {

class Errors : public Program {
  protected:
    /// Runs with an output folder; checks the error message and that the folder stayed empty.
    void complains(std::vector<std::string> args, const std::string& mentions) const {
        args.insert(args.begin(), "run");
        args.insert(args.end(), {"--out", out(), "--quiet"});
        expect_complaint(run(args), mentions);
        EXPECT_TRUE(left().empty()) << left().front();
    }
};

TEST_F(Errors, WordWhereANumberBelongs) { complains({"scenes/slope.toml", "--set", "params.angle_deg=abc"}, "abc"); }
TEST_F(Errors, UnknownKeyNamesTheNearestOne) {
    complains({"scenes/slope.toml", "--set", "params.angel_deg=3"}, "angle_deg");
}
TEST_F(Errors, UnknownKeyInAFile) {
    const std::string text = read_file(fs::path(ASPERITY_SOURCE_DIR) / "scenes/slope.toml");
    complains({write("scene.toml", text + "\n[stepp]\ndt = 0.01\n")}, "scene.toml:");
}
TEST_F(Errors, BrokenToml) { complains({write("scene.toml", "[step\ndt = ")}, "scene.toml:1"); }
TEST_F(Errors, MissingFile) { complains({"scenes/nowhere.toml"}, "nowhere"); }
TEST_F(Errors, MissingSceneName) { complains({"stack1O"}, "stack10"); }
TEST_F(Errors, FolderInsteadOfAFile) { complains({folder_.string()}, folder_.string()); }
TEST_F(Errors, NegativeMass) { complains({"scenes/slope.toml", "--set", "body.block.mass=-1"}, "mass"); }
TEST_F(Errors, ZeroMass) { complains({"scenes/slope.toml", "--set", "body.block.mass=0"}, "mass"); }
TEST_F(Errors, NegativeFriction) { complains({"scenes/slope.toml", "--set", "params.mu=-1"}, "mu"); }
TEST_F(Errors, NotANumber) {
    complains({"scenes/slope.toml", "--set", "params.mu=nan"}, "mu");
    complains({"scenes/slope.toml", "--set", "params.angle_deg=nan"}, "nan");
    complains({"scenes/slope.toml", "--set", "body.block.mass=inf"}, "mass");
}
TEST_F(Errors, StepThatIsNoTime) {
    for (const char* dt : {"0", "-0.01", "nan", "inf"}) complains({"scenes/slope.toml", "--dt", dt}, "dt");
    for (const char* duration : {"-1", "nan", "inf"}) complains({"scenes/slope.toml", "--duration", duration}, "duration");
}
TEST_F(Errors, UnknownSolver) { complains({"scenes/slope.toml", "--solver", "magic"}, "magic"); }
TEST_F(Errors, OverrideWithoutAValue) { complains({"scenes/slope.toml", "--set", "params.mu"}, "key=value"); }
TEST_F(Errors, EmptyFile) { complains({write("empty.toml", "")}, "empty.toml"); }

TEST_F(Errors, MisspelledCommand) {
    expect_complaint(run({"runn", "stack10"}), "did you mean 'run'?");
    expect_complaint(run({"banana"}), "--help");
}

TEST_F(Errors, HundredMegabytesOfNoise) {
    std::string noise(100'000'000, '\0');
    Random random(5);
    for (size_t i = 0; i + 4 <= noise.size(); i += 4) {
        const std::uint32_t word = random.bits();
        std::memcpy(&noise[i], &word, sizeof word);
    }
    complains({write("noise.toml", noise)}, "noise.toml");
}
TEST_F(Errors, HundredMegabytesOfText) {
    complains({write("long.toml", "# " + std::string(100'000'000, 'x') + "\n")}, "long.toml");
}

TEST_F(Errors, OutputFolderThatCannotBeMade) {
    expect_complaint(run({"run", "scenes/slope.toml", "--out", "/dev/null/x", "--quiet"}), "/dev/null/x");
    // a file in place of a folder also stops users whom permissions do not bind
    const std::string file = write("file", "kept");
    expect_complaint(run({"run", "scenes/slope.toml", "--out", file + "/x", "--quiet"}), file);
    EXPECT_EQ(read_file(file), "kept");
}

TEST_F(Errors, ResumeFromADamagedCheckpoint) {
    ASSERT_EQ(run({"run", "scenes/slope.toml", "--duration", "0.1", "--out", out(), "--quiet"}).code, 0);
    const std::string whole = read_file(out() + "/checkpoint");
    write_file(out() + "/checkpoint", whole.substr(0, whole.size() / 2));
    expect_complaint(run({"run", "scenes/slope.toml", "--duration", "0.2", "--out", out(), "--quiet", "--resume"}),
                     "checkpoint");
    write_file(out() + "/checkpoint", whole);
    expect_complaint(run({"run", "scenes/fan.toml", "--out", out(), "--quiet", "--resume"}), "another scene");
}

TEST_F(Errors, OfTheOtherCommandsAreOneLineToo) {
    expect_complaint(run({"plot", (folder_ / "nowhere").string(), "--y", "residual"}), "nowhere");
    expect_complaint(run({"render", (folder_ / "nowhere").string(), "--picture", (folder_ / "x.png").string()}), "nowhere");
    const std::string png = (folder_ / "x.png").string();
    expect_complaint(run({"render", "slope", "--picture", png, "--color-by", "displacement", "--set", "step.duration=0.1"}),
                     "deformable");
    expect_complaint(run({"render", "slope", "--picture", png, "--color-range", "0", "1", "--set", "step.duration=0.1"}),
                     "--color-by");
    EXPECT_EQ(run({"render", "slope", "--picture", png, "--color-by", "colour"}).code, 2);
    EXPECT_FALSE(fs::exists(folder_ / "x.png"));
}

}  // namespace
}  // namespace asperity::cli
