/* progress.c: see progress.h.
 *
 * A signal only raises the cancel flag; the library's loops see it, clean up after themselves and
 * return HRR_ECANCEL. A second Ctrl-C does the same again: dying at once would leave half-written
 * files. Calls are not restarted after a signal, so that waiting on a pipe ends too. */
#include "cli/progress.h"
#include "cli/message.h"

#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double quiet_seconds = 2;
static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { n_signals = sizeof signals / sizeof signals[0], bar_cells = 24 };

static _Atomic(hrr_progress *) cancellable;
static double began;
static bool on_screen;

static void cancel(int signal_number)
{
    (void)signal_number;
    hrr_progress_cancel(atomic_load(&cancellable));
}

static size_t terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

static void duration(char *out, size_t size, double seconds)
{
    if (seconds < 90)
        snprintf(out, size, "%.0f s", ceil(seconds));
    else if (seconds < 90 * 60)
        snprintf(out, size, "%.0f min", ceil(seconds / 60));
    else
        snprintf(out, size, "%.1f h", seconds / 3600);
}

static void show(void *user, const hrr_progress_view *view)
{
    (void)user;
    if (cli_is_quiet() || cli_clock() - began < quiet_seconds) return;
    char line[512], left[32], bar[4 * bar_cells + 1] = "";
    size_t width = terminal_width(), used;
    if (view->total > 0) {
        double share = fmin(1, (double)view->done / (double)view->total);
        int full = (int)(share * bar_cells);
        bool utf8 = cli_shows_utf8();
        for (int i = 0; i < bar_cells; i++)
            strcat(bar, i < full ? (utf8 ? "█" : "#") : (utf8 ? "░" : "."));
        duration(left, sizeof left, view->seconds_left);
        used = (size_t)snprintf(line, sizeof line, "%3.0f %%  %s%s", 100 * share,
                                view->seconds_left < 0 ? "" : left,
                                view->seconds_left < 0 ? "" : " left");
    } else {
        duration(left, sizeof left, view->seconds);
        used = (size_t)snprintf(line, sizeof line, "%s so far", left);
    }
    /* A line that wraps cannot be erased: what does not fit is left out, the bar first. */
    size_t phase = strlen(view->phase) + 2;
    bool bar_fits = bar[0] && phase + bar_cells + 2 + used < width;
    if (phase + used >= width) return;
    fprintf(stderr, "\r%s  %s%s%s\033[K", view->phase, bar_fits ? bar : "", bar_fits ? "  " : "",
            line);
    on_screen = true;
}

hrr_status cli_progress_start(hrr_progress **out, hrr_error *err)
{
    const char *terminal = getenv("TERM");
    bool shown = isatty(STDERR_FILENO) && !(terminal && strcmp(terminal, "dumb") == 0);
    began = cli_clock();
    hrr_status status = hrr_progress_new(out, shown ? show : NULL, NULL, err);
    if (status) return status;
    atomic_store(&cancellable, *out);
    struct sigaction action = {.sa_handler = cancel};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < n_signals; i++) {
        struct sigaction before;
        /* Under nohup a hang-up stays ignored. */
        sigaction(signals[i], NULL, &before);
        if (before.sa_handler != SIG_IGN) sigaction(signals[i], &action, NULL);
    }
    return HRR_OK;
}

void cli_progress_erase(void)
{
    if (on_screen) fprintf(stderr, "\r\033[K");
    on_screen = false;
}

void cli_progress_stop(hrr_progress *progress)
{
    cli_progress_erase();
    /* Who was interrupted is on his way out: a second Ctrl-C must not change his exit code. */
    const bool leaving = hrr_progress_cancelled(progress);
    for (int i = 0; i < n_signals; i++) {
        struct sigaction now;
        sigaction(signals[i], NULL, &now);
        if (now.sa_handler == cancel) signal(signals[i], leaving ? SIG_IGN : SIG_DFL);
    }
    atomic_store(&cancellable, NULL);
    hrr_progress_free(progress);
}
