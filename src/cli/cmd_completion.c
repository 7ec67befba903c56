/* cmd_completion.c: heterorr completion: scripts that let a shell complete verbs, subcommands,
 * options and values. They are printed from the tables that the parser obeys. */
#include "cli/verb.h"

#include <stdio.h>
#include <string.h>

typedef struct completion_args {
    cli_common common;
    const char *shell;
} completion_args;

static const char *const *shells(void)
{
    static const char *const names[] = {"bash", "zsh", "fish", NULL};
    return names;
}

static const cli_option operands[] = {
    {.argument = "SHELL",
     .kind = CLI_CHOICE,
     .choices = shells,
     .required = true,
     .at = offsetof(completion_args, shell),
     .help = "bash, zsh or fish"},
    {0},
};

static const cli_option_set sets[] = {
    {"Options", cli_common_options, offsetof(completion_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"source <(heterorr completion bash)",
     "For the current bash; add the line to ~/.bashrc to keep it."},
    {"source <(heterorr completion zsh)", "For the current zsh, after compinit."},
    {"heterorr completion fish > ~/.config/fish/completions/heterorr.fish", "For fish."},
    {0},
};

static bool is_path(cli_kind kind)
{
    return kind == CLI_PATH || kind == CLI_DIRECTORY;
}

/* for (every option of the verb) */
#define EACH_OPTION(verb, o)                                                                       \
    for (const cli_option_set *set_ = (verb)->sets; set_->options; set_++)                         \
        for (const cli_option *o = set_->options; o->name; o++)

#define EACH_VERB(verb) EACH_OF(cli_verbs, verb)
#define EACH_OF(verbs, verb) for (const cli_verb *const *verb = (verbs); verb && *verb; verb++)

static void print_choices(const cli_option *o, const char *between)
{
    const char *before = "";
    for (const char *const *choice = o->choices(); *choice; choice++, before = between)
        printf("%s%s", before, *choice);
}

/* Text inside single quotes; `quote` is how the shell writes a single quote there. */
static void print_quoted(const char *text, const char *quote)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs(quote, stdout);
        else
            putchar(*text);
}

/* ---- bash ----------------------------------------------------------------------------------- */

/* mapfile, because names of files may hold spaces. */
static void bash_value(const cli_option *o)
{
    if (o->kind == CLI_LIST) { /* the last word of it; a comma may follow */
        printf("compopt -o nospace 2>/dev/null; mapfile -t COMPREPLY < <(compgen -P "
               "\"${word%%\"${word##*,}\"}\" -W '");
        print_choices(o, " ");
        printf("' -- \"${word##*,}\")");
    } else if (o->choices) {
        printf("mapfile -t COMPREPLY < <(compgen -W '");
        print_choices(o, " ");
        printf("' -- \"$word\")");
    } else if (is_path(o->kind)) {
        printf(
            "compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -%c -- \"$word\")",
            o->kind == CLI_DIRECTORY ? 'd' : 'f');
    } else {
        printf("COMPREPLY=()");
    }
}

static void bash_parts(const cli_verb *verb, const char *more)
{
    printf("mapfile -t COMPREPLY < <(compgen -W '");
    EACH_OF(verb->parts, part) printf("%s ", cli_verb_word(*part));
    printf("%s' -- \"$word\")", more);
}

static void bash_verb(const cli_verb *verb)
{
    printf("    %s)\n", cli_verb_word(verb));
    if (verb->parts) {
        printf("        if ((COMP_CWORD == 2)); then\n            ");
        bash_parts(verb, "--help");
        printf("\n            return\n        fi\n        case ${COMP_WORDS[2]} in\n");
        EACH_OF(verb->parts, part) bash_verb(*part);
        printf("        esac ;;\n");
        return;
    }
    printf("        case $before in\n");
    EACH_OPTION(verb, o)
    {
        if (o->kind == CLI_FLAG) continue;
        printf("        --%s", o->name);
        if (o->letter) printf("|-%c", o->letter);
        printf(") ");
        bash_value(o);
        printf("; return ;;\n");
    }
    printf("        esac\n        if [[ $word == -* ]]; then\n            mapfile -t COMPREPLY < "
           "<(compgen -W '");
    const char *before = "";
    EACH_OPTION(verb, o)
    {
        printf("%s--%s", before, o->name);
        before = " ";
    }
    printf("' -- \"$word\")\n        else\n            ");
    if (verb->operands)
        bash_value(verb->operands);
    else
        printf("COMPREPLY=()");
    printf("\n        fi ;;\n");
}

