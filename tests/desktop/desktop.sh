#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The real window under a real (virtual) display and window manager, worked by its keys: pause, start, close. What it
# did is asked of muster-cli. usage: desktop.sh BUILD_DIR; ends with 0 when all went well.
set -u
[ -x "${1:-}/app/muster" ] || { echo "usage: desktop.sh BUILD_DIR, with the programs in BUILD_DIR/app"; exit 1; }
bin=$(cd "$1/app" && pwd)

if [ -z "${MUSTER_DESKTOP_INSIDE:-}" ]; then
    export MUSTER_DESKTOP_INSIDE=1 QT_QPA_PLATFORM=xcb
    unset WAYLAND_DISPLAY
    exec xvfb-run -a -s "-screen 0 1400x900x24" bash "${BASH_SOURCE[0]}" "$1"
fi

folder=$(mktemp -d) project=$folder/desktop.muster window='' manager='' app=''
finish() {
    for pid in $app $manager; do kill "$pid" 2>/dev/null; done
    rm -rf "$folder"
}
trap finish EXIT
wrong() {
    echo "WRONG: $*"
    echo "status: $("$bin/muster-cli" status "$project" --json 2>&1)"
    tail -n 20 "$folder/said"
    exit 1
}

# until_true SECONDS COMMAND...: asks again and again, since only the program knows when it is ready.
until_true() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.1
    done
}
state_is() {
    [ "$("$bin/muster-cli" status "$project" --json 2>/dev/null |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["state"])' 2>/dev/null)" = "$1" ]
}
queued() {
    "$bin/muster-cli" status "$project" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["rows"]["queued"])'
}
find_window() { window=$(xdotool search --onlyvisible --pid "$app" --name 'Muster' 2>/dev/null | head -n 1) && [ -n "$window" ]; }
has_focus() { xdotool windowactivate "$window" 2>/dev/null && [ "$(xdotool getactivewindow 2>/dev/null)" = "$window" ]; }
managed() { xdotool getactivewindow >/dev/null 2>&1 || xdotool get_desktop >/dev/null 2>&1; }
gone() { ! kill -0 "$app" 2>/dev/null; }

openbox >/dev/null 2>&1 &
manager=$!
until_true 60 managed || wrong "the window manager is not there"
"$bin/muster" --practice "$project" >"$folder/said" 2>&1 &
app=$!
until_true 30 find_window || wrong "no window was shown"
until_true 10 has_focus || wrong "the window cannot be made the active one"
until_true 10 state_is running || wrong "the practice crawl does not run"

xdotool key --clearmodifiers F6
until_true 10 state_is paused || wrong "F6 does not pause"
before=$(queued)
[ "$before" -gt 0 ] || wrong "nothing was left to pause"
echo "paused with $before rows queued"

xdotool key --clearmodifiers F5
until_true 10 state_is running || wrong "F5 does not go on"
fewer() { [ "$(queued)" -lt "$before" ]; }
until_true 10 fewer || wrong "after F5 no row is sent"
echo "went on: $(queued) rows queued"

xdotool key --clearmodifiers ctrl+q
until_true 20 gone || wrong "Ctrl+Q does not close the window"
wait "$app"
code=$?
app=''
[ "$code" -eq 0 ] || wrong "the window ended with $code"
python3 - "$project" <<'PYTHON' || wrong "the project is not in order after the window closed"
import sqlite3, sys
base = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
PYTHON
[ "$(queued)" -gt 0 ] || wrong "closing half way left no queue"
echo "closed with $(queued) rows queued, code 0"
[ ! -s "$folder/said" ] || { echo "the window said:"; cat "$folder/said"; }
