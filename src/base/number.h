/* number.h: numbers as people write them. */
#ifndef HRR_BASE_NUMBER_H
#define HRR_BASE_NUMBER_H

enum { HRR_REAL_TEXT_SIZE = 32 };

/* The shortest text that is read as the same number: 1e-06, and not 9.9999999999999995e-07. */
void hrr_real_text(char text[HRR_REAL_TEXT_SIZE], double real);

#endif
