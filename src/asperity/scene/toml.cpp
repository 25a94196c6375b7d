// Converts TOML text to a Value. The only file that includes toml++.
#include <algorithm>
#include <numeric>
#include <sstream>

#include <toml++/toml.h>

#include "asperity/scene/value.h"

namespace asperity::scene {
namespace {

constexpr int kMaxKeyParts = 32;  // a.b.c has three; the deepest path of the format has five
constexpr int kMaxDepth = 64;

// toml++ 3.3 builds and destroys one level of tables per part of a dotted key, by unlimited recursion: a key of 100 000
// parts crashes the program. So this pass counts the parts first. It knows just enough TOML to skip strings and comments.
void check_key_depth(std::string_view text) {
    int line = 1, parts = 0;
    std::size_t line_start = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"' || c == '\'') {
            const bool is_long = text.substr(i, 3) == std::string(3, c);
            const std::string_view end = text.substr(i, is_long ? 3 : 1);
            std::size_t j = i + end.size();
            while (j < text.size() && text.substr(j, end.size()) != end) {
                if (!is_long && text[j] == '\n') break;  // unclosed: toml++ reports it
                if (c == '"' && text[j] == '\\') ++j;
                if (j < text.size() && text[j] == '\n') ++line, line_start = j + 1;
                ++j;
            }
            i = j < text.size() && text[j] == '\n' && !is_long ? j - 1 : j + end.size() - 1;
        } else if (c == '#') {
            while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
        } else if (c == '\n' || c == '=' || c == ',' || c == '[' || c == ']' || c == '{' || c == '}') {
            parts = 0;
            if (c == '\n') ++line, line_start = i + 1;
        } else if (c == '.' && ++parts > kMaxKeyParts) {
            throw TomlError{"a key with more than 32 parts", line, static_cast<int>(i - line_start) + 1};
        }
    }
}

Where where(const toml::source_region& source, int origin) {
    return {static_cast<int>(source.begin.line), static_cast<int>(source.begin.column), origin};
}

template <class T>
std::string text_of(const T& value) {
    std::ostringstream out;
    out << value;
    return out.str();
}

Value convert(const toml::node& node, int origin, int depth = 0) {
    Value value;
    value.where = where(node.source(), origin);
    if (depth > kMaxDepth) throw TomlError{"values nested more than 64 deep", value.where.line, value.where.column};
    switch (node.type()) {
        case toml::node_type::integer:
            value.kind = Value::Kind::Integer;
            value.integer = node.as_integer()->get();
            value.number = static_cast<double>(value.integer);
            break;
        case toml::node_type::floating_point:
            value.kind = Value::Kind::Number;
            value.number = node.as_floating_point()->get();
            break;
        case toml::node_type::boolean:
            value.kind = Value::Kind::Flag;
            value.flag = node.as_boolean()->get();
            break;
        case toml::node_type::string:
            value.kind = Value::Kind::Text;
            value.text = node.as_string()->get();
            break;
        case toml::node_type::array:
            value.kind = Value::Kind::List;
            for (const toml::node& item : *node.as_array()) value.items.push_back(convert(item, origin, depth + 1));
            break;
        case toml::node_type::table: {
            value.kind = Value::Kind::Table;
            // toml++ sorts keys by name; restore the order of the file.
            std::vector<std::pair<const toml::key*, const toml::node*>> entries;
            for (const auto& [key, item] : *node.as_table()) entries.push_back({&key, &item});
            std::stable_sort(entries.begin(), entries.end(), [](const auto& x, const auto& y) {
                const toml::source_position p = x.first->source().begin, q = y.first->source().begin;
                return p.line != q.line ? p.line < q.line : p.column < q.column;
            });
            for (const auto& [key, item] : entries) {
                value.keys.emplace_back(key->str());
                value.key_where.push_back(where(key->source(), origin));
                value.items.push_back(convert(*item, origin, depth + 1));
            }
            break;
        }
        default:
            value.kind = Value::Kind::Date;
            if (const auto* date = node.as_date()) value.text = text_of(date->get());
            if (const auto* time = node.as_time()) value.text = text_of(time->get());
            if (const auto* both = node.as_date_time()) value.text = text_of(both->get());
            break;
    }
    return value;
}

}  // namespace

Value parse_toml(std::string_view text, int origin) {
    check_key_depth(text);
    try {
        const toml::table table = toml::parse(text);
        return convert(table, origin);
    } catch (const toml::parse_error& error) {
        const toml::source_position at = error.source().begin;
        std::string what = one_line(error.description(), 200);
        if (what.find("inline table") != std::string::npos && what.find("\\n") != std::string::npos)
            what += "; a table in braces must be on one line; write a longer one as [name]";
        throw TomlError{what, static_cast<int>(at.line), static_cast<int>(at.column)};
    }
}

}  // namespace asperity::scene
