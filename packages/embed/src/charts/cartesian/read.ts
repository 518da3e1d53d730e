import { type Item, type ItemType, type Json, dayOf, periodAt } from '@inlay/contract';
import { memberColor, measureColor } from '../colors/mark-color.ts';
import { nameOf } from '../drawing/base.ts';
import type { SizedContext, Part } from '../frame/chart.ts';
import type { Field, Frame, Row } from '../frame/frame.ts';
import { membersOf, membersWithGaps, type Member } from '../frame/members.ts';

export type Shape = 'bar' | 'line' | 'area';

/** Reference lines, bands and trend lines, whose code is loaded on demand. */
export interface Overlay {
  /** ECharts components of the overlay. */
  readonly parts: Extract<Part, readonly unknown[]>;
  /** Returns options to merge into the first series. */
  readonly marks: (chart: CartesianFrame) => Readonly<Record<string, unknown>>;
  /** Returns the space that the labels of references need above and after the plot. */
  readonly room: (chart: CartesianFrame) => OverlayRoom;
  /** Returns series to append to those of the chart. */
  readonly trends: (chart: CartesianFrame) => readonly Readonly<Record<string, unknown>>[];
}

interface OverlayRoom {
  readonly topPx: number;
  readonly endPx: number;
}

/** Configuration of a chart with category and value axes. */
export interface Cartesian {
  readonly type: ItemType;
  readonly axisSlot: 'x-axis' | 'y-axis';
  /** Shape of the measure at index `place`. */
  readonly shapeOf: (place: number, item: Item) => Shape;
  /** If true, a measure of another unit or magnitude gets its own axis. */
  readonly hasSecondAxis?: true;
  /** If true, bars touch each other, as in a histogram. */
  readonly isGapless?: true;
  readonly overlay?: Overlay;
}

/** One series: the rows of a legend member, or of a measure. */
export interface Series {
  readonly name: string;
  readonly label: string;
  readonly measure: Field | undefined;
  readonly values: ReadonlyMap<string, Row>;
  readonly color: string;
  readonly shape: Shape;
  /** The value axis of the series: 0 for the first, 1 for the second. */
  readonly axis: 0 | 1;
}

/** The rows of a chart with category and value axes, prepared for all parts of the chart. */
export interface CartesianFrame extends Cartesian {
  readonly frame: Frame;
  readonly context: SizedContext;
  readonly axis: Field | undefined;
  readonly series: readonly Series[];
  /** All series, including those that the viewer has hidden. */
  readonly all: readonly Series[];
  readonly listed: readonly Member[];
  /** True if the category axis is vertical. */
  readonly isFlipped: boolean;
  /** True if the category axis is a time scale. */
  readonly isTimed: boolean;
  readonly isStacked: boolean;
  /** Sum of the absolute values of a member's series, by member key. */
  readonly totals: ReadonlyMap<string, number>;
  /** The value axes in use. */
  readonly axes: readonly (0 | 1)[];
}

const styleOf = (field: Field | undefined): string => {
  const content = field?.placed.content;
  const isShare = content?.notation === 'percent' || /[%p]$/u.test(content?.format ?? '');
  return JSON.stringify([
    isShare,
    content?.currency ?? '',
    content?.unit ?? '',
    isShare ? '' : (content?.notation ?? ''),
  ]);
};

/** If two measures differ by more than this factor, each gets its own axis, because the smaller one would look flat. */
const maxRatio = 12;

/**
 * Returns a function that says if a measure needs the second axis, because its format or magnitude differs from that of
 * the first measure.
 */
function onSecondAxis({ measures, rows }: Frame): (measure: Field) => boolean {
  const [firstMeasure] = measures;
  const largest = (field: Field | undefined): number =>
    rows.reduce((max, row) => Math.max(max, Math.abs(field?.number(row[field.index]) ?? 0)), 0);
  const firstLargest = largest(firstMeasure);
  return (measure) => {
    const measureLargest = largest(measure);
    return (
      styleOf(measure) !== styleOf(firstMeasure) ||
      measureLargest > firstLargest * maxRatio ||
      measureLargest < firstLargest / maxRatio
    );
  };
}

