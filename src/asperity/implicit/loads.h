// Prescribed motions and loads of an attempt.
#pragma once
#include "asperity/implicit/state.h"
#include "asperity/implicit/step_data.h"

namespace asperity::implicit {

/// How far the mean displacement of a guided body is ahead of the guide's place [m].
template <int Dim>
double guide_lead(const Model<Dim>& model, const Attempt<Dim>& attempt, std::span<const Vector<Dim>> x, std::size_t guide);

/// Positions of obstacles and half-spaces at the start and the end, and of prescribed nodes at the end. True if any moves.
template <int Dim>
bool find_targets(const Model<Dim>& model, double start_time, Attempt<Dim>& attempt);

/// Gravity and the loads at the end of the attempt. Pressures act along the normals that the faces have at its start, so
/// that within an attempt all loads are constant and have a potential; each step takes the new normals.
template <int Dim>
void find_loads(const Model<Dim>& model, Attempt<Dim>& attempt);

/// Accelerations at the start of a run: of loads, elastic forces and damping, without contacts.
template <int Dim>
void initial_acceleration(const Model<Dim>& model, StepData<Dim>& d, State<Dim>& state);

/// Accelerations of free nodes under minus the assembled gradient; zero for prescribed ones.
template <int Dim>
void accelerations(const Model<Dim>& model, const StepData<Dim>& d, std::vector<Vector<Dim>>& a);

/// Potential energy of gravity, zero at the origin [J].
template <int Dim>
double gravity_energy(const Model<Dim>& model, std::span<const Vector<Dim>> x);

}  // namespace asperity::implicit
