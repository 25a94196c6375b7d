// Makes a plot from the tables in a run's output folder.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "asperity/core/error.h"
#include "asperity/record/csv.h"
#include "asperity/record/plot.h"
#include "asperity/record/run_folder_names.h"

namespace asperity::record {
namespace fs = std::filesystem;
namespace {

/// Unit of a column by its name; empty for counts and unknown columns.
std::string unit(const std::string& column) {
    if (column == "time") return "s";
    if (column == "px" || column == "py" || column == "pz" || column == "height" || column == "penetration") return "m";
    if (column == "vx" || column == "vy" || column == "vz" || column == "speed" || column == "residual") return "m/s";
    if (column == "wx" || column == "wy" || column == "wz" || column == "spin") return "rad/s";
    if (column == "energy" || column.ends_with("_energy")) return "J";
    if (column.starts_with("ms_")) return "ms";
    if (column == "fx" || column == "fy" || column == "fz" || column == "force") return "N";
    if (column == "tx" || column == "ty" || column == "tz" || column == "torque") return "N m";
    return {};
}

std::string with_unit(const std::string& column) {
    const std::string u = unit(column);
    return u.empty() ? column : fmt::format("{} [{}]", column, u);
}

/// Adds speed, spin, height, force and torque if the table has the columns to compute them.
void add_derived(Table& table) {
    const auto add_length = [&](const char* name, const char* x, const char* y, const char* z) {
        const Column *a = table.find(x), *b = table.find(y), *c = table.find(z);
        if (table.find(name) || !a || !b || !c || a->is_text || b->is_text || c->is_text) return;
        Column column{name, false, std::vector<double>(table.row_count), {}};
        for (std::size_t i = 0; i < table.row_count; ++i)
            column.numbers[i] = std::hypot(a->numbers[i], b->numbers[i], c->numbers[i]);
        table.columns.push_back(std::move(column));
    };
    add_length("speed", "vx", "vy", "vz");
    add_length("spin", "wx", "wy", "wz");
    add_length("force", "fx", "fy", "fz");
    add_length("torque", "tx", "ty", "tz");
    const Column* pz = table.find("pz");
    if (pz && !table.find("height")) {
        Column height = *pz;
        height.name = "height";
        table.columns.push_back(std::move(height));
    }
}

bool has_number(const std::optional<Table>& table, const std::string& name) {
    const Column* column = table ? table->find(name) : nullptr;
    return column && !column->is_text;
}

std::string listed(const std::vector<std::string>& names) {
    std::string out;
    for (std::size_t i = 0; i < names.size() && i < 40; ++i) out += (i ? ", " : "") + names[i];
    if (names.size() > 40) out += fmt::format(" and {} more", names.size() - 40);
    return out;
}

[[noreturn]] void fail_unknown(const std::string& where, const char* kind, const std::string& word,
                               const std::vector<std::string>& known) {
    const std::string near = nearest_name(word, known);
    throw InputError(fmt::format("{}: no {} '{}'{}; known: {}", where, kind, word,
                                 near.empty() ? "" : fmt::format(", did you mean '{}'?", near), listed(known)));
}

/// The rows of each body or pair of bodies, in the order in which they first appear.
struct BodyRows {
    std::string name;
    std::vector<std::string> bodies;  // one or two
    std::vector<std::size_t> rows;
};
std::vector<BodyRows> rows_by_body(const Table& table) {
    std::vector<BodyRows> out;
    const Column *names = table.find("body"), *from = table.find("body_a"), *on = table.find("body_b");
    if (!names && !(from && on)) return out;
    std::map<std::vector<std::string>, std::size_t> index;
    for (std::size_t i = 0; i < table.row_count; ++i) {
        const std::vector<std::string> bodies =
            names ? std::vector<std::string>{names->text[i]} : std::vector<std::string>{from->text[i], on->text[i]};
        const auto [entry, is_new] = index.try_emplace(bodies, out.size());
        if (is_new) out.push_back({names ? bodies[0] : bodies[0] + " on " + bodies[1], bodies, {}});
        out[entry->second].rows.push_back(i);
    }
    return out;
}

/// The groups of rows that have one of the wanted bodies, in the order of these; all if none are named.
std::vector<BodyRows> chosen_rows(const Table& table, const std::vector<std::string>& wanted, const std::string& where) {
    std::vector<BodyRows> all = rows_by_body(table), chosen;
    if (wanted.empty()) return all;
    std::vector<char> taken(all.size(), 0);
    for (const std::string& body : wanted) {
        bool known = false;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (std::find(all[i].bodies.begin(), all[i].bodies.end(), body) == all[i].bodies.end()) continue;
            known = true;
            if (!taken[i]) chosen.push_back(all[i]);
            taken[i] = 1;
        }
        if (known) continue;
        std::vector<std::string> names;
        for (const BodyRows& rows : all)
            for (const std::string& name : rows.bodies)
                if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        fail_unknown(where, "body", body, names);
    }
    return chosen;
}

}  // namespace

