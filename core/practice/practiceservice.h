// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <QByteArray>
#include <QObject>
#include <QString>

namespace muster::practice {

/// The practice service: three small HTTP/1.1 services on loopback, each at an address of its own (127.0.0.1
/// to 127.0.0.3, port 0), on a thread of its own. The only thing in Muster that listens on a network socket.
class PracticeService final
{
public:
    PracticeService();
    ~PracticeService(); ///< stops listening and waits for its thread
    Q_DISABLE_COPY_MOVE(PracticeService)

    /// Empty: all three listen. Else one sentence why not.
    QString start();
    QByteArray ratesUrl() const; ///< "http://127.0.0.1:PORT"
    QByteArray geocoderUrl() const;
    QByteArray pagesUrl() const;

    /// The list of the practice crawl, as CSV with a header: url, kind, query.
    QByteArray list() const;
    /// Settings that fit it: limits a little below what the services allow, fields for each kind.
    QByteArray settings() const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace muster::practice
