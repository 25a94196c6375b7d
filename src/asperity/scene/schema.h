// Every key of the scene format, once. The reader checks tables against it, --set follows it, a test compares the docs.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace asperity::scene {

struct Table;
struct Value;

struct Key {
    enum class Is {
        Value,  ///< a number, text, list of numbers ...
        Table,  ///< one table
        TableOrText,
        Tables,  ///< a list of tables, selected by `name` or index
        Named    ///< tables (or, without `table`, plain values) under names chosen by the author
    };
    std::string_view name;
    Is is = Is::Value;
    const Table* table = nullptr;
};

/// A key of older files that is no longer taken.
struct RetiredKey {
    std::string_view name;
    std::string_view remedy;  ///< what to write instead; {0} is the old value, {1} is 1 over it
};

struct Table {
    std::string_view name;  ///< "body", "pair.stribeck"; empty for the whole file
    std::vector<Key> keys;
    std::vector<RetiredKey> retired = {};

    const Key* find(std::string_view key) const;
    std::vector<std::string> key_names() const;
    bool is_retired(std::string_view key) const;
    /// The complaint about a key that the table does not have, for a message.
    std::string why_unknown(std::string_view key, const Value& value) const;
};

/// The table of the whole file, root of all others.
const Table& scene_table();

}  // namespace asperity::scene
