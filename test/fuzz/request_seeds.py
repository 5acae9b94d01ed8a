"""Writes a request of every API and version into a directory, from the unit tests' golden messages."""
import os
import re
import struct
import sys

here = os.path.dirname(os.path.abspath(__file__))
source = open(os.path.join(here, "..", "..", "src", "wire", "api_list.c")).read()
apis = {name: (int(key), 99 if flexible == "WIRE_LATEST" else int(flexible))
        for key, name, flexible in re.findall(r"^\tAPI\((\d+), (\w+), \d+, \d+, (\w+)\)", source, re.M)}
for line in open(os.path.join(here, "..", "unit", "golden", "messages.txt")):
    message, version, _, data = line.split()
    if message.endswith("Request"):
        key, flexible = apis[message[:-len("Request")]]
        header = struct.pack(">hhih4s", key, int(version), 1, 4, b"seed")
        if int(version) >= flexible:
            header += b"\0"
        with open(os.path.join(sys.argv[1], message + version), "wb") as seed:
            seed.write(header + (b"" if data == "-" else bytes.fromhex(data)))
