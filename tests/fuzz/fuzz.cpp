// fuzz: damages every kind of file that the program reads, and uses each in a process of its own. A crash, more than 20 s,
// or more than 4 GB of memory is a failure; the file is kept. Equal arguments make equal inputs. Seconds are of processor
// time.
//
//     build/tests/fuzz [--count 20000] [--first 0] [--kinds scene,obj,recording,...] [--keep DIR]
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <map>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/core/parallel.h"
#include "asperity/core/random.h"
#include "asperity/fclib/assembled.h"
#include "asperity/fclib/reduce.h"
#include "asperity/record/csv.h"
#include "asperity/record/recording_file.h"
#include "asperity/record/vtu.h"
#include "asperity/scene.h"
#include "asperity/scene/checkpoint.h"
#include "asperity/scene/reader.h"
#include "render/render.h"
#include "tests/unit/record/deformable_sample.h"

namespace asperity {
namespace {

namespace fs = std::filesystem;

constexpr int kLimit_s = 20;
constexpr std::size_t kMemory = std::size_t{4} << 30;

const fs::path source = ASPERITY_SOURCE_DIR;

std::size_t any(Random& random, std::size_t size) {
    return static_cast<std::size_t>(random.uniform() * static_cast<double>(size));
}

// ---- damage ----

/// Changes bytes, and aligned words to numbers that hurt: what files hold is mostly float64, and counts and indices.
void damage_bytes(std::string& bytes, Random& random) {
    const double nasty[] = {0, -1, 1e300, -1e300, 1e30, 1e-300, 1e15, 3.5, std::nan(""), HUGE_VAL};
    const std::uint64_t counts[] = {0, 1, 0xffffffffu, ~std::uint64_t{0}, std::uint64_t{1} << 40, 0x80000000u};
    for (int changes = 1 + random.below(4); changes > 0 && !bytes.empty(); --changes) {
        const std::size_t at = any(random, bytes.size());
        switch (random.below(8)) {
            case 0: bytes[at] = static_cast<char>(random.below(256)); break;
            case 1:
            case 2: bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8))); break;
            case 3:
            case 4: {
                const double x = nasty[any(random, std::size(nasty))];
                if (bytes.size() >= at / 4 * 4 + 8) std::memcpy(&bytes[at / 4 * 4], &x, 8);
                break;
            }
            case 5: {
                const std::uint64_t n = counts[any(random, std::size(counts))];
                const std::size_t size = random.below(2) ? 4 : 8;
                if (bytes.size() >= at / 4 * 4 + size) std::memcpy(&bytes[at / 4 * 4], &n, size);
                break;
            }
            case 6:
                if (random.below(4) == 0) bytes.resize(at);
                break;
            default: bytes.insert(at, bytes.substr(any(random, bytes.size()), any(random, 40))); break;
        }
    }
}

/// Changes tokens of a text to others of it, to numbers of any size, or to words that hurt; and its lines.
void damage_text(std::string& text, Random& random) {
    static const char* const words[] = {
        "0",     "-1",     "1e308", "nan", "inf", "9223372036854775807", "1e9", "true", "\"\"", "[]", "{}",
        "\"t\"", "1e-320", "null",  "f",   "v",   "4294967295",          "/",   "//",   "-0"};
    const auto inside = [&](std::size_t i) {
        return i < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_' || text[i] == '.' || text[i] == '-');
    };
    for (int changes = 1 + random.below(3); changes > 0 && !text.empty(); --changes) {
        std::size_t first = any(random, text.size()), end = first;
        while (first > 0 && inside(first - 1)) --first;
        while (inside(end)) ++end;
        switch (random.below(7)) {
            case 0: text[first] = static_cast<char>(random.below(256)); break;
            case 1: text.replace(first, end - first, words[any(random, std::size(words))]); break;
            case 2:
            case 3:
                text.replace(first, end - first,
                             fmt::format("{:.3g}", (random.below(4) ? 1 : -1) * std::pow(10, random.uniform(-8, 8))));
                break;
            case 4: {
                std::size_t from = any(random, text.size()), to = from;
                while (inside(to)) ++to;
                text.replace(first, end - first, text.substr(from, to - from));
                break;
            }
            case 5: text.erase(first, any(random, 60)); break;
            default: text.insert(first, text.substr(any(random, text.size()), any(random, 80))); break;
        }
    }
}

