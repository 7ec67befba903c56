#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>

void hrr_real_text(char text[HRR_REAL_TEXT_SIZE], double real)
{
    int digits = 1;
    do
        snprintf(text, HRR_REAL_TEXT_SIZE, "%.*g", digits, real);
    while (strtod(text, NULL) != real && digits++ < 17);
}
