// Frictional contact problems of the FCLIB collection (HDF5 files; docs/problem-files.md). All contacts have three rows, the
// normal first, and the circular cone |r_T| <= mu r_N.
//     local    u = W r + V l + q,    0 = V^T r + R l + s
//     global   M v = H r + G l + f,  u = H^T v + w,  0 = G^T v + b
// l are the impulses of equations (joints); V, R, s and G, b are often absent. r [N s] and u [m/s] obey Coulomb's law at
// every contact:
//     K contains r,  K* contains u + (mu |u_T|, 0, 0),  both are orthogonal,  K = {|r_T| <= mu r_N}.
// Source: Acary, Bremond, Koziara, Perignon, "FCLIB: a collection of discrete 3D frictional contact problems", Inria RT-444,
// 2014.
#pragma once
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "asperity/fclib/sparse.h"

namespace asperity::fclib {

struct Info {
    std::string title, description;
};

struct LocalProblem {
    Info info;
    SparseMatrix W;          ///< 3n x 3n, both triangles as in the file
    std::vector<double> q;   ///< [m/s]
    std::vector<double> mu;  ///< one per contact
    SparseMatrix V, R;       ///< 3n x p and p x p; p = 0: no equations
    std::vector<double> s;

    int contact_count() const { return static_cast<int>(mu.size()); }
    int equation_count() const { return static_cast<int>(s.size()); }
};

struct GlobalProblem {
    Info info;
    SparseMatrix M;  ///< m x m
    SparseMatrix H;  ///< m x 3n
    SparseMatrix G;  ///< m x p; p = 0: no equations
    std::vector<double> f, w, b, mu;

    int contact_count() const { return static_cast<int>(mu.size()); }
    int equation_count() const { return static_cast<int>(b.size()); }
};

/// A solution or an initial guess; empty where the file has none.
struct Solution {
    std::vector<double> v, l, u, r;
};

struct ProblemFile {
    std::variant<LocalProblem, GlobalProblem> problem;
    Solution solution;
    std::vector<Solution> guesses;

    bool is_global() const { return std::holds_alternative<GlobalProblem>(problem); }
    int contact_count() const;
};

/// Throws InputError for everything that is not a complete problem: not HDF5, truncated, missing group or array,
/// inconsistent sizes, index out of range, numbers that are not finite, no contacts, two dimensions.
ProblemFile read_problem(const std::filesystem::path& path);
/// Same, from the bytes of a file; `name` stands for the file in messages.
ProblemFile parse_problem(std::string bytes, const std::string& name);

enum class Layout { Triplets, CompressedColumns, CompressedRows };
/// The bytes of a file, with matrices in the given layout. Equal problems give equal bytes.
std::string problem_bytes(const ProblemFile& file, Layout layout = Layout::CompressedRows);
void write_problem(const std::filesystem::path& path, const ProblemFile& file);

}  // namespace asperity::fclib
