// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <QByteArray>

namespace muster {

/// A secret's value. It has no formatting, no stream operator, no comparison with text: the only way out is
/// `use()`, which the fetcher calls when it writes the request.
class Secret final
{
public:
    Secret() = default;
    explicit Secret(QByteArray value)
        : m_value(std::move(value))
    {}
    bool isEmpty() const { return m_value.isEmpty(); }
    /// The value itself. Callers send it; they never store, log or return it.
    const QByteArray &use() const { return m_value; }

private:
    QByteArray m_value;
};

/// Secrets by name, as looked up at Start (spec 9). A value, shared read-only between threads.
using SecretBook = std::map<QByteArray, Secret>;

} // namespace muster
