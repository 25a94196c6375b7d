// Implements run_child() by posix_spawn and a pipe.
#include "child.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include <fmt/format.h>

#include "asperity/core/error.h"

extern char** environ;

namespace asperity::peers {

ChildResult run_child(const std::vector<std::string>& arguments) {
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);

    int ends[2];
    if (pipe(ends) != 0) throw InputError(fmt::format("no pipe to {}: {}", arguments[0], std::strerror(errno)));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    pid_t pid = 0;
    const int error = posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        throw InputError(fmt::format("cannot start {}: {}", arguments[0], std::strerror(error)));
    }

    ChildResult result;
    char buffer[4096];
    for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
        result.output.append(buffer, static_cast<std::size_t>(got));
    }
    close(ends[0]);
    int status = 0;
    waitpid(pid, &status, 0);
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        result.trouble =
            signal == SIGALRM ? "stopped at its time limit" : fmt::format("signal {} ({})", signal, strsignal(signal));
    } else if (WEXITSTATUS(status) != 0) {
        result.trouble = fmt::format("exit code {}", WEXITSTATUS(status));
    }
    return result;
}

}  // namespace asperity::peers
