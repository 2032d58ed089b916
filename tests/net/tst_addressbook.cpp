// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/net/addressbook.h"

using namespace muster;

class TestAddressBook final : public QObject
{
    Q_OBJECT

private:
    struct Asked
    {
        QString name;
        std::function<void(QHostInfo)> done;
    };
    QVector<Asked> m_asked;

    AddressBook::Resolve recorder()
    {
        m_asked.clear();
        return [this](const QString &name, QObject *, std::function<void(QHostInfo)> done) {
            m_asked.append({name, std::move(done)});
        };
    }
    static QHostInfo found(const QStringList &addresses)
    {
        QHostInfo info;
        QList<QHostAddress> list;
        for (const QString &a : addresses)
            list.append(QHostAddress(a));
        info.setAddresses(list);
        return info;
    }
    static QHostInfo error(QHostInfo::HostInfoError e)
    {
        QHostInfo info;
        info.setError(e);
        return info;
    }
    static Mono at(int seconds) { return Mono(std::chrono::seconds(seconds)); }

private Q_SLOTS:
    void atMostSoManyAtOnce()
    {
        AddressBook book(3, recorder());
        int answered = 0;
        for (int i = 0; i < 10; ++i)
            book.lookUp("h" + QByteArray::number(i), at(0),
                        [&answered](const AddressBook::Entry &) { ++answered; });
        QCOMPARE(m_asked.size(), 3);
        m_asked[1].done(found({QStringLiteral("8.8.8.8")}));
        QCOMPARE(m_asked.size(), 4);
        QCOMPARE(answered, 1);
        for (qsizetype i = 0; i < m_asked.size(); ++i)
            if (i != 1)
                m_asked[i].done(error(QHostInfo::HostNotFound));
        QCOMPARE(answered, 10);
    }

    void oneLookupForMany()
    {
        AddressBook book(3, recorder());
        int answered = 0;
        for (int i = 0; i < 5; ++i)
            book.lookUp("h", at(0),
                        [&answered](const AddressBook::Entry &e) { answered += e.addresses.size() == 2; });
        QCOMPARE(m_asked.size(), 1);
        m_asked[0].done(found({QStringLiteral("2606:4700::1"), QStringLiteral("8.8.8.8")}));
        QCOMPARE(answered, 5);
        book.lookUp("h", at(29), [](const AddressBook::Entry &e) {
            QCOMPARE(e.addresses.first(), QHostAddress(QStringLiteral("8.8.8.8")));
        });
        QCOMPARE(m_asked.size(), 1);
        book.lookUp("h", at(31), [](const AddressBook::Entry &) {});
        QCOMPARE(m_asked.size(), 2); // too old
    }

    void missingNamesAreRemembered()
    {
        AddressBook book(3, recorder());
        AddressBook::Outcome outcome{};
        book.lookUp("h", at(0), [&](const AddressBook::Entry &e) { outcome = e.outcome; });
        QVERIFY(!book.isKnownMissing("h", at(0)));
        m_asked[0].done(error(QHostInfo::HostNotFound));
        QCOMPARE(outcome, AddressBook::Outcome::Missing);
        QVERIFY(book.isKnownMissing("h", at(59)));
        QVERIFY(!book.isKnownMissing("h", at(61)));
    }

    void failuresAreNot()
    {
        AddressBook book(3, recorder());
        AddressBook::Outcome outcome{};
        const auto done = [&](const AddressBook::Entry &e) { outcome = e.outcome; };
        book.lookUp("h", at(0), done);
        m_asked[0].done(error(QHostInfo::UnknownError));
        QCOMPARE(outcome, AddressBook::Outcome::Failed);
        book.lookUp("h", at(0), done);
        QCOMPARE(m_asked.size(), 2);
        m_asked[1].done(found({})); // no error and no address is no answer either
        QCOMPARE(outcome, AddressBook::Outcome::Failed);
    }

    void staysSmall()
    {
        AddressBook book(1, [](const QString &, QObject *, const std::function<void(QHostInfo)> &done) {
            done(error(QHostInfo::HostNotFound));
        });
        for (int i = 0; i < 5000; ++i)
            book.lookUp("h" + QByteArray::number(i), at(0), [](const AddressBook::Entry &) {});
        QVERIFY(!book.isKnownMissing("h0", at(1)));
        QVERIFY(book.isKnownMissing("h4999", at(1)));
    }

    void theSystemKnowsThisMachine()
    {
        AddressBook book(2);
        std::optional<AddressBook::Entry> entry;
        book.lookUp("localhost", at(0), [&entry](const AddressBook::Entry &e) { entry = e; });
        QTRY_VERIFY(entry);
        QCOMPARE(entry->outcome, AddressBook::Outcome::Found);
    }
};

QTEST_GUILESS_MAIN(TestAddressBook)
#include "tst_addressbook.moc"
