/* verb.h: what the command's tables are made of.
 *
 * A verb is a row: its name, its options, its examples, its function. The same row is what the
 * parser obeys, what --help prints and what shell completion offers, so that the three cannot
 * disagree. An option says where in the verb's argument struct its value goes (`at`), and the
 * struct's initial content is the default that the help shows. A verb that does several jobs has
 * subcommands instead of a function: each is such a row of its own. */
#ifndef CLI_VERB_H
#define CLI_VERB_H

#include <heterorr/base.h>
#include <jansson.h>
#include <stdio.h>

typedef enum cli_kind {
    CLI_FLAG = 0,  /* bool, no value */
    CLI_TEXT,      /* const char * */
    CLI_PATH,      /* const char *, completed as a file or directory */
    CLI_DIRECTORY, /* const char *, completed as a directory */
    CLI_CHOICE,    /* const char *, one of choices() */
    CLI_LIST, /* const char *, several words with commas between them: choices() are offered, but
                 the verb says what is allowed */
    CLI_U64,  /* uint64_t; "1e6" is a number too */
    CLI_U32,  /* uint32_t */
    CLI_INT,  /* int, not negative */
    CLI_REAL  /* double */
} cli_kind;

/* One option, or, with no name, one operand. A table of them ends with {0}. */
typedef struct cli_option {
    const char *name; /* without the dashes */
    char letter;      /* 0: no short form */
    cli_kind kind;
    const char *argument; /* what the help calls the value */
    const char *help;
    size_t at;         /* offset of the value in the argument struct */
    const char *field; /* what the library calls what it fills, as in its messages; several with
                          blanks between them; NULL: nothing of the library's */
    bool required;
    uint64_t least, most;                 /* of whole numbers; most 0: whatever the type holds */
    double low, high;                     /* of reals */
    const char *const *(*choices)(void);  /* ends with NULL */
    void (*note)(char *out, size_t size); /* what there is to say about some of the choices, from
                                             the table that they come from; may be NULL */
    bool many; /* the last operand: takes all words left, in a cli_list */
} cli_option;

enum { CLI_MOST_ITEMS = 256 };
typedef struct cli_list {
    const char *items[CLI_MOST_ITEMS];
    size_t n;
} cli_list;

/* Options under one heading of the help, their `at` counted from `base`. A list of sets ends
 * with {0}. */
typedef struct cli_option_set {
    const char *title; /* NULL: they go on under the heading before */
    const cli_option *options;
    size_t base;
} cli_option_set;

typedef struct cli_example {
    const char *command;
    const char *meaning;
} cli_example;

/* What a verb works with besides its arguments. */
typedef struct cli_task {
    hrr_progress *progress;
    FILE *talk;       /* where results for people go: stdout, or stderr where the product itself is
                         written to stdout */
    bool json;        /* print nothing for people */
    double began;     /* cli_clock() when the verb started */
    json_t *result;   /* set by the verb if json; belongs to the task */
    hrr_ranks *ranks; /* of a verb that several processes do together; NULL: this one is alone */
} cli_task;

/* How a subcommand was chosen before there were subcommands: by an option. */
typedef struct cli_old_form {
    const char *option; /* without the dashes */
    const char *means;  /* the subcommand */
    bool kept;          /* the subcommand has the option, too; otherwise it did nothing else */
} cli_old_form;

typedef struct cli_verb {
    const char *name;        /* as it is typed: "train", "attack linkteller" */
    const char *summary;     /* one line */
    const char *description; /* a paragraph */
    const cli_example *examples;
    const cli_option *operands;
    const cli_option_set *sets;
    size_t args_size;
    void (*init)(void *args); /* the defaults, over zero bytes; may be NULL */
    hrr_status (*run)(const void *args, cli_task *task, hrr_error *err);
    /* Subcommands, ending with NULL; then the verb has no operands, no options but the common ones
     * and no run(). */
    const struct cli_verb *const *parts;
    const cli_old_form *old_forms; /* of a verb with subcommands; ends with {0}, may be NULL */
    bool over_ranks;               /* processes that mpirun started do it together: task->ranks */
} cli_verb;

/* Every verb, in the order of the overview; ends with NULL. */
extern const cli_verb *const cli_verbs[];

extern const cli_verb cli_verb_demo;
extern const cli_verb cli_verb_generate;
extern const cli_verb cli_verb_inspect;
extern const cli_verb cli_verb_convert;
extern const cli_verb cli_verb_embed;
extern const cli_verb cli_verb_scores;
extern const cli_verb cli_verb_head;
extern const cli_verb cli_verb_protect;
extern const cli_verb cli_verb_verify;
extern const cli_verb cli_verb_keys;
extern const cli_verb cli_verb_audit;
extern const cli_verb cli_verb_ledger;
extern const cli_verb cli_verb_train;
extern const cli_verb cli_verb_predict;
extern const cli_verb cli_verb_attack;
extern const cli_verb cli_verb_attack_linkteller;
extern const cli_verb cli_verb_attack_links;
extern const cli_verb cli_verb_attack_attributes;
extern const cli_verb cli_verb_attack_membership;
extern const cli_verb cli_verb_attack_reconstruct;
extern const cli_verb cli_verb_attack_chain;
extern const cli_verb cli_verb_attack_release;
extern const cli_verb cli_verb_compare;
extern const cli_verb cli_verb_compare_learning;
extern const cli_verb cli_verb_compare_structure;
extern const cli_verb cli_verb_compare_errors;
extern const cli_verb cli_verb_advise;
extern const cli_verb cli_verb_report;
extern const cli_verb cli_verb_serve;
extern const cli_verb cli_verb_export;
extern const cli_verb cli_verb_completion;
extern const cli_verb cli_verb_help;

const cli_verb *cli_find_verb(const char *name);
/* Their names, for messages and completion; ends with NULL. */
const char *const *cli_verb_names(void);

/* The subcommand of that name; NULL: there is none. */
const cli_verb *cli_find_part(const cli_verb *verb, const char *name);
/* HRR_EINVAL, with what was probably meant. */
hrr_status cli_unknown_part(const cli_verb *verb, const char *typed, hrr_error *err);
/* The names of all subcommands of all verbs; ends with NULL. */
const char *const *cli_part_names(void);
/* The last word of a verb's name: what a subcommand is called after its verb. */
const char *cli_verb_word(const cli_verb *verb);
/* The verb that this is a subcommand of; NULL: none. */
const cli_verb *cli_whole_verb(const cli_verb *part);

/* --json and --help, which every verb has: `at` counts from a cli_common. */
typedef struct cli_common {
    bool json;
    bool help;
} cli_common;
extern const cli_option cli_common_options[];
/* All the options of a verb with subcommands. */
extern const cli_option_set cli_common_sets[];

/* Where a choice stands in its list; the number of choices if it does not. */
int cli_index_of(const char *const *names, const char *name);

/* Run the command line words[0..] (without the program's name; ends with NULL). The same door
 * for main() and for the demo, so that the demo does what it tells users to type. */
hrr_status cli_dispatch(const char *const *words, cli_task *task, hrr_error *err);

#endif
