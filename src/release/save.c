/* save.c: a release that was kept in memory becomes a bundle, by the same writer that protect calls
 * and from the same record: nothing is decided or drawn here. */
#include "release/bundle.h"
#include "certificate/file.h"
#include "certificate/release.h"

#include <heterorr/release.h>

static hrr_status check(const hrr_release *release, hrr_error *err)
{
    if (!release->record)
        return hrr_fail(err, HRR_EINVAL,
                        "only a release made in memory can be saved: an opened release already has "
                        "files, and the non-private baseline has no certificate");
    if (!release->own_split) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "the release was given another split, which its certificate does not cover; "
                    "save it before you change the split");
}

hrr_status hrr_release_save(const hrr_release *release, const char *bundle, bool replace,
                            const hrr_signing_key *sign_with, hrr_progress *progress,
                            hrr_error *err)
{
    hrr_output_dir *dir;
    hrr_status status = check(release, err);
    if (!status) status = hrr_output_dir_open(&dir, bundle, &hrr_bundle_directory, replace, err);
    if (status) return status;
    const char *staging = hrr_output_dir_staging(dir);
    status = hrr_bundle_write(staging, release->graph, &release->beside, 0, progress, err);
    if (!status) status = hrr_bundle_certify(staging, release->record, sign_with, 0, progress, err);
    if (!status) status = hrr_progress_advance(progress, 0, err);
    if (!status) status = hrr_output_dir_commit(dir, err);
    hrr_output_dir_free(dir);
    return status;
}
