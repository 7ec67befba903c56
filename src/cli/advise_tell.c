/* advise_tell.c: see advise.h. */
#include "cli/advise.h"
#include "cli/figures.h"
#include "cli/graph_input.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/printed_command.h"
#include "cli/progress.h"
#include "cli/training_table.h"

#include <heterorr/certificate.h>

#include <stdlib.h>
#include <string.h>

/* ---- what to do ------------------------------------------------------------------------------ */

static const hrr_training_mean *edge_choice(const cli_advice *self)
{
    return self->edges.choice < 0 ? NULL : &self->edges.rows[self->edges.choice];
}

static const hrr_training_mean *head_choice(const cli_advice *self)
{
    return self->head.choice < 0 ? NULL : &self->head.rows[self->head.choice];
}

void cli_advice_add_input(cli_command *to, const cli_advise_args *a)
{
    hrr_read_options usual;
    hrr_read_options_init(&usual);
    cli_command_add_operand(to, a->graph);
    cli_command_add_given(to, cli_graph_options, &a->read, &usual);
}

void cli_advice_add_features(cli_command *to, const cli_advice *self, const cli_advise_args *a)
{
    char eps[32];
    if (self->n_features && self->features_are_public) {
        cli_command_add(to, "--feature-mechanism",
                        hrr_feature_mechanism_with(HRR_EFFECT_KEEP)->name, NULL);
    } else if (head_choice(self) && a->head) {
        cli_command_add(to, "--feature-mechanism", head_choice(self)->features, "--eps-features",
                        head_choice(self)->eps_features, NULL);
    } else if (self->feature_choice && !self->head.n_rows) {
        snprintf(eps, sizeof eps, "%.9g", self->feature_choice->eps);
        cli_command_add(to, "--eps-features", eps, NULL); /* the mechanism: what measured best */
    } else if (self->n_features) {
        cli_command_add(to, "--feature-mechanism",
                        hrr_feature_mechanism_with(HRR_EFFECT_LEAVE_OUT)->name, "--propagate", "4",
                        NULL);
    }
}

static void add_protect(cli_command *to, const cli_advice *self, const cli_advise_args *a)
{
    const cli_advise_args nothing = {0};
    const hrr_training_mean *edges = edge_choice(self);
    cli_command_add(to, "protect", NULL);
    cli_advice_add_input(to, a);
    cli_command_add(to, "-o", "BUNDLE", NULL);
    cli_command_add_given(to, cli_advise_passed_on, a, &nothing);
    cli_advice_add_features(to, self, a);
    if (edges)
        cli_command_add(to, "--edge-mechanism", edges->edges, "--eps-edges", edges->eps_edges,
                        NULL);
}

/* "edgerr,edgerr-node": what would have been rehearsed. */
static void list_mechanisms(char *text, size_t size, bool with_counts)
{
    size_t used = 0;
    for (const hrr_edge_mechanism *const *row = hrr_advised_mechanisms(); *row && used < size;
         row++)
        if (with_counts || !(*row)->has_counts)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "", (*row)->name);
}

/* What the owner can look at where the public part tells nothing. */
static void add_compare(cli_command *to, const cli_advice *self, const cli_advise_args *a)
{
    char mechanisms[128];
    const bool trains = self->n_features && self->has_labels;
    cli_command_add(to, "compare", trains ? "learning" : "structure", NULL);
    cli_advice_add_input(to, a);
    list_mechanisms(mechanisms, sizeof mechanisms, trains && !self->is_multilabel);
    cli_command_add(to, "--mechanisms", mechanisms, NULL);
    cli_command_add_option(to, "eps-edges", a->eps_edges);
    if (trains && a->bounds) cli_command_add_option(to, "bounds", a->bounds);
    cli_command_add(to, "-o", "results.csv", NULL);
}

hrr_status cli_advice_try(hrr_error *refusal, const cli_command *command, cli_task *task,
                          hrr_error *err)
{
    const char *words[CLI_MOST_WORDS + 3];
    cli_task dry = {.progress = task->progress, .talk = stderr, .json = true};
    size_t n = 0;
    for (; n < command->n; n++)
        words[n] = command->words[n];
    words[n++] = "--dry-run";
    words[n++] = "--json";
    words[n] = NULL;
    *refusal = (hrr_error){0};
    hrr_status status = cli_dispatch(words, &dry, refusal);
    json_decref(dry.result);
    if (status != HRR_ECANCEL && status != HRR_ENOMEM) return HRR_OK;
    return hrr_fail(err, status, "%s", refusal->message);
}

/* ---- for people ------------------------------------------------------------------------------ */

/* What was measured elsewhere (docs/reproducing.md#private-edges-eight-graphs), by the share of
 * private edges that is publicly known. */
