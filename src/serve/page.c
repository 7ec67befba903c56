/* page.c: see pages.h. */
#include "serve/pages.h"

const char hrr_serve_page[] = "";
