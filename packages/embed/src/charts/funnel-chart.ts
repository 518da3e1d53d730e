import { CustomChart } from 'echarts/charts';
import { TooltipComponent } from 'echarts/components';
import { measureColor, memberColor } from './colors/mark-color.ts';
import { belowZeroNote } from './drawing/below-zero.ts';
import { baseOption, markLater } from './drawing/base.ts';
import { shade } from './drawing/paint.ts';
import { fitted, widthOf } from './drawing/text-width.ts';
import { tooltipOf } from './drawing/tooltip.ts';
import type { Mark } from './frame/mark.ts';
import type { DrawnChart, SizedContext } from './frame/chart.ts';
import { isChosen } from './frame/chosen.ts';
import type { Frame } from './frame/frame.ts';

interface Stage {
  readonly name: string;
  readonly value: number;
  readonly text: string;
  readonly color: string;
  readonly isDim: boolean;
  readonly mark: () => Mark;
}

/** Returns one stage per member, or one per measure if there is no category. */
function stagesOf(frame: Frame, context: SizedContext): readonly Stage[] {
  const category = frame.slot('category')[0];
  const [measure] = frame.measures;
  const { chosen = null } = context;
  if (category === undefined) {
    const row = frame.rows[0] ?? [];
    return frame.measures.map((field) => ({
      name: field.label,
      value: Math.max(0, field.number(row[field.index]) ?? 0),
      text: field.text(row[field.index]),
      color: measureColor(frame, context, field, 0),
      isDim: false,
      mark: () => ({ cells: [] }),
    }));
  }
  return frame.rows.map((row) => ({
    name: category.text(row[category.index]),
    value: Math.max(0, measure?.number(row[measure.index]) ?? 0),
    text: measure?.text(row[measure.index]) ?? '',
    color: frame.settings.isOneColor
      ? (frame.settings.colorOf(category.text(row[category.index])) ?? context.theme.mainColor)
      : memberColor(frame, context, category, row[category.index] ?? null),
    isDim: chosen !== null && !isChosen(frame, row, chosen),
    mark: markLater(frame.dimensions, row),
  }));
}

/** The layout of stages. In each row, the name, a bar around the middle and the share are next to each other. */
interface Layout {
  readonly namePx: number;
  readonly roomPx: number;
  readonly rowPx: number;
  readonly top: number;
  readonly middle: number;
  /** The largest value. Its bar is as wide as the space for bars. */
  readonly most: number;
}

const sharePx = 52;

function layoutOf(stages: readonly Stage[], context: SizedContext): Layout {
  const { theme, widthPx, heightPx, rightToLeft } = context;
  const largest = Math.max(...stages.map(({ value }) => value), Number.EPSILON);
  const longestPx = Math.max(0, ...stages.map(({ name }) => widthOf(name, theme.axisPx, context) + 12));
  const namePx = Math.min(widthPx * 0.3, longestPx);
  const roomPx = Math.max(20, widthPx - namePx - sharePx);
  const rowPx = Math.min(64, heightPx / Math.max(1, stages.length));
  const top = Math.max(0, (heightPx - rowPx * stages.length) / 2);
  return { namePx, roomPx, rowPx, top, middle: (rightToLeft ? sharePx : namePx) + roomPx / 2, most: largest };
}

/** Draws a stage with its name and share, and the connection to the next stage. */
function rowOf(
  stages: readonly Stage[],
  index: number,
  layout: Layout,
  share: string,
  context: SizedContext,
): object | null {
  const { theme, widthPx, rightToLeft } = context;
  const { namePx, roomPx, rowPx, top, middle, most } = layout;
  const px = theme.axisPx;
  const [stage, nextStage] = [stages[index], stages[index + 1]];
  if (stage === undefined) return null;
  const y = top + index * rowPx;
  const barPx = rowPx * 0.62;
  const widthOfStage = ({ value }: Stage): number => Math.max(2, (value / most) * roomPx);
  const stagePx = widthOfStage(stage);
  const opacity = stage.isDim ? 0.35 : 1;
  const text = (words: string, x: number, align: 'left' | 'right' | 'center', fill: string): object => ({
    type: 'text',
    x,
    y: y + barPx / 2,
    style: { text: words, fill, fontSize: px, fontFamily: theme.font.family, align, verticalAlign: 'middle' },
  });
  const bar = {
    type: 'rect',
    shape: { x: middle - stagePx / 2, y, width: stagePx, height: barPx, r: theme.rounding },
    style: { fill: stage.color, opacity },
  };
  const leading = (to: Stage): object => ({
    type: 'polygon',
    shape: {
      points: [
        [middle - stagePx / 2, y + barPx],
        [middle + stagePx / 2, y + barPx],
        [middle + widthOfStage(to) / 2, y + rowPx],
        [middle - widthOfStage(to) / 2, y + rowPx],
      ],
    },
    style: { fill: shade(stage.color, 0.18, context), opacity },
    silent: true,
  });
  const [start, end] = rightToLeft ? (['right', 'left'] as const) : (['left', 'right'] as const);
  const isInside = widthOf(stage.text, px, context) + 12 <= stagePx;
  return {
    type: 'group',
    children: [
      bar,
      ...(nextStage === undefined ? [] : [leading(nextStage)]),
      text(fitted(stage.name, px, namePx - 10, context), rightToLeft ? widthPx : 0, start, theme.mutedText),
      isInside
        ? text(stage.text, middle, 'center', theme.itemsBackground)
        : text(stage.text, middle + stagePx / 2 + 6, 'left', theme.text),
      text(share, rightToLeft ? 0 : widthPx, end, theme.text),
    ],
  };
}

/**
 * Stages below each other. The width of a stage is proportional to its value; its label has the share of the first
 * stage.
 */
export const chart: DrawnChart = {
  kind: 'drawn',
  type: 'funnel-chart',
  note: belowZeroNote,
  parts: [CustomChart, TooltipComponent],
  option: (frame, context) => {
    const stages = stagesOf(frame, context);
    const layout = layoutOf(stages, context);
    const share = context.formats.numbers({ notation: 'percent', format: '.0%' });
    const shareOf = (index: number): string =>
      share.full((stages[index]?.value ?? 0) / Math.max(stages[0]?.value ?? 0, Number.EPSILON));
    return {
      ...baseOption(context),
      tooltip: tooltipOf(context, ({ dataIndex }: { dataIndex: number }) => {
        const stage = stages[dataIndex];
        return stage === undefined
          ? null
          : {
              title: '',
              rows: [{ color: stage.color, label: stage.name, value: stage.text, note: shareOf(dataIndex) }],
            };
      }),
      series: [
        {
          type: 'custom',
          coordinateSystem: 'none',
          data: stages.map(({ name, value, mark }) => ({ name, value, mark })),
          renderItem: ({ dataIndex }: { dataIndex: number }) =>
            rowOf(stages, dataIndex, layout, shareOf(dataIndex), context),
        },
      ],
    };
  },
};
