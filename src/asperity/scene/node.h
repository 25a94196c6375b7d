// Typed access to the values of a scene. Each access checks type and range; errors name file, line, key and value.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/core/error.h"
#include "asperity/math/vec.h"
#include "asperity/scene/formula.h"
#include "asperity/scene/scene.h"
#include "asperity/scene/schema.h"
#include "asperity/scene/value.h"

namespace asperity::scene {

/// Range of a key's value. The bounds are wide; they keep powers of sizes and masses finite.
struct Range {
    double low, high;
    bool above_low = false;  ///< low itself is excluded
};
constexpr Range kAnyNumber{-1e300, 1e300};
constexpr Range kNotNegative{0, 1e300};
constexpr Range kPositive{0, 1e300, true};
constexpr Range kFraction{0, 1};
constexpr Range kSize{1e-6, 1e6};        ///< sizes of shapes [m]
constexpr Range kCoordinate{-1e9, 1e9};  ///< positions [m], velocities [m/s], angles [deg]

/// Data shared by all nodes of one scene.
struct Source {
    std::string file;  ///< file name for messages
    const std::vector<Override>* overrides;
    Formulas* formulas;
    std::vector<double> probes{0};             ///< times at which functions of time must be finite [s]
    std::map<std::string, std::string> words;  ///< params whose value is a word, not a number
};

/// A value of the scene with its position in the file. Nodes point to their parents and must not outlive them.
class Node {
  public:
    Node(const Source& source, const Value& value, const Table& table);  ///< the whole file
    /// A node below `parent`. `table`: schema of a table; its keys are checked at once.
    Node(const Node& parent, const Value& value, std::string key, const Table* table);

    const Value& value() const { return *value_; }
    const Source& source() const { return *source_; }
    std::string path() const;  ///< "body.block.mass", the path that --set takes

    /// Throws InputError "file:line:column: path = value: what".
    [[noreturn]] void fail(const std::string& what) const;
    /// The same, at the position of the key and without a value.
    [[noreturn]] void fail_at_key(const std::string& key, const std::string& what) const;
    /// Calls `work` and adds this node's position to any InputError it throws.
    void with_location(const std::function<void()>& work) const;

    // tables
    bool has(std::string_view key) const;
    Node child(std::string_view key) const;  ///< fails if the key is missing
    std::optional<Node> find(std::string_view key) const;
    std::vector<Node> items() const;                       ///< items of a list of any kind
    std::vector<Node> tables(std::string_view key) const;  ///< items of a list of tables; empty if the key is missing
    std::vector<Node> named(std::string_view key) const;   ///< values under the names of [material], [pair], [params]
    const std::string& name() const { return name_; }      ///< name of a node from named()

    // the value of this node
    double number(const Range& range = kAnyNumber) const;
    int integer(int low, int high) const;
    bool flag() const;
    std::string text() const;
    Vec3 vec3(const Range& range = kCoordinate) const;
    std::vector<double> numbers(std::size_t count, const Range& range) const;
    std::function<double(double)> function_of_time(const Range& range = kAnyNumber) const;
    /// The text, which must be one of `names`, or the name of a param whose value is one of them.
    std::string choice(const std::vector<std::string>& names) const;

    // the value of a key of this table, or the fallback if the key is missing
    double number_or(std::string_view key, double fallback, const Range& range = kAnyNumber) const;
    std::optional<double> maybe_number(std::string_view key, const Range& range = kAnyNumber) const;
    int integer_or(std::string_view key, int fallback, int low, int high) const;
    bool flag_or(std::string_view key, bool fallback) const;
    std::string text_or(std::string_view key, const std::string& fallback) const;
    Vec3 vec3_or(std::string_view key, const Vec3& fallback, const Range& range = kCoordinate) const;

  private:
    std::string place(const Where& where) const;
    void check_table() const;
    void check_range(double number, const Range& range) const;

    const Source* source_;
    const Value* value_;
    const Table* table_;
    const Node* parent_ = nullptr;
    std::string key_, name_;
};

/// "; did you mean 'x'?", or a list of the known words, or nothing.
std::string hint(const std::string& word, const std::vector<std::string>& known);

}  // namespace asperity::scene
