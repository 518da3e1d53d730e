import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobOver, never, rowsOf, startTestEngine } from '../support/engine.ts';

const engine = startTestEngine();
afterAll(() => engine.stop());

const columns = [
  { name: 'id', storageType: 'integer' },
  { name: 'tenant', storageType: 'text' },
] as const;
const count = 60_000;
const tenantOf = (id: number): string => `tenant ${(id * 7919) % 11}`;
const rowsFrom = (from: number, rows: number) =>
  Array.from({ length: rows }, (_, at) => [from + at, tenantOf(from + at)]);
const source = (rows: readonly (readonly (string | number)[])[]) =>
  ({
    kind: 'rows',
    columns,
    rows: (async function* () {
      yield rows;
    })(),
  }) as const;
const ask = async (version: string, sql: string): Promise<readonly (readonly unknown[])[]> => {
  const rows = await rowsOf(engine.query(jobOver(engine, version, sql), never));
  return Array.isArray(rows) ? rows : [];
};
const all = 'select json_array(id, tenant)::varchar from ds';
const ofOne = `select json_array(id)::varchar from ds where tenant = 'tenant 4'`;
const sorted = (rows: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] =>
  rows.toSorted(([id, tenant], [otherId, other]) =>
    String(tenant) < String(other) ? -1 : String(tenant) > String(other) ? 1 : Number(id) - Number(otherId),
  );
const sort = (version: string, before: string, order: readonly string[]) =>
  engine.write({ version, source: { kind: 'version', order }, onto: { version: before, key: null } });

beforeAll(async () => {
  await engine.writeRows('v1', columns, rowsFrom(0, count));
  await engine.write({ version: 'v2', source: source(rowsFrom(count, 50)), onto: { version: 'v1', key: null } });
});

describe('a version that is sorted', () => {
  it('has the same rows, by the column and within equal values as they came', async () => {
    const done = await sort('v3', 'v2', ['tenant']);
    expect(done).toMatchObject({ rows: count + 50, columns: [{ name: 'id' }, { name: 'tenant' }] });
    const before = await ask('v2', all);
    expect(before[0]).toEqual([0, tenantOf(0)]);
    expect(await ask('v3', all)).toEqual(sorted(before));
    expect(await ask('v3', ofOne)).toEqual(await ask('v2', ofOne));
    await expect(sort('v3a', 'v3', ['tenant'])).rejects.toThrow('sorted so already');
    const typed = 'select json_array(left(typeof(any_value(tenant)), 4))::varchar from ds';
    expect(await ask('v3', typed)).toEqual([['ENUM']]);
  });

  it('takes few rows behind its own, and is sorted again when it is written whole', async () => {
    await engine.write({ version: 'v4', source: source([[-1, 'tenant 4']]), onto: { version: 'v3', key: null } });
    expect((await ask('v4', all)).at(-1)).toEqual([-1, 'tenant 4']);
    await engine.write({
      version: 'v5',
      source: source(rowsFrom(100_000, 21_000)),
      onto: { version: 'v4', key: null },
    });
    const rows = await ask('v5', 'select json_array(tenant)::varchar from ds');
    expect(rows.length).toBe(count + 50 + 1 + 21_000);
    expect(rows.map(String)).toEqual(rows.map(String).toSorted());
  });

  it('is as it was where its column is not there', async () => {
    await sort('v6', 'v2', ['no column']);
    expect(await ask('v6', all)).toEqual(await ask('v2', all));
  });
});
