#include "asperity/scene/value.h"

#include <fmt/format.h>

namespace asperity::scene {

const Value* Value::find(std::string_view key) const {
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i] == key) return &items[i];
    return nullptr;
}

Value* Value::find(std::string_view key) { return const_cast<Value*>(static_cast<const Value*>(this)->find(key)); }

void Value::set(std::string_view key, Value value) {
    if (Value* old = find(key)) {
        *old = std::move(value);
        return;
    }
    keys.emplace_back(key);
    key_where.push_back(value.where);
    items.push_back(std::move(value));
}

std::string_view kind_name(Value::Kind kind) {
    switch (kind) {
        case Value::Kind::Integer:
        case Value::Kind::Number: return "a number";
        case Value::Kind::Flag: return "true or false";
        case Value::Kind::Text: return "a text";
        case Value::Kind::Date: return "a date";
        case Value::Kind::List: return "a list";
        case Value::Kind::Table: return "a table";
    }
    return "";
}

namespace {

void show(const Value& value, std::string& out) {
    if (out.size() > 80) return;  // shown() cuts it off anyway
    switch (value.kind) {
        case Value::Kind::Integer: out += fmt::format("{}", value.integer); break;
        case Value::Kind::Number: out += fmt::format("{}", value.number); break;
        case Value::Kind::Flag: out += value.flag ? "true" : "false"; break;
        case Value::Kind::Date: out += value.text; break;
        case Value::Kind::Text: out += '"' + one_line(value.text, 60) + '"'; break;
        case Value::Kind::List:
            out += '[';
            for (std::size_t i = 0; i < value.items.size() && out.size() <= 80; ++i) {
                if (i > 0) out += ", ";
                show(value.items[i], out);
            }
            out += ']';
            break;
        case Value::Kind::Table:
            out += "{ ";
            for (std::size_t i = 0; i < value.items.size() && out.size() <= 80; ++i) {
                if (i > 0) out += ", ";
                out += one_line(value.keys[i], 30) + " = ";
                show(value.items[i], out);
            }
            out += " }";
            break;
    }
}

}  // namespace

std::string shown(const Value& value) {
    std::string out;
    show(value, out);
    return one_line(out, 64);
}

}  // namespace asperity::scene
