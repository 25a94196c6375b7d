#include "asperity/lab/study/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <nlohmann/json.hpp>

#include "asperity/core/error.h"

namespace asperity::lab {

const std::vector<std::string>& result_columns() {
    static const std::vector<std::string> names = {
        "mu_30",         "mu_10",   "mu_onset",  "mu_static", "mu_kinetic",        "normal_over_weight",
        "contact_share", "patches", "rms_slope", "triangles", "newton_iterations", "steps",
        "slide",         "cpu_s"};
    return names;
}

struct StudyDatabase::Data {
    std::filesystem::path file;
    const StudyPlan* plan = nullptr;
    sqlite3* connection = nullptr;

    [[noreturn]] void fail(int code) const {
        const std::string name = file.string();
        switch (code & 0xff) {
            case SQLITE_FULL:
                throw InputError(name +
                                 ": the disk is full; what was done is kept: free some space and go on with --resume");
            case SQLITE_IOERR:
                throw InputError(name +
                                 ": cannot be written; the disk may be full. What was done is kept: go on with --resume");
            case SQLITE_READONLY:
            case SQLITE_PERM:
            case SQLITE_CANTOPEN: throw InputError(name + ": cannot be opened for writing; choose another --out");
            case SQLITE_NOTADB:
            case SQLITE_CORRUPT: throw InputError(name + ": is damaged, or not a study's database; move it away");
            case SQLITE_BUSY:
            case SQLITE_LOCKED:
                throw InputError(name + ": another program holds it; close that one and go on with --resume");
            default: throw InputError(fmt::format("{}: {}", name, sqlite3_errmsg(connection)));
        }
    }
    void check(int code) const {
        if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE) fail(code);
    }
    void execute(const std::string& text) const { check(sqlite3_exec(connection, text.c_str(), nullptr, nullptr, nullptr)); }
};

namespace {

/// A statement that is finalised whatever happens.
class Statement {
  public:
    Statement(sqlite3* connection, const std::string& text) {
        code = sqlite3_prepare_v2(connection, text.c_str(), -1, &statement, nullptr);
    }
    ~Statement() { sqlite3_finalize(statement); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;
    void bind(int at, const std::string& text) {
        sqlite3_bind_text(statement, at, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
    }
    void bind(int at, double value) { sqlite3_bind_double(statement, at, value); }
    bool row() {
        if (code == SQLITE_OK || code == SQLITE_ROW) code = sqlite3_step(statement);
        return code == SQLITE_ROW;
    }
    std::string text(int column) const {
        const unsigned char* p = sqlite3_column_text(statement, column);
        return p ? std::string(p, p + sqlite3_column_bytes(statement, column)) : std::string();
    }
    int integer(int column) const { return sqlite3_column_int(statement, column); }
    sqlite3_stmt* statement = nullptr;
    int code = SQLITE_OK;
};

}  // namespace

StudyDatabase::StudyDatabase(const std::filesystem::path& file, const StudyPlan& plan, const std::string& fingerprint)
    : data_(std::make_unique<Data>()) {
    data_->file = file;
    data_->plan = &plan;
    Data& d = *data_;
    try {
        d.check(sqlite3_open(file.c_str(), &d.connection));
        sqlite3_busy_timeout(d.connection, 10000);
        d.execute("CREATE TABLE IF NOT EXISTS study(title TEXT, fingerprint TEXT)");
        std::string columns;
        for (const std::string& name : plan.names) columns += fmt::format(", \"{}\" REAL", name);
        for (const std::string& name : result_columns()) columns += fmt::format(", \"{}\" REAL", name);
        d.execute("CREATE TABLE IF NOT EXISTS runs(key TEXT PRIMARY KEY, seed INTEGER, done INTEGER, output TEXT" + columns +
                  ")");
        Statement known(d.connection, "SELECT fingerprint FROM study");
        if (known.row()) {
            if (known.text(0) != fingerprint)
                throw InputError(file.string() +
                                 ": belongs to another study, or its run file has changed since; choose another --out");
        } else {
            d.check(known.code);
            Statement insert(d.connection, "INSERT INTO study VALUES(?1, ?2)");
            insert.bind(1, plan.title);
            insert.bind(2, fingerprint);
            insert.row();
            d.check(insert.code);
        }
    } catch (...) {
        sqlite3_close(d.connection);
        d.connection = nullptr;
        throw;
    }
}

StudyDatabase::~StudyDatabase() {
    if (data_->connection) sqlite3_close(data_->connection);
}

void StudyDatabase::store(const StudyJob& job, bool done, const std::string& json) {
    const Data& d = *data_;
    std::string columns = "key, seed, done, output", marks = "?1, ?2, ?3, ?4";
    std::vector<double> values;
    const auto add = [&](const std::string& name, double value) {
        columns += fmt::format(", \"{}\"", name);
        values.push_back(value);
        marks += fmt::format(", ?{}", values.size() + 4);
    };
    for (std::size_t k = 0; k < d.plan->names.size(); ++k)
        add(d.plan->names[k], d.plan->settings[static_cast<std::size_t>(job.setting)][k]);
    if (done) {
        const nlohmann::json parsed = nlohmann::json::parse(json);
        for (const std::string& name : result_columns())
            if (const auto found = parsed.find(name); found != parsed.end() && found->is_number()) add(name, *found);
    }
    Statement insert(d.connection, fmt::format("INSERT OR REPLACE INTO runs({}) VALUES({})", columns, marks));
    d.check(insert.code);
    insert.bind(1, job.key);
    insert.bind(2, static_cast<double>(job.seed));
    insert.bind(3, done ? 1.0 : 0.0);
    insert.bind(4, json);
    for (std::size_t k = 0; k < values.size(); ++k) insert.bind(static_cast<int>(k) + 5, values[k]);
    insert.row();
    d.check(insert.code);
}

std::set<std::string> StudyDatabase::done_keys() const {
    std::set<std::string> keys;
    Statement select(data_->connection, "SELECT key FROM runs WHERE done = 1");
    while (select.row()) keys.insert(select.text(0));
    data_->check(select.code);
    return keys;
}

std::vector<StudyResult> StudyDatabase::results() const {
    std::map<std::string, StudyResult> found;
    Statement select(data_->connection, "SELECT key, done, output FROM runs");
    while (select.row()) {
        StudyResult& r = found[select.text(0)];
        r.done = select.integer(1) != 0;
        if (!r.done) {
            r.message = select.text(2);
            continue;
        }
        const nlohmann::json parsed = nlohmann::json::parse(select.text(2));
        for (const std::string& name : result_columns())
            if (const auto at = parsed.find(name); at != parsed.end() && at->is_number()) r.values[name] = *at;
        if (const auto curve = parsed.find("curve"); curve != parsed.end())
            for (std::size_t i = 0; i < (*curve)["slide"].size() && i < (*curve)["mu"].size(); ++i)
                if ((*curve)["mu"][i].is_number()) {
                    r.slide.push_back((*curve)["slide"][i]);
                    r.mu.push_back((*curve)["mu"][i]);
                }
    }
    data_->check(select.code);
    std::vector<StudyResult> out;
    for (const StudyJob& job : jobs_of(*data_->plan)) {
        const auto at = found.find(job.key);
        if (at == found.end()) continue;
        out.push_back(at->second);
        out.back().setting = job.setting;
        out.back().seed = job.seed;
    }
    return out;
}

}  // namespace asperity::lab
