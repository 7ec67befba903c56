/* undeclared.c: see undeclared.h. The library says what is missing and why; here that becomes what
 * to type. */
#include "cli/undeclared.h"

#include <stdio.h>
#include <string.h>

/* What to do if it is not public, in the order of hrr_public_names(). */
static const char *const ways_out[] = {
    "use a format that lists the nodes",
    ("name the private ones (--private-column, --private-edges) or make all edges private "
     "(--all-private)"),
    "use a format that states the classes",
    "use a format that states their number",
    "give other bounds, from common knowledge (--bounds LO,HI)",
    "compute them from a public sample",
    "predict them with a model trained on a release, or leave them out",
    "leave it out, so that all nodes are candidates",
    "train one on public data (heterorr head)",
};
enum { n_ways = sizeof ways_out / sizeof *ways_out };

hrr_status cli_read_declared(unsigned *bits, const char *list, hrr_error *err)
{
    for (const char *at = list; at;) {
        size_t length = strcspn(at, ",");
        int i = 0;
        while (hrr_public_names()[i] && (strlen(hrr_public_names()[i]) != length ||
                                         strncmp(hrr_public_names()[i], at, length) != 0))
            i++;
        if (!hrr_public_names()[i])
            return hrr_fail(err, HRR_EINVAL,
                            "--public: there is no '%.*s'; choose from nodes, edges, classes, "
                            "columns, bounds, directions, blocks, candidates, head",
                            length < 40 ? (int)length : 40, at);
        *bits |= 1u << i;
        at = at[length] ? at + length + 1 : NULL;
    }
    return HRR_OK;
}

void cli_undeclared_advice(char text[CLI_UNDECLARED_SIZE], unsigned undeclared)
{
    char list[128] = "", why[800] = "";
    for (int i = 0; i < n_ways; i++) {
        if (!(undeclared & 1u << i)) continue;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? "," : "",
                 hrr_public_names()[i]);
        snprintf(why + strlen(why), sizeof why - strlen(why), "%s%s; if that is private, %s",
                 *why ? ". Also, " : "", hrr_public_reason(1u << i), ways_out[i]);
    }
    snprintf(text, CLI_UNDECLARED_SIZE, "add --public %s if this is public knowledge: %s", list,
             why);
}

/* Nothing says which edges are private: three answers, and no default. */
static hrr_status refuse_undecided(const hrr_graph *graph, hrr_error *err)
{
    return hrr_fail(err, HRR_EINVAL,
                    "nothing was spent: the input does not say which edges are private%s. Give one "
                    "of: --private-column NAME or --private-edges FILE (some edges are private), "
                    "--all-private (every edge is private), --public edges (no edge is private, "
                    "and all are published unchanged)",
                    hrr_graph_inferred(graph) & HRR_INFERRED_EDGES
                        ? ", and some columns of the file were not used"
                        : "");
}

hrr_status cli_refuse_undeclared(const hrr_graph *graph, const hrr_protect_options *options,
                                 hrr_error *err)
{
    const unsigned refused = hrr_public_refused(graph, options);
    char advice[CLI_UNDECLARED_SIZE];
    if (options->declared_public & HRR_PUBLIC_EDGES && hrr_graph_marking(graph) == HRR_MARKED)
        return hrr_fail(
            err, HRR_EINVAL,
            "nothing was spent: --public edges declares that no edge is private, but edges are "
            "marked as private (in the data, or by --private-column, --private-edges, "
            "--private-fraction or --all-private); leave one of them out");
    if (refused & HRR_PUBLIC_EDGES) return refuse_undecided(graph, err);
    if (!refused) return HRR_OK;
    cli_undeclared_advice(advice, refused);
    return hrr_fail(
        err, HRR_EINVAL,
        "nothing was spent: %s. To make a release that is NOT PRIVATE anyway, add --not-private",
        advice);
}
