/* bundle.c: see bundle.h. */
#include "audit/bundle.h"
#include "audit/edges.h"
#include "base/memory.h"
#include "base/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

hrr_status hrr_audit_scratch(char **directory, hrr_error *err)
{
    const char *parent = access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : getenv("TMPDIR");
    if (!parent || !*parent) parent = "/tmp";
    *directory = NULL;
    char *path = hrr_path_join(parent, "heterorr-audit-XXXXXX");
    if (!path) return hrr_no_memory(err);
    if (!mkdtemp(path)) {
        hrr_status status =
            hrr_fail(err, HRR_EIO,
                     "%s: cannot be created: %s; set TMPDIR to a directory for temporary files",
                     path, strerror(errno));
        hrr_free(path);
        return status;
    }
    *directory = path;
    return HRR_OK;
}

hrr_status hrr_audit_protect(hrr_protect_summary *summary, const char *bundle,
                             const hrr_graph *graph, const hrr_protect_options *options,
                             const hrr_block_maker *maker, uint64_t seed, hrr_error *err)
{
    hrr_random *random;
    hrr_status status = hrr_random_new_insecure(&random, seed, err);
    if (status) return status;
    status =
        hrr_protect_with_maker(NULL, summary, bundle, graph, options, maker, random, NULL, err);
    hrr_random_free(random);
    return status;
}

hrr_status hrr_audit_run_bundles(float *out, hrr_bundle_trial *trial, const void *attack,
                                 const char *directory, uint64_t seed, int side, uint64_t first,
                                 uint64_t n, hrr_error *err)
{
    const uint64_t seed_of_side = seed + ((uint64_t)(side + 1) << 40);
    char *bundle = hrr_format_text("%s/bundle-%d-%llu", directory, side, (unsigned long long)first);
    if (!bundle) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    for (uint64_t i = 0; i < n && !status; i++)
        status = trial(&out[i], attack, bundle, side, seed_of_side + first + i, err);
    hrr_path_remove_flat(bundle);
    hrr_free(bundle);
    return status;
}

hrr_status hrr_audit_read_part(hrr_array *out, const char *bundle, const char *name, hrr_error *err)
{
    char *path = hrr_path_join(bundle, name);
    if (!path) return hrr_no_memory(err);
    hrr_status status = hrr_array_read(out, path, err);
    hrr_free(path);
    return status;
}

hrr_status hrr_audit_read_number(double *out, const char *bundle, const char *name, uint64_t item,
                                 hrr_error *err)
{
    hrr_array array;
    hrr_status status = hrr_audit_read_part(&array, bundle, name, err);
    if (status) return status;
    *out = hrr_array_number(&array, item);
    hrr_array_clear(&array);
    return HRR_OK;
}
