#!/bin/sh
# Build the image on a machine that has no Docker and reaches no registry of images: debootstrap makes a stand-in for
# the base image, buildah builds the Dockerfile as it is. Needs root, and once: apt-get install buildah debootstrap
#
#   docker/build_without_engine.sh FOLDER [more options of `buildah bud`]
#
# FOLDER keeps the stand-in and the images (about 3 GB); the result is wild-league:local in it.
set -eu
if [ $# -eq 0 ]; then
    sed -n '2,7p' "$0" >&2
    exit 2
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
project=$(cd "$(dirname "$0")/.." && pwd)
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
root="$folder/images"

buildah() { command buildah --root "$root" --runroot "$folder/run" "$@"; }

if ! buildah inspect --type image python-stand-in:3.11 >/dev/null 2>&1; then
    debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates bookworm "$folder/base" "$mirror"
    container=$(buildah from scratch)
    buildah add --quiet "$container" "$folder/base" /
    buildah commit --quiet "$container" python-stand-in:3.11
    buildah rm "$container" >/dev/null
    rm -rf "$folder/base"
fi
buildah bud --format docker --build-arg BASE=localhost/python-stand-in:3.11 --tag wild-league:local \
    --file "$project/docker/Dockerfile" "$@" "$project"
