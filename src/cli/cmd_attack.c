/* cmd_attack.c: heterorr attack: what an adversary would find out, found out by the owner first. */
#include "cli/verb.h"

static const cli_verb *const parts[] = {
    &cli_verb_attack_linkteller,  &cli_verb_attack_links,
    &cli_verb_attack_attributes,  &cli_verb_attack_membership,
    &cli_verb_attack_reconstruct, &cli_verb_attack_chain,
    &cli_verb_attack_release,     NULL,
};

static const cli_example examples[] = {
    {"heterorr attack linkteller model graph",
     "Does the model reveal private edges of its graph? An AUC of 0.5 is a guess, 1 is perfect."},
    {"heterorr attack linkteller model bundle --truth graph", "And after protect?"},
    {"heterorr attack chain graph --mechanisms edgerr,lapgraph --eps-edges 0.1,1",
     "What protection achieves: edges and features found with it, without it, and without any "
     "private edge."},
    {"heterorr attack release graph --mechanisms edgerr --eps-edges 1",
     "Do releases reveal whether one pair has an edge more often than epsilon allows?"},
    {0},
};

const cli_verb cli_verb_attack = {
    .name = "attack",
    .summary = "measure what an adversary can find",
    .description = "Runs published attacks against your own model or release and reports how much "
                   "they find. linkteller, links and membership query a model; attributes, "
                   "reconstruct, chain and release take the graph itself. The output is for the "
                   "owner of the data: it is not protected.",
    .examples = examples,
    .sets = cli_common_sets,
    .args_size = sizeof(cli_common),
    .parts = parts,
};
