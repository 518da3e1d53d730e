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

/** A column of the rows, with its label and formatters. `index` is its position in a row. */
export interface Field {
  readonly placed: ResultSlot;
  readonly index: number;
  readonly kind: 'dimension' | 'measure';
  /**
   * The part of a time, such as weekdays, that the numbers in its cells stand for; null if they are no parts of times.
   */
  readonly part: TimePart | null;
  readonly label: string;
  /** Formatters for the times of the field. Those of a date have no time zone. */
  readonly formats: Formats;
  /** Formats a cell. */
  text(cell: Json | undefined): string;
  /** Formats a number briefly, for axes and labels. */
  readonly short: (value: number) => string;
  /** Returns the number to draw for a cell; null if the cell has none. */
  number(cell: Json | undefined): number | null;
  /** Returns a key that identifies a member of the dimension. */
  key(cell: Json | undefined): string;
  /** Returns the value that a filter on this cell compares with. */
  literal(cell: Json | undefined): Json;
}

export type Row = readonly Json[];

/** The answer to an item's query with its fields. */
export interface Frame {
  readonly item: Item;
  readonly fields: readonly Field[];
  readonly dimensions: readonly Field[];
  readonly measures: readonly Field[];
  readonly rows: readonly Row[];
  readonly truncated: boolean;
  readonly settings: Settings;
  /** Answer with the values of the same members over time, for sparklines. */
  readonly lines?: { readonly query: ItemQuery; readonly rows: readonly Row[] };
  /** The periods that a number compares, and the rows of its comparison. The rows are null until they arrive. */
  readonly comparison?: { readonly periods: ComparedPeriods; readonly rows: readonly Row[] | null };
  slot(name: string): readonly Field[];
}

const numberOf = (cell: Json | undefined): number | null => {
  if (typeof cell === 'number') return cell;
  if (typeof cell !== 'string' || cell.trim() === '') return null;
  const number = Number(cell);
  return Number.isFinite(number) ? number : null;
};

/** True if an aggregation returns values of the column itself, which have the type of the column. */
const keepsTimes = (aggregation: string | null): boolean => [null, 'none', 'min', 'max'].includes(aggregation);

/** Aggregations that return counts. The format of the column does not apply to counts. */
const counting = ['count', 'distinctcount'];

const styleOf = (
  { aggregation, format, currency, unit, notation }: SlotContent,
  { currency: viewerCurrency }: Formats,
): NumberStyle =>
  counting.includes(aggregation ?? '')
    ? {}
    : { format, currency: currency === 'viewer' ? viewerCurrency : currency, unit, notation };

/** Identifiers are formatted without separators or rounding. */
const plainNumbers: NumberWriter = { full: String, short: String };

function numbersOf({ content }: ResultSlot, kind: Field['kind'], formats: Formats): NumberWriter {
  const isIdentifier =
    content?.subtype === 'identifier' &&
    content.format === null &&
    content.bins === null &&
    (kind === 'dimension' || keepsTimes(content.aggregation));
  return isIdentifier ? plainNumbers : formats.numbers(content === null ? {} : styleOf(content, formats));
}

function fieldOf(resultSlot: ResultSlot, index: number, kind: Field['kind'], viewer: Formats, words: Words): Field {
  const { content } = resultSlot;
  const formats = content?.subtype === 'date' ? viewer.utc : viewer;
  const part = kind === 'dimension' ? (content?.part ?? null) : null;
  const isDate =
    content?.type === 'datetime' && part === null && (kind === 'dimension' || keepsTimes(content.aggregation));
  const numbers = numbersOf(resultSlot, kind, formats);
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
    placed: resultSlot,
    index,
    kind,
    part,
    formats,
    label: labelOf(resultSlot, formats.locale, words),
    text,
    short: numbers.short,
    number: (cell) => (isDate && typeof cell === 'string' ? Date.parse(cell) : numberOf(cell)),
    key: keyOf,
    literal: literalOf,
  };
}

/** Builds a frame from the rows of an answer. */
export function createFrame(
  item: Item,
  query: ItemQuery,
  rows: readonly Row[],
  context: { readonly formats: Formats; readonly words: Words; readonly truncated?: boolean },
): Frame {
  const dimensions = query.dimensions.map((resultSlot, index) =>
    fieldOf(resultSlot, index, 'dimension', context.formats, context.words),
  );
  const headings = measureHeadings(query, context.formats.locale, context.words);
  const measures = query.measures.map((resultSlot, index) => ({
    ...fieldOf(resultSlot, dimensions.length + index, 'measure', context.formats, context.words),
    label: headings[index] ?? '',
  }));
  const fields = [...dimensions, ...measures];
  return {
    item,
    fields,
    dimensions,
    measures,
    rows,
    truncated: context.truncated ?? false,
    settings: settingsOf(item, context.formats.locale),
    ...(query.periods === undefined ? {} : { comparison: { periods: query.periods, rows: null } }),
    slot: (name) => fields.filter(({ placed }) => placed.slot === name),
  };
}

/** Adds an item's second answer to its frame: sparklines or compared periods. */
export function withComparison(frame: Frame, { query, rows }: NonNullable<Frame['lines']>): Frame {
  const { periods } = query;
  if (periods === undefined) return { ...frame, lines: { query, rows } };
  const { periods: chosenPeriods } = frame.comparison ?? {};
  const isOwn =
    chosenPeriods === undefined ? periods.level !== null : JSON.stringify(chosenPeriods) === JSON.stringify(periods);
  return isOwn ? { ...frame, comparison: { periods, rows } } : frame;
}
