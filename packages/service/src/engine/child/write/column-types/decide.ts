import { DuckDBTypeId, type DuckDBConnection } from '@duckdb/node-api';
import type { StorageType } from '@inlay/query';
import { cellKinds } from '../../../../cells/cells.ts';
import { EngineProblem, type IngestNotice, type InvalidCells, type WrittenForms } from '../../../engine.ts';
import { timeFlags } from './fits.ts';
import { families, misfit, readFlags, readLooks, type Family, type Question } from './flags.ts';
import { keptOf, typeOf } from '../../kept.ts';
import type { ColumnTarget, FreshColumn } from './column-target.ts';
import { numberTarget, numbersFit } from './numbers.ts';
import { identifier } from '../../quote.ts';
import { readByForms } from './choose-forms.ts';
import type { KeptStatistics, StagedColumn } from '../statistics.ts';

/** The rows before: the relation that gives them once it is asked for, its columns, and what is known of them. */
export interface BaseRows {
  readonly table: () => Promise<string>;
  readonly columns: readonly StagedColumn[];
  readonly facts: KeptStatistics | null;
}

/** How new rows become those of a version. */
export interface Rules {
  readonly overrides: ReadonlyMap<string, StorageType>;
  /** Types of columns that have no value among the new rows. */
  readonly declared: ReadonlyMap<string, StorageType>;
  readonly onInvalid: 'refuse' | 'null';
  readonly forms: WrittenForms;
  /** Null where the new rows are all. */
  readonly base: BaseRows | null;
}

export interface RowConversion {
  /** The new rows, every cell in the type of its column: a query. */
  readonly query: string;
  /** Columns of the rows before that become wider, by their names in lower case: SQL that gives their cells. */
  readonly widened: ReadonlyMap<string, string>;
  readonly invalid: readonly InvalidCells[];
  readonly notices: readonly IngestNotice[];
}

/** Leaves each column those families that its first rows may be of. */
async function narrow(
  connection: DuckDBConnection,
  from: string,
  questions: readonly Question[],
): Promise<readonly Question[]> {
  const without = (sample: readonly ReadonlyMap<Family, number | null>[], of: readonly Question[]) =>
    of.map((one, index): Question => ({
      ...one,
      may: one.may.filter((family) => ((sample[index]?.get(family) ?? 0) & misfit) === 0),
    }));
  const { flags, isAll } = await readLooks(connection, from, questions);
  const left = without(flags, questions);
  if (isAll) return left;
  return without(await readFlags(connection, `(from ${from} limit ${sampleRows})`, left, true), left);
}

const namedAs = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  time: 'a date or time such as 2026-01-31T09:30:00Z',
  json: 'JSON',
} as const satisfies Record<Family, string>;

/** What a cell is not that does not fit; `flags` are those of its column. */
function misfitName({ base, must }: Question, flags: number): string {
  if (must === null) return namedAs.text;
  if (base === null && must === 'integer') return 'a whole number';
  if (must === 'date') return 'a date such as 2026-01-31';
  const isDigits = families[must] === 'number' && (flags & misfit) === 0;
  return isDigits ? 'a number that the column can hold beside its others with all digits' : namedAs[families[must]];
}

/** Rows that say which families a column of texts may be of. */
const sampleRows = 5000;
function familiesOf(kinds: number): readonly Family[] {
  if (kinds === cellKinds.number) return ['number'];
  if (kinds === cellKinds.text) return ['time'];
  if (kinds === cellKinds.boolean) return ['boolean'];
  if (kinds === cellKinds.json) return ['json'];
  return kinds === cellKinds.any ? ['number', 'time', 'boolean'] : [];
}

const simple = (type: string, fits: ColumnTarget['fits']): ColumnTarget => ({
  type,
  fits,
  cast: (text) => `${text}::${type}`,
});

/** A type as SQL names it. */
const nameOf = ({ type }: StagedColumn): string => type.alias ?? type.toString();

