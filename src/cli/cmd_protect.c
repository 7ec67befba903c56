/* cmd_protect.c: heterorr protect: from a private graph to a bundle that may be published. The
 * library does the work; here its parts meet: what was typed (protect_args.h), what it asks for
 * (protect_request.h) and what is said of it (protect_summary.h). */
#include "cli/graph_input.h"
#include "cli/message.h"
#include "cli/number.h"
#include "cli/progress.h"
#include "cli/protect_request.h"
#include "cli/protect_summary.h"
#include "cli/undeclared.h"

#include <string.h>

static const cli_example examples[] = {
    {"heterorr protect graph -o bundle --eps-features 2",
     "Randomise features with budget 2 per node; private edges are left out."},
    {"heterorr protect graph -o bundle --eps-features 4 --eps-edges 1",
     "Also protect private edges. The mechanisms are those that measured best for such a graph; "
     "the summary names them."},
    {"heterorr protect graph -o bundle --eps-features 4 --eps-edges 1 --feature-mechanism "
     "featurerr --edge-mechanism edgerr",
     "Use the paper's mechanisms instead."},
    {"heterorr protect graph -o bundle --eps-features 4 --eps-edges 1 --for structure",
     "For analysis of degrees and communities rather than for training."},
    {"heterorr protect cora.npz -o bundle --all-private --bounds 0,1 --eps-features 4 --eps-edges "
     "2",
     "A file that states neither which edges are private (all are) nor the bounds of the "
     "features."},
    {"heterorr protect graph -o bundle --eps-features 1 --eps-labels 1 --scores s.npz",
     "Also protect labels, and give more budget to important features."},
    {"heterorr protect graph -o bundle --eps-features 1 --feature-mechanism featurerr-projected "
     "--directions pca:4 --public-sample sample.npy --public directions",
     "Spend the budget on the four directions in which a public sample varies most."},
    {0},
};

static hrr_status new_random(hrr_random **out, const char *insecure_seed, hrr_error *err)
{
    uint64_t seed;
    *out = NULL;
    if (!insecure_seed) return hrr_random_new(out, err);
    if (!cli_read_count(insecure_seed, &seed))
        return hrr_fail(err, HRR_EINVAL, "--insecure-seed: '%.40s' is not a whole number",
                        insecure_seed);
    return hrr_random_new_insecure(out, seed, err);
}

/* Said before the budget is spent, from public facts alone. */
static void note_cautions(const hrr_graph *graph, const hrr_protect_options *options,
                          const protect_args *a)
{
    const hrr_public_facts facts = hrr_public_facts_of(graph, options, cli_protect_use(a, graph));
    const char *cautions[] = {hrr_caution_features(&facts, options),
                              hrr_caution_edges(&facts, options)};
    for (int i = 0; i < 2; i++) {
        if (!cautions[i]) continue;
        cli_progress_erase();
        cli_note("%s", cautions[i]);
    }
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const protect_args *a = args;
    hrr_protect_options options;
    hrr_protect_summary summary;
    cli_protect_inputs in = {0};
    hrr_graph *graph = NULL;
    hrr_random *random = NULL;
    hrr_signing_key *key = NULL;
    hrr_status status = cli_protect_read_words(&options, a, err);
    if (!status) status = hrr_set_scratch(a->scratch, err);
    if (status) goto done;
    if (a->sign && (status = hrr_signing_key_read(&key, a->sign, err))) {
        if (status == HRR_EDATA) cli_add_advice(err, " (heterorr keys new makes a pair)");
        goto done;
    }
    options.sign_with = key;
    if ((status = cli_refuse_own_place(a->graph, a->output, err))) goto done;
    if ((status = new_random(&random, a->insecure_seed, err))) goto done;
    const double began = cli_clock();
    if ((status = cli_read_graph(&graph, a->graph, &a->read, task->progress, err))) goto done;
    if ((status = cli_protect_read_files(&options, &in, a, graph, err))) goto done;
    const double loading = cli_clock() - began;
    if ((status = cli_refuse_undeclared(graph, &options, err))) goto done;
    note_cautions(graph, &options, a);
    status = task->ranks ? hrr_protect_over(&summary, a->output, graph, &options, task->ranks,
                                            random, task->progress, err)
                         : hrr_protect(NULL, &summary, a->output, graph, &options, random,
                                       task->progress, err);
    if (status || cli_is_quiet()) goto done;
    status = cli_protect_tell(&summary, &options, a, loading, task, err);
done:
    cli_protect_inputs_clear(&in);
    hrr_graph_free(graph);
    hrr_random_free(random);
    hrr_signing_key_free(key);
    return status;
}

const cli_verb cli_verb_protect = {
    .name = "protect",
    .summary = "turn a private graph into one that may be published",
    .description =
        "Randomises features and, if requested, labels; replaces private edges by synthetic ones "
        "or leaves them out; and writes the result as a bundle: a graph directory with a "
        "certificate that states what is guaranteed and what is not. Budgets are epsilons of "
        "differential privacy: smaller is more private. Protect a graph once and use the bundle "
        "from then on; a second bundle from the same graph adds its budget to the first. "
        "Processes that mpirun started protect a graph together (docs/scale.md).",
    .examples = examples,
    .operands = cli_protect_operands,
    .sets = cli_protect_sets,
    .args_size = sizeof(protect_args),
    .init = cli_protect_args_init,
    .run = run,
    .over_ranks = true,
};
