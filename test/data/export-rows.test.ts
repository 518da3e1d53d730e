import { beforeAll, describe, expect, it } from 'vitest';
import { isList, type JsonObject } from '@inlay/contract';
import { formulaTexts } from '../support/formula-texts.ts';
import { useApi } from '../support/api.ts';
import { type Credential, havePostgresServer } from '../support/service.ts';
import { columnsOfDataset, openShop, type ShopDatabase } from '../support/shop-database.ts';
import { part, text } from '../support/world.ts';

type Value = string | number | boolean | null;
const rows: readonly (readonly [number, Value, Value, Value, Value])[] = [
  [1, 'Ada', 10.5, '2024-01-05T10:00:00.000Z', true],
  [2, '=HYPERLINK("http://evil.example")', -3, '2024-02-05T10:00:00.000Z', false],
  [3, '-2+3+cmd|x', null, null, null],
  [4, '-12.5', 1234567.875, '2024-03-05T10:00:00.123Z', true],
  [5, 'two\nlines, "quoted"', 0.1, '2024-03-05T00:00:00.000Z', false],
  [6, null, 2, '1969-12-31T23:59:59.999Z', null],
  [7, '＝1+1', 3, '2024-03-05T00:00:00.000Z', null],
];
const made = `create table all_kinds (n bigint, word text, amount double precision, at timestamptz, ok boolean);
insert into all_kinds values ${rows
  .map(([n, word, amount, at, ok]) => `(${n}, ${literal(word)}, ${String(amount)}, ${literal(at)}, ${String(ok)})`)
  .join(', ')}`;
function literal(value: Value): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : 'null';
}

