#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the README's tour as a reader would, and checks what it leaves and says.

usage: tour.py BUILD_DIR

The commands are the README's own: all fences marked `sh tour`, in order, in one bash that stops at the first command
that fails. Only the line that sets PATH is changed, to the programs of BUILD_DIR. Ends with 0 when all is as the
README says, with 1 otherwise.
"""
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PATH_LINE = re.compile(r'^export PATH="\$PWD/build/release/app:\$PATH"$', re.MULTILINE)
PATIENCE_S = 240


def tour(readme, build):
    """The reader's script, with each fence's number said on standard error so that a failure has a place."""
    fences = re.findall(r"^```sh tour\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    if len(fences) < 5:
        sys.exit(f"the README has {len(fences)} tour fences, at least 5 are expected")
    script, replaced = PATH_LINE.subn(lambda _: f'export PATH="{build}/app:$PATH"', "\n".join(
        f"echo '-- part {number}' >&2\n{fence}" for number, fence in enumerate(fences, 1)))
    if replaced != 1:
        sys.exit(f"the tour sets PATH {replaced} times in the expected form, not once")
    return "set -e -o pipefail\n" + script


def run(script, folder):
    """All the script says, one string. What it started goes with it, also where it fails half way."""
    wrapped = "trap 'for job in $(jobs -p); do kill \"$job\" || true; done 2> /dev/null' EXIT\n" + script
    done = subprocess.run(["bash", "-c", wrapped], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, timeout=PATIENCE_S,
                          env={"PATH": "/usr/local/bin:/usr/bin:/bin", "TMPDIR": folder, "HOME": folder, "LC_ALL": "C.UTF-8"})
    print(done.stdout, end="", flush=True)
    if done.returncode != 0:
        sys.exit(f"the tour stopped with {done.returncode} in the last part above")
    return done.stdout


class Check:
    """Counts what is not as the README says."""

    def __init__(self):
        self.wrong = 0

    def that(self, fine, what):
        if not fine:
            print(f"WRONG: {what}")
            self.wrong += 1


def rows(folder, name):
    """The data rows of the one file of that name below `folder`, read by another CSV reader than Muster's."""
    found = list(pathlib.Path(folder).rglob(name))
    if len(found) != 1:
        sys.exit(f"the tour left {len(found)} files called {name}, not one")
    with found[0].open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def check_files(folder, check):
    demo = rows(folder, "demo.csv")
    states = {state: sum(row["state"] == state for row in demo) for state in {row["state"] for row in demo}}
    expected = {"done": 441, "failed": 2, "duplicate": 1, "refused": 1}
    check.that(states == expected, f"demo.csv has {states}, not {expected}")
    pages = rows(folder, "pages.csv")
    check.that([row["row"] for row in pages] == [str(n) for n in range(1, 22)], "pages.csv has not the rows 1 to 21, in order")
    check.that([row["state"] for row in pages] == ["done"] * 20 + ["failed"], "pages.csv is not 20 done rows and a failed one")
    check.that(all(row["title"].startswith(f"Page {row['row']}: ") for row in pages[:20]), "a done row of pages.csv has not its title")
    check.that(pages[-1]["code"] == "404", "the page that does not exist was not answered with 404")
    small = rows(folder, "tour.csv")
    check.that([row["state"] for row in small] == ["done"] * 3, f"tour.csv is {small}, not three done rows")
    check.that([row["guess"] for row in small] == ["Paris", "Roma", "Wien"], "the guesses of tour.csv are not the table's, in order")
    check.that(all(row["title"].startswith(f"Page {row['number']}: ") for row in small), "a row of tour.csv has not its title")


def check_words(said, check):
    for words in ["445 rows = 441 done", "21 rows = 20 done", "3 rows = 3 done", '"10/s"', "refused, with code 2"]:
        check.that(words in said, f"the tour never said: {words}")
    answers = [line for line in said.splitlines() if line.startswith("limiters.pages.rate:")]
    check.that(len(answers) == 1 and "0 is not a rate" in answers[0] and "10/s" in answers[0],
               f"a rate of 0 was answered with {answers}, not with one sentence of place, reason and mend")
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{\"row\":")]
    check.that([line["row"] for line in lines] == [1, 2, 3], f"the JSON lines are {lines}, not the rows 1 to 3")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    if not (build / "app/muster-cli").exists():
        sys.exit(f"{build}/app/muster-cli is not there; build it first")
    script = tour((ROOT / "README.md").read_text(encoding="utf-8"), build)
    check = Check()
    with tempfile.TemporaryDirectory(prefix="muster-tour-") as folder:
        said = run(script, folder)
        check_files(folder, check)
        check_words(said, check)
    print(f"tour: {check.wrong} things are not as the README says" if check.wrong else "tour: all as the README says")
    return 1 if check.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
