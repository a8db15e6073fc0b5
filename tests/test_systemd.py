"""The units in docker/systemd/, checked by systemd itself."""

import os
import re
import subprocess

import pytest
from django.conf import settings

from tests.requirements import program

pytestmark = pytest.mark.slow

UNITS = sorted((settings.BASE_DIR / "docker" / "systemd").iterdir())


def test_systemd_finds_no_fault_in_the_units(tmp_path):
    analyze = program("systemd-analyze", "systemd")
    files = []
    for unit in UNITS:
        file = tmp_path / unit.name.replace("@.", "@8001.")
        text = unit.read_text().replace("/opt/wild/bin/wild-league ", "/bin/true ")
        file.write_text(text.replace("EnvironmentFile=/etc/", f"EnvironmentFile=-{tmp_path}/"))
        files.append(file)
    environment = os.environ | {"SYSTEMD_UNIT_PATH": f"{tmp_path}:"}
    done = subprocess.run([analyze, "verify", "--man=no", *files], env=environment, capture_output=True, text=True)
    ours = [line for line in done.stderr.splitlines() if "wild" in line]
    assert (done.returncode, ours) == (0, []), done.stderr


def test_each_unit_runs_a_verb_of_the_package_and_keeps_its_data_in_one_folder():
    from config.verbs import VERBS

    for unit in UNITS:
        if unit.suffix == ".service":
            [command] = re.findall(r"^ExecStart=/opt/wild/bin/wild-league (\S+)", unit.read_text(), re.M)
            assert command in VERBS, unit.name
            assert "WILD_DATA=/var/lib/wild-league\n" in unit.read_text(), unit.name
            assert "LimitNOFILE=20000\n" in unit.read_text(), unit.name
