// Private to record/: tells shapes apart by how they look.
#pragma once
#include <string>

#include "asperity/geometry/shape/shape.h"

namespace asperity::record::detail {

/// Key of a shape: shapes with equal keys look the same. Hulls compare by content.
std::string shape_key(const geometry::Shape& shape);

}  // namespace asperity::record::detail
