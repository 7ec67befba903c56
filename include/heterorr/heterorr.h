/* heterorr.h: everything, in the order in which data walks through the rooms. */
#ifndef HETERORR_HETERORR_H
#define HETERORR_HETERORR_H

#include <heterorr/base.h>
#include <heterorr/random.h>
#include <heterorr/matrix.h>
#include <heterorr/graph.h>
#include <heterorr/structure.h>
#include <heterorr/generate.h>
#include <heterorr/io.h>
#include <heterorr/privacy.h>
#include <heterorr/feature.h>
#include <heterorr/edge.h>
#include <heterorr/certificate.h>
#include <heterorr/learn.h>
#include <heterorr/release.h>
#include <heterorr/audit.h>
#include <heterorr/vision.h>
#include <heterorr/attack.h>
#include <heterorr/experiment.h>
#include <heterorr/report.h>
#include <heterorr/serve.h>

#endif
