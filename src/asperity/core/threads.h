// How many threads a step uses. Results have the same bits for any number.
#pragma once

namespace asperity {

/// Sets the number of threads of parallel_for(). 0: all cores. Default: 1.
void set_thread_count(int count);
int thread_count();

}  // namespace asperity
