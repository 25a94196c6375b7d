// The narrow public face: build a world by hand or from a scene file, step it, look at it.
#pragma once
#include "asperity/core/error.h"
#include "asperity/core/parallel.h"
#include "asperity/record/recording.h"
#include "asperity/rigid/body.h"
#include "asperity/rigid/joint.h"
#include "asperity/scene/run.h"
#include "asperity/scene/scene.h"
#include "asperity/sim/step.h"
#include "asperity/sim/world.h"
#include "asperity/version.h"
