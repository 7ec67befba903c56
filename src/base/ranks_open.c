/* ranks_open.c: find out whether mpirun started this process, and load the plug-in that talks to
 * the others. The library itself is not linked with MPI: most people never need it, and MPI brings
 * dozens of libraries with it. */
#include "base/ranks.h"
#include "base/memory.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* How many processes the launcher says that it started; NULL: it does not say. */
static const char *told_size(void)
{
    /* Open MPI, other MPIs (and Slurm with PMI). */
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *size = getenv(sizes[i]);
        if (size && *size) return size;
    }
    /* PMIx does not tell it, but it has a rank for everybody; Slurm does. */
    const char *rank = getenv("PMIX_RANK");
    return rank && *rank ? getenv("SLURM_STEP_NUM_TASKS") : NULL;
}

bool hrr_ranks_expected(void)
{
    const char *size = told_size(), *rank = getenv("PMIX_RANK");
    return size ? strcmp(size, "1") != 0 : rank && *rank;
}

/* The directory of the library, or of the program that it is a part of. */
static char *own_directory(void)
{
    Dl_info found;
    void *here = NULL;
    hrr_status (*const function)(hrr_ranks **, hrr_error *) = hrr_ranks_open;
    memcpy(&here, &function, sizeof here);
    if (!dladdr(here, &found) || !found.dli_fname) return NULL;
    const char *slash = strrchr(found.dli_fname, '/');
    return slash ? hrr_format_text("%.*s", (int)(slash - found.dli_fname), found.dli_fname)
                 : hrr_copy_text(".");
}

/* Where the plug-in is when it is built, and when it is installed. */
static const char *const places[] = {"heterorr-mpi.so", "heterorr/heterorr-mpi.so"};
enum { n_places = sizeof places / sizeof *places };

static hrr_status no_plug_in(const char *why, hrr_error *err)
{
    return hrr_fail(
        err, HRR_ERANKS,
        "mpirun started this process as one of several, but heterorr's MPI plug-in is missing: "
        "%.300s. Install the package heterorr-mpi; in a source tree, install libopenmpi-dev and "
        "build again; or set HETERORR_MPI to the path of heterorr-mpi.so. A process that runs "
        "without mpirun needs no plug-in. Nothing was read or charged",
        why);
}

static hrr_status load(void **out, hrr_error *err)
{
    const char *told = getenv("HETERORR_MPI");
    /* Parts that Open MPI loads by itself look for its symbols among everybody's. */
    const int flags = RTLD_NOW | RTLD_GLOBAL;
    if (told && *told) {
        *out = dlopen(told, flags);
        return *out ? HRR_OK : no_plug_in(dlerror(), err);
    }
    *out = NULL;
    char why[400] = "there is no plug-in beside the library";
    char *directory = own_directory();
    for (int i = 0; i < n_places && directory && !*out; i++) {
        char *path = hrr_format_text("%s/%s", directory, places[i]);
        if (path) *out = dlopen(path, flags);
        if (!*out && path && i == 0) strncpy(why, dlerror(), sizeof why - 1);
        hrr_free(path);
    }
    hrr_free(directory);
    return *out ? HRR_OK : no_plug_in(why, err);
}

/* A plug-in for one MPI under the launcher of another: every process would be alone, and charge and
 * publish by itself. */
static hrr_status check_size(const hrr_ranks_engine *engine, hrr_error *err)
{
    const char *size = told_size();
    if (!size || strtol(size, NULL, 10) == engine->size) return HRR_OK;
    engine->close(engine->state, true);
    return hrr_fail(
        err, HRR_ERANKS,
        "the launcher started %.20s processes, but MPI sees %d: the plug-in of heterorr "
        "uses another MPI than the launcher. Use the mpirun of that MPI, or build "
        "heterorr with this one. Nothing was read or charged",
        size, engine->size);
}

hrr_status hrr_ranks_open(hrr_ranks **out, hrr_error *err)
{
    void *plug_in;
    hrr_ranks_engine engine;
    hrr_ranks_engine_opener *open_engine = NULL;
    char why[HRR_RANKS_TEXT_SIZE] = "";
    *out = NULL;
    if (!hrr_ranks_expected()) return HRR_OK;
    hrr_status status = load(&plug_in, err);
    if (status) return status;
    *(void **)&open_engine = dlsym(plug_in, "hrr_ranks_engine_open"); /* POSIX's way to say it */
    if (!open_engine) return no_plug_in("the file is not a heterorr plug-in", err);
    if (!open_engine(&engine, HRR_RANKS_LAYOUT, why))
        return hrr_fail(err, HRR_ERANKS, "MPI cannot be used: %.255s. Nothing was read or charged",
                        why);
    if ((status = check_size(&engine, err))) return status;
    return hrr_ranks_join(out, &engine, hrr_version(), err);
}
