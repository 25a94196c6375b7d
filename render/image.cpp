#include "render/image.h"

#include <fmt/format.h>
#include <stb_image.h>
#include <stb_image_write.h>

#include <memory>
#include <string>

#include "asperity/core/error.h"
#include "asperity/core/files.h"

namespace asperity::render {

void save_png(const Image& image, const std::filesystem::path& path) {
    if (image.width <= 0 || image.height <= 0)
        throw InputError(
            fmt::format("{}: a picture needs at least one pixel, not {} x {}", path.string(), image.width, image.height));
    std::string png;
    const auto append = [](void* context, void* data, int size) {
        static_cast<std::string*>(context)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
    };
    stbi_write_png_compression_level = 8;
    if (!stbi_write_png_to_func(append, &png, image.width, image.height, 3, image.rgb.data(), 3 * image.width))
        throw InputError(fmt::format("{}: the picture of {} x {} pixels could not be encoded: out of memory", path.string(),
                                     image.width, image.height));
    write_file(path, png);
}

Image load_image(const std::filesystem::path& path) { return decode_image(read_file(path), path.string()); }

Image decode_image(std::string_view file, const std::string& name) {
    Image image;
    int channels = 0;
    const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
        stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(file.data()), static_cast<int>(file.size()), &image.width,
                              &image.height, &channels, 3),
        stbi_image_free);
    if (!pixels) throw InputError(fmt::format("{}: not a picture: {}; PNG and JPEG are read", name, stbi_failure_reason()));
    image.rgb.assign(pixels.get(), pixels.get() + std::size_t{3} * static_cast<std::size_t>(image.width * image.height));
    return image;
}

}  // namespace asperity::render
