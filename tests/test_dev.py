"""dev.py, with a stand-in for pip: nothing here touches the network or the project's own .venv."""

import ast
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from django.conf import settings

# Writes down what it was asked to install, and fails, or dies half-way, when the test says so.
FAKE_PIP = """
import os, sys, time
print("pip speaks on stdout")
with open(os.environ["PIP_LOG"], "a") as log:
    log.write(sys.argv[-1] + "\\n")
fate = os.environ.get("PIP_FATE")
if fate == "killed":
    os.kill(os.getpid(), 9)
if fate == "slow":
    time.sleep(1)
sys.exit(1 if fate == "no network" else 0)
"""


class Project:
    """A copy of dev.py in a folder of its own, with a .venv that has the stand-in for pip."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.pip_log = root / "pip.log"
        shutil.copy(settings.BASE_DIR / "dev.py", root)
        (root / "manage.py").write_text(
            "import json, os, sys; print(json.dumps([sys.argv, os.environ.get('WILD_DATA')]))"
        )
        (root / "pyproject.toml").write_text("[tool.wild-league]\ntest-cpu-minutes = 14\nquick-cpu-minutes = 4\n")
        (root / "locks").mkdir()
        (root / "locks" / "run.lock").write_text("django==5.2.19 \\\n    --hash=sha256:00\n")
        (root / "locks" / "test.lock").write_text(
            "django==5.2.19 \\\n    --hash=sha256:00\npytest==9.2.0 \\\n    --hash=sha256:00\n"
        )

    def with_venv(self) -> "Project":
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.venv], check=True)
        packages = next(self.venv.glob("lib*/**/site-packages"))
        for name in ("pip", "pytest"):
            (packages / name).mkdir()
            (packages / name / "__init__.py").touch()
        (packages / "pip" / "__main__.py").write_text(FAKE_PIP)
        (packages / "pytest" / "__main__.py").write_text("import sys; print('pytest', *sys.argv[1:]); sys.exit(5)")
        self.marker.write_text(json.dumps({"python": sysconfig.get_config_var("EXT_SUFFIX"), "locks": {}}))
        return self

    @property
    def venv(self) -> Path:
        return self.root / ".venv"

    @property
    def marker(self) -> Path:
        return self.venv / "wild-league.json"

    def dev(self, *args: str, fate: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"PIP_LOG": str(self.pip_log), "PIP_FATE": fate}
        environment.pop("WILD_DATA", None)
        command = [sys.executable, str(self.root / "dev.py"), *args]
        return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=cwd or self.root)

    def installed(self) -> list[str]:
        """The locks given to pip so far."""
        return [Path(line).name for line in self.pip_log.read_text().splitlines()] if self.pip_log.exists() else []


@pytest.fixture
def bare(tmp_path):
    return Project(tmp_path)


@pytest.fixture
def project(programs, bare):
    return bare.with_venv()


@pytest.fixture
def dev():
    """dev.py as a module of its own, made anew for each test."""
    spec = importlib.util.spec_from_file_location("dev", settings.BASE_DIR / "dev.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_parses_on_pythons_that_are_too_old():
    ast.parse((settings.BASE_DIR / "dev.py").read_text(encoding="utf-8"), feature_version=(3, 7))


def test_a_python_that_is_too_old_gets_one_sentence(dev, monkeypatch, capsys):
    monkeypatch.setattr(dev.sys, "version_info", (3, 8, 18, "final", 0))
    monkeypatch.setattr(dev.shutil, "which", lambda program: None)
    assert dev.main(["run"]) == 2
    assert capsys.readouterr().err == "Wild League needs Python 3.11 or newer, and this is Python 3.8.18.\n"


@pytest.mark.parametrize("arguments", [[], ["serve"]])
def test_no_command_or_an_unknown_one_shows_the_usage(bare, arguments):
    done = bare.dev(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "python3 dev.py run" in done.stderr
    assert ("There is no command 'serve'." in done.stderr) is bool(arguments)
    assert not bare.venv.exists()


def test_a_taken_port_is_refused_before_anything_is_installed(bare):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = bare.dev("run", "--port", str(port))
    assert done.returncode == 2
    assert done.stderr == (
        f"Port {port} is taken by another program; choose a free one, for example --port {port + 1}.\n"
    )
    assert not bare.venv.exists()


def test_a_port_that_does_not_exist_is_refused(bare):
    done = bare.dev("run", "--port", "80000")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "There is no port 80000; choose one from 1024 to 65535 with --port.\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "x"], "Argument --port: invalid int value: 'x'; 'dev.py run --help' says what there is.\n"),
        (["nope"], "Unrecognized arguments: nope; 'dev.py run --help' says what there is.\n"),
    ],
)
def test_wrong_arguments_of_run_get_one_sentence(bare, arguments, said):
    done = bare.dev("run", *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_a_python_without_ensurepip_is_told_which_package_to_install(dev, bare, monkeypatch, capsys):
    monkeypatch.setattr(dev, "ROOT", bare.root)
    find_spec = dev.importlib.util.find_spec
    monkeypatch.setattr(dev.importlib.util, "find_spec", lambda name: None if name == "ensurepip" else find_spec(name))
    assert dev.main(["manage", "check"]) == 2
    sentence = capsys.readouterr().err
    assert "apt-get install python3-venv" in sentence
    assert sentence.count("\n") == 1


def test_manage_passes_everything_through_and_keeps_stdout_clean(project):
    done = project.dev("manage", "import", "a b.csv", "--help", "--port=1", cwd=project.root.parent)
    argv, _ = json.loads(done.stdout)
    assert argv[1:] == ["import", "a b.csv", "--help", "--port=1"]
    assert "Installing 1 packages" in done.stderr
    assert "pip speaks" in done.stderr


def test_manage_passes_the_exit_code_on(project):
    (project.root / "manage.py").write_text("import sys; sys.exit(7)")
    assert project.dev("manage").returncode == 7


def test_run_serves_with_an_absolute_data_folder(project):
    done = project.dev("run", "--data", "club", "--no-demo", "--port", "0")
    argv, data = json.loads(done.stdout)
    assert argv[1:] == ["serve", "--host", "127.0.0.1", "--port", "0", "--no-demo"]
    assert data == str(project.root / "club")


def test_test_alone_runs_the_whole_suite_on_every_core(project):
    done = project.dev("test")

    assert done.stdout == f"pytest -n {os.cpu_count() + 1} --dist worksteal\n"
    assert done.stderr.endswith(" minutes of processor time, of all processes; the goal is 14.\n")


def test_quick_is_the_whole_suite_for_pytest_to_choose_from(project):
    done = project.dev("test", "--quick")
    assert done.stdout == f"pytest -n {os.cpu_count()} --dist worksteal --quick\n"
    assert done.stderr.endswith("the goal is 4.\n")


def test_test_gives_its_arguments_to_pytest_and_its_exit_code_back(project):
    done = project.dev("test", "tests/engine", "-k", "a b")
    assert (done.returncode, done.stdout) == (5, "pytest tests/engine -k a b\n")


def test_nothing_is_installed_twice(project):
    project.dev("manage")
    assert project.dev("manage").stderr == ""
    assert project.installed() == ["run.lock"]


def test_the_test_lock_serves_run_as_well(project):
    project.dev("test")
    project.dev("manage")
    project.dev("test")
    assert project.installed() == ["test.lock"]


def test_test_installs_over_run(project):
    project.dev("manage")
    project.dev("test")
    assert project.installed() == ["run.lock", "test.lock"]


def test_a_changed_lock_is_installed(project):
    project.dev("test")
    with (project.root / "locks" / "run.lock").open("a") as lock:
        lock.write("whitenoise==6.12.0 \\\n    --hash=sha256:00\n")
    done = project.dev("manage")
    assert project.installed() == ["test.lock", "run.lock"]
    assert "Installing 2 packages into .venv.\n" in done.stderr


def test_without_a_network_one_sentence_says_so_and_what_was_there_still_works(project):
    project.dev("manage")
    done = project.dev("test", fate="no network")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1] == (
        "The packages could not be installed, for the reason pip gives above; "
        "if this machine is offline, connect it and run this again."
    )
    assert project.dev("manage").stderr == ""
    project.dev("test")
    assert project.installed() == ["run.lock", "test.lock", "test.lock"]


def test_an_install_that_was_killed_makes_the_environment_again(project, dev, monkeypatch):
    assert project.dev("manage", fate="killed").returncode == 2
    monkeypatch.setattr(dev, "ROOT", project.root)
    assert dev.installed_locks() is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda project: project.marker.write_text("{"),
        lambda project: project.marker.write_text('{"python": ".cpython-310.so", "locks": {}}'),
        lambda project: project.marker.unlink(),
        lambda project: shutil.rmtree(project.venv / "bin"),
        lambda project: shutil.rmtree(next(project.venv.glob("lib*/**/site-packages/pip"))),
        lambda project: shutil.rmtree(project.venv),
    ],
    ids=["half a marker", "other Python", "no marker", "no Python", "no pip", "nothing"],
)
def test_a_damaged_environment_is_noticed(project, dev, monkeypatch, damage):
    monkeypatch.setattr(dev, "ROOT", project.root)
    assert dev.installed_locks() == {}
    damage(project)
    assert dev.installed_locks() is None


def test_ctrl_c_during_an_install_ends_without_a_traceback(dev, monkeypatch, capsys):
    def interrupted(lock):
        raise KeyboardInterrupt

    monkeypatch.setattr(dev, "ensure", interrupted)
    assert dev.main(["manage"]) == 130
    assert capsys.readouterr().err == "Stopped.\n"


def test_an_installation_says_every_few_seconds_how_far_it_is(project, dev, monkeypatch, capfd):
    monkeypatch.setattr(dev, "ROOT", project.root)
    monkeypatch.setattr(dev, "PROGRESS_EVERY", 0.2)
    monkeypatch.setenv("PIP_FATE", "slow")
    monkeypatch.setenv("PIP_LOG", str(project.pip_log))
    dev.ensure("run.lock")
    assert "After 0.2 seconds: 0 packages installed" in capfd.readouterr().err
    assert project.installed() == ["run.lock"]


def test_a_folder_that_cannot_be_written_gets_one_sentence(dev, bare, monkeypatch, capsys):
    def refused():
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(dev, "ROOT", bare.root)
    monkeypatch.setattr(dev, "make_venv", refused)
    assert dev.main(["manage"]) == 2
    assert capsys.readouterr().err.endswith(
        f"could not be installed in {bare.venv}: [Errno 13] Permission denied. "
        "Make it writable for your user, or remove it; then run this again.\n"
    )


def test_the_locks_were_made_from_pyproject(dev):
    assert dev.lock_faults() == []


def test_the_constraints_for_pip_are_the_locked_versions_without_hashes(dev):
    lines = dev.constraints().splitlines()
    assert {line.split()[0] for line in lines} == dev.pins((dev.ROOT / "locks/run.lock").read_text())
    assert not any("sha256" in line or line.endswith("\\") for line in lines)
    assert any(line.startswith("uvloop==") and "sys_platform" in line for line in lines), "with its marker"


def test_locks_out_of_step_are_found(dev):
    line = dev.inputs_line()
    good = {"run.lock": f"{line}\ndjango==5.2.19 \\\n", "test.lock": f"{line}\ndjango==5.2.19 \\\npytest==9.2.0 \\\n"}
    assert dev.lock_faults(good) == []
    assert dev.lock_faults(good | {"run.lock": good["run.lock"].replace(line, "# inputs sha256:0")}) == [
        "run.lock was not made from this pyproject.toml; 'python3 dev.py lock' makes it anew."
    ]
    assert dev.lock_faults(good | {"run.lock": f"{line}\ndjango==5.2.18 \\\n"}) == [
        "test.lock must contain all of run.lock, but lacks django==5.2.18."
    ]
    assert dev.lock_faults(good | {"test.lock": good["test.lock"] + "--index-url https://pypi.example/simple\n"}) == [
        "test.lock names an address: a lock must install from any index."
    ]


def test_check_runs_every_step_even_after_a_failure(dev, bare, monkeypatch, capsys):
    commands = []

    def fake_run(command, **options):
        commands.append(command)
        assert options["env"]["WILD_DATA"] != os.environ.get("WILD_DATA")
        return subprocess.CompletedProcess(command, 1 if "mypy" in command else 0, stdout=b"league is wrong\n")

    monkeypatch.setattr(dev, "ensure", lambda lock: None)
    monkeypatch.setattr(dev.subprocess, "run", fake_run)
    assert dev.main(["check"]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert "FAILED mypy\nleague is wrong\n" in output.err
    assert output.err.endswith("1 of 15 checks failed: mypy.\n")
    assert len(commands) == 14
