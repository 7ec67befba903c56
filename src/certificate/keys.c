/* keys.c: Ed25519 keys in PEM files, as openssl writes and reads them (PKCS #8 and
 * SubjectPublicKeyInfo, RFC 8410). Keys with a passphrase are refused in so many words: a release
 * is made by a script as often as by a person, and a prompt would stop it after the charge. */
#include "certificate/keys.h"
#include "io/hash.h"
#include "base/memory.h"
#include "base/new_file.h"

#include <errno.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { most_bytes = 1 << 14, raw_size = 32 };

/* ---- reading -------------------------------------------------------------------------------- */

/* The text of a key file, NUL-terminated. */
static hrr_status read_text(char text[most_bytes + 1], const char *path, hrr_error *err)
{
    FILE *file = fopen(path, "rb");
    if (!file) return hrr_fail(err, HRR_EIO, "%s: cannot read the key: %s", path, strerror(errno));
    setvbuf(file, NULL, _IONBF, 0); /* no second copy of a secret */
    const size_t size = fread(text, 1, most_bytes + 1, file);
    const bool failed = ferror(file);
    fclose(file);
    if (failed || size > most_bytes) return hrr_fail(err, HRR_EDATA, "%s: is not a key file", path);
    text[size] = '\0';
    return HRR_OK;
}

static int no_passphrase(char *buffer, int size, int writing, void *user)
{
    (void)buffer;
    (void)size;
    (void)writing;
    (void)user;
    return -1;
}

/* NULL if it is not a key of the kind that is wanted. */
static EVP_PKEY *parse(const char *text, bool private)
{
    BIO *bio = BIO_new_mem_buf(text, -1);
    EVP_PKEY *key = NULL;
    if (bio)
        key = private ? PEM_read_bio_PrivateKey(bio, NULL, no_passphrase, NULL)
                      : PEM_read_bio_PUBKEY(bio, NULL, no_passphrase, NULL);
    BIO_free(bio);
    return key;
}

/* What is wrong with a text that is not the key that is wanted. */
static hrr_status refuse(const char *text, bool private, const char *path, hrr_error *err)
{
    if (strstr(text, "ENCRYPTED"))
        return hrr_fail(
            err, HRR_EDATA,
            "%s: is protected by a passphrase, which heterorr does not support; make a copy "
            "without one and store it where only you can read it: openssl pkey -in KEY -out COPY",
            path);
    if (private && strstr(text, "PUBLIC KEY"))
        return hrr_fail(err, HRR_EDATA, "%s: is a public key; signing needs the private key", path);
    if (!private && strstr(text, "PRIVATE KEY"))
        return hrr_fail(err, HRR_EDATA,
                        "%s: is a private key; checking a signature needs the public key, and the "
                        "private key stays with the signer",
                        path);
    return hrr_fail(err, HRR_EDATA, "%s: is not a%s key in PEM form", path,
                    private ? " private" : " public");
}

static hrr_status read_key(EVP_PKEY **out, const char *path, bool private, hrr_error *err)
{
    char *text = hrr_alloc(most_bytes + 1, 1);
    if (!text) return hrr_no_memory(err);
    hrr_status status = read_text(text, path, err);
    *out = status ? NULL : parse(text, private);
    if (!status && !*out) status = refuse(text, private, path, err);
    if (!status && !EVP_PKEY_is_a(*out, "ED25519")) {
        const char *kind = EVP_PKEY_get0_type_name(*out);
        status = hrr_fail(err, HRR_EDATA,
                          "%s: is a key of type %s; certificates are signed with Ed25519", path,
                          kind ? kind : "unknown");
        EVP_PKEY_free(*out);
        *out = NULL;
    }
    OPENSSL_cleanse(text, most_bytes + 1);
    hrr_free(text);
    return status;
}

