"""The golden batches of Java and librdkafka as first inputs for batch_fuzz."""
import os
import sys

out = sys.argv[1]
golden = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "unit", "golden")
for file in ("java_batches.txt", "rdkafka_batches.txt"):
    with open(os.path.join(golden, file)) as lines:
        for line in lines:
            name, digits = line.split()
            with open(os.path.join(out, file[:4] + "-" + name), "wb") as seed:
                seed.write(b"\0" + bytes.fromhex(digits))
