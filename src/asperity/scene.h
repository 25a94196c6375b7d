// The face of files: scenes, recordings, meshes, and contact problems in the FCLIB format. Link asperity::asperity.
#pragma once
#include "asperity/asperity.h"
#include "asperity/fclib/assembled.h"
#include "asperity/fclib/problem.h"
#include "asperity/importers/load.h"
#include "asperity/record/csv.h"
#include "asperity/record/plot.h"
#include "asperity/record/recording.h"
#include "asperity/record/wrench.h"
#include "asperity/scene/run.h"
#include "asperity/scene/scene.h"
