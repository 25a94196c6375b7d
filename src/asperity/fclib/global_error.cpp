#include <algorithm>
#include <limits>

#include "asperity/fclib/reduce.h"
#include "asperity/solvers/assembled/assembled_problem.h"

namespace asperity::fclib {
namespace {

/// size / scale; `size` itself where `scale` is below rounding.
double relative(double size, double scale) { return scale > std::numeric_limits<double>::epsilon() ? size / scale : size; }

}  // namespace

double global_error(const GlobalProblem& p, const Solution& s) {
    const std::vector<double> Mv = p.M.multiply(s.v);
    std::vector<double> push = p.H.multiply(s.r);
    if (!s.l.empty()) {
        const std::vector<double> pull = p.G.multiply(s.l);
        for (size_t i = 0; i < push.size(); ++i) push[i] += pull[i];
    }
    std::vector<double> unbalanced(Mv.size());
    for (size_t i = 0; i < Mv.size(); ++i) unbalanced[i] = Mv[i] - push[i] - p.f[i];
    double error = relative(norm(unbalanced), std::max({norm(p.f), norm(Mv), norm(push)}));

    std::vector<double> u = p.H.multiply_transposed(s.v);
    for (size_t i = 0; i < u.size(); ++i) u[i] += p.w[i];
    double defect2 = 0;
    for (size_t i = 0; i < p.mu.size(); ++i) defect2 += solvers::cone_defect2(p.mu[i], &s.r[3 * i], &u[3 * i]);
    error += relative(std::sqrt(defect2), std::max(norm(u), norm(s.r)));

    if (p.equation_count() == 0) return error;
    std::vector<double> rate = p.G.multiply_transposed(s.v);
    const double scale = std::max(norm(p.b), norm(rate));
    for (size_t i = 0; i < rate.size(); ++i) rate[i] += p.b[i];
    return error + relative(norm(rate), scale);
}

}  // namespace asperity::fclib
