// The tables of a run as text (bodies.csv, steps.csv, contacts.csv, patches.csv, pairs.csv, forces.csv) and a reader for
// such tables.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "asperity/record/recording.h"
#include "asperity/sim/report.h"

namespace asperity::record {

// Headers and rows end with a line feed. Each number is the shortest text that parses to the same bits. A value that was not
// recorded is `nan`. Names with commas, quotes or line ends are quoted (RFC 4180).

/// bodies.csv: one row per body, in world axes: position of the centre of mass [m], orientation, velocity [m/s] and angular
/// velocity [rad/s].
std::string bodies_csv_header();
void append_bodies_csv(std::string& out, const Recording& recording, const Frame& frame);

/// steps.csv: one row per step: energies [J], residual [m/s], penetration [m], then ms_<stage> [ms] for each stage of
/// sim::kStageNames.
std::string steps_csv_header();
void append_steps_csv(std::string& out, const sim::StepReport& report);

/// contacts.csv: one row per contact. f: force on B [N]; t: first axis of the limit surface; tau: torque on B about the
/// contact point [N m]; fr: friction part of f; spin_torque: friction part of tau. Body -1 is named `world`.
std::string contacts_csv_header();
void append_contacts_csv(std::string& out, const Recording& recording, const Frame& frame);

/// patches.csv: one row per contact patch: the wrench on B with its torque about the patch centre c, the centre of pressure
/// p, and the friction torque about the normal through p.
std::string patches_csv_header();
void append_patches_csv(std::string& out, const Recording& recording, const Frame& frame);

/// pairs.csv: one row per pair of bodies in loaded contact: the wrench on B with its torque about the common centre of
/// pressure p of the pair's contacts, and the friction parts of force and torque.
std::string pairs_csv_header();
void append_pairs_csv(std::string& out, const Recording& recording, const Frame& frame);

/// forces.csv: one row per sample of Frame::forces: the force on B and its torque about B's centre of mass. A held region
/// has the name that Recording::regions gives it.
std::string forces_csv_header();
void append_forces_csv(std::string& out, const Recording& recording, const Frame& frame);

/// One column of a table. It holds numbers if all its fields are numbers, otherwise text.
struct Column {
    std::string name;
    bool is_text = false;
    std::vector<double> numbers;    ///< NaN for an empty field
    std::vector<std::string> text;  ///< filled instead of `numbers` when is_text
};

struct Table {
    std::vector<Column> columns;
    std::size_t row_count = 0;
    const Column* find(std::string_view name) const;  ///< null when no column has that name
    std::vector<std::string> names() const;
};

/// Reads a table with one header line. Columns named in `keep_text` stay text even if all their fields look like numbers,
/// because bodies may be named 1 and 2. Throws InputError with the line number for rows of the wrong length, unclosed quotes
/// and repeated column names.
Table read_csv(const std::filesystem::path& path, const std::vector<std::string>& keep_text = {});

}  // namespace asperity::record
