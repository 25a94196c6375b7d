// Deformable bodies for ParaView: deformed.pvd lists one file of the folder deformed/ per recorded frame, with its time.
// Each is a VTK unstructured grid (XML, appended raw binary, little-endian) with all deformable bodies.
#pragma once
#include <filesystem>

#include "asperity/record/frames.h"

namespace asperity::record {

constexpr const char* kDeformedList = "deformed.pvd";
constexpr const char* kDeformedFolder = "deformed";

bool has_deformables(const Recording& head);

/// One frame. Points [m] are float64; the point data `displacement` from the rest position [m] and the cell data `von_mises`
/// and `pressure` [Pa] are float32; the cell data `body` is the number of the body, counted from 0 in the order of the
/// scene. Cells are tetrahedra, or triangles of the plane y = 0. Stresses are left out if no body has them, and NaN for a
/// body without.
void save_vtu(const Recording& head, const Frame& frame, const std::filesystem::path& path);

/// Writes deformed/frame_NNNNNN.vtu for all frames, then deformed.pvd, into the folder. Each file appears whole,
/// and replaces the one that an earlier run left there.
void save_deformed(const Recording& head, const Frames& frames, const std::filesystem::path& folder);

/// Removes what save_deformed() writes, and the folder deformed/ unless it has other files.
void remove_deformed(const std::filesystem::path& folder);

}  // namespace asperity::record
