import type { SizedContext } from '../frame/chart.ts';
import { widthOf } from '../drawing/text-width.ts';
import { memberLabels, valueRoom } from './labels.ts';
import { drawnAt, isShared, numberAt, overlayRoom, type CartesianFrame } from './read.ts';

type AxisOption = Readonly<Record<string, unknown>>;

const labelStyle = ({ theme }: SizedContext): AxisOption => ({ color: theme.mutedText, fontSize: theme.axisPx });

const titleStyle = ({ theme }: SizedContext): AxisOption => ({ color: theme.mutedText, fontSize: theme.axisPx });

const oneIf = (condition: boolean, option: AxisOption): AxisOption => (condition ? option : {});

export function memberAxis(chart: CartesianFrame): AxisOption {
  const { axis, listed, isFlipped, isTimed, context, frame } = chart;
  const { theme, rightToLeft } = context;
  const { category } = frame.settings.axis;
  const texts = listed.map(({ cell }) => (axis === undefined ? '' : axis.text(cell)));
  const labels = memberLabels(chart).option;
  const isInverse = isFlipped !== category.isInverted ? true : !isFlipped && rightToLeft;
  return {
    type: isTimed ? 'time' : 'category',
    ...oneIf(!isTimed, {
      data: texts,
      boundaryGap: chart.series.some(({ shape }) => shape === 'bar') || listed.length === 1,
    }),
    inverse: !isFlipped && rightToLeft ? !category.isInverted : isInverse,
    ...oneIf(isFlipped && rightToLeft, { position: 'right' }),
    ...oneIf(category.title !== '', {
      name: category.title,
      nameLocation: 'middle',
      nameTextStyle: titleStyle(context),
    }),
    axisTick: { show: false },
    axisLine: { lineStyle: { color: theme.line } },
    axisLabel: { ...labelStyle(context), ...labels, show: category.isShown },
  };
}

/** Width of the longest value label as a percentage of the bar area. */
function valueShare({ series, listed, context }: CartesianFrame): number {
  const longestPx = Math.max(
    ...series.flatMap((s) =>
      listed.map(({ key }) => widthOf(s.measure?.short(numberAt(s, key) ?? 0) ?? '', context.theme.axisPx, context)),
    ),
  );
  return Math.min(60, Math.round(((longestPx + 8) / Math.max(80, context.widthPx * 0.5)) * 100));
}

/** Height of a value label as a percentage of the column area. */
const valueHeight = ({ context }: CartesianFrame): number =>
  Math.min(40, Math.round(((context.theme.axisPx + 6) / Math.max(40, context.heightPx * 0.5)) * 100));

/** True if an axis has bars below zero. Their value labels need space at the lower end of the axis. */
const isBelowZero = (chart: CartesianFrame, place: 0 | 1): boolean =>
  !chart.isStacked &&
  chart.series.some(
    (s) => s.axis === place && s.shape === 'bar' && chart.listed.some(({ key }) => (drawnAt(chart, s, key) ?? 0) < 0),
  );

/** Returns the powers of ten below and above all values of a logarithmic axis; empty if there are no values. */
function powersAround(chart: CartesianFrame): readonly number[] {
  const { series, listed, totals, isStacked, type } = chart;
  // A waterfall column starts where the previous one ends, so its value does not say how far the axis extends.
  if (type === 'waterfall-chart') return [];
  const values = listed.flatMap(({ key }) => [
    ...series.flatMap((s) => (s.axis === 0 ? (drawnAt(chart, s, key) ?? []) : [])),
    ...(isStacked ? [totals.get(key) ?? 0] : []),
  ]);
  const powers = values.filter((value) => value > 0).map((value) => Math.ceil(Math.log10(value)));
  return powers.length === 0 ? [] : [10 ** (Math.min(...powers) - 1), 10 ** Math.max(...powers)];
}

/** Returns how far the drawn values extend from zero in one direction. */
function reachOf(chart: CartesianFrame, place: 0 | 1, side: -1 | 1): number {
  const { series, listed, isStacked } = chart;
  const axisSeries = series.filter(({ axis }) => axis === place);
  return Math.max(
    0,
    ...listed.map(({ key }) => {
      const values = axisSeries.map((s) => Math.max(0, side * (drawnAt(chart, s, key) ?? 0)));
      return isStacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values);
    }),
  );
}

/**
 * Returns the ends of a percentage axis, rounded up to multiples of 25%. The axis extends below zero if there are
 * negative numbers.
 */
function sharedEnds(chart: CartesianFrame): AxisOption {
  const [minShare, maxShare] = ([-1, 1] as const).map((side) => Math.ceil(reachOf(chart, 0, side) * 4 - 1e-9) / 4);
  return { min: minShare ? -minShare : 0, max: minShare ? maxShare : 1, interval: 0.25 };
}

/** Rounds a step between ticks up to a step that gives round tick values. */
function roundStep(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5].find((step) => step * unit >= value * (1 - 1e-9)) ?? 10) * unit;
}

/** Number of steps on an axis, those below zero included. */
const stepCount = 5;

/**
 * Returns the ends of one of two value axes, so that both axes have zero at the same position. Null if there is a
 * single axis, or if no value is negative.
 */
