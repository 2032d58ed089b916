// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonArray>
#include <QLocalSocket>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <thread>

#include "core/control/controlclient.h"
#include "core/control/controlserver.h"

using namespace muster;

class TestControl final : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    int m_n = 0;
    std::unique_ptr<WriterLock> lock()
    {
        const QString path = m_dir.filePath(QStringLiteral("%1").arg(++m_n));
        WriterInfo info;
        info.socket = path + QStringLiteral(".sock");
        auto taken = WriterLock::take(path, info);
        return taken ? std::move(*taken) : nullptr;
    }
    /// The console is another program: it blocks in a thread of its own.
    static tl::expected<Reply, ControlFailure>
    ask(const QString &socket, const Command &command,
        std::chrono::milliseconds timeout = std::chrono::seconds(5))
    {
        std::optional<tl::expected<Reply, ControlFailure>> answer;
        std::atomic<bool> there = false;
        std::thread console([&] {
            answer = askWriter(socket, command, timeout);
            there = true;
        });
        (void)QTest::qWaitFor([&] { return there.load(); }, 20'000);
        console.join();
        return *answer;
    }

private Q_SLOTS:
    void messagesComeBackAsTheyWere();
    void badLinesAreNamed_data();
    void badLinesAreNamed();
    void answersAfterTheCommit();
    void answersBadInputAndGoesOn();
    void cutsOffWhatIsTooLong();
    void repliesInTheOrderOfTheCommands();
    void aReplyToNobodyIsDropped();
    void saysWhenThereIsNoAnswer();
    void takesAStaleSocketOver();
    void needsASocket();
    void limitsConnections();
};

void TestControl::messagesComeBackAsTheyWere()
{
    for (std::size_t i = 0; i < controlVerbCount; ++i) {
        const Command c{static_cast<ControlVerb>(i), {{QStringLiteral("a"), 1}}};
        QVERIFY(c.toLine().endsWith('\n'));
        QCOMPARE(c.toLine().count('\n'), 1);
        QVERIFY(Command::fromLine(c.toLine()).value() == c);
    }
    for (const Reply &r : {Reply{}, Reply{true, {{QStringLiteral("x"), QStringLiteral("line\nbreak")}}, {}},
                           Reply::failed(QStringLiteral("no"))}) {
        QCOMPARE(r.toLine().count('\n'), 1);
        QVERIFY(Reply::fromLine(r.toLine()).value() == r);
    }
}

void TestControl::badLinesAreNamed_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("says");
    QTest::newRow("no JSON") << QByteArray("pause\n") << QStringLiteral("no JSON");
    QTest::newRow("empty") << QByteArray("\n") << QStringLiteral("no JSON");
    QTest::newRow("list") << QByteArray("[1]\n") << QStringLiteral("object");
    QTest::newRow("verb") << QByteArray("{\"verb\":\"format c:\"}\n") << QStringLiteral("format c:");
    QTest::newRow("no verb") << QByteArray("{}\n") << QStringLiteral("no command");
    QTest::newRow("args") << QByteArray("{\"verb\":\"stop\",\"args\":[]}\n") << QStringLiteral("args");
    QTest::newRow("NUL") << QByteArray("\0\0\n", 3) << QStringLiteral("no JSON");
}

void TestControl::badLinesAreNamed()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, says);
    const auto c = Command::fromLine(line);
    QVERIFY(!c);
    QVERIFY2(c.error().contains(says), qPrintable(c.error()));
    QVERIFY(!Reply::fromLine(line));
}

void TestControl::answersAfterTheCommit()
{
    const auto held = lock();
    ControlServer server([](const Command &c, const ControlServer::ReplyTo &reply) {
        if (c.verb == ControlVerb::Pause)
            QTimer::singleShot(20, [reply] {
                reply({true, {{QStringLiteral("done"), true}}, {}});
                reply(Reply::failed(QStringLiteral("a second answer is not sent")));
            });
        else
            reply(Reply::failed(QStringLiteral("not now")));
    });
    QVERIFY(server.listen(*held));
    const auto paused = ask(held->info().socket, {ControlVerb::Pause, {}});
    QVERIFY(paused);
    QVERIFY(paused->ok);
    QVERIFY(paused->data.value(QLatin1String("done")).toBool());
    QCOMPARE(ask(held->info().socket, {ControlVerb::Stop, {}})->error, QStringLiteral("not now"));
}

void TestControl::answersBadInputAndGoesOn()
{
    const auto held = lock();
    ControlServer server([](const Command &, const ControlServer::ReplyTo &reply) { reply({}); });
    QVERIFY(server.listen(*held));
    QLocalSocket socket;
    socket.connectToServer(held->info().socket);
    QVERIFY(socket.waitForConnected());
    socket.write("rubbish\n{\"verb\":\"status\"}\n{\"verb\":");
    QByteArray got;
    QTRY_VERIFY((got += socket.readAll()).count('\n') == 2);
    const QList<QByteArray> lines = got.split('\n');
    QVERIFY(!Reply::fromLine(lines[0])->ok);
    QVERIFY(Reply::fromLine(lines[1])->ok);
    socket.write("\"stop\"}\n");
    QTRY_VERIFY(socket.canReadLine());
    QVERIFY(Reply::fromLine(socket.readLine())->ok);
}

