#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds Muster and starts it on the built-in practice crawl: in a window where there is a
# display, else without one, with the CSV and a picture of the window written. Ends with one line: ok, or what failed.
# MUSTER_HEADLESS=1 goes without the window in any case, MUSTER_DEMO_DIR says where the files go (build/practice).
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../resources/setup/setup.sh"

muster_install "${muster_build_packages[@]}"
muster_configure release
muster_build release muster muster-cli

out=${MUSTER_DEMO_DIR:-$muster_root/build/practice}
mkdir -p "$out" || stop_with "cannot make $out"
bin=$muster_root/build/release/app
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && [ -z "${MUSTER_HEADLESS:-}" ]; then
    say "opening the practice crawl in a window"
    "$bin/muster" --practice "$out/practice.muster" ||
        stop_with "muster ended with $?; where the display cannot be used, try MUSTER_HEADLESS=1 bash app/run.sh"
else
    say "no window: the practice crawl runs here, about 30 s"
    QT_QPA_PLATFORM=offscreen "$bin/muster" --practice "$out/practice.muster" --headless \
        --export "$out/practice.csv" --screenshot "$out/practice.png" || stop_with "muster ended with $?"
    [ -s "$out/practice.csv" ] || stop_with "no CSV was written"
    [ -s "$out/practice.png" ] || stop_with "no picture was written"
    say "CSV: $out/practice.csv"
    say "picture: $out/practice.png"
fi
say ok
