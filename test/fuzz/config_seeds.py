"""Values of the golden file of topic settings, as first inputs for config_fuzz."""
import os
import sys

golden = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "unit", "golden", "topic_configs.txt")
names = []
with open(golden) as lines:
    for number, line in enumerate(lines):
        name, value, _ = line.rstrip("\n").split("\t")
        if name not in names:
            names.append(name)
        if number % 3 == 0:
            with open(os.path.join(sys.argv[1], str(number)), "wb") as seed:
                seed.write(bytes([0, len(names) - 1]) + value.encode())
