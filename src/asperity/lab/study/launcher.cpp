#include "asperity/lab/study/launcher.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "asperity/core/error.h"

namespace asperity::lab {
namespace {

struct Process {
    int id = 0;
    pid_t pid = 0;
    std::array<int, 2> pipes{-1, -1};  // its output and errors; -1 after their end
    Finished finished;
};

class Local : public Launcher {
  public:
    Local(std::string program, int slots) : program_(std::move(program)), slots_(slots) {}
    Local(const Local&) = delete;
    Local& operator=(const Local&) = delete;
    ~Local() override {
        for (const Process& p : running_) {
            kill(p.pid, SIGKILL);
            waitpid(p.pid, nullptr, 0);
            for (const int pipe : p.pipes)
                if (pipe >= 0) close(pipe);
        }
    }

    int slots() const override { return slots_; }

    void start(int id, const std::vector<std::string>& arguments) override {
        std::array<std::array<int, 2>, 2> ends{};
        for (auto& pair : ends)
            if (pipe2(pair.data(), O_CLOEXEC) != 0) fail("pipe");
        std::vector<char*> argv;
        std::vector<std::string> words{program_};
        words.insert(words.end(), arguments.begin(), arguments.end());
        for (std::string& word : words) argv.push_back(word.data());
        argv.push_back(nullptr);
        const pid_t parent = getpid(), pid = fork();
        if (pid < 0) fail("fork");
        if (pid == 0) {  // only calls that are safe after fork()
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (getppid() != parent) _exit(127);
            dup2(ends[0][1], STDOUT_FILENO);
            dup2(ends[1][1], STDERR_FILENO);
            const int none = open("/dev/null", O_RDONLY);
            if (none >= 0) dup2(none, STDIN_FILENO);
            execv(program_.c_str(), argv.data());
            _exit(127);
        }
        for (const auto& pair : ends) close(pair[1]);
        Process& process = running_.emplace_back();
        process.id = id;
        process.pid = pid;
        process.pipes = {ends[0][0], ends[1][0]};
        process.finished.id = id;
    }

    std::vector<Finished> wait(double seconds) override {
        std::vector<pollfd> polled;
        for (const Process& p : running_)
            for (const int pipe : p.pipes)
                if (pipe >= 0) polled.push_back({pipe, POLLIN, 0});
        poll(polled.data(), polled.size(), static_cast<int>(1000 * seconds));
        std::vector<Finished> out;
        for (std::size_t i = 0; i < running_.size();) {
            Process& p = running_[i];
            for (std::size_t k = 0; k < 2; ++k) drain(p, k, polled);
            if (p.pipes[0] >= 0 || p.pipes[1] >= 0) {
                ++i;
                continue;
            }
            int status = 0;
            waitpid(p.pid, &status, 0);
            p.finished.code = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
            out.push_back(std::move(p.finished));
            running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
        }
        return out;
    }

  private:
    [[noreturn]] void fail(const char* what) const {
        throw InputError(fmt::format("cannot start {}: {}: {}", program_, what, std::strerror(errno)));
    }
    /// Reads what has come; closes the pipe at its end.
    static void drain(Process& p, std::size_t which, const std::vector<pollfd>& polled) {
        int& pipe = p.pipes[which];
        if (pipe < 0) return;
        for (const pollfd& f : polled) {
            if (f.fd != pipe || f.revents == 0) continue;
            std::array<char, 65536> buffer;
            const ssize_t count = read(pipe, buffer.data(), buffer.size());
            if (count > 0) {
                (which == 0 ? p.finished.out : p.finished.errors).append(buffer.data(), static_cast<std::size_t>(count));
            } else if (count == 0 || errno != EINTR) {
                close(pipe);
                pipe = -1;
            }
            return;
        }
    }

    std::string program_;
    int slots_;
    std::vector<Process> running_;
};

}  // namespace

std::unique_ptr<Launcher> local_launcher(const std::string& program, int slots) {
    return std::make_unique<Local>(program, slots);
}

}  // namespace asperity::lab
