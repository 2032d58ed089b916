#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads every include below app, core and ui, and fails on an arrow that the table below does not have.

Link lists are not enough: a header can be included without its library being linked.
"""
import pathlib
import re
import sys

# room -> the rooms whose headers it may include (its own always).
ROOMS = {
    "core/job": [],
    "core/settings": ["core/job"],
    "core/intake": ["core/job", "core/settings"],
    "core/limits": ["core/job", "core/settings"],
    "core/net": ["core/job", "core/settings"],
    "core/refine": ["core/job", "core/settings"],
    "core/store": ["core/job", "core/settings"],
    "core/team": ["core/job", "core/settings", "core/limits", "core/refine"],
    "core/report": ["core/job", "core/settings", "core/store"],
    "core/control": ["core/job", "core/settings"],
    "core/view": ["core/job", "core/settings", "core/intake", "core/limits", "core/refine", "core/store", "core/report"],
    "core/practice": ["core/job"],
    "ui": ["core/job", "core/settings", "core/view", "ui"],
    "app": ["core", "ui", "app"],
}
# room -> single headers of other rooms that it may also include: the ports.
PORTS = {"core/team": ["core/net/fetcher.h", "core/store/jobstore.h"]}
# Qt's headers by room: who may name what.
FORBIDDEN = [
    (r"^core/", r"<(QtWidgets|QtGui|QWidget|QApplication|QGui|QPainter|QPixmap|QIcon|QColor)"),
    (r"^ui/", r"<(QtNetwork|QtSql|QNetwork|QSql|QLocalSocket|QTcp)"),
    (r"^core/(?!net/|control/|practice/)", r"<(QtNetwork|QNetwork|QTcp|QSsl|QHostInfo|QHostAddress|QLocalS)"),
    (r"^core/(?!store/)", r"<(QtSql|QSql)"),
    (r"^core/net/(?!qnam|lane|upload)", r"<(QNetworkAccessManager|QNetworkReply)"),
]
WORDS = [
    (r"^(app|core|ui)/", r"ignoreSslErrors\s*\(", "TLS errors are never ignored"),
    (r"^(core|ui)/", r"\binstance\(\)", "no singletons"),
    (r"^core/", r"\btr\(", "text for people is made in ui and app"),
]


def room_of(path):
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "core" and len(parts) > 2 else parts[0]


def main(root):
    root = pathlib.Path(root)
    wrong = []
    for folder in ("app", "core", "ui"):
        for file in sorted(p for p in (root / folder).rglob("*") if p.suffix in (".h", ".cpp")):
            rel = file.relative_to(root).as_posix()
            room = room_of(rel)
            if room not in ROOMS:
                wrong.append(f"{rel}: room {room} is not in the table")
                continue
            allowed = ROOMS[room] + [room]
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                own = re.match(r'\s*#include "([^"]+)"', line)
                if own:
                    target = own.group(1)
                    if not target.startswith(("app/", "core/", "ui/")):
                        wrong.append(f"{rel}:{number}: include {target} by its whole path")
                    elif not any(target.startswith(a + "/") for a in allowed) and target not in PORTS.get(room, []):
                        wrong.append(f"{rel}:{number}: {room} may not include {target}")
                if line.lstrip().startswith("#include"):
                    wrong += [f"{rel}:{number}: {line.strip()} does not belong in {room}"
                              for where, what in FORBIDDEN if re.search(where, rel) and re.search(what, line)]
                else:
                    code = line.split("//")[0]
                    wrong += [f"{rel}:{number}: {why}" for where, what, why in WORDS
                              if re.search(where, rel) and re.search(what, code)]
    for line in wrong:
        print(line)
    print(f"layering: {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
