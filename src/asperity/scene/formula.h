// Formulas: a number in a scene may be a formula with names, random draws and loop indices. Only formula.cpp uses muParser.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/core/random.h"
#include "asperity/math/vec.h"

namespace asperity::scene {

/// Describes what is wrong with a formula; the reader adds the position in the file.
class FormulaError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Evaluates formulas in one scene: operators + - * / ^, comparisons, && ||, c ? a : b, and the functions of
/// function_names().
class Formulas {
  public:
    /// Value of a name, or nothing for an unknown name. The callback may itself evaluate formulas.
    using Resolve = std::function<std::optional<double>(const std::string& name)>;

    explicit Formulas(Random& random);
    ~Formulas();
    Formulas(const Formulas&) = delete;
    Formulas& operator=(const Formulas&) = delete;

    /// `names`: the names that `resolve` knows, for "did you mean".
    void set_names(Resolve resolve, std::vector<std::string> names);

    /// The loop variables i, j, k and count of [[generate]], until clear_indices().
    struct Indices {
        double i = 0, j = 0, k = 0, count = 0;
    };
    void set_indices(const Indices& indices);
    void clear_indices();
    const std::optional<Indices>& indices() const { return indices_; }

    /// Value of the formula, always finite. Throws FormulaError.
    double evaluate(const std::string& text);

    /// The formula as a function of `t` [s]. All other names keep their present values. Random draws are refused, because a
    /// resumed run could not repeat them. Calls do not allocate; only one thread at a time may call. Throws FormulaError,
    /// also if the value is not finite at one of the times in `probes`.
    std::function<double(double)> of_time(const std::string& text, const std::vector<double>& probes);

    /// The formula as a function of `x` and `y` [m]. Random draws are allowed. Throws FormulaError; so does the returned
    /// function where its value is not finite.
    std::function<double(double, double)> of_position(const std::string& text);

    /// The formula as a function of a point `x`, `y`, `z` [m]. Random draws are refused. Calls do not allocate and are
    /// thread-safe. Where the formula has no value, the result is not finite. Throws FormulaError.
    std::function<double(const Vec3&)> of_point(const std::string& text);

    static const std::vector<std::string>& function_names();
    /// Names that [params] cannot take: pi, g, dt, duration, t, i, j, k and the functions. `count` is allowed; inside
    /// [[generate]] the loop's own count hides it.
    static std::vector<std::string> reserved_names();

    static constexpr std::size_t kMaxLength = 1000;  ///< of a formula [characters]

  private:
    struct Compiled;
    enum class Inputs { None, Time, Position, Point };
    std::unique_ptr<Compiled> compile(const std::string& text, Inputs inputs);
    double value_of(const std::string& name, Inputs inputs) const;

    Random& random_;
    Resolve resolve_;
    std::vector<std::string> names_;
    std::optional<Indices> indices_;
    Indices slots_;  ///< compiled formulas of a loop read i, j, k, count from here
    std::map<std::string, std::unique_ptr<Compiled>> loop_cache_;
};

}  // namespace asperity::scene
