# Sourced by ./run and ./test: installs missing packages, configures and builds a preset.

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '==> %s\n' "$*" >&2; }

# install_packages SECTION...: installs what these sections of packages.txt name and dpkg does not know; needs root or sudo only
# when something is missing.
install_packages() {
  local wanted missing as_root=()
  mapfile -t wanted < <(awk -v wanted=" $* " \
    '/^# [a-z]+:/ { section = $2; sub(":", "", section); next } !/^#/ && index(wanted, " " section " ")' "$project/packages.txt")
  mapfile -t missing < <(comm -23 <(printf '%s\n' "${wanted[@]}" | sort) \
    <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null | sed -n 's/^installed //p' | sort))
  [ ${#missing[@]} -eq 0 ] && return
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  say "installing ${#missing[@]} packages: ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# configure PRESET [on|off]: configures the preset, with its tests or without, unless that has been done. A build folder that has
# the tests keeps them.
configure() {
  local preset=$1 tests=$2 folder=$project/build/$1
  if [ -f "$folder/build.ninja" ] && { [ "$tests" = off ] || grep -q '^QUERN_BUILD_TESTS:BOOL=ON$' "$folder/CMakeCache.txt"; }; then
    return
  fi
  mkdir -p "$folder"
  (cd "$project" && cmake --preset "$preset" -DQUERN_BUILD_TESTS="${tests^^}" >"$folder/configure.log" 2>&1) || {
    cat "$folder/configure.log" >&2
    return 1
  }
}

# build PRESET TARGET...: builds targets of a configured preset.
build() {
  local preset=$1
  shift
  "$project/cmake/progress.py" build "$project/build/$preset" "$@" >&2
}
