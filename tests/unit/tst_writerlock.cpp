// SPDX-License-Identifier: GPL-3.0-or-later
#include <csignal>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/control/runfolder.h"
#include "core/control/writerlock.h"

using namespace muster;

namespace {

WriterInfo me(const char *program = "muster-cli")
{
    return {QLatin1String(program), 0, {}, utcFromMs(1'700'000'000'000), QStringLiteral("/run/x.sock")};
}

} // namespace

class TestWriterLock final : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    QString project(const char *name)
    {
        const QString path = m_dir.filePath(QLatin1String(name));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            qFatal("no file");
        return path;
    }

private Q_SLOTS:
    void tellsWhoHasIt();
    void refusesThroughLinks();
    void aDeadHolderDoesNotBlock();
    void aLeftFileDoesNotBlock();
    void saysWhyItCannotLock();
    void leavesNothingBehind();
    void socketsLieInAFolderOfOurs();
    void refusesAFolderOfOthers();
};

void TestWriterLock::tellsWhoHasIt()
{
    const QString file = project("PE-05.muster");
    QVERIFY(!WriterLock::holder(file));
    auto lock = WriterLock::take(file, me());
    QVERIFY(lock);
    const auto second = WriterLock::take(file, me("muster"));
    QVERIFY(!second);
    QVERIFY(second.error().held);
    QCOMPARE(*second.error().holder, (*lock)->info());
    QCOMPARE((*lock)->info().pid, qint64(::getpid()));
    QVERIFY(second.error().what.contains(describe((*lock)->info())));
    QVERIFY(describe((*lock)->info()).contains(QStringLiteral("2023-11-14 22:13:20 UTC")));
    QCOMPARE(WriterLock::holder(file), std::optional<WriterInfo>((*lock)->info()));
    lock->reset();
    QVERIFY(!WriterLock::holder(file));
    QVERIFY(WriterLock::take(file, me("muster")));
}

void TestWriterLock::refusesThroughLinks()
{
    const QString file = project("real.muster");
    QVERIFY(QDir(m_dir.path()).mkdir(QStringLiteral("other")));
    const QString link = m_dir.filePath(QStringLiteral("other/link.muster"));
    QVERIFY(QFile::link(file, link));
    const auto lock = WriterLock::take(link, me());
    QVERIFY(lock);
    QVERIFY(!WriterLock::take(file, me()));
    QVERIFY(!WriterLock::take(m_dir.filePath(QStringLiteral("other/../real.muster")), me()));
    QCOMPARE(socketPath(link), socketPath(file));
}

void TestWriterLock::aDeadHolderDoesNotBlock()
{
    const QString file = project("killed.muster");
    int ready[2];
    QCOMPARE(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const auto lock = WriterLock::take(file, me("child"));
        const char said = lock ? 'y' : 'n';
        (void)!::write(ready[1], &said, 1);
        for (;;)
            ::pause();
    }
    char said = 0;
    QCOMPARE(::read(ready[0], &said, 1), ssize_t(1));
    QCOMPARE(said, 'y');
    const auto refused = WriterLock::take(file, me());
    QVERIFY(!refused);
    QCOMPARE(refused.error().holder->pid, qint64(child));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    QVERIFY(QFile::exists(WriterLock::lockPath(file))); // it had no time to tidy up
    QVERIFY(!WriterLock::holder(file));
    QVERIFY(WriterLock::take(file, me()));
    ::close(ready[0]);
    ::close(ready[1]);
}

void TestWriterLock::aLeftFileDoesNotBlock()
{
    const QString file = project("stale.muster");
    QFile left(WriterLock::lockPath(file));
    QVERIFY(left.open(QIODevice::WriteOnly));
    left.write("{\"pid\":1,\"program\":\"init\"} and rubbish");
    left.close();
    QVERIFY(!WriterLock::holder(file));
    const auto lock = WriterLock::take(file, me());
    QVERIFY(lock);
    QCOMPARE(WriterLock::holder(file)->program, QStringLiteral("muster-cli"));
}

