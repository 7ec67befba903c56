"""verify: a bundle as protect wrote it passes; a touched one is exit code 5 with the reason."""
import json
import unittest

from command import CommandTest, heterorr


class Verify(CommandTest):
    def setUp(self):
        super().setUp()
        self.bundle = self.scratch / "bundle"
        graph = self.scratch / "graph"
        self.succeeds("generate", "--nodes", "50", "--features", "4", "--seed", "1", "-o", graph)
        self.succeeds("protect", graph, "-o", self.bundle, "--eps-features", "2", "--eps-labels", "1")

    def test_a_whole_bundle(self):
        self.assertIn("matches its certificate", self.succeeds("verify", self.bundle).stdout)
        promise = json.loads((self.bundle / "certificate.json").read_text())["statement"]
        self.assertIn(promise, self.succeeds("verify", self.bundle).stdout)
        self.assertEqual(self.json("verify", self.bundle), {"whole": True, "badge": "PRIVATE", "bundle": str(self.bundle),
                                                            "private": True, "statement": promise,
                                                            "signed": False, "signer": None})

    def test_a_whole_bundle_that_is_not_private(self):
        bundle = self.scratch / "seeded"
        self.succeeds("protect", self.scratch / "graph", "-o", bundle, "--eps-features", "2", "--insecure-seed", "1")
        self.assertTrue(self.succeeds("verify", bundle).stdout.startswith("NOT PRIVATE: "))
        self.assertIs(self.json("verify", bundle)["private"], False)

    def test_a_changed_file(self):
        path = self.bundle / "features.npy"
        data = bytearray(path.read_bytes())
        data[-1] ^= 1
        path.write_bytes(data)
        self.fails(5, "verify", self.bundle, says="features.npy is not the certified file")

    def test_a_changed_promise(self):
        path = self.bundle / "certificate.json"
        certificate = json.loads(path.read_text())
        certificate["statement"] = certificate["statement"].replace("eps_f = 2", "eps_f = 1")
        certificate["features"]["requested_eps"] = "1"
        path.write_text(json.dumps(certificate, indent=2) + "\n")
        self.fails(5, "verify", self.bundle, says="and more")
        everything = heterorr("verify", self.bundle).stdout
        self.assertIn("the realised epsilon is larger than the requested one", everything)
        self.assertIn("CERTIFICATE.txt does not match certificate.json: line 1 ", everything)

    def test_no_bundle(self):
        self.fails(3, "verify", self.scratch / "missing", says="missing")
        self.fails(5, "verify", self.scratch, says="certificate.json cannot be read")
        self.fails(2, "verify", says="BUNDLE")


if __name__ == "__main__":
    unittest.main()
