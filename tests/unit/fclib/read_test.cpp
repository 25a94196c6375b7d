// Files read back unchanged in every layout, and files that must be refused with a one-line reason.
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <limits>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/fclib/hdf5_file.h"
#include "problems.h"

namespace asperity::fclib {
namespace {

constexpr Layout kLayouts[] = {Layout::Triplets, Layout::CompressedColumns, Layout::CompressedRows};

LocalProblem local_with_equations() {
    Random random(3);
    LocalProblem p;
    p.info = {"title", "description"};
    p.W = random_matrix(random, 6, 6, 0.5);
    p.q = random_vector(random, 6);
    p.mu = {0.3, 0};
    p.V = random_matrix(random, 6, 2, 0.7);
    p.R = random_mass(random, 2, 2);
    p.s = random_vector(random, 2);
    return p;
}

TEST(ProblemFile, LocalProblemsComeBackInEveryLayout) {
    ProblemFile file{
        local_with_equations(), {{}, {1, 2}, {1, 2, 3, 4, 5, 6}, {6, 5, 4, 3, 2, 1}}, {{{}, {}, {}, {0, 0, 0, 1, 1, 1}}}};
    for (const Layout layout : kLayouts) {
        const ProblemFile back = parse_problem(problem_bytes(file, layout), "bytes");
        const auto &a = std::get<LocalProblem>(file.problem), &b = std::get<LocalProblem>(back.problem);
        expect_same(a.W, b.W);
        expect_same(a.V, b.V);
        expect_same(a.R, b.R);
        EXPECT_EQ(a.q, b.q);
        EXPECT_EQ(a.s, b.s);
        EXPECT_EQ(a.mu, b.mu);
        EXPECT_EQ(b.info.title, "title");
        EXPECT_EQ(b.info.description, "description");
        EXPECT_EQ(back.solution.r, file.solution.r);
        EXPECT_EQ(back.solution.u, file.solution.u);
        EXPECT_EQ(back.solution.l, file.solution.l);
        ASSERT_EQ(back.guesses.size(), 1u);
        EXPECT_EQ(back.guesses[0].r, file.guesses[0].r);
    }
    EXPECT_EQ(problem_bytes(file), problem_bytes(file));
}

TEST(ProblemFile, GlobalProblemsComeBackInEveryLayout) {
    Random random(5);
    const GlobalProblem a = random_global(random, 12, 2, 3, 6);
    for (const Layout layout : kLayouts) {
        const ProblemFile back = parse_problem(problem_bytes({a, {}, {}}, layout), "bytes");
        ASSERT_TRUE(back.is_global());
        const auto& b = std::get<GlobalProblem>(back.problem);
        expect_same(a.M, b.M);
        expect_same(a.H, b.H);
        expect_same(a.G, b.G);
        EXPECT_EQ(a.f, b.f);
        EXPECT_EQ(a.w, b.w);
        EXPECT_EQ(a.b, b.b);
        EXPECT_EQ(a.mu, b.mu);
    }
}

TEST(ProblemFile, EntriesOfTheSamePlaceAreAddedUp) {
    Hdf5Writer file;
    const std::vector<int> rows{0, 1, 2, 0}, columns{0, 1, 2, 0};
    const std::vector<double> values{1, 2, 3, 0.5}, q{1, 2, 3}, mu{0.5};
    for (const char* name : {"m", "n"}) file.write(std::string("/fclib_local/W/") + name, 3);
    file.write("/fclib_local/W/nz", 4);
    file.write("/fclib_local/W/i", rows);
    file.write("/fclib_local/W/p", columns);
    file.write("/fclib_local/W/x", values);
    file.write("/fclib_local/spacedim", 3);
    file.write("/fclib_local/vectors/q", q);
    file.write("/fclib_local/vectors/mu", mu);
    const auto problem = std::get<LocalProblem>(parse_problem(file.bytes(), "bytes").problem);
    EXPECT_EQ(problem.W.multiply(std::vector<double>{1, 1, 1}), (std::vector<double>{1.5, 2, 3}));
}

/// A local problem of one contact, with one error.
struct Parts {
    int spacedim = 3, m = 3, n = 3, nz = -2;
    std::vector<int> p{0, 1, 2, 3}, i{0, 1, 2};
    std::vector<double> x{1, 1, 1}, q{-1, 0, 0}, mu{0.5};
    std::string group = "/fclib_local", without;

