// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace muster {

/// SIGINT and SIGTERM as Qt signals: the handler writes one byte to a pipe, the event loop reads it. One
/// object in a program, made on the main thread before others are started.
class UnixSignals final : public QObject
{
    Q_OBJECT

public:
    explicit UnixSignals(QObject *parent = nullptr);
    ~UnixSignals() override;
    Q_DISABLE_COPY_MOVE(UnixSignals)

    int last() const { return m_last; }

Q_SIGNALS:
    void asked(int signal); ///< the first time: to end in good order
    void insisted();        ///< the second time: at once

private:
    void read();
    int m_last = 0;
};

} // namespace muster
