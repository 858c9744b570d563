#!/usr/bin/env bash
# Schemathesis (PyPI, pinned) with all its checks against the running service and its own OpenAPI document.
# Needs python3; installs into .cache/. FUZZ_SECONDS bounds the run (default 90).
set -euo pipefail
cd "$(dirname "$0")/../.."
venv=.cache/schemathesis-4.32.5
python=$(command -v python3.13 || command -v python3.12 || command -v python3) || { echo 'this lane needs python3' >&2; exit 2; }
if [ ! -x "$venv/bin/st" ]; then
  "$python" -m venv "$venv"
  "$venv/bin/pip" install --quiet --retries 5 schemathesis==4.32.5
fi
exec node test/lanes/fuzz-openapi.ts "$venv/bin/st"
