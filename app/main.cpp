// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <QApplication>
#include <sys/stat.h>

#include "app/application.h"
#include "app/console.h"
#include "app/places.h"
#include "app/practicecrawl.h"
#include "ui/screenshot.h"
#include "ui/style/look.h"

namespace {

struct Options
{
    std::string project, screenshot, theme, size, exportTo;
    bool practice = false, headless = false;
};

/// `--practice` and `--headless` are for app/run.sh: the practice service runs inside this program then.
void parseInto(CLI::App &app, Options &o)
{
    app.set_version_flag("--version", std::string("muster ") + MUSTER_VERSION + "\nQt " + qVersion());
    app.add_option("PROJECT", o.project, "the project file to open");
    app.add_option("--screenshot", o.screenshot, "paint the window into this PNG and end");
    app.add_option("--theme", o.theme, "light or dark")->check(CLI::IsMember({"light", "dark"}));
    app.add_option("--size", o.size, "of the picture, WxH");
    app.add_flag("--practice", o.practice,
                 "make PROJECT anew from the built-in practice service and start it");
    app.add_flag("--headless", o.headless, "end with the practice crawl")->needs("--practice");
    app.add_option("--export", o.exportTo, "write the rows of the practice crawl there")->needs("--headless");
}

int run(const Options &o)
{
    using namespace muster;
    DesktopPlan plan;
    plan.project = text(o.project);
    if (plan.project.isEmpty()) {
        const auto untitled = untitledProject();
        if (!untitled)
            return endWith(untitled.error());
        plan.project = *untitled;
    }
    plan.screenshot = text(o.screenshot);
    plan.exportTo = text(o.exportTo);
    plan.startAtOnce = o.practice;
    plan.endWhenDone = o.headless;
    if (!o.size.empty()) {
        plan.size = Screenshot::sizeFrom(text(o.size));
        if (!plan.size.isValid()) {
            say(QStringLiteral("--size %1: expected a width and a height such as 1280x800")
                    .arg(text(o.size)));
            return endWith(ExitCode::Usage);
        }
    }
    practice::PracticeService service;
    if (o.practice) {
        if (const QString why = service.start(); !why.isEmpty())
            return endWith(Stop{ExitCode::Unexpected, why});
        if (const auto made = makePracticeProject(service, plan.project); !made)
            return endWith(made.error());
    }
    Application application(plan);
    if (const auto begun = application.begin(); !begun)
        return endWith(begun.error());
    return QApplication::exec();
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_NO_THREADED_GLIB", "1"); // the GUI thread keeps glib, the others do without
    ::umask(077);
    // The words of the command line need no display, so that --help works without one.
    Options options;
    CLI::App app("Muster, the window. Without a project it opens the one that has no name yet.", "muster");
    parseInto(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &e) {
        return app.exit(e) == 0 ? 0 : static_cast<int>(muster::ExitCode::Usage);
    }
    QApplication application(argc, argv);
    QGuiApplication::setDesktopFileName(QStringLiteral("org.muster.Muster"));
    QApplication::setApplicationName(QStringLiteral("muster"));
    QApplication::setApplicationDisplayName(QStringLiteral("Muster"));
    QApplication::setApplicationVersion(QStringLiteral(MUSTER_VERSION));
    muster::applyLook(application, options.theme.empty()
                                       ? std::nullopt
                                       : std::optional(options.theme == "dark" ? muster::Theme::Dark
                                                                               : muster::Theme::Light));
    return run(options);
}
