import { isList, isObject } from '@inlay/contract';
import { createConnection, type Connection } from 'mysql2/promise';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { counted } from '../support/counts.ts';
import { linkedDatasets, type LinkedDataset } from '../support/linked-datasets.ts';
import { drawSchema, visibleRows, type LinkedRow, type LinkedSchema } from '../support/linked-schema.ts';
import { haveMariadb, startMariadb, type Mariadb } from '../support/mariadb.ts';
import { freshDatabase, havePostgresServer } from '../support/service.ts';
import { randomOf } from '../support/tenant-queries.ts';
import { part, text } from '../support/world.ts';

const names = ['id', 'tenant', 'left', 'right', 'amount'] as const;
const isThere = havePostgresServer && haveMariadb() === undefined;
/** Texts and numbers keep their types by it where all other values are null. */
const extra = [-1, 'nobody', -2, -2, -3] as const;

/** By a list of keys in each case, and where more than one key is visible by rows that are fetched. */
const ways = [
  ['lists of keys', 100_000],
  ['fetched rows', 1],
] as const;

describe.runIf(isThere).each(ways)('row filters over datasets in different places, by %s', (_, filterKeys) => {
  const api = useApi('sqlite', { INLAY_ALLOW_PRIVATE_HOSTS: 'true' }, undefined, filterKeys);
  const { dataset, link, filter, token, rowsFind } = linkedDatasets(api);
  const accounts: Record<string, string> = {};
  let sql: postgres.Sql | undefined;
  let mariadb: Mariadb | undefined;
  let shop: Connection | undefined;

  beforeAll(async () => {
    const url = await freshDatabase();
    sql = postgres(url, { max: 1, onnotice: () => undefined });
    const { hostname, port, pathname, username, password } = new URL(url);
    const there = { host: hostname, port, scope: pathname.slice(1), identifier: username, token: password };
    accounts['postgresql'] = (await api.create('account', { provider: 'postgresql', ...there })).id;
    mariadb = await startMariadb();
    const scope = await mariadb.createDatabase();
    const at = { host: '127.0.0.1', port: String(mariadb.port), scope, identifier: 'root', token: '' };
    accounts['mysql'] = (await api.create('account', { provider: 'mysql', ...at })).id;
    shop = await createConnection({ host: '127.0.0.1', port: mariadb.port, user: 'root', database: scope });
  });
  afterAll(async () => {
    await sql?.end();
    await shop?.end();
    await mariadb?.stop();
  });

  const literal = (value: string | number | null): string =>
    typeof value === 'string' ? `'${value}'` : String(value ?? 'null');

  /** Returns a dataset of a table at a source; `right` is a text there, so that keys of unlike types are compared. */
  async function atSource(provider: 'postgresql' | 'mysql', table: string, rows: readonly LinkedRow[]) {
    const quote = provider === 'mysql' ? '`' : '"';
    const columns = names.map((name) => {
      const type = name === 'tenant' || name === 'right' ? 'varchar(20)' : 'bigint';
      return `${quote}${name}${quote} ${type}`;
    });
    const values = rows.map((row) => names.map((name) => row[name])).concat([[...extra]]);
    const lists = values.map((row) => `(${row.map(literal).join(', ')})`);
    for (const statement of [
      `create table ${table} (${columns.join(', ')})`,
      `insert into ${table} values ${lists.join(', ')}`,
    ])
      await (provider === 'mysql' ? shop?.query(statement) : sql?.unsafe(statement));
    const answer = await api.ok('dataprovider', {
      action: 'create',
      properties: {
        account_id: accounts[provider] ?? '',
        datasets: [provider === 'mysql' ? table : `public.${table}`],
      },
    });
    const made = answer['rows'] ?? null;
    const [first] = isList(made) ? made : [];
    const id = isObject(first) ? text(first, 'id') : '';
    const found = await api.find('column', { where: { securable_id: id } });
    return { id, columns: Object.fromEntries(found.map((row) => [text(row, 'source_name'), text(row, 'id')])) };
  }

  async function stored(schema: LinkedSchema, name: string, places: readonly string[]) {
    const made: LinkedDataset[] = [];
    for (const [at, rows] of schema.datasets.entries()) {
      const place = places[at];
      const data = rows.map((row) => names.map((one) => row[one]));
      made.push(
        place === 'postgresql' || place === 'mysql'
          ? await atSource(place, `${name}_${at}`, rows)
          : await dataset([[...names], [...extra], ...data]),
      );
    }
    for (const { from, column, to, type } of schema.links) {
      const [one, other] = [made[from], made[to]];
      if (one !== undefined && other !== undefined) await link(one, column, other, 'id', type);
    }
    return made;
  }

  it('show exactly the rows that going through them one by one shows', async () => {
    const seen = { apart: 0, bounded: 0, pushed: 0, mixed: 0 };
    const schemas = counted(14, 600);
    for (let seed = 1; seed <= schemas; seed += 1) {
      const random = randomOf(seed);
      const schema = drawSchema(random);
      const places = schema.datasets.map(() => random.pick(['engine', 'postgresql', 'mysql'] as const));
      const made = await stored(schema, `s${seed}`, places);
      const filters = schema.filters.flatMap(({ dataset: at, value, propagate }) => {
        const of = made[at];
        return of === undefined ? [] : [filter(of, 'tenant', value, { propagate })];
      });
      const by = await token(made, filters);
      for (const [place, one] of made.entries()) {
        const expected = visibleRows(schema, place).map(({ amount }) => amount);
        const { body } = await api.call('data', { action: 'get', find: rowsFind(one, 'amount') }, by);
        const rows = part(body, 'data');
        const found = (isList(rows) ? rows : []).flatMap((row) => (isList(row) ? row.map(Number) : []));
        const sorted = (of: readonly number[]) => of.toSorted((left, right) => left - right);
        const shown = isList(rows) ? sorted(found.filter((amount) => amount !== -3)) : text(body, 'code');
        expect(shown, `seed ${seed}, dataset ${place} of ${places.join(', ')}`).toEqual(sorted(expected));
        if (new Set(places).size > 1) seen.apart += 1;
        if (expected.length < (schema.datasets[place]?.length ?? 0)) seen.bounded += 1;
        const source = text(body, 'source');
        if (source === 'pushdown') seen.pushed += 1;
        if (source === 'mixed') seen.mixed += 1;
      }
    }
    expect(seen.apart).toBeGreaterThan(schemas);
    expect(seen.bounded).toBeGreaterThan(schemas);
    expect(seen.pushed).toBeGreaterThan(0);
    // Every list of these few keys is sent; of more than one key none is.
    if (filterKeys === 1) expect(seen.mixed).toBeGreaterThan(0);
    else expect(seen.mixed).toBe(0);
  }, 1_800_000);
});