// ---- files to damage ----

struct Corpus {
    std::vector<fs::path> scenes, objs, gltfs, problems, pictures;
    fs::path run;  // folder of a short run with patches, sleep and joints
};

const char* const kRun = R"toml(
world = { default = { mu = 0.5, restitution = 0.3 } }
step = { contact_model = "patches", sleep_speed = 0.05, sleep_time = 0.05, duration = 0.3, dt = 0.01 }
[[body]]
name = "floor"
shape = { half_space = true }
fixed = true
[[generate]]
name = "b"
count = [2, 2, 2]
body = { shape = { box = [0.2, 0.2, 0.2] }, position = ["0.25*i", "0.25*j", "0.1 + 0.2*k"] }
[[generate]]
name = "c"
count = 4
body = { shape = { cylinder = [0.1, 0.3] }, position = ["0.3*i", 1, 0.3], velocity = [1, 0, 0] }
[[body]]
name = "stone"
shape = { hull = [[0, 0, 0], [0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.2]] }
position = [-1, 0, 0.1]
[[joint]]
kind = "ball"
a = "c_0"
b = "c_1"
at = [0.15, 1, 0.3]
[[joint]]
kind = "distance"
a = "b_0_0_1"
b = "stone"
length = 2
[[expect]]
body = "b_*"
observable = "speed_max"
below = 100
from = 0.1
until = 0.2
)toml";

scene::RunResult run_short(const fs::path& folder, double duration, bool resume) {
    scene::Scene scene = scene::parse(kRun, "run.toml", {{"step.duration", fmt::format("{}", duration)}});
    scene::RunOptions options;
    options.out = folder;
    options.contacts = true;
    options.resume = resume;
    return scene::run(scene, options);
}

std::vector<fs::path> files_in(const fs::path& folder, const std::string& extension, std::size_t largest) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(source / folder))
        if (entry.path().extension() == extension && entry.file_size() <= largest) found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

// ---- use ----

void use_scene(const std::string& text, const fs::path& from) {
    scene::ReadLimits limits;
    limits.bodies = 200;
    limits.hull_points = 100;
    limits.cells = 5000;
    limits.map_texels = 1 << 22;
    scene::Scene scene = scene::parse_within(text, from, {}, {}, limits);
    scene.duration = std::min(scene.duration, 2 * scene.dt);
    scene.world.model.settings.solve.max_sweeps = std::min(scene.world.model.settings.solve.max_sweeps, 50);
    scene::run(scene, {});
}

/// A scene that consists of one body with the file as its shape or surface, and a ball on it.
void use_in_scene(const std::string& shape, const std::string& material = "") {
    use_scene(
        fmt::format(
            "world = {{ default = {{ mu = 0.5 }} }}\nstep = {{ dt = 0.01 }}\n[material.m]\n{}\n[[body]]\nname = "
            "\"a\"\nmaterial = \"m\"\nfixed = true\nshape = {}\n[[body]]\nname = \"ball\"\nmaterial = \"m\"\nposition = "
            "[0, 0, 0.25]\nshape = {{ sphere = 0.2 }}\n",
            material, shape),
        "fuzz.toml");
}

void use_problem(const std::string& bytes) {
    const fclib::ProblemFile file = fclib::parse_problem(bytes, "fuzz");
    solvers::AssembledProblem problem;
    if (const auto* global = std::get_if<fclib::GlobalProblem>(&file.problem))
        problem = fclib::to_assembled(fclib::Reduction(*global).local());
    else
        problem = fclib::to_assembled(fclib::without_equations(std::get<fclib::LocalProblem>(file.problem)));
    std::vector<double> history;
    solvers::make_assembled_solver("prox")->solve(problem, {1e-6, 20, 1, solvers::Measure::Siconos}, history);
}

