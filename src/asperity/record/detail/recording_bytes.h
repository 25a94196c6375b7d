// The contents of recording.asp as bytes: what does not change (the head), and frames.
#pragma once
#include "asperity/record/detail/bytes.h"
#include "asperity/record/recording.h"

namespace asperity::record::detail {

/// Title, materials, hulls, meshes and normal maps (each once), bodies, links, view. Counts u64, reals f64.
void put_head(ByteWriter& out, const Recording& recording);
/// Reads all remaining bytes. Fails for anything that check.h calls a defect.
Recording get_head(ByteReader& in);

void put_frame(ByteWriter& out, const Frame& frame);
Frame get_frame(ByteReader& in, std::size_t body_count);

}  // namespace asperity::record::detail
