#include <asperity/scene.h>
#include <cstdio>
using namespace asperity;

int main() {
    scene::Scene slope = scene::load("scenes/slope.toml", {{"params.mu", "0.3"}, {"params.angle_deg", "20"}});
    const scene::RunResult result = scene::run(slope, {.keep_frames = true});  // with .out = "folder" it also writes files
    for (const scene::ExpectResult& expect : result.expect)
        std::printf("%s: %.5f, %s\n", expect.name.c_str(), expect.value, expect.ok ? "as expected" : "not as expected");
    const BodyId block = slope.world.find_body("block");  // a scene holds a world like any other
    std::printf("%d steps, the block moves at %.3f m/s\n", result.steps, length(slope.world.velocity(block)));
    record::save_glb(result.recording, "slope.glb");  // for Blender and any glTF viewer
    std::printf("%zu frames recorded\n", result.recording.frames.size());
}
