// The first steps of a new user: a scene to edit, the manual page, completion.
#include <algorithm>

#include "program.h"

namespace asperity::cli {
namespace {

class New : public Program {
  protected:
    std::string in(const std::string& name) const { return (folder_ / name).string(); }
};

TEST_F(New, WritesASceneThatRunsAsItIs) {
    const std::string scene = in("first.toml");
    const Outcome made = run({"new", in("first")});
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_NE(made.out.find("asperity run " + scene), std::string::npos) << made.out;
    const Outcome ran = run({"run", scene, "--quiet"});
    EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
    const std::string text = read_file(scene);
    EXPECT_NE(text.find("asperity run " + scene), std::string::npos) << "the commands in it are its own";
    EXPECT_EQ(text.find("{name}"), std::string::npos);
    // more than every third line is explained
    EXPECT_GT(std::count(text.begin(), text.end(), '#'), 15);
}

TEST_F(New, TouchesNoFileThatExists) {
    write_file(in("mine.toml"), "my work");
    for (const char* name : {"mine", "mine.toml"}) {
        const Outcome outcome = run({"new", in(name)});
        EXPECT_EQ(outcome.code, 2);
        EXPECT_NE(outcome.err.find("exists already and was not touched"), std::string::npos) << outcome.err;
    }
    EXPECT_EQ(read_file(in("mine.toml")), "my work");
    fs::create_symlink("nowhere", in("link.toml"));
    EXPECT_EQ(run({"new", in("link")}).code, 2);
    EXPECT_FALSE(fs::exists(in("nowhere")));
    EXPECT_EQ(run({"new", in("no/such/folder/first")}).code, 2);
    EXPECT_EQ(run({"new", ""}).code, 2);
}

TEST_F(New, TheManualPageAndTheCompletionsNameEveryCommandAndOption) {
    const std::string man = run({"man"}).out, bash = run({"completion", "bash"}).out, zsh = run({"completion", "zsh"}).out;
    const std::string help = run({"--help"}).out;
    for (const char* command :
         {"run", "render", "plot", "cone", "texture", "scenes", "new", "bench", "solve", "doctor", "lab"}) {
        EXPECT_NE(help.find(command), std::string::npos);
        EXPECT_NE(man.find(std::string(".SS \"asperity ") + command), std::string::npos) << command;
        EXPECT_NE(bash.find(std::string("    ") + command + ")"), std::string::npos) << command;
        EXPECT_NE(zsh.find(std::string("'") + command + ":"), std::string::npos) << command;
    }
    EXPECT_NE(man.find(".SS \"asperity lab surface"), std::string::npos);
    EXPECT_NE(man.find(".B \\-\\-record\\-hz"), std::string::npos);
    for (const std::string& text : {bash, zsh}) EXPECT_NE(text.find("--record-hz"), std::string::npos);
    EXPECT_EQ(run({"completion", "fish"}).code, 2);
    EXPECT_NE(run({"completion", "fish"}).err.find("known: bash, zsh"), std::string::npos);
}

// The script in a real bash, with the program found on the path.
TEST_F(New, BashCompletesCommandsOptionsAndScenes) {
    const std::string script = in("completion.bash");
    write_file(script, run({"completion", "bash"}).out);
    const auto complete = [&](const std::string& words, int at) {
        const std::string command = fmt::format(
            "PATH=\"{}:$PATH\" bash --norc -c 'source {}; COMP_WORDS=({}); COMP_CWORD={}; _asperity; "
            "printf \"%s\\n\" \"${{COMPREPLY[@]}}\"' > {}",
            fs::path(ASPERITY_PROGRAM).parent_path().string(), script, words, at, in("reply"));
        EXPECT_EQ(std::system(command.c_str()), 0) << command;
        return read_file(in("reply"));
    };
    EXPECT_EQ(complete("asperity ren", 1), "render\n");
    EXPECT_EQ(complete("asperity run --rec", 2), "--record-hz\n");
    EXPECT_EQ(complete("asperity lab sur", 2), "surface\n");
    EXPECT_EQ(complete("asperity lab surface --kin", 3), "--kind\n");
    EXPECT_NE(complete("asperity run stack1", 2).find("stack10\n"), std::string::npos);
}

}  // namespace
}  // namespace asperity::cli
