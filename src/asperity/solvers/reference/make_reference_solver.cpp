#include <algorithm>
#include <array>

#include "asperity/solvers/reference/admm.h"
#include "asperity/solvers/reference/apgd.h"
#include "asperity/solvers/reference/lcp.h"
#include "asperity/solvers/reference/pgs.h"
#include "asperity/solvers/reference/pivot.h"
#include "asperity/solvers/reference/reference_solver.h"

namespace asperity::solvers {

bool is_reference_solver(std::string_view name) {
    constexpr std::array<std::string_view, 5> kNames = {"pgs", "pivot", "apgd", "admm", "lcp"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

std::unique_ptr<Solver> make_reference_solver(std::string_view name) {
    if (name == "pgs") return std::make_unique<Pgs>();
    return nullptr;
}

std::unique_ptr<AssembledSolver> make_assembled_reference_solver(std::string_view name) {
    if (name == "pivot") return std::make_unique<Pivot>();
    if (name == "apgd") return std::make_unique<Apgd>();
    if (name == "admm") return std::make_unique<Admm>();
    if (name == "lcp") return std::make_unique<Lcp>();
    return nullptr;
}

}  // namespace asperity::solvers
