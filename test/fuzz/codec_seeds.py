"""The packed records of the golden batches, as first inputs for codec_fuzz."""
import os
import sys

HEADER = 61  # of a record batch
ATTRIBUTES = 22  # their low byte

out = sys.argv[1]
golden = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "unit", "golden")
for file in ("java_batches.txt", "rdkafka_batches.txt"):
    with open(os.path.join(golden, file)) as lines:
        for line in lines:
            name, digits = line.split()
            batch = bytes.fromhex(digits)
            for portion in (0, 255):
                with open(os.path.join(out, "%s-%s-%d" % (file[:4], name, portion)), "wb") as seed:
                    seed.write(bytes([batch[ATTRIBUTES] & 7, portion]) + batch[HEADER:])
