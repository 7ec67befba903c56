/* protect_summary.c: see protect_summary.h. */
#include "cli/protect_summary.h"
#include "cli/figures.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/undeclared.h"

#include <inttypes.h>
#include <math.h>

static json_t *eps_json(uint64_t eps_nano)
{
    return json_real((double)eps_nano / (double)HRR_EPS_UNIT);
}

/* null: no bound, the data is released as it is. */
static json_t *realised_json(double eps)
{
    return isfinite(eps) ? json_real(eps) : json_null();
}

static json_t *protects_json(const hrr_protect_summary *s)
{
    static const char *const names[HRR_N_PARTS] = {"features", "edges", "labels"};
    json_t *list = json_array();
    for (int part = 0; part < HRR_N_PARTS; part++)
        if (s->treatment[part] == HRR_PROTECTED || s->treatment[part] == HRR_LEFT_OUT)
            json_array_append_new(list, json_string(names[part]));
    return list;
}

static void show_spent(const hrr_spend *all, const char *what, cli_task *task)
{
    char features[HRR_EPS_TEXT_SIZE], edges[HRR_EPS_TEXT_SIZE], labels[HRR_EPS_TEXT_SIZE];
    hrr_eps_format(features, all->features_nano);
    hrr_eps_format(edges, all->edges_nano);
    hrr_eps_format(labels, all->labels_nano);
    fprintf(task->talk, "%s: eps_f = %s, eps_e = %s, eps_y = %s%s\n", what, features, edges, labels,
            all->unbounded ? ", and releases that are NOT PRIVATE" : "");
}

static void show_spent_on(const hrr_spend *all, const hrr_protect_options *options,
                          const char *when, cli_task *task)
{
    if (options->account)
        fprintf(task->talk, "spent on account %s and on this data", options->account);
    else
        fprintf(task->talk, "spent on this data");
    show_spent(all, when, task);
}

static uint64_t expected_memory(const hrr_protect_summary *s)
{
    return cli_peak_memory() + s->expected_memory;
}

/* What a release would take, for whoever has not decided yet. */
static void show_forecast(const hrr_protect_summary *s, const hrr_protect_options *options,
                          cli_task *task)
{
    const hrr_spend cost = {.features_nano = s->eps_features_nano,
                            .edges_nano = s->eps_edges_nano,
                            .labels_nano = s->eps_labels_nano,
                            .unbounded = !s->is_private};
    if (s->stored) {
        fprintf(task->talk, "the stored release would be copied, and nothing would be spent\n");
        return;
    }
    show_spent(&cost, "it would spend", task);
    if (options->with_ledger)
        show_spent_on(&s->spent_in_all, options, " before", task);
    else
        fprintf(task->talk, "no ledger would be checked or charged\n");
    fprintf(task->talk, "at least %s; about %s more, %s of memory on an idle machine\n",
            cli_count(s->edges_out, "edge", "edges").text, cli_duration(s->expected_seconds).text,
            cli_bytes(expected_memory(s)).text);
}

/* Which mechanism, and why it is that one. */
static void show_choice(const char *what, const char *mechanism, const char *because,
                        cli_task *task)
{
    if (because)
        fprintf(task->talk, "%s: %s, the default: %s\n", what, mechanism, because);
    else
        fprintf(task->talk, "%s: %s\n", what, mechanism);
}

/* Where features are clipped; without --bounds the format says it, or protect stops. */
static void show_bounds(const protect_args *a, cli_task *task)
{
    const char *when = a->dry_run ? "would be" : "were";
    if (a->bounds)
        fprintf(task->talk, "features %s clipped to the bounds %s (--bounds)\n", when, a->bounds);
    else
        fprintf(task->talk, "features %s clipped to the bounds that the graph states\n", when);
}

static json_t *choice_json(const char *mechanism, const char *because)
{
    return json_pack("{s:s, s:s?}", "mechanism", mechanism, "default_because", because);
}

static json_t *spend_json(const hrr_spend *spend)
{
    return json_pack("{s:o, s:o, s:o, s:b}", "eps_features", eps_json(spend->features_nano),
                     "eps_edges", eps_json(spend->edges_nano), "eps_labels",
                     eps_json(spend->labels_nano), "not_private", spend->unbounded);
}

static void add_forecast(json_t *result, const hrr_protect_summary *s,
                         const hrr_protect_options *options)
{
    json_object_set_new(result, "spent_before",
                        options->with_ledger ? spend_json(&s->spent_in_all) : json_null());
    json_object_set_new(result, "expected_edges_out_at_least",
                        json_integer((json_int_t)s->edges_out));
    json_object_set_new(result, "expected_seconds", json_real(s->expected_seconds));
    json_object_set_new(result, "expected_memory_bytes",
                        json_integer((json_int_t)expected_memory(s)));
}

/* Seconds. What is not in any of them is what the rest of `seconds` went into. */
static json_t *phases_json(const hrr_protect_summary *s, double loading)
{
    const hrr_protect_phases *p = &s->phases;
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "load", loading, "plan",
                     p->plan, "ledger", p->ledger, "edges", p->edges, "features", p->features,
                     "labels", p->labels, "write", p->writing, "hash", p->hashing, "publish",
                     p->publishing);
}

