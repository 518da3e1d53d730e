import { markLater } from '../drawing/base.ts';
import type { Mark } from '../frame/mark.ts';
import { isChosen } from '../frame/chosen.ts';
import { decalAt, labelOn } from '../drawing/paint.ts';
import { widthOf } from '../drawing/text-width.ts';
import { memberColor } from '../colors/mark-color.ts';
import { ruledColor } from '../settings/settings.ts';
import { columnPx } from './labels.ts';
import { drawnAt, isShared, isUnfinished, numberAt, type CartesianFrame, type Series } from './read.ts';

type SeriesOption = Readonly<Record<string, unknown>>;
type Member = CartesianFrame['listed'][number];

const emptyMark = (): Mark => ({ cells: [] });
/** Opacity of unselected marks and of incomplete periods. */
const [dimmed, unfinished] = [0.3, 0.55];

/**
 * Returns a function that says if a series is the outermost of a stack, above or below zero. Only the outermost bar has
 * rounded corners.
 */
function outermost(chart: CartesianFrame): (series: Series, key: string, value: number) => boolean {
  const lastSeries = new Map<string, Series>();
  for (const series of chart.series)
    for (const { key } of chart.listed) {
      const value = drawnAt(chart, series, key);
      if (value !== null && value !== 0) lastSeries.set(`${key}\u0000${value > 0}`, series);
    }
  return (series, key, value) => lastSeries.get(`${key}\u0000${value > 0}`) === series;
}

type Side = 'top' | 'bottom' | 'left' | 'right';

/** Returns the side of the chart towards which a bar extends. */
function endSide({ isFlipped, context, frame }: CartesianFrame, { axis }: Series, value: number): Side {
  const isForward = value >= 0 !== (axis === 0 && frame.settings.axis.value.isInverted);
  if (isFlipped) return isForward !== context.rightToLeft ? 'right' : 'left';
  return isForward ? 'top' : 'bottom';
}

/** By the side on which a bar ends: 1 for each rounded corner, clockwise from the top left. */
const roundedAt: Readonly<Record<Side, readonly (0 | 1)[]>> = {
  top: [1, 1, 0, 0],
  right: [0, 1, 1, 0],
  bottom: [0, 0, 1, 1],
  left: [1, 0, 0, 1],
};

/** Returns the colour of a bar; null if the bar has the colour of its series. */
function barColor(chart: CartesianFrame, series: Series, member: Member): string | null {
  const { frame, context, axis } = chart;
  const place = chart.series.indexOf(series);
  const ruleColor = ruledColor(frame.settings.rules, numberAt(series, member.key), place);
  if (ruleColor !== null || axis === undefined || chart.series.length > 1) return ruleColor;
  return frame.settings.isOneColor
    ? frame.settings.colorOf(axis.text(member.cell))
    : memberColor(frame, context, axis, member.cell);
}

type ValueText = (series: Series, value: number | null) => string;

const valueText: ValueText = ({ measure }, value) => (value === null ? '' : (measure?.short(value) ?? String(value)));

/**
 * Shortens a value to two significant digits, or to all digits before the decimal point: `€1.23M` becomes `€1.2M`, but
 * `€988K` is unchanged. A text of more than three digits is unchanged too, because its language has no unit for the
 * magnitude.
 */
const briefText: ValueText = (series, value) => {
  const text = valueText(series, value);
  return value === null || value === 0 || (text.match(/\p{Nd}/gu)?.length ?? 0) > 3
    ? text
    : valueText(series, Number(value.toPrecision(Math.max(2, (Math.floor(Math.log10(Math.abs(value))) % 3) + 1))));
};

/**
 * Returns the formatter of value labels, whose texts are as short as the width of the columns requires; null if values
 * have no labels.
 */
export function valueTexts(chart: CartesianFrame): ValueText | null {
  const { frame, context, listed, series, isFlipped, isStacked } = chart;
  const { labels } = frame.settings;
  if (labels !== 'auto') return labels === 'all' ? valueText : null;
  const [only] = series;
  if (only === undefined || series.length > 1 || isStacked || only.shape !== 'bar' || context.widthPx < 160)
    return null;
  const { axisPx } = context.theme;
  if (isFlipped) return (context.heightPx - 12) / listed.length >= axisPx * 1.35 ? valueText : null;
  const roomPx = columnPx(chart) - 6;
  const hasRoom = (text: ValueText): boolean =>
    listed.every(({ key }) => widthOf(text(only, numberAt(only, key)), axisPx, context) <= roomPx);
  const texts = only.measure?.placed.content?.notation === 'duration' ? [valueText] : [valueText, briefText];
  return texts.find(hasRoom) ?? null;
}

