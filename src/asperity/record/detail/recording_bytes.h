// The contents of recording.asp as bytes: what does not change (the head), and frames.
#pragma once
#include "asperity/record/check.h"
#include "asperity/record/detail/bytes.h"

namespace asperity::record::detail {

/// Title, materials, hulls, meshes and normal maps (each once), bodies with their deformable meshes, links, view, held
/// regions. Counts u64, reals f64.
void put_head(ByteWriter& out, const Recording& recording);
/// Reads all remaining bytes. Fails for anything that check.h calls a defect.
Recording get_head(ByteReader& in);

void put_frame(ByteWriter& out, const Frame& frame);
/// Positions of nodes are f64, so they come back exactly; stresses are f32 as in memory.
Frame get_frame(ByteReader& in, const FrameLayout& layout);

}  // namespace asperity::record::detail
