// Starts the program like a shell and collects its output and exit code.
#pragma once
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "asperity/core/files.h"

namespace asperity::cli {

namespace fs = std::filesystem;

struct Outcome {
    int code = -1;  ///< exit code, or 1000 + signal
    std::string out, err;
};

/// Gives every test its own temporary folder.
class Program : public testing::Test {
  protected:
    Program() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = fs::temp_directory_path() /
                  fmt::format("asperity_cli_{}_{}_{}", test->test_suite_name(), test->name(), ::getpid());
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~Program() override { fs::remove_all(folder_); }

    /// `before` runs in the child just before exec, so it knows the process id of the program.
    pid_t start(std::vector<std::string> args, const std::function<void()>& before = {}) const {
        const std::string out = (folder_ / "stdout").string(), err = (folder_ / "stderr").string();
        std::string program = ASPERITY_PROGRAM;
        std::vector<char*> argv{program.data()};
        for (std::string& arg : args) argv.push_back(arg.data());
        argv.push_back(nullptr);
        const pid_t child = ::fork();
        if (child != 0) return child;
        if (before) before();
        const int o = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644),
                  e = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (o < 0 || e < 0 || ::chdir(ASPERITY_SOURCE_DIR) != 0) ::_exit(99);
        ::dup2(o, 1);
        ::dup2(e, 2);
        ::execv(argv[0], argv.data());
        ::_exit(98);
    }
    Outcome finish(pid_t child) const {
        int status = 0;
        ::waitpid(child, &status, 0);
        return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), read_file(folder_ / "stdout"),
                read_file(folder_ / "stderr")};
    }
    Outcome run(const std::vector<std::string>& args, const std::function<void()>& before = {}) const {
        return finish(start(args, before));
    }

    std::string write(const std::string& name, const std::string& text) const {
        write_file(folder_ / name, text);
        return (folder_ / name).string();
    }
    std::string out() const { return (folder_ / "out").string(); }
    /// Names of the files in the output folder.
    std::vector<std::string> left() const {
        std::vector<std::string> names;
        if (fs::exists(out()))
            for (const auto& entry : fs::directory_iterator(out())) names.push_back(entry.path().filename().string());
        return names;
    }
    fs::path folder_;
};

/// Checks the outcome of a wrong input: one line, exit code 2, no result.
inline void expect_complaint(const Outcome& outcome, const std::string& mentions) {
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("asperity: ")) << outcome.err.substr(0, 300);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err.substr(0, 300);
    EXPECT_LT(outcome.err.size(), 600u) << "too long to read";
    EXPECT_NE(outcome.err.find(mentions), std::string::npos)
        << "does not mention '" << mentions << "': " << outcome.err.substr(0, 300);
    EXPECT_EQ(outcome.out, "");
}

}  // namespace asperity::cli