static hrr_status find_fingerprint(char text[HRR_KEY_TEXT_SIZE], EVP_PKEY *key, hrr_error *err)
{
    unsigned char raw[raw_size];
    uint8_t digest[hrr_sha256_size];
    char digits[HRR_SHA256_TEXT_SIZE];
    size_t size = sizeof raw;
    hrr_hash hash;
    if (EVP_PKEY_get_raw_public_key(key, raw, &size) != 1 || size != sizeof raw)
        return hrr_fail(err, HRR_EDATA, "libcrypto cannot read this key");
    hrr_hash_init(&hash);
    hrr_hash_add(&hash, raw, size);
    hrr_status status = hrr_hash_finish(digest, &hash, err);
    if (status) return status;
    hrr_sha256_text(digits, digest);
    snprintf(text, HRR_KEY_TEXT_SIZE, "%.*s", HRR_KEY_TEXT_SIZE - 1, digits);
    return HRR_OK;
}

bool hrr_is_fingerprint(const char *text)
{
    return strlen(text) == HRR_KEY_TEXT_SIZE - 1 &&
           strspn(text, "0123456789abcdef") == HRR_KEY_TEXT_SIZE - 1;
}

hrr_status hrr_signing_key_read(hrr_signing_key **out, const char *path, hrr_error *err)
{
    hrr_signing_key *key = hrr_alloc_zero(1, sizeof *key);
    *out = NULL;
    if (!key) return hrr_no_memory(err);
    hrr_status status = read_key(&key->pkey, path, true, err);
    if (!status) status = find_fingerprint(key->fingerprint, key->pkey, err);
    if (status)
        hrr_signing_key_free(key);
    else
        *out = key;
    return status;
}

const char *hrr_signing_key_fingerprint(const hrr_signing_key *key)
{
    return key->fingerprint;
}

void hrr_signing_key_free(hrr_signing_key *key)
{
    if (key) EVP_PKEY_free(key->pkey);
    hrr_free(key);
}

hrr_status hrr_signer_read(hrr_signer **out, const char *path, hrr_error *err)
{
    hrr_signer *signer = hrr_alloc_zero(1, sizeof *signer);
    *out = NULL;
    if (!signer) return hrr_no_memory(err);
    hrr_status status = read_key(&signer->pkey, path, false, err);
    if (!status) status = find_fingerprint(signer->fingerprint, signer->pkey, err);
    if (status)
        hrr_signer_free(signer);
    else
        *out = signer;
    return status;
}

const char *hrr_signer_fingerprint(const hrr_signer *signer)
{
    return signer->fingerprint;
}

void hrr_signer_free(hrr_signer *signer)
{
    if (signer) EVP_PKEY_free(signer->pkey);
    hrr_free(signer);
}

/* ---- making --------------------------------------------------------------------------------- */

static hrr_status put_pem(EVP_PKEY *key, bool private, const char *path, hrr_error *err)
{
    BIO *bio = BIO_new(BIO_s_secmem()); /* wiped when it is freed */
    char *text = NULL;
    bool was_there = false;
    const bool written =
        bio && (private ? PEM_write_bio_PKCS8PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL)
                        : PEM_write_bio_PUBKEY(bio, key));
    const long size = written ? BIO_get_mem_data(bio, &text) : 0;
    hrr_status status = written ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_new_file_put(&was_there, path, text, (size_t)size, "the key", err);
    if (!status && was_there)
        status = hrr_fail(err, HRR_EIO, "%s: already exists; keys are never replaced", path);
    if (!status && !private && chmod(path, 0644) != 0)
        status = hrr_fail(err, HRR_EIO, "%s: cannot set permissions: %s", path, strerror(errno));
    BIO_free(bio);
    return status;
}

hrr_status hrr_signing_key_make(char fingerprint[HRR_KEY_TEXT_SIZE], const char *private_path,
                                const char *public_path, hrr_error *err)
{
    EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    if (!key) return hrr_fail(err, HRR_EIO, "libcrypto cannot create an Ed25519 key");
    hrr_status status = find_fingerprint(fingerprint, key, err);
    if (!status) status = put_pem(key, true, private_path, err);
    if (!status && (status = put_pem(key, false, public_path, err)))
        unlink(private_path); /* half a pair serves nobody */
    EVP_PKEY_free(key);
    return status;
}
