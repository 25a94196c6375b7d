// A TOML document as plain data with source positions. Only toml.cpp knows the TOML library.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/core/one_line.h"

namespace asperity::scene {

/// Source position: in the scene file, or in the n-th --set.
struct Where {
    int line = 0, column = 0;  ///< counted from 1; 0 for implicit tables
    int origin = -1;           ///< -1: the file; else index of the override
};

struct Value {
    enum class Kind { Integer, Number, Flag, Text, Date, List, Table };
    Kind kind = Kind::Table;
    std::int64_t integer = 0;
    double number = 0;  ///< also set for integers
    bool flag = false;
    std::string text;
    std::vector<Value> items;       ///< items of a list or of a table, in the order of the file
    std::vector<std::string> keys;  ///< keys of a table; keys[i] belongs to items[i]
    std::vector<Where> key_where;
    Where where;

    const Value* find(std::string_view key) const;
    Value* find(std::string_view key);
    void set(std::string_view key, Value value);  ///< replaces the value in place, or appends it
};

/// "a number", "a list", ...: for messages.
std::string_view kind_name(Value::Kind kind);
/// The value in TOML notation on one line, cut after about 60 characters.
std::string shown(const Value& value);

/// Error in a document that is not TOML: description and position.
struct TomlError {
    std::string what;
    int line = 0, column = 0;
};
/// The document as a table. Throws TomlError.
Value parse_toml(std::string_view text, int origin = -1);

}  // namespace asperity::scene
