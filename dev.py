#!/usr/bin/env python3
"""Set up, run, test and check Wild League. Needs Python 3.11 or newer and nothing else.

  python3 dev.py run [--host HOST] [--port PORT] [--data DIR] [--no-demo]
                                 serve on this machine
  python3 dev.py test [...]      the test suite; what follows goes to pytest
  python3 dev.py test --quick    what needs no browser, no server and no patience
  python3 dev.py check           linters, types, import rules, rooms, templates, styles, formats, words,
                                 commit subjects, migrations, locks
  python3 dev.py build           make dist/wild_league-*.whl and dist/constraints.txt, for pip, pipx and uv
  python3 dev.py build --engine  compile the rules of the card game, which then run twice as fast
  python3 dev.py wild-league ... the commands of the installed package: serve, web, worker, backup …
  python3 dev.py manage ...      Django's manage.py
  python3 dev.py messages [...]  bring the catalogues of French and Spanish in step with the code
  python3 dev.py lock [--upgrade]
                                 write locks/ from pyproject.toml

The packages are installed into .venv beside this file, and again whenever the locks change.
"""

# This file must parse on Pythons that are too old for the rest, so that they get a sentence and not a SyntaxError.
import argparse
import contextlib
import errno
import hashlib
import importlib.util
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

OLDEST_PYTHON = (3, 11)
ROOT = Path(__file__).resolve().parent
PROGRESS_EVERY = 5  # seconds
VENV_LOCKS = ("run.lock", "test.lock")  # what .venv is made from
CHECKS_WITH_NOTES = ("words", "commit subjects")  # their output matters even if they pass
LOCK_SOURCES = {
    "run.lock": ["pyproject.toml"],
    "test.lock": ["pyproject.toml", "--group", "test"],
    "build.lock": ["--group", "build"],  # for the image's build
}


class Problem(Exception):
    """Something the person at the keyboard can put right: one sentence, exit code 2."""


def say(sentence):
    """Speak on stderr: stdout belongs to the command that is being run."""
    print(sentence, file=sys.stderr, flush=True)


def venv_folder():
    return ROOT / ".venv"


def venv_python():
    return venv_folder() / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def marker_file():
    """What is installed. It is missing while an install is under way, so an interrupted one is noticed."""
    return venv_folder() / "wild-league.json"


def this_python():
    """What compiled packages depend on: implementation, version and processor."""
    return sysconfig.get_config_var("EXT_SUFFIX") or sys.version


def lock_hash(lock):
    return hashlib.sha256((ROOT / "locks" / lock).read_bytes()).hexdigest()


