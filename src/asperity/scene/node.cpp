#include "asperity/scene/node.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "asperity/core/assert.h"

namespace asperity::scene {
namespace {

constexpr std::size_t kMaxMessage = 480;

}  // namespace

namespace {

/// A word that other programs use, and our names for it. If none of them is allowed at the place, `elsewhere` says where the
/// quantity belongs.
struct Synonym {
    std::vector<std::string> words, names;
    std::string elsewhere;
};
const std::vector<Synonym>& synonyms() {
    static const std::string friction =
        "; friction is given to a material, [material.A] mu = 0.5, to two of them, [pair.A-B] mu = 0.5, or to all, "
        "world.default = { mu = 0.5 }";
    static const std::vector<Synonym> list = {
        {{"rotation", "orientation", "euler", "rpy"}, {"roll_deg", "pitch_deg", "yaw_deg", "quaternion"}, ""},
        {{"roll"}, {"roll_deg"}, ""},
        {{"pitch"}, {"pitch_deg"}, ""},
        {{"yaw", "heading"}, {"yaw_deg"}, ""},
        {{"revolute", "pin"}, {"hinge"}, ""},
        {{"prismatic"}, {"slider"}, ""},
        {{"spherical", "socket"}, {"ball"}, ""},
        {{"friction", "friction_coefficient", "mu", "mu_s", "mu_k"}, {"mu"}, friction},
        {{"static"}, {"fixed"}, ""},
        {{"timestep", "time_step"}, {"dt"}, ""},
    };
    return list;
}

/// "; did you mean ...?" or where the word belongs; empty if the word is like none of the known names.
std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
    const auto has = [](const std::vector<std::string>& list, const std::string& name) {
        return std::find(list.begin(), list.end(), name) != list.end();
    };
    for (const Synonym& synonym : synonyms()) {
        if (!has(synonym.words, word)) continue;
        std::vector<std::string> meant;
        for (const std::string& name : synonym.names)
            if (has(known, name)) meant.push_back("'" + name + "'");
        if (!meant.empty()) return fmt::format("; did you mean {}?", fmt::join(meant, ", "));
        if (!synonym.elsewhere.empty()) return synonym.elsewhere;
    }
    const std::string near = nearest_name(word, known);
    return near.empty() ? "" : fmt::format("; did you mean '{}'?", one_line(near, 60));
}

}  // namespace

std::string hint(const std::string& word, const std::vector<std::string>& known) {
    if (const std::string meant = suggestion(word, known); !meant.empty()) return meant;
    if (known.empty()) return "; none is defined";
    return "; known: " + one_line(fmt::format("{}", fmt::join(known, ", ")), 240);
}

Node::Node(const Source& source, const Value& value, const Table& table) : source_(&source), value_(&value), table_(&table) {
    check_table();
}

Node::Node(const Node& parent, const Value& value, std::string key, const Table* table)
    : source_(parent.source_), value_(&value), table_(table), parent_(&parent), key_(std::move(key)) {
    if (table_) check_table();
}

void Node::check_table() const {
    if (value_->kind != Value::Kind::Table)
        fail(fmt::format("expected a table {{ key = value, ... }}, found {}", kind_name(value_->kind)));
    for (std::size_t i = 0; i < value_->keys.size(); ++i)
        if (const std::string& key = value_->keys[i]; !table_->find(key))
            fail_at_key(key, table_->why_unknown(key, value_->items[i]));
}

std::string Node::path() const {
    std::string above = parent_ ? parent_->path() : "";
    if (key_.empty()) return above;
    return (above.empty() ? "" : above + ".") + one_line(key_, 60);
}

std::string Node::place(const Where& where) const {
    if (where.origin >= 0) {
        const Override& o = (*source_->overrides)[static_cast<std::size_t>(where.origin)];
        return fmt::format("--set {}={}: ", one_line(o.key, 60), one_line(o.value, 60));
    }
    return where.line > 0 ? fmt::format("{}:{}:{}: ", source_->file, where.line, where.column) : source_->file + ": ";
}

