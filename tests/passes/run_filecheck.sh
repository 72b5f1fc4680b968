#!/bin/sh
# Runs one test: run_filecheck.sh QUERN_OPT FILECHECK FILE. The file's "RUN:" line holds the options of quern-opt; with "FAILS"
# in front, quern-opt must end with an error.
set -u
opt=$1 filecheck=$2 file=$3
options=$(sed -n 's/^; RUN: *//p' "$file" | head -n 1)
expected=0
case $options in FAILS*) expected=1 options=${options#FAILS} ;; esac
output=$(mktemp)
trap 'rm -f "$output"' EXIT
# shellcheck disable=SC2086  # options are words
"$opt" $options "$file" >"$output"
status=$?
if [ $status -ne $expected ]; then
  echo "quern-opt ended with status $status, expected $expected" >&2
  cat "$output" >&2
  exit 1
fi
"$filecheck" --input-file="$output" "$file"
