import { CustomChart } from 'echarts/charts';
import { TooltipComponent } from 'echarts/components';
import { chartWordsFor } from '../locale/chart-words.ts';
import { baseOption, markLater } from './drawing/base.ts';
import { shade } from './drawing/paint.ts';
import { fitted, widthOf } from './drawing/text-width.ts';
import { tooltipOf } from './drawing/tooltip.ts';
import { isChosen } from './frame/chosen.ts';
import type { DrawnChart, Look } from './frame/chart.ts';
import type { Frame, Row } from './frame/frame.ts';
import { bandsOf, isShare, rangeOf } from './gauge/gauge.ts';
import { ruledColor } from './settings/settings.ts';

interface Bullet {
  readonly row: Row;
  readonly name: string;
  readonly value: number;
  readonly target: number | null;
  readonly text: string;
  readonly targetText: string;
  readonly isDim: boolean;
}

function bulletsOf(frame: Frame, { chosen = null }: Look): readonly Bullet[] {
  const [category, measure, target] = ['category', 'measure', 'target'].map((slot) => frame.slot(slot)[0]);
  return frame.rows.map((row) => ({
    row,
    name: category === undefined ? '' : category.text(row[category.index]),
    value: measure?.number(row[measure.index]) ?? 0,
    target: target === undefined ? null : target.number(row[target.index]),
    text: measure?.text(row[measure.index]) ?? '',
    targetText: target?.text(row[target.index]) ?? '',
    isDim: chosen !== null && !isChosen(frame, row, chosen),
  }));
}

/** One bar per member against its target, with the item's colour rules as background shades. */
export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'bullet-chart',
  parts: [CustomChart, TooltipComponent],
  option: (frame, look) => {
    const { theme, widthPx, heightPx, rightToLeft } = look;
    const measure = frame.slot('measure')[0];
    const bullets = bulletsOf(frame, look);
    const scale = rangeOf(
      frame,
      bullets.flatMap(({ value, target }) => [value, target ?? value]),
      isShare(measure),
    );
    const px = theme.axisPx;
    const namePx = Math.min(widthPx * 0.3, Math.max(0, ...bullets.map(({ name }) => widthOf(name, px, look) + 12)));
    const valuePx = Math.max(0, ...bullets.map(({ text }) => widthOf(text, px, look) + 12));
    const roomPx = Math.max(20, widthPx - namePx - valuePx);
    const rowPx = Math.min(44, heightPx / Math.max(1, bullets.length));
    const top = Math.max(0, (heightPx - rowPx * bullets.length) / 2);
    const at = (value: number): number =>
      ((Math.min(Math.max(value, scale.min), scale.max) - scale.min) / (scale.max - scale.min)) * roomPx;
    const bands = bandsOf(frame.settings.rules, scale, theme.line);
    const placed = (x: number, y: number, width: number, height: number): Record<string, number> => ({
      x: rightToLeft ? widthPx - x - width : x,
      y,
      width,
      height,
    });
    const words = chartWordsFor(look.formats.locale);
    return {
      ...baseOption(look),
      tooltip: tooltipOf(look, ({ dataIndex }: { dataIndex: number }) => {
        const bullet = bullets[dataIndex];
        if (bullet === undefined) return null;
        const target = { color: null, label: words.target, value: bullet.targetText };
        return {
          title: bullet.name,
          rows: [
            { color: theme.mainColor, label: measure?.label ?? '', value: bullet.text },
            ...(bullet.target === null ? [] : [target]),
          ],
        };
      }),
      series: [
        {
          type: 'custom',
          coordinateSystem: 'none',
          data: bullets.map(({ name, value, row }) => ({ name, value, mark: markLater(frame.dimensions, row) })),
          renderItem: ({ dataIndex }: { dataIndex: number }) => {
            const bullet = bullets[dataIndex];
            if (bullet === undefined) return null;
            const y = top + dataIndex * rowPx;
            const [wide, thin] = [rowPx * 0.62, rowPx * 0.28];
            const color = ruledColor(frame.settings.rules, bullet.value) ?? theme.mainColor;
            const zero = at(Math.max(0, scale.min));
            const [from, to] = [Math.min(zero, at(bullet.value)), Math.max(zero, at(bullet.value))];
            const text = (words: string, x: number, anchor: 'left' | 'right', style: object): object => ({
              type: 'text',
              x: rightToLeft ? widthPx - x : x,
              y: y + rowPx / 2,
              style: {
                text: words,
                fontSize: px,
                fontFamily: theme.font.family,
                verticalAlign: 'middle',
                align: rightToLeft ? (anchor === 'left' ? 'right' : 'left') : anchor,
                ...style,
              },
            });
            let start = 0;
            const background = bands.map(([end, fill]) => {
              const shape = placed(namePx + start * roomPx, y + (rowPx - wide) / 2, (end - start) * roomPx, wide);
              start = end;
              return { type: 'rect', shape, style: { fill: fill === theme.line ? fill : shade(fill, 0.28, look) } };
            });
            return {
              type: 'group',
              style: { opacity: bullet.isDim ? 0.35 : 1 },
              children: [
                ...background,
                {
                  type: 'rect',
                  shape: { ...placed(namePx + from, y + (rowPx - thin) / 2, to - from, thin), r: theme.rounding },
                  style: { fill: color, opacity: bullet.isDim ? 0.35 : 1 },
                },
                ...(bullet.target === null
                  ? []
                  : [
                      {
                        type: 'rect',
                        shape: placed(namePx + at(bullet.target) - 1.5, y + (rowPx - wide) / 2 - 2, 3, wide + 4),
                        style: { fill: theme.text },
                      },
                    ]),
                text(fitted(bullet.name, px, namePx - 10, look), 0, 'left', { fill: theme.mutedText }),
                text(bullet.text, widthPx, 'right', { fill: theme.text }),
              ],
            };
          },
        },
      ],
    };
  },
};
