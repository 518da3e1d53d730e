import type { Json } from '@inlay/contract';
import { builtInThemes } from '@inlay/contract/built-in-themes';
import { gallerySamples, type GallerySample } from '../../packages/service/src/gallery/gallery.ts';
import type { Sample } from '../../packages/service/src/gallery/samples.ts';

type Rows = Sample['rows'];

const withNumbers = (rows: Rows, change: (value: number, row: number) => Json): Rows =>
  rows.map((row, index) => row.map((cell) => (typeof cell === 'number' ? change(cell, index) : cell)));

/** Returns a member or a time that no earlier copy of the rows has. */
const inCopy = (cell: Json, copy: number): Json => {
  if (typeof cell === 'number') return cell * (1 - copy / 16);
  if (typeof cell !== 'string' || copy === 0) return cell;
  const at = /^\d{4}-\d\d-\d\dT/u.test(cell) ? new Date(cell) : null;
  if (at === null) return `${cell} ${copy + 1}`;
  at.setUTCFullYear(at.getUTCFullYear() + copy);
  return at.toISOString();
};

/** What the rows of a sample are made into. */
const rowKinds = {
  'as-they-are': (rows) => rows,
  many: (rows) =>
    Array.from({ length: 12 }, (_, copy) => rows.map((row) => row.map((cell) => inCopy(cell, copy)))).flat(),
  few: (rows) => rows.slice(0, 3),
  one: (rows) => rows.slice(0, 1),
  zero: (rows) => withNumbers(rows, () => 0),
  negative: (rows) => withNumbers(rows, (value, row) => (row % 2 === 0 ? -value : value / 3)),
  null: (rows) => rows.map((row, index) => (index % 2 === 0 ? row.map((): Json => null) : row)),
  none: () => [],
} satisfies Readonly<Record<string, (rows: Rows) => Rows>>;

/** Kinds of rows that a type is drawn with next to its samples as they are. */
const changes = ['many', 'few', 'one', 'zero', 'negative', 'null', 'none'] as const;

const themes = Object.keys(builtInThemes);
const locales = ['en', 'fr', 'ar'] as const;
const widths = [640, 320] as const;

/** One picture to compare. */
export interface Case {
  /** The name of its reference. */
  readonly name: string;
  readonly sample: Sample;
  readonly type: string;
  readonly rows: keyof typeof rowKinds;
  readonly theme: string;
  readonly locale: (typeof locales)[number];
  readonly widthPx: (typeof widths)[number];
}

const pick = <Value>(values: readonly Value[], place: number): Value => {
  const value = values[place % values.length];
  if (value === undefined) throw new Error('there is nothing to pick from');
  return value;
};

/** Returns a number of a type that stays the same when types are added. */
const numberOf = (type: string): number =>
  Array.from(type).reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0);

function caseOf(sample: GallerySample, rows: Case['rows'], place: number): Case {
  const [theme, locale] = [pick(themes, place * 3), pick(locales, place)];
  const widthPx = pick(widths, place + Math.floor(place / 6));
  const { soFar } = sample;
  const made = { ...sample, rows: rowKinds[rows](sample.rows), ...(soFar && { soFar: rowKinds[rows](soFar) }) };
  const name = [sample.id, rows, theme, locale, widthPx].join('.');
  return { name, sample: made, type: sample.type, rows, theme, locale, widthPx };
}

/** Returns each sample once, and each type with every kind of rows that changes it; the other choices take turns. */
export function galleryCases(): readonly Case[] {
  return [...new Set(gallerySamples.map(({ type }) => type))].flatMap((type) => {
    const own = gallerySamples.filter((sample) => sample.type === type);
    const start = numberOf(type);
    const plain = own.map((sample, index) => caseOf(sample, 'as-they-are', start + index));
    const changed = changes
      .map((rows, index) => caseOf(pick(own, index), rows, start + own.length + index))
      .filter(({ sample }, index) => JSON.stringify(sample.rows) !== JSON.stringify(pick(own, index).rows));
    return [...plain, ...changed];
  });
}

type Choice = readonly [kind: string, value: string];

/** Returns the name of two choices, such as `theme paper × locale fr`. */
export const pairName = (one: Choice, other: Choice): string =>
  [one, other]
    .map((choice) => choice.join(' '))
    .toSorted()
    .join(' × ');

/** Returns every two choices that some picture makes together. */
export const pairsOf = (cases: readonly Case[]): ReadonlySet<string> =>
  new Set(
    cases.flatMap(({ type, rows, theme, locale, widthPx }) => {
      const chosen: readonly Choice[] = Object.entries({ type, rows, theme, locale, width: String(widthPx) });
      return chosen.flatMap((one, index) => chosen.slice(index + 1).map((other) => pairName(one, other)));
    }),
  );

/** What pictures choose from. */
export const choices = { rows: ['as-they-are', ...changes], theme: themes, locale: locales, width: widths.map(String) };
