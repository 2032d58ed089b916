// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QtGlobal>

namespace muster {

/// How many permits of one limiter instance are out, and how many may be. A shrunk limit kills nobody: it
/// grants nothing until enough came back. A value on the engine thread, owned by its LimiterInstance.
class Budget final
{
public:
    explicit Budget(std::optional<qint64> limit)
        : m_limit(limit)
    {}

    bool isFree() const { return !m_limit || m_out < *m_limit; }
    void take() { ++m_out; }
    void giveBack();
    void setLimit(std::optional<qint64> limit) { m_limit = limit; }

    qint64 out() const { return m_out; }
    std::optional<qint64> limit() const { return m_limit; }

private:
    std::optional<qint64> m_limit; ///< absent: counted, never refused
    qint64 m_out = 0;
};

} // namespace muster
