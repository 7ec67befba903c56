/* block_counts.c: see block_counts.h. The noise of the counts is known from the certificate. */
#include "cli/block_counts.h"
#include "cli/graph_input.h"

#include <jansson.h>

#include <heterorr/certificate.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *const *cli_counts_words(void)
{
    static const char *const names[] = {"auto", "ignore", NULL};
    return names;
}

void cli_block_counts_clear(cli_block_counts *counts)
{
    hrr_array_clear(&counts->count);
    hrr_array_clear(&counts->counted);
    *counts = (cli_block_counts){0};
}

/* Epsilon of one count's noise; 0 if the certificate does not say. */
static double eps_of_count(const char *bundle)
{
    hrr_terms *terms;
    if (hrr_terms_read(&terms, bundle, NULL)) return 0;
    const double eps = hrr_terms_eps_of_count(terms);
    hrr_terms_free(terms);
    return eps;
}

hrr_status cli_block_counts_read(cli_block_counts *out, const char *bundle, hrr_error *err)
{
    char path[4096];
    struct stat there;
    *out = (cli_block_counts){0};
    snprintf(path, sizeof path, "%s/block_counts.npy", bundle);
    if (!cli_is_release(bundle) || stat(path, &there) != 0) return HRR_OK;
    hrr_status status = hrr_array_read(&out->count, path, err);
    if (status) return status;
    const double eps = eps_of_count(bundle);
    if (out->count.type != HRR_ARRAY_I64 || out->count.n_dims != 2 || !out->count.shape[1] ||
        out->count.shape[1] > UINT32_MAX || !(eps > 0)) {
        cli_block_counts_clear(out);
        return hrr_fail(err, HRR_EDATA,
                        "%s: is no table of counts whose noise the certificate knows; the bundle "
                        "is damaged, or pass --counts ignore",
                        path);
    }
    out->counts = (hrr_block_counts){.n_nodes = out->count.shape[0],
                                     .n_blocks = (uint32_t)out->count.shape[1],
                                     .count = out->count.data,
                                     .eps = eps};
    snprintf(path, sizeof path, "%s/counted.npy", bundle);
    if (stat(path, &there) != 0) return HRR_OK;
    status = hrr_array_read(&out->counted, path, err);
    if (!status &&
        (out->counted.type != HRR_ARRAY_U8 || out->counted.n_items != out->counts.n_nodes))
        status = hrr_fail(err, HRR_EDATA, "%s: is not a 0 or 1 for each node", path);
    if (status)
        cli_block_counts_clear(out);
    else
        out->counts.counted = out->counted.data;
    return status;
}
