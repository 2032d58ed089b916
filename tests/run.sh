#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and passes the tests. Ends with one line: ok, or what failed.
#   bash tests/run.sh            build, format, layering, unit, net and offscreen window tests, one kill loop
#   bash tests/run.sh --all      also coverage, sanitizers, mutants, the README's tour, a real window, benchmarks
#   --kills N                    so many kills in the kill loop (3; with --all 20)
#   --fuzz                       also the property tests twenty times more, each time with a fresh seed
# Two cores need under 10 minutes for the first, under 40 for the second.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../resources/setup/setup.sh"

all=0 kills='' fuzz=0
while [ "$#" -gt 0 ]; do
    case "$1" in
    --all) all=1 ;;
    --fuzz) fuzz=1 ;;
    --kills)
        shift
        kills=${1:-}
        case "$kills" in '' | *[!0-9]* | 0*) stop_with "--kills wants a number from 1" ;; esac
        ;;
    -h | --help)
        sed -n '3,8p' "${BASH_SOURCE[0]}" | cut -c3-
        exit 0
        ;;
    *) stop_with "unknown option $1; there are --all, --kills N and --fuzz" ;;
    esac
    shift
done

export QT_QPA_PLATFORM=offscreen QT_NO_THREADED_GLIB=1 LC_ALL=C.UTF-8
unset MUSTER_SEED # every run tries something new; a seed that fails is printed

# step NAME: a heading, and under it how long the step before took.
step_name='' step_begun=$SECONDS
step() {
    [ -z "$step_name" ] || say "   ($step_name: $((SECONDS - step_begun)) s)"
    step_name=$1 step_begun=$SECONDS
    [ "$#" -eq 0 ] || [ -z "$1" ] || printf '\n== %s\n' "$1"
}

format() {
    step format
    command -v clang-format-16 >/dev/null || {
        say "clang-format-16 is not here: left out"
        return
    }
    local wrong
    wrong=$(cd "$muster_root" && find app core ui tests \( -name '*.h' -o -name '*.cpp' \) -print0 |
        xargs -0 clang-format-16 --dry-run 2>&1 | grep -oE '^[^:]+:[0-9]+' | cut -d: -f1 | sort -u | tr '\n' ' ')
    [ -z "$wrong" ] || stop_with "not formatted: $wrong"
}

# build PRESET [targets]
build() {
    step "build of $1"
    muster_configure "$1"
    muster_build "$@"
}

# The test programs of these folders, as targets.
programs_of() {
    local folder file
    for folder in "$@"; do
        for file in "$muster_root/tests/$folder"/tst_*.cpp; do
            [ ! -e "$file" ] || basename "$file" .cpp
        done
    done
}

# run_tests PRESET LABELS: the ctest labels, two at a time; everything a failing test prints is shown.
run_tests() {
    step "tests $2 in $1"
    (cd "$muster_root/build/$1" && ctest -L "^($2)\$" -j2 --no-tests=error --output-on-failure --timeout 600) ||
        stop_with "tests $2 in $1"
}

# The property tests are those whose source takes a seed, itself or through the model or the crawl it uses.
fuzz() {
    step "property tests with twenty fresh seeds"
    local names seed round
    names=$(cd "$muster_root/tests" && grep -lE 'MUSTER_SEED|limitmodel\.h|testcrawl\.h' unit/tst_*.cpp net/tst_*.cpp |
        sed 's,.*/\(.*\)\.cpp,\1,' | paste -sd'|')
    [ -n "$names" ] || stop_with "no property test was found"
    for round in $(seq 20); do
        seed=$((RANDOM * 32768 + RANDOM + 1))
        say "round $round, MUSTER_SEED=$seed"
        (cd "$muster_root/build/$1" && MUSTER_SEED=$seed ctest -Q -R "^($names)\$" -j2 --no-tests=error \
            -O Testing/fuzz.log --output-on-failure --timeout 600) || {
            tail -n 60 "$muster_root/build/$1/Testing/fuzz.log"
            stop_with "a property test; MUSTER_SEED=$seed repeats it"
        }
    done
}

# cover NAME FILTER PERCENT
cover() {
    local text=$muster_root/build/coverage/$1.txt
    (cd "$muster_root" && gcovr -r . --object-directory build/coverage --filter "$2" --exclude-throw-branches \
        --print-summary --txt "$text" --fail-under-line "$3") || {
        tail -n 80 "$text"
        stop_with "line coverage of $1 is under $3 %"
    }
}

coverage() {
    step "line coverage"
    command -v gcovr >/dev/null || {
        say "gcovr is not here: left out"
        return
    }
    cover core 'core/' 90
    cover limits-and-team 'core/(limits|team)/' 100
}

muster_install "${muster_build_packages[@]}" "${muster_test_packages[@]}"
[ "$all" -eq 0 ] || muster_install "${muster_full_packages[@]}"
[ -d "$muster_root/../shared/data" ] || say "note: the public compliance data is not here; its test runs on our own cases"
format

if [ "$all" -eq 0 ]; then
    build dev
    run_tests dev 'unit|net|ui|layering'
    [ "$fuzz" -eq 0 ] || fuzz dev
    export MUSTER_KILLS=${kills:-3}
    run_tests dev crash
else
    # Each build has what its own tests need and no more: building is most of the time.
    build coverage $(programs_of unit net)
    find "$muster_root/build/coverage" -name '*.gcda' -delete # counts of an older build do not fit this one
    run_tests coverage 'unit|net|layering'
    coverage
    [ "$fuzz" -eq 0 ] || fuzz coverage
    build asan $(programs_of unit net)
    run_tests asan 'unit|net'
    build release muster muster-cli $(programs_of ui crash) # the unit tests have run twice by now
    export MUSTER_KILLS=${kills:-20}
    run_tests release 'ui|crash|full'
    step "the README's tour"
    python3 "$muster_root/tests/tour/tour.py" "$muster_root/build/release" || stop_with "the tour"
    step "a real window"
    bash "$muster_root/tests/desktop/desktop.sh" "$muster_root/build/release" || stop_with "the window test"
    step mutants
    python3 "$muster_root/tests/mutants/mutants.py" || stop_with "a mutant lives"
    step benchmarks
    bash "$muster_root/tests/bench/run.sh" "$muster_root/build/release" || stop_with "a benchmark did not run"
fi
step ''
say "all of it: $SECONDS s"
say ok