const isPlainText = ({ type }: StagedColumn): boolean =>
  type.typeId === DuckDBTypeId.VARCHAR && type.alias === undefined;

const asText = simple('VARCHAR', () => 'true');

/** The narrowest type of times that holds these and those before: without a zone they are in UTC. */
function timeTarget(flags: number, must: StorageType | null): ColumnTarget | null {
  const isZoned = (flags & timeFlags.zoned) > 0;
  // Nothing says of which zone those without one are.
  if (must === null && isZoned && (flags & (timeFlags.naive | timeFlags.date)) > 0) return null;
  const fits = (text: string): string => `time_flags(${text}) <> ${timeFlags.none}`;
  const instant = (text: string): string => `to_instant(${text})`;
  if (must === 'timestamptz' || (must === null && isZoned)) return { type: 'TIMESTAMPTZ', fits, cast: instant };
  if (must === 'timestamp' || isZoned || (flags & timeFlags.naive) > 0)
    return {
      ...simple('TIMESTAMP', fits),
      ...(isZoned ? { cast: (text: string) => `timezone('UTC', ${instant(text)})` } : {}),
    };
  return simple('DATE', fits);
}

const isDateOnly = (text: string): string => `is_date(${text})`;

/** Decides the type of one column by the flags of its cells. */
async function targetOf(
  connection: DuckDBConnection,
  from: string,
  rules: Rules,
  { column, base, must, may }: Question,
  flags: ReadonlyMap<Family, number | null>,
): Promise<ColumnTarget> {
  const isEmpty = [...flags.values()].every((one) => one === null);
  if (must === null) {
    const declared = rules.declared.get(column.name);
    if (isEmpty && (flags.size > 0 || column.kinds === 0)) return simple(typeOf[declared ?? 'text'], () => 'true');
    for (const family of may) {
      const known = flags.get(family) ?? misfit;
      if ((known & misfit) > 0) continue;
      const target =
        family === 'number'
          ? await numberTarget(connection, from, column.text, known, null, null)
          : family === 'time'
            ? timeTarget(known, null)
            : simple(family === 'json' ? 'JSON' : 'BOOLEAN', () => 'true');
      if (target !== null) return target;
    }
    return asText;
  }
  const known = flags.get(families[must]) ?? 0;
  const isNearestAsked = rules.overrides.get(column.name) === 'double';
  const held = base === null || rules.base === null ? null : { column: base, table: rules.base.table, isNearestAsked };
  if (isEmpty && must !== 'text') return simple(base === null ? typeOf[must] : nameOf(base), () => 'true');
  switch (families[must]) {
    case 'text':
      return asText;
    case 'boolean':
      return simple('BOOLEAN', (text) => `is_boolean(${text})`);
    case 'json':
      return simple('JSON', (text) => `is_json(${text})`);
    case 'time':
      // Somebody who says that a column has dates alone wants no times.
      return must === 'date' && base === null
        ? { ...simple('DATE', isDateOnly), isPart: true }
        : (timeTarget(known, must) ?? asText);
    case 'number':
      return (
        (await numberTarget(connection, from, column.text, known, must, held)) ??
        numbersFit(must, held?.column ?? null, known)
      );
  }
}

/** Counts the cells that do not fit; gives the first row that has one, from 1. */
async function misfits(
  connection: DuckDBConnection,
  from: string,
  text: string,
  fits: string,
): Promise<{ readonly count: number; readonly first: number } | null> {
  const reader = await connection.runAndReadAll(
    `select count(*)::double, min(n)::double from (select row_number() over () as n, ${text} as t from ${from})
    where t is not null and not coalesce(${fits}, false)`,
  );
  const [count, first] = reader.getRows()[0] ?? [];
  return typeof count === 'number' && typeof first === 'number' ? { count, first } : null;
}

