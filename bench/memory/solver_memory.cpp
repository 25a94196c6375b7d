// Prints the largest memory of each solver during a solve, per contact, for stacks of growing height. The value is constant
// if memory is linear in contacts. Counts the usable size of every allocation of the solver and of the matrix it may
// assemble. The problem itself, which the step keeps, is not counted.
#include <fmt/format.h>
#include <malloc.h>

#include <cstdlib>
#include <new>

#include "asperity/solvers/problem/contact_problem.h"

namespace {

long long held = 0, most = 0;  // present and largest memory [bytes]; one thread only

void* counted(void* p) {
    if (p) held += static_cast<long long>(malloc_usable_size(p));
    if (held > most) most = held;
    return p;
}
void uncount(void* p) {
    if (p) held -= static_cast<long long>(malloc_usable_size(p));
}

}  // namespace

extern "C" {
void* __real_malloc(std::size_t);
void* __real_calloc(std::size_t, std::size_t);
void* __real_realloc(void*, std::size_t);
void __real_free(void*);
void* __wrap_malloc(std::size_t size) { return counted(__real_malloc(size)); }
void* __wrap_calloc(std::size_t count, std::size_t size) { return counted(__real_calloc(count, size)); }
void* __wrap_realloc(void* p, std::size_t size) {
    uncount(p);
    return counted(__real_realloc(p, size));
}
void __wrap_free(void* p) {
    uncount(p);
    __real_free(p);
}
}

void* operator new(std::size_t size) {
    if (void* p = counted(__real_malloc(size))) return p;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    if (void* p = counted(std::aligned_alloc(static_cast<std::size_t>(alignment), size))) return p;
    throw std::bad_alloc();
}
void operator delete(void* p) noexcept {
    uncount(p);
    __real_free(p);
}
void operator delete(void* p, std::align_val_t) noexcept { operator delete(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { operator delete(p); }
void operator delete(void* p, std::size_t) noexcept { operator delete(p); }

namespace {

using namespace asperity;
using namespace asperity::solvers;

/// A stack of boxes with four points per face. The lowest stands on the ground, the last group. Each is pushed slightly
/// sideways.
ContactProblem stack(int boxes) {
    ContactProblem p;
    p.reset(boxes + 1, 0);
    for (int i = 0; i < boxes; ++i) {
        p.inverse_mass[static_cast<size_t>(i)] = 1;
        p.inverse_inertia[static_cast<size_t>(i)] = Mat3::diagonal({60, 60, 40});
        p.velocity[static_cast<size_t>(i)] = {{i % 3 == 0 ? 0.05 : 0.0, 0, -0.1}, {}};
        for (const double x : {-0.1, 0.1})
            for (const double y : {-0.1, 0.1}) {
                PointContact c;
                c.a = i == 0 ? boxes : i - 1;
                c.b = i;
                c.normal = {0, 0, 1};
                c.t = {1, 0, 0};
                c.arm_a = {x, y, 0.1};
                c.arm_b = {x, y, -0.1};
                c.set = friction::Ellipse{0.5, 0.5};
                p.contacts.push_back(c);
            }
    }
    return p;
}

double bytes_per_contact(const std::string& name, int boxes) {
    ContactProblem p = stack(boxes);
    const auto solver = make_solver(name);
    if (solver->reads_rows()) p.prepare();
    std::vector<double> history;
    history.reserve(100000);
    const long long before = held;
    most = held;
    solver->solve(p, {1e-8, name == "lcp" ? 100000 : 200}, history);
    return static_cast<double>(most - before) / (4 * boxes);
}

}  // namespace

int main() {
    constexpr int kBoxes[] = {25, 100, 400};
    fmt::print("| solver |");
    for (const int boxes : kBoxes) fmt::print(" {} contacts |", 4 * boxes);
    fmt::print("\n|---|---|---|---|\n");
    for (const std::string& name : solver_names()) {
        fmt::print("| `{}` |", name);
        for (const int boxes : kBoxes) {
            const bool dense = name == "lcp";  // uses 12 and 24 contacts instead; more would take minutes
            if (dense && boxes > 100)
                fmt::print(" |");
            else if (dense)
                fmt::print(" {:.0f} kB ({} contacts) |", bytes_per_contact(name, boxes == 25 ? 3 : 6) / 1000,
                           boxes == 25 ? 12 : 24);
            else
                fmt::print(" {:.2f} kB |", bytes_per_contact(name, boxes) / 1000);
        }
        fmt::print("\n");
    }
}
