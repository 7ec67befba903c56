"""certificate.json is read and written in one room: no string elsewhere in src/ names it, and no other
room takes fields out of its JSON."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
NAME = re.compile(r'"[^"\n]*certificate\.json[^"\n]*"')
FIELDS = re.compile(r'#include "certificate/fields\.h"|\bhrr_terms_record\(|\bterms->certificate\b')


def sources():
    for path in sorted(ROOT.glob("src/*/*.[ch]")):
        if path.parent.name != "certificate":
            yield path.relative_to(ROOT), COMMENT.sub("", path.read_text())


class OneCertificate(unittest.TestCase):
    def test_no_other_room_names_the_file(self):
        self.assertEqual([str(path) for path, text in sources() if NAME.search(text)], [])

    def test_no_other_room_reads_its_fields(self):
        self.assertEqual([str(path) for path, text in sources() if FIELDS.search(text)], [])

    def test_a_name_in_a_string_is_seen_and_one_in_a_comment_is_not(self):
        self.assertTrue(NAME.search('open("x/certificate.json")'))
        self.assertFalse(NAME.search(COMMENT.sub("", '/* "certificate.json" */')))


if __name__ == "__main__":
    unittest.main()
