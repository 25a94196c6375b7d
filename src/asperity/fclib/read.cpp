// Reads problem files. The input is not trusted: every size, index and number is checked before its use.
#include <fmt/format.h>
#include <cmath>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/fclib/hdf5_file.h"
#include "asperity/fclib/problem.h"

namespace asperity::fclib {
namespace {

constexpr int kTriplets = 0, kColumns = -1, kRows = -2;  // meanings of nz: >= 0 triplets, else compressed

std::vector<double> read_vector(const Hdf5Reader& file, const std::string& path) {
    std::vector<double> x = file.doubles(path);
    for (size_t i = 0; i < x.size(); ++i)
        if (!std::isfinite(x[i])) file.fail(fmt::format("{}[{}]", path, i), fmt::format("= {}: must be finite", x[i]));
    return x;
}

std::vector<double> read_vector(const Hdf5Reader& file, const std::string& path, size_t length, const char* why) {
    std::vector<double> x = read_vector(file, path);
    if (x.size() != length) file.fail(path, fmt::format("has {} numbers; must have {} ({})", x.size(), length, why));
    return x;
}

int index_below(const Hdf5Reader& file, const std::string& path, size_t at, int value, int bound) {
    if (value < 0 || value >= bound)
        file.fail(fmt::format("{}[{}]", path, at), fmt::format("= {}: must be from 0 to {}", value, bound - 1));
    return value;
}

/// Compressed form: `p` holds the start of each column (or row), `i` the row (or column) of each entry.
std::vector<Triplet> compressed(const Hdf5Reader& file, const std::string& group, const std::vector<int>& p,
                                const std::vector<int>& i, const std::vector<double>& x, int outer, int inner,
                                bool by_columns) {
    const auto count = static_cast<size_t>(outer);
    if (p.size() < count + 1) file.fail(group + "/p", fmt::format("has {} numbers; must have {}", p.size(), count + 1));
    if (p[0] != 0) file.fail(group + "/p[0]", fmt::format("= {}: must be 0", p[0]));
    for (size_t k = 0; k < count; ++k)
        if (p[k + 1] < p[k])
            file.fail(fmt::format("{}/p[{}]", group, k + 1),
                      fmt::format("= {}: must not be below the entry before it, {}", p[k + 1], p[k]));
    const auto entries = static_cast<size_t>(p[count]);
    for (const auto& [name, length] : {std::pair{"/i", i.size()}, std::pair{"/x", x.size()}})
        if (length < entries)
            file.fail(group + name, fmt::format("has {} numbers; must have {}, which is the last of p", length, entries));
    std::vector<Triplet> all;
    all.reserve(entries);
    for (size_t k = 0; k < count; ++k)
        for (auto e = static_cast<size_t>(p[k]); e < static_cast<size_t>(p[k + 1]); ++e) {
            const int other = index_below(file, group + "/i", e, i[e], inner), own = static_cast<int>(k);
            all.push_back(by_columns ? Triplet{other, own, x[e]} : Triplet{own, other, x[e]});
        }
    return all;
}

SparseMatrix read_matrix(const Hdf5Reader& file, const std::string& group, int rows, int columns, const char* why) {
    const int m = file.one_int(group + "/m"), n = file.one_int(group + "/n"), nz = file.one_int(group + "/nz");
    if (m != rows || n != columns)
        file.fail(group, fmt::format("is {} x {}; must be {} x {} ({})", m, n, rows, columns, why));
    if (nz < kRows)
        file.fail(group + "/nz",
                  fmt::format("= {}: must be the number of triplets, -1 (compressed columns) or -2 (compressed rows)", nz));
    const std::vector<int> p = file.ints(group + "/p"), i = file.ints(group + "/i");
    const std::vector<double> x = read_vector(file, group + "/x");
    if (nz == kColumns) return make_sparse(m, n, compressed(file, group, p, i, x, n, m, true));
    if (nz == kRows) return make_sparse(m, n, compressed(file, group, p, i, x, m, n, false));
    static_assert(kTriplets == 0);
    const auto entries = static_cast<size_t>(nz);
    for (const auto& [name, length] : {std::pair{"/p", p.size()}, std::pair{"/i", i.size()}, std::pair{"/x", x.size()}})
        if (length < entries) file.fail(group + name, fmt::format("has {} numbers; must have nz = {}", length, entries));
    std::vector<Triplet> all;
    all.reserve(entries);
    for (size_t e = 0; e < entries; ++e)
        all.push_back({index_below(file, group + "/i", e, i[e], m), index_below(file, group + "/p", e, p[e], n), x[e]});
    return make_sparse(m, n, std::move(all));
}

/// Declared number of rows or columns of a matrix.
int dimension(const Hdf5Reader& file, const std::string& path) {
    const int size = file.one_int(path);
    if (size < 0) file.fail(path, fmt::format("= {}: must not be negative", size));
    return size;
}

Info read_info(const Hdf5Reader& file, const std::string& group) {
    return {file.text(group + "/info/title"), file.text(group + "/info/description")};
}

/// The friction coefficients; their number is the number of contacts.
std::vector<double> read_mu(const Hdf5Reader& file, const std::string& group) {
    const int dimensions = file.one_int(group + "/spacedim");
    if (dimensions != 3)
        file.fail(group + "/spacedim", fmt::format("= {}: only problems in three dimensions can be read", dimensions));
    const std::string path = group + "/vectors/mu";
    std::vector<double> mu = read_vector(file, path);
    if (mu.empty()) file.fail(path, "is empty: a problem without contacts");
    if (mu.size() > 100'000'000) file.fail(path, "too many contacts");  // row indices are int
    for (size_t i = 0; i < mu.size(); ++i)
        if (mu[i] < 0) file.fail(fmt::format("{}[{}]", path, i), fmt::format("= {}: must not be negative", mu[i]));
    return mu;
}

LocalProblem read_local(const Hdf5Reader& file) {
    const std::string group = "/fclib_local";
    LocalProblem p;
    p.info = read_info(file, group);
    p.mu = read_mu(file, group);
    const int rows = 3 * p.contact_count();
    p.q = read_vector(file, group + "/vectors/q", static_cast<size_t>(rows), "three for each mu");
    p.W = read_matrix(file, group + "/W", rows, rows, "three rows for each mu");
    const bool has_v = file.has(group + "/V"), has_r = file.has(group + "/R");
    if (has_v != has_r) file.fail(group + (has_v ? "/R" : "/V"), "is missing, but V and R only make sense together");
    if (!has_v) return p;
    const int equations = dimension(file, group + "/R/m");
    p.V = read_matrix(file, group + "/V", rows, equations, "three rows for each mu, as many columns as R");
    p.R = read_matrix(file, group + "/R", equations, equations, "square");
    if (equations > 0)
        p.s = read_vector(file, group + "/vectors/s", static_cast<size_t>(equations), "one for each row of R");
    return p;
}

GlobalProblem read_global(const Hdf5Reader& file) {
    const std::string group = "/fclib_global";
    GlobalProblem p;
    p.info = read_info(file, group);
    p.mu = read_mu(file, group);
    const int rows = 3 * p.contact_count(), freedoms = dimension(file, group + "/M/m");
    p.f = read_vector(file, group + "/vectors/f", static_cast<size_t>(freedoms), "one for each row of M");
    p.w = read_vector(file, group + "/vectors/w", static_cast<size_t>(rows), "three for each mu");
    p.M = read_matrix(file, group + "/M", freedoms, freedoms, "square");
    p.H = read_matrix(file, group + "/H", freedoms, rows, "as many rows as M, three columns for each mu");
    if (!file.has(group + "/G")) return p;
    const int equations = dimension(file, group + "/G/n");
    p.G = read_matrix(file, group + "/G", freedoms, equations, "as many rows as M");
    if (equations > 0)
        p.b = read_vector(file, group + "/vectors/b", static_cast<size_t>(equations), "one for each column of G");
    return p;
}

Solution read_solution(const Hdf5Reader& file, const std::string& group, size_t rows) {
    Solution s;
    if (!file.has(group)) return s;
    if (file.has(group + "/v")) s.v = read_vector(file, group + "/v");
    if (file.has(group + "/l")) s.l = read_vector(file, group + "/l");
    if (file.has(group + "/u")) s.u = read_vector(file, group + "/u", rows, "three for each mu");
    if (file.has(group + "/r")) s.r = read_vector(file, group + "/r", rows, "three for each mu");
    return s;
}

}  // namespace

int ProblemFile::contact_count() const {
    return std::visit([](const auto& p) { return p.contact_count(); }, problem);
}

ProblemFile parse_problem(std::string bytes, const std::string& name) {
    const Hdf5Reader file(std::move(bytes), name);
    ProblemFile out;
    if (file.has("/fclib_local"))
        out.problem = read_local(file);
    else if (file.has("/fclib_global"))
        out.problem = read_global(file);
    else
        throw InputError(
            fmt::format("{}: neither /fclib_local nor /fclib_global is in this HDF5 file; it is no FCLIB problem", name));
    const auto rows = static_cast<size_t>(3 * out.contact_count());
    out.solution = read_solution(file, "/solution", rows);
    if (file.has("/guesses/number_of_guesses")) {
        const int count = file.one_int("/guesses/number_of_guesses");
        for (int i = 1; i <= count && file.has(fmt::format("/guesses/{}", i)); ++i)
            out.guesses.push_back(read_solution(file, fmt::format("/guesses/{}", i), rows));
    }
    return out;
}

ProblemFile read_problem(const std::filesystem::path& path) { return parse_problem(read_file(path), path.string()); }

}  // namespace asperity::fclib
