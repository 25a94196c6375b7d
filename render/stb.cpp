// The only file that compiles the stb implementations. Third-party code, so without our warnings (CMakeLists.txt).
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image.h>
#include <stb_image_write.h>
