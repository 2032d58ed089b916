#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and passes the tests. Ends with one line: ok, or what failed.
#   bash tests/run.sh            build, unit, layering, format, offscreen window, one kill loop   (under 10 minutes)
#   bash tests/run.sh --all      also sanitizers, coverage, mutants, real peers, Xvfb, 20 kills, benchmarks (under 40)
#   --kills N                    so many kills in the kill loop
#   --fuzz                       longer property tests, with fresh seeds
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../resources/setup/setup.sh"

all=0 kills= fuzz=0
while [ "$#" -gt 0 ]; do
    case "$1" in
    --all) all=1 ;;
    --fuzz) fuzz=1 ;;
    --kills)
        shift
        kills=${1:-}
        case "$kills" in '' | *[!0-9]*) stop_with "--kills wants a number" ;; esac
        ;;
    -h | --help)
        sed -n '3,7p' "${BASH_SOURCE[0]}" | cut -c3-
        exit 0
        ;;
    *) stop_with "unknown option $1; there are --all, --kills N and --fuzz" ;;
    esac
    shift
done

export QT_QPA_PLATFORM=offscreen QT_NO_THREADED_GLIB=1 LC_ALL=C.UTF-8
[ "$fuzz" -eq 1 ] && export MUSTER_FUZZ=20
[ -d "$muster_root/../shared/data" ] || say "note: the public compliance data is not here; its test runs on our own cases"

step() { printf '\n== %s (%s)\n' "$1" "$(date +%T)"; }

format() {
    step format
    command -v clang-format-16 >/dev/null || { say "clang-format-16 is not here: left out"; return; }
    local wrong
    wrong=$(cd "$muster_root" && find app core ui tests \( -name '*.h' -o -name '*.cpp' \) -print0 |
        xargs -0 clang-format-16 --dry-run 2>&1 | grep -oE '^[^:]+:[0-9]+' | cut -d: -f1 | sort -u)
    [ -z "$wrong" ] || stop_with "not formatted: $(printf '%s ' $wrong)"
}

# run_tests PRESET LABELS: the ctest labels, two at a time; everything a failing test prints is shown.
run_tests() {
    step "tests $2 in $1"
    (cd "$muster_root/build/$1" && ctest -L "^($2)\$" -j2 --output-on-failure --timeout 600) ||
        stop_with "tests of $2 in $1"
}

coverage() {
    step "line coverage"
    command -v gcovr >/dev/null || { say "gcovr is not here: left out"; return; }
    (cd "$muster_root" && gcovr -r . --object-directory build/coverage --filter 'core/' --exclude-throw-branches \
        --print-summary --txt build/coverage/coverage.txt --fail-under-line 90) ||
        { tail -n 70 "$muster_root/build/coverage/coverage.txt"; stop_with "line coverage of core is under 90 %"; }
    (cd "$muster_root" && gcovr -r . --object-directory build/coverage --filter 'core/(limits|team)/' \
        --exclude-throw-branches --print-summary --txt build/coverage/limits-team.txt --fail-under-line 100) ||
        { cat "$muster_root/build/coverage/limits-team.txt"; stop_with "line coverage of limits and team is under 100 %"; }
}

muster_install "${muster_build_packages[@]}" "${muster_test_packages[@]}"
[ "$all" -eq 1 ] && muster_install "${muster_full_packages[@]}"
format

if [ "$all" -eq 0 ]; then
    muster_configure dev
    muster_build dev
    run_tests dev 'unit|net|ui|layering'
    export MUSTER_KILLS=${kills:-3}
    run_tests dev crash
else
    muster_configure coverage
    muster_build coverage
    run_tests coverage 'unit|net|ui|layering'
    coverage
    muster_configure asan
    muster_build asan
    run_tests asan 'unit|net|ui'
    muster_configure release
    muster_build release
    export MUSTER_KILLS=${kills:-20}
    run_tests release 'crash|full'
    step mutants
    python3 "$muster_root/tests/mutants/mutants.py" || stop_with "a mutant lives"
    step benchmarks
    bash "$muster_root/tests/bench/run.sh" "$muster_root/build/release" || stop_with "a benchmark did not run"
fi
say
say ok
