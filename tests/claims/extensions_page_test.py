#!/usr/bin/env python3
"""Shows what extensions_page.py makes of a table and lists of claims, and which contradictions it finds."""
import unittest

from extensions_page import HEAD, page_of

TABLE = """// QUERN_EXTENSION(name, major, minor, patch, since, Provider)
QUERN_EXTENSION(cl_a, 1, 0, 2, "0.1.0", Runtime)
QUERN_EXTENSION(cl_b, 0, 9, 0, "0.2.0", Device)
QUERN_EXTENSION(cl_c, 2, 0, 0, "0.1.0", Loader)
"""


class Page(unittest.TestCase):
    def test_says_what_each_kind_of_device_claims(self):
        page = page_of(TABLE, ["# Note\ncl_a = 1.0.2\nCL_DEVICE_TYPE >= 3\n", "may cl_a = 1.0.2\ncl_b = 0.9.0\n__opencl_c_x = 3.0.0\n"])
        self.assertEqual(
            page,
            HEAD + "| `cl_a` | 1.0.2 | yes | some | 0.1.0 |\n| `cl_b` | 0.9.0 | no | yes | 0.2.0 |\n"
            "| `cl_c` | 2.0.0 | platform | platform | 0.1.0 |\n",
        )

    def test_finds_contradictions(self):
        for table, claims, sentence in (
            (TABLE, "cl_a = 1.0.1\ncl_b = 0.9.0\n", "cl_a has version 1.0.2, and 1.0.1 in a list of claims"),
            (TABLE, "cl_a = 1.0.2\n", "cl_b is claimed by no device"),
            (TABLE, "cl_a = 1.0.2\ncl_b = 0.9.0\ncl_d = 1.0.0\n", "cl_d is claimed by a device, but not named in the table"),
            ("\n".join(reversed(TABLE.splitlines())), "cl_a = 1.0.2\ncl_b = 0.9.0\n", "the table is not in the order of names"),
        ):
            with self.assertRaisesRegex(ValueError, sentence):
                page_of(table, [claims, ""])


if __name__ == "__main__":
    unittest.main()
