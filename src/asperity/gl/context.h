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

    const std::string& renderer() const { return renderer_; }  ///< the driver's own words: which card, or llvmpipe
    bool is_software() const;

    /// OpenGL calls belong to the thread that has made the context its own; this does it for as long as it lives.
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