function labelOption(chart: CartesianFrame, series: Series): SeriesOption {
  const { context, isStacked, frame, listed } = chart;
  const textOfValue = valueTexts(chart);
  if (textOfValue === null) return {};
  const isInside = isStacked && series.shape === 'bar';
  const percent = context.formats.numbers({ notation: 'percent', format: '.0%' });
  return {
    label: {
      show: true,
      position: isInside ? 'inside' : endSide(chart, series, 0),
      fontSize: context.theme.axisPx,
      ...(isInside ? labelOn(series.color, context) : { color: context.theme.text }),
      formatter: ({ dataIndex }: { dataIndex: number }) => {
        const key = listed[dataIndex]?.key ?? '';
        const drawnValue = drawnAt(chart, series, key);
        return isShared(chart) && drawnValue !== null
          ? percent.full(drawnValue)
          : textOfValue(series, numberAt(series, key));
      },
    },
    labelLayout: { hideOverlap: frame.settings.labels === 'all' },
  };
}

function datumOf(
  chart: CartesianFrame,
  series: Series,
  member: Member,
  isOuter: ReturnType<typeof outermost>,
): unknown {
  const { axis, isTimed, frame, context } = chart;
  const row = series.values.get(member.key);
  const number = drawnAt(chart, series, member.key);
  const mark = row === undefined ? emptyMark : markLater(frame.dimensions, row);
  const isDim =
    context.chosen !== null &&
    context.chosen !== undefined &&
    (row === undefined || !isChosen(frame, row, context.chosen));
  const isOpen = isUnfinished(axis, member.cell, context);
  const opacity = isDim ? dimmed : isOpen ? unfinished : 1;
  const color = series.shape === 'bar' ? barColor(chart, series, member) : null;
  const corners =
    series.shape === 'bar' && number !== null && (!chart.isStacked || isOuter(series, member.key, number))
      ? { borderRadius: roundedAt[endSide(chart, series, number)].map((corner) => corner * context.theme.rounding) }
      : {};
  const isBelow = number !== null && number < 0 && series.shape === 'bar' && !chart.isStacked;
  const style = { ...(color === null ? {} : { color }), ...(opacity === 1 ? {} : { opacity }), ...corners };
  return {
    value: isTimed ? [axis?.number(member.cell) ?? null, number] : number,
    mark,
    ...(isBelow ? { label: { position: endSide(chart, series, number) } } : {}),
    ...(Object.keys(style).length === 0 ? {} : { itemStyle: style }),
  };
}

function markStyle(chart: CartesianFrame, series: Series): SeriesOption {
  const { frame, context, listed, isStacked } = chart;
  const decal = decalAt(
    context,
    chart.all.findIndex(({ name }) => name === series.name),
  );
  const { settings } = frame;
  if (series.shape === 'bar') {
    const border = isStacked ? { borderColor: context.theme.itemsBackground, borderWidth: 0.5 } : {};
    return {
      type: 'bar',
      ...(chart.isGapless === true ? { barCategoryGap: '3%' } : { barMaxWidth: 56, barCategoryGap: '28%' }),
      itemStyle: { color: series.color, ...border, ...decal },
    };
  }
  const isArea = series.shape === 'area';
  const hasFew = !isArea && listed.length <= 24 && listed.length * chart.series.length <= 48;
  const hasChosen = context.chosen !== null && context.chosen !== undefined;
  const isDim = hasChosen && !listed.some(({ key }) => isChosenIn(chart, series, key));
  return {
    type: 'line',
    showSymbol: settings.hasPoints ?? (hasFew || listed.length === 1 || hasChosen),
    symbol: 'circle',
    symbolSize: hasFew ? 6 : 4,
    ...(settings.curve === 'smooth' ? { smooth: 0.35, smoothMonotone: 'x' } : {}),
    ...(settings.curve === 'step' ? { step: 'end' } : {}),
    itemStyle: { color: series.color, ...decal },
    lineStyle: { width: isStacked ? 1 : 2, color: series.color, ...(isDim ? { opacity: dimmed } : {}) },
    ...(isArea
      ? { areaStyle: { color: series.color, opacity: (isStacked ? 0.75 : 0.18) * (isDim ? dimmed : 1) } }
      : {}),
  };
}

const isChosenIn = ({ frame, context }: CartesianFrame, { values }: Series, key: string): boolean => {
  const row = values.get(key);
  return (
    row !== undefined && context.chosen !== null && context.chosen !== undefined && isChosen(frame, row, context.chosen)
  );
};

export function seriesOptions(chart: CartesianFrame): readonly SeriesOption[] {
  const { series, listed, isStacked, isFlipped } = chart;
  const isOuter = isStacked ? outermost(chart) : (): boolean => true;
  const isOneOfMany = series.length > 1;
  return series.map((s) => ({
    name: s.name,
    ...markStyle(chart, s),
    ...labelOption(chart, s),
    ...(chart.axes.length > 1 ? { [isFlipped ? 'xAxisIndex' : 'yAxisIndex']: s.axis } : {}),
    data: listed.map((member) => datumOf(chart, s, member, isOuter)),
    ...(isStacked ? { stack: `stack ${s.axis} ${s.shape === 'bar'}` } : {}),
    emphasis: { focus: isOneOfMany ? 'series' : 'none' },
  }));
}
