/* successive.c: see successive.h.
 *
 * Each of two releases keeps its epsilon, and yet both together tell everything if the second is a
 * copy of the first where the data is the same, and a draw where it is not: equal bytes are then a
 * test of equal data, right every time. */
#include "audit/successive.h"
#include "certificate/file.h"
#include "base/memory.h"
#include "base/paths.h"

#include <string.h>
#include <unistd.h>

/* Where a trial puts its files. */
typedef struct places {
    char *ledger, *key, *bundle[3];
} places;

static void places_clear(places *at)
{
    hrr_free(at->ledger);
    hrr_free(at->key);
    for (int i = 0; i < 3; i++)
        hrr_free(at->bundle[i]);
    *at = (places){0};
}

static hrr_status places_init(places *out, const char *directory, int side, uint64_t first,
                              hrr_error *err)
{
    const unsigned long long number = first;
    *out = (places){.ledger = hrr_format_text("%s/ledger-%d-%llu", directory, side, number)};
    bool good = out->ledger && (out->key = hrr_format_text("%s.key", out->ledger));
    for (int i = 0; i < 3 && good; i++)
        good = (out->bundle[i] =
                    hrr_format_text("%s/in-a-row-%d-%llu-%d", directory, side, number, i)) != NULL;
    if (good) return HRR_OK;
    places_clear(out);
    return hrr_no_memory(err);
}

static void remove_files(const places *at)
{
    unlink(at->ledger);
    unlink(at->key);
    for (int i = 0; i < 3; i++)
        hrr_path_remove_flat(at->bundle[i]);
}

static hrr_status same_certificates(bool *same, const places *at, hrr_error *err)
{
    char sha256[2][HRR_SHA256_TEXT_SIZE];
    for (int i = 0; i < 2; i++) {
        hrr_status status = hrr_certificate_hash(sha256[i], at->bundle[i], NULL, err);
        if (status) return status;
    }
    *same = strcmp(sha256[0], sha256[1]) == 0;
    return HRR_OK;
}

static hrr_status try_once(float *seen, const hrr_successive_attack *attack, const places *at,
                           int side, hrr_error *err)
{
    hrr_graph *const *graph = attack->protect->graph;
    hrr_protect_options options = attack->protect->options;
    hrr_protect_summary one, two, three;
    hrr_random *random = NULL;
    bool same;
    options.with_ledger = true;
    options.ledger = at->ledger;
    hrr_status status = hrr_random_new(&random, err);
    if (!status)
        status = hrr_protect(NULL, &one, at->bundle[0], graph[0], &options, random, NULL, err);
    options.again = attack->copies_equal && side == 0;
    if (!status)
        status = hrr_protect(NULL, &two, at->bundle[1], graph[side], &options, random, NULL, err);
    if (!status) status = same_certificates(&same, at, err);
    if (!status) {
        options.again = false;
        options.limit_nano = 3 * (one.spent_in_all.features_nano + one.spent_in_all.edges_nano +
                                  one.spent_in_all.labels_nano) -
                             1;
        const hrr_status third =
            hrr_protect(NULL, &three, at->bundle[2], graph[side], &options, random, NULL, NULL);
        const bool twice = two.spent_in_all.features_nano == 2 * one.spent_in_all.features_nano;
        *seen = (float)(same + 2 * two.stored + 4 * (two.charge_before == 1) + 8 * twice +
                        16 * (third == HRR_EBUDGET) + 32 * (two.ledger_charge == 2));
    }
    hrr_random_free(random);
    return status;
}

hrr_status hrr_successive_attack_run(float *out, const void *user, int side, uint64_t first,
                                     uint64_t n, hrr_error *err)
{
    const hrr_successive_attack *attack = user;
    places at;
    hrr_status status = places_init(&at, attack->protect->directory, side, first, err);
    if (status) return status;
    for (uint64_t i = 0; i < n && !status; i++) {
        status = try_once(&out[i], attack, &at, side, err);
        remove_files(&at);
    }
    places_clear(&at);
    return status;
}