def installed_locks():
    """Return {lock: hash} of what .venv satisfies, or None when .venv has to be made (again)."""
    try:
        marker = json.loads(marker_file().read_text(encoding="utf-8"))
        probe = "import sysconfig, sys, pip; print(sysconfig.get_config_var('EXT_SUFFIX') or sys.version)"
        answer = subprocess.run([str(venv_python()), "-c", probe], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        alive = answer.returncode == 0 and answer.stdout.decode().strip() == this_python()
        return dict(marker["locks"]) if alive and marker["python"] == this_python() else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_marker(locks):
    marker_file().write_text(json.dumps({"python": this_python(), "locks": locks}, indent=1), encoding="utf-8")


@contextlib.contextmanager
def one_install_at_a_time():
    """Hold a lock on the folder of .venv, so that commands of all worktrees that share it do not install together."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    folder = os.open(str(venv_folder().resolve().parent), os.O_RDONLY)
    os.set_inheritable(folder, True)  # a pip that outlives a killed dev.py keeps the lock until it is done
    try:
        with contextlib.suppress(OSError):  # some network folders cannot be locked
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("Waiting for another install into .venv to finish.")
                fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def ensure(lock):
    """Make .venv satisfy the lock, doing nothing when it already does."""
    want = lock_hash(lock)
    if (installed_locks() or {}).get(lock) == want:
        return
    try:
        with one_install_at_a_time():
            have = installed_locks()
            fresh = have is None
            if fresh:
                make_venv()
                have = {}
            if have.get(lock) != want:
                install(lock, have, fresh)
    except OSError as error:
        hint = "Make it writable for your user, or remove it; then run this again."
        raise Problem(f"The packages could not be installed in {venv_folder()}: {error}. {hint}") from error


def make_venv():
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        version = "{}.{}".format(*sys.version_info[:2])
        raise Problem(
            "This Python cannot make virtual environments; on Debian and Ubuntu install what is missing with "
            f"'apt-get install python3-venv' (or python{version}-venv), then run this again."
        )
    say(f"{'Making .venv again' if venv_folder().exists() else 'Making .venv'} for Python {sys.version.split()[0]}.")
    # Not sys.executable: when dev.py runs on .venv's own Python, --clear would delete it first.
    python = getattr(sys, "_base_executable", None) or sys.executable
    command = [python, "-m", "venv", "--clear", str(venv_folder())]
    made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, close_fds=False)
    if made.returncode != 0:
        sys.stderr.write(made.stdout.decode(errors="replace"))
        raise Problem(f"Python's venv module could not make {venv_folder()}; the reason is printed above.")
    write_marker({})


def install(lock, have, fresh):
    text = (ROOT / "locks" / lock).read_text(encoding="utf-8")
    wait = " (the first time takes about half a minute)" if fresh else ""
    say(f"Installing {len(pins(text))} packages into .venv{wait}.")
    marker_file().unlink()
    done = pip("install", "--require-hashes", "--no-deps", "-r", str(ROOT / "locks" / lock))
    if done > 0:
        # pip fetches everything before it changes anything, so what was there still works (unless pip was killed).
        write_marker(have)
    if done != 0:
        raise Problem(
            "The packages could not be installed, for the reason pip gives above; "
            "if this machine is offline, connect it and run this again."
        )
    # test.lock contains run.lock (`check` makes sure), so it serves both.
    write_marker({name: lock_hash(name) for name in (VENV_LOCKS if lock == "test.lock" else (lock,))})


def pip(*args):
    command = [str(venv_python()), "-m", "pip", "--disable-pip-version-check", "-qq", *args]
    with subprocess.Popen(command, stdout=sys.stderr, close_fds=False) as child:
        for number in itertools.count(1):
            try:
                return child.wait(timeout=PROGRESS_EVERY)
            except subprocess.TimeoutExpired:
                ready = len([*venv_folder().glob("lib/python*/site-packages/*.dist-info")])
                say(f"After {number * PROGRESS_EVERY} seconds: {ready} packages installed, pip still at work.")


def command_and_environment(args, env=None):
    environment = dict(os.environ, **(env or {}))
    # Some images set it. The suite starts hundreds of processes, and each would compile all of the project again.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return [str(venv_python()), *args], environment


def become(args, env=None):
    """Hand over to .venv's Python: its signals, output and exit code are ours from here on."""
    if os.name == "nt":
        return wait_for(args, env=env)  # there, exec would return to the prompt at once
    command, environment = command_and_environment(args, env)
    os.execve(command[0], command, environment)


def wait_for(args, folder=None, env=None):
    """Run .venv's Python beside this process, and return its exit code."""
    command, environment = command_and_environment(args, env)
    child = subprocess.Popen(command, env=environment, cwd=folder and str(folder))
    with contextlib.suppress(ValueError):  # not in the main thread, as in tests
        signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    while True:
        with contextlib.suppress(KeyboardInterrupt):  # the child gets Ctrl-C too, and decides
            return child.wait()


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Problem(f"{message[:1].upper()}{message[1:]}; '{self.prog} --help' says what there is.")


def run(args):
    parser = Parser(prog="dev.py run", description="Serve Wild League on this machine.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 for the local network")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--data", metavar="DIR", help="folder of the database and the keys (instead of WILD_DATA)")
    parser.add_argument("--no-demo", action="store_true", help="start with no demo tournament")
    options = parser.parse_args(args)
    check_port(options.host, options.port)
    ensure("run.lock")
    serve = [str(ROOT / "manage.py"), "serve", "--host", options.host, "--port", str(options.port)]
    data = {"WILD_DATA": os.path.abspath(options.data)} if options.data else {}
    return become(serve + (["--no-demo"] if options.no_demo else []), env=data)


def check_port(host, port):
    """Say that the port is taken before the packages are installed, not after."""
    if not 0 <= port <= 65535:
        raise Problem(f"There is no port {port}; choose one from 1024 to 65535 with --port.")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            if os.name == "posix":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a port just left is free
            probe.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise Problem(
                f"Port {port} is taken by another program; choose a free one, for example --port {port + 1}."
            ) from None
        raise Problem(f"Cannot listen on {host}, port {port}: {error.strerror or error}.") from None


def test(args):
    ensure("test.lock")
    before = os.times()  # the installation is no part of the tests
    # The whole suite takes every core, and a worker more: some always wait for a browser or a server, of which a quick
    # run has none. A part of it is faster without the workers' start.
    whole = [] if set(args) - {"--quick"} else ["-n", str((os.cpu_count() or 1) + (not args)), "--dist", "worksteal"]
    code = wait_for(["-m", "pytest", *whole, *args], folder=ROOT)
    if whole and os.name != "nt":
        used = os.times()
        minutes = (sum(used[2:4]) - sum(before[2:4])) / 60  # of children: user and system
        goal = project_table()["tool"]["wild-league"]["quick-cpu-minutes" if args else "test-cpu-minutes"]
        say(f"{minutes:.1f} minutes of processor time, of all processes; the goal is {goal}.")
    return code


def build(args):
    if args not in ([], ["--engine"]):
        raise Problem("build takes no arguments, or --engine: it compiles the rules, which then run twice as fast.")
    ensure("test.lock")
    if args:
        return wait_for(["-m", "engine.compiled.make"], folder=ROOT)
    (ROOT / "dist").mkdir(exist_ok=True)
    (ROOT / "dist" / "constraints.txt").write_text(constraints(), encoding="utf-8")
    return wait_for(["-m", "hatchling", "build", "-t", "wheel", "-d", "dist"], folder=ROOT)


def constraints():
    """Return the locked versions without hashes: with them pip would ask for a hash of the wheel too."""
    lines = (ROOT / "locks" / "run.lock").read_text(encoding="utf-8").splitlines()
    return "".join(f"{line.rstrip(' ' + chr(92))}\n" for line in lines if "==" in line and line[:1].isalnum())


def wild_league(args):
    ensure("run.lock")
    return become(["-m", "config.verbs", *args], env={"PYTHONPATH": str(ROOT)})


def manage(args):
    ensure("run.lock")
    return become([str(ROOT / "manage.py"), *args])


def messages(args):
    ensure("test.lock")
    return become([str(ROOT / "manage.py"), "messages", *args])


def check(args):
    if args:
        raise Problem("check takes no arguments.")
    ensure("test.lock")
    python = str(venv_python())
    steps = [
        ("ruff check", [python, "-m", "ruff", "check"]),
        ("ruff format", [python, "-m", "ruff", "format", "--check"]),
        ("mypy", [python, "-m", "mypy"]),
        ("import rules", [python, "-c", "from importlinter.cli import lint_imports_command as main; main()"]),
        ("rooms", [python, ".ci/check_house.py"]),
        ("template lines", [python, "-m", "djhtml", "--check", "--tabwidth", "2", "templates"]),
        ("templates", [python, ".ci/check_templates.py"]),
        ("styles", [python, ".ci/check_css.py"]),
        ("formats", [python, ".ci/check_formats.py"]),
        ("words", [python, ".ci/check_words.py"]),
        ("commit subjects", [python, ".ci/check_commits.py"]),
        ("migrations", [python, "manage.py", "makemigrations", "--check", "--dry-run"]),
        ("added columns", [python, ".ci/check_migrations.py"]),
        ("django check", [python, "manage.py", "check", "--fail-level", "WARNING"]),
    ]
    failed = []
    with tempfile.TemporaryDirectory() as data:  # the checks never see the data of whoever runs them
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        environment["WILD_DATA"] = data
        options = {"cwd": str(ROOT), "env": environment, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        with ThreadPoolExecutor() as pool:  # all at once
            results = list(pool.map(lambda step: subprocess.run(step[1], **options), steps))
        for (name, _command), done in zip(steps, results, strict=True):
            report(name, done.returncode == 0, done.stdout.decode(errors="replace"), failed)
    faults = lock_faults()
    report("locks", not faults, "".join(f"{fault}\n" for fault in faults), failed)
    if failed:
        say(f"{len(failed)} of {len(steps) + 1} checks failed: {', '.join(failed)}.")
        return 1
    say(f"All {len(steps) + 1} checks passed.")
    return 0


def report(name, passed, output, failed):
    say(f"{'ok    ' if passed else 'FAILED'} {name}")
    if not passed:
        failed.append(name)
    if output and (not passed or name in CHECKS_WITH_NOTES):
        sys.stderr.write(output if output.endswith("\n") else output + "\n")


def pins(text):
    """Return the 'name==version' of every package of a lock."""
    return {line.split()[0] for line in text.splitlines() if "==" in line and line[:1].isalnum()}


def project_table():
    import tomllib  # not there on a Python that is too old

    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def inputs_line():
    """Return the first line of a lock: what it was made from. A lock with another first line is out of date."""
    table = project_table()
    inputs = {
        "requires-python": table["project"]["requires-python"],
        "dependencies": table["project"].get("dependencies", []),
        "dependency-groups": table.get("dependency-groups", {}),
    }
    return "# inputs sha256:" + hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


def lock_faults(texts=None):
    """Return what is wrong with the locks (those on disk, or {name: text}), a sentence each."""
    if texts is None:
        files = {name: ROOT / "locks" / name for name in LOCK_SOURCES}
        texts = {name: file.read_text(encoding="utf-8") if file.exists() else "" for name, file in files.items()}
    faults = []
    for name, text in texts.items():
        if text.splitlines()[:1] != [inputs_line()]:
            faults.append(f"{name} was not made from this pyproject.toml; 'python3 dev.py lock' makes it anew.")
        if "://" in text:
            faults.append(f"{name} names an address: a lock must install from any index.")
    missing = sorted(pins(texts["run.lock"]) - pins(texts["test.lock"]))
    if missing:
        faults.append(f"test.lock must contain all of run.lock, but lacks {', '.join(missing)}.")
    return faults


def lock(args):
    if args not in ([], ["--upgrade"]):
        raise Problem("lock takes no arguments but --upgrade.")
    ensure("run.lock")
    if pip("install", *project_table()["dependency-groups"]["lock"]) != 0:
        raise Problem("uv, which makes the locks, could not be installed; is this machine on the network?")
    options = "--quiet --universal --generate-hashes --no-header --no-annotate -p 3.11".split()
    compile_command = [str(venv_python()), "-m", "uv", "pip", "compile", *options, *args]
    texts = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, sources in LOCK_SOURCES.items():
            say(f"Making {name}.")
            output = os.path.join(folder, name)
            if (ROOT / "locks" / name).exists():
                shutil.copy(str(ROOT / "locks" / name), output)  # uv keeps the versions it finds there
            done = subprocess.call([*compile_command, *sources, "-o", output], cwd=str(ROOT), stdout=subprocess.DEVNULL)
            if done != 0:
                raise Problem(f"uv could not make {name}; the reason is printed above. Nothing was changed.")
            texts[name] = inputs_line() + "\n" + Path(output).read_text(encoding="utf-8")
    faults = lock_faults(texts)
    if faults:
        raise Problem(" ".join(faults) + " Nothing was changed.")
    for name, text in texts.items():
        (ROOT / "locks" / name).write_text(text, encoding="utf-8")
    return 0


COMMANDS = {
    "run": run,
    "test": test,
    "check": check,
    "build": build,
    "wild-league": wild_league,
    "manage": manage,
    "messages": messages,
    "lock": lock,
}


def refuse_old_python():
    if sys.version_info[:2] >= OLDEST_PYTHON:
        return
    newer = [name for name in ("python3.14", "python3.13", "python3.12", "python3.11") if shutil.which(name)]
    hint = f"; try '{newer[0]} {' '.join(sys.argv)}'" if newer else ""
    have = ".".join(str(part) for part in sys.version_info[:3])
    raise Problem(f"Wild League needs Python 3.11 or newer, and this is Python {have}{hint}.")


def main(argv):
    try:
        refuse_old_python()
        if argv[:1] in (["-h"], ["--help"], ["help"]):
            print(__doc__.strip())
            return 0
        if not argv or argv[0] not in COMMANDS:
            say(__doc__.strip() if not argv else f"There is no command '{argv[0]}'.\n\n{__doc__.strip()}")
            return 2
        return COMMANDS[argv[0]](argv[1:])
    except Problem as problem:
        say(str(problem))
        return 2
    except KeyboardInterrupt:
        say("Stopped.")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
