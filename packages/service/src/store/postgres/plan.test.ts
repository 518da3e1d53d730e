import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { havePostgres, startPostgres, type Postgres } from '../../../../../test/support/postgres.ts';
import { suiteMigrations } from '../../../../../test/support/store/schema.ts';
import { openPostgresStore } from './open.ts';
import type { Connection } from './connection.ts';
import { sendPlan } from './send-plan.ts';
import { hinted, sql, type RowInsert } from '../sql.ts';
import { OutcomeUnknown, StoreConflict, StoreUnavailable, type Perform, type Store } from '../store.ts';

/** Adds a thing if the number of things with a prefix is as presumed; returns the number. */
interface Add {
  readonly id: string;
  readonly presumed?: { readonly prefix: string; readonly count: number };
  readonly undo?: boolean;
  readonly fail?: boolean;
}

const inserts: RowInsert = { table: 'thing', columns: ['id'] };

const perform: Perform<Add, number> = async (transaction, { id, presumed, undo = false, fail = false }) => {
  let count = 0;
  if (presumed !== undefined) {
    const question = sql`select count(*) as count from thing where id like ${`${presumed.prefix}%`}`;
    const [row] = await transaction.rows(hinted(question, { expected: { count: presumed.count } }));
    count = Number(row?.['count']);
  }
  const changed = await transaction.run(hinted(sql`insert into thing (id) values (${id})`, { inserts }));
  expect(changed).toBe(1);
  if (fail) throw new TypeError('a defect');
  return { commit: !undo, answer: count };
};

describe.skipIf(havePostgres() !== undefined)('writes that need no answer before their commit', () => {
  let server: Postgres;
  let store: Store<Add, number>;
  beforeAll(async () => {
    server = await startPostgres();
    store = await openPostgresStore({
      url: await server.createDatabase(),
      perform,
      migrations: suiteMigrations,
      longestWaitMs: 60_000,
    });
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

  it('are all there where many add rows on the same answer at once', async () => {
    for (let turn = 0; turn < 3; turn += 1) await store.write({ id: `e-${turn}` });
    const ids = Array.from({ length: 37 }, (_, index) => `f-${String(index).padStart(2, '0')}`);
    const presumed = { prefix: 'e-', count: 3 };
    const answers = await Promise.all(ids.map((id) => store.write({ id, presumed })));
    expect(answers).toEqual(ids.map(() => 3));
    expect(await there('f-')).toEqual(ids);
  });

  it('fail as their work does', async () => {
    await expect(store.write({ id: 'g-fails', fail: true })).rejects.toThrow('a defect');
    expect(await there('g-')).toEqual([]);
  });

  it('are not there where they undo themselves', async () => {
    await Promise.all([store.write({ id: 'd-kept' }), store.write({ id: 'd-undone', undo: true })]);
    expect(await there('d-')).toEqual(['d-kept']);
  });
});

describe('a plan that is sent', () => {
  const plan = { statement: { text: 'insert', values: [] }, answer: null };
  const connectionThat = (query: Connection['query'], silentMs = 0): Connection => ({
    query,
    ended: () => 0,
    silentMs: () => silentMs,
    drop: () => undefined,
    close: () => Promise.resolve(),
  });
  const send = (connection: Connection): Promise<boolean> =>
    sendPlan(connection, plan, { answerMs: 50, prepares: () => false });
  const refusal = (code: string) => Object.assign(new postgres.PostgresError('refused'), { severity: 'ERROR', code });

  it('is left to a transaction where nothing was written', async () => {
    expect(await send(connectionThat(async () => ({ rows: [{ held: 0 }], changed: 0 })))).toBe(false);
    expect(await send(connectionThat(() => Promise.reject(refusal('23505'))))).toBe(false);
    expect(await send(connectionThat(() => Promise.reject(new Error('not asked')), 6000))).toBe(false);
  });

  it('is of unknown outcome where no answer comes, and refused where the server cannot write', async () => {
    await expect(send(connectionThat(() => new Promise(() => undefined)))).rejects.toThrow(OutcomeUnknown);
    await expect(send(connectionThat(() => Promise.reject(new Error('broken'))))).rejects.toThrow(OutcomeUnknown);
    await expect(send(connectionThat(() => Promise.reject(refusal('57014'))))).rejects.toThrow(StoreUnavailable);
  });
});
