#include "asperity/scene/formula.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>
#include <muParser.h>

#include "asperity/core/error.h"
#include "asperity/math/vec.h"
#include "asperity/scene/value.h"

namespace asperity::scene {
namespace {

constexpr std::size_t kMaxCached = 1000;  // compiled formulas kept per loop; a parser takes some 10 kB

double floor_of(double x) { return std::floor(x); }
double ceil_of(double x) { return std::ceil(x); }
double modulo(double a, double b) { return a - b * std::floor(a / b); }  // in [0, b), also for negative a
double to_degrees(double x) { return degrees(x); }
double to_radians(double x) { return radians(x); }
double draw_uniform(void* random, double low, double high) { return static_cast<Random*>(random)->uniform(low, high); }
double draw_normal(void* random, double mean, double deviation) {
    return mean + deviation * static_cast<Random*>(random)->normal();
}

struct Word {
    std::string name;
    bool call = false;
};

bool starts_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The names in a formula, to check and resolve them before muParser sees the text.
std::vector<Word> words(std::string_view text) {
    std::vector<Word> out;
    for (std::size_t i = 0; i < text.size();) {
        if (starts_word(text[i])) {
            std::size_t end = i;
            while (end < text.size() && (starts_word(text[end]) || is_digit(text[end]))) ++end;
            const std::size_t next = text.find_first_not_of(" \t", end);
            out.push_back({std::string(text.substr(i, end - i)), next != std::string_view::npos && text[next] == '('});
            i = end;
        } else if (is_digit(text[i]) || text[i] == '.') {
            while (i < text.size() && (is_digit(text[i]) || text[i] == '.')) ++i;
            if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
                const std::size_t digits = i + 1 + (i + 1 < text.size() && (text[i + 1] == '+' || text[i + 1] == '-'));
                if (digits < text.size() && is_digit(text[digits])) i = digits;
            }
        } else {
            ++i;
        }
    }
    return out;
}

// In muParser a single '=' is an assignment.
bool assigns(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '=') continue;
        if (i + 1 < text.size() && text[i + 1] == '=') {
            ++i;
        } else if (i == 0 || std::string_view("<>!").find(text[i - 1]) == std::string_view::npos) {
            return true;
        }
    }
    return false;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
    const std::string near = nearest_name(word, known);
    return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

template <class Parser>
void define_functions(Parser& parser, Random& random) {
    parser.DefineFun("floor", floor_of);
    parser.DefineFun("ceil", ceil_of);
    parser.DefineFun("mod", modulo);
    parser.DefineFun("deg", to_degrees);
    parser.DefineFun("rad", to_radians);
    parser.DefineFunUserData("uniform", draw_uniform, &random, false);  // false: do not fold as a constant
    parser.DefineFunUserData("normal", draw_normal, &random, false);
}

}  // namespace

struct Formulas::Compiled {
    mu::Parser parser;
    double t = 0, x = 0, y = 0, z = 0;
};

Formulas::Formulas(Random& random) : random_(random) {}
Formulas::~Formulas() = default;

void Formulas::set_names(Resolve resolve, std::vector<std::string> names) {
    resolve_ = std::move(resolve);
    names_ = std::move(names);
}

void Formulas::set_indices(const Indices& indices) {
    indices_ = indices;
    slots_ = indices;
}

void Formulas::clear_indices() {
    indices_.reset();
    loop_cache_.clear();
}

const std::vector<std::string>& Formulas::function_names() {
    static const std::vector<std::string> names = [] {
        mu::Parser parser;
        Random random;
        define_functions(parser, random);
        std::vector<std::string> list;
        for (const auto& [name, callback] : parser.GetFunDef()) list.push_back(name);
        return list;
    }();
    return names;
}

std::vector<std::string> Formulas::reserved_names() {
    std::vector<std::string> names = function_names();
    for (const char* name : {"pi", "g", "dt", "duration", "t"}) names.push_back(name);
    return names;
}

double Formulas::value_of(const std::string& name, Inputs inputs) const {
    if (name == "pi") return std::numbers::pi;
    if (resolve_)
        if (const std::optional<double> value = resolve_(name)) return *value;
    if (name == "t") throw FormulaError("'t' is the time, which only motions, motors, drives and lengths may use");
    if (name == "i" || name == "j" || name == "k" || name == "count")
        throw FormulaError(fmt::format("'{}' is only known inside [[generate]]", name));
    std::vector<std::string> known = names_;
    known.push_back("pi");
    if (inputs == Inputs::Time) known.push_back("t");
    if (inputs == Inputs::Position || inputs == Inputs::Point) known.insert(known.end(), {"x", "y"});
    if (inputs == Inputs::Point) known.push_back("z");
    throw FormulaError(fmt::format("unknown name '{}'{}", one_line(name, 40), did_you_mean(name, known)));
}

