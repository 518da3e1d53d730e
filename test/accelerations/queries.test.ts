import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isList, type Json } from '@inlay/contract';
import { counted } from '../support/counts.ts';
import { runSeed } from '../support/seed.ts';
import { havePostgresServer } from '../support/service.ts';
import { startTenants, type Tenants } from '../support/tenants.ts';
import { arbitraryQuery, randomOf, type Named } from '../support/tenant-queries.ts';
import { part } from '../support/world.ts';

const alike = (left: Json, right: Json): boolean => {
  if (typeof left === 'number' && typeof right === 'number')
    return Math.abs(left - right) <= 1e-12 * Math.max(1, Math.abs(left), Math.abs(right));
  if (isList(left) && isList(right))
    return left.length === right.length && left.every((one, index) => alike(one, right[index] ?? null));
  return JSON.stringify(left) === JSON.stringify(right);
};

describe.runIf(havePostgresServer)('queries over accelerated datasets', () => {
  let world: Tenants;
  beforeAll(async () => {
    world = await startTenants();
  });
  afterAll(() => world.stop());

  const queries = counted(300, 10_000);
  it(`${queries} random ones have the answers of the source`, { timeout: 3_600_000 }, async () => {
    const random = randomOf(runSeed);
    const over = (place: 'copied' | 'source'): Named => ({
      orders: world.dataset(place, 'mixed', 'orders'),
      customers: world.dataset(place, 'mixed', 'customers'),
    });
    const [copied, source] = [over('copied'), over('source')];
    const differences: string[] = [];
    const places = new Set<unknown>();
    for (let at = 0; at < queries; at += 1) {
      const { query, ordered } = arbitraryQuery(random, []);
      const ask = (named: Named) => world.api.call('data', { action: 'get', find: query(named) });
      const [fromCopy, fromSource] = [await ask(copied), await ask(source)];
      const place = part(fromCopy.body, 'source');
      places.add(place);
      const rows = [fromCopy, fromSource].map(({ body }) => {
        const found = part(body, 'data');
        const list = isList(found) ? found : [];
        return ordered ? list : list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
      });
      if (fromCopy.status !== fromSource.status || !alike(rows[0] ?? null, rows[1] ?? null))
        differences.push(`${JSON.stringify(query(copied))}: ${JSON.stringify(rows).slice(0, 600)}`);
    }
    process.stdout.write(`accelerated: ${queries} queries, ${differences.length} unequal\n`);
    expect(differences).toEqual([]);
    expect([...places].filter((place) => place !== undefined)).toEqual(['engine']);
    const securableId = copied.orders.id;
    const rolledUp = async (): Promise<number> =>
      Number((await world.api.find('acceleration', { where: { securable_id: securableId } }))[0]?.['rollup_hits']);
    await expect.poll(rolledUp, { timeout: 60_000 }).toBeGreaterThan(0);
    process.stdout.write(`accelerated: ${await rolledUp()} of these queries read rollups\n`);
  });
});
