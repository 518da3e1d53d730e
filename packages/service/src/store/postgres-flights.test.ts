import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { havePostgres, startPostgres, type Postgres } from '../../../../test/support/postgres.ts';
import { suiteMigrations } from '../../../../test/support/store/schema.ts';
import { openPostgresStore } from './postgres.ts';
import { linkPool } from './link-pool.ts';
import { createFlights } from './postgres-flights.ts';
import type { Link } from './postgres-link.ts';
import { expecting, sql, type Adding } from './sql.ts';
import { OutcomeUnknown, StoreConflict, type Perform, type Store } from './store.ts';

/** Adds a thing where the number of things with a prefix is as presumed; says the number it saw. */
interface Add {
  readonly id: string;
  readonly presumed?: { readonly prefix: string; readonly count: number };
  readonly undo?: boolean;
}

const adds: Adding = { table: 'thing', columns: ['id'] };

const perform: Perform<Add, number> = async (transaction, { id, presumed, undo = false }) => {
  let count = 0;
  if (presumed !== undefined) {
    const question = sql`select count(*) as count from thing where id like ${`${presumed.prefix}%`}`;
    const [row] = await transaction.rows(expecting(question, { count: presumed.count }));
    count = Number(row?.['count']);
  }
  const changed = await transaction.run({ ...sql`insert into thing (id) values (${id})`, adds });
  expect(changed).toBe(1);
  return { commit: !undo, answer: count };
};

describe.skipIf(havePostgres() !== undefined)('writes that need no answer before their commit', () => {
  let server: Postgres;
  let store: Store<Add, number>;
  beforeAll(async () => {
    server = await startPostgres();
    store = await openPostgresStore({ url: await server.createDatabase(), perform, migrations: suiteMigrations });
    await store.write({ id: 'first' });
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
  });

  const there = async (prefix: string): Promise<readonly unknown[]> =>
    (await store.rows(sql`select id from thing where id like ${`${prefix}%`} order by id`)).map(({ id }) => id);

  it('are all there, and of those at once only the one that is taken is refused', async () => {
    await store.write({ id: 'a-07' });
    const ids = Array.from({ length: 40 }, (_, index) => `a-${String(index).padStart(2, '0')}`);
    const ends = await Promise.allSettled(ids.map((id) => store.write({ id })));
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    expect(refused).toHaveLength(1);
    expect(refused[0]).toBeInstanceOf(StoreConflict);
    expect(refused[0]).toMatchObject({ table: 'thing', columns: 'id' });
    expect(await there('a-')).toEqual(ids);
  });

  it('are done on what the store says, where that is not what was presumed', async () => {
    for (let turn = 0; turn < 3; turn += 1) await store.write({ id: `b-${turn}` });
    const answers = await Promise.all([
      store.write({ id: 'c-right', presumed: { prefix: 'b-', count: 3 } }),
      store.write({ id: 'c-wrong', presumed: { prefix: 'b-', count: 2 } }),
      store.write({ id: 'c-wrong-too', presumed: { prefix: 'b-', count: 4 } }),
    ]);
    expect(answers).toEqual([3, 3, 3]);
    expect(await there('c-')).toEqual(['c-right', 'c-wrong', 'c-wrong-too']);
  });

  it('are not there where they undo themselves', async () => {
    await Promise.all([store.write({ id: 'd-kept' }), store.write({ id: 'd-undone', undo: true })]);
    expect(await there('d-')).toEqual(['d-kept']);
  });
});

it('writes that were sent together are of unknown outcome where no transaction was begun', async () => {
  const refusal = Object.assign(new postgres.PostgresError('canceled'), { severity: 'ERROR', code: '57014' });
  const link: Link = {
    query: (text) =>
      text === 'begin' ? Promise.reject(refusal) : Promise.resolve({ rows: [{ held: 1 }], changed: 1 }),
    ended: () => 0,
    silentMs: () => 0,
    drop: () => undefined,
    close: () => Promise.resolve(),
  };
  const links = linkPool([link], { capacity: 1, patienceMs: 1000 });
  const flights = createFlights(links, { answerMs: 1000, prepares: () => false });
  const until = performance.now() + 60_000;
  const send = (): Promise<boolean> => flights.send({ text: 'insert', values: [], answer: null }, until);
  // The first one leaves alone; the two behind it share a transaction.
  const ends = await Promise.allSettled([send(), send(), send(), send()]);
  const told = ends.map((end) => (end.status === 'rejected' ? end.reason : end.value));
  expect(told.filter((one) => one instanceof OutcomeUnknown).length).toBeGreaterThanOrEqual(2);
  expect(told.every((one) => one === true || one instanceof OutcomeUnknown)).toBe(true);
});
