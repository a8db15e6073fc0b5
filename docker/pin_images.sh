#!/bin/sh
# Write the digests of the images that compose.yaml and Dockerfile name to docker/compose.pinned.yaml, as the registries
# report them now. Needs docker (with buildx), skopeo or crane, and a way to the registries. If one doesn't answer, the
# file stays as it is.
#
#   docker/pin_images.sh
#   docker compose --file docker/compose.yaml --file docker/compose.pinned.yaml up --detach --build
set -eu
cd "$(dirname "$0")"

digest() {
    if command -v skopeo >/dev/null; then
        skopeo inspect --no-tags --format '{{.Digest}}' "docker://$1"
    elif command -v crane >/dev/null; then
        crane digest "$1"
    elif command -v docker >/dev/null; then
        docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$1"
    else
        echo "Install skopeo, crane or docker: one of them reads the digests." >&2
        return 1
    fi
}

pinned() {
    found=$(digest "$1") || found=
    if ! printf '%s' "$found" | grep -Eqx 'sha256:[0-9a-f]{64}'; then
        echo "No digest of $1: its registry doesn't answer. Nothing was changed." >&2
        exit 1
    fi
    echo "$1@$found"
}

of() { sed -n "/^  $1:/,/image:/s/^ *image: //p" compose.yaml; }

proxy=$(pinned "$(of proxy)")
postgres=$(pinned "$(of postgres)")
redis=$(pinned "$(of redis)")
base=$(pinned "$(sed -n 's/^ARG BASE=//p' Dockerfile)")
cat > compose.pinned.yaml <<EOF
# Written by pin_images.sh.
services:
  proxy: {image: "$proxy"}
  postgres: {image: "$postgres"}
  redis: {image: "$redis"}
  web: {build: {args: {BASE: "$base"}}}
EOF
echo "Written: docker/compose.pinned.yaml"
