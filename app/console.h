// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <string>

#include "app/exitcode.h"
#include "core/job/describe.h"
#include "core/settings/problem.h"

namespace muster {

/// Data goes to standard output, all else to standard error (spec 10).
void print(const QByteArray &data);
void say(const QString &line);
void say(const QStringList &lines);
void say(const Problems &problems);
/// A file's bytes; `-` is standard input.
OrStop<QByteArray> contentOf(const std::string &path);
/// Why a file cannot be read, as a sentence with its name.
QString whyUnreadable(const QString &path);
QString text(const std::string &s);
QString absolutePath(const std::string &path);
Utc wallClock();
/// Says why and gives the code to return from main.
int endWith(const Stop &stop);
int endWith(ExitCode code);
bool errorIsTerminal();

} // namespace muster
