// The one place where the stb implementations are compiled; others' code, so without our warning flags (CMakeLists.txt).
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image.h>
#include <stb_image_write.h>
