/* Keys and signatures through the library: what a caller in C meets, and want of memory. */
#include "release/releases.h"

#include "certificate/signature.h"
#include "support/brutal.h"

#include <sys/stat.h>
#include <unistd.h>

typedef struct place {
    const char *key, *pub, *bundle;
    char name[HRR_KEY_TEXT_SIZE];
} place;

/* A signed bundle and its keys in the scratch directory. */
static place signed_place(const char *scratch)
{
    place here = {in_dir(scratch, "k.key"), in_dir(scratch, "k.pub"), in_dir(scratch, "bundle"),
                  ""};
    hrr_protect_options options = usual_options();
    hrr_signing_key *key;
    hrr_graph *graph = small_graph(7);
    assert_ok(hrr_signing_key_make(here.name, here.key, here.pub, NULL));
    assert_ok(hrr_signing_key_read(&key, here.key, NULL));
    options.sign_with = key;
    protect(here.bundle, graph, &options);
    hrr_signing_key_free(key);
    hrr_graph_free(graph);
    return here;
}

static int findings_of(const place *here, const char *pub)
{
    hrr_findings *findings = calloc(1, sizeof *findings);
    hrr_signer *signer = NULL;
    bool is_signed = false;
    assert_non_null(findings);
    if (pub) assert_ok(hrr_signer_read(&signer, pub, NULL));
    assert_ok(hrr_verify_bundle(findings, here->bundle, NULL, NULL));
    assert_ok(hrr_verify_signature(findings, &is_signed, here->bundle, signer, NULL));
    const int count = findings->count;
    hrr_signer_free(signer);
    free(findings);
    return count;
}

static void test_signature__holds_for_its_signer_alone(void **state)
{
    const place here = signed_place(*state);
    char other[HRR_KEY_TEXT_SIZE];
    hrr_signer *signer;
    assert_int_equal(findings_of(&here, here.pub), 0);
    assert_int_equal(findings_of(&here, NULL), 0);
    assert_ok(hrr_signing_key_make(other, in_dir(*state, "o.key"), in_dir(*state, "o.pub"), NULL));
    assert_string_not_equal(other, here.name);
    assert_int_equal(findings_of(&here, in_dir(*state, "o.pub")), 1);
    assert_ok(hrr_signer_read(&signer, here.pub, NULL));
    assert_string_equal(hrr_signer_fingerprint(signer), here.name);
    hrr_signer_free(signer);
    unlink(in_dir(here.bundle, "certificate.sig"));
    assert_int_equal(findings_of(&here, here.pub), 1);
    assert_int_equal(findings_of(&here, NULL), 1); /* the certificate names its signer */
}

/* Who signs a certificate that names another is not its signer, even if one trusts him. */
static void test_signature__is_by_the_key_that_the_certificate_names(void **state)
{
    const place here = signed_place(*state);
    char other[HRR_KEY_TEXT_SIZE];
    hrr_signing_key *key;
    char *page = read_file(in_dir(here.bundle, "CERTIFICATE.txt"), NULL);
    assert_non_null(strstr(page, here.name));
    free(page);
    assert_ok(hrr_signing_key_make(other, in_dir(*state, "o.key"), in_dir(*state, "o.pub"), NULL));
    assert_ok(hrr_signing_key_read(&key, in_dir(*state, "o.key"), NULL));
    assert_ok(hrr_signature_write(here.bundle, key, NULL));
    hrr_signing_key_free(key);
    assert_int_equal(findings_of(&here, in_dir(*state, "o.pub")), 1);
    assert_int_equal(findings_of(&here, here.pub), 1);
}

static void test_signature__is_the_same_for_the_same_certificate(void **state)
{
    const place here = signed_place(*state);
    size_t size;
    char *first = read_file(in_dir(here.bundle, "certificate.sig"), &size);
    hrr_protect_options options = usual_options();
    hrr_signing_key *key;
    hrr_graph *graph = small_graph(7);
    assert_ok(hrr_signing_key_read(&key, here.key, NULL));
    options.sign_with = key;
    protect(in_dir(*state, "again"), graph, &options);
    char *second = read_file(in_dir(in_dir(*state, "again"), "certificate.sig"), NULL);
    assert_int_equal(size, 64);
    assert_memory_equal(first, second, size);
    hrr_signing_key_free(key);
    hrr_graph_free(graph);
    free(first);
    free(second);
}

static hrr_status read_and_check(void *user)
{
    const place *here = user;
    hrr_findings *findings = calloc(1, sizeof *findings);
    hrr_signing_key *key = NULL;
    hrr_signer *signer = NULL;
    bool is_signed;
    hrr_status status = hrr_signing_key_read(&key, here->key, NULL);
    if (!status) status = hrr_signer_read(&signer, here->pub, NULL);
    if (!status) status = hrr_verify_signature(findings, &is_signed, here->bundle, signer, NULL);
    if (!status) assert_int_equal(findings->count, 0);
    hrr_signing_key_free(key);
    hrr_signer_free(signer);
    free(findings);
    return status;
}

static void test_signature__want_of_memory_is_said(void **state)
{
    place here = signed_place(*state);
    assert_true(brutal(read_and_check, &here) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_signature__holds_for_its_signer_alone),
        WITH_SCRATCH(test_signature__is_by_the_key_that_the_certificate_names),
        WITH_SCRATCH(test_signature__is_the_same_for_the_same_certificate),
        WITH_SCRATCH(test_signature__want_of_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