void Node::fail(const std::string& what) const {
    std::string index;
    if (const auto& at = source_->formulas->indices()) index = fmt::format(" (i = {}, j = {}, k = {})", at->i, at->j, at->k);
    const std::string text = fmt::format("{} = {}{}: {}", path(), shown(*value_), index, what);
    throw InputError(place(value_->where) + one_line(text, kMaxMessage));
}

void Node::fail_at_key(const std::string& key, const std::string& what) const {
    Where where = value_->where;
    for (std::size_t i = 0; i < value_->keys.size(); ++i)
        if (value_->keys[i] == key) where = value_->key_where[i].origin < 0 ? value_->key_where[i] : value_->items[i].where;
    const std::string above = path();
    throw InputError(
        place(where) +
        one_line(fmt::format("{}{}{}: {}", above, above.empty() ? "" : ".", one_line(key, 60), what), kMaxMessage));
}

void Node::with_location(const std::function<void()>& work) const {
    try {
        work();
    } catch (const InputError& error) {
        throw InputError(place(value_->where) + one_line(fmt::format("{}: {}", path(), error.what()), kMaxMessage));
    }
}

bool Node::has(std::string_view key) const {
    ASPERITY_ASSERT(table_ && table_->find(key));  // a key that the reader asks for is in the schema
    return value_->find(key) != nullptr;
}

std::optional<Node> Node::find(std::string_view key) const {
    if (!has(key)) return {};
    const Key* known = table_->find(key);
    const Value& value = *value_->find(key);
    const bool table =
        known->is == Key::Is::Table || (known->is == Key::Is::TableOrText && value.kind == Value::Kind::Table);
    return Node(*this, value, std::string(key), table ? known->table : nullptr);
}

Node Node::child(std::string_view key) const {
    if (std::optional<Node> node = find(key)) return *std::move(node);
    fail_at_key(std::string(key), "missing; this key is required");
}

std::vector<Node> Node::items() const {
    if (value_->kind != Value::Kind::List) fail(fmt::format("expected a list [ ... ], found {}", kind_name(value_->kind)));
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < value_->items.size(); ++i)
        nodes.emplace_back(*this, value_->items[i], fmt::format("{}", i), nullptr);
    return nodes;
}

std::vector<Node> Node::tables(std::string_view key) const {
    std::vector<Node> nodes;
    if (!has(key)) return nodes;
    const Value& list = *value_->find(key);
    const Table* table = table_->find(key)->table;
    if (list.kind != Value::Kind::List)
        Node(*this, list, std::string(key), nullptr)
            .fail(fmt::format("expected [[{}]] tables, found {}", key, kind_name(list.kind)));
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        const Value* name = table->find("name") ? list.items[i].find("name") : nullptr;
        const std::string label = name && name->kind == Value::Kind::Text ? name->text : fmt::format("{}", i);
        nodes.emplace_back(*this, list.items[i], fmt::format("{}.{}", key, one_line(label, 40)), table);
    }
    return nodes;
}

std::vector<Node> Node::named(std::string_view key) const {
    std::vector<Node> nodes;
    if (!has(key)) return nodes;
    const Value& list = *value_->find(key);
    if (list.kind != Value::Kind::Table)
        Node(*this, list, std::string(key), nullptr)
            .fail(fmt::format("expected a table [{}] of names, found {}", key, kind_name(list.kind)));
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        nodes.emplace_back(*this, list.items[i], fmt::format("{}.{}", key, one_line(list.keys[i], 40)),
                           table_->find(key)->table);
        nodes.back().name_ = list.keys[i];
    }
    return nodes;
}

void Node::check_range(double number, const Range& range) const {
    if (number >= range.low && number <= range.high && !(range.above_low && number == range.low)) return;
    const std::string got = value_->kind == Value::Kind::Text ? fmt::format("the formula gives {}; ", number) : "";
    if (range.high < 1e300 && !range.above_low)
        fail(fmt::format("{}must be between {:g} and {:g}", got, range.low, range.high));
    if (range.high < 1e300) fail(fmt::format("{}must be more than {:g} and at most {:g}", got, range.low, range.high));
    fail(fmt::format("{}must be {} {:g}", got, range.above_low ? ">" : ">=", range.low));
}