static void print_evidence(const cli_advise_args *a, FILE *to)
{
    static const double most = .75; /* measured at .6 and .9 */
    fprintf(to,
            a->private_share > most
                ? "   Elsewhere, with nine of ten edges private, counts (edgerr-node) beat all "
                  "that is free at eps 1 on seven of eight\n   graphs, because public edges are "
                  "too few to tell; not where all edges together tell little (Twitch RU).\n"
                : "   Elsewhere, with six of ten edges private, counts (edgerr-node) beat all "
                  "that is free at eps 1 on four of eight\n   graphs: "
                  "public edges tell most of it already. With fewer private edges they tell "
                  "more.\n   (--private-share says how many are private, as far as is "
                  "publicly known.)\n");
}

static void print_blind(const cli_advice *self, const cli_advise_args *a, FILE *to)
{
    char why[160];
    if (self->blind == CLI_ADVICE_NO_LABELS)
        snprintf(why, sizeof why,
                 "labels are to be protected (--eps-labels), so nothing may be learnt from them");
    else if (self->n_public_edges == 0)
        snprintf(why, sizeof why, "there is no public edge to rehearse with");
    else
        snprintf(why, sizeof why, "%s %s too few to rehearse with",
                 cli_count(self->n_public_edges, "public edge", "public edges").text,
                 hrr_plural(self->n_public_edges, "is", "are"));
    fprintf(to,
            "Edges: which mechanism and budget are worth it cannot be known from what is public: "
            "%s.\n-> rehearse on a public graph that is like this one, if there is one;\n"
            "-> or choose the budget by its promise alone (docs/privacy.md), and judge the release "
            "by itself;\n"
            "-> or look at the private graph, with the command below. What it prints is private, "
            "and a choice that\n   follows it tells something of it: no budget accounts for "
            "that.\n",
            why);
    print_evidence(a, to);
    fputc('\n', to);
}

static void print_edges(const cli_advice *self, const cli_advise_args *a, FILE *to)
{
    const hrr_training_mean *choice = edge_choice(self);
    fprintf(to,
            "Edges: %s of the public edges were hidden as if they were the private ones, and "
            "released again.\nNetworks learnt from the labels: if those are to be protected, say "
            "--eps-labels E, and keep this to yourself.\n",
            cli_percent(a->private_share).text);
    cli_training_print(self->edges.rows, self->edges.n_rows, to);
    if (!choice)
        fprintf(to, "-> leave private edges out: nothing that was tried shows more than that, and "
                    "it costs nothing\n\n");
    else
        fprintf(to, "-> %s with eps %s is the cheapest that shows more than leaving them out\n\n",
                choice->edges, choice->eps_edges);
}

/* What made the reports. */
static const char *rehearsed_mechanism(const cli_advice *self)
{
    size_t i = 0;
    while (i + 1 < self->head.n_rows && !self->head.rows[i].spends)
        i++;
    return self->head.rows[i].features;
}

/* What reports of a head would be worth, at most. */
static void print_head(const cli_advice *self, const cli_advise_args *a, FILE *to)
{
    const hrr_training_mean *choice = head_choice(self);
    const int64_t control = self->head.control;
    char free_reaches[48] = "the same";
    if (control >= 0)
        snprintf(free_reaches, sizeof free_reaches, "%s",
                 cli_percent(self->head.rows[control].mean).text);
    if (!self->head.n_rows) {
        fprintf(
            to,
            "   What has paid at eps 1 and 2 are reports of a public head, learnt from other "
            "people with such "
            "features, where labels\n   and edges tell little: heterorr head makes one, and advise "
            "--head-right P rehearses it\n\n");
        return;
    }
    fprintf(to,
            "A public head that is right for %s of people elsewhere (mean over classes): answers "
            "were drawn from the "
            "public labels,\nreported by %s and learnt from. A real head errs where neighbours "
            "mislead, "
            "too, so this is the most to hope for.\n",
            cli_percent(a->head_right).text, rehearsed_mechanism(self));
    cli_training_print(self->head.rows, self->head.n_rows, to);
    if (choice)
        fprintf(
            to,
            "-> from eps %s on such a head can tell more than labels and public edges, which cost "
            "nothing and reach %s%s\n\n",
            choice->eps_features, free_reaches,
            a->head ? "" : "; name it with --head for the command");
    else
        fprintf(
            to,
            "-> spend nothing on features: at these budgets not even such a head is shown to tell "
            "more than labels and\n   public edges, which cost nothing and reach %s\n\n",
            free_reaches);
}

