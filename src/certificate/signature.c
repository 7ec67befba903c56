/* signature.c: who vouches for a bundle.
 *
 * certificate.json has the hash of every other file, so one signature of its bytes covers the whole
 * bundle. The signature is Ed25519 (RFC 8032) by libcrypto, and certificate.sig is its 64 bytes and
 * nothing else: there is nothing to parse, and openssl pkeyutl checks it too. */
#include "certificate/signature.h"
#include "certificate/file.h"
#include "certificate/keys.h"
#include "base/memory.h"
#include "base/paths.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const char hrr_signature_name[] = "certificate.sig";

/* A certificate is a few kilobytes; one of a collection of a million graphs is below this. */
enum { most_bytes = 1 << 30 };

/* The whole file; *bytes: hrr_free(). Errors: HRR_EIO, HRR_ENOMEM. */
static hrr_status read_all(unsigned char **bytes, size_t *size, const char *directory,
                           const char *name, hrr_error *err)
{
    char *path = hrr_path_join(directory, name);
    FILE *file = path ? fopen(path, "rb") : NULL;
    struct stat there;
    hrr_status status = HRR_OK;
    *bytes = NULL;
    *size = 0;
    if (!path)
        status = hrr_no_memory(err);
    else if (!file || fstat(fileno(file), &there) != 0)
        status = hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", path, strerror(errno));
    else if (!S_ISREG(there.st_mode) || there.st_size > most_bytes)
        status = hrr_fail(err, HRR_EIO, "%s: is not a regular file, or is too large", path);
    if (!status) {
        *size = (size_t)there.st_size;
        *bytes = hrr_alloc(*size + 1, 1);
        if (!*bytes) status = hrr_no_memory(err);
    }
    if (!status && fread(*bytes, 1, *size + 1, file) != *size)
        status = hrr_fail(err, HRR_EIO, "%s: changed while it was being read", path);
    if (status) {
        hrr_free(*bytes);
        *bytes = NULL;
    }
    if (file) fclose(file);
    hrr_free(path);
    return status;
}

hrr_status hrr_signature_write(const char *directory, const hrr_signing_key *key, hrr_error *err)
{
    unsigned char signature[hrr_signature_size], *bytes = NULL;
    size_t size, length = sizeof signature;
    hrr_output *output = NULL;
    char *path = hrr_path_join(directory, hrr_signature_name);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    hrr_status status = path && context ? HRR_OK : hrr_no_memory(err);
    if (!status) status = read_all(&bytes, &size, directory, hrr_certificate_name, err);
    if (!status && (EVP_DigestSignInit(context, NULL, NULL, NULL, key->pkey) != 1 ||
                    EVP_DigestSign(context, signature, &length, bytes, size) != 1 ||
                    length != sizeof signature))
        status = hrr_fail(err, HRR_EIO, "libcrypto cannot sign with this key");
    if (!status) status = hrr_output_open(&output, path, err);
    if (!status) status = hrr_output_write(output, signature, sizeof signature, err);
    if (!status) status = hrr_output_commit(output, err);
    hrr_output_free(output);
    EVP_MD_CTX_free(context);
    hrr_free(bytes);
    hrr_free(path);
    return status;
}

static hrr_status check(bool *right, const char *bundle, const hrr_signer *signer, hrr_error *err)
{
    unsigned char *signed_bytes = NULL, *signature = NULL;
    size_t size, length;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    hrr_status status = context ? HRR_OK : hrr_no_memory(err);
    if (!status) status = read_all(&signed_bytes, &size, bundle, hrr_certificate_name, err);
    if (!status) status = read_all(&signature, &length, bundle, hrr_signature_name, err);
    *right = !status && length == hrr_signature_size &&
             EVP_DigestVerifyInit(context, NULL, NULL, NULL, signer->pkey) == 1 &&
             EVP_DigestVerify(context, signature, length, signed_bytes, size) == 1;
    EVP_MD_CTX_free(context);
    hrr_free(signed_bytes);
    hrr_free(signature);
    return status;
}

hrr_status hrr_signature_look(hrr_signature_state *out, const char *bundle,
                              const hrr_signer *signer, hrr_error *err)
{
    struct stat there;
    char *path = hrr_path_join(bundle, hrr_signature_name);
    if (!path) return hrr_no_memory(err);
    const bool found = lstat(path, &there) == 0;
    const bool plain = found && S_ISREG(there.st_mode) && there.st_size == hrr_signature_size;
    hrr_free(path);
    *out = !found ? HRR_SIGNATURE_MISSING : plain ? HRR_SIGNATURE_UNASKED : HRR_SIGNATURE_DAMAGED;
    if (!plain || !signer) return HRR_OK;
    bool right;
    hrr_status status = check(&right, bundle, signer, err);
    if (!status) *out = right ? HRR_SIGNATURE_RIGHT : HRR_SIGNATURE_WRONG;
    return status;
}
