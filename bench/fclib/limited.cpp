#include "limited.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <exception>

namespace asperity::bench {
namespace {

constexpr int kRepeats = 20;
constexpr double kQuick = 0.2;      // solves are repeated until their total time reaches this [s]
constexpr double kWallFactor = 20;  // a process that gets less than this fraction of a core is ended

void write_all(int file, const void* data, size_t size) {
    const char* at = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t done = ::write(file, at, size);
        if (done <= 0) _exit(3);
        at += done;
        size -= static_cast<size_t>(done);
    }
}

void write_vector(int file, const std::vector<double>& x) {
    const size_t count = x.size();
    write_all(file, &count, sizeof count);
    write_all(file, x.data(), count * sizeof(double));
}

[[noreturn]] void child(int file, const Contestant& contestant, const Problem& problem, double tolerance, double limit) {
    const auto allow = [](double more) {  // limits are whole seconds; the parent rejects results above the exact limit
        const rlimit bound{static_cast<rlim_t>(std::ceil(cpu_seconds() + more)), RLIM_INFINITY};
        setrlimit(RLIMIT_CPU, &bound);
    };
    allow(limit);
    const int nowhere = ::open("/dev/null", O_WRONLY);  // discards the output of Siconos
    ::dup2(nowhere, 1);
    ::dup2(nowhere, 2);
    try {
        Outcome best = contestant.solve(problem, tolerance, limit * kWallFactor);
        allow(limit + kRepeats * kQuick);
        double spent = best.seconds;
        for (int i = 0; i < kRepeats && spent < kQuick; ++i) {
            const double again = contestant.solve(problem, tolerance, limit * kWallFactor).seconds;
            best.seconds = std::min(best.seconds, again);
            spent += again;
        }
        write_all(file, &best.seconds, sizeof best.seconds);
        write_all(file, &best.iterations, sizeof best.iterations);
        write_vector(file, best.r);
        write_vector(file, best.v);
    } catch (const std::exception&) { _exit(2); }
    _exit(0);
}

/// Reads the pipe until it closes; false if that takes longer than `limit` seconds of wall time.
bool read_all(int file, double limit, std::string& bytes) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(limit);
    char buffer[65536];
    for (;;) {
        const double left = std::chrono::duration<double>(end - std::chrono::steady_clock::now()).count();
        pollfd ready{file, POLLIN, 0};
        if (left <= 0 || ::poll(&ready, 1, static_cast<int>(std::min(left * 1000 + 1, 1e6))) < 0) return false;
        if (ready.revents == 0) continue;
        const ssize_t got = ::read(file, buffer, sizeof buffer);
        if (got <= 0) return true;
        bytes.append(buffer, static_cast<size_t>(got));
    }
}

bool unpack(const std::string& bytes, Outcome& out) {
    size_t at = 0;
    const auto take = [&](void* to, size_t size) {
        if (bytes.size() - at < size) return false;
        std::memcpy(to, bytes.data() + at, size);
        at += size;
        return true;
    };
    if (!take(&out.seconds, sizeof out.seconds) || !take(&out.iterations, sizeof out.iterations)) return false;
    for (std::vector<double>* x : {&out.r, &out.v}) {
        size_t count = 0;
        if (!take(&count, sizeof count) || count > bytes.size()) return false;
        x->resize(count);
        if (!take(x->data(), count * sizeof(double))) return false;
    }
    return true;
}

}  // namespace

Attempt attempt(const Contestant& contestant, const Problem& problem, double tolerance, double limit) {
    Attempt out;
    int ends[2];
    if (::pipe(ends) != 0) return {false, "no pipe", {}};
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::close(ends[0]);
        child(ends[1], contestant, problem, tolerance, limit);
    }
    ::close(ends[1]);
    std::string bytes;
    const bool closed = pid > 0 && read_all(ends[0], limit * kWallFactor + 10, bytes);
    ::close(ends[0]);
    if (!closed && pid > 0) ::kill(pid, SIGKILL);
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (WIFSIGNALED(status))
        out.trouble = WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL
                          ? "time limit"
                          : fmt::format("signal {}", WTERMSIG(status));
    else if (WEXITSTATUS(status) != 0 || !unpack(bytes, out.outcome))
        out.trouble = fmt::format("exit code {}", WEXITSTATUS(status));
    else if (out.outcome.seconds > limit)
        out.trouble = "time limit";
    else
        out.answered = true;
    return out;
}

}  // namespace asperity::bench
