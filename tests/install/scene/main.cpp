// A scene from a text.
#include <asperity/scene.h>
#include <cstdio>

int main() {
    asperity::scene::Scene scene = asperity::scene::parse(R"toml(
step = { dt = 0.01, duration = 1 }
world = { default = { mu = 0.5 } }
[[body]]
name = "floor"
shape = { half_space = true }
fixed = true
[[body]]
name = "block"
shape = { box = [0.2, 0.2, 0.1] }
on = "floor"
velocity = [2, 0, 0]
[[expect]]
body = "block"
observable = "travel"
equals = "2^2 / (2 * 0.5 * 9.81)"
within = 1e-3
)toml",
                                                          "slide.toml");
    const asperity::scene::RunResult result = asperity::scene::run(scene);
    std::printf("%s after %d steps\n", std::string(asperity::scene::name(result.status)).c_str(), result.steps);
}