function alignedEnds(chart: CartesianFrame, place: 0 | 1): AxisOption | null {
  const { axes, frame } = chart;
  const { min, max, isLog } = frame.settings.axis.value;
  if (axes.length < 2 || isLog || min !== null || max !== null) return null;
  const extents = axes.map((axis) => ({ below: reachOf(chart, axis, -1), above: reachOf(chart, axis, 1) }));
  const share = Math.max(...extents.map(({ below, above }) => (below === 0 ? 0 : below / (below + above))));
  if (share === 0) return null;
  const isAbove = extents.some(({ above }) => above > 0);
  const stepsBelow = Math.min(isAbove ? stepCount - 1 : stepCount, Math.max(1, Math.round(share * stepCount)));
  const stepsAbove = stepCount - stepsBelow;
  const extent = extents[place] ?? { below: 0, above: 0 };
  const step = roundStep(Math.max(extent.below / stepsBelow, stepsAbove === 0 ? 0 : extent.above / stepsAbove) || 1);
  return { min: -stepsBelow * step, max: stepsAbove * step, interval: step };
}

/** Returns the first value axis, or the second, which is on the opposite side. */
export function valueAxis(chart: CartesianFrame, place: 0 | 1, hasValues: boolean, isBare: boolean): AxisOption {
  const { isFlipped, context, series, frame } = chart;
  const { theme, rightToLeft } = context;
  const settings = frame.settings.axis.value;
  const isFirstAxis = place === 0;
  const [minPower, maxPower] = isFirstAxis && settings.isLog ? powersAround(chart) : [];
  const [min, max] = isFirstAxis ? [settings.min ?? minPower, settings.max ?? maxPower] : [];
  const measure = series.find((s) => s.axis === place)?.measure;
  const percent = context.formats.numbers({ notation: 'percent', format: '.0%' });
  const axisFormat =
    isFirstAxis && settings.format !== null ? context.formats.numbers({ format: settings.format }) : null;
  const valueText = (value: number): string =>
    isShared(chart) ? percent.full(value) : (axisFormat?.full(value) ?? measure?.short(value) ?? String(value));
  const atEnd = isFirstAxis === rightToLeft;
  const count = Math.max(2, Math.floor(isFlipped ? context.widthPx / 90 : context.heightPx / 48));
  return {
    type: isFirstAxis && settings.isLog ? 'log' : 'value',
    inverse: (isFlipped && rightToLeft) !== (isFirstAxis && settings.isInverted),
    ...oneIf(!isFlipped, { position: atEnd ? 'right' : 'left' }),
    ...oneIf(isFirstAxis && settings.title !== '', {
      name: settings.title,
      nameLocation: isFlipped ? 'middle' : 'end',
      nameTextStyle: { ...titleStyle(context), align: atEnd ? 'right' : 'left' },
    }),
    // On a logarithmic axis, bars start at 1 unless `startValue` is set.
    ...oneIf(min !== undefined, settings.isLog ? { min, startValue: min } : { min }),
    ...oneIf(max !== undefined, { max }),
    ...alignedEnds(chart, place),
    ...oneIf(isShared(chart), sharedEnds(chart)),
    // The value labels of negative bars, and those of an inverted axis, would overlap the category labels.
    ...oneIf(hasValues, {
      boundaryGap: [isBelowZero(chart, place), isFirstAxis && settings.isInverted].map((isBeside) =>
        isBeside ? `${isFlipped ? valueShare(chart) : valueHeight(chart)}%` : 0,
      ),
    }),
    splitNumber: Math.min(count, 6),
    splitLine: { show: isFirstAxis && !isBare, lineStyle: { color: theme.line } },
    axisLabel: { ...labelStyle(context), hideOverlap: true, formatter: valueText, show: settings.isShown && !isBare },
  };
}

/** Returns the margins of the plot, which have space for value labels and reference lines. */
export function gridOf(chart: CartesianFrame, hasValues: boolean): Record<string, unknown> {
  const { context, frame, isFlipped, series, listed } = chart;
  const { theme, rightToLeft } = context;
  const [only] = series;
  const { topPx, endPx } = overlayRoom(chart);
  const longestPx =
    isFlipped && hasValues && only !== undefined
      ? Math.max(
          0,
          ...listed.map(({ key }) => {
            const value = only.measure?.number(only.values.get(key)?.[only.measure.index]) ?? null;
            return value === null ? 0 : widthOf(only.measure?.short(value) ?? '', theme.axisPx, context) + 8;
          }),
        )
      : 0;
  const [start, end] = [4, Math.max(12, longestPx, endPx)];
  const top = 12 + topPx + (hasValues && !isFlipped ? theme.axisPx : 0);
  const bottom = 4;
  if (!rightToLeft || isFlipped)
    return { left: rightToLeft ? end : start, right: rightToLeft ? start : end, top, bottom, outerBoundsMode: 'same' };
  const { heightPx, leftPx = 0 } = memberLabels(chart);
  // ECharts reserves space for labels and titles as if the axis were not inverted.
  const titlePx = frame.settings.axis.value.title === '' ? 0 : 20;
  return {
    left: Math.max(end, leftPx, valueRoom(chart, 1)),
    right: valueRoom(chart, 0),
    top: top + titlePx + theme.axisPx / 2,
    bottom: bottom + heightPx + 10,
    outerBoundsMode: 'none',
  };
}
