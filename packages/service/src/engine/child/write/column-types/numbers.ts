import { DuckDBTypeId, DuckDBDecimalType, type DuckDBConnection } from '@duckdb/node-api';
import type { StorageType } from '@inlay/query';
import type { ColumnTarget } from './column-target.ts';
import { numberFlags } from './fits.ts';
import { keptOf } from '../../kept.ts';
import { identifier } from '../../quote.ts';
import type { StagedColumn } from '../statistics.ts';

/** A column of the rows before. */
interface HeldNumbers {
  readonly column: StagedColumn;
  readonly table: () => Promise<string>;
  /** Somebody said that the column is numeric, whatever its digits. */
  readonly isNearestAsked: boolean;
}

interface Places {
  readonly before: number;
  readonly behind: number;
}

/** Digits that a decimal holds. */
const mostDigits = 38;
/** Digits of those that are kept in 64 bits. */
const shortDigits = 18;

const isBroken = (flags: number): boolean => (flags & numberFlags.broken) > 0;

/** Whether numbers have more digits than doubles; asked of those alone that may. */
async function areLong(connection: DuckDBConnection, from: string, text: string, flags: number): Promise<boolean> {
  if ((flags & numberFlags.long) === 0) return false;
  const reader = await connection.runAndReadAll(
    `select coalesce(bool_or(not holds_double(t)), false) from (select ${text} as t from ${from}) where is_number(t)`,
  );
  return reader.getRows()[0]?.[0] === true;
}

async function placesOf(connection: DuckDBConnection, from: string, text: string): Promise<Places> {
  const reader = await connection.runAndReadAll(
    `select coalesce(max(places_before(t)), 0)::double, coalesce(max(places_behind(t)), 0)::double
    from (select ${text} as t from ${from}) where is_number(t)`,
  );
  const [before = 9999, behind = 9999] = (reader.getRows()[0] ?? []).map(Number);
  return { before, behind };
}

const whole = (type: string): ColumnTarget => ({
  type,
  fits: (text) => `is_whole(${text})`,
  cast: (text) => `${text}::${type}`,
});

/** The nearest doubles of numbers, for who asks for such. */
const nearest: ColumnTarget = {
  type: 'DOUBLE',
  fits: (text) => `is_number(${text}) and coalesce(isfinite(try_cast(${text} as double)), false)`,
  cast: (text) => `${text}::DOUBLE`,
  isPart: true,
};

const double: ColumnTarget = {
  type: 'DOUBLE',
  fits: (text) => `is_double(${text})`,
  cast: (text) => `${text}::DOUBLE`,
};

function decimal({ before, behind }: Places, precision: number): ColumnTarget {
  const type = `DECIMAL(${precision}, ${behind})`;
  return {
    type: type.replace(' ', ''),
    fits: (text) =>
      `is_number(${text}) and places_behind(${text}) <= ${behind} and places_before(${text}) <= ${Math.max(before, precision - behind)}`,
    cast: (text) => `${text}::${type}`,
    // A double as its text: as a decimal it would have digits that nobody sent.
    widen: (column) => `${column}::VARCHAR::${type}`,
  };
}

const isShort = ({ before, behind }: Places): boolean => before + behind <= shortDigits;
const isSmall = ({ before, behind }: Places): boolean => before + behind <= mostDigits;

const decimalOf = (places: Places): ColumnTarget => decimal(places, isShort(places) ? shortDigits : mostDigits);

const both = (one: Places, other: Places): Places => ({
  before: Math.max(one.before, other.before),
  behind: Math.max(one.behind, other.behind),
});

const wholeType = ({ type }: StagedColumn): string =>
  [DuckDBTypeId.HUGEINT, DuckDBTypeId.UHUGEINT, DuckDBTypeId.UBIGINT].includes(type.typeId) ? 'HUGEINT' : 'BIGINT';

/** The narrowest type that holds new numbers and those before, each with its value; null where there is none. */
async function joined(
  connection: DuckDBConnection,
  from: string,
  text: string,
  flags: number,
  { column, table: tableOf, isNearestAsked }: HeldNumbers,
): Promise<ColumnTarget | null> {
  const kept = keptOf(column.type);
  const held = `${identifier(column.name)}::VARCHAR`;
  if (kept === 'integer' && !isBroken(flags))
    return whole((flags & numberFlags.large) > 0 ? 'HUGEINT' : wholeType(column));
  const isLong = await areLong(connection, from, text, flags);
  if (kept === 'double' && !isLong) return double;
  const fresh = await placesOf(connection, from, text);
  if (column.type instanceof DuckDBDecimalType) {
    const { width, scale } = column.type;
    if (fresh.behind <= scale && fresh.before <= width - scale)
      return decimal({ before: width - scale, behind: scale }, width);
  }
  const table = await tableOf();
  const reader = await connection.runAndReadAll(`select bit_or(number_flags(${held})) from ${table}`);
  const before = Number(reader.getRows()[0]?.[0] ?? 0);
  const isFinite = (before & numberFlags.none) === 0;
  const places = both(fresh, await placesOf(connection, table, held));
  // Whole numbers that get decimals become decimals, whose sums are exact; of many digits they have little room for sums.
  if (isFinite && isShort(places)) return decimalOf(places);
  if (isFinite && !isLong && !(await areLong(connection, table, held, before))) return double;
  if (isFinite && isSmall(places)) return decimalOf(places);
  return kept === 'double' && isNearestAsked ? nearest : null;
}

/**
 * The narrowest type that holds numbers with their values, as somebody said (`must`) or as the numbers before ask for. Null where
 * no type holds all of them.
 */
export async function numberTarget(
  connection: DuckDBConnection,
  from: string,
  text: string,
  flags: number,
  must: StorageType | null,
  held: HeldNumbers | null,
): Promise<ColumnTarget | null> {
  if (held !== null) return joined(connection, from, text, flags, held);
  const isWanted = must === null || must === 'integer';
  if (isWanted && !isBroken(flags)) return whole((flags & numberFlags.large) > 0 ? 'HUGEINT' : 'BIGINT');
  if (must === 'integer') return null;
  if (must !== 'decimal' && !(await areLong(connection, from, text, flags))) return double;
  const places = await placesOf(connection, from, text);
  if (isSmall(places)) return decimalOf(places);
  return must === 'double' ? nearest : null;
}

/** What of new numbers fits where not all of them do. */
export function numbersFit(must: StorageType, held: StagedColumn | null, flags: number): ColumnTarget {
  const isLarge = (flags & numberFlags.large) > 0;
  if (must === 'integer')
    return { ...whole(isLarge ? 'HUGEINT' : held === null ? 'BIGINT' : wholeType(held)), isPart: true };
  if (held?.type instanceof DuckDBDecimalType) {
    const { width, scale } = held.type;
    return { ...decimal({ before: width - scale, behind: scale }, width), isPart: true };
  }
  return { ...(must === 'decimal' ? decimal({ before: 29, behind: 9 }, mostDigits) : double), isPart: true };
}
