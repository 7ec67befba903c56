"""The operations among processes that mpirun started, with 1 to 4 of them; and what happens when one of them fails."""
import os
import unittest

import mpi

OPERATIONS = os.environ["HRR_OPERATIONS"]


class Ranks(unittest.TestCase):
    def whole(self, n, *words, **more):
        done = mpi.mpirun(n, OPERATIONS, *words, **more)
        self.assertEqual((done.returncode, done.stdout), (0, f"whole: {n}\n"), done.stderr)

    def test_every_operation_gives_what_one_process_computes(self):
        for n in 1, 2, 3, 4:
            with self.subTest(ranks=n):
                self.whole(n, "all")

    def test_large_arrays_move_in_pieces(self):
        self.whole(2, "large")

    def test_a_failure_of_one_reaches_those_that_wait_and_those_that_work(self):
        self.whole(3, "fail")

    def test_an_interruption_of_one_is_everybodys(self):
        self.whole(3, "cancel")

    def test_without_the_plug_in_a_rank_says_what_to_install(self):
        done = mpi.mpirun(2, OPERATIONS, HETERORR_MPI="/nowhere/heterorr-mpi.so")
        self.assertEqual(done.returncode, 1)
        self.assertIn("libopenmpi-dev", done.stderr)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    mpi.need_mpi()
    unittest.main()
