// The tables of a run: bodies.csv, steps.csv, contacts.csv as text, and a reader for any such table. No simulation here.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "asperity/record/recording.h"
#include "asperity/sim/report.h"

namespace asperity::record {

// Headers and rows end with a line feed. Numbers are the shortest text that reads back to the same bits; a value that was
// not recorded is `nan`. Names with commas, quotes or line ends are quoted (RFC 4180).

/// bodies.csv: one row per body, world axes. Position of the centre of mass [m], orientation, velocity [m/s], angular
/// velocity [rad/s].
std::string bodies_csv_header();
void append_bodies_csv(std::string& out, const Recording& recording, const Frame& frame);

/// steps.csv: one row per step; energies [J], residual [m/s], penetration [m], then ms_<stage> [ms] for each of
/// sim::kStageNames.
std::string steps_csv_header();
void append_steps_csv(std::string& out, const sim::StepReport& report);

/// contacts.csv: one row per contact; f is the force on B [N], t the first axis of the limit surface, tau the torque on B
/// about the point [N m], fr the friction in f, and spin_torque that in tau. Body -1 is called `world`.
std::string contacts_csv_header();
void append_contacts_csv(std::string& out, const Recording& recording, const Frame& frame);

/// patches.csv: one row per contact patch: the wrench on B, its torque about the patch's centre c, the centre of pressure p,
/// and the torque of friction about the normal through it.
std::string patches_csv_header();
void append_patches_csv(std::string& out, const Recording& recording, const Frame& frame);

/// pairs.csv: one row per pair of bodies that press: the wrench on B, its torque about the centre of pressure p of all their
/// contacts, and how much of both is friction.
std::string pairs_csv_header();
void append_pairs_csv(std::string& out, const Recording& recording, const Frame& frame);

/// One column of a table: numbers, unless some field is not one.
struct Column {
    std::string name;
    bool is_text = false;
    std::vector<double> numbers;    ///< an empty field is NaN
    std::vector<std::string> text;  ///< filled instead of `numbers` when is_text
};

struct Table {
    std::vector<Column> columns;
    std::size_t row_count = 0;
    const Column* find(std::string_view name) const;  ///< null when there is none of that name
    std::vector<std::string> names() const;
};

/// Reads a table with one header line. The columns named in `keep_text` stay text even where all fields look like numbers
/// (bodies may be called 1 and 2). Throws InputError with the line for ragged rows, open quotes and repeated column names.
Table read_csv(const std::filesystem::path& path, const std::vector<std::string>& keep_text = {});

}  // namespace asperity::record
