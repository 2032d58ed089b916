// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/job/urlglob.h"
#include "core/limits/site.h"

using namespace muster;

class TestUrlGlob final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void patterns_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QByteArray>("url");
        QTest::addColumn<bool>("matches");
        const auto row = [](const char *pattern, const char *url, bool matches) {
            QTest::addRow("%s %s", pattern, url) << QString::fromUtf8(pattern) << QByteArray(url) << matches;
        };
        row("*", "http://a.example/", true);
        row("a.example", "http://a.example/x/y?z", true);
        row("a.example", "https://a.example:8443/", true);
        row("a.example", "http://b.a.example/", false);
        row("A.Example.", "http://a.example/", true);
        row(" a.example ", "http://a.example./", true);
        row("*.example", "http://a.b.example/", true);
        row("*.a.example", "http://a.example/", false);
        row("*a.example", "http://a.example/", true);
        row("a*e*", "http://a.example/", true);
        row("a*x", "http://a.example/", false);
        row("a.example:8080", "http://a.example:8080/", true);
        row("a.example:8080", "http://a.example/", false);
        row("a.example:80", "http://a.example/", true);
        row("a.example:443", "https://a.example/", true);
        row("a.example:80*", "http://a.example:8081/", true);
        row("*:8080/*", "http://a.example:8080/", true);
        row("a.example:x", "http://a.example/", false);
        row("a.example/*", "http://a.example", true);
        row("a.example/", "http://a.example/x", false);
        row("a.example/v1/*", "http://a.example/v1/x/y", true);
        row("a.example/v1/*", "http://a.example/v2/", false);
        row("a.example/*/items", "http://a.example/v1/items?page=2", true);
        row("a.example/items?page=1", "http://a.example/items?page=2", true);
        row("a.example/V1", "http://a.example/v1", false);
        row("a.example/ä*", "http://a.example/%C3%A4b", true);
        row("bücher.example", "http://xn--bcher-kva.example/", true);
        row("*.BÜCHER.example", "http://a.xn--bcher-kva.example/", true);
        row("[::1]:81", "http://[::1]:81/", true);
        row("[::1]", "http://[::1]:81/", true);
        row("::1/x", "http://[::1]/x", true);
        row("[::1]:81", "http://[::1]:82/", false);
        row("https://a.example/*", "https://a.example/x", true);
        row("HTTPS://a.example/*", "http://a.example/x", false);
        row("http://a.example", "http://a.example/x", true);
        row("", "http://a.example/", false);
        row("a.example/p/*", "https://a.example/p/q?/z", true);
        row("a.example/p*q", "https://a.example/pxqxr", false);
        row("a.example/p*q*", "https://a.example/pxqxr", true);
        row("a.example/p", "https://a.example/p?q", true);
        row("[::1]", "http://[::2]/", false);
    }
    void patterns()
    {
        QFETCH(QString, pattern);
        QFETCH(QByteArray, url);
        QFETCH(bool, matches);
        const UrlGlob glob(pattern);
        const Target target = targetOf(url);
        QCOMPARE(glob.matchesOrigin(target) && glob.matchesPath(target.path), matches);
        QCOMPARE(glob.matches(url), matches);
    }

    void sites_data()
    {
        QTest::addColumn<QByteArray>("host");
        QTest::addColumn<QByteArray>("site");
        const auto row = [](const char *host, const char *site) {
            QTest::newRow(host) << QByteArray(host) << QByteArray(site);
        };
        row("www.example.com", "example.com");
        row("example.com", "example.com");
        row("a.b.example.co.uk", "example.co.uk");
        row("co.uk", "co.uk");
        row("com", "com");
        row("a.github.io", "a.github.io");
        row("www.xn--bcher-kva.de", "xn--bcher-kva.de");
        row("localhost", "localhost");
        row("a.ok.test", "a.ok.test");
        row("10.0.0.1", "10.0.0.1");
        row("::1", "::1");
        row("2001:db8::7", "2001:db8::7");
    }
    void sites()
    {
        QFETCH(QByteArray, host);
        QTEST(siteOf(host), "site");
    }
};

QTEST_GUILESS_MAIN(TestUrlGlob)
#include "tst_urlglob.moc"
