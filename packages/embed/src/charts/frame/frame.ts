import {
  inWords,
  isList,
  isObject,
  member,
  othersOf,
  type ComparedPeriods,
  type Item,
  type ItemQuery,
  type Json,
  type ResultSlot,
  type SlotContent,
  type TimePart,
  inLanguage,
} from '@inlay/contract';
import type { Formats } from '../../locale/format.ts';
import type { NumberStyle, NumberWriter } from '../../locale/number.ts';
import type { Words } from '../../locale/words.ts';
import { chartWordsFor } from '../../locale/chart-words.ts';
import { labelOf, measureHeadings } from './headings.ts';
import { keyOf, literalOf } from './key.ts';
import { settingsOf, type Settings } from '../settings/settings.ts';

/** One place of a row: what it is called, and how its cells are read and written. */
export interface Field {
  readonly placed: ResultSlot;
  readonly index: number;
  readonly kind: 'dimension' | 'measure';
  /** The part of a time that its cells are, such as weekdays; they are numbers then. */
  readonly part: TimePart | null;
  readonly label: string;
  /** How its times are written: dates without time have no zone. */
  readonly formats: Formats;
  /** A cell as a viewer reads it. */
  text(cell: Json | undefined): string;
  /** A number of it as axes and labels have it. */
  readonly short: (value: number) => string;
  /** A cell as a number to draw; null where it is none. */
  number(cell: Json | undefined): number | null;
  /** What tells one member of a dimension from another. */
  key(cell: Json | undefined): string;
  /** What a filter on this cell compares with. */
  literal(cell: Json | undefined): Json;
}

export type Row = readonly Json[];

/** The answer to an item's query, with the meaning of each place. */
export interface Frame {
  readonly item: Item;
  readonly fields: readonly Field[];
  readonly dimensions: readonly Field[];
  readonly measures: readonly Field[];
  readonly rows: readonly Row[];
  readonly truncated: boolean;
  /** Options of the item. */
  readonly settings: Settings;
  /** The same members over a time, for lines in the cells of measures. */
  readonly lines?: { readonly asked: ItemQuery; readonly rows: readonly Row[] };
  /** The periods that a number compares, and the rows of what it is compared with; null before they are there. */
  readonly comparison?: { readonly periods: ComparedPeriods; readonly rows: readonly Row[] | null };
  /** Fields of a slot, in order. */
  slot(name: string): readonly Field[];
}

const numberOf = (cell: Json | undefined): number | null => {
  if (typeof cell === 'number') return cell;
  if (typeof cell !== 'string' || cell.trim() === '') return null;
  const read = Number(cell);
  return Number.isFinite(read) ? read : null;
};

/** Whether an aggregation gives one of the values of a column. */
const keepsTimes = (aggregation: string | null): boolean => [null, 'none', 'min', 'max'].includes(aggregation);

/** Aggregations that count rows or values, whatever these are written as. */
const counting = ['count', 'distinctcount'];

const styleOf = (
  { aggregation, format, currency, unit, notation }: SlotContent,
  { currency: own }: Formats,
): NumberStyle =>
  counting.includes(aggregation ?? '')
    ? {}
    : { format, currency: currency === 'viewer' ? own : currency, unit, notation };

/** Identifiers are no amounts: they have no separators, and all of their digits. */
const plainNumbers: NumberWriter = { full: String, short: String };

function numbersOf({ content }: ResultSlot, kind: Field['kind'], formats: Formats): NumberWriter {
  const isIdentifier =
    content?.subtype === 'identifier' &&
    content.format === null &&
    content.bins === null &&
    (kind === 'dimension' || keepsTimes(content.aggregation));
  return isIdentifier ? plainNumbers : formats.numbers(content === null ? {} : styleOf(content, formats));
}

function fieldOf(placed: ResultSlot, index: number, kind: Field['kind'], viewer: Formats, words: Words): Field {
  const { content } = placed;
  const formats = content?.subtype === 'date' ? viewer.utc : viewer;
  const part = kind === 'dimension' ? (content?.part ?? null) : null;
  const isDate =
    content?.type === 'datetime' && part === null && (kind === 'dimension' || keepsTimes(content.aggregation));
  const numbers = numbersOf(placed, kind, formats);
  const text = (cell: Json | undefined): string => {
    if (cell === undefined || cell === null) return kind === 'dimension' ? words.empty : '';
    if (part !== null && typeof cell === 'number') return formats.part(cell, part);
    if (isList(cell)) return cell.map((part) => numbers.full(numberOf(part) ?? 0)).join(' – ');
    const others = othersOf(cell);
    if (others !== null) return `${chartWordsFor(formats.locale).others} (${formats.number(others)})`;
    if (isObject(cell)) return inLanguage(member(cell, 'name'), formats.locale) || inWords(literalOf(cell));
    if (isDate && typeof cell === 'string') return formats.date(cell, content.level, content.format);
    if (typeof cell === 'boolean') return String(cell);
    return kind === 'measure' || content?.type === 'numeric' ? numbers.full(cell) : inWords(cell);
  };
  return {
    placed,
    index,
    kind,
    part,
    formats,
    label: labelOf(placed, formats.locale, words),
    text,
    short: numbers.short,
    number: (cell) => (isDate && typeof cell === 'string' ? Date.parse(cell) : numberOf(cell)),
    key: keyOf,
    literal: literalOf,
  };
}

/** Reads the answer to an item's query. `rows` come as the service sent them. */
export function createFrame(
  item: Item,
  asked: ItemQuery,
  rows: readonly Row[],
  look: { readonly formats: Formats; readonly words: Words; readonly truncated?: boolean },
): Frame {
  const dimensions = asked.dimensions.map((placed, index) =>
    fieldOf(placed, index, 'dimension', look.formats, look.words),
  );
  const headings = measureHeadings(asked, look.formats.locale, look.words);
  const measures = asked.measures.map((placed, index) => ({
    ...fieldOf(placed, dimensions.length + index, 'measure', look.formats, look.words),
    label: headings[index] ?? '',
  }));
  const fields = [...dimensions, ...measures];
  return {
    item,
    fields,
    dimensions,
    measures,
    rows,
    truncated: look.truncated ?? false,
    settings: settingsOf(item, look.formats.locale),
    ...(asked.periods === undefined ? {} : { comparison: { periods: asked.periods, rows: null } }),
    slot: (name) => fields.filter(({ placed }) => placed.slot === name),
  };
}

/** A frame with the second answer of its item: the lines in the cells of a table, or the periods that a number compares. */
export function withSecond(frame: Frame, { asked, rows }: NonNullable<Frame['lines']>): Frame {
  const { periods } = asked;
  if (periods === undefined) return { ...frame, lines: { asked, rows } };
  const { periods: chosen } = frame.comparison ?? {};
  const isOwn = chosen === undefined ? periods.level !== null : JSON.stringify(chosen) === JSON.stringify(periods);
  return isOwn ? { ...frame, comparison: { periods, rows } } : frame;
}
