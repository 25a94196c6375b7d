// The state of the implicit world: with the model it determines all future steps. A copy is a snapshot.
#pragma once
#include <vector>

#include "asperity/implicit/friction.h"
#include "asperity/implicit/integrator.h"

namespace asperity::implicit {

template <int Dim>
struct State {
    Motion<Dim> nodes;
    Earlier<Dim> earlier;  ///< for BDF2
    std::vector<FrictionMemory> friction;
    bool started = false;   ///< accelerations belong to the positions
    double time = 0;        ///< [s]
    double time_carry = 0;  ///< compensation term of the sum of all steps [s]
    int steps_done = 0;
    double last_dt = 0;  ///< of the last part of a step that was done [s]
};

}  // namespace asperity::implicit