void use_recording(const fs::path& file) {
    const record::RecordingFile recording(file);
    if (recording.size() == 0) return;
    render::Options options;
    options.width = options.height = 16;
    options.samples = 1;
    options.forces = options.trails = options.cones = true;
    if (record::has_deformables(recording.head()))
        options.color_by = render::automatic_scale(record::Footage(recording.head(), recording), render::Quantity::VonMises);
    render::Renderer(record::Footage(recording.head(), recording), options).frame(recording.size() - 1);
    record::save_glb(recording.head(), recording, file.string() + ".glb");
}

// ---- one input ----

const std::vector<std::string> kKinds = {"scene",   "obj",       "gltf",       "problem",
                                         "picture", "recording", "deformable", "checkpoint"};

/// Damages a recording behind valid checksums: writes it anew from changed parts.
void damage_recording(const fs::path& from, const fs::path& to, Random& random) {
    record::Recording r = record::load(from);
    const double nasty[] = {0, -1, 1e300, -1e300, 1e30, 1e11, 1e-300, 3.5, std::nan(""), HUGE_VAL};
    const auto number = [&] { return nasty[any(random, std::size(nasty))]; };
    for (int changes = 1 + random.below(6); changes > 0; --changes) {
        record::Frame& frame = r.frames[any(random, r.frames.size())];
        record::RecordedBody& body = r.bodies[any(random, r.bodies.size())];
        Pose& pose = random.below(2) ? frame.poses[any(random, frame.poses.size())] : body.colliders[0].local;
        switch (random.below(9)) {
            case 0: pose.position.x = number(); break;
            case 1: pose.orientation.y = number(); break;
            case 2: frame.time = number(); break;
            case 3:
                if (!frame.contacts.empty()) frame.contacts[any(random, frame.contacts.size())].point.z = number();
                break;
            case 4:
                if (!frame.contacts.empty())
                    frame.contacts[any(random, frame.contacts.size())].normal = {number(), 0, number()};
                break;
            case 5:
                if (!frame.contacts.empty()) frame.contacts[any(random, frame.contacts.size())].mu_t = number();
                break;
            case 6:
                if (!frame.patches.empty()) frame.patches[any(random, frame.patches.size())].outline[0].x = number();
                break;
            case 7: body.colliders[0].shape = geometry::Box{{std::fabs(number()), 0.1, 0.1}}; break;
            default: r.view = record::View{{number(), 1, 2}, {0, number(), 0}, 35}; break;
        }
    }
    record::save(r, to);  // refuses what a reader would refuse
}

/// The same for a recording of deformable bodies.
void damage_deformable(const fs::path& to, Random& random) {
    record::Recording r = record::deformable_recording(4);
    const double nasty[] = {0, -1, 1e300, -1e300, 1e30, 1e11, 1e-300, 3.5, std::nan(""), HUGE_VAL};
    const auto number = [&] { return nasty[any(random, std::size(nasty))]; };
    const std::size_t which = any(random, 2);
    record::DeformableMesh mesh = *r.bodies[1 + which].deformable;
    for (int changes = 1 + random.below(6); changes > 0; --changes) {
        record::Frame& frame = r.frames[any(random, r.frames.size())];
        record::Deformation& now = frame.deformations[which];
        switch (random.below(8)) {
            case 0: now.positions[any(random, now.positions.size())] = {number(), number(), number()}; break;
            case 1: now.von_mises.assign(mesh.elements.size(), static_cast<float>(number())); break;
            case 2: now.pressure.assign(any(random, 3), static_cast<float>(number())); break;
            case 3: mesh.rest[any(random, mesh.rest.size())].z = number(); break;
            case 4: mesh.elements[any(random, mesh.elements.size())][any(random, 4)] = random.below(7) - 1; break;
            case 5: mesh.depth = number(); break;
            case 6: now.positions.assign(now.positions.size(), Vec3{}); break;  // collapsed
            default:
                if (!frame.forces.empty()) frame.forces[0].body_a = random.below(9) - 5;
        }
    }
    r.bodies[1 + which].deformable = std::make_shared<record::DeformableMesh>(mesh);
    record::save(r, to);
}

