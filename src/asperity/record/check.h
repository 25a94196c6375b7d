// Is a recording sound? Asked before it is written and after it is read, so that what save accepts load accepts too.
#pragma once
#include <string>

#include "asperity/record/recording.h"

namespace asperity::record {

/// What is wrong with the recording, in one line; empty when it is sound. Poses and velocities may be NaN: a run that blew
/// up must still be looked at. Everything else is finite, every index points at something, times never run backwards, and
/// each frame holds one pose per body and one or no velocity per body.
std::string defect(const Recording& recording);

}  // namespace asperity::record
