#!/usr/bin/env bash
# Compiles the programs into the folder BUILD and runs them all; ends with 0 only if every result held.
# Usage: run_all.sh BUILD
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
lwjgl=/usr/share/java/lwjgl.jar
javac -d "$1" -cp "$lwjgl" "$here"/*.java
exec xvfb-run -a -s '-screen 0 640x480x24' java -Djava.library.path=/usr/lib/jni -Dgallery.folder="$here/.." \
  -cp "$1:$lwjgl" Gallery
