"""doc_programs.py: programs shown in the documentation are files that the tests run.

	doc_programs.py [--write] FILE.md...

A block of code whose first line is ```language path/of/file shows that file of the project.  Prints those that differ, or with
--write puts the files' text there.
"""
import os
import re
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
BLOCK = re.compile(r"^(```\w+ (\S+)\n)(.*?)^```$", re.M | re.S)


def main():
    write = "--write" in sys.argv
    for name in [a for a in sys.argv[1:] if not a.startswith("--")]:
        with open(name) as f:
            text = f.read()

        def shown(block):
            try:
                with open(os.path.join(TOP, block.group(2))) as f:
                    program = f.read()
            except FileNotFoundError:
                print("%s: there is no %s" % (name, block.group(2)))
                return block.group(0)
            if program != block.group(3) and not write:
                print("%s: %s is another program than it shows" % (name, block.group(2)))
            return block.group(1) + program + "```"

        new = BLOCK.sub(shown, text)
        if write and new != text:
            with open(name, "w") as f:
                f.write(new)


main()