void TestControl::cutsOffWhatIsTooLong()
{
    const auto held = lock();
    ControlServer server([](const Command &, const ControlServer::ReplyTo &reply) { reply({}); });
    QVERIFY(server.listen(*held));
    QLocalSocket socket;
    socket.connectToServer(held->info().socket);
    QVERIFY(socket.waitForConnected());
    socket.write(QByteArray(mostCommandBytes + 10, 'x'));
    QTRY_COMPARE(socket.state(), QLocalSocket::UnconnectedState);
    QVERIFY(Reply::fromLine(socket.readLine())->error.contains(QStringLiteral("longer")));
    QVERIFY(ask(held->info().socket, {})); // others are served
}

void TestControl::repliesInTheOrderOfTheCommands()
{
    const auto held = lock();
    QVector<ControlServer::ReplyTo> open;
    ControlServer server(
        [&open](const Command &, const ControlServer::ReplyTo &reply) { open.append(reply); });
    QVERIFY(server.listen(*held));
    QLocalSocket socket;
    socket.connectToServer(held->info().socket);
    QVERIFY(socket.waitForConnected());
    socket.write(Command{}.toLine() + Command{}.toLine());
    QTRY_COMPARE(open.size(), 1); // the second waits for the first
    open[0]({true, {{QStringLiteral("n"), 1}}, {}});
    QTRY_COMPARE(open.size(), 2);
    open[1]({true, {{QStringLiteral("n"), 2}}, {}});
    QByteArray got;
    QTRY_VERIFY((got += socket.readAll()).count('\n') == 2);
    QCOMPARE(Reply::fromLine(got.split('\n')[1])->data.value(QLatin1String("n")).toInt(), 2);
}

void TestControl::aReplyToNobodyIsDropped()
{
    const auto held = lock();
    QVector<ControlServer::ReplyTo> open;
    auto server = std::make_unique<ControlServer>(
        [&open](const Command &, const ControlServer::ReplyTo &reply) { open.append(reply); });
    QVERIFY(server->listen(*held));
    QLocalSocket one;
    QLocalSocket two;
    for (QLocalSocket *s : {&one, &two}) {
        s->connectToServer(held->info().socket);
        QVERIFY(s->waitForConnected());
        s->write(Command{}.toLine());
    }
    QTRY_COMPARE(open.size(), 2);
    one.abort();
    QTest::qWait(0);
    server.reset();
    for (const auto &reply : open)
        reply({}); // goes nowhere, harms nobody
    QTRY_COMPARE(two.state(), QLocalSocket::UnconnectedState);
    QCOMPARE(two.readAll(), QByteArray());
    QVERIFY(!QFile::exists(held->info().socket));
}

void TestControl::saysWhenThereIsNoAnswer()
{
    const auto held = lock();
    QCOMPARE(ask(held->info().socket, {}).error().kind, ControlFailure::Kind::NobodyThere);
    {
        ControlServer mute([](const Command &, const ControlServer::ReplyTo &) {});
        QVERIFY(mute.listen(*held));
        const auto r = ask(held->info().socket, {}, std::chrono::milliseconds(50));
        QCOMPARE(r.error().kind, ControlFailure::Kind::NoAnswer);
        QVERIFY(r.error().what.contains(QStringLiteral("0.05 s")));
    }
    ControlServer wordy([](const Command &, const ControlServer::ReplyTo &reply) {
        reply({true, {{QStringLiteral("x"), QString(mostReplyBytes, u'x')}}, {}});
    });
    QVERIFY(wordy.listen(*held));
    QVERIFY(ask(held->info().socket, {})->error.contains(QStringLiteral("longer")));
}

void TestControl::takesAStaleSocketOver()
{
    const auto held = lock();
    QFile left(held->info().socket); // a writer that was killed left it
    QVERIFY(left.open(QIODevice::WriteOnly));
    left.close();
    ControlServer server([](const Command &, const ControlServer::ReplyTo &reply) { reply({}); });
    QVERIFY(server.listen(*held));
    QVERIFY(ask(held->info().socket, {}));
}

void TestControl::needsASocket()
{
    ControlServer server([](const Command &, const ControlServer::ReplyTo &) {});
    const QString path = m_dir.filePath(QStringLiteral("none"));
    auto nameless = WriterLock::take(path, {});
    QVERIFY(!server.listen(**nameless));
    nameless->reset();
    WriterInfo info;
    info.socket = m_dir.filePath(QStringLiteral("no/such/folder.sock"));
    nameless = WriterLock::take(path, info);
    QVERIFY(server.listen(**nameless).error().contains(QStringLiteral("cannot listen")));
}

void TestControl::limitsConnections()
{
    const auto held = lock();
    ControlServer server([](const Command &, const ControlServer::ReplyTo &reply) { reply({}); });
    QVERIFY(server.listen(*held));
    std::vector<std::unique_ptr<QLocalSocket>> all;
    for (int i = 0; i < 40; ++i) {
        all.push_back(std::make_unique<QLocalSocket>());
        all.back()->connectToServer(held->info().socket);
        QCoreApplication::processEvents();
    }
    const auto alive = [&all] {
        return std::count_if(all.begin(), all.end(),
                             [](const auto &s) { return s->state() == QLocalSocket::ConnectedState; });
    };
    QTRY_COMPARE(alive(), 32);
    all.clear();
    QTRY_VERIFY(ask(held->info().socket, {}).has_value());
}

QTEST_GUILESS_MAIN(TestControl)
#include "tst_control.moc"
