#include "asperity/record/csv.h"

#include <fmt/format.h>

#include <charconv>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/record/wrench.h"

namespace asperity::record {
namespace {

// ---- writing ----

std::string field(const std::string& text) {
    if (!text.empty() && text.find_first_of(",\"\r\n") == std::string::npos && text.front() != ' ' && text.back() != ' ')
        return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

void append(std::string& out, double value) { fmt::format_to(std::back_inserter(out), ",{}", value); }
void append(std::string& out, const Vec3& v) { fmt::format_to(std::back_inserter(out), ",{},{},{}", v.x, v.y, v.z); }

std::string body_field(const Recording& recording, int body) {
    if (body < -1) return field(recording.regions[static_cast<std::size_t>(-2 - body)]);
    return body < 0 ? "world" : field(recording.bodies[static_cast<std::size_t>(body)].name);
}

// ---- reading ----

/// Parses a number as written by this program or by a spreadsheet. nan and inf are allowed, thousands separators are not.
bool parse_number(std::string_view text, double& value) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    if (text.empty()) {
        value = std::numeric_limits<double>::quiet_NaN();
        return true;
    }
    if (text.front() == '+') text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size()) return false;
    // underflow to 0 or overflow to infinity
    if (error == std::errc::result_out_of_range) value = std::strtod(std::string(text).c_str(), nullptr);
    return error != std::errc::invalid_argument;
}

/// Reads a table field by field. Fields without escaped quotes are views into the file.
class Scanner {
  public:
    Scanner(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
        if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // UTF-8 byte order mark
    }
    int line() const { return line_; }
    bool at_end() const { return at_ >= text_.size(); }
    [[noreturn]] void fail(int line, const std::string& why) const {
        throw InputError(fmt::format("{}:{}: {}", file_, line, why));
    }

    /// All fields of the next row; `row` is reused. False for an empty line.
    bool next_row(std::vector<std::string_view>& row) {
        row.clear();
        unquoted_.clear();
        if (skip_line_end()) return false;
        for (;;) {
            row.push_back(next_field());
            if (at_end() || skip_line_end()) return true;
            ++at_;  // the comma
        }
    }

  private:
    bool skip_line_end() {
        if (text_.substr(at_).starts_with("\r\n")) ++at_;
        if (text_[at_] != '\n') return false;
        ++at_, ++line_;
        return true;
    }
    std::string_view next_field() {
        if (!at_end() && text_[at_] == '"') return quoted_field();
        const std::size_t first = at_;
        at_ = std::min(text_.find_first_of(",\n", at_), text_.size());
        std::size_t last = at_;
        if (last > first && text_[last - 1] == '\r' && (at_end() || text_[at_] == '\n')) --last;
        return text_.substr(first, last - first);
    }
    std::string_view quoted_field() {
        const int opened = line_;
        std::string content;
        for (++at_;; ++at_) {
            if (at_end()) fail(opened, "a quote opens here and never closes");
            if (text_[at_] == '"') {
                ++at_;
                if (at_end() || text_[at_] != '"') break;  // a doubled quote is one quote character
            }
            if (text_[at_] == '\n') ++line_;
            content += text_[at_];
        }
        const std::string_view rest = text_.substr(at_);
        if (rest == "\r")
            ++at_;
        else if (!rest.empty() && rest[0] != ',' && rest[0] != '\n' && !rest.starts_with("\r\n"))
            fail(line_, "text after a closing quote");
        unquoted_.push_back(std::make_unique<std::string>(std::move(content)));
        return *unquoted_.back();
    }

    std::string_view text_;
    std::string file_;
    std::size_t at_ = 0;
    int line_ = 1;
    std::vector<std::unique_ptr<std::string>> unquoted_;  // owns the text of this row's unquoted fields
};

/// Reads one column again as text, after a field that is not a number. Rare, so speed does not matter.
void fill_text(Column& column, std::size_t index, std::string_view text, const std::string& file) {
    Scanner scanner(text, file);
    std::vector<std::string_view> row;
    scanner.next_row(row);
    while (!scanner.at_end())
        if (scanner.next_row(row)) column.text.emplace_back(row[index]);
}

}  // namespace

std::string bodies_csv_header() { return "time,body,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n"; }

void append_bodies_csv(std::string& out, const Recording& recording, const Frame& frame) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < frame.poses.size(); ++i) {
        const Pose& pose = frame.poses[i];
        fmt::format_to(std::back_inserter(out), "{},{}", frame.time, body_field(recording, static_cast<int>(i)));
        append(out, pose.position);
        for (const double q : {pose.orientation.w, pose.orientation.x, pose.orientation.y, pose.orientation.z})
            append(out, q);
        append(out, i < frame.velocities.size() ? frame.velocities[i] : Vec3{nan, nan, nan});
        append(out, i < frame.angular_velocities.size() ? frame.angular_velocities[i] : Vec3{nan, nan, nan});
        out += '\n';
    }
}

std::string steps_csv_header() {
    std::string header =
        "step,time,contacts,joints,sweeps,status,residual,position_sweeps,kinetic_energy,potential_energy,energy,"
        "penetration";
    for (const std::string_view stage : sim::kStageNames) header += fmt::format(",ms_{}", stage);
    return header + "\n";
}

void append_steps_csv(std::string& out, const sim::StepReport& r) {
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{}", r.step, r.time, r.contacts, r.joints, r.sweeps,
                   solvers::name(r.status));
    append(out, r.residual);
    fmt::format_to(std::back_inserter(out), ",{}", r.position_sweeps);
    for (const double x : {r.kinetic_energy, r.potential_energy, r.kinetic_energy + r.potential_energy, r.penetration})
        append(out, x);
    for (const double ms : r.stage_ms) append(out, ms);
    out += '\n';
}

