#include "render/shape_mesh.h"

#include <fmt/format.h>

#include "asperity/core/error.h"

namespace asperity::render {

void check(RTCDevice device) {
    const RTCError error = rtcGetDeviceError(device);
    if (error != RTC_ERROR_NONE)
        throw InputError(fmt::format("Embree failed with error {}: out of memory?", static_cast<int>(error)));
}

void build(ShapeMesh& mesh, RTCDevice device, bool moves) {
    mesh.geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    const std::size_t vertex_count = mesh.positions.size(), triangle_count = mesh.triangles.size() / 3;
    auto* vertices = static_cast<Float3*>(
        rtcSetNewGeometryBuffer(mesh.geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, sizeof(Float3), vertex_count));
    auto* indices = static_cast<std::uint32_t*>(rtcSetNewGeometryBuffer(
        mesh.geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(std::uint32_t), triangle_count));
    check(device);
    std::copy(mesh.positions.begin(), mesh.positions.end(), vertices);
    std::copy(mesh.triangles.begin(), mesh.triangles.end(), indices);
    rtcCommitGeometry(mesh.geometry);
    mesh.scene = rtcNewScene(device);
    if (moves)
        rtcSetSceneFlags(mesh.scene, RTC_SCENE_FLAG_DYNAMIC);
    else
        rtcSetSceneBuildQuality(mesh.scene, RTC_BUILD_QUALITY_HIGH);
    rtcAttachGeometry(mesh.scene, mesh.geometry);
    rtcReleaseGeometry(mesh.geometry);
    rtcCommitScene(mesh.scene);
}

void update(ShapeMesh& mesh) {
    auto* vertices = static_cast<Float3*>(rtcGetGeometryBufferData(mesh.geometry, RTC_BUFFER_TYPE_VERTEX, 0));
    std::copy(mesh.positions.begin(), mesh.positions.end(), vertices);
    rtcUpdateGeometryBuffer(mesh.geometry, RTC_BUFFER_TYPE_VERTEX, 0);
    rtcCommitGeometry(mesh.geometry);
    rtcCommitScene(mesh.scene);
}

}  // namespace asperity::render