/// Makes input `number` of its kind and uses it. Throws InputError if it is refused.
void try_input(const Corpus& corpus, const std::string& kind, std::uint64_t number, const fs::path& folder) {
    Random random(number * 7 + 1);
    const auto one_of = [&](const std::vector<fs::path>& files) { return files[any(random, files.size())]; };
    if (kind == "scene") {
        const fs::path from = one_of(corpus.scenes);
        std::string text = read_file(from);
        damage_text(text, random);
        write_file(folder / "input.toml", text);
        use_scene(text, from);
    } else if (kind == "obj" || kind == "gltf") {
        const fs::path from = one_of(kind == "obj" ? corpus.objs : corpus.gltfs);
        std::string bytes = read_file(from);
        kind == "obj" && random.below(4) ? damage_text(bytes, random) : damage_bytes(bytes, random);
        const std::string name = "input" + from.extension().string();
        write_file(folder / name, bytes);
        use_in_scene(fmt::format("{{ mesh = \"{}\" }}", (folder / name).string()));
    } else if (kind == "problem") {
        std::string bytes = read_file(one_of(corpus.problems));
        damage_bytes(bytes, random);
        write_file(folder / "input.hdf5", bytes);
        use_problem(bytes);
    } else if (kind == "picture") {
        std::string bytes = read_file(one_of(corpus.pictures));
        damage_bytes(bytes, random);
        write_file(folder / "input.png", bytes);
        const std::string file = (folder / "input.png").string(), box = "{ box = [1, 1, 0.1] }";
        switch (random.below(4)) {
            case 0: use_in_scene(box, fmt::format("grain_field = {{ texture = \"{}\" }}", file)); break;
            case 1: use_in_scene(box, fmt::format("normal_map = {{ file = \"{}\" }}", file)); break;
            case 2:
                use_in_scene(box, fmt::format("normal_map = {{ height_image = \"{}\", height_scale = 0.01 }}", file));
                break;
            default:
                use_in_scene(fmt::format("{{ height_field = {{ image = \"{}\", size = [2, 2], scale = 0.1 }} }}", file));
        }
    } else if (kind == "recording") {
        const fs::path from = corpus.run / "recording.asp", to = folder / "input.asp";
        if (random.below(4) == 0) {
            std::string bytes = read_file(from);
            damage_bytes(bytes, random);
            write_file(to, bytes);
        } else {
            damage_recording(from, to, random);
        }
        use_recording(to);
    } else if (kind == "deformable") {
        const fs::path to = folder / "input.asp";
        if (random.below(4) == 0) {
            record::save(record::deformable_recording(4), to);
            std::string bytes = read_file(to);
            damage_bytes(bytes, random);
            write_file(to, bytes);
        } else {
            damage_deformable(to, random);
        }
        use_recording(to);
        const record::RecordingFile recording(to);
        record::save_deformed(recording.head(), recording, folder);
        std::string rows;
        for (std::size_t i = 0; i < recording.size(); ++i)
            record::append_forces_csv(rows, recording.head(), recording.at(i));
    } else {
        for (const auto& entry : fs::directory_iterator(corpus.run))
            fs::copy(entry.path(), folder / entry.path().filename());
        scene::Checkpoint c = scene::read_checkpoint(folder / "checkpoint");
        std::string* const parts[] = {&c.state, &c.state, &c.state, &c.watch, &c.files, &c.frame};
        damage_bytes(*parts[any(random, std::size(parts))], random);
        write_file(folder / "checkpoint", scene::to_bytes(c));
        run_short(folder, 0.4, true);
    }
}

enum Result : int { Used = 0, Refused = 10, OutOfMemory = 11, OtherException = 12 };

int result_of(const Corpus& corpus, const std::string& kind, std::uint64_t number, const fs::path& folder) {
    const rlimit memory{kMemory, kMemory}, time{kLimit_s, kLimit_s};
    ::setrlimit(RLIMIT_AS, &memory);
    ::setrlimit(RLIMIT_CPU, &time);
    ::alarm(10 * kLimit_s);  // of wall time: the processor may be shared, but nothing may wait for ever
    try {
        try_input(corpus, kind, number, folder);
        return Used;
    } catch (const InputError& error) {
        return std::string_view(error.what()).find('\n') == std::string_view::npos ? Refused : OtherException;
    } catch (const std::bad_alloc&) { return OutOfMemory; } catch (const std::exception& error) {
        fmt::print(stderr, "{} {}: {}\n", kind, number, error.what());
        return OtherException;
    }
}

