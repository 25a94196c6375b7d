#include "asperity/gl/objects.h"

#include <stdexcept>
#include <string>

namespace asperity::gl {
namespace {

GLuint compile(GLenum kind, const char* source) {
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &source, nullptr);
    glCompileShader(shader);
    GLint good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good) return shader;
    char words[2048] = {};
    glGetShaderInfoLog(shader, sizeof words, nullptr, words);
    glDeleteShader(shader);
    throw std::logic_error(std::string("OpenGL: a shader does not compile: ") + words);
}

}  // namespace

Program::Program(const char* vertex_source, const char* fragment_source) : id_(glCreateProgram()) {
    for (const auto& [kind, source] : {std::pair{GL_VERTEX_SHADER, vertex_source}, {GL_FRAGMENT_SHADER, fragment_source}}) {
        const GLuint shader = compile(static_cast<GLenum>(kind), source);
        glAttachShader(id_, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(id_);
    GLint good = 0;
    glGetProgramiv(id_, GL_LINK_STATUS, &good);
    if (good) return;
    char words[2048] = {};
    glGetProgramInfoLog(id_, sizeof words, nullptr, words);
    throw std::logic_error(std::string("OpenGL: a program does not link: ") + words);
}

void ArrayTexture::upload(const void* data, std::size_t bytes, GLenum usage) {
    glBindBuffer(GL_TEXTURE_BUFFER, buffer_);
    glBufferData(GL_TEXTURE_BUFFER, static_cast<GLsizeiptr>(bytes), data, usage);
    glBindTexture(GL_TEXTURE_BUFFER, texture_);
    glTexBuffer(GL_TEXTURE_BUFFER, format_, buffer_);
}

Canvas::Canvas(int width, int height, bool depth) : width_(width), height_(height) {
    glGenFramebuffers(1, &framebuffer_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glGenTextures(1, &color_);
    glBindTexture(GL_TEXTURE_2D, color_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, width, height, 0, GL_RGBA, GL_FLOAT, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color_, 0);
    if (depth) {
        glGenRenderbuffers(1, &depth_);
        glBindRenderbuffer(GL_RENDERBUFFER, depth_);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT32F, width, height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_);
    }
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw std::runtime_error("OpenGL: this driver cannot draw on pictures of 32-bit floats");
}

Canvas::~Canvas() {
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteTextures(1, &color_);
    if (depth_) glDeleteRenderbuffers(1, &depth_);
}

void Canvas::draw_here() const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glViewport(0, 0, width_, height_);
}

}  // namespace asperity::gl
