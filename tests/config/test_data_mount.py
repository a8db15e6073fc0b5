"""Where a container keeps its data folder: mountinfo as container engines write it."""

import pytest
from django.test import Client

from config.variables import data_mount
from config.variables.data_mount import MEMORY, NO_MOUNT, UNNAMED, risk_of
from tests import cast

LAYER = "612 411 0:52 / / rw,relatime master:201 - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/AB\n"
PROC = "613 612 0:55 / /proc rw,nosuid,nodev,noexec,relatime - proc proc rw\n"
VOLUMES = "/var/lib/docker/volumes"
ID = "3f1c9a70d2b84e56" * 4


def mount(root, kind="ext4", point="/data"):
    return f"640 612 254:1 {root} {point} rw,relatime master:1 - {kind} /dev/vda1 rw,discard\n"


@pytest.mark.parametrize(
    ("mounts", "risk"),
    [
        (LAYER + PROC, NO_MOUNT),
        ("", NO_MOUNT),
        ("damaged\n" + LAYER, NO_MOUNT),
        (LAYER + mount("/", point="/database"), NO_MOUNT),
        (LAYER + mount(f"{VOLUMES}/{ID}/_data"), UNNAMED),
        (LAYER + mount(f"/docker/volumes/{ID}/_data"), UNNAMED),  # Docker Desktop
        (LAYER + mount(f"/home/olga/.local/share/containers/storage/volumes/{ID}/_data"), UNNAMED),  # Podman
        (LAYER + mount(f"{VOLUMES}/wild/_data"), ""),
        (LAYER + mount(f"{VOLUMES}/{ID[:-1]}/_data"), ""),  # a name that looks like one
        (LAYER + mount("/srv/wild\\040league"), ""),
        (LAYER + mount("/", "nfs4", "/data"), ""),
        (LAYER + mount("/", "tmpfs"), MEMORY),
        (LAYER + mount(f"{VOLUMES}/{ID}/_data") + mount(f"{VOLUMES}/wild/_data"), ""),  # the later one is on top
        (LAYER + mount("/", "ext4", "/data/backups"), NO_MOUNT),
    ],
)
def test_data_outlives_its_container_in_a_named_volume_or_a_folder_of_the_machine(mounts, risk):
    assert risk_of(mounts, "/data") == risk


def test_the_mount_nearest_to_the_folder_counts():
    mounts = LAYER + mount("/", "tmpfs", "/srv") + mount("/disk", point="/srv/my\\040data")
    assert risk_of(mounts, "/srv/my data/wild") == ""
    assert risk_of(mounts, "/srv/other") == MEMORY


@pytest.mark.django_db
def test_readiness_and_the_organiser_are_warned_of_data_at_risk(settings):
    tournament, client = cast.tournament(), Client()
    page = f"/t/{tournament.slug}/"
    client.force_login(tournament.owner)
    for risk, warned in (("", False), (UNNAMED, True)):
        settings.DATA_RISK = risk
        answer = client.get("/readyz")
        checks = answer.json()["checks"]
        assert (answer.status_code, "data" in checks) == (200, warned)
        assert ("deletes all its tournaments" in client.get(page).text) is warned
        assert "deletes all its tournaments" not in Client().get(page).text
    assert checks["data"] == {"ok": True, "warning": data_mount.SENTENCES[UNNAMED]}
