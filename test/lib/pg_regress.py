"""pg_regress.py regress|isolation|pgtap [NAME]: runs PostgreSQL's own test programs on a private cluster.

The database exists and has the extension when they start, since the broker's workers are connected to it all the time.
"""
import glob
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from cluster import BINDIR, Cluster, server_user, temp_dir

TOP = os.environ["PG_BROKER_TOP"]


def names(pattern):
    found = sorted(os.path.splitext(os.path.basename(f))[0] for f in glob.glob(os.path.join(TOP, pattern)))
    return [n for n in found if not n.startswith("pg_broker--")]


def as_server_user():
    uid, gid, _ = server_user()
    return dict(user=uid, group=gid, extra_groups=[]) if os.getuid() == 0 else {}


def visible(path, where):
    """A copy of a source directory that the server's user can read, wherever the clone is."""
    import shutil
    target = os.path.join(where, os.path.basename(path))
    shutil.copytree(path, target, ignore=shutil.ignore_patterns("pg_broker--*"))
    return target


def compared(kind, wanted):
    """regress and isolation: compare with expected output"""
    base = TOP if kind == "regress" else os.path.join(TOP, "test/isolation")
    source, program = (("sql", "pg_regress") if kind == "regress" else ("specs", "pg_isolation_regress"))
    tests = wanted or names(os.path.join(base, source, "*.sql" if kind == "regress" else "*.spec"))
    if not tests:
        print("# no tests")
        return 1
    out = temp_dir(kind)
    for sub in (source, "expected"):
        visible(os.path.join(base, sub), out)
    pgxs = os.path.join(os.path.dirname(BINDIR), "lib/pgxs/src/test")
    path = os.path.join(pgxs, "regress" if kind == "regress" else "isolation", program)
    with Cluster(kind, {"max_prepared_transactions": "10"}, database="contrib_regression") as c:
        rc = subprocess.run(
            [path, "--inputdir=" + out, "--outputdir=" + out, "--bindir=" + BINDIR, "--use-existing",
             "--dbname=contrib_regression", "--host=" + c.dir, "--port=5432", "--user=postgres", *tests],
            cwd=out, **as_server_user()).returncode
        diffs = os.path.join(out, "regression.diffs")
        if os.path.exists(diffs):
            with open(diffs, errors="replace") as f:
                print(f.read()[:20000])
        # What the tests really printed, for who updates the expected files.
        results = os.path.join(TOP, "build", "results", kind)
        os.makedirs(results, exist_ok=True)
        for f in glob.glob(os.path.join(out, "results", "*.out")):
            with open(f, "rb") as a, open(os.path.join(results, os.path.basename(f)), "wb") as b:
                b.write(a.read())
        if rc:
            print(c.report())
    return rc


def pgtap(wanted):
    tests = wanted or names("test/pgtap/*.sql")
    failed = 0
    with Cluster("pgtap") as c:
        c.sql("CREATE EXTENSION pgtap")
        for name in tests:
            with open(os.path.join(TOP, "test/pgtap", name + ".sql")) as f:
                text = f.read()
            p = subprocess.run([os.path.join(BINDIR, "psql"), "-h", c.dir, "-p", "5432", "-U", "postgres", "-d", c.database, "-XAtq",
                                "-v", "ON_ERROR_STOP=1"], input=text, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
            print("# " + name)
            print(p.stdout)
            lines = p.stdout.splitlines()
            planned = [int(l[3:]) for l in lines if l.startswith("1..")]
            ran = sum(l.startswith(("ok ", "not ok ")) for l in lines)
            if p.returncode or not planned or planned[0] != ran:
                print("not ok 0 - %s: ran %d of %s planned, exit code %d" % (name, ran, planned, p.returncode))
                failed = 1
            failed |= any(l.startswith("not ok") for l in lines)
    return failed


kind, wanted = sys.argv[1], sys.argv[2:]
sys.exit(pgtap(wanted) if kind == "pgtap" else compared(kind, wanted))
