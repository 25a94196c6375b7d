#include "asperity/gl/context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/gl/objects.h"

namespace asperity::gl {
namespace {

constexpr const char* kRemedy = "; the packages libegl1 and libgl1-mesa-dri bring a driver that needs no graphics card";

/// First display that initialises: graphics cards by their device, then Mesa without a window system, then EGL's default.
EGLDisplay open_display() {
    const auto platform = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    const auto query = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
    const auto works = [](EGLDisplay display) {
        return display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr);
    };
    if (platform && query) {
        EGLDeviceEXT devices[16];
        EGLint count = 0;
        if (query(16, devices, &count)) {
            for (int i = 0; i < count; ++i) {
                if (const EGLDisplay d = platform(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr); works(d)) return d;
            }
        }
    }
    if (platform) {
        if (const EGLDisplay d = platform(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr); works(d)) return d;
    }
    const EGLDisplay d = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    return works(d) ? d : EGL_NO_DISPLAY;
}

}  // namespace

Context::Context() {
    display_ = open_display();
    if (display_ == EGL_NO_DISPLAY) throw InputError(std::string("OpenGL: EGL finds no display to draw on") + kRemedy);
    eglBindAPI(EGL_OPENGL_API);
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    eglChooseConfig(display_, wanted, &config, 1, &count);
    const EGLint version[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    context_ = eglCreateContext(display_, count > 0 ? config : nullptr, EGL_NO_CONTEXT, version);
    if (context_ == EGL_NO_CONTEXT)
        throw InputError(fmt::format("OpenGL: no context of version 3.3 (EGL error {:#x}){}", eglGetError(), kRemedy));
    const Use use(*this);
    renderer_ = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
}

Context::~Context() {
    if (context_) eglDestroyContext(display_, context_);  // others in this process may share the display
}

bool Context::is_software() const {
    return renderer_.find("llvmpipe") != std::string::npos || renderer_.find("softpipe") != std::string::npos;
}

Context::Use::Use(const Context& context) : display_(context.display_) {
    if (!eglMakeCurrent(context.display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context.context_))
        throw InputError(fmt::format("OpenGL: the context cannot be used in this thread (EGL error {:#x})", eglGetError()));
}

Context::Use::~Use() { eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT); }

}  // namespace asperity::gl
