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
    hrr_tree_look(&out->move, chain->joint.tree, y, swapped);
    const uint32_t x = hrr_tree_parent(chain->joint.tree, y);
    const hrr_edge_score_blocks pairs = hrr_joint_pairs(&chain->joint, &out->move);
    out->bill = hrr_barker_ask(&chain->rule, &pairs, chain->spent[y], chain->spent[x]);
    out->gain_public = public_gain(&chain->phi, &out->move);
    __int128 z = llround(fmax(-1e9, fmin(1e9, out->gain_public)) * (double)HRR_BARKER_NAT);
    if (out->bill.weight > 0) {
        const hrr_edge_score_blocks edges = hrr_joint_edges(&out->move);
        const int64_t gain = hrr_edge_score_move(&chain->rule.score, &edges, &pairs);
        z += (__int128)gain * (int64_t)out->bill.weight;
    }
    out->z = cut_off(z);
}

void hrr_barker_settle(hrr_barker *chain, const hrr_barker_look *look, bool accepted)
{
    const uint32_t y = look->move.y, x = hrr_tree_parent(chain->joint.tree, y);
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
    if (accepted) hrr_tree_apply(chain->joint.tree, &look->move);
}

hrr_status hrr_barker_init(hrr_barker *out, const hrr_barker_rule *rule,
                           const hrr_dendrogram *start, const hrr_edge_public *known,
                           const hrr_edge_secret *secret, hrr_error *err)
{
    *out = (hrr_barker){.rule = *rule};
    hrr_phi_init(&out->phi);
    out->spent = hrr_alloc_zero(start->n_leaves, sizeof *out->spent);
    hrr_status status = out->spent ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_joint_init(&out->joint, start, known, secret, err);
    if (status) hrr_barker_clear(out);
    return status;
}

void hrr_barker_clear(hrr_barker *chain)
{
    hrr_joint_clear(&chain->joint);
    hrr_free(chain->spent);
    *chain = (hrr_barker){0};
}