PlotSpec plot_from_run(const fs::path& dir, const std::vector<std::string>& y, const std::string& x,
                       const std::vector<std::string>& bodies) {
    const std::string where = dir.string();
    std::error_code ignored;
    std::optional<Table> steps, motion, forces;
    if (fs::exists(run_file(dir, "steps.csv"), ignored)) steps = read_csv(run_file(dir, "steps.csv"));
    if (y.empty()) throw InputError(fmt::format("{}: nothing to plot; name at least one column", where));
    const auto in_steps = [&](const std::string& name) { return has_number(steps, name) && has_number(steps, x); };
    // bodies.csv can be large: read it only when a column in it is needed.
    if (!std::all_of(y.begin(), y.end(), in_steps) && fs::exists(run_file(dir, "bodies.csv"), ignored)) {
        motion = read_csv(run_file(dir, "bodies.csv"), {"body"});
        add_derived(*motion);
    }
    const auto in_motion = [&](const std::string& name) { return has_number(motion, name) && has_number(motion, x); };
    const bool others =
        !std::all_of(y.begin(), y.end(), [&](const auto& name) { return in_steps(name) || in_motion(name); });
    if (others && fs::exists(run_file(dir, "forces.csv"), ignored)) {
        forces = read_csv(run_file(dir, "forces.csv"), {"body_a", "body_b"});
        add_derived(*forces);
    }
    if (!steps && !motion && !forces)
        throw InputError(fmt::format("{}: neither steps.csv nor bodies.csv here; give the output folder of a run", where));

    const auto add_series = [&](PlotSpec& spec, const Table& table, const std::string& name, const std::string& shown) {
        const std::vector<double>&xs = table.find(x)->numbers, &ys = table.find(name)->numbers;
        for (const BodyRows& body : chosen_rows(table, bodies, where)) {
            PlotSeries series{y.size() == 1 ? body.name : body.name + " " + shown, {}, {}};
            for (const std::size_t row : body.rows) series.x.push_back(xs[row]), series.y.push_back(ys[row]);
            spec.series.push_back(std::move(series));
        }
    };

    PlotSpec spec;
    bool one_unit = true;
    for (const std::string& name : y) one_unit = one_unit && unit(name) == unit(y[0]);
    const auto shown = [&](const std::string& name) { return one_unit ? name : with_unit(name); };
    for (const std::string& name : y) {
        if (in_steps(name)) {
            spec.series.push_back({shown(name), steps->find(x)->numbers, steps->find(name)->numbers});
        } else if (in_motion(name)) {
            add_series(spec, *motion, name, shown(name));
        } else if (has_number(forces, name) && has_number(forces, x)) {
            add_series(spec, *forces, name, shown(name));
        } else {
            // Report an unknown name differently from two names that are in different tables.
            std::vector<std::string> known;
            for (const auto* table : {&steps, &motion, &forces})
                if (*table)
                    for (const Column& column : (*table)->columns)
                        if (!column.is_text && std::find(known.begin(), known.end(), column.name) == known.end())
                            known.push_back(column.name);
            for (const std::string& word : {name, x})
                if (std::find(known.begin(), known.end(), word) == known.end()) fail_unknown(where, "column", word, known);
            throw InputError(fmt::format(
                "{}: '{}' and '{}' are in different tables, such as steps.csv and bodies.csv; take both from one", where,
                name, x));
        }
    }

    std::string names;
    for (const std::string& name : y) names += (names.empty() ? "" : ", ") + name;
    fs::path last = fs::absolute(dir, ignored).lexically_normal();
    if (!last.has_filename()) last = last.parent_path();
    spec.title = fmt::format("{}: {} over {}", last.filename().string(), names, x);
    spec.x_label = with_unit(x);
    spec.y_label = one_unit && !unit(y[0]).empty() ? fmt::format("{} [{}]", names, unit(y[0])) : names;
    if (spec.series.size() == 1 && y.size() == 1 && spec.series[0].name == y[0]) spec.series[0].name = spec.y_label;
    return spec;
}

}  // namespace asperity::record
