// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <QIODevice>
#include <QVector>
#include <tl/expected.hpp>

#include "core/job/intakerow.h"
#include "core/settings/problem.h"
#include "core/settings/settings.h"

namespace muster {

/// Reads a list or table as a stream and makes rows of it: encoding, separator and format found out, ranges
/// unrolled, requests rendered, refused rows kept with their reason. Its memory does not grow with the input.
/// Used on one thread at a time; owns nothing but its buffers.
class Importer final
{
public:
    /// `begin` comes once, before the first rows (never on an error of the whole); `rows` at most 5,000 at a
    /// time. Either returns false to cancel.
    struct Sink
    {
        std::function<bool(const BatchInfo &)> begin;
        std::function<bool(QVector<IntakeRow>)> rows;
    };
    struct Read
    {
        BatchInfo info;
        qint64 rows = 0;
        qint64 refused = 0;
        qint64 bytes = 0;
        bool cancelled = false;
        QVector<Problem> firstRefused; ///< at most 20, "line N", reason, mend
    };

    explicit Importer(const Settings &settings);

    /// `source`: the file's name, for the batch and for the separator (.tsv). A `.gz` is known by its first
    /// bytes. A sequential device is read once. The error names the place (line, column), the reason and the
    /// mend.
    tl::expected<Read, Problem> read(QIODevice &device, const QString &source, const Sink &sink) const;

private:
    Settings m_settings;
};

} // namespace muster
