#include "asperity/implicit/attachments.h"

#include "asperity/implicit/kinematics.h"

namespace asperity::implicit {
namespace {

template <int Dim>
Vector<Dim> position(const BodyPoint<Dim>& point, std::span<const Vector<Dim>> x, const Vector<Dim>& from,
                     const Vector<Dim>& to, double progress) {
    if (point.count == 0) return from + progress * (to - from);
    Vector<Dim> sum = Vector<Dim>::Zero();
    for (std::size_t k = 0; k < static_cast<std::size_t>(point.count); ++k)
        sum += point.weights[k] * x[static_cast<std::size_t>(point.nodes[k])];
    return sum;
}

}  // namespace

template <int Dim>
void find_attached_places(const Model<Dim>& model, double time, std::vector<Vector<Dim>>& out) {
    out.clear();
    for (const Attachment<Dim>& attachment : model.attachments)
        for (const BodyPoint<Dim>* point : {&attachment.a, &attachment.b}) {
            Vector<Dim> place = point->place;
            if (point->count == 0 && point->body >= 0)
                place = from_vec3<Dim>(obstacle_pose(model.bodies[static_cast<std::size_t>(point->body)], time) *
                                       to_vec3(place));
            out.push_back(place);
        }
}

template <int Dim>
Vector<Dim> separation(const Model<Dim>& model, const Attempt<Dim>& attempt, std::span<const Vector<Dim>> x, double progress,
                       std::size_t k) {
    const auto at = [&](const BodyPoint<Dim>& point, std::size_t slot) {
        return position<Dim>(point, x, attempt.attached_from[slot], attempt.attached_to[slot], progress);
    };
    return at(model.attachments[k].a, 2 * k) - at(model.attachments[k].b, 2 * k + 1);
}

template <int Dim>
double attachment_energy(const Model<Dim>& model, const Attempt<Dim>& attempt, std::span<const Vector<Dim>> x,
                         double progress) {
    double sum = 0;
    for (std::size_t k = 0; k < model.attachments.size(); ++k)
        sum += 0.5 * model.attachments[k].stiffness * separation(model, attempt, x, progress, k).squaredNorm();
    return sum;
}

#define ASPERITY_INSTANTIATE(Dim)                                                                                      \
    template void find_attached_places<Dim>(const Model<Dim>&, double, std::vector<Vector<Dim>>&);                     \
    template Vector<Dim> separation<Dim>(const Model<Dim>&, const Attempt<Dim>&, std::span<const Vector<Dim>>, double, \
                                         std::size_t);                                                                 \
    template double attachment_energy<Dim>(const Model<Dim>&, const Attempt<Dim>&, std::span<const Vector<Dim>>, double);
ASPERITY_INSTANTIATE(2)
ASPERITY_INSTANTIATE(3)
#undef ASPERITY_INSTANTIATE

}  // namespace asperity::implicit
