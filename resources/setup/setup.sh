#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by app/run.sh and tests/run.sh: installs what is missing, configures and builds.
# Sourced, not started. Debian 12 or newer, Ubuntu 24.04 or newer; elsewhere it says what is needed and stops.

muster_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

muster_build_packages=(cmake ninja-build g++ ccache pkg-config python3-minimal
    qt6-base-dev qt6-svg-dev libqt6sql6-sqlite libqt6svg6 libgl-dev
    libexpected-dev libcli11-dev nlohmann-json3-dev zlib1g-dev libpsl-dev libuchardet-dev
    fonts-noto-core fonts-noto-mono tzdata)
muster_test_packages=(python3 sqlite3 psmisc procps clang-format-16 gcovr)
muster_full_packages=(nginx-light aria2 curl xvfb xauth openbox xdotool libbenchmark-dev strace)

say() { printf '%s\n' "$*"; }
stop_with() { say "failed: $*"; exit 1; }

muster_supported_system() {
    [ -r /etc/os-release ] || return 1
    local id version
    id=$(. /etc/os-release && printf '%s' "${ID:-}")
    version=$(. /etc/os-release && printf '%s' "${VERSION_ID:-}")
    case "$id" in
    debian) [ -z "$version" ] || [ "${version%%.*}" -ge 12 ] ;; # testing has no number
    ubuntu) [ "${version%%.*}" -ge 24 ] ;;
    *) return 1 ;;
    esac
}

muster_missing() {
    local name
    for name in "$@"; do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || printf '%s\n' "$name"
    done
}

# Installs the named packages where they are missing. A package that this release does not have is said and left
# out only when it is one of the optional ones; a needed one ends the script.
muster_install() {
    local missing sudo=()
    muster_supported_system || stop_with "this script knows Debian 12+ and Ubuntu 24.04+. Install these yourself, then build with cmake: $*"
    mapfile -t missing < <(muster_missing "$@")
    [ "${#missing[@]}" -gt 0 ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
            sudo=(sudo)
        else
            stop_with "these packages are missing and this account may not install them: ${missing[*]}"
        fi
    fi
    say "installing ${#missing[@]} packages: ${missing[*]}"
    "${sudo[@]}" apt-get update -qq || stop_with "the package lists could not be read"
    local have=() name
    for name in "${missing[@]}"; do
        if apt-cache show "$name" >/dev/null 2>&1; then
            have+=("$name")
        else
            case "$name" in
            clang-format-16 | gcovr) say "note: $name is not in this release; its check is left out" ;;
            *) stop_with "package $name is not in this release" ;;
            esac
        fi
    done
    [ "${#have[@]}" -eq 0 ] && return 0
    local log
    log=$(mktemp)
    DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends "${have[@]}" \
        >"$log" 2>&1 </dev/null || { tail -n 20 "$log"; stop_with "apt-get install did not succeed"; }
    rm -f "$log"
}

# muster_configure PRESET [cmake options]: configures once; a second call does nothing that is not needed.
muster_configure() {
    local preset=$1
    shift
    local dir=$muster_root/build/$preset
    if [ ! -f "$dir/build.ninja" ]; then
        say "configuring $preset"
        (cd "$muster_root" && cmake --preset "$preset" "$@" >"/tmp/muster-configure-$preset-$$" 2>&1) || {
            tail -n 30 "/tmp/muster-configure-$preset-$$"
            stop_with "cmake could not configure"
        }
        rm -f "/tmp/muster-configure-$preset-$$"
    fi
}

# muster_build PRESET [targets]: builds, quietly where all is well.
muster_build() {
    local preset=$1 log
    shift
    local targets=()
    [ "$#" -gt 0 ] && targets=(--target "$@")
    log=$(mktemp)
    say "building $preset"
    if ! (cd "$muster_root" && cmake --build "build/$preset" "${targets[@]}" >"$log" 2>&1); then
        grep -E 'error|FAILED|warning' "$log" | head -n 40
        rm -f "$log"
        stop_with "the build of $preset did not succeed"
    fi
    grep -cE '^\[[0-9]+/[0-9]+\] (Building|Linking)' "$log" | sed 's/^/  steps done: /'
    rm -f "$log"
}
