"""The option parser: strict, and kind about slips of the finger."""
import unittest

from command import CommandTest, heterorr


class Options(CommandTest):
    def test_no_words_is_a_usage_error_with_the_overview(self):
        done = heterorr()
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        self.assertIn("Usage: heterorr VERB", done.stderr)

    def test_version(self):
        self.assertRegex(self.succeeds("--version").stdout, r"^heterorr \d+\.\d+\.\d+\n$")
        self.assertEqual(list(self.json("--version")), ["version"])

    def test_unknown_verb_suggests_the_nearest(self):
        self.fails(2, "genrate", says="did you mean generate?")
        self.fails(2, "inpsect", "x", says="did you mean inspect?")
        self.fails(2, "xyzzy", says="heterorr help lists them all")

    def test_options_before_the_verb_are_explained(self):
        self.fails(2, "--format", "csv", "inspect", says="comes before the verb")

    def test_unknown_option_suggests_the_nearest(self):
        self.fails(2, "generate", "--node", "5", "-o", "x", says="did you mean --nodes?")
        self.fails(2, "inspect", "x", "--private-colum=a", says="did you mean --private-column?")
        self.fails(2, "generate", "--avg", "5", says="did you mean --avg-degree?")
        done = self.fails(2, "inspect", "x", "--quux", says="there is no option --quux")
        self.assertNotIn("did you mean", done.stderr)
        self.fails(2, "inspect", "x", "-z", says="there is no option -z")

    def test_subcommands_have_options_of_their_own(self):
        self.fails(2, "attack", "linktelle", "x", "y", says="did you mean linkteller?")
        self.fails(2, "attack", "xyzzy", says="it has linkteller, links, attributes, membership, reconstruct, chain, release")
        self.fails(2, "attack", "linkteller", "x", "y", "--trials", "5", says="it is an option of attack release ")
        self.fails(2, "attack", "attributes", "x", "--runs=5",
                   says="it is an option of attack linkteller, attack links, attack chain, attack release ")
        self.fails(2, "attack", "links", "x", "y", "--retuns", "5", says="did you mean --returns?")
        self.fails(2, "attack", "--trials", "5", says="attack has no --trials; it is an option of attack release ")
        self.fails(2, "attack", "--quux", says="there is no option --quux")

    def test_repeated_option(self):
        self.fails(2, "generate", "--nodes", "5", "--nodes=6", "-o", "x",
                   says="--nodes is given twice")

    def test_missing_values_and_words(self):
        self.fails(2, "generate", says="--output DIR is missing")
        self.fails(2, "inspect", says="GRAPH is missing")
        self.fails(2, "generate", "-o", says="--output needs a value")
        self.fails(2, "generate", "-o", "--force", says="--output needs a value")
        self.fails(2, "generate", "-o", "", says="--output: the value is empty")
        self.fails(2, "inspect", "a", "b", says="'b' is one argument too many")
        self.fails(2, "generate", "--force=yes", "-o", "x", says="--force takes no value")

    def test_whole_numbers_are_read_strictly(self):
        for text in ["", "x", "12x", "-1", "0", "1.5", "1e", "1e-3", " 5", "5 ", "0x10", "1e99",
                     "2147483648", "18446744073709551616", ".5", "5.", "1,000", "+5"]:
            self.fails(2, "generate", f"--nodes={text}", "-o", "x", says="--nodes: ")

    def test_reals_are_read_strictly(self):
        for text in ["", "x", "0.5x", "nan", "inf", "0x1p-1", "-0.1", "1.1", " 0.5", "1e", "--"]:
            self.fails(2, "generate", f"--homophily={text}", "-o", "x", says="--homophily: ")

    def test_choices_name_what_there_is(self):
        self.fails(2, "inspect", "x", "--format", "edge", says="did you mean edges?")
        self.fails(2, "generate", "-o", "x", "--feature-type", "float",
                   says="choose one of f32, u8")
        self.fails(2, "completion", "tcsh", says="SHELL: there is no 'tcsh'")

    def test_contradictions_are_refused(self):
        self.fails(2, "inspect", "x", "--private-fraction", "0.1", "--private-edges", "y",
                   says="leave one of them out")

    def test_every_way_of_writing_an_option(self):
        sizes = []
        for number, words in enumerate([["--nodes", "200", "-o", "{}"],
                                        ["--nodes=2e2", "--output={}"],
                                        ["--nodes", "0.2e3", "-o{}"],
                                        ["--output", "{}", "--nodes", "200"]]):
            place = str(self.scratch / str(number))
            answer = self.json("generate", *(w.format(place) for w in words))
            sizes.append(answer["nodes"])
        self.assertEqual(sizes, [200] * 4)

    def test_two_dashes_end_the_options(self):
        self.json("generate", "--nodes", "50", "-o", self.scratch / "--graph")
        done = self.succeeds("inspect", "--json", "--", "--graph", cwd=self.scratch)
        self.assertIn('"nodes": 50', done.stdout)


if __name__ == "__main__":
    unittest.main()
