// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QIODevice>

namespace muster {

/// The body of a POST or PUT as a device that can be read once. Qt cannot rewind it, so a connection that
/// dies early ends the flight instead of sending the request twice (design.md 4). Fetch thread, owned by the
/// flight's reply.
class UploadDevice final : public QIODevice
{
public:
    explicit UploadDevice(QByteArray body, QObject *parent = nullptr);

    bool isSequential() const override { return true; }
    qint64 bytesAvailable() const override;
    bool atEnd() const override { return bytesAvailable() == 0; }
    /// Qt asks for both before it sends again; the base class would print a warning of its own.
    bool seek(qint64) override { return false; }
    bool reset() override { return false; }
    /// The transport asked for the body: its connection stood, so the request may be on the wire.
    bool wasAsked() const { return m_asked; }

protected:
    qint64 readData(char *data, qint64 maxSize) override;
    qint64 writeData(const char *data, qint64 size) override;

private:
    QByteArray m_body;
    qint64 m_at = 0;
    bool m_asked = false;
};

} // namespace muster
