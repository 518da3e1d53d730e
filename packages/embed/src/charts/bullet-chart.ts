import { CustomChart } from 'echarts/charts';
import { TooltipComponent } from 'echarts/components';
import { chartWordsFor } from '../locale/chart-words.ts';
import { baseOption, markLater } from './drawing/base.ts';
import { shade } from './drawing/paint.ts';
import { fitted, widthOf } from './drawing/text-width.ts';
import { tooltipOf } from './drawing/tooltip.ts';
import { isChosen } from './frame/chosen.ts';
import type { DrawnChart, SizedContext } from './frame/chart.ts';
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

function bulletsOf(frame: Frame, { chosen = null }: SizedContext): readonly Bullet[] {
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

/** The layout of bullets. In each row, the name, the bar and the value are next to each other, from left to right. */
interface Layout {
  readonly namePx: number;
  readonly roomPx: number;
  readonly rowPx: number;
  readonly top: number;
}

function layoutOf(bullets: readonly Bullet[], context: SizedContext): Layout {
  const { theme, widthPx, heightPx } = context;
  const longestPx = (texts: readonly string[]): number =>
    Math.max(0, ...texts.map((text) => widthOf(text, theme.axisPx, context) + 12));
  const namePx = Math.min(widthPx * 0.3, longestPx(bullets.map(({ name }) => name)));
  const valuePx = longestPx(bullets.map(({ text }) => text));
  const rowPx = Math.min(44, heightPx / Math.max(1, bullets.length));
  const top = Math.max(0, (heightPx - rowPx * bullets.length) / 2);
  return { namePx, roomPx: Math.max(20, widthPx - namePx - valuePx), rowPx, top };
}

type Scale = ReturnType<typeof rangeOf>;

/** Draws the row of one bullet: bands, bar, target, name and value. */
function rowOf(
  bullet: Bullet,
  index: number,
  layout: Layout,
  scale: Scale,
  frame: Frame,
  context: SizedContext,
): object {
  const { theme, widthPx, rightToLeft } = context;
  const { namePx, roomPx, rowPx, top } = layout;
  const y = top + index * rowPx;
  const [bandPx, barPx] = [rowPx * 0.62, rowPx * 0.28];
  const at = (value: number): number =>
    ((Math.min(Math.max(value, scale.min), scale.max) - scale.min) / (scale.max - scale.min)) * roomPx;
  const rect = (x: number, width: number, height: number, radius?: number): object => ({
    x: rightToLeft ? widthPx - namePx - x - width : namePx + x,
    y: y + (rowPx - height) / 2,
    width,
    height,
    ...(radius === undefined ? {} : { r: radius }),
  });
  const text = (words: string, x: number, anchor: 'left' | 'right', style: object): object => ({
    type: 'text',
    x: rightToLeft ? widthPx - x : x,
    y: y + rowPx / 2,
    style: {
      text: words,
      fontSize: theme.axisPx,
      fontFamily: theme.font.family,
      verticalAlign: 'middle',
      align: rightToLeft ? (anchor === 'left' ? 'right' : 'left') : anchor,
      ...style,
    },
  });
  const bands = bandsOf(frame.settings.rules, scale, theme.line);
  const background = bands.map(([end, fill], band) => {
    const start = bands[band - 1]?.[0] ?? 0;
    return {
      type: 'rect',
      shape: rect(start * roomPx, (end - start) * roomPx, bandPx),
      style: { fill: fill === theme.line ? fill : shade(fill, 0.28, context) },
    };
  });
  const zero = at(Math.max(0, scale.min));
  const [from, to] = [Math.min(zero, at(bullet.value)), Math.max(zero, at(bullet.value))];
  const bar = {
    type: 'rect',
    shape: rect(from, to - from, barPx, theme.rounding),
    style: {
      fill: ruledColor(frame.settings.rules, bullet.value) ?? theme.mainColor,
      opacity: bullet.isDim ? 0.35 : 1,
    },
  };
  const target =
    bullet.target === null
      ? []
      : [{ type: 'rect', shape: rect(at(bullet.target) - 1.5, 3, bandPx + 4), style: { fill: theme.text } }];
  return {
    type: 'group',
    style: { opacity: bullet.isDim ? 0.35 : 1 },
    children: [
      ...background,
      bar,
      ...target,
      text(fitted(bullet.name, theme.axisPx, namePx - 10, context), 0, 'left', { fill: theme.mutedText }),
      text(bullet.text, widthPx, 'right', { fill: theme.text }),
    ],
  };
}

/** One bar per member, compared with its target. The colour rules of the item are shades in the background. */
export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'bullet-chart',
  parts: [CustomChart, TooltipComponent],
  option: (frame, context) => {
    const measure = frame.slot('measure')[0];
    const bullets = bulletsOf(frame, context);
    const values = bullets.flatMap(({ value, target }) => [value, target ?? value]);
    const scale = rangeOf(frame, values, isShare(measure));
    const layout = layoutOf(bullets, context);
    const words = chartWordsFor(context.formats.locale);
    return {
      ...baseOption(context),
      tooltip: tooltipOf(context, ({ dataIndex }: { dataIndex: number }) => {
        const bullet = bullets[dataIndex];
        if (bullet === undefined) return null;
        const target = { color: null, label: words.target, value: bullet.targetText };
        return {
          title: bullet.name,
          rows: [
            { color: context.theme.mainColor, label: measure?.label ?? '', value: bullet.text },
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
            return bullet === undefined ? null : rowOf(bullet, dataIndex, layout, scale, frame, context);
          },
        },
      ],
    };
  },
};
