/* page_parts.h: the parts of CERTIFICATE.txt, each under its heading. */
#ifndef HRR_CERTIFICATE_PAGE_PARTS_H
#define HRR_CERTIFICATE_PAGE_PARTS_H

#include "certificate/terms.h"
#include "certificate/text_page.h"

/* plain_words.c */
void hrr_page_plain_words(hrr_text_page *page, const hrr_terms *terms);

/* grounds.c */
void hrr_page_trust(hrr_text_page *page, const hrr_terms *terms);
void hrr_page_correctness(hrr_text_page *page, const hrr_terms *terms);
void hrr_page_utility(hrr_text_page *page, const hrr_terms *terms);
void hrr_page_bias(hrr_text_page *page, const hrr_terms *terms);
void hrr_page_side_channels(hrr_text_page *page, const hrr_terms *terms);
void hrr_page_other_releases(hrr_text_page *page, const hrr_terms *terms);

#endif
