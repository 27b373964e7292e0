#!/bin/sh
# Writes the secrets of compose.yaml, with random passwords, into the directory `secrets`. Keeps those that exist.
set -eu
cd "$(dirname "$0")/.."

# Only this user can enter the directory; the users of the containers can read the files that are mounted into them.
mkdir -p secrets
chmod 700 secrets
umask 022

password() {
  od -An -N24 -tx1 /dev/urandom | tr -d ' \n'
}
write() {
  if [ ! -e "secrets/$1" ]; then printf '%s\n' "$2" > "secrets/$1"; fi
}

write admin_password "$(password)"
write migrate_url "postgres://triage_migrate:$(password)@database:5432/triage"
write app_url "postgres://triage_app:$(password)@database:5432/triage"
