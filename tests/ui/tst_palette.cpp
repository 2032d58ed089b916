// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/palette/palette.h"

#include <QTest>

using namespace muster;

// The contrast table of look.md 2, computed from the palette.
class TestPalette : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void contrast_data();
    void contrast();
    void everyTextMeetsAa_data();
    void everyTextMeetsAa();
    void qtPaletteTellsItsTheme();
};

void TestPalette::contrast_data()
{
    QTest::addColumn<int>("front");
    QTest::addColumn<int>("ground");
    QTest::addColumn<double>("light");
    QTest::addColumn<double>("dark");
    const auto row = [](const char *name, Role front, Role ground, double light, double dark) {
        QTest::newRow(name) << int(front) << int(ground) << light << dark;
    };
    row("text on base", Role::Text, Role::Base, 15.7, 14.5);
    row("text on window", Role::Text, Role::Window, 14.2, 13.1);
    row("text on selection", Role::Text, Role::Selection, 12.8, 9.8);
    row("text2 on base", Role::Text2, Role::Base, 6.4, 7.8);
    row("text2 on window", Role::Text2, Role::Window, 5.8, 7.1);
    row("text2 on selection", Role::Text2, Role::Selection, 5.2, 5.3);
    row("failed on base", Role::BadWord, Role::Base, 5.6, 7.8);
    row("failed on selection", Role::BadWord, Role::Selection, 4.6, 5.3);
    row("waiting on binding", Role::WaitWord, Role::BindingGround, 5.7, 8.6);
    row("text on binding", Role::Text, Role::BindingGround, 14.9, 12.9);
    row("accent on base", Role::Accent, Role::Base, 5.9, 7.6);
    row("accent on window", Role::Accent, Role::Window, 5.4, 6.9);
    row("on accent", Role::OnAccent, Role::Accent, 5.9, 7.7);
    row("edge on base", Role::Edge, Role::Base, 3.6, 4.0);
    row("edge on window", Role::Edge, Role::Window, 3.2, 3.6);
    row("ok on base", Role::OkFill, Role::Base, 4.5, 7.5);
    row("bad on base", Role::BadFill, Role::Base, 5.5, 6.6);
    row("wait on base", Role::WaitFill, Role::Base, 3.4, 8.5);
    row("blue on base", Role::BlueFill, Role::Base, 5.2, 7.6);
    row("held on base", Role::HeldFill, Role::Base, 3.7, 8.1);
    row("grey on base", Role::GreyFill, Role::Base, 6.2, 5.1);
}

void TestPalette::contrast()
{
    QFETCH(int, front);
    QFETCH(int, ground);
    QFETCH(double, light);
    QFETCH(double, dark);
    const double inLight =
        contrastOf(colourOf(Role(front), Theme::Light), colourOf(Role(ground), Theme::Light));
    const double inDark = contrastOf(colourOf(Role(front), Theme::Dark), colourOf(Role(ground), Theme::Dark));
    QVERIFY2(std::abs(inLight - light) < 0.1, qPrintable(QString::number(inLight)));
    QVERIFY2(std::abs(inDark - dark) < 0.1, qPrintable(QString::number(inDark)));
}

void TestPalette::everyTextMeetsAa_data()
{
    QTest::addColumn<int>("front");
    for (const Role role : {Role::Text, Role::Text2, Role::OkWord, Role::BadWord, Role::WaitWord,
                            Role::BlueWord, Role::HeldWord, Role::GreyWord})
        QTest::addRow("%d", int(role)) << int(role);
}

void TestPalette::everyTextMeetsAa()
{
    QFETCH(int, front);
    for (const Theme theme : {Theme::Light, Theme::Dark})
        for (const Role ground : {Role::Base, Role::Window, Role::Alt, Role::Selection})
            QVERIFY2(contrastOf(colourOf(Role(front), theme), colourOf(ground, theme)) >= 4.5,
                     qPrintable(QStringLiteral("%1 on %2").arg(front).arg(int(ground))));
}

void TestPalette::qtPaletteTellsItsTheme()
{
    QCOMPARE(themeOf(paletteOf(Theme::Light)), Theme::Light);
    QCOMPARE(themeOf(paletteOf(Theme::Dark)), Theme::Dark);
    QCOMPARE(paletteOf(Theme::Dark).color(QPalette::Base), colourOf(Role::Base, Theme::Dark));
}

QTEST_MAIN(TestPalette)
#include "tst_palette.moc"