static void print_bash(void)
{
    printf("# bash completion for heterorr; made by: heterorr completion bash\n"
           "_heterorr() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    if ((COMP_CWORD == 1)); then\n"
           "        mapfile -t COMPREPLY < <(compgen -W '");
    EACH_VERB(verb) printf("%s ", (*verb)->name);
    printf("--help --version' -- \"$word\")\n"
           "        return\n"
           "    fi\n"
           "    # bash makes three words of --name=value\n"
           "    if [[ $word == '=' ]]; then\n"
           "        word=\n"
           "    elif [[ $before == '=' ]]; then\n"
           "        before=${COMP_WORDS[COMP_CWORD-2]}\n"
           "    fi\n"
           "    if [[ ${COMP_WORDS[1]} == help ]] && ((COMP_CWORD == 3)); then\n"
           "        case ${COMP_WORDS[2]} in\n");
    EACH_VERB(verb)
    {
        if (!(*verb)->parts) continue;
        printf("        %s) ", (*verb)->name);
        bash_parts(*verb, "");
        printf(" ;;\n");
    }
    printf("        esac\n"
           "        return\n"
           "    fi\n"
           "    case ${COMP_WORDS[1]} in\n");
    EACH_VERB(verb) bash_verb(*verb);
    printf("    esac\n"
           "}\n"
           "complete -F _heterorr heterorr\n");
}

/* ---- zsh ------------------------------------------------------------------------------------ */

/* In an _arguments specification brackets and colons have a meaning. */
static void print_zsh_help(const char *text)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text)) putchar('\\');
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    }
}

static void zsh_action(const cli_option *o)
{
    printf(":%s:", o->argument);
    if (o->kind == CLI_LIST) {
        printf("_values -s , %s ", o->argument);
        print_choices(o, " ");
    } else if (o->choices) {
        printf("(");
        print_choices(o, " ");
        printf(")");
    } else if (is_path(o->kind)) {
        printf(o->kind == CLI_DIRECTORY ? "_files -/" : "_files");
    }
}

static void zsh_verb(const cli_verb *verb);

/* What to do about the next word: offer the verbs, or go on with the one that stands there. */
static void zsh_verbs(const char *what, const cli_verb *const *verbs)
{
    printf("    %ss=(\n", what);
    EACH_OF(verbs, verb)
    {
        printf("        '%s:", cli_verb_word(*verb));
        print_quoted((*verb)->summary, "'\\''");
        printf("'\n");
    }
    printf("    )\n"
           "    if ((CURRENT == 2)); then\n"
           "        _describe %s %ss\n"
           "        return\n"
           "    fi\n"
           "    %s=$words[2]\n"
           "    shift words\n"
           "    ((CURRENT--))\n"
           "    case $%s in\n",
           what, what, what, what);
    EACH_OF(verbs, verb) zsh_verb(*verb);
    printf("    esac\n");
}

static void zsh_verb(const cli_verb *verb)
{
    printf("    %s)\n", cli_verb_word(verb));
    if (verb->parts) {
        zsh_verbs("subcommand", verb->parts);
        printf("    ;;\n");
        return;
    }
    printf("        _arguments");
    EACH_OPTION(verb, o)
    {
        const char *joint = o->kind == CLI_FLAG ? "" : "=";
        printf(" \\\n            ");
        if (o->letter)
            printf("'(-%c --%s)'{-%c,--%s%s}'[", o->letter, o->name, o->letter, o->name, joint);
        else
            printf("'--%s%s[", o->name, joint);
        print_zsh_help(o->help);
        printf("]");
        if (o->kind != CLI_FLAG) zsh_action(o);
        printf("'");
    }
    for (const cli_option *o = verb->operands; o && o->argument; o++) {
        printf(" \\\n            '%s", o->many ? "*" : "");
        zsh_action(o);
        printf("'");
    }
    printf(" ;;\n");
}

