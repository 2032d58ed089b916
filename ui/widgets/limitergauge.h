// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/widgets/gaugeface.h"

namespace muster {

/// One limiter instance as a card (look.md 4): full for what binds, compact for the rest; its height follows
/// its width. Painted, so that hundreds cost little; reached by Tab, read by its accessible name. GUI thread,
/// owned by its panel.
class LimiterGauge final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LimiterGauge)

public:
    enum class Size : quint8 { Full, Compact };

    explicit LimiterGauge(QWidget *parent = nullptr);

    /// Repaints where something changed, lays out anew where its height did.
    void set(const GaugeFace &face, Size size);
    const GaugeFace &face() const { return m_face; }
    Size cardSize() const { return m_size; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    int px(int pixels) const;
    QString sentenceHtml() const;
    int sentenceHeight(int width) const;
    int valueWidth() const;
    void paintCard(QPainter &painter) const;
    void paintHead(QPainter &painter, const QRect &rect) const;
    void paintSentence(QPainter &painter, const QRect &rect) const;
    void paintGrid(QPainter &painter, QRect rect) const;
    void paintCompact(QPainter &painter, QRect rect) const;
    QRect place(const QRect &rect) const; ///< mirrored where the layout is

    GaugeFace m_face;
    Size m_size = Size::Compact;
};

} // namespace muster