std::string contacts_csv_header() {
    return "time,body_a,body_b,px,py,pz,nx,ny,nz,fx,fy,fz,tx,ty,tz,mu_t,mu_b,face_a,u_a,v_a,face_b,u_b,v_b,gap,patch,taux,"
           "tauy,tauz,frx,fry,frz,spin_torque,limit,margin,spare,creep_bound\n";
}

void append_contacts_csv(std::string& out, const Recording& recording, const Frame& frame) {
    const std::vector<Wrench> wrenches = contact_wrenches(frame);
    for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
        const ContactSample& c = frame.contacts[i];
        fmt::format_to(std::back_inserter(out), "{},{},{}", frame.time, body_field(recording, c.body_a),
                       body_field(recording, c.body_b));
        for (const Vec3& v : {c.point, c.normal, c.force, c.t}) append(out, v);
        append(out, c.mu_t);
        append(out, c.mu_b);
        fmt::format_to(std::back_inserter(out), ",{},{},{},{},{},{}", c.face_a, c.uv_a.x, c.uv_a.y, c.face_b, c.uv_b.x,
                       c.uv_b.y);
        append(out, c.gap);
        fmt::format_to(std::back_inserter(out), ",{}", c.patch);
        for (const Vec3& v : {wrenches[i].torque, wrenches[i].friction}) append(out, v);
        for (const double x : {wrenches[i].spin_torque, c.limit, c.margin, c.spare, c.creep_bound}) append(out, x);
        out += '\n';
    }
}

std::string patches_csv_header() {
    return "time,body_a,body_b,cx,cy,cz,nx,ny,nz,ux,uy,uz,fx,fy,fz,taux,tauy,tauz,px,py,pz,spin_torque\n";
}

void append_patches_csv(std::string& out, const Recording& recording, const Frame& frame) {
    for (const PatchSample& p : frame.patches) {
        fmt::format_to(std::back_inserter(out), "{},{},{}", frame.time, body_field(recording, p.body_a),
                       body_field(recording, p.body_b));
        for (const Vec3& v : {p.centre, p.normal, p.u, p.force, p.torque, p.pressure}) append(out, v);
        append(out, p.spin_torque);
        out += '\n';
    }
}

std::string pairs_csv_header() {
    return "time,body_a,body_b,points,patches,px,py,pz,nx,ny,nz,fx,fy,fz,taux,tauy,tauz,frx,fry,frz,frtaux,frtauy,frtauz,"
           "spin_torque\n";
}

void append_pairs_csv(std::string& out, const Recording& recording, const Frame& frame) {
    for (const PairWrench& p : pair_wrenches(frame)) {
        fmt::format_to(std::back_inserter(out), "{},{},{},{},{}", frame.time, body_field(recording, p.body_a),
                       body_field(recording, p.body_b), p.points, p.patches);
        for (const Vec3& v : {p.point, p.normal, p.force, p.torque, p.friction, p.friction_torque}) append(out, v);
        append(out, p.spin_torque());
        out += '\n';
    }
}

std::string forces_csv_header() { return "time,body_a,body_b,fx,fy,fz,tx,ty,tz\n"; }

void append_forces_csv(std::string& out, const Recording& recording, const Frame& frame) {
    for (const ForceSample& f : frame.forces) {
        fmt::format_to(std::back_inserter(out), "{},{},{}", frame.time, body_field(recording, f.body_a),
                       body_field(recording, f.body_b));
        for (const Vec3& v : {f.force, f.torque}) append(out, v);
        out += '\n';
    }
}

const Column* Table::find(std::string_view name) const {
    for (const Column& column : columns)
        if (column.name == name) return &column;
    return nullptr;
}

std::vector<std::string> Table::names() const {
    std::vector<std::string> all;
    for (const Column& column : columns) all.push_back(column.name);
    return all;
}

Table read_csv(const std::filesystem::path& path, const std::vector<std::string>& keep_text) {
    const std::string content = read_file(path, std::size_t{1} << 34);
    const std::string file = path.string();
    Scanner scanner(content, file);
    std::vector<std::string_view> row;
    if (scanner.at_end() || !scanner.next_row(row))
        scanner.fail(1, "no column names; the first line of a table names its columns");

    Table table;
    for (const std::string_view name : row) {
        if (table.find(name)) scanner.fail(1, fmt::format("two columns are called '{}'", name));
        const bool is_text = std::find(keep_text.begin(), keep_text.end(), name) != keep_text.end();
        table.columns.push_back({std::string(name), is_text, {}, {}});
    }
    std::vector<char> turned(table.columns.size(), 0);  // columns in which a field was not a number
    int blank_line = 0;
    while (!scanner.at_end()) {
        const int line = scanner.line();
        if (!scanner.next_row(row)) {
            if (blank_line == 0) blank_line = line;
            continue;
        }
        if (blank_line != 0) scanner.fail(blank_line, "an empty line inside the table");
        if (row.size() != table.columns.size())
            scanner.fail(line, fmt::format("{} fields where the header names {} columns", row.size(), table.columns.size()));
        ++table.row_count;
        for (std::size_t i = 0; i < row.size(); ++i) {
            Column& column = table.columns[i];
            double value = 0;
            if (turned[i]) continue;
            if (column.is_text)
                column.text.emplace_back(row[i]);
            else if (parse_number(row[i], value))
                column.numbers.push_back(value);
            else
                turned[i] = 1;
        }
    }
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (!turned[i]) continue;
        Column& column = table.columns[i];
        column.is_text = true;
        column.numbers = {};
        fill_text(column, i, content, file);
    }
    return table;
}

}  // namespace asperity::record
