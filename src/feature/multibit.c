/* multibit.c: the multi-bit encoder with its rectifier (Sajadmanesh and Gatica-Perez, "Locally
 * private graph neural networks", CCS 2021).
 *
 *     m = max(1, min(d, floor(eps / 2.18))) features without replacement, e' = e^(eps/m);
 *     t ~ Bern(1/(e' + 1) + (x - lo)/(hi - lo) (e' - 1)/(e' + 1)),   x* = 2 t - 1,   others 0;
 *     released  d (hi - lo)/(2 m) (e' + 1)/(e' - 1) x* + (lo + hi)/2.
 *
 * The coin is Duchi's: with x in [-1, 1] its probability is 1/2 + x (e' - 1)/(2 (e' + 1)), and the
 * rectified value is C d/m x*. So multi-bit is duchi-sampled at the m that its authors found best
 * for one bit. Only the m chosen features are read: a row costs m draws and d stores. */
#include "feature/coordinates.h"

const hrr_feature_method hrr_feature_multibit = {.about.name = "multibit",
                                                 .about.what =
                                                     "one bit for some features of each node",
                                                 .about.page = "docs/mechanisms/multibit.md",
                                                 .about.certified = true,
                                                 .about.needs_bounds = true,
                                                 .law = hrr_duchi_init,
                                                 .eps_each_nano = 2180000000,
                                                 HRR_SAMPLED_COORDINATES};
