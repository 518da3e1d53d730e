import { DatabaseSync } from 'node:sqlite';
import { featureNames } from '@inlay/contract';
import type { Caller } from '../../packages/service/src/access/caller.ts';
import { columnsOf, condition, permits, type Verdict } from '../../packages/service/src/access/permits.ts';
import type { Role } from '../../packages/service/src/declare/roles.ts';
import { addFunctions } from '../../packages/service/src/store/sqlite/functions.ts';
import { migrations } from '../../packages/service/src/store/migrations/index.ts';
import { join, name, render, sql, text, type Sql, type Value } from '../../packages/service/src/store/sql.ts';
import { sqliteDialect } from '../../packages/service/src/store/sqlite/dialect.ts';
import type { Reader, Row } from '../../packages/service/src/store/store.ts';

/** A store in memory with the real schema, filled by hand. */
export interface World {
  readonly reader: Reader;
  /** Inserts a record with these columns. */
  add(table: string, id: string, columns?: Readonly<Record<string, Value>>): void;
  link(firstId: string, association: string, targetId: string, level: number | null, properties?: string): void;
  /** Returns the ids of a table for which a verdict holds, in order. */
  where(table: string, verdict: Verdict): readonly string[];
  /** Returns the ids of a table on which a caller holds a role, in order. */
  held(table: string, role: Role, caller: Caller | null): readonly string[];
}

/** Refuses what only one of the stores would take, such as a boolean. */
const bound = ({ values }: Sql): Value[] =>
  values.map((value) => {
    if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
    throw new TypeError(`a statement binds ${typeof value}`);
  });

const plain = (row: Record<string, unknown>): Row =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (typeof value === 'string' || typeof value === 'number' || value === null) return [column, value];
      throw new TypeError(`${column} is neither text, number nor null`);
    }),
  );

export function emptyWorld(): World {
  const database = new DatabaseSync(':memory:');
  addFunctions(database);
  for (const migration of migrations) for (const statement of migration.statements('sqlite')) database.exec(statement);
  const rows = (statement: Sql): readonly Row[] =>
    database
      .prepare(render(statement, 'question'))
      .all(...bound(statement))
      .map(plain);
  const insert = (table: string, columns: Readonly<Record<string, Value>>): void => {
    const names = join(Object.keys(columns).map(name), ', ');
    const values = join(
      Object.values(columns).map((value) => sql`${value}`),
      ', ',
    );
    rows(sql`insert into ${name(table)} (${names}) values (${values})`);
  };
  const where = (table: string, verdict: Verdict): readonly string[] =>
    rows(sql`select t.id from ${name(table)} t where ${condition(verdict)} order by t.id`).map(({ id }) => String(id));
  return {
    reader: { dialect: sqliteDialect, rows: async (statement) => rows(statement) },
    add: (table, id, columns = {}) =>
      insert(table, { id, organization_id: 'ours', revision: 1, shape: 1, record: '{}', ...columns }),
    link: (first_id, association, target_id, level, properties) =>
      insert('link', { first_id, target_id, association, level, properties: properties ?? null }),
    where,
    held: (table, role, caller) => where(table, permits(role, caller, columnsOf(text('t')))),
  };
}

/** Ada, a plain member of our organization with a login; each test says what is different. */
export const person = (different: Partial<Caller> = {}): Caller => ({
  authorizationId: 'login-of-ada',
  type: 'login',
  organizationId: 'ours',
  userId: 'ada',
  subjects: { ids: ['ada', 'group-of-ada'], groupsOf: null },
  rank: 1,
  suborganization: null,
  username: null,
  ceiling: 4,
  issuer: null,
  hiddenColumns: [],
  features: null,
  ...different,
});

/** Returns an embed token that an admin of our organization issued, so that its own grants are all that bounds it. */
export const embed = (different: Partial<Caller> = {}): Caller => ({
  authorizationId: 'embed',
  type: 'embed',
  organizationId: 'ours',
  userId: null,
  subjects: { ids: ['embed'], groupsOf: null },
  rank: 0,
  suborganization: null,
  username: null,
  ceiling: 4,
  issuer: { subjects: { ids: ['olga'], groupsOf: null }, rank: 4 },
  hiddenColumns: [],
  features: featureNames,
  ...different,
});
