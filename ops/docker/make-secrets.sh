#!/bin/sh
# Makes the secrets that compose.yaml reads, each in a file of its own. Never replaces one: the data are sealed with them.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
keep() { [ -s "secrets/$1" ] || printf '%s' "$2" > "secrets/$1"; }
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
keep database_password "$(random)"
keep database_url "postgresql://peyk:$(cat secrets/database_password)@database:5432/peyk"
keep secret_key "$(head -c 32 /dev/urandom | base64 | tr -d '\n')"
keep metrics_token "$(random)"
keep grafana_password "$(random)"
# On this machine only their owner gets into the folder. A container sees just the files that compose.yaml gives it, and reads
# them as a user of its own, hence 0444.
chmod 0700 secrets && chmod 0444 secrets/*
