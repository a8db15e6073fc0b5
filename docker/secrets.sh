#!/bin/sh
# Make the secrets that compose.yaml reads, once: files in docker/secrets/, readable by their owner and by containers.
# What is there already stays as it is.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
chmod 700 secrets
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
keep() { [ -e "secrets/$1" ] || printf '%s' "$2" > "secrets/$1"; chmod 644 "secrets/$1"; }
keep postgres_password "$(random)"
keep secret_key "$(random)"
keep metrics_token "$(random)"
keep database_url "postgres://wild:$(cat secrets/postgres_password)@postgres:5432/wild"
