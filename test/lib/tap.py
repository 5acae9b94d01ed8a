"""tap.py: cases in a file, one line of TAP each.

    from tap import case, eq, ok, run

    @case
    def records_come_back(broker):
        "what kcat produced, SQL reads"
        ...
        eq(got, want)

    run(setup)          # setup() makes what the cases get, a context manager

A case fails by any exception; the rest still run.  A case that hangs is ended after its time limit.
"""
import os
import signal
import sys
import time
import traceback

_cases = []
CASE_SECONDS = 180


def case(function=None, *, seconds=CASE_SECONDS, sql=False):
    """Register a case; its docstring is its name.  With `sql` it needs more than a Kafka broker has."""
    def register(f):
        if not (sql and os.environ.get("PG_BROKER_AGAINST") == "kafka"):
            _cases.append((f, seconds))
        return f
    return register(function) if function else register


class Failed(AssertionError):
    pass


def ok(condition, what="condition"):
    if not condition:
        raise Failed("not true: %s" % what)


def eq(got, want, what=""):
    if got != want:
        raise Failed("%s\n got: %s\nwant: %s" % (what or "different", _short(got), _short(want)))


def raises(kind, function, *args, **kwargs):
    """The exception that the call must raise."""
    try:
        function(*args, **kwargs)
    except kind as e:
        return e
    raise Failed("no %s was raised" % (kind,))


def wait_for(what, condition, seconds=60, interval=0.02):
    """Poll until condition() is true; returns what it returned."""
    deadline = time.monotonic() + seconds
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() > deadline:
            raise Failed("waited %s s in vain for: %s" % (seconds, what))
        time.sleep(interval)


def diag(text):
    for line in str(text).splitlines():
        print("# " + line, flush=True)


def _short(value):
    text = repr(value)
    return text if len(text) < 2000 else text[:1900] + "... (%d characters)" % len(text)


def _alarm(signum, frame):
    raise Failed("took too long")


def run(setup):
    """Run the cases (all, or those named on the command line) and exit."""
    wanted = sys.argv[1:]
    cases = [c for c in _cases if not wanted or c[0].__name__ in wanted]
    failed = 0
    print("1..%d" % (len(cases) + 1), flush=True)
    signal.signal(signal.SIGALRM, _alarm)
    number = 0
    try:
        with setup() as fixture:
            for number, (function, seconds) in enumerate(cases, 1):
                name = function.__doc__.strip() if function.__doc__ else function.__name__.replace("_", " ")
                started = time.monotonic()
                signal.alarm(seconds)
                try:
                    function(fixture)
                    signal.alarm(0)
                    result = "ok"
                except Exception:
                    signal.alarm(0)
                    result = "not ok"
                    failed += 1
                    diag(traceback.format_exc())
                    report = getattr(fixture, "report", None)
                    if report:
                        diag(report())
                print("%s %d - %s # %.1f s" % (result, number, name.replace("#", ""),
                                               time.monotonic() - started), flush=True)
        # The end is a case of its own: stopping cleanly and an unsuspicious log.
        number += 1
        print("ok %d - ended without a complaint" % number, flush=True)
    except Exception:
        failed += 1
        diag(traceback.format_exc())
        print("not ok %d - set-up and end" % (number + 1), flush=True)
    sys.stdout.flush()
    os._exit(1 if failed else 0)
