#!/bin/sh
# Backs up the data folder and the workspace roots outside it, checks the copy, and then removes copies older than KEEP_DAYS.
# BACKUPS is the folder of all copies. DATA_DIR and WORKSPACE_ROOTS are those of the service, from the environment or .env.
set -euf
: "${BACKUPS:?}"
# Node reads .env as in the service. systemd's EnvironmentFile would take a comment behind a value as part of it.
package=$(realpath "$(dirname "$0")/../..")
node() { "$package/node_modules/.bin/node" --env-file-if-exists=.env "$@"; }
wrs() { node "$package/cli/wrs.mjs" "$@"; }
DATA_DIR=$(realpath "$(node -p 'process.env.DATA_DIR || ".data"')")
WORKSPACE_ROOTS=$(node -p 'process.env.WORKSPACE_ROOTS ?? ""')
export DATA_DIR

# A copy that lacks a root isn't the latest backup, so that its age still becomes an alert.
latest=$DATA_DIR/.last-backup
noted=$(cat "$latest" 2> /dev/null || true)
trap 'printf %s "$noted" > "$latest"' EXIT

copy=$BACKUPS/$(date +%Y-%m-%dT%H%M%S)
wrs backup "$copy"
wrs restore --check "$copy"

# After the records, so that each file that they name is there. tar returns 1 for a file that changed while it was read.
old_ifs=$IFS
IFS=,
number=0
for root in $WORKSPACE_ROOTS; do
  root=$(realpath "$(printf %s "$root" | sed 's/^ *//; s/ *$//')")
  case $root/ in "$DATA_DIR"/*) continue ;; esac
  number=$((number + 1)) # because /a-b and /a/b have the same name
  archive=$copy/roots-$number$(printf %s "$root" | tr / -).tar.gz
  tar -C / -czf "$archive" "${root#/}" || [ $? -eq 1 ]
  tar -tzf "$archive" > /dev/null
done
IFS=$old_ifs
trap - EXIT

find "$BACKUPS" -mindepth 1 -maxdepth 1 -name '20??-??-??T??????' -mtime "+${KEEP_DAYS:-14}" -exec rm -rf {} +
