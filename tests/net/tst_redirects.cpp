// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/net/redirects.h"
#include "core/net/secretfill.h"

using namespace muster;

class TestRedirects final : public QObject
{
    Q_OBJECT

private:
    static RedirectFrom from(const char *url = "https://a.test/dir/page?q=1", const char *method = "GET",
                             bool body = false)
    {
        return {url, method, body};
    }

private Q_SLOTS:
    void followed_data()
    {
        QTest::addColumn<QByteArray>("location");
        QTest::addColumn<QByteArray>("url");
        const auto row = [](const char *name, const QByteArray &location, const char *url) {
            QTest::newRow(name) << location << QByteArray(url);
        };
        row("absolute", "https://b.test/x", "https://b.test/x");
        row("F47 relative", "other?z=2", "https://a.test/dir/other?z=2");
        row("F47 //host", "//b.test/x", "https://b.test/x");
        row("root", "/x", "https://a.test/x");
        row("dots", "../../x/./y/../z", "https://a.test/x/z");
        row("dots in disguise", "/a/%2e%2E/b", "https://a.test/b");
        row("query only", "?z", "https://a.test/dir/page?z");
        row("fragment goes", "/x#top", "https://a.test/x");
        row("fragment only", "#top", "https://a.test/dir/page?q=1");
        row("case and port", "HTTPS://B.Test:443/X", "https://b.test/X");
        row("other port", "https://a.test:8443", "https://a.test:8443/");
        row("F46 userinfo goes", "https://u:p@b.test/", "https://b.test/");
        row("F47 escaped line break stays escaped", "/x%0d%0aSet-Cookie:a",
            "https://a.test/x%0D%0ASet-Cookie:a");
        row("unreserved decoded", "/%41%7e%2f", "https://a.test/A~%2F");
        row("spaces", "  /a b ", "https://a.test/a%20b");
        row("lone percent", "/100%", "https://a.test/100%25");
        row("utf-8",
            "/stra\xc3\x9f"
            "e",
            "https://a.test/stra%C3%9Fe");
        row("latin-1 bytes", "/caf\xe9", "https://a.test/caf%E9");
        row("query order kept", "/x?b=2&a=1&b=%20", "https://a.test/x?b=2&a=1&b=%20");
        row("empty query kept", "/x?", "https://a.test/x?");
        row("F47 IDN",
            "https://b\xc3\xbc"
            "cher.test/",
            "https://xn--bcher-kva.test/");
        row("brackets", "/a[1]{2}|x", "https://a.test/a%5B1%5D%7B2%7D%7Cx");
        row("plus stays", "/a+b?c+d", "https://a.test/a+b?c+d");
        row("ipv6", "https://[2606:4700::1111]/x", "https://[2606:4700::1111]/x");
    }
    void followed()
    {
        QFETCH(QByteArray, location);
        QFETCH(QByteArray, url);
        const auto redirect = resolveRedirect(from(), 302, location, nullptr);
        QVERIFY2(redirect, redirect ? "" : redirect.error().detail.constData());
        QCOMPARE(redirect->url.text, url);
        QCOMPARE(redirect->sameOrigin, url.startsWith("https://a.test/"));
        QCOMPARE(redirect->status, 302);
    }

    void refused_data()
    {
        QTest::addColumn<QByteArray>("location");
        QTest::addColumn<QByteArray>("detail");
        const auto row = [](const char *name, const QByteArray &location, const char *detail) {
            QTest::newRow(name) << location << QByteArray(detail);
        };
        for (const char *scheme : {"file:///etc/passwd", "file://ok.test/etc/hostname", "data:text/html,x",
                                   "ftp://b.test/", "qrc:/x", "javascript:alert(1)", "jar:x", "smb://b/x",
                                   "JavaScript:x", "view-source:https://b.test"})
            row(QByteArray(QByteArray("SE-02 F42 ") + scheme).constData(), scheme, "scheme");
        row("F45 downgrade", "http://a.test/x", "downgrade");
        row("F47 missing", {}, "invalid");
        row("F47 empty", "", "invalid");
        row("F47 blank", "  ", "invalid");
        row("F47 CR LF", "/x\r\nSet-Cookie: a", "invalid");
        row("F47 NUL", QByteArray("/x\0y", 4), "invalid");
        row("F47 64 KiB", "/" + QByteArray(65536, 'a'), "invalid");
        row("F47 backslashes", "\\\\b.test/x", "invalid");
        row("backslash host", "https:\\\\b.test\\x", "invalid");
        row("no host", "https:///x", "invalid");
        row("scheme and no slashes", "https:x", "invalid");
        row("port", "https://b.test:99999/", "invalid");
        row("port zero", "https://b.test:0/", "invalid");
        row("port word", "https://b.test:http/", "invalid");
        row("host with a space", "https://b test/", "invalid");
        row("host with an escape", "https://b%00.test/", "invalid");
        row("broken ipv6", "https://[::1/", "invalid");
    }
    void refused()
    {
        QFETCH(QByteArray, location);
        QFETCH(QByteArray, detail);
        const auto redirect = resolveRedirect(from(), 302, location, nullptr);
        QVERIFY2(!redirect, redirect ? redirect->url.text.constData() : "");
        QCOMPARE(failureKindName(redirect.error().kind), "redirect");
        QCOMPARE(redirect.error().detail, detail);
        QCOMPARE(redirect.error().code, 302);
    }

