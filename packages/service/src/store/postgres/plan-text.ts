import { compatibleFrom } from '../lease.ts';
import { join, name, render, sql, text, type RowInsert, type Sql } from '../sql.ts';

const holes = (count: number): Sql =>
  join(
    Array.from({ length: count }, (): Sql => ({ parts: ['', ''], values: [null] })),
    ', ',
  );

function added({ table, columns, conflict }: RowInsert, index: number): Sql {
  const names = join(columns.map(name), ', ');
  const conflictClause = text(conflict === undefined ? '' : ` ${conflict}`);
  return sql`${text(`made${index}`)} as (
    insert into ${name(table)} (${names}) select ${holes(columns.length)} from sure${conflictClause}
  )`;
}

/**
 * Builds a statement that inserts either all rows or none. It inserts them if the guard returns the expected row, and
 * the store accepts programs that know `schema`. The statement returns one row, in which `held` is 1 if it inserted,
 * otherwise 0. Its parameters are the values of the guard, the expected values, and the values of each row.
 */
function composed(guard: Sql | undefined, inserts: readonly RowInsert[], schema: number): string {
  const unchangedConditions = Object.entries(guard?.hints?.expected ?? {}).map(
    ([column, value]) => sql`asked.${name(column)} is not distinct from ${value}`,
  );
  const isCompatible = sql`(${compatibleFrom}) <= ${text(String(schema))}`;
  const guardedSelect =
    guard === undefined
      ? sql`select 1 where ${isCompatible}`
      : sql`select 1 from (${guard}) asked where ${join([...unchangedConditions, isCompatible], ' and ')}`;
  const parts = join([sql`sure as materialized (${guardedSelect})`, ...inserts.map(added)], ', ');
  return render(sql`with ${parts} select count(*) as held from sure`, 'dollar');
}

/**
 * Creates a function that builds the text of a plan for a program that knows `schema`. It caches texts: plans that
 * differ only in values share a text.
 */
export function planTexts(schema: number): (guard: Sql | undefined, added: readonly RowInsert[]) => string {
  const numbers = new WeakMap<object, number>();
  const texts = new Map<string, string>();
  let lastNumber = 0;
  const numberOf = (part: object): number => {
    const number = numbers.get(part) ?? (lastNumber += 1);
    numbers.set(part, number);
    return number;
  };
  return (guard, inserts) => {
    const key = [guard === undefined ? 0 : numberOf(guard.parts), ...inserts.map(numberOf)].join(' ');
    const cachedText = texts.get(key);
    if (cachedText !== undefined) return cachedText;
    const planText = composed(guard, inserts, schema);
    texts.set(key, planText);
    return planText;
  };
}
