#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by app/run.sh and tests/run.sh: installs what is missing, configures and builds.
# Sourced, not started. Debian 12 or newer, Ubuntu 24.04 or newer; elsewhere it says what is needed and stops.

muster_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin # where apt wants its helpers and where nginx is, also after a plain su

muster_build_packages=(cmake ninja-build g++ ccache pkg-config python3-minimal
    qt6-base-dev qt6-svg-dev libqt6sql6-sqlite libqt6svg6 qt6-wayland libgl-dev
    libexpected-dev libcli11-dev nlohmann-json3-dev zlib1g-dev libpsl-dev libuchardet-dev
    fonts-noto-core fonts-noto-mono ca-certificates tzdata)
muster_test_packages=(python3 openssl netbase clang-format-16 gcovr) # netbase: a root may lack /etc/hosts
muster_full_packages=(nginx-light aria2 curl xvfb xauth openbox xdotool git)

# Names that some supported release lacks; only the check that wants them is left out there.
muster_optional_packages=(clang-format-16 gcovr)

say() { printf '%s\n' "$*"; }
stop_with() {
    say "failed: $*"
    exit 1
}
trap 'stop_with interrupted' INT TERM

# What apt, cmake and the compiler say; shown only where something is wrong.
muster_log=$(mktemp) || stop_with "no temporary file could be made"
trap 'rm -f "$muster_log"' EXIT

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
    local missing have=() name sudo=()
    muster_supported_system || {
        say "Muster's scripts install packages on Debian 12 or newer and Ubuntu 24.04 or newer; this is another system."
        say "It needs what Debian calls: $*"
        say "With these there: cmake --preset release && cmake --build --preset release"
        stop_with "this system is not one the scripts know"
    }
    mapfile -t missing < <(muster_missing "$@")
    [ "${#missing[@]}" -gt 0 ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
            sudo=(sudo)
        else
            say "Missing packages: ${missing[*]}"
            say "To install them, as root: apt-get install --no-install-recommends ${missing[*]}"
            stop_with "packages are missing, and this account may not install them"
        fi
    fi
    say "looking up packages: ${missing[*]}"
    "${sudo[@]}" apt-get update -qq || stop_with "the package lists could not be read"
    for name in "${missing[@]}"; do
        if apt-cache show "$name" >/dev/null 2>&1; then
            have+=("$name")
        elif [[ " ${muster_optional_packages[*]} " == *" $name "* ]]; then
            say "note: $name is not in this release; its check is left out"
        else
            stop_with "package $name is not in this release"
        fi
    done
    [ "${#have[@]}" -gt 0 ] || return 0
    say "installing ${#have[@]} packages"
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${have[@]}" \
        >"$muster_log" 2>&1 </dev/null || {
        tail -n 20 "$muster_log"
        stop_with "the packages could not be installed"
    }
}

# muster_configure PRESET: once; after that the build itself notices what changed.
muster_configure() {
    local preset=$1 dir=$muster_root/build/$1 home
    home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$dir/CMakeCache.txt" 2>/dev/null)
    if [ -n "$home" ] && [ "$home" != "$muster_root" ]; then
        say "build/$preset was made for $home, not for this folder: making it anew"
        rm -rf "$dir"
    fi
    [ ! -f "$dir/build.ninja" ] || return 0
    say "configuring $preset"
    (cd "$muster_root" && cmake --preset "$preset" >"$muster_log" 2>&1) || {
        tail -n 30 "$muster_log"
        stop_with "cmake could not configure $preset"
    }
}

# muster_build PRESET [targets]: builds, quietly where all is well.
muster_build() {
    local preset=$1 targets=()
    shift
    [ "$#" -eq 0 ] || targets=(--target "$@")
    say "building $preset"
    (cd "$muster_root" && cmake --build "build/$preset" "${targets[@]}" >"$muster_log" 2>&1) || {
        grep -E 'error|FAILED|warning|undefined' "$muster_log" | head -n 40
        tail -n 5 "$muster_log"
        stop_with "the build of $preset did not succeed"
    }
    say "  steps done: $(grep -cE '^\[[0-9]+/[0-9]+\] (Building|Linking|Generating)' "$muster_log")"
}
