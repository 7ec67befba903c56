/* fuzz_key: a key file, as a private key and as a public one. */
#include "fuzz_files.h"

#include <heterorr/certificate.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {"key.pem"};
    const char *directory = fuzz_directory(names, FUZZ_COUNT(names));
    char path[256];
    hrr_signing_key *key;
    hrr_signer *signer;
    hrr_error err;
    fuzz_put(directory, names[0], bytes, size);
    snprintf(path, sizeof path, "%s/%s", directory, names[0]);
    if (hrr_signing_key_read(&key, path, &err) == HRR_OK) hrr_signing_key_free(key);
    if (hrr_signer_read(&signer, path, &err) == HRR_OK) hrr_signer_free(signer);
    return 0;
}
