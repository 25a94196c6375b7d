// The state of the implicit world as bytes and as a hash.
#include <cmath>

#include "asperity/core/bytes.h"
#include "asperity/core/hash.h"
#include "asperity/implicit/step_data.h"
#include "asperity/implicit/world.h"

namespace asperity::implicit {
namespace {

constexpr std::uint32_t kVersion = 3;

/// Calls f(number) for every number of the state, in a fixed order.
template <class State, class F>
void visit_numbers(State& state, const F& f) {
    for (auto* list : {&state.nodes.x, &state.nodes.v, &state.nodes.a, &state.earlier.x, &state.earlier.v})
        for (auto& vector : *list)
            for (auto& number : vector.reshaped()) f(number);
    for (auto& memory : state.friction) {
        for (auto* vector : {&memory.force, &memory.axis, &memory.normal})
            for (int k = 0; k < 3; ++k) f((*vector)[k]);
        f(memory.load);
    }
    f(state.earlier.dt);
    f(state.time);
    f(state.time_carry);
    f(state.last_dt);
}

}  // namespace

template <int Dim>
std::string World<Dim>::state_hash() const {
    Hash hash;
    visit_numbers(state, [&](const double& number) { hash.add(number); });
    hash.add(static_cast<std::uint64_t>(state.steps_done));
    return hash.hex();
}

template <int Dim>
std::string World<Dim>::save_state() const {
    ByteWriter out;
    out.u32(kVersion);
    out.u64(state.nodes.x.size());
    out.u64(state.earlier.x.size());
    out.u64(state.friction.size());
    for (const FrictionMemory& memory : state.friction)
        for (const int part : memory.key) out.i32(part);
    out.u8(state.started);
    out.i32(state.steps_done);
    visit_numbers(state, [&](const double& number) { out.f64(number); });
    return std::move(out.bytes);
}

template <int Dim>
void World<Dim>::restore_state(const std::string& bytes) {
    ByteReader in(bytes, "checkpoint", "state", "start the run anew without --resume");
    if (in.u32() != kVersion) in.fail("it is of another version");
    if (in.u64() != state.nodes.x.size()) in.fail("it belongs to a scene with other bodies");
    State<Dim> read = state;
    const std::uint64_t earlier = in.u64();
    if (earlier != 0 && earlier != state.nodes.x.size()) in.fail("its earlier step has another number of nodes");
    read.earlier.x.resize(earlier);
    read.earlier.v.resize(earlier);
    const std::uint64_t contacts = in.u64();
    if (contacts > in.remaining() / sizeof(FrictionKey)) in.fail("its list of friction forces is cut off");
    read.friction.assign(contacts, {});
    for (FrictionMemory& memory : read.friction)
        for (int& part : memory.key) part = in.i32();
    read.started = in.flag();
    read.steps_done = in.i32();
    visit_numbers(read, [&](double& number) {
        number = in.f64();
        if (!std::isfinite(number)) in.fail("a number is not finite");
    });
    if (in.remaining() != 0) in.fail("it is too long");
    state = std::move(read);
}

template std::string World<2>::state_hash() const;
template std::string World<3>::state_hash() const;
template std::string World<2>::save_state() const;
template std::string World<3>::save_state() const;
template void World<2>::restore_state(const std::string&);
template void World<3>::restore_state(const std::string&);

}  // namespace asperity::implicit
