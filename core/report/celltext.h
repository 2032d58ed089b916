// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace muster {

/// A text that a spreadsheet would run as a formula (spec 12): it starts, after blanks, with = + - @, tab,
/// CR, LF or one of their full-width forms, and is no plain number.
bool looksLikeFormula(QByteArrayView text);

/// A sign or none, digits with points and commas between them, an exponent or none; blanks around.
bool isPlainNumber(QByteArrayView text);

/// Replaces what may not stand in a text file by U+FFFD and returns how many there were: bytes that are not
/// UTF-8, lone surrogates, U+FFFE, U+FFFF, and, where `controls` says so, control characters other than tab,
/// CR and LF.
qint64 cleanse(QByteArray &text, bool controls);

} // namespace muster
