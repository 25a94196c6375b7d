// Siconos' solvers, called as its own drivers call them. W is a matrix of 3 x 3 blocks, the form into which Siconos reads
// FCLIB files.
#include "contestants.h"

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <GlobalFrictionContactProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#include <cstdlib>
#include <cstring>
#include <utility>

#include "asperity/fclib/assembled.h"

namespace asperity::bench {
namespace {

using Adjust = std::function<void(SolverOptions&)>;
constexpr int kManyIterations = 1'000'000'000, kNewtonIterations = 100'000;  // no limit: the time limit decides

template <class T>
T* copied(const T* from, size_t count) {  // Siconos releases it with free()
    T* to = static_cast<T*>(std::malloc(count * sizeof(T)));
    std::memcpy(to, from, count * sizeof(T));
    return to;
}

NumericsMatrix* block_matrix(const solvers::AssembledProblem& p) {
    const size_t n = p.blocks.size(), entries = p.W.column.size();
    auto* m = static_cast<SparseBlockStructuredMatrix*>(std::calloc(1, sizeof(SparseBlockStructuredMatrix)));
    m->nbblocks = static_cast<unsigned>(entries);
    m->blocknumber0 = m->blocknumber1 = static_cast<unsigned>(n);
    std::vector<unsigned> ends(n);
    for (size_t i = 0; i < n; ++i) ends[i] = static_cast<unsigned>(3 * (i + 1));
    m->blocksize0 = copied(ends.data(), n);
    m->blocksize1 = copied(ends.data(), n);
    m->filled1 = n + 1;
    m->filled2 = entries;
    m->index1_data = static_cast<size_t*>(std::malloc((n + 1) * sizeof(size_t)));
    m->index2_data = static_cast<size_t*>(std::malloc(entries * sizeof(size_t)));
    m->block = static_cast<double**>(std::malloc(entries * sizeof(double*)));
    for (size_t i = 0; i <= n; ++i) m->index1_data[i] = static_cast<size_t>(p.W.row_start[i]);
    for (size_t e = 0; e < entries; ++e) {
        m->index2_data[e] = static_cast<size_t>(p.W.column[e]);
        const double* from = &p.W.values[static_cast<size_t>(p.W.value_start[e])];
        double* block = m->block[e] = static_cast<double*>(std::malloc(9 * sizeof(double)));
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) block[3 * c + r] = from[3 * r + c];  // column-major
    }
    return NM_new_SBM(3 * static_cast<int>(n), 3 * static_cast<int>(n), m);
}

NumericsMatrix* sparse_matrix(const fclib::SparseMatrix& a) {
    NumericsMatrix* m = NM_create(NM_SPARSE, a.rows, a.columns);
    NM_triplet_alloc(m, static_cast<CS_INT>(a.value.size()));
    for (const fclib::Triplet& e : fclib::triplets(a)) NM_entry(m, e.row, e.column, e.value);
    return m;
}

SolverOptions* options_of(int id, double tolerance, const Adjust& adjust) {
    SolverOptions* options = solver_options_create(id);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = kManyIterations;
    adjust(*options);
    return options;
}

Outcome solve_local(int id, const Adjust& adjust, const Problem& problem, double tolerance) {
    numerics_set_verbose(0);
    const fclib::LocalProblem& p = problem.local;
    const auto n = static_cast<size_t>(p.contact_count());
    FrictionContactProblem* theirs = frictionContactProblem_new_with_data(
        3, static_cast<int>(n), block_matrix(fclib::to_assembled(p)), copied(p.q.data(), 3 * n), copied(p.mu.data(), n));
    Outcome out;
    out.r.assign(3 * n, 0.0);
    std::vector<double> u(3 * n, 0.0);
    SolverOptions* options = options_of(id, tolerance, adjust);
    const Stopwatch watch;
    fc3d_driver(theirs, out.r.data(), u.data(), options);
    out.seconds = watch.seconds();
    out.iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
    return out;  // memory is not freed, because the process ends after a few solves
}

Outcome solve_global(int id, const Adjust& adjust, const Problem& problem, double tolerance) {
    numerics_set_verbose(0);
    const auto& p = std::get<fclib::GlobalProblem>(problem.file.problem);
    const auto n = static_cast<size_t>(p.contact_count());
    GlobalFrictionContactProblem* theirs = globalFrictionContactProblem_new();
    theirs->dimension = 3;
    theirs->numberOfContacts = static_cast<int>(n);
    theirs->M = sparse_matrix(p.M);
    theirs->H = sparse_matrix(p.H);
    theirs->q = copied(p.f.data(), p.f.size());
    theirs->b = copied(p.w.data(), p.w.size());
    theirs->mu = copied(p.mu.data(), n);
    Outcome out;
    out.r.assign(3 * n, 0.0);
    out.v.assign(p.f.size(), 0.0);
    std::vector<double> u(3 * n, 0.0);
    SolverOptions* options = options_of(id, tolerance, adjust);
    const Stopwatch watch;
    gfc3d_driver(theirs, out.r.data(), u.data(), out.v.data(), options);
    out.seconds = watch.seconds();
    out.iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
    return out;
}

void newton(SolverOptions& o) { o.iparam[SICONOS_IPARAM_MAX_ITER] = kNewtonIterations; }
void hybrid_newton(SolverOptions& o) {
    newton(o);
    o.iparam[SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY] = SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY_VI_EG_NSN;
}
void proximal_newton(SolverOptions& o) {
    newton(o);
    solver_options_update_internal(&o, 0, SICONOS_FRICTION_3D_NSN_AC);
}
void rare_errors(SolverOptions& o) { o.iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION_FREQUENCY] = 10; }
void full_errors(SolverOptions& o) {
    rare_errors(o);
    o.iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL;
}
void local_projections(SolverOptions& o) {
    solver_options_update_internal(&o, 0, SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration);
}
void balanced(SolverOptions& o) {
    o.iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY] = SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_RESIDUAL_BALANCING;
}
void as_they_are(SolverOptions&) {}

}  // namespace

