/* words.c: see words.h. */
#include "certificate/words.h"
#include "certificate/file.h"
#include "base/names.h"

#include <string.h>

const char *hrr_words_of(const json_t *certificate, const char *now, const char *then)
{
    return hrr_certificate_is_since(certificate, HRR_CERTIFICATE_PLAIN_WORDS) ? now : then;
}

const char *hrr_bias_of(const json_t *certificate, const char *mechanism, const char *now)
{
    static const char of_groups[] =
        "Counts below 0 are taken for 0, which adds edges where there are few. Synthetic edges "
        "follow groups and not persons: who differs from her group is shown as the group is.";
    static const char *const then[][2] = {
        {"edgerr", of_groups},
        {"privhrg", of_groups},
        {"privhrg-private", of_groups},
        {"edgerr-degrees",
         "Numbers are those of the graph, and who knows whom is made up: only how many edges a "
         "node has is its own, and the community it is in where the order of nodes tells of "
         "communities. Elsewhere communities are not those of the original, and paths come out "
         "shorter."},
        {"edgerr-node",
         "Private edges are shown as noisy counts, not as edges: the graph itself looks less "
         "connected than it is, or, if edges were sampled from the counts, connects groups and "
         "not persons. Noise is the same for all, and so hides nodes with few private edges "
         "first."}};
    for (size_t i = 0; i < sizeof then / sizeof *then; i++)
        if (strcmp(then[i][0], mechanism) == 0) return hrr_words_of(certificate, now, then[i][1]);
    return now;
}

const char hrr_neighbours_features[] =
    "any two feature vectors of one node, everything else the same";
const char hrr_neighbours_edges[] =
    "two graphs on the same nodes that differ in one private candidate pair";
const char hrr_neighbours_pairs[] =
    "two graphs on the same nodes that differ in one pair of candidates, public or private";
const char hrr_neighbours_labels[] = "any two labels of one node, everything else the same";
const char hrr_blocks_given[] = "given with the request, not made from this release";
const char hrr_blocks_communities[] = "communities of the public edges";
const char hrr_need_given[] = "given with the request, not made from this release";
const char hrr_rivals_given[] =
    "two blocks of a node share one count; which was given with the request";
const char hrr_rivals_predicted[] =
    "two blocks of a node share one count: its two likeliest classes, as its block is predicted";
const char hrr_need_of_public_edges[] = "the fewer public edges a node has, the more";
const char hrr_epsilon_means[] =
    "Epsilon bounds how much the probability of any release changes when one item of the input "
    "changes: by a factor of at most e^epsilon. At 0 the release does not depend on the item.";
const char hrr_generator_secure[] = "AES-128-CTR keyed by the operating system";
const char hrr_generator_insecure[] = "insecure seed: NOT PRIVATE";
const char hrr_bounds_by_owner[] = "the owner, who declared them public";
const char hrr_bounds_by_format[] = "the format of the input";

static const char *label_mechanism_at(size_t i)
{
    static const char *const names[] = {"none", "randomized response",
                                        "randomized response on every bit", NULL};
    return names[i];
}

const char *hrr_label_mechanism_name(hrr_label_mechanism mechanism)
{
    return label_mechanism_at(mechanism);
}

hrr_label_mechanism hrr_label_mechanism_find(const char *name)
{
    return (hrr_label_mechanism)hrr_names_find(label_mechanism_at, name);
}
