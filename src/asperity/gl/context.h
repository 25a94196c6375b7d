// An OpenGL context without a window, through EGL: on the graphics card where there is one, else on Mesa's software driver.
#pragma once
#include <memory>
#include <string>

namespace asperity::gl {

class Context {
  public:
    /// OpenGL 3.3 or later, core profile. Throws InputError that says what is missing and what to install.
    Context();
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    const std::string& renderer() const { return renderer_; }  ///< the driver's own name: the graphics card, or llvmpipe
    bool is_software() const;

    /// Makes the context current on this thread for the lifetime of the object. OpenGL calls need a current context.
    class Use {
      public:
        explicit Use(const Context& context);
        ~Use();
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

      private:
        void* display_;
    };

  private:
    void* display_ = nullptr;  // EGLDisplay
    void* context_ = nullptr;  // EGLContext
    std::string renderer_;
};

}  // namespace asperity::gl