    std::string bytes() const {
        Hdf5Writer file;
        const auto put = [&](const std::string& path, const auto& value) {
            if (path != without) file.write(group + "/" + path, value);
        };
        put("spacedim", spacedim);
        put("W/m", m);
        put("W/n", n);
        put("W/nz", nz);
        put("W/p", p);
        put("W/i", i);
        put("W/x", x);
        put("vectors/q", q);
        put("vectors/mu", mu);
        return file.bytes();
    }
};

void expect_refused(const std::string& bytes, const std::string& mentions) {
    try {
        parse_problem(bytes, "some.hdf5");
        FAIL() << "taken, although: " << mentions;
    } catch (const InputError& error) {
        const std::string text = error.what();
        EXPECT_TRUE(text.starts_with("some.hdf5: ")) << text;
        EXPECT_NE(text.find(mentions), std::string::npos) << text;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
}

TEST(DamagedFile, WholeOneIsTaken) { EXPECT_NO_THROW(parse_problem(Parts{}.bytes(), "good")); }

TEST(DamagedFile, IsRefusedWithTheReason) {
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    const std::pair<std::function<void(Parts&)>, const char*> cases[] = {
        {[](Parts& p) { p.group = "/other"; }, "neither /fclib_local nor /fclib_global"},
        {[](Parts& p) { p.without = "spacedim"; }, "/fclib_local/spacedim: is missing"},
        {[](Parts& p) { p.without = "vectors/q"; }, "/fclib_local/vectors/q: is missing"},
        {[](Parts& p) { p.without = "vectors/mu"; }, "/fclib_local/vectors/mu: is missing"},
        {[](Parts& p) { p.without = "W/x"; }, "/fclib_local/W/x: is missing"},
        {[](Parts& p) { p.without = "W/nz"; }, "/fclib_local/W/nz: is missing"},
        {[](Parts& p) { p.spacedim = 2; }, "spacedim: = 2: only problems in three dimensions"},
        {[](Parts& p) {
             p.mu.clear();
             p.q.clear();
         },
         "without contacts"},
        {[](Parts& p) { p.mu[0] = -0.1; }, "mu[0]: = -0.1"},
        {[&](Parts& p) { p.mu[0] = nan; }, "mu[0]: = nan: must be finite"},
        {[&](Parts& p) { p.q[2] = infinity; }, "q[2]: = inf: must be finite"},
        {[&](Parts& p) { p.x[1] = nan; }, "W/x[1]: = nan: must be finite"},
        {[](Parts& p) { p.q.push_back(0); }, "q: has 4 numbers; must have 3"},
        {[](Parts& p) { p.m = 6; }, "W: is 6 x 3; must be 3 x 3"},
        {[](Parts& p) { p.n = -3; }, "W: is 3 x -3"},
        {[](Parts& p) { p.nz = -3; }, "nz: = -3"},
        {[](Parts& p) { p.nz = 4; }, "has 3 numbers; must have nz = 4"},
        {[](Parts& p) {
             p.nz = 3;
             p.p = {0, 1, 3};
         },
         "W/p[2]: = 3: must be from 0 to 2"},
        {[](Parts& p) { p.i[2] = 3; }, "W/i[2]: = 3: must be from 0 to 2"},
        {[](Parts& p) { p.i[0] = -1; }, "W/i[0]: = -1: must be from 0 to 2"},
        {[](Parts& p) { p.p[3] = 2000000000; }, "must have 2000000000"},
        {[](Parts& p) { p.p[1] = 3; }, "W/p[2]: = 2: must not be below"},
        {[](Parts& p) { p.p[0] = 1; }, "W/p[0]: = 1: must be 0"},
        {[](Parts& p) { p.p.pop_back(); }, "W/p: has 3 numbers; must have 4"},
    };
    for (const auto& [damage, mentions] : cases) {
        Parts parts;
        damage(parts);
        expect_refused(parts.bytes(), mentions);
    }
    expect_refused("", "no HDF5 file");
    expect_refused("title = \"a scene\"", "no HDF5 file");
    const std::string whole = Parts{}.bytes();
    expect_refused(whole.substr(0, whole.size() / 2), "");
    expect_refused(whole.substr(0, 100), "no HDF5 file");
}

TEST(DamagedFile, WrongKindsOfDataAreRefused) {
    const auto with = [](auto&& put) {
        Parts parts;
        parts.without = "vectors/q";
        // the same file with another type of q
        Hdf5Writer file;
        file.write("/fclib_local/spacedim", 3);
        file.write("/fclib_local/vectors/mu", parts.mu);
        put(file);
        return file.bytes();
    };
    expect_refused(with([](Hdf5Writer& f) { f.write("/fclib_local/vectors/q", std::string("text")); }),
                   "q: must hold numbers");
    expect_refused(with([](Hdf5Writer& f) { f.write("/fclib_local/vectors/q/inner", 3); }),
                   "q: cannot be read; it should be an array");
    expect_refused(with([](Hdf5Writer& f) {
                       f.write("/fclib_local/vectors/q", std::vector<double>{1, 2, 3});
                       f.write("/fclib_local/W/m", std::vector<double>{3});
                   }),
                   "W/m: must hold whole numbers");
}

TEST(DamagedFile, HalfOfTheEquationsIsNone) {
    LocalProblem p = local_with_equations();
    const std::string both = problem_bytes({p, {}, {}});
    EXPECT_NO_THROW(parse_problem(both, "both"));
    Hdf5Writer file;
    for (const char* name : {"m", "n"}) file.write(std::string("/fclib_local/W/") + name, 3);
    file.write("/fclib_local/W/nz", 0);
    for (const char* name : {"i", "p"}) file.write(std::string("/fclib_local/W/") + name, std::vector<int>{});
    file.write("/fclib_local/W/x", std::vector<double>{});
    file.write("/fclib_local/spacedim", 3);
    file.write("/fclib_local/vectors/q", std::vector<double>{0, 0, 0});
    file.write("/fclib_local/vectors/mu", std::vector<double>{1});
    file.write("/fclib_local/V/m", 3);
    expect_refused(file.bytes(), "/fclib_local/R: is missing");
}

TEST(ProblemFile, IsWrittenAndReadByName) {
    const auto path = std::filesystem::temp_directory_path() / ("asperity_fclib_" + std::to_string(::getpid()) + ".hdf5");
    write_problem(path, {local_with_equations(), {}, {}});
    EXPECT_EQ(read_problem(path).contact_count(), 2);
    std::filesystem::remove(path);
    EXPECT_THROW(read_problem(path), InputError);
}

}  // namespace
}  // namespace asperity::fclib
