# Sourced by ./run and ./test: installs missing packages and builds a preset.

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '==> %s\n' "$*" >&2; }

# Installs what packages.txt names and dpkg does not know, once; needs root or sudo only when something is missing.
install_packages() {
  local wanted missing=() package as_root=()
  mapfile -t wanted < <(grep -v '^#' "$project/packages.txt")
  for package in "${wanted[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  say "installing ${#missing[@]} packages: ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# build_preset PRESET [TARGET...]: configures when needed and builds; ninja's own status line is the progress.
build_preset() {
  local preset=$1
  shift
  say "building ($preset)"
  if [ ! -f "$project/build/$preset/build.ninja" ]; then
    (cd "$project" && cmake --preset "$preset" >"$project/build-$preset.log" 2>&1) || {
      cat "$project/build-$preset.log" >&2
      return 1
    }
    rm -f "$project/build-$preset.log"
  fi
  NINJA_STATUS='[%f/%t %es] ' cmake --build "$project/build/$preset" ${1:+--target "$@"} >&2
}
