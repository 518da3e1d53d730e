import { createHash } from 'node:crypto';
import type { Json } from '@inlay/contract';
import type { Row } from '../store.ts';
import type { Value } from '../sql.ts';

/** A table of the schema with its columns. `json` are the columns that contain JSON, which PostgreSQL may reformat. */
export interface StoredTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly json: ReadonlySet<string>;
}

/**
 * Tables that a copy skips because each store maintains them itself: schema versions, leases, text indexes, and tables
 * filled by triggers.
 */
const ownTables = /^(?:schema_|sqlite_)|^(?:theme_use|text_indexed|job|job_turn)$|_text_index(?:_|$)/u;

export const isCopied = (name: string): boolean => !ownTables.test(name);

/** Groups rows, each with the `name` of a table and the `column` and `type` of a column, into tables. */
export function tablesOf(rows: readonly Row[]): readonly StoredTable[] {
  const tables = new Map<string, { readonly columns: string[]; readonly json: Set<string> }>();
  for (const { name, column, type } of rows) {
    if (!isCopied(String(name))) continue;
    const table = tables.get(String(name)) ?? { columns: [], json: new Set<string>() };
    table.columns.push(String(column));
    if (type === 'jsonb') table.json.add(String(column));
    tables.set(String(name), table);
  }
  return [...tables]
    .map(([name, { columns, json }]) => ({ name, columns: columns.toSorted(), json }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

const sortMembers = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]));
};

/** Converts JSON that the two stores format differently to the same text. */
function canonical(value: Value): Value {
  if (typeof value !== 'string') return value;
  const content: Json = JSON.parse(value);
  return JSON.stringify(sortMembers(content));
}

/** Number of rows of a table, and a checksum that does not depend on their order. */
export class TableSum {
  #rows = 0;
  #sum = 0n;
  readonly #table: StoredTable;

  constructor(table: StoredTable) {
    this.#table = table;
  }

  get rows(): number {
    return this.#rows;
  }

  add(row: Row): void {
    const { columns, json } = this.#table;
    const values = columns.map((column) => (json.has(column) ? canonical(row[column] ?? null) : (row[column] ?? null)));
    const hash = createHash('sha256').update(JSON.stringify(values)).digest('hex');
    this.#rows += 1;
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${hash}`));
  }

  isSame(other: TableSum): boolean {
    return this.#rows === other.#rows && this.#sum === other.#sum;
  }
}