function seriesOf(chart: Cartesian, frame: Frame, context: SizedContext, axis: Field | undefined): readonly Series[] {
  const legend = frame.slot('legend')[0];
  const keyOf = (row: Row): string => (axis === undefined ? '' : axis.key(row[axis.index]));
  if (legend === undefined) {
    const values = new Map(frame.rows.map((row) => [keyOf(row), row]));
    const onSecond = chart.hasSecondAxis === true ? onSecondAxis(frame) : (): boolean => false;
    return frame.measures.map((measure, place) => ({
      name: nameOf(measure.label),
      label: measure.label,
      measure,
      values,
      color: measureColor(frame, context, measure, place),
      shape: chart.shapeOf(place, frame.item),
      axis: onSecond(measure) ? 1 : 0,
    }));
  }
  const groups = new Map(
    membersOf(frame, legend).map(({ key, cell }) => [key, { cell, values: new Map<string, Row>() }]),
  );
  for (const row of frame.rows) groups.get(legend.key(row[legend.index]))?.values.set(keyOf(row), row);
  const measure = frame.measures[0];
  return [...groups.values()].map(({ cell, values }) => ({
    name: nameOf(legend.text(cell)),
    label: legend.text(cell),
    measure,
    values,
    color: memberColor(frame, context, legend, cell),
    shape: chart.shapeOf(0, frame.item),
    axis: 0,
  }));
}

/** Returns the space for the labels of references. */
export const overlayRoom = (chart: CartesianFrame): OverlayRoom => chart.overlay?.room(chart) ?? { topPx: 0, endPx: 0 };

/** Returns the value of a series for a member; null if there is none. */
export function numberAt({ measure, values }: Series, key: string): number | null {
  const row = values.get(key);
  return row === undefined || measure === undefined ? null : measure.number(row[measure.index]);
}

function listedOf(frame: Frame, axis: Field | undefined, isLine: boolean, isTimed: boolean): readonly Member[] {
  if (axis === undefined) return [{ key: '', cell: '' }];
  const members = (isLine ? membersWithGaps : membersOf)(frame, axis);
  const at = (cell: Json): number => axis.number(cell) ?? 0;
  return isTimed ? members.toSorted((a, b) => at(a.cell) - at(b.cell)) : members;
}

export function readCartesian(chart: Cartesian, frame: Frame, context: SizedContext): CartesianFrame {
  const axis = frame.slot(chart.axisSlot)[0];
  const isLine = chart.shapeOf(0, frame.item) !== 'bar';
  const isTimed = isLine && axis?.placed.content?.type === 'datetime' && axis.part === null;
  const allSeries = seriesOf(chart, frame, context, axis);
  const series = allSeries.filter(({ name }) => context.hidden?.has(name) !== true);
  const listed = listedOf(frame, axis, isLine, isTimed);
  const isStacked =
    frame.settings.isStacked || (chart.shapeOf(0, frame.item) === 'area' && frame.slot('legend').length > 0);
  const totals = new Map(
    listed.map(({ key }) => [key, series.reduce((sum, s) => sum + Math.abs(numberAt(s, key) ?? 0), 0)]),
  );
  return {
    ...chart,
    frame,
    context,
    axis,
    isTimed,
    all: allSeries,
    series,
    listed,
    isStacked,
    totals,
    isFlipped: chart.axisSlot === 'y-axis',
    axes: series.some((s) => s.axis === 1) ? [0, 1] : [0],
  };
}

/** True if values are drawn as percentages of their stack. */
export const isShared = ({ isStacked, frame: { settings } }: CartesianFrame): boolean =>
  isStacked && settings.isPercent;

/** Returns the drawn value of a member: its number, or its share of the stack; null if it has no value. */
export function drawnAt(chart: CartesianFrame, series: Series, key: string): number | null {
  const number = numberAt(series, key);
  if (number === null) return null;
  if (isShared(chart)) {
    const memberTotal = chart.totals.get(key) ?? 0;
    return memberTotal === 0 ? null : number / memberTotal;
  }
  return chart.frame.settings.axis.value.isLog && number <= 0 ? null : number;
}

/** True if a cell is a period that includes today. */
export function isUnfinished(axis: Field | undefined, cell: Json, { nowMs, formats }: SizedContext): boolean {
  const level = axis?.placed.content?.level ?? null;
  const start = axis?.placed.content?.type === 'datetime' && axis.part === null ? axis.number(cell) : null;
  if (axis === undefined || start === null || level === null) return false;
  const [period, today] = [periodAt(dayOf(start, axis.formats.timeZone), level), dayOf(nowMs, formats.timeZone)];
  return period !== null && period.start <= today && today < period.end;
}