describe.runIf(havePostgresServer)('an export of the rows of a query', () => {
  const api = useApi('sqlite', { INLAY_ALLOW_PRIVATE_HOSTS: 'true', INLAY_EXPORT_ROWS: '1000' });
  let shop: ShopDatabase;
  const datasets = new Map<string, { readonly id: string; readonly column: (name: string) => JsonObject }>();

  async function noted(place: string, id: string): Promise<void> {
    const columns = await columnsOfDataset(api, id);
    datasets.set(place, { id, column: (name) => ({ dataset_id: id, column_id: columns.get(name) ?? name }) });
  }
  beforeAll(async () => {
    shop = await openShop(api);
    await shop.run(made);
    const found = await api.ok('dataprovider', {
      properties: { account_id: shop.accountId, datasets: ['public.all_kinds'] },
    });
    const list = part(found, 'rows');
    await noted('pushdown', text(isList(list) ? list[0] : null, 'id'));
    const options = { header: true, name: { en: 'All kinds', nl: 'Alle soorten' }, columns: { ok: 'boolean' } };
    const pushed = await api.create('data', {
      type: 'create',
      data: [['n', 'word', 'amount', 'at', 'ok'], ...rows],
      options,
    });
    await noted('engine', pushed.id);
  });

  const on = (place: string): ((name: string) => JsonObject) => datasets.get(place)?.column ?? (() => ({}));
  const all = (place: string): JsonObject => ({
    dimensions: ['n', 'word', 'amount', 'at', 'ok'].map(on(place)),
    order: [{ ...on(place)('n'), order: 'asc' }],
    options: { rollup_data: false },
  });
  async function exported(properties: JsonObject, by: Credential = api.owner) {
    const answer = await api.service.server.inject({
      method: 'POST',
      url: '/0.1.0/export',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ action: 'create', properties, ...by }),
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.body };
  }

  it.each(['pushdown', 'engine'])('is the same CSV wherever it is made: %s', async (place) => {
    const { body, headers } = await exported({ type: 'csv', query: all(place) });
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe('attachment; filename="All-kinds.csv"');
    expect(body).toBe(
      [
        '\uFEFF"N","Word","Amount","At","Ok"',
        '1,"Ada",10.5,2024-01-05T10:00:00.000Z,"true"',
        `2,"'=HYPERLINK(""http://evil.example"")",-3,2024-02-05T10:00:00.000Z,"false"`,
        `3,"'-2+3+cmd|x",,,`,
        '4,"-12.5",1234567.875,2024-03-05T10:00:00.123Z,"true"',
        '5,"two\nlines, ""quoted""",0.1,2024-03-05T00:00:00.000Z,"false"',
        '6,,2,1969-12-31T23:59:59.999Z,',
        `7,"'＝1+1",3,2024-03-05T00:00:00.000Z,`,
        '',
      ].join('\r\n'),
    );
  });

  it('holds no text that a spreadsheet takes for a formula', async () => {
    const { id } = await api.create('data', {
      type: 'create',
      data: [['n', 'word'], ...formulaTexts.map(([word], at) => [at, `${word}`])],
      options: { header: true, name: { en: 'Formulas' }, columns: { word: 'text' } },
    });
    const columns = await columnsOfDataset(api, id);
    const column = (name: string) => ({ dataset_id: id, column_id: columns.get(name) ?? name });
    const query = {
      dimensions: [column('n'), column('word')],
      order: [{ ...column('n'), order: 'asc' }],
      options: { rollup_data: false },
    };
    const { body } = await exported({ type: 'csv', query });
    expect(
      body
        .split(/\r\n(?=\d+,)/u)
        .slice(1)
        .join('\r\n'),
    ).toBe(formulaTexts.map(([, written], at) => `${at},"${written}"`).join('\r\n') + '\r\n');
  });

  it.each(['pushdown', 'engine'])('is the same NDJSON wherever it is made: %s', async (place) => {
    const { body } = await exported({ type: 'ndjson', query: all(place) });
    const lines = body.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(
      rows.map(([n, word, amount, at, ok]) => ({
        N: n,
        Word: word,
        Amount: amount,
        At: at,
        Ok: ok === null ? null : String(ok),
      })),
    );
  });

  it('names its columns as people call them, in the language asked for, each once', async () => {
    const { id, column } = datasets.get('engine') ?? { id: '', column: on('engine') };
    await api.update('column', column('amount')['column_id'], { name: { en: '=Amount', nl: 'Bedrag' } });
    const sum = (type: string): JsonObject => ({ ...column('amount'), aggregation: { type } });
    const query = {
      dimensions: [{ ...column('at'), level: 1 }],
      measures: [sum('sum'), sum('max'), { dataset_id: id, column_id: '*' }, { dataset_id: id, formula: 'count(*)' }],
    };
    const head = async (locale_id: string): Promise<string | undefined> =>
      (await exported({ type: 'csv', query, locale_id })).body.split('\r\n')[0];
    expect(await head('nl-BE')).toBe('\uFEFF"At","Bedrag (sum)","Bedrag (max)","Aantal rijen","count(*)"');
    expect(await head('fr')).toBe(`\uFEFF"At","'=Amount (sum)","'=Amount (max)","Nombre de lignes","count(*)"`);
    await api.update('column', column('amount')['column_id'], { name: { en: 'Amount' } });
  });

  it('is cut at its own limit, not at that of answers, and its last line says so', async () => {
    await shop.run(`create table long as select i from generate_series(1, 1500) i`);
    const found = await api.ok('dataprovider', {
      properties: { account_id: shop.accountId, datasets: ['public.long'] },
    });
    const list = part(found, 'rows');
    const id = text(isList(list) ? list[0] : null, 'id');
    await noted('long', id);
    const query = { dimensions: [on('long')('i')], options: { rollup_data: false } };
    const ndjson = (await exported({ type: 'ndjson', query })).body.trimEnd().split('\n');
    expect(ndjson).toHaveLength(1001);
    expect(ndjson.at(-1)).toBe('{"truncated":true,"rows":1000}');
    const csv = (await exported({ type: 'csv', query })).body.trimEnd().split('\r\n');
    expect(csv.at(-1)).toBe('"The file is cut: it holds the first 1000 rows."');
    const limited = (await exported({ type: 'ndjson', query: { ...query, limit: { by: 1000 } } })).body;
    expect(limited.trimEnd().split('\n')).toHaveLength(1000);
  });

  it('is asked for by a query or a dashboard, never both or neither, and says what is wrong with a query', async () => {
    const refusal = async (properties: JsonObject): Promise<string> => {
      const { status, validation } = await api.refused('export', { action: 'create', properties });
      return `${status} ${Object.keys(validation).join(' ')}`;
    };
    const query = all('engine');
    const dashboard_id = (await api.create('dashboard', { name: { en: 'One' } })).id;
    expect(await refusal({ type: 'csv' })).toBe('400 properties.dashboard_id');
    expect(await refusal({ type: 'csv', query, dashboard_id })).toBe('400 properties.query');
    expect(await refusal({ type: 'ndjson', dashboard_id })).toBe('400 properties.type');
    expect(await refusal({ type: 'pdf', query })).toBe('400 properties.type');
    expect(await refusal({ type: 'csv', query, item_id: 'one' })).toBe('400 properties.item_id');
    expect(await refusal({ type: 'csv', query: { ...query, limit: { by: -1 } } })).toBe(
      '400 properties.query.limit.by',
    );
    expect(await refusal({ type: 'csv', query: { queries: [query] } })).toBe('400 properties.query');
    const strange = { ...query, dimensions: [on('engine')('none')] };
    expect(await refusal({ type: 'csv', query: strange })).toBe('400 properties.query.dimensions[0].column_id');
  });
});