/// Runs `work` in a process of its own and returns the status of waitpid().
template <class Work>
int apart(const Work& work, rusage* usage = nullptr) {
    const pid_t child = ::fork();
    if (child == 0) {
        const int silent = ::open("/dev/null", O_WRONLY);
        ::dup2(silent, 1);
        set_thread_count(1);
        ::_exit(work());
    }
    int status = 0;
    rusage ignored{};
    ::wait4(child, &status, 0, usage ? usage : &ignored);
    return status;
}

int fuzz(std::uint64_t first, std::uint64_t count, const std::vector<std::string>& kinds, const fs::path& keep) {
    const fs::path work = fs::temp_directory_path() / fmt::format("asperity_fuzz_{}", ::getpid());
    Corpus corpus{files_in("scenes", ".toml", 20000), files_in("assets", ".obj", 200000),
                  files_in("assets", ".glb", 200000), files_in("tests/data/fclib", ".hdf5", 500000),
                  files_in("assets", ".png", 200000), work / "run"};
    // Threads do not survive fork(), so this process never starts any.
    if (apart([&] {
            run_short(corpus.run, 0.3, false);
            return 0;
        }) != 0)
        throw InputError("the run whose files are to be damaged did not end");
    std::map<std::string, std::map<int, int>> results;
    int failures = 0;
    double largest_mb = 0;
    for (std::uint64_t i = first; i < first + count; ++i) {
        const std::string& kind = kinds[static_cast<std::size_t>(i % kinds.size())];
        const fs::path folder = work / "input";
        fs::create_directories(folder);
        rusage usage{};
        const int status = apart([&] { return result_of(corpus, kind, i, folder); }, &usage);
        largest_mb = std::max(largest_mb, static_cast<double>(usage.ru_maxrss) / 1024);
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
        ++results[kind][code];
        if (code != Used && code != Refused) {
            ++failures;
            const fs::path kept = keep / fmt::format("{}_{}", kind, i);
            fmt::print("{} {}: {}; kept in {}\n", kind, i,
                       code == OutOfMemory                                                          ? "more than 4 GB"
                       : code == 1000 + SIGALRM || code == 1000 + SIGXCPU || code == 1000 + SIGKILL ? "more than 20 s"
                       : code >= 1000 ? fmt::format("signal {}", code - 1000)
                                      : "an exception that is no InputError",
                       kept.string());
            std::fflush(stdout);
            fs::create_directories(kept);
            fs::copy(folder, kept, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
        }
        fs::remove_all(folder);
    }
    for (const auto& [kind, codes] : results) {
        int other = 0;
        for (const auto& [code, n] : codes) other += code == Used || code == Refused ? 0 : n;
        fmt::print("{:<12} {:>6} used, {:>6} refused, {:>3} failures\n", kind, results[kind][Used], results[kind][Refused],
                   other);
    }
    fmt::print("{} inputs, {} failures, at most {:.0f} MB\n", count, failures, largest_mb);
    fs::remove_all(work);
    return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace asperity

int main(int argc, char** argv) {
    std::uint64_t first = 0, count = 20000;
    std::vector<std::string> kinds = asperity::kKinds;
    asperity::fs::path keep = "fuzz-failures";
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view option = argv[i];
        const std::string value = argv[i + 1];
        if (option == "--count") count = std::stoull(value);
        if (option == "--first") first = std::stoull(value);
        if (option == "--keep") keep = value;
        if (option != "--kinds") continue;
        kinds.clear();
        for (std::size_t at = 0; at <= value.size();) {
            const std::size_t end = std::min(value.find(',', at), value.size());
            kinds.push_back(value.substr(at, end - at));
            at = end + 1;
        }
    }
    for (const std::string& kind : kinds)
        if (std::find(asperity::kKinds.begin(), asperity::kKinds.end(), kind) == asperity::kKinds.end()) {
            fmt::print(stderr, "fuzz: no kind '{}'; known: {}\n", kind, fmt::join(asperity::kKinds, ", "));
            return 2;
        }
    return asperity::fuzz(first, count, kinds, keep);
}