double Node::number(const Range& range) const {
    double number = value_->number;
    if (value_->kind == Value::Kind::Text) {
        try {
            number = source_->formulas->evaluate(value_->text);
        } catch (const FormulaError& error) { fail(error.what()); }
    } else if (value_->kind != Value::Kind::Number && value_->kind != Value::Kind::Integer) {
        fail(fmt::format("expected a number or a formula, found {}", kind_name(value_->kind)));
    }
    if (!std::isfinite(number)) fail("must be a finite number");
    check_range(number, range);
    return number;
}

int Node::integer(int low, int high) const {
    const double value = number();
    if (value != std::floor(value))
        fail(fmt::format("must be a whole number{}",
                         value_->kind == Value::Kind::Text ? fmt::format("; the formula gives {}", value) : ""));
    check_range(value, {static_cast<double>(low), static_cast<double>(high)});
    return static_cast<int>(value);
}

bool Node::flag() const {
    if (value_->kind != Value::Kind::Flag) fail("expected true or false");
    return value_->flag;
}

std::string Node::text() const {
    if (value_->kind != Value::Kind::Text) fail(fmt::format("expected a text in quotes, found {}", kind_name(value_->kind)));
    return value_->text;
}

std::vector<double> Node::numbers(std::size_t count, const Range& range) const {
    if (value_->kind != Value::Kind::List || value_->items.size() != count)
        fail(fmt::format("expected a list of {} numbers, found {}", count,
                         value_->kind == Value::Kind::List ? fmt::format("{} items", value_->items.size())
                                                           : std::string(kind_name(value_->kind))));
    std::vector<double> out;
    for (const Node& item : items()) out.push_back(item.number(range));
    return out;
}

Vec3 Node::vec3(const Range& range) const {
    const std::vector<double> v = numbers(3, range);
    return {v[0], v[1], v[2]};
}

std::function<double(double)> Node::function_of_time(const Range& range) const {
    if (value_->kind != Value::Kind::Text) {
        const double constant = number(range);
        return [constant](double) { return constant; };
    }
    std::function<double(double)> function;
    try {
        function = source_->formulas->of_time(value_->text, source_->probes);
    } catch (const FormulaError& error) { fail(error.what()); }
    for (const double t : source_->probes) check_range(function(t), range);
    return function;
}

std::string Node::choice(const std::vector<std::string>& names) const {
    const std::string word = text();
    const auto known = [&](const std::string& name) { return std::find(names.begin(), names.end(), name) != names.end(); };
    if (known(word)) return word;
    const auto param = source_->words.find(word);
    if (param != source_->words.end() && known(param->second)) return param->second;
    const std::string& wrong = param != source_->words.end() ? param->second : word;
    fail(fmt::format("{}must be one of {}{}",
                     param != source_->words.end() ? fmt::format("the param is '{}'; ", one_line(wrong, 40)) : "",
                     fmt::join(names, ", "), suggestion(wrong, names)));
}

double Node::number_or(std::string_view key, double fallback, const Range& range) const {
    return maybe_number(key, range).value_or(fallback);
}

std::optional<double> Node::maybe_number(std::string_view key, const Range& range) const {
    const std::optional<Node> node = find(key);
    return node ? std::optional(node->number(range)) : std::nullopt;
}

int Node::integer_or(std::string_view key, int fallback, int low, int high) const {
    const std::optional<Node> node = find(key);
    return node ? node->integer(low, high) : fallback;
}

bool Node::flag_or(std::string_view key, bool fallback) const {
    const std::optional<Node> node = find(key);
    return node ? node->flag() : fallback;
}

std::string Node::text_or(std::string_view key, const std::string& fallback) const {
    const std::optional<Node> node = find(key);
    return node ? node->text() : fallback;
}

Vec3 Node::vec3_or(std::string_view key, const Vec3& fallback, const Range& range) const {
    const std::optional<Node> node = find(key);
    return node ? node->vec3(range) : fallback;
}

}  // namespace asperity::scene
