// Four doubles at a time. Compilers turn them into whatever the machine has; each lane rounds as a single double does, so the bits are the same everywhere.
#pragma once

namespace asperity::geometry::detail {

using Four = double __attribute__((vector_size(32), aligned(8), may_alias));
using FourFlags = long long __attribute__((vector_size(32)));

inline Four& four(double* p) { return *reinterpret_cast<Four*>(p); }
inline const Four& four(const double* p) { return *reinterpret_cast<const Four*>(p); }
inline Four all_four(double x) { return Four{x, x, x, x}; }
inline bool any(const FourFlags& f) { return (f[0] | f[1] | f[2] | f[3]) != 0; }

}  // namespace asperity::geometry::detail
