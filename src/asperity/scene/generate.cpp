// [[generate]]: repeats one body or joint table, with i, j, k and count in its formulas and {i} in its names.
#include <cmath>

#include <fmt/format.h>

#include "asperity/scene/reader.h"

namespace asperity::scene {
namespace {

struct Count {
    int n[3] = {1, 1, 1};
    bool grid = false;
    double total() const { return static_cast<double>(n[0]) * n[1] * n[2]; }
};

Count read_count(const Reader& reader, const Node& node) {
    Count count;
    if (node.value().kind == Value::Kind::List) {
        count.grid = true;
        if (node.value().items.size() != 3) node.fail("expected a whole number, or three for a grid");
        const std::vector<Node> items = node.items();
        for (std::size_t axis = 0; axis < 3; ++axis) count.n[axis] = items[axis].integer(0, reader.limits.bodies);
    } else {
        count.n[0] = node.integer(0, reader.limits.bodies);
    }
    if (count.total() > reader.limits.bodies) node.fail(fmt::format("the count is more than {}", reader.limits.bodies));
    return count;
}

template <class Work>
void for_each(Reader& reader, const Count& count, double total, const Work& work) {
    for (int i = 0; i < count.n[0]; ++i)
        for (int j = 0; j < count.n[1]; ++j)
            for (int k = 0; k < count.n[2]; ++k) {
                reader.formulas.set_indices({static_cast<double>(i), static_cast<double>(j), static_cast<double>(k), total});
                work(count.grid ? fmt::format("{}_{}_{}", i, j, k) : fmt::format("{}", i));
            }
    reader.formulas.clear_indices();
}

std::string prefix(const Node& generate) {
    const Node node = generate.child("name");
    const std::string name = node.text();
    check_name(node, name);
    return name;
}

}  // namespace

std::string Reader::name_text(const Node& node, bool* negative) {
    const std::string text = node.text();
    if (!formulas.indices()) return text;
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] != '{') {
            out += text[i++];
            continue;
        }
        const std::size_t end = text.find('}', i);
        if (end == std::string::npos) node.fail("a '{' without a closing '}'");
        double value = 0;
        try {
            value = formulas.evaluate(text.substr(i + 1, end - i - 1));
        } catch (const FormulaError& error) {
            node.fail(fmt::format("{}: {}", one_line(text.substr(i, end - i + 1), 60), error.what()));
        }
        const double whole = std::round(value);
        if (std::abs(value - whole) > 1e-9 || std::abs(whole) > 1e9)
            node.fail(fmt::format("{} gives {}, not a whole number", one_line(text.substr(i, end - i + 1), 60), value));
        if (whole < 0 && negative) *negative = true;
        out += fmt::format("{}", static_cast<long long>(whole));
        i = end + 1;
    }
    return out;
}

void generate_bodies(Reader& reader, const Node& generate) {
    const std::string name = prefix(generate);
    const Count count = read_count(reader, generate.child("count"));
    if (!generate.has("body") && !generate.has("joint")) generate.fail("needs body = { ... }, joint = { ... } or both");
    const std::optional<Node> first = generate.find("first_on");
    const std::optional<std::string> first_on = first ? std::optional(first->text()) : std::nullopt;
    if (!generate.has("body")) return;
    const Node body = generate.child("body");
    if (body.has("name"))
        body.child("name").fail("generated bodies are named after their [[generate]]: NAME_0, NAME_1, ...");
    if (first && !body.has("on")) first->fail("needs on = \"..._{i-1}\" in body");
    for_each(reader, count, count.total(),
             [&](const std::string& index) { read_body(reader, body, name + "_" + index, first_on); });
}

void generate_joints(Reader& reader, const Node& generate) {
    if (!generate.has("joint")) {
        if (generate.has("joint_count")) generate.child("joint_count").fail("needs joint = { ... } beside it");
        return;
    }
    const std::string name = prefix(generate);
    const Count bodies = read_count(reader, generate.child("count"));
    Count count = bodies;
    if (const std::optional<Node> node = generate.find("joint_count")) {
        reader.formulas.set_indices({0, 0, 0, bodies.total()});  // allows "count - 1"
        count = read_count(reader, *node);
        reader.formulas.clear_indices();
    }
    const Node joint = generate.child("joint");
    for_each(reader, count, bodies.total(), [&](const std::string& index) {
        const std::string own = joint.has("name") ? reader.name_text(joint.child("name")) : name + "_joint_" + index;
        check_name(joint, own);
        read_joint(reader, joint, own);
    });
}

}  // namespace asperity::scene