std::unique_ptr<Formulas::Compiled> Formulas::compile(const std::string& text, Inputs inputs) {
    if (text.size() > kMaxLength) throw FormulaError(fmt::format("a formula may have at most {} characters", kMaxLength));
    if (assigns(text)) throw FormulaError("a formula cannot assign; '==' compares");
    const bool with_time = inputs == Inputs::Time, with_point = inputs == Inputs::Point,
               with_place = inputs == Inputs::Position || with_point;
    auto compiled = std::make_unique<Compiled>();
    mu::Parser& parser = compiled->parser;
    parser.ClearConst();
    // The optimizer turns (6*i + 4)/10 into 0.6*i + 0.4, which is 3.9999999999999996 at i = 6: floor() would be one too
    // small.
    parser.EnableOptimizer(false);
    define_functions(parser, random_);
    for (const Word& word : words(text)) {
        if (word.call) {
            const std::vector<std::string>& functions = function_names();
            if (std::find(functions.begin(), functions.end(), word.name) == functions.end())
                throw FormulaError(
                    fmt::format("unknown function '{}'{}", one_line(word.name, 40), did_you_mean(word.name, functions)));
            if ((with_time || with_point) && (word.name == "uniform" || word.name == "normal"))
                throw FormulaError(fmt::format("'{}' cannot be drawn anew at every {}; draw it in [params]", word.name,
                                               with_time ? "time" : "point"));
        } else if (with_time && word.name == "t") {
            parser.DefineVar("t", &compiled->t);
        } else if (with_place && (word.name == "x" || word.name == "y")) {
            parser.DefineVar(word.name, word.name == "x" ? &compiled->x : &compiled->y);
        } else if (with_point && word.name == "z") {
            parser.DefineVar("z", &compiled->z);
        } else if (indices_ && (word.name == "i" || word.name == "j" || word.name == "k" || word.name == "count")) {
            double& slot = word.name == "i"   ? slots_.i
                           : word.name == "j" ? slots_.j
                           : word.name == "k" ? slots_.k
                                              : slots_.count;
            inputs != Inputs::None ? parser.DefineConst(word.name, slot) : parser.DefineVar(word.name, &slot);
        } else {
            parser.DefineConst(word.name, value_of(word.name, inputs));
        }
    }
    parser.SetExpr(text);
    return compiled;
}

double Formulas::evaluate(const std::string& text) {
    try {
        std::unique_ptr<Compiled> own;
        Compiled* compiled = nullptr;
        const auto cached = indices_ ? loop_cache_.find(text) : loop_cache_.end();
        if (indices_ && cached != loop_cache_.end()) {
            compiled = cached->second.get();
        } else {
            own = compile(text, Inputs::None);
            compiled = own.get();
            if (indices_ && loop_cache_.size() < kMaxCached) loop_cache_[text] = std::move(own);
        }
        const double value = compiled->parser.Eval();
        if (compiled->parser.GetNumResults() != 1) throw FormulaError("a formula has one value; this is a list");
        if (!std::isfinite(value))
            throw FormulaError(fmt::format("the formula gives {}", std::isnan(value) ? "NaN" : "infinity"));
        return value;
    } catch (const mu::ParserError& error) { throw FormulaError(one_line(error.GetMsg(), 160)); }
}

std::function<double(double)> Formulas::of_time(const std::string& text, const std::vector<double>& probes) {
    try {
        const std::shared_ptr<Compiled> compiled = compile(text, Inputs::Time);
        auto function = [compiled](double t) {
            compiled->t = t;
            return compiled->parser.Eval();
        };
        function(0);
        if (compiled->parser.GetNumResults() != 1) throw FormulaError("a formula has one value; this is a list");
        for (const double t : probes)
            if (!std::isfinite(function(t)))
                throw FormulaError(fmt::format("the formula gives no finite number at t = {}", t));
        return function;
    } catch (const mu::ParserError& error) { throw FormulaError(one_line(error.GetMsg(), 160)); }
}

std::function<double(double, double)> Formulas::of_position(const std::string& text) {
    try {
        const std::shared_ptr<Compiled> compiled = compile(text, Inputs::Position);
        compiled->parser.Eval();
        if (compiled->parser.GetNumResults() != 1) throw FormulaError("a formula has one value; this is a list");
        return [compiled](double x, double y) {
            compiled->x = x;
            compiled->y = y;
            try {
                const double value = compiled->parser.Eval();
                if (std::isfinite(value)) return value;
            } catch (const mu::ParserError& error) { throw FormulaError(one_line(error.GetMsg(), 160)); }
            throw FormulaError(fmt::format("the formula gives no finite number at x = {}, y = {}", x, y));
        };
    } catch (const mu::ParserError& error) { throw FormulaError(one_line(error.GetMsg(), 160)); }
}

std::function<double(const Vec3&)> Formulas::of_point(const std::string& text) {
    // One thread at a time may use a parser. So there are several, each with a flag, and a caller takes the first free one.
    struct Pool {
        struct Slot {
            std::atomic_flag busy = ATOMIC_FLAG_INIT;
            std::unique_ptr<Compiled> compiled;
        };
        std::array<Slot, 16> slots;
    };
    try {
        const auto pool = std::make_shared<Pool>();
        for (Pool::Slot& slot : pool->slots) {
            slot.compiled = compile(text, Inputs::Point);
            slot.compiled->parser.Eval();  // compiles the text, which allocates
            if (slot.compiled->parser.GetNumResults() != 1) throw FormulaError("a formula has one value; this is a list");
        }
        return [pool](const Vec3& p) {
            for (std::size_t i = 0;; i = (i + 1) % pool->slots.size()) {
                Pool::Slot& slot = pool->slots[i];
                if (slot.busy.test_and_set(std::memory_order_acquire)) continue;
                slot.compiled->x = p.x, slot.compiled->y = p.y, slot.compiled->z = p.z;
                double value = std::numeric_limits<double>::quiet_NaN();
                try {
                    value = slot.compiled->parser.Eval();
                } catch (const mu::ParserError&) {  // for example a division that the parser refuses: no value here
                }
                slot.busy.clear(std::memory_order_release);
                return value;
            }
        };
    } catch (const mu::ParserError& error) { throw FormulaError(one_line(error.GetMsg(), 160)); }
}

}  // namespace asperity::scene
