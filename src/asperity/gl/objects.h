// RAII wrappers for the OpenGL objects that the footprint sampler needs. A context must be current whenever one is used.
#pragma once
#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>

#include <cstddef>
#include <utility>

namespace asperity::gl {

/// Vertex and fragment shader, linked. Throws std::logic_error with the compiler's message: the sources are built in, so a
/// failure is a bug.
class Program {
  public:
    Program(const char* vertex_source, const char* fragment_source);
    ~Program() { glDeleteProgram(id_); }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    void use() const { glUseProgram(id_); }
    void set(const char* uniform, int value) const { glUniform1i(glGetUniformLocation(id_, uniform), value); }

  private:
    GLuint id_ = 0;
};

/// A buffer that shaders read by index (texelFetch of a samplerBuffer).
class ArrayTexture {
  public:
    explicit ArrayTexture(GLenum format) : format_(format) {
        glGenBuffers(1, &buffer_);
        glGenTextures(1, &texture_);
    }
    ~ArrayTexture() {
        glDeleteTextures(1, &texture_);
        glDeleteBuffers(1, &buffer_);
    }
    ArrayTexture(const ArrayTexture&) = delete;
    ArrayTexture& operator=(const ArrayTexture&) = delete;
    void upload(const void* data, std::size_t bytes, GLenum usage);
    void bind(int unit) const {
        glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
        glBindTexture(GL_TEXTURE_BUFFER, texture_);
    }

  private:
    GLenum format_;
    GLuint buffer_ = 0, texture_ = 0;
};

/// A texture of four floats per pixel as a render target, readable by later shaders; with a depth buffer if asked for.
class Canvas {
  public:
    Canvas(int width, int height, bool depth);
    ~Canvas();
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;
    void draw_here() const;  ///< binds it as the render target, with its whole size as the viewport
    void bind(int unit) const {
        glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
        glBindTexture(GL_TEXTURE_2D, color_);
    }
    int width() const { return width_; }
    int height() const { return height_; }

  private:
    int width_, height_;
    GLuint framebuffer_ = 0, color_ = 0, depth_ = 0;
};

}  // namespace asperity::gl
