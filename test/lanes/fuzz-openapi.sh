#!/usr/bin/env bash
# Schemathesis (PyPI, pinned) with all its checks against the running service and its own OpenAPI document.
# Needs Python 3.12 or newer (its generator stumbles over a fault of 3.11); installs into .cache/.
# FUZZ_SECONDS bounds the run (default 90).
set -euo pipefail
cd "$(dirname "$0")/../.."
venv=.cache/schemathesis-4.32.5

find_python() {
  for candidate in python3.14 python3.13 python3.12 ~/.pyenv/versions/3.1[234]*/bin/python3 python3; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  echo 'this lane needs Python 3.12 or newer' >&2
  exit 2
}

if [ ! -x "$venv/bin/st" ]; then
  "$(find_python)" -m venv "$venv"
  "$venv/bin/pip" install --quiet --retries 5 schemathesis==4.32.5
fi
exec node test/lanes/fuzz-openapi.ts "$venv/bin/st"