/** The columns that have no value: texts, which may become anything. */
function emptyTexts({ base }: Rules): ReadonlySet<string> {
  const texts = (base?.columns ?? []).filter(isPlainText);
  if (base === null || texts.length === 0) return new Set();
  return new Set(
    texts.filter(({ name }) => base.facts?.get(name)?.cardinality === 0).map(({ name }) => name.toLowerCase()),
  );
}

/**
 * Decides how the cells of new rows are kept: by all of them, by the rows before, and by what somebody said. Every value stays the
 * same. Raises EngineProblem `input` naming row and column of the first cell that does not fit, unless such become null.
 */
export async function decide(
  connection: DuckDBConnection,
  from: string,
  columns: readonly FreshColumn[],
  rules: Rules,
): Promise<RowConversion> {
  const bases = new Map((rules.base?.columns ?? []).map((column) => [column.name.toLowerCase(), column]));
  const unset = emptyTexts(rules);
  const questions = columns.map((column): Question => {
    const name = column.name.toLowerCase();
    const base = bases.get(name) ?? null;
    const held = base === null || unset.has(name) ? null : keptOf(base.type);
    const must = held ?? rules.overrides.get(column.name) ?? null;
    return { column, base: unset.has(name) ? null : base, must, may: familiesOf(column.kinds) };
  });
  const isNative = ({ column: { native }, base, must }: Question): boolean =>
    native !== undefined && (must === null || (base !== null && nameOf(base) === native.type));
  const open = questions.filter((one) => !isNative(one));
  const isAny = open.some(({ column, must }) => must === null && column.kinds === cellKinds.any);
  const narrowed = isAny ? await narrow(connection, from, open) : open;
  const { asked, flags, notices } = await readByForms(connection, from, narrowed, rules.forms);
  const selected: string[] = [];
  const widened = new Map<string, string>();
  const invalid: InvalidCells[] = [];
  for (const question of questions) {
    const { base, must } = question;
    const at = open.indexOf(question);
    const [one, known] = [asked[at], flags[at]];
    const { column } = one ?? question;
    const name = identifier(column.name);
    if (one === undefined || known === undefined) {
      selected.push(`${column.native?.sql ?? column.text} as ${name}`);
      continue;
    }
    const target = await targetOf(connection, from, rules, one, known);
    // A text is the one of the file, whatever it was tried as.
    let cell = target.cast(target === asText ? question.column.text : column.text);
    // Only where a type must be can a cell not fit it.
    const isStrange = must !== null && ((known.get(families[must]) ?? 0) & misfit) > 0;
    // What is no number at all is named before what has too many digits.
    const isNumber = must !== null && families[must] === 'number' && (base !== null || must !== 'integer');
    const fits = isStrange && isNumber && rules.onInvalid === 'refuse' ? 'is_number(t)' : target.fits('t');
    const found = isStrange || target.isPart === true ? await misfits(connection, from, column.text, fits) : null;
    if (found !== null && must !== null) {
      if (rules.onInvalid === 'refuse')
        throw new EngineProblem(
          'input',
          `row ${found.first}, column ${column.name}: not ${misfitName(one, known.get(families[must]) ?? 0)}`,
        );
      invalid.push({ column: column.name, count: found.count, first: found.first });
      cell = `case when ${target.fits(column.text)} then ${cell} end`;
    }
    selected.push(`${cell} as ${name}`);
    const wider = bases.get(column.name.toLowerCase());
    if (wider === undefined || nameOf(wider) === target.type) continue;
    const quoted = identifier(wider.name);
    if (wider.type.typeId === DuckDBTypeId.ENUM && target.type === 'VARCHAR') continue;
    widened.set(
      wider.name.toLowerCase(),
      base === null ? `null::${target.type}` : (target.widen?.(quoted) ?? `${quoted}::${target.type}`),
    );
  }
  return { query: `select ${selected.join(', ')} from ${from}`, widened, invalid, notices };
}
