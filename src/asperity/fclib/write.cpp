// Writes problem files in the layout of FCLIB's own reader.
#include <fmt/format.h>

#include "asperity/core/files.h"
#include "asperity/fclib/hdf5_file.h"
#include "asperity/fclib/problem.h"

namespace asperity::fclib {
namespace {

void write_matrix(Hdf5Writer& file, const std::string& group, const SparseMatrix& a, Layout layout) {
    std::vector<int> p, i;
    std::vector<double> x;
    int nz = -2;
    if (layout == Layout::Triplets) {
        nz = static_cast<int>(a.value.size());
        for (const Triplet& e : triplets(a)) {
            i.push_back(e.row);
            p.push_back(e.column);
            x.push_back(e.value);
        }
    } else {
        // columns of A are rows of A^T
        const SparseMatrix ordered = layout == Layout::CompressedColumns ? transposed(a) : a;
        nz = layout == Layout::CompressedColumns ? -1 : -2;
        p = ordered.row_start;
        i = ordered.column;
        x = ordered.value;
    }
    file.write(group + "/nzmax", static_cast<int>(x.size()));
    file.write(group + "/m", a.rows);
    file.write(group + "/n", a.columns);
    file.write(group + "/nz", nz);
    file.write(group + "/p", p);
    file.write(group + "/i", i);
    file.write(group + "/x", x);
}

void write_head(Hdf5Writer& file, const std::string& group, const Info& info, const std::vector<double>& mu) {
    file.write(group + "/spacedim", 3);
    file.write(group + "/vectors/mu", mu);
    file.write(group + "/info/title", info.title);
    file.write(group + "/info/description", info.description);
    file.write(group + "/info/math_info", std::string());
}

void write_one(Hdf5Writer& file, const LocalProblem& p, Layout layout) {
    const std::string group = "/fclib_local";
    write_head(file, group, p.info, p.mu);
    write_matrix(file, group + "/W", p.W, layout);
    file.write(group + "/vectors/q", p.q);
    if (p.equation_count() == 0) return;
    write_matrix(file, group + "/V", p.V, layout);
    write_matrix(file, group + "/R", p.R, layout);
    file.write(group + "/vectors/s", p.s);
}

void write_one(Hdf5Writer& file, const GlobalProblem& p, Layout layout) {
    const std::string group = "/fclib_global";
    write_head(file, group, p.info, p.mu);
    write_matrix(file, group + "/M", p.M, layout);
    write_matrix(file, group + "/H", p.H, layout);
    file.write(group + "/vectors/f", p.f);
    file.write(group + "/vectors/w", p.w);
    if (p.equation_count() == 0) return;
    write_matrix(file, group + "/G", p.G, layout);
    file.write(group + "/vectors/b", p.b);
}

void write_solution(Hdf5Writer& file, const std::string& group, const Solution& s) {
    for (const auto& [name, values] :
         {std::pair{"v", &s.v}, std::pair{"l", &s.l}, std::pair{"u", &s.u}, std::pair{"r", &s.r}})
        if (!values->empty()) file.write(fmt::format("{}/{}", group, name), *values);
}

}  // namespace

std::string problem_bytes(const ProblemFile& problem, Layout layout) {
    Hdf5Writer file;
    std::visit([&](const auto& p) { write_one(file, p, layout); }, problem.problem);
    write_solution(file, "/solution", problem.solution);
    for (size_t i = 0; i < problem.guesses.size(); ++i)
        write_solution(file, fmt::format("/guesses/{}", i + 1), problem.guesses[i]);
    if (!problem.guesses.empty()) file.write("/guesses/number_of_guesses", static_cast<int>(problem.guesses.size()));
    return file.bytes();
}

void write_problem(const std::filesystem::path& path, const ProblemFile& file) { write_file(path, problem_bytes(file)); }

}  // namespace asperity::fclib
