/* barker.c: see barker.h. */
#include "edge/barker.h"
#include "base/memory.h"

#include <math.h>

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

hrr_barker_bill hrr_barker_ask(const hrr_barker_rule *rule, const hrr_edge_score_blocks *pairs,
                               uint64_t spent_y, uint64_t spent_x)
{
    const hrr_edge_score_shares s = hrr_edge_score_move_sensitivity(&rule->score, pairs);
    const uint64_t ij = (uint64_t)s.ij, ik = (uint64_t)s.ik, jk = (uint64_t)s.jk;
    const uint64_t most = larger(ij, larger(ik, jk));
    /* Without pairs in j x k, or in one block alone, the gain does not depend on the secret. */
    if (most == 0) return (hrr_barker_bill){0};
    uint64_t weight = rule->budget / rule->looks / most;
    const uint64_t whole = HRR_BARKER_NAT >> rule->score.bits; /* c = 1 */
    if (weight > whole) weight = whole;
    const hrr_barker_bill bill = {
        .weight = weight,
        .accept_y = spent_x + weight * ik,
        .accept_x = larger(spent_y + weight * ij, spent_x + weight * jk),
        .reject_y = spent_y + weight * ij,
        .reject_x = spent_x + weight * larger(ik, jk),
    };
    const uint64_t worst =
        larger(larger(bill.accept_y, bill.accept_x), larger(bill.reject_y, bill.reject_x));
    return worst <= rule->budget ? bill : (hrr_barker_bill){0};
}

static hrr_edge_score_blocks edges_of(const hrr_tree_move *move, int family)
{
    return (hrr_edge_score_blocks){move->edges_ij[family], move->edges_ik[family],
                                   move->edges_jk[family]};
}

/* Pairs of candidates without the public edges among them. */
static hrr_edge_score_blocks candidate_pairs(const hrr_tree_move *move, int between)
{
    const uint64_t i = move->leaves_i[between], j = move->leaves_j[between];
    const uint64_t k = move->leaves_k[between];
    return (hrr_edge_score_blocks){i * j - move->edges_ij[between], i * k - move->edges_ik[between],
                                   j * k - move->edges_jk[between]};
}

static double public_gain(const hrr_phi *phi, const hrr_tree_move *move)
{
    const uint64_t i = move->leaves_i[0], j = move->leaves_j[0], k = move->leaves_k[0];
    const uint64_t ij = move->edges_ij[0], ik = move->edges_ik[0], jk = move->edges_jk[0];
    return hrr_term(phi, ik, i * k) + hrr_term(phi, ij + jk, (i + k) * j) -
           hrr_term(phi, ij, i * j) - hrr_term(phi, ik + jk, (i + j) * k);
}

/* Cutting off changes no difference for the worse: a cut-off number moves by at most as much as the
 * number itself. Beyond 64 nats the answer is certain. */
static int64_t cut_off(__int128 z)
{
    const int64_t most = 64 * (int64_t)HRR_BARKER_NAT;
    return z > most ? most : z < -most ? -most : (int64_t)z;
}

void hrr_barker_look_at(hrr_barker_look *out, const hrr_barker *chain, uint32_t y, bool swapped)
{
    hrr_tree_look(&out->move, chain->tree, y, swapped);
    const uint32_t x = hrr_tree_parent(chain->tree, y);
    const hrr_edge_score_blocks pairs = candidate_pairs(&out->move, chain->between);
    out->bill = hrr_barker_ask(&chain->rule, &pairs, chain->spent[y], chain->spent[x]);
    out->gain_public = public_gain(&chain->phi, &out->move);
    __int128 z = llround(fmax(-1e9, fmin(1e9, out->gain_public)) * (double)HRR_BARKER_NAT);
    if (out->bill.weight > 0) {
        const hrr_edge_score_blocks edges = edges_of(&out->move, chain->secret);
        const int64_t gain = hrr_edge_score_move(&chain->rule.score, &edges, &pairs);
        z += (__int128)gain * (int64_t)out->bill.weight;
    }
    out->z = cut_off(z);
}

void hrr_barker_settle(hrr_barker *chain, const hrr_barker_look *look, bool accepted)
{
    const uint32_t y = look->move.y, x = hrr_tree_parent(chain->tree, y);
    uint64_t *spent_y = &chain->spent[y], *spent_x = &chain->spent[x];
    const hrr_barker_bill *bill = &look->bill;
    if (bill->weight > 0) {
        *spent_y = accepted ? bill->accept_y : bill->reject_y;
        *spent_x = accepted ? bill->accept_x : bill->reject_x;
    } else if (accepted) {
        const uint64_t before_y = *spent_y;
        *spent_y = *spent_x;
        *spent_x = larger(before_y, *spent_x);
    }
    if (accepted) hrr_tree_apply(chain->tree, &look->move);
}

hrr_status hrr_barker_new(hrr_barker **out, const hrr_barker_rule *rule,
                          const hrr_dendrogram *start, const hrr_csr *known, const hrr_csr *between,
                          const hrr_csr *secret, const uint8_t *candidates, hrr_error *err)
{
    hrr_barker *chain = hrr_alloc_zero(1, sizeof *chain);
    if (!chain) return hrr_no_memory(err);
    const hrr_csr *all[] = {known, secret, NULL}, *some[] = {known, between, secret};
    const uint8_t *counting[] = {NULL, candidates, candidates};
    chain->rule = *rule;
    chain->between = between ? 1 : 0;
    chain->secret = chain->between + 1;
    hrr_phi_init(&chain->phi);
    chain->spent = hrr_alloc_zero(start->n_leaves, sizeof *chain->spent);
    hrr_status status = chain->spent ? HRR_OK : hrr_no_memory(err);
    if (!status)
        status = between ? hrr_tree_thaw(&chain->tree, start, 3, some, counting, err)
                         : hrr_tree_thaw(&chain->tree, start, 2, all, NULL, err);
    if (status) {
        hrr_barker_free(chain);
        return status;
    }
    *out = chain;
    return HRR_OK;
}

void hrr_barker_free(hrr_barker *chain)
{
    if (!chain) return;
    hrr_tree_free(chain->tree);
    hrr_free(chain->spent);
    hrr_free(chain);
}
