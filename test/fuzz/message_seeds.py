"""Writes every golden message of the unit tests into a directory, after the bytes that choose its kind."""
import os
import re
import sys

here = os.path.dirname(os.path.abspath(__file__))
source = open(os.path.join(here, "..", "..", "src", "wire", "api_list.c")).read()
apis = {name: (index, int(first))
        for index, (name, first) in enumerate(re.findall(r"^\tAPI\(\d+, (\w+), (\d+), ", source, re.M))}
for line in open(os.path.join(here, "..", "unit", "golden", "messages.txt")):
    message, version, _, data = line.split()
    name, direction = re.fullmatch(r"(\w+)(Request|Response)", message).groups()
    index, first = apis[name]
    with open(os.path.join(sys.argv[1], message + version), "wb") as seed:
        seed.write(bytes([index, direction == "Response", int(version) - first]))
        seed.write(b"" if data == "-" else bytes.fromhex(data))