hrr_status cli_protect_tell(const hrr_protect_summary *s, const hrr_protect_options *options,
                            const protect_args *a, double loading, cli_task *task, hrr_error *err)
{
    cli_progress_erase();
    if (s->undeclared) {
        char advice[CLI_UNDECLARED_SIZE];
        cli_undeclared_advice(advice, s->undeclared);
        cli_note("%s", advice);
    }
    /* Of use to whoever chooses a tree; the default one has measured no worse than what it says. */
    if (s->advice && (a->tree || a->dry_run)) cli_note("%s", s->advice);
    /* The public edges alone, so this tells nothing of the private ones. */
    if (s->treatment[HRR_PART_EDGES] == HRR_LEFT_OUT && s->edges_out == 0)
        cli_note("the release has no edges: no edge is public, and private edges are left out; "
                 "--eps-edges E adds synthetic edges");
    if (s->not_recorded)
        cli_note("the ledger could not record where %s is; the release is complete and its budget "
                 "is charged, but --again will not find it",
                 a->output);
    if (s->charge_before)
        cli_note("the ledger already has a release for the same request (charge %" PRIu64
                 "); %s second one, and budgets add up. --again copies the stored one at no cost",
                 s->charge_before, a->dry_run ? "this would be a" : "this is a");
    if (!task->json) {
        if (a->dry_run)
            fprintf(task->talk, "dry run: nothing was drawn or written; the guarantee would be:\n");
        fprintf(task->talk, "%s\n", s->statement);
        if (s->eps_features_nano)
            show_choice("features", options->features.mechanism, options->features_because, task);
        if (s->eps_edges_nano)
            show_choice("edges", options->edges.mechanism, options->edges_because, task);
        if (s->eps_features_nano &&
            hrr_feature_mechanism_find(options->features.mechanism)->needs_bounds)
            show_bounds(a, task);
        if (a->dry_run)
            show_forecast(s, options, task);
        else if (s->stored)
            fprintf(task->talk, "%s: a copy of the stored release; nothing was drawn or spent\n",
                    a->output);
        else
            fprintf(task->talk,
                    "%s: %s, made in %s with %s of memory; CERTIFICATE.txt in it explains the "
                    "guarantee\n",
                    a->output, cli_count(s->edges_out, "edge", "edges").text,
                    cli_duration(cli_clock() - task->began).text,
                    cli_bytes(cli_peak_memory()).text);
        if (s->ledger_entry) {
            fprintf(task->talk, "charged to the ledger (charge %" PRIu64 "); ", s->ledger_charge);
            show_spent_on(&s->spent_in_all, options, " so far", task);
        }
        return HRR_OK;
    }
    const bool labels = s->eps_labels_nano > 0;
    const bool edges = s->treatment[HRR_PART_EDGES] != HRR_PUBLISHED;
    /* Released as they are without a budget: 0 would be the strongest. */
    const bool features_open =
        s->treatment[HRR_PART_FEATURES] == HRR_UNPROTECTED && !s->eps_features_nano;
    const bool edges_open = s->treatment[HRR_PART_EDGES] == HRR_UNPROTECTED && !s->eps_edges_nano;
    task->result = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:b, s:s, s:o, s:b, s:f, s:I, s:I, s:f, s:I, s:f, "
        "s:b, s:o, s:o}",
        "eps_features", features_open ? json_null() : eps_json(s->eps_features_nano), "eps_edges",
        edges && !edges_open ? eps_json(s->eps_edges_nano) : json_null(), "eps_labels",
        labels ? eps_json(s->eps_labels_nano) : json_null(), "realised_eps_features",
        realised_json(s->realised_eps_features), "realised_eps_edges",
        edges ? realised_json(s->realised_eps_edges) : json_null(), "realised_eps_labels",
        realised_json(s->realised_eps_labels), "mode", a->mode, "private", s->is_private,
        "statement", s->statement, "bundle", cli_json_text(a->dry_run ? NULL : a->output),
        "dry_run", a->dry_run, "seconds", cli_clock() - task->began, "peak_rss_bytes",
        (json_int_t)cli_peak_memory(), "edges_out", (json_int_t)s->edges_out, "features_per_second",
        s->features_per_second, "chain_steps", (json_int_t)s->chain_steps, "chain_steps_per_second",
        s->chain_steps_per_second, "stored", s->stored, "ledger_entry",
        s->ledger_entry ? json_integer((json_int_t)s->ledger_entry) : json_null(), "charge_before",
        s->charge_before ? json_integer((json_int_t)s->charge_before) : json_null());
    if (!task->result) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    json_object_set_new(task->result, "protects", protects_json(s));
    json_object_set_new(task->result, "phases", phases_json(s, loading));
    json_object_set_new(task->result, "features",
                        choice_json(options->features.mechanism, options->features_because));
    json_object_set_new(task->result, "edges",
                        choice_json(options->edges.mechanism, options->edges_because));
    if (a->dry_run) add_forecast(task->result, s, options);
    return HRR_OK;
}
