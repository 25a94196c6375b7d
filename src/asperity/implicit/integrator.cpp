#include "asperity/implicit/integrator.h"

namespace asperity::implicit {

std::string_view name(Integrator integrator) {
    switch (integrator) {
        case Integrator::BackwardEuler: return "backward_euler";
        case Integrator::Newmark: return "newmark";
        case Integrator::Bdf2: return "bdf2";
        case Integrator::QuasiStatic: return "quasi_static";
        case Integrator::SymplecticEuler: return "symplectic_euler";
    }
    return "";
}

template <int Dim>
void predict(Integrator integrator, const Motion<Dim>& start, const Earlier<Dim>& earlier, double h, Prediction<Dim>& out) {
    const std::size_t n = start.x.size();
    out.x_tilde.resize(n);
    out.x_hat.resize(n);
    out.inertia = integrator != Integrator::QuasiStatic;
    if (integrator == Integrator::Newmark) {  // beta = 1/4, gamma = 1/2: c = beta, w = gamma/beta
        out.c = 0.25;
        out.w = 2;
        for (std::size_t i = 0; i < n; ++i) {
            out.x_tilde[i] = start.x[i] + h * start.v[i] + 0.25 * h * h * start.a[i];
            out.x_hat[i] = out.w * out.x_tilde[i] - h * start.v[i] - 0.5 * h * h * start.a[i];
        }
    } else if (integrator == Integrator::Bdf2 && earlier.dt == h && earlier.x.size() == n) {
        // x = (4 x1 - x0)/3 + 2/3 h v and v = (4 v1 - v0)/3 + 2/3 h a
        out.c = 4.0 / 9;
        out.w = 1.5;
        for (std::size_t i = 0; i < n; ++i) {
            const Vector<Dim> base = (4 * start.x[i] - earlier.x[i]) / 3;
            out.x_tilde[i] = base + (2 * h / 9) * (4 * start.v[i] - earlier.v[i]);
            out.x_hat[i] = 1.5 * base;
        }
    } else {
        out.c = out.w = 1;
        for (std::size_t i = 0; i < n; ++i) {
            out.x_tilde[i] = out.inertia ? Vector<Dim>(start.x[i] + h * start.v[i]) : start.x[i];
            out.x_hat[i] = start.x[i];
        }
    }
}

template <int Dim>
void finish(const Prediction<Dim>& p, std::span<const Vector<Dim>> x, double h, Motion<Dim>& end) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        end.v[i] = (p.w * x[i] - p.x_hat[i]) / h;
        end.a[i] = p.inertia ? Vector<Dim>((x[i] - p.x_tilde[i]) / (p.c * h * h)) : Vector<Dim>(Vector<Dim>::Zero());
        end.x[i] = x[i];
        if (!p.inertia) end.v[i].setZero();
    }
}

template void predict<2>(Integrator, const Motion<2>&, const Earlier<2>&, double, Prediction<2>&);
template void predict<3>(Integrator, const Motion<3>&, const Earlier<3>&, double, Prediction<3>&);
template void finish<2>(const Prediction<2>&, std::span<const Vector<2>>, double, Motion<2>&);
template void finish<3>(const Prediction<3>&, std::span<const Vector<3>>, double, Motion<3>&);

}  // namespace asperity::implicit
