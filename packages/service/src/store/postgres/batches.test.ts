import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { havePostgres, startPostgres, type Postgres } from '../../../../../test/support/postgres.ts';
import { suiteMigrations } from '../../../../../test/support/store/schema.ts';
import { openPostgresStore } from './open.ts';
import { planShapes } from './plan-text.ts';
import type { Plan } from './plan.ts';
import { linkPool } from './link-pool.ts';
import { statementsOf } from './batch-statements.ts';
import { createBatches } from './batches.ts';
import type { Link } from './link.ts';
import { expecting, sql, type Adding } from '../sql.ts';
import { OutcomeUnknown, StoreConflict, StoreUnavailable, type Perform, type Store } from '../store.ts';

/** Adds a thing where the number of things with a prefix is as presumed; says the number it saw. */
interface Add {
  readonly id: string;
  readonly presumed?: { readonly prefix: string; readonly count: number };
  readonly undo?: boolean;
  readonly fail?: boolean;
}

const adds: Adding = { table: 'thing', columns: ['id'] };

const perform: Perform<Add, number> = async (transaction, { id, presumed, undo = false, fail = false }) => {
  let count = 0;
  if (presumed !== undefined) {
    const question = sql`select count(*) as count from thing where id like ${`${presumed.prefix}%`}`;
    const [row] = await transaction.rows(expecting(question, { count: presumed.count }));
    count = Number(row?.['count']);
  }
  const changed = await transaction.run({ ...sql`insert into thing (id) values (${id})`, adds });
  expect(changed).toBe(1);
  if (fail) throw new TypeError('a defect');
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

/** Plans of the same shape; those that expect different rows are not one statement. */
const shape = planShapes()(undefined, [adds]);
const planned = (expected: string): Plan<unknown> => ({
  shape,
  expected: [expected],
  added: [[expected]],
  answer: null,
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
  const batches = createBatches(links, { answerMs: 1000, prepares: () => false });
  const until = performance.now() + 60_000;
  const send = (expected: string): Promise<boolean> => batches.send(planned(expected), until);
  // The first one leaves alone; the two behind it share a transaction.
  const ends = await Promise.allSettled(['a', 'b', 'c', 'd'].map(send));
  const told = ends.map((end) => (end.status === 'rejected' ? end.reason : end.value));
  expect(told.filter((one) => one instanceof OutcomeUnknown).length).toBeGreaterThanOrEqual(2);
  expect(told.every((one) => one === true || one instanceof OutcomeUnknown)).toBe(true);
});

describe('writes beside a transaction that carries many', () => {
  const sent: (readonly unknown[])[] = [];
  const never = (): Link => ({
    query: (text, values) => {
      if (values.length > 0) sent.push(values);
      return new Promise(() => undefined);
    },
    ended: () => 0,
    silentMs: () => 0,
    drop: () => undefined,
    close: () => Promise.resolve(),
  });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  /** Sends `before`, and then the others one by one. */
  const beside = async (before: number, others: number): Promise<void> => {
    const links = linkPool([never(), never(), never()], { capacity: 1, patienceMs: 60_000 });
    const batches = createBatches(links, { answerMs: 60_000, prepares: () => false });
    const send = (): void => void batches.send(planned('same'), performance.now() + 60_000);
    for (let index = 0; index < before; index += 1) send();
    await turn();
    for (let index = 0; index < others; index += 1) {
      send();
      await turn();
    }
  };
  /** How many plans each statement carries: each adds a value to the one that all expect. */
  const carried = (): readonly number[] => sent.map((values) => values.length - 1);
  beforeEach(() => {
    sent.length = 0;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => void vi.useRealTimers());

  it('are one transaction once they are as many', async () => {
    await beside(4, 3);
    expect(carried()).toEqual([4]);
    await beside(4, 4);
    expect(carried()).toEqual([4, 4, 4]);
  });

  it('wait for nobody where it carries one', async () => {
    await beside(1, 1);
    expect(carried()).toEqual([1, 1]);
  });

  it('are sent though it does not end', async () => {
    await beside(8, 2);
    expect(carried()).toEqual([8]);
    await vi.advanceTimersByTimeAsync(20);
    expect(carried()).toEqual([8, 2]);
  });
});

it('writes that came lately wait for a link as long as those before them, which were refused', async () => {
  const link: Link = {
    query: () => Promise.resolve({ rows: [{ held: 1 }], changed: 1 }),
    ended: () => 0,
    silentMs: () => 0,
    drop: () => undefined,
    close: () => Promise.resolve(),
  };
  const links = linkPool([link], { capacity: 1, patienceMs: 400 });
  const taken = await links.take();
  const batches = createBatches(links, { answerMs: 1000, prepares: () => false });
  const until = performance.now() + 60_000;
  const first = [batches.send(planned('a'), until), batches.send(planned('b'), until)];
  await sleep(200);
  const later = batches.send(planned('c'), until);
  const refused = await Promise.allSettled(first);
  expect(refused.map((end) => end.status === 'rejected' && end.reason instanceof StoreUnavailable)).toEqual([
    true,
    true,
  ]);
  links.give(taken);
  expect(await later).toBe(true);
});

it('a plan for several is one statement, and one that expects another row is not part of it', () => {
  const other: Adding = { table: 'word', columns: ['id', 'name'] };
  const both = planShapes()(undefined, [adds, other]);
  const holding = (id: string, expected: string): { plan: Plan<unknown> } => ({
    plan: { shape: both, expected: [expected], added: [[id], [id, `name of ${id}`]], answer: null },
  });
  const statements = statementsOf([holding('a', 'x'), holding('b', 'x'), holding('c', 'x'), holding('d', 'y')]);
  expect(statements.map(({ values }) => values)).toEqual([
    ['x', 'a', 'b', 'a', 'name of a', 'b', 'name of b'],
    ['x', 'c', 'c', 'name of c'],
    ['y', 'd', 'd', 'name of d'],
  ]);
});
