#include "asperity/importers/read_picture.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC  // render/ has its own copy
#define STBI_NO_STDIO
#include <stb_image.h>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/core/one_line.h"

namespace asperity::importers {

PictureSize picture_size(const std::filesystem::path& path) {
    const std::string bytes = read_file(path, std::size_t{1} << 28);
    PictureSize size;
    int channels = 0;
    if (!stbi_info_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()), static_cast<int>(bytes.size()), &size.width,
                               &size.height, &channels) ||
        size.width < 1 || size.height < 1)
        throw InputError(fmt::format("{}: not a picture that can be read ({}); save it as PNG", path.string(),
                                     stbi_failure_reason() ? stbi_failure_reason() : "unknown format"));
    return size;
}

GreyImage read_grey(const std::filesystem::path& path) {
    const std::string bytes = read_file(path, std::size_t{1} << 28);
    GreyImage image;
    int channels = 0;
    const std::unique_ptr<stbi_us, void (*)(void*)> pixels(
        stbi_load_16_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()), static_cast<int>(bytes.size()),
                                 &image.width, &image.height, &channels, 1),
        stbi_image_free);
    if (!pixels)
        throw InputError(fmt::format("{}: not a picture that can be read ({}); save it as PNG with 8 or 16 bits",
                                     path.string(), stbi_failure_reason() ? stbi_failure_reason() : "unknown format"));
    for (int y = image.height - 1; y >= 0; --y)
        for (int x = 0; x < image.width; ++x) image.values.push_back(pixels.get()[y * image.width + x] / 65535.0);
    return image;
}

Picture decode_picture(std::string_view bytes, const std::string& name) {
    Picture picture;
    const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
    const auto size = static_cast<int>(std::min<std::size_t>(bytes.size(), std::size_t{1} << 30));
    const std::unique_ptr<stbi_us, void (*)(void*)> pixels(
        stbi_load_16_from_memory(data, size, &picture.width, &picture.height, &picture.channels, 0), stbi_image_free);
    if (!pixels)
        throw InputError(
            fmt::format("{}: not a picture that can be read ({}); is it whole? Save it as PNG with 8 or 16 bits", name,
                        one_line(stbi_failure_reason() ? stbi_failure_reason() : "unknown format", 100)));
    const auto row = static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.channels);
    picture.values.reserve(row * static_cast<std::size_t>(picture.height));
    for (int y = picture.height - 1; y >= 0; --y)
        for (std::size_t i = 0; i < row; ++i)
            picture.values.push_back(static_cast<float>(pixels.get()[static_cast<std::size_t>(y) * row + i]) / 65535.0f);
    return picture;
}

Picture read_picture(const std::filesystem::path& path) {
    return decode_picture(read_file(path, std::size_t{1} << 28), path.string());
}

}  // namespace asperity::importers