void TestWriterLock::saysWhyItCannotLock()
{
    const auto nowhere = WriterLock::take(m_dir.filePath(QStringLiteral("no/such/x.muster")), me());
    QVERIFY(!nowhere);
    QVERIFY(!nowhere.error().held);
    QVERIFY(nowhere.error().what.contains(QStringLiteral("cannot be locked")));
    const QString file = project("linked.muster");
    QVERIFY(QFile::link(m_dir.filePath(QStringLiteral("target")), WriterLock::lockPath(file)));
    QVERIFY(!WriterLock::take(file, me())); // a link in place of the lock file is not followed
    QVERIFY(!QFile::exists(m_dir.filePath(QStringLiteral("target"))));
}

void TestWriterLock::leavesNothingBehind()
{
    const QString file = project("tidy.muster");
    {
        const auto lock = WriterLock::take(file, me());
        struct stat s = {};
        QCOMPARE(::stat(QFile::encodeName(WriterLock::lockPath(file)).constData(), &s), 0);
        QCOMPARE(s.st_mode & 0777, mode_t(0600));
    }
    QVERIFY(!QFile::exists(WriterLock::lockPath(file)));
}

void TestWriterLock::socketsLieInAFolderOfOurs()
{
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_dir.path()));
    QCOMPARE(runFolder().value(), m_dir.filePath(QStringLiteral("muster")));
    struct stat s = {};
    QCOMPARE(::stat(QFile::encodeName(*runFolder()).constData(), &s), 0);
    QCOMPARE(s.st_mode & 0777, mode_t(0700));
    qunsetenv("XDG_RUNTIME_DIR");
    qputenv("XDG_STATE_HOME", QFile::encodeName(m_dir.filePath(QStringLiteral("state"))));
    QCOMPARE(runFolder().value(), m_dir.filePath(QStringLiteral("state/muster/run")));
    qputenv("XDG_STATE_HOME", "relative");
    qputenv("HOME", QFile::encodeName(m_dir.path()));
    QCOMPARE(runFolder().value(), m_dir.filePath(QStringLiteral(".local/state/muster/run")));
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_dir.filePath(QString(60, u'x'))));
    QVERIFY(QDir().mkpath(m_dir.filePath(QString(60, u'x'))));
    QVERIFY(!socketPath(QStringLiteral("/x/y.muster")) ||
            QFile::encodeName(*socketPath(QStringLiteral("/x/y.muster"))).size() < 108);
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_dir.filePath(QString(100, u'y'))));
    QVERIFY(QDir().mkpath(m_dir.filePath(QString(100, u'y'))));
    QVERIFY(socketPath(QStringLiteral("/x/y.muster")).error().contains(QStringLiteral("too long")));
    qunsetenv("XDG_RUNTIME_DIR");
}

void TestWriterLock::refusesAFolderOfOthers()
{
    const QString runtime = m_dir.filePath(QStringLiteral("strange"));
    QVERIFY(QDir().mkpath(runtime));
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(runtime));
    QVERIFY(QFile::link(m_dir.path(), runtime + QStringLiteral("/muster")));
    QVERIFY(!runFolder());
    QVERIFY(QFile::remove(runtime + QStringLiteral("/muster")));
    QVERIFY(QDir().mkpath(runtime + QStringLiteral("/muster")));
    QCOMPARE(::chmod(QFile::encodeName(runtime + QStringLiteral("/muster")).constData(), 0755), 0);
    QVERIFY(runFolder()); // ours: closed to others
    struct stat s = {};
    QCOMPARE(::stat(QFile::encodeName(*runFolder()).constData(), &s), 0);
    QCOMPARE(s.st_mode & 0777, mode_t(0700));
    qputenv("XDG_RUNTIME_DIR", "/proc/self");
    QVERIFY(!runFolder());
    QVERIFY(!socketPath(QStringLiteral("/x")));
    qunsetenv("XDG_RUNTIME_DIR");
    qputenv("XDG_STATE_HOME", "/proc/self");
    QVERIFY(!runFolder());
}

QTEST_GUILESS_MAIN(TestWriterLock)
#include "tst_writerlock.moc"