static void print_zsh(void)
{
    printf("#compdef heterorr\n"
           "# zsh completion for heterorr; made by: heterorr completion zsh\n"
           "_heterorr() {\n"
           "    local -a verbs subcommands\n"
           "    local verb subcommand\n");
    zsh_verbs("verb", cli_verbs);
    printf("}\n"
           "if [[ $funcstack[1] == _heterorr ]]; then\n"
           "    _heterorr \"$@\"\n"
           "else\n"
           "    compdef _heterorr heterorr\n"
           "fi\n");
}

/* ---- fish ----------------------------------------------------------------------------------- */

/* The condition that the verb has been typed; "attack linkteller" are two. */
static void fish_when(const cli_verb *verb)
{
    const cli_verb *whole = cli_whole_verb(verb);
    printf("complete -c heterorr -n '__fish_seen_subcommand_from %s",
           whole ? whole->name : verb->name);
    if (whole) printf("; and __fish_seen_subcommand_from %s", cli_verb_word(verb));
    printf("'");
}

static void fish_option(const cli_verb *verb, const cli_option *o)
{
    fish_when(verb);
    if (o->name) printf(" -l %s", o->name);
    if (o->letter) printf(" -s %c", o->letter);
    if (o->kind == CLI_LIST) {
        printf(" -x -a '(__fish_complete_list , \"string split \\\" \\\" \\\"");
        print_choices(o, " ");
        printf("\\\"\")'");
    } else if (o->choices) {
        printf(" -x -a '");
        print_choices(o, " ");
        printf("'");
    } else if (o->kind == CLI_DIRECTORY) {
        printf(" -x -a '(__fish_complete_directories)'");
    } else if (o->kind == CLI_PATH) {
        printf(" -F%s", o->name ? " -r" : "");
    } else if (o->kind != CLI_FLAG) {
        printf(" -x");
    }
    printf(" -d '");
    print_quoted(o->help, "\\'");
    printf("'\n");
}

static void fish_parts(const cli_verb *verb)
{
    EACH_OF(verb->parts, part)
    {
        printf("complete -c heterorr -n '__fish_seen_subcommand_from %s; and not "
               "__fish_seen_subcommand_from",
               verb->name);
        EACH_OF(verb->parts, other) printf(" %s", cli_verb_word(*other));
        printf("' -a %s -d '", cli_verb_word(*part));
        print_quoted((*part)->summary, "\\'");
        printf("'\n");
    }
}

static void fish_verb(const cli_verb *verb)
{
    fish_parts(verb);
    for (const cli_option *o = verb->operands; o && o->argument; o++)
        fish_option(verb, o);
    EACH_OPTION(verb, o) fish_option(verb, o);
    EACH_OF(verb->parts, part) fish_verb(*part);
}

static void print_fish(void)
{
    printf("# fish completion for heterorr; made by: heterorr completion fish\n"
           "complete -c heterorr -f\n");
    EACH_VERB(verb)
    {
        printf("complete -c heterorr -n __fish_use_subcommand -a %s -d '", (*verb)->name);
        print_quoted((*verb)->summary, "\\'");
        printf("'\n");
    }
    EACH_VERB(verb) fish_verb(*verb);
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const completion_args *a = args;
    if (task->json)
        return hrr_fail(err, HRR_EINVAL, "a completion script is text; leave --json out");
    if (strcmp(a->shell, "bash") == 0) print_bash();
    if (strcmp(a->shell, "zsh") == 0) print_zsh();
    if (strcmp(a->shell, "fish") == 0) print_fish();
    return HRR_OK;
}

const cli_verb cli_verb_completion = {
    .name = "completion",
    .summary = "print a script that completes heterorr in a shell",
    .description =
        "Prints a script that makes the shell complete verbs, options, values and files.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(completion_args),
    .run = run,
};
