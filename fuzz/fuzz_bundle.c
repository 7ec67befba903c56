/* fuzz_bundle: a bundle from anybody, as verify reads it: certificate, page and graph. */
#include "fuzz_files.h"

#include <heterorr/release.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {"certificate.json", "CERTIFICATE.txt", "graph.json",
                                        "edges.npy",        "features.npy",    "labels.npy",
                                        "blocks.npy",       "block_counts.npy"};
    const char *directory = fuzz_directory(names, FUZZ_COUNT(names));
    hrr_findings findings;
    hrr_error err;
    fuzz_split(directory, names, FUZZ_COUNT(names), bytes, size);
    const hrr_status status = hrr_verify_bundle(&findings, directory, NULL, &err);
    (void)status; /* any answer will do */
    return 0;
}
