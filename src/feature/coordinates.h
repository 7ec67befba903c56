/* coordinates.h: feature mechanisms made of one law for single numbers. Each such mechanism is its
 * law and two lines here. */
#ifndef HRR_FEATURE_COORDINATES_H
#define HRR_FEATURE_COORDINATES_H

#include "feature/coordinate.h"
#include "feature/mechanism.h"

/* What one sampled coordinate is given, at least, before a second one is drawn: 2.5 in the fair
 * form of the one-dimensional mechanisms (Wang et al. 2019). */
#define HRR_EPS_PER_COORDINATE UINT64_C(2500000000)

/* Every coordinate, eps / d each. */
hrr_status hrr_coordinates_prepare_all(hrr_feature_plan *plan, const hrr_feature_options *options,
                                       hrr_error *err);
/* m = max(1, min(d, floor(eps / eps_each))) coordinates (or options->n_sampled), eps / m each. */
hrr_status hrr_coordinates_prepare_sampled(hrr_feature_plan *plan,
                                           const hrr_feature_options *options, hrr_error *err);
void hrr_coordinates_release(void *state);
size_t hrr_coordinates_scratch_size(const hrr_feature_plan *plan, uint64_t n_rows);
void hrr_coordinates_randomise_all(hrr_dense *out, const hrr_feature_plan *plan,
                                   const hrr_dense *in, uint64_t begin, uint64_t end,
                                   uint64_t first_row, hrr_stream *stream, void *scratch);
bool hrr_coordinates_randomise_sampled(hrr_dense *out, const hrr_feature_plan *plan,
                                       const hrr_dense *in, uint64_t begin, uint64_t end,
                                       uint64_t first_row, hrr_stream *stream, void *scratch);

/* What is the same in all of them, beside name and law; the second kind has eps_each_nano, too. */
#define HRR_ALL_COORDINATES                                                                        \
    .prepare = hrr_coordinates_prepare_all, .release = hrr_coordinates_release,                    \
    .scratch_size = hrr_coordinates_scratch_size, .randomise = hrr_coordinates_randomise_all
#define HRR_SAMPLED_COORDINATES                                                                    \
    .about.samples = true, .prepare = hrr_coordinates_prepare_sampled,                             \
    .release = hrr_coordinates_release, .scratch_size = hrr_coordinates_scratch_size,              \
    .randomise_finite = hrr_coordinates_randomise_sampled

#endif
