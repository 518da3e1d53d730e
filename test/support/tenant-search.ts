import { isList, type Json, type JsonObject } from '@inlay/contract';
import type { Answer, Credential } from './service.ts';
import { arbitraryQuery, type Named, type Random } from './tenant-queries.ts';
import { tenants, type Tenants } from './tenants.ts';
import { part, text } from './world.ts';

export type Ask = (query: JsonObject, by: Credential) => Promise<Pick<Answer, 'status' | 'body'>>;

const alike = (left: Json, right: Json): boolean => {
  if (typeof left === 'number' && typeof right === 'number')
    return Math.abs(left - right) <= 1e-9 * Math.max(1, Math.abs(left), Math.abs(right));
  if (isList(left) && isList(right))
    return left.length === right.length && left.every((one, index) => alike(one, right[index] ?? null));
  return JSON.stringify(left) === JSON.stringify(right);
};

const rowsOf = (body: Json): readonly Json[] => {
  const rows = part(body, 'data');
  return isList(rows) ? rows : [];
};
const sorted = (rows: readonly Json[]): readonly Json[] =>
  rows.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));

/** What a search has found. `leaks`: answers that differ from those over the rows of the tenant alone. */
export interface Found {
  asked: number;
  rows: number;
  cached: number;
  readonly places: Map<string, number>;
  readonly leaks: string[];
}

/** Asks random queries as both tenants and holds each answer against that over the rows of this tenant alone. */
export async function search(
  world: Tenants,
  ask: Ask,
  queries: number,
  random: Random,
  ways = world.ways,
): Promise<Found> {
  const found: Found = { asked: 0, rows: 0, cached: 0, places: new Map(), leaks: [] };
  while (found.asked < queries) {
    const way = random.pick(ways);
    const place = random.pick(way.places);
    const named = arbitraryQuery(random, way.hidden);
    for (const tenant of [...tenants, tenants[0]]) {
      const over = (view: 'mixed' | (typeof tenants)[number]): Named => ({
        orders: world.dataset(place, view, 'orders'),
        customers: world.dataset(place, view, 'customers'),
      });
      const [got, wanted] = [
        await ask(named.query(over('mixed')), way.credential[tenant]),
        await ask(named.query(over(tenant)), world.api.owner),
      ];
      found.asked += 1;
      found.rows += rowsOf(got.body).length;
      if (part(got.body, 'cached') === true) found.cached += 1;
      const ran = `${place} ${got.status === 200 ? text(got.body, 'source') : got.status}`;
      found.places.set(ran, (found.places.get(ran) ?? 0) + 1);
      const [left, right] = named.ordered
        ? [rowsOf(got.body), rowsOf(wanted.body)]
        : [sorted(rowsOf(got.body)), sorted(rowsOf(wanted.body))];
      if (got.status !== wanted.status || !alike(left, right))
        found.leaks.push(
          `${way.name} ${place} ${tenant} ${JSON.stringify(named.query(over('mixed')))}: ${got.status} ${JSON.stringify(got.body).slice(0, 400)} not ${wanted.status} ${JSON.stringify(wanted.body).slice(0, 400)}`,
        );
    }
  }
  return found;
}

/** Asks by the API. */
export const overHttp =
  (world: Tenants): Ask =>
  (find, by) =>
    world.api.call('data', { action: 'get', find }, by);
