#include "asperity/scene/overrides.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/scene/node.h"
#include "asperity/scene/schema.h"

namespace asperity::scene {
namespace {

[[noreturn]] void fail(const Override& o, const std::string& what) {
    throw InputError(one_line(fmt::format("--set {}={}: {}", one_line(o.key, 60), one_line(o.value, 60), what), 480));
}

std::vector<std::string> split(const std::string& path) {
    std::vector<std::string> parts(1);
    for (const char c : path) {
        if (c == '.') {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

// Parses the value as TOML; if that fails, keeps the text as a string.
Value parse_value(const Override& o, int origin) {
    if (o.value.empty()) fail(o, "no value; write --set key=value");
    if (o.value.find('\n') == std::string::npos) {
        try {
            Value table = parse_toml("value = " + o.value, origin);
            if (table.keys.size() == 1 && table.keys[0] == "value") return std::move(table.items[0]);
        } catch (const TomlError&) {  // not TOML: a bare word or a formula
        }
    }
    Value word;
    word.kind = Value::Kind::Text;
    word.text = o.value;
    word.where = {1, 1, origin};
    return word;
}

Value empty_table(int origin) {
    Value table;
    table.where.origin = origin;
    return table;
}

// The list item `part`: by name if the items have names, else by index.
Value& list_item(Value& list, const std::string& part, const Override& o) {
    std::vector<std::string> names;
    for (Value& item : list.items) {
        const Value* name = item.kind == Value::Kind::Table ? item.find("name") : nullptr;
        if (!name || name->kind != Value::Kind::Text) continue;
        if (name->text == part) return item;
        names.push_back(name->text);
    }
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
    if (error == std::errc() && end == part.data() + part.size()) {
        if (index < list.items.size()) return list.items[index];
        fail(o, fmt::format("no item {}; this list has {}, counted from 0", part, list.items.size()));
    }
    fail(o, fmt::format("no '{}'{}", one_line(part, 60), hint(part, names)));
}

/// Whether this table has the key in the scene, or may have it by the schema.
bool has_key(Value& scene, const Table& format, const char* table, const std::string& part) {
    const Value* in_scene = scene.find(table);
    const Key* key = format.find(table);
    return (in_scene && in_scene->kind == Value::Kind::Table &&
            std::ranges::find(in_scene->keys, part) != in_scene->keys.end()) ||
           (key && key->table && key->table->find(part));
}

void apply(Value& scene, const Table& format, const Override& o, int origin) {
    const std::vector<std::string> parts = split(o.key);
    Value value = parse_value(o, origin);
    Value* at = &scene;
    const Table* table = &format;  // schema of `at`, or null below the known tables
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const std::string& part = parts[p];
        const bool last = p + 1 == parts.size();
        if (at->kind == Value::Kind::List) {  // an index, as in position.2, hull.0.1
            at = &list_item(*at, part, o);
            table = nullptr;
            if (last) *at = std::move(value);
            continue;
        }
        if (!table) fail(o, fmt::format("no such key; '{}' has no parts", one_line(parts[p - 1], 60)));
        const Key* key = table->find(part);
        if (!key && p == 0)
            for (const char* home : {"params", "step", "world"})
                if (has_key(scene, format, home, part))
                    fail(o, fmt::format("no such key; did you mean '{}.{}'?", home, o.key));
        if (!key && last && table->is_retired(part)) fail(o, table->why_unknown(part, value));
        if (!key) fail(o, "no such key" + hint(part, table->key_names()));
        Value* next = at->find(part);
        if (last) {
            at->set(part, std::move(value));
            return;
        }
        const bool one_table = key->is == Key::Is::Table || key->is == Key::Is::TableOrText;
        if (!next && one_table) {
            at->set(part, empty_table(origin));
            next = at->find(part);
        }
        if (!next) fail(o, fmt::format("no such key; the scene has no '{}'", part));
        at = next;
        table = key->table;
        if (one_table && at->kind != Value::Kind::Table) fail(o, fmt::format("'{}' is not a table in this scene", part));
        if (key->is == Key::Is::Tables || key->is == Key::Is::Named) {  // the next part chooses the item
            const std::string& name = parts[++p];
            Value* item = nullptr;
            if (key->is == Key::Is::Tables && at->kind == Value::Kind::List) item = &list_item(*at, name, o);
            if (key->is == Key::Is::Named && at->kind == Value::Kind::Table) item = at->find(name);
            if (!item) fail(o, "no such key" + hint(name, at->keys));
            at = item;
            if (p + 1 == parts.size())
                *at = std::move(value);
            else if (table && at->kind != Value::Kind::Table)
                fail(o, fmt::format("'{}' is not a table in this scene", one_line(name, 60)));
        }
    }
}

}  // namespace

void apply_overrides(Value& scene, const std::vector<Override>& overrides, const Table& format) {
    for (std::size_t i = 0; i < overrides.size(); ++i) apply(scene, format, overrides[i], static_cast<int>(i));
}

}  // namespace asperity::scene