std::vector<Contestant> siconos_contestants() {
    struct Entry {
        const char* name;
        int id;
        bool global;
        Adjust adjust;
    };
    const Entry entries[] = {{"NSGS", SICONOS_FRICTION_3D_NSGS, false, as_they_are},
                             {"NSGS_F10", SICONOS_FRICTION_3D_NSGS, false, full_errors},
                             {"NSGS_PLI", SICONOS_FRICTION_3D_NSGS, false, local_projections},
                             {"NSN_AC", SICONOS_FRICTION_3D_NSN_AC, false, newton},
                             {"NSN_AC_VIEG", SICONOS_FRICTION_3D_NSN_AC, false, hybrid_newton},
                             {"NSN_FB", SICONOS_FRICTION_3D_NSN_FB, false, newton},
                             {"PROX_NSN", SICONOS_FRICTION_3D_PROX, false, proximal_newton},
                             {"ADMM", SICONOS_FRICTION_3D_ADMM, false, as_they_are},
                             {"ADMM_RB", SICONOS_FRICTION_3D_ADMM, false, balanced},
                             {"VI_EG", SICONOS_FRICTION_3D_VI_EG, false, as_they_are},
                             {"TFP", SICONOS_FRICTION_3D_TFP, false, as_they_are},
                             {"ACLM", SICONOS_FRICTION_3D_ACLMFP, false, as_they_are},
                             {"G_NSGS_WR", SICONOS_GLOBAL_FRICTION_3D_NSGS_WR, true, as_they_are},
                             {"G_NSN_AC", SICONOS_GLOBAL_FRICTION_3D_NSN_AC, true, newton},
                             {"G_ADMM", SICONOS_GLOBAL_FRICTION_3D_ADMM, true, as_they_are}};
    std::vector<Contestant> all;
    for (const Entry& e : entries)
        all.push_back({e.name, false, e.global, [e](const Problem& problem, double tolerance, double) {
                           return e.global ? solve_global(e.id, e.adjust, problem, tolerance)
                                           : solve_local(e.id, e.adjust, problem, tolerance);
                       }});
    return all;
}

}  // namespace asperity::bench
