// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRandomGenerator>
#include <QtTest/QtTest>
#include <QUrl>

#include "core/intake/identity.h"
#include "core/intake/urlhost.h"
#include "core/intake/urlnormaliser.h"

using namespace muster;

namespace {

quint32 seed()
{
    bool given = false;
    const quint32 fromOutside = qEnvironmentVariable("MUSTER_SEED").toUInt(&given);
    return given ? fromOutside : QRandomGenerator::system()->generate();
}

} // namespace

class TestUrlNormaliser final : public QObject
{
    Q_OBJECT

    static void pairs()
    {
        QTest::addColumn<QByteArray>("given");
        QTest::addColumn<QByteArray>("expected");
    }

private Q_SLOTS:
    void normalises_data()
    {
        pairs();
        const auto row = [](const char *name, const char *given, const char *expected) {
            QTest::newRow(name) << QByteArray(given) << QByteArray(expected);
        };
        row("plain", "https://ok.test/a?b=c", "https://ok.test/a?b=c");
        row("UR-01 encoded hash, fragment", "http://ok.test/a%2376#frag", "http://ok.test/a%2376");
        row("UR-01 %25", "http://ok.test/Dia%25", "http://ok.test/Dia%25");
        row("UR-01 encoded slash", "http://ok.test/x%2Fy", "http://ok.test/x%2Fy");
        row("UR-01 twice encoded", "http://ok.test/x%2525", "http://ok.test/x%2525");
        row("UR-01 lone percent", "http://ok.test/100%", "http://ok.test/100%25");
        row("UR-01 lone percent and escape", "http://ok.test/%%34%31", "http://ok.test/%2541");
        row("UR-01 encoded ampersand", "http://ok.test/?q=a%26b", "http://ok.test/?q=a%26b");
        row("UR-01 plus and %20", "http://ok.test/?q=a+b%20c", "http://ok.test/?q=a+b%20c");
        row("UR-01 letters", "http://ok.test/caf\xc3\xa9", "http://ok.test/caf%C3%A9");
        row("UR-01 letters encoded", "http://ok.test/caf%c3%a9", "http://ok.test/caf%C3%A9");
        row("UR-04 base", "http://ok.test/a", "http://ok.test/a");
        row("UR-04 trailing dot", "http://ok.test./a", "http://ok.test./a");
        row("UR-04 letter case", "HTTP://OK.TEST/a", "http://ok.test/a");
        row("UR-04 default port", "http://ok.test:80/a", "http://ok.test/a");
        row("UR-04 no slash", "http://ok.test", "http://ok.test/");
        row("https port", "https://ok.test:443", "https://ok.test/");
        row("other port", "https://ok.test:08443/", "https://ok.test:8443/");
        row("empty port", "https://ok.test:/a", "https://ok.test/a");
        row("http on 443", "http://ok.test:443/", "http://ok.test:443/");
        row("query without path", "http://ok.test?a=1", "http://ok.test/?a=1");
        row("empty query stays", "http://ok.test/?", "http://ok.test/?");
        row("fragment only", "http://ok.test#a?b", "http://ok.test/");
        row("unreserved decoded", "http://ok.test/%7Euser/%41%2D%2e", "http://ok.test/~user/A-.");
        row("dot segments", "http://ok.test/a/./b/../c/.", "http://ok.test/a/c/");
        row("encoded dot segments", "http://ok.test/a/%2e%2E/b", "http://ok.test/b");
        row("above the root", "http://ok.test/../../a", "http://ok.test/a");
        row("dots at the end", "http://ok.test/a/b/..", "http://ok.test/a/");
        row("empty segments stay", "http://ok.test/a//b///", "http://ok.test/a//b///");
        row("dots eat empty segment", "http://ok.test/a//../b", "http://ok.test/a/b");
        row("dots in names stay", "http://ok.test/.well-known/..a/b.", "http://ok.test/.well-known/..a/b.");
        row("dots in query stay", "http://ok.test/?a=/../b", "http://ok.test/?a=/../b");
        row("blanks", "http://ok.test/a b?c d", "http://ok.test/a%20b?c%20d");
        row("braces", "http://ok.test/{a}?{b}", "http://ok.test/%7Ba%7D?%7Bb%7D");
        row("marks", "http://ok.test/\"<>^`|?\"<>^`|",
            "http://ok.test/%22%3C%3E%5E%60%7C?%22%3C%3E%5E%60%7C");
        row("kept marks", "http://ok.test/!$&'()*+,;=:@[]?!$&'()*+,;=:@/?[]",
            "http://ok.test/!$&'()*+,;=:@[]?!$&'()*+,;=:@/?[]");
        row("backslash in query", "http://ok.test/?a=\\d", "http://ok.test/?a=%5Cd");
        row("at sign in path", "http://ok.test/@user", "http://ok.test/@user");
        row("no scheme", "ok.test/a", "https://ok.test/a");
        row("no scheme, port", "ok.test:8080/a", "https://ok.test:8080/a");
        row("no scheme, name and port", "localhost:8080", "https://localhost:8080/");
        row("two slashes", "//ok.test/a", "https://ok.test/a");
        row("no scheme, colon later", "ok.test/a:b", "https://ok.test/a:b");
        row("international", "http://M\xc3\xbcnchen.test/", "http://xn--mnchen-3ya.test/");
        row("punycode", "http://XN--MNCHEN-3YA.test/", "http://xn--mnchen-3ya.test/");
        row("ideographic dot", "http://\xe4\xbe\x8b\xe3\x80\x82test/", "http://xn--fsq.test/");
        row("international, dot at end", "http://m\xc3\xbcnchen.test./", "http://xn--mnchen-3ya.test./");
        row("full-width letters", "http://\xef\xbd\x8f\xef\xbd\x8b.test/", "http://ok.test/");
        row("escaped host", "http://%6fk.test/", "http://ok.test/");
        row("underscore", "http://a_b.test/", "http://a_b.test/");
        row("IPv4 number", "http://2130706433/", "http://127.0.0.1/");
        row("IPv4 hex", "http://0x7f.1/", "http://127.0.0.1/");
        row("IPv4 octal", "http://0177.0.0.01/", "http://127.0.0.1/");
        row("IPv4 trailing dot", "http://127.0.0.1./", "http://127.0.0.1/");
        row("IPv4 one hex", "http://0x7f000001/", "http://127.0.0.1/");
        row("IPv4 full-width", "http://\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.1/", "http://127.0.0.1/");
        row("IPv4 bare 0x", "http://1.0x/", "http://1.0.0.0/");
        row("IPv6", "http://[2001:DB8:0:0::0:1]:80/", "http://[2001:db8::1]/");
        row("IPv6 port", "http://[::1]:81", "http://[::1]:81/");
        row("IPv6 mapped", "http://[::FFFF:7f00:1]/", "http://[::ffff:127.0.0.1]/");
        row("bytes that are no UTF-8", "http://ok.test/\xff", "http://ok.test/%FF");
    }
    void normalises()
    {
        QFETCH(QByteArray, given);
        QFETCH(QByteArray, expected);
        const UrlNormaliser normaliser;
        const auto once = normaliser.normalised(given);
        QVERIFY2(once.has_value(), once ? "" : qPrintable(once.error()));
        QCOMPARE(*once, expected);
        QCOMPARE(normaliser.normalised(*once).value(), expected);
        QCOMPARE(QUrl::fromEncoded(*once).toEncoded(), expected); // Qt sends what we say
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("given");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char *name, const QByteArray &given, const char *reason) {
            QTest::newRow(name) << given << QString::fromUtf8(reason);
        };
        row("UR-03 backslash and login", "http://ok.test\\@127.0.0.1:9001/", "backslash");
        row("UR-03 port, backslash", "http://ok.test:80\\@evil.test/", "backslash");
        row("UR-03 two at signs", "http://u:p@ss@ok.test/", "use auth");
        row("UR-03 full-width hash", "http://ok.test\xef\xbc\x83@evil.test/", "use auth");
        row("UR-03 login", "http://u:p@ok.test/", "use auth");
        row("UR-03 full-width hash alone", "http://ok.test\xef\xbc\x83.evil.test/", "the character #");
        row("UR-03 full-width slash", "http://ok.test\xef\xbc\x8f.evil.test/", "the character /");
        row("UR-03 account sign", "http://ok.test\xe2\x84\x80.evil.test/", "the character /");
        row("UR-03 escaped at sign", "http://ok.test%40evil.test/", "the character @");
        row("login without scheme", "user:secret@ok.test/", "use auth");
        row("backslash in path", "http://ok.test/a\\b", "backslash in the path");
        row("control character", "http://ok.test/a\x01", "U+0001");
        row("line feed", "http://ok.test/a\nb", "U+000a");
        row("tab", "http://ok\t.test/", "control character");
        row("NUL", QByteArray("http://ok.test/a\0b", 18), "U+0000");
        row("delete", "http://ok.test/a\x7f", "U+007f");
        row("empty", "", "is empty");
        row("blank first", " http://ok.test/", "begins with a blank");
        row("no host", "http:///a", "no host");
        row("only scheme", "https://", "no host");
        row("path", "/a/b", "no host");
        row("query", "?a", "no host");
        row("one slash", "http:/ok.test/", "two slashes");
        row("ftp", "ftp://ok.test/", "only http and https");
        row("javascript", "javascript:alert(1)", "only http and https");
        row("mail", "mailto:a@ok.test", "use auth");
        row("port 0", "http://ok.test:0/", "the port");
        row("port too big", "http://ok.test:65536/", "the port");
        row("port far too big", "http://ok.test:99999999999999/", "the port");
        row("port letters", "http://ok.test:8a/", "the port");
        row("blank in host", "http://a b.test/", "U+0020");
        row("star in host", "http://*.ok.test/", "the character *");
        row("percent in host", "http://ok%2.test/", "a % in the host");
        row("host not UTF-8", "http://%ff.test/", "not UTF-8");
        row("empty label", "http://a..test/", "between dots");
        row("leading dot", "http://.ok.test/", "between dots");
        row("two dots at the end", "http://ok.test../", "between dots");
        row("only a dot", "http://./", "between dots");
        row("long label", "http://" + QByteArray(64, 'a') + ".test/", "63");
        row("long host", "http://" + QByteArray("abc.").repeated(63) + "test/", "253");
        row("IPv4 part", "http://1.2.3.256/", "IPv4");
        row("IPv4 five parts", "http://1.2.3.4.5/", "IPv4");
        row("IPv4 too big", "http://4294967296/", "IPv4");
        row("IPv4 bad octal", "http://1.2.3.09/", "IPv4");
        row("IPv4 empty part", "http://1..2/", "between dots");
        row("IPv4 name and number", "http://ok.test.7/", "IPv4");
        row("IPv6 bad", "http://[::g]/", "IPv6");
        row("IPv6 zone", "http://[fe80::1%25eth0]/", "IPv6");
        row("IPv6 open", "http://[::1/", "IPv6");
        row("bad punycode", "http://\xe2\x82\xac\xe2\x81\xa3-.xn--\xc3\xa9/", "host");
        row("UR-06 2,000,000", "http://ok.test/" + QByteArray(2'000'000, 'a'), "at most 1,048,576");
    }
    void refuses()
    {
        QFETCH(QByteArray, given);
        QFETCH(QString, reason);
        const auto result = UrlNormaliser().normalised(given);
        QVERIFY2(!result.has_value(), result ? result->left(200).constData() : "");
        QVERIFY2(result.error().contains(reason), qPrintable(result.error()));
        QVERIFY2(result.error().contains(QLatin1String("; ")), "a mend belongs to it");
        QVERIFY(!result.error().contains(QLatin1String("secret@")));
    }

    void schemeOfTheSettings()
    {
        QCOMPARE(UrlNormaliser("http").normalised(QByteArray("a.test")).value(), "http://a.test/");
    }

    // UR-06
    void longOnesStayWholeAndDistinct()
    {
        const UrlNormaliser normaliser;
        for (const int length : {2083, 8190, 65536}) {
            const QByteArray url = "http://ok.test/" + QByteArray(length - 15, 'x');
            QCOMPARE(normaliser.normalised(url).value(), url);
            QCOMPARE(normaliser.normalised("http://ok.test/\xc3\xa9" + url).value().size(),
                     url.size() + 15 + 6);
        }
        QSet<QByteArray> identities;
        for (int i = 0; i < 10'000; ++i) {
            Request request;
            request.url.text = "http://ok.test/" + QByteArray(4000, 'x') + QByteArray::number(i);
            identities.insert(identityOf(request));
        }
        QCOMPARE(identities.size(), 10'000);
    }

    void secretsStay()
    {
        MaskedText url;
        url.text = "HTTP://OK.test/%7ea/./{secret:k}/b/../{x}?key={secret:k}&y={secret:k}#{secret:k}";
        for (qsizetype at = url.text.indexOf("{secret:k}"); at >= 0;
             at = url.text.indexOf("{secret:k}", at + 1))
            url.secretSlots.append({static_cast<int>(at), 10, "k", MaskedText::Encoding::Percent});
        url.secretSlots.remove(2); // one that only looks so
        const auto out = UrlNormaliser().normalised(url);
        QCOMPARE(out->text, "http://ok.test/~a/{secret:k}/%7Bx%7D?key={secret:k}&y=%7Bsecret:k%7D");
        QCOMPARE(out->secretSlots.size(), 2);
        for (const MaskedText::Slot &slot : out->secretSlots)
            QCOMPARE(out->text.mid(slot.at, slot.length), "{secret:k}");
        QCOMPARE(UrlNormaliser().normalised(*out).value(), *out);
    }

    void secretsGoWithTheirSegment()
    {
        MaskedText url{"http://ok.test/{secret:k}/../a", {{15, 10, "k", MaskedText::Encoding::Percent}}};
        const auto out = UrlNormaliser().normalised(url);
        QCOMPARE(out->text, "http://ok.test/a");
        QVERIFY(!out->hasSecrets());
    }

    void secretsBeforeThePathAreRefused()
    {
        MaskedText url{"http://{secret:k}.test/", {{7, 10, "k", MaskedText::Encoding::Percent}}};
        QVERIFY(UrlNormaliser().normalised(url).error().contains(QLatin1String("path and query only")));
    }

    void whatWouldBeSentElsewhereIsRefused()
    {
        const auto out = UrlNormaliser().normalised(QByteArray("http://xn--127.1ok.test./"));
        QVERIFY(!out);
        QVERIFY(out.error().contains(QLatin1String("international")));
        QVERIFY(UrlNormaliser().normalised(QByteArray("http://xn--mnchen-3ya.de./")));
    }

    void anyInputIsRefusedOrNormalOnce()
    {
        const quint32 s = seed();
        qInfo("MUSTER_SEED=%u", s);
        QRandomGenerator random(s);
        const QVector<QByteArray> parts{
            "http://", "https:",       "//",   "/",        "a",  "B", ".",    "..",    "%",
            "%2e",     "%2F",          "%zz",  "%41",      "?",  "#", ":",    ":80",   "@",
            "[::1]",   "127.1",        "0x7f", "\xc3\xa9", "\\", " ", "{",    "}",     "ok.test",
            "xn--",    "\xef\xbc\x8e", "&=",   "+",        "[",  "]", "\xff", "%E4%BD"};
        int taken = 0;
        for (int i = 0; i < 20'000; ++i) {
            QByteArray url = random.bounded(3) ? "http://ok.test/" : "";
            for (int n = random.bounded(1, 9); n > 0; --n)
                url += parts[random.bounded(int(parts.size()))];
            const auto once = UrlNormaliser().normalised(url);
            if (!once)
                continue;
            ++taken;
            const auto twice = UrlNormaliser().normalised(*once);
            QVERIFY2(twice && *twice == *once, QByteArray(url + " -> " + *once).constData());
            QVERIFY2(!targetOf(*once).host.isEmpty(), once->constData());
            QVERIFY2(QUrl::fromEncoded(*once).toEncoded() == *once,
                     QByteArray(url + " -> " + *once).constData());
            const QByteArray host = targetOf(*once).host;
            QByteArray seen = QUrl::fromEncoded(*once).host(QUrl::FullyEncoded).toLatin1();
            while (seen.endsWith('.'))
                seen.chop(1);
            QCOMPARE(seen, host);
        }
        QVERIFY2(taken > 5000, QByteArray::number(taken).constData());
    }
};

QTEST_GUILESS_MAIN(TestUrlNormaliser)
#include "tst_urlnormaliser.moc"
