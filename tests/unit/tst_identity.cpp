// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/intake/identity.h"
#include "core/intake/urlnormaliser.h"

using namespace muster;

class TestIdentity final : public QObject
{
    Q_OBJECT

    static QByteArray of(const QByteArray &url)
    {
        Request request;
        request.url.text = UrlNormaliser().normalised(url).value();
        return identityOf(request);
    }

private Q_SLOTS:
    void mergedOrNot_data()
    {
        QTest::addColumn<QByteArray>("one");
        QTest::addColumn<QByteArray>("two");
        QTest::addColumn<bool>("same");
        const auto row = [](const char *name, const char *one, const char *two, bool same) {
            QTest::newRow(name) << QByteArray(one) << QByteArray(two) << same;
        };
        row("DD-01 path case", "http://ok.test/Product/ABC", "http://ok.test/product/abc", false);
        row("DD-01 query case", "http://ok.test/?t=SeCrEt", "http://ok.test/?t=secret", false);
        row("DD-01 end slash", "http://ok.test/c", "http://ok.test/c/", false);
        row("DD-01 query order", "http://ok.test/?a=1&b=2", "http://ok.test/?b=2&a=1", false);
        row("DD-01 bare host", "http://ok.test", "http://ok.test/", true);
        row("DD-01 fragments", "http://ok.test/p#1", "http://ok.test/p#2", true);
        row("UR-01 caf\xc3\xa9", "http://ok.test/caf\xc3\xa9", "http://ok.test/caf%C3%A9", true);
        row("UR-04 port", "http://ok.test:80/a", "http://OK.TEST/a", true);
        row("UR-04 dot", "http://ok.test./a", "http://ok.test/a", false);
        row("scheme", "http://ok.test/", "https://ok.test/", false);
        row("empty query", "http://ok.test/?", "http://ok.test/", false);
    }
    void mergedOrNot()
    {
        QFETCH(QByteArray, one);
        QFETCH(QByteArray, two);
        QFETCH(bool, same);
        QCOMPARE(of(one) == of(two), same);
        QCOMPARE(of(one).size(), 16);
    }

    void everyPartCounts()
    {
        const Request plain{"POST", {"http://ok.test/", {}}, {{"A", {"b", {}}}}, {"x", {}}};
        QVector<Request> others(8, plain);
        others[0].method = "PUT";
        others[1].url.text += "a";
        others[2].body.text = "y";
        others[3].headers[0].name = "B";
        others[4].headers[0].value.text = "c";
        others[5].headers.append(Header{"C", {}});
        others[6].body.text.clear();
        others[7].headers = {{"Ab", {"", {}}}}; // the parts run together alike
        QSet<QByteArray> seen{identityOf(plain), identityOf(plain, 7)};
        for (const Request &other : others)
            seen.insert(identityOf(other));
        QCOMPARE(seen.size(), 10);
        Request alike = plain;
        alike.headers[0].name = "a";
        QCOMPARE(identityOf(alike), identityOf(plain));
    }

    void aSecretIsNotTextThatLooksLikeOne()
    {
        Request text{"GET", {"http://ok.test/?k={secret:k}", {}}, {}, {}};
        Request secret = text;
        secret.url.secretSlots = {{18, 10, "k", MaskedText::Encoding::Percent}};
        QVERIFY(identityOf(text) != identityOf(secret));
    }

    // The value is stored in projects: it must stay what it is.
    void staysTheSameOverVersions()
    {
        Request request;
        request.url.text = "http://ok.test/";
        QCOMPARE(identityOf(request).toHex(), "9641c01ce0f529f060f7ce06a276548f");
    }
};

QTEST_GUILESS_MAIN(TestIdentity)
#include "tst_identity.moc"