    void origins_data() // SE-01
    {
        QTest::addColumn<QByteArray>("location");
        QTest::addColumn<bool>("same");
        QTest::newRow("path") << QByteArray("/x") << true;
        QTest::newRow("default port spelt") << QByteArray("http://a.test:80/") << true;
        QTest::newRow("upper case") << QByteArray("http://A.TEST/") << true;
        QTest::newRow("other host") << QByteArray("http://b.test/") << false;
        QTest::newRow("other port") << QByteArray("http://a.test:8080/") << false;
        QTest::newRow("https") << QByteArray("https://a.test/") << false;
        QTest::newRow("sub-domain") << QByteArray("http://www.a.test/") << false;
    }
    void origins()
    {
        QFETCH(QByteArray, location);
        QFETCH(bool, same);
        const auto redirect = resolveRedirect(from("http://a.test/"), 302, location, nullptr);
        QVERIFY(redirect);
        QCOMPARE(redirect->sameOrigin, same);
    }

    void methods_data() // F48: the table of the fetch standard
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("next");
        QTest::addColumn<bool>("keepsBody");
        const auto row = [](int status, const char *method, const char *next, bool keeps) {
            QTest::newRow(QByteArray(QByteArray::number(status) + ' ' + method).constData())
                << status << QByteArray(method) << QByteArray(next) << keeps;
        };
        for (const int status : {301, 302}) {
            row(status, "GET", "GET", false);
            row(status, "HEAD", "HEAD", false);
            row(status, "POST", "GET", false);
            row(status, "PUT", "PUT", true);
        }
        row(303, "GET", "GET", false);
        row(303, "HEAD", "HEAD", false);
        row(303, "POST", "GET", false);
        row(303, "PUT", "GET", false);
        for (const int status : {307, 308}) {
            row(status, "GET", "GET", false);
            row(status, "HEAD", "HEAD", false);
            row(status, "POST", "POST", true);
            row(status, "PUT", "PUT", true);
        }
    }
    void methods()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, next);
        QFETCH(bool, keepsBody);
        const RedirectFrom sent{"http://a.test/", method, method == "POST" || method == "PUT"};
        const auto near = resolveRedirect(sent, status, "/x", nullptr);
        QVERIFY(near);
        QCOMPARE(near->method, next);
        QCOMPARE(near->keepsBody, keepsBody);
        const auto far = resolveRedirect(sent, status, "http://b.test/", nullptr);
        QCOMPARE(far.has_value(), !keepsBody); // never sent again to another origin
        if (!far)
            QCOMPARE(far.error().detail, QByteArray("body"));
    }

    void statuses()
    {
        for (const int s : {301, 302, 303, 307, 308})
            QVERIFY(isRedirectStatus(s));
        for (const int s : {200, 300, 304, 305, 306, 309, 404})
            QVERIFY(!isRedirectStatus(s));
    }

    void secretsGoBackToTheirNames_data()
    {
        QTest::addColumn<QByteArray>("location");
        QTest::addColumn<QByteArray>("url");
        QTest::newRow("plain") << QByteArray("/x?key=k3y/value+1")
                               << QByteArray("https://a.test/x?key={secret:maps}");
        QTest::newRow("percent-encoded") << QByteArray("/x?key=k3y%2fvalue%2B1&z=1")
                                         << QByteArray("https://a.test/x?key={secret:maps}&z=1");
        QTest::newRow("half and half")
            << QByteArray("/x?key=k3y/value%2B1") << QByteArray("https://a.test/x?key={secret:maps}");
        QTest::newRow("in the path, twice") << QByteArray("/k3y%2Fvalue+1/k3y%2Fvalue+1")
                                            << QByteArray("https://a.test/{secret:maps}/{secret:maps}");
        QTest::newRow("the longer one first")
            << QByteArray("/x?key=k3y/value+1-more") << QByteArray("https://a.test/x?key={secret:longer}");
        QTest::newRow("short ones are left")
            << QByteArray("/x?key=abc") << QByteArray("https://a.test/x?key=abc");
        QTest::newRow("relative, the secret in the base")
            << QByteArray("y") << QByteArray("https://a.test/{secret:maps}/y");
    }
    void secretsGoBackToTheirNames()
    {
        QFETCH(QByteArray, location);
        QFETCH(QByteArray, url);
        const SecretBook book{
            {"maps", Secret("k3y/value+1")}, {"longer", Secret("k3y/value+1-more")}, {"tiny", Secret("abc")}};
        const auto redirect =
            resolveRedirect(from("https://a.test/k3y%2Fvalue%2B1/page"), 302, location, &book);
        QVERIFY(redirect);
        QCOMPARE(redirect->url.text, url);
        QVERIFY(!redirect->url.text.contains("k3y"));
        const auto filled = fillSecrets(redirect->url, &book);
        QVERIFY(filled);
        QCOMPARE(filled->contains("k3y"), redirect->url.hasSecrets());

        if (redirect->url.hasSecrets() && location.startsWith('/')) {
            const auto away = resolveRedirect(from(), 302, "https://b.test" + location, &book);
            QVERIFY(!away);
            QCOMPARE(away.error().detail, QByteArray("secret"));
        }
    }
};

QTEST_APPLESS_MAIN(TestRedirects)
#include "tst_redirects.moc"
