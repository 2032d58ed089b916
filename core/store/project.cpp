// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/project.h"

#include <fcntl.h>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <unistd.h>

#include "core/store/copier.h"
#include "core/store/desk.h"
#include "core/store/importwriter.h"
#include "core/store/recovery.h"
#include "core/store/retirewriter.h"
#include "core/store/schema.h"
#include "core/store/verbs.h"

namespace muster {

namespace {

constexpr qint64 checkpointStep = 4 * 1024 * 1024;
constexpr qint64 importCheckpointStep =
    128 * 1024 * 1024; ///< pages of the identity index come again and again

bool sharesDuplicates(const QByteArray &settings)
{
    const QJsonObject request =
        QJsonDocument::fromJson(settings).object().value(QLatin1String("request")).toObject();
    return request.value(QLatin1String("duplicates")).toString() != QLatin1String("fetch");
}

} // namespace

struct Project::Private
{
    Desk desk;
    ImportWriter import{desk};
    QByteArray settings;
    QStringList notes;
    qint64 nextCheckpoint = checkpointStep;

    void checkpointPast(qint64 step);
    void checkpoint();
    qint64 logSize() const { return QFileInfo(desk.connection->path() + QLatin1String("-wal")).size(); }
};

Project::Project()
    : d(std::make_unique<Private>())
{}

Project::~Project() = default;

StoreResult<std::unique_ptr<Project>> Project::create(const QString &path, const QByteArray &settings)
{
    MUSTER_TRY(makeProjectFile(path, [&settings](Connection &c) { return schema::create(c, settings); }));
    return open(path);
}

StoreResult<std::unique_ptr<Project>> Project::open(const QString &path)
{
    MUSTER_TRY(schema::checkFile(path));
    {
        // Read-only first: a file that is not ours or newer is left as it is, to the byte.
        MUSTER_TAKE(look, Connection::open(path, Connection::Mode::Look));
        MUSTER_TRY(schema::checkSchema(*look));
    }
    std::unique_ptr<Project> project(new Project);
    Private &p = *project->d;
    MUSTER_TAKE(connection, Connection::open(path, Connection::Mode::Write));
    p.desk.connection = std::move(connection);
    Connection &c = *p.desk.connection;
    MUSTER_TRY(p.desk.ledger.load(c));
    MUSTER_TAKE(run, c.value("SELECT max(run) FROM run"));
    p.desk.run = run.toLongLong();
    MUSTER_TAKE(document, c.value("SELECT CAST(value AS BLOB) FROM settings WHERE key='document'"));
    p.settings = document.toByteArray();
    MUSTER_TAKE(dropped, p.import.dropUnfinished());
    MUSTER_TAKE(notes, recover(p.desk));
    if (dropped > 0)
        p.notes << QStringLiteral("an unfinished import was removed; import the list again");
    p.notes += notes;
    return project;
}

QStringList Project::openingNotes() const
{
    return d->notes;
}

QByteArray Project::settings() const
{
    return d->settings;
}

StoreResult<Project::Changed> Project::setSettings(const QByteArray &document, const QString &key,
                                                   const QByteArray &from, const QByteArray &to, Utc at,
                                                   const Rerender &render)
{
    if (render && d->import.isOpen())
        return tl::make_unexpected(StoreError{
            StoreError::Kind::Busy, QStringLiteral("the template cannot change while an import is running")});
    Connection &c = *d->desk.connection;
    Changed changed;
    MUSTER_TRY(d->desk.write([&]() -> StoreResult<void> {
        ++d->desk.ledger.now.seq;
        MUSTER_TRY(
            c.run("UPDATE settings SET value=CAST(? AS TEXT) WHERE key='document'", {bytes(document)}));
        MUSTER_TRY(c.run("INSERT INTO history(at, key, old, new) VALUES(?, CAST(? AS TEXT), CAST(? AS TEXT), "
                         "CAST(? AS TEXT))",
                         {toMs(at), bytes(key.toUtf8()), bytes(from), bytes(to)}));
        if (!render)
            return {};
        MUSTER_TAKE(counts, rerenderRows(d->desk, render, sharesDuplicates(document)));
        changed = {counts.changed, counts.left};
        return {};
    }));
    if (render)
        d->desk.book.invalidate();
    d->settings = document;
    return changed;
}

StoreResult<QByteArray> Project::secretHosts() const
{
    MUSTER_TAKE(
        v, d->desk.connection->value("SELECT CAST(value AS BLOB) FROM settings WHERE key='secret_hosts'"));
    return v.isNull() ? QByteArrayLiteral("[]") : v.toByteArray();
}

StoreResult<void> Project::setSecretHosts(const QByteArray &json)
{
    return d->desk.write([&]() -> StoreResult<void> {
        MUSTER_TRY(d->desk.connection->run(
            "INSERT INTO settings(key, value) VALUES('secret_hosts', CAST(? AS TEXT)) "
            "ON CONFLICT(key) DO UPDATE SET value=excluded.value",
            {bytes(json)}));
        return {};
    });
}

Ledger Project::ledger() const
{
    return d->desk.ledger.kept().ledger;
}

qint64 Project::seq() const
{
    return d->desk.ledger.kept().seq;
}

qint64 Project::run() const
{
    return d->desk.run;
}

StoreResult<qint64> Project::beginImport(const BatchInfo &info, Utc at)
{
    return d->import.begin(info, at, sharesDuplicates(d->settings));
}

StoreResult<void> Project::addRows(qint64 batch, const QVector<IntakeRow> &rows)
{
    return d->import.add(batch, rows, [this] { d->checkpointPast(importCheckpointStep); });
}

StoreResult<ImportCounts> Project::finishImport(qint64 batch)
{
    return d->import.finish(batch);
}

StoreResult<void> Project::dropImport(qint64 batch)
{
    return d->import.drop(batch);
}

StoreResult<Project::Changed> Project::apply(Verb verb, const Selector &where, Utc)
{
    MUSTER_TAKE(counts, applyVerb(d->desk, static_cast<int>(verb), where));
    return Changed{counts.changed, counts.left};
}

StoreResult<void> Project::copyTo(const QString &path, What what) const
{
    const QString &from = d->desk.connection->path();
    switch (what) {
    case What::Settings:
        return makeProjectFile(path, [this](Connection &c) { return schema::create(c, d->settings); });
    case What::Todo:
        return copyRest(from, path, d->settings);
    case What::All:
        break;
    }
    return copyWhole(from, path);
}

StoreResult<Drawn> Project::draw(const DrawOrder &order)
{
    return d->desk.book.draw(*d->desk.connection, d->desk.hosts, order);
}

void Project::giveBack(const QVector<qint64> &rows)
{
    d->desk.book.giveBack(rows);
}

StoreResult<qint64> Project::arm(const QVector<Arming> &armings)
{
    RetireWriter writer(d->desk);
    MUSTER_TRY(d->desk.write([&]() -> StoreResult<void> {
        ++d->desk.ledger.now.seq;
        for (const Arming &a : armings)
            MUSTER_TRY(writer.arm(a));
        return {};
    }));
    for (const RetireWriter::QueueChange &q : writer.changes())
        d->desk.book.unqueued(q.row, q.host, q.notBefore);
    for (const Arming &a : armings)
        d->desk.book.armed(a.row);
    return seq();
}

StoreResult<RetireReceipt> Project::retire(const QVector<Retired> &batch)
{
    RetireWriter writer(d->desk);
    MUSTER_TRY(d->desk.write([&]() -> StoreResult<void> {
        ++d->desk.ledger.now.seq;
        for (const Retired &r : batch)
            MUSTER_TRY(writer.write(r));
        return {};
    }));
    for (const RetireWriter::QueueChange &q : writer.changes())
        if (q.entered)
            d->desk.book.queued(q.row, q.host, q.notBefore);
        else
            d->desk.book.unqueued(q.row, q.host, q.notBefore);
    return RetireReceipt{seq(), ledger()};
}

StoreResult<QHash<QByteArray, Utc>> Project::closedHosts() const
{
    MUSTER_TAKE(q, d->desk.connection->query(QStringLiteral(
                       "SELECT CAST(name AS BLOB), closed_until FROM host WHERE closed_until IS NOT NULL")));
    QHash<QByteArray, Utc> hosts;
    while (q.next())
        hosts.insert(q.value(0).toByteArray(), utcFromMs(q.value(1).toLongLong()));
    return hosts;
}

StoreResult<bool> Project::isListedHost(const QByteArray &host) const
{
    MUSTER_TAKE(listed, d->desk.connection->value(
                            "SELECT listed IS NOT NULL FROM host WHERE name=CAST(? AS TEXT)", {bytes(host)}));
    return listed.toInt() == 1;
}

void Project::Private::checkpointPast(qint64 step)
{
    if (logSize() >= std::max(step, nextCheckpoint))
        checkpoint();
}

void Project::Private::checkpoint()
{
    const auto pragma = [this](const QString &mode) { // busy, frames in the log, frames in the file
        auto q = desk.connection->query(QStringLiteral("PRAGMA wal_checkpoint(%1)").arg(mode));
        return q && q->next() && q->value(0).toInt() == 0 && q->value(1).toInt() == q->value(2).toInt();
    };
    bool isEmpty = pragma(QStringLiteral("PASSIVE"));
    if (isEmpty) {
        // A log that was copied keeps its size, and would look full after every commit from now on. No
        // waiting for readers here: the writer must stay free.
        (void)desk.connection->runOnce(QStringLiteral("PRAGMA busy_timeout=0"));
        isEmpty = pragma(QStringLiteral("TRUNCATE"));
        (void)desk.connection->runOnce(QStringLiteral("PRAGMA busy_timeout=5000"));
    }
    nextCheckpoint = isEmpty ? checkpointStep : logSize() + checkpointStep; // a reader needs the rest of it
}

void Project::setBusyTimeout(int ms)
{
    (void)d->desk.connection->runOnce(QStringLiteral("PRAGMA busy_timeout=%1").arg(ms));
}

void Project::checkpoint(bool idle)
{
    if (!idle)
        d->checkpointPast(checkpointStep);
    else if (d->logSize() > 0)
        d->checkpoint();
}

} // namespace muster