void cli_advice_print_features(const cli_advice *self, const cli_advise_args *a, FILE *to)
{
    if (!self->n_features) return;
    if (self->features_are_public) {
        fprintf(to, "Features: nothing to spend, they are public or released.\n\n");
        return;
    }
    fprintf(to,
            "Features: %s of them. Whatever they are, and whatever the mechanism (without a "
            "delta), a node's own released\nfeatures tell at most this share of its label; beside "
            "it the noise of one feature (multibit, the range is 1).\n",
            cli_grouped(self->n_features).text);
    fprintf(to, "%8s %16s %12s %24s\n", "eps", "of the label", "noise", "mean over neighbours");
    for (size_t i = 0; i < self->n_features_rows; i++)
        fprintf(to, "%8g %16s %12.3g %24.3g\n", self->features[i].eps,
                cli_percent(self->features[i].information).text, self->features[i].noise,
                self->features[i].noise_averaged);
    if (self->feature_choice)
        fprintf(to,
                "-> from eps %g on they may say something that random features do not; compare "
                "with featfree before you spend it\n",
                self->feature_choice->eps);
    else
        fprintf(to, "-> at these budgets noise drowns even a mean over neighbours: random features "
                    "(featfree) cost nothing, try\n   them first; fewer features, or "
                    "featurerr-projected with a public sample, need less\n");
    if (!self->structural) print_head(self, a, to); /* a head tells of labels */
}

static void print_for_release(const cli_advice *self, const cli_advise_args *a, FILE *to)
{
    const hrr_training_mean *choice = edge_choice(self);
    if (choice)
        fprintf(
            to,
            "Protect the graph that %s was made from, with --edge-mechanism %s --eps-edges %s\n",
            a->graph, choice->edges, choice->eps_edges);
    else
        fprintf(to, "No other release of the graph that %s was made from is advised\n", a->graph);
}

/* ---- for scripts ----------------------------------------------------------------------------- */

json_t *cli_advice_features_json(const cli_advice *self)
{
    json_t *list = json_array();
    for (size_t i = 0; i < self->n_features_rows; i++)
        json_array_append_new(list,
                              json_pack("{s:f, s:o, s:f, s:f}", "eps", self->features[i].eps,
                                        "information", cli_json_real(self->features[i].information),
                                        "noise", self->features[i].noise, "noise_averaged",
                                        self->features[i].noise_averaged));
    return list;
}

/* A command that is not UTF-8 has no place in JSON; half of one would be wrong. */
static json_t *command_json(const char *command)
{
    json_t *text = command ? json_string(command) : NULL;
    return text ? text : json_null();
}

static json_t *advice_json(const cli_advice *self, const char *metric, const char *command,
                           const hrr_error *refusal)
{
    static const char *const reasons[] = {[CLI_ADVICE_NO_LABELS] = "labels are to be protected",
                                          [CLI_ADVICE_FEW_EDGES] =
                                              "there are too few public edges to rehearse with"};
    const hrr_training_mean *choice = edge_choice(self);
    return json_pack("{s:s, s:s?, s:o, s:s?, s:s?, s:o, s:o, s:o, s:s?, s:o, s:o}", "metric",
                     metric, "cannot_know", reasons[self->blind], "edges",
                     cli_training_json(self->edges.rows, self->edges.n_rows), "edge_mechanism",
                     choice        ? choice->edges
                     : self->blind ? NULL
                                   : hrr_edge_mechanism_with(HRR_EFFECT_LEAVE_OUT)->name,
                     "eps_edges", choice ? choice->eps_edges : NULL, "features",
                     cli_advice_features_json(self), "eps_features",
                     self->feature_choice ? json_real(self->feature_choice->eps) : json_null(),
                     "head", cli_training_json(self->head.rows, self->head.n_rows), "eps_head",
                     head_choice(self) ? head_choice(self)->eps_features : NULL, "command",
                     command_json(command), "refused", cli_json_text(refusal->message));
}

/* ---- together -------------------------------------------------------------------------------- */

hrr_status cli_advice_tell(const cli_advice *self, const cli_advise_args *a, cli_task *task,
                           hrr_error *err)
{
    if (self->structural) return cli_advice_tell_structure(self, a, task, err);
    const char *metric = self->is_multilabel ? "f1_micro" : "accuracy";
    const bool is_release = hrr_path_is_bundle(a->graph); /* its own graph is not known here */
    cli_command command = {0};
    hrr_error refusal = {0};
    hrr_status status = HRR_OK;
    if (self->blind)
        add_compare(&command, self, a);
    else
        add_protect(&command, self, a);
    char *text = cli_command_text(&command);
    if (!text)
        status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    else if (!self->blind && !is_release)
        status = cli_advice_try(&refusal, &command, task, err);
    cli_progress_erase();
    if (status) goto done;
    if (task->json) {
        task->result = advice_json(self, metric, is_release ? NULL : text, &refusal);
        if (!task->result) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
        goto done;
    }
    if (self->blind)
        print_blind(self, a, task->talk);
    else
        print_edges(self, a, task->talk);
    cli_advice_print_features(self, a, task->talk);
    if (is_release)
        print_for_release(self, a, task->talk);
    else
        fprintf(task->talk, "%s\n", text);
    if (refusal.status) cli_note("protect refuses this command as it stands: %s", refusal.message);
done:
    free(text);
    cli_command_clear(&command);
    return status;
}
