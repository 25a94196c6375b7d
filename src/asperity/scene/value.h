// A TOML document as plain data that remembers where each value stood. Only toml.cpp knows the TOML library.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/core/one_line.h"

namespace asperity::scene {

/// Where something was written: in the scene file, or in the n-th --set.
struct Where {
    int line = 0, column = 0;  ///< counted from 1; 0 for tables that nobody wrote
    int origin = -1;           ///< -1 the file, else the index of the override
};

struct Value {
    enum class Kind { Integer, Number, Flag, Text, Date, List, Table };
    Kind kind = Kind::Table;
    std::int64_t integer = 0;
    double number = 0;  ///< also set for integers
    bool flag = false;
    std::string text;
    std::vector<Value> items;       ///< of a list; of a table, in the order of the file
    std::vector<std::string> keys;  ///< of a table; keys[i] belongs to items[i]
    std::vector<Where> key_where;
    Where where;

    const Value* find(std::string_view key) const;
    Value* find(std::string_view key);
    void set(std::string_view key, Value value);  ///< replaces in place, or appends
};

/// "a number", "a list": for messages.
std::string_view kind_name(Value::Kind kind);
/// The value in TOML notation on one line, cut after about 60 characters.
std::string shown(const Value& value);

/// A document that is not TOML: what is wrong, and where.
struct TomlError {
    std::string what;
    int line = 0, column = 0;
};
/// The document as a table. Throws TomlError.
Value parse_toml(std::string_view text, int origin = -1);

}  // namespace asperity::scene
