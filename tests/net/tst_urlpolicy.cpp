// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/net/urlpolicy.h"

using namespace muster;

class TestUrlPolicy final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void blocked_data()
    {
        QTest::addColumn<QByteArray>("host");
        for (const char *host : {"localhost",
                                 "LOCALHOST.",
                                 "a.localhost",
                                 "127.0.0.1",
                                 "127.1",
                                 "127.0.1",
                                 "2130706433",
                                 "0x7f.1",
                                 "0x7f000001",
                                 "017700000001",
                                 "0177.0.0.1",
                                 "[::1]",
                                 "::1",
                                 "[::ffff:127.0.0.1]",
                                 "[::ffff:10.0.0.1]",
                                 "[::ffff:7f00:1]",
                                 "[::127.0.0.1]",
                                 "[64:ff9b::127.0.0.1]",
                                 "[64:ff9b::10.0.0.1]",
                                 "[64:ff9b:1::1]",
                                 "[2002:7f00:1::]",
                                 "0.0.0.0",
                                 "0",
                                 "0.1.2.3",
                                 "10.0.0.1",
                                 "10.255.255.255",
                                 "172.16.0.1",
                                 "172.31.255.255",
                                 "192.168.1.1",
                                 "100.64.0.1",
                                 "100.127.0.1",
                                 "169.254.169.254",
                                 "0xA9FEA9FE",
                                 "2852039166",
                                 "[fd00:ec2::254]",
                                 "[fc00::1]",
                                 "[fdff::1]",
                                 "[fe80::1]",
                                 "[febf::1]",
                                 "[fec0::1]",
                                 "[ff02::1]",
                                 "224.0.0.1",
                                 "239.255.255.255",
                                 "240.0.0.1",
                                 "255.255.255.255",
                                 "198.18.0.1",
                                 "192.0.2.1",
                                 "198.51.100.1",
                                 "203.0.113.9",
                                 "[2001:db8::1]",
                                 "[100::1]",
                                 "[::]",
                                 "[2001::1]",
                                 "192.0.0.8",
                                 "192.88.99.1",
                                 "100.100.100.200",
                                 "[::ffff:0:127.0.0.1]",
                                 "[4000::1]"})
            QTest::newRow(host) << QByteArray(host);
    }
    void blocked()
    {
        QFETCH(QByteArray, host);
        const auto address = literalAddress(host);
        QVERIFY(address);
        QVERIFY2(!isAllowedForReceived(*address), qPrintable(address->toString()));
    }

    void allowed_data()
    {
        QTest::addColumn<QByteArray>("host");
        for (const char *host :
             {"8.8.8.8", "134744072", "9.255.255.255", "11.0.0.1", "172.15.255.255", "172.32.0.1",
              "100.63.255.255", "100.128.0.1", "169.253.0.1", "192.167.0.1", "223.255.255.255",
              "[2606:4700::1111]", "[::ffff:8.8.8.8]", "[64:ff9b::8.8.8.8]", "[2002:808:808::1]", "126.0.0.1",
              "128.0.0.1", "198.20.0.1"})
            QTest::newRow(host) << QByteArray(host);
    }
    void allowed()
    {
        QFETCH(QByteArray, host);
        const auto address = literalAddress(host);
        QVERIFY(address);
        QVERIFY(isAllowedForReceived(*address));
    }

    void names_data()
    {
        QTest::addColumn<QByteArray>("host");
        for (const char *host :
             {"example.com", "127.0.0.1.nip.io", "1.2.3.4.5", "256.1.1.1", "0x", "1.", "08.1.1.1",
              "1.2.3.256", "4294967296", "", "localhost.example", "0x-1", "1..2", "-1", "[zz::]"}) {
            const QByteArray name(host);
            if (name != "0x" && name != "1.")
                QTest::newRow(name.isEmpty() ? "empty" : host) << name;
        }
    }
    void names()
    {
        QFETCH(QByteArray, host);
        QVERIFY(!literalAddress(host));
    }

    void noProtocolIsPublic() { QVERIFY(!isAllowedForReceived(QHostAddress())); }

    void ports()
    {
        for (const int port : {0, 22, 25, 110, 6000, 6379, 6667, 10080})
            QVERIFY2(port == 6379 || port == 0 || isBadPort(port), QByteArray::number(port).constData());
        for (const int port : {80, 443, 3000, 8000, 8080, 8443})
            QVERIFY(!isBadPort(port));
        QVERIFY(isBadPort(6379));
    }
};

QTEST_APPLESS_MAIN(TestUrlPolicy)
#include "tst_urlpolicy.moc"
