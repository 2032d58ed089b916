#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Breaks the code on purpose, one mistake at a time, and checks that a test notices.

usage: mutants.py [--only TEXT] [--tree DIR] [--jobs N]

The mutants are the lists in *.json beside this file: name, file, old (exact text, there exactly once), new, the test
program that must fail and, where one is enough, its test function. Each is applied to a scratch copy of the tree
(build/mutants, kept for the next time); only that program is built, in one build folder for all of them, so that
little is compiled again. First every test must pass unbroken.
Ends with 0 when every mutant was caught, with 1 otherwise.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
KEYS = {"name", "file", "old", "new", "test"}


def load():
    """The mutants of every table, each checked against the source as it is."""
    mutants, wrong = [], []
    for table in sorted(HERE.glob("*.json")):
        for mutant in json.loads(table.read_text(encoding="utf-8")):
            if set(mutant) - {"function"} != KEYS:
                wrong.append(f"{table.name}: an entry has the keys {sorted(mutant)}, it needs {sorted(KEYS)}")
                continue
            source = ROOT / mutant["file"]
            found = source.read_text(encoding="utf-8").count(mutant["old"]) if source.exists() else 0
            if found != 1:
                wrong.append(f"{table.name}: {mutant['name']}: the old text is {found} times in {mutant['file']}, not once")
            mutants.append(mutant)
    return mutants, wrong


def copy_tree(to):
    """Only what differs is written, so that a second run compiles little. What is gone here goes there too."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], cwd=ROOT, check=True,
                            stdout=subprocess.PIPE).stdout.decode().split("\0")
    names = {name for name in listed if name and (ROOT / name).is_file()}
    for name in names:
        source, copy = ROOT / name, to / name
        if not copy.exists() or copy.read_bytes() != source.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
    for copy in [p for p in to.rglob("*") if p.is_file()]:
        name = copy.relative_to(to).as_posix()
        if not name.startswith("build/") and name not in names:
            copy.unlink()


def build(tree, test, jobs):
    """The program's path, or the end of the compiler's words."""
    env = dict(os.environ, CCACHE_BASEDIR=str(tree), CCACHE_NOHASHDIR="1")
    done = subprocess.run(["cmake", "--build", "--preset", "dev", f"-j{jobs}", "--target", test], cwd=tree, env=env,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return (tree / "build/dev/tests" / test, "") if done.returncode == 0 else (None, done.stdout[-2000:])


def run(program, function=None):
    """True where the test passes; a crash and a hang count as noticed."""
    env = dict(os.environ, QT_QPA_PLATFORM="offscreen", QT_NO_THREADED_GLIB="1", LC_ALL="C.UTF-8")
    try:
        done = subprocess.run([program] + ([function] if function else []), cwd=program.parent, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=120)
    except subprocess.TimeoutExpired:
        return False, "no end within 120 s"
    text = done.stdout.decode(errors="replace").splitlines()
    return done.returncode == 0, next((line for line in text if line.startswith(("FAIL!", "QFATAL"))), f"exit {done.returncode}")


def try_one(tree, mutant, jobs):
    target = tree / mutant["file"]
    whole = target.read_text(encoding="utf-8")
    target.write_text(whole.replace(mutant["old"], mutant["new"]), encoding="utf-8")
    try:
        program, words = build(tree, mutant["test"], jobs)
        if program is None:
            return False, "does not compile, which proves nothing:\n" + words
        passed, line = run(program, mutant.get("function"))
        return not passed, "no test noticed" if passed else line
    finally:
        target.write_text(whole, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help="only mutants whose name has this text")
    parser.add_argument("--tree", type=pathlib.Path, default=ROOT / "build/mutants", help="folder of the scratch copy")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    mutants, wrong = load()
    mutants = [m for m in mutants if options.only in m["name"]]
    if wrong or not mutants:
        print("\n".join(wrong) or f"no mutant has \"{options.only}\" in its name")
        return 1
    tree = options.tree
    tree.mkdir(parents=True, exist_ok=True)
    copy_tree(tree)
    subprocess.run(["cmake", "--preset", "dev"], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    for test in sorted({m["test"] for m in mutants}):
        program, words = build(tree, test, options.jobs)
        passed, line = run(program) if program else (False, words)
        if not passed:
            print(f"{test} fails without any mutant: {line}")
            return 1
    missed = 0
    for mutant in mutants:
        begun = time.monotonic()
        caught, words = try_one(tree, mutant, options.jobs)
        missed += not caught
        print(f"{'caught' if caught else 'MISSED'}  {mutant['name']} ({time.monotonic() - begun:.0f} s)  {words}", flush=True)
    print(f"mutants: {len(mutants)} tried, {missed} missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
