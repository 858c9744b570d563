#!/usr/bin/env bash
# Real documents for the main-job lane: Debian's documentation packages, unpacked (nothing is installed) into a
# git-ignored cache: HTML, PDF, text, code, configuration, and two Chinese handbooks; over 1,500 files.
# Needs apt-get and dpkg (Debian or Ubuntu). Prints the folder.
set -euo pipefail
target="${1:-.cache/documents}"
packages=(python3.11-doc debian-reference-en debian-reference-zh-cn debian-faq-zh-cn gnuplot-doc
  debian-policy libpython3.11-stdlib nginx-common)

if [ -f "$target/.complete" ]; then echo "$target"; exit 0; fi
command -v apt-get dpkg >/dev/null || { echo 'this lane needs apt-get and dpkg' >&2; exit 2; }
rm -rf "$target" && mkdir -p "$target"
cd "$target"
for attempt in 1 2 3; do apt-get -qq download "${packages[@]}" && break || sleep $((attempt * 5)); done
for package in "${packages[@]}"; do
  archive=$(ls "${package}"_*.deb)
  mkdir -p "$package" && dpkg -x "$archive" "$package" && rm "$archive"
done
find . -type l -delete
find . -name '*.gz' -exec gunzip -f {} +
touch .complete
echo "$target"
