// Every key of the scene format, once. The reader checks tables against it, --set follows it, a test compares the docs.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace asperity::scene {

struct Table;

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

struct Table {
    std::string_view name;  ///< "body", "pair.stribeck"; empty for the whole file
    std::vector<Key> keys;

    const Key* find(std::string_view key) const;
    std::vector<std::string> key_names() const;
};

/// The table of the whole file, root of all others.
const Table& scene_table();

}  // namespace asperity::scene
