import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import type { Credential } from '../../test/support/service.ts';
import { datasetIn, part, text } from '../../test/support/world.ts';
import { contentsOf, inSlot, item, slot } from '../../test/browser/sales.ts';
import { bearer, call, send } from './client.ts';

/** A dataset and its columns by name. */
export interface Dataset {
  readonly id: string;
  readonly columns: Readonly<Record<string, string>>;
}

/** What one organization has: enough to ask for the most of everything. */
export interface Stage {
  readonly port: number;
  readonly owner: Credential;
  /** A token that may use the datasets and read the drawn dashboards. */
  readonly viewer: Credential;
  /** 100,000 rows: `a` and `b` of 700 values each, `leaf` its own in each row, `amount`, `at`. */
  readonly facts: Dataset;
  /** 2,000 texts of 9 KB in `word`. */
  readonly long: Dataset;
  /** Dashboards to draw, by their name. */
  readonly drawn: Readonly<Record<string, string>>;
  /** Dashboards with descriptions of 200 KB. */
  readonly described: readonly string[];
  /** Dashboards with contents of 5 MB each, 55 MB together. */
  readonly filled: readonly string[];
}

export const column = (of: Dataset, name: string, more: JsonObject = {}): JsonObject => ({
  dataset_id: of.id,
  column_id: of.columns[name] ?? name,
  ...more,
});

/** Contents of about so many bytes that a dashboard may have. */
export function contentsOfBytes(bytes: number): JsonObject {
  const one = (index: number): JsonObject =>
    item(`item-${index}`, 'bar-chart', [], [0, index % 100, 12, 12], { options: { note: 'x'.repeat(900) } });
  const items = Array.from({ length: Math.floor(bytes / 1050) }, (_, index) => one(index));
  return {
    version: '0.1.99',
    syncScreenModes: true,
    datasetLinks: {},
    parameters: [],
    timezone: { type: 'fixed', id: 'UTC' },
    views: [{ screenModus: 'desktop', options: { theme: { id: 'default' } }, filterGroups: [], items }],
  };
}

async function datasetOf(port: number, owner: Credential, made: Json): Promise<Dataset> {
  const { id } = datasetIn(made);
  const found = part(await call(port, 'column', { find: { where: { securable_id: id } } }, owner), 'rows');
  const columns = (isList(found ?? null) ? Object.values(Object(found)) : []).map((row) => [
    text(row, 'source_name'),
    text(row, 'id'),
  ]);
  return { id, columns: Object.fromEntries(columns) };
}

async function upload(port: number, owner: Credential, name: string, csv: string): Promise<Dataset> {
  const { status, body } = await send(port, {
    path: `/0.1.0/data/file?name=${name}&header=true`,
    headers: { ...bearer(owner), 'content-type': 'text/csv' },
    body: csv,
  });
  if (status !== 200) throw new Error(`upload answered ${status} ${body}`);
  const made: Json = JSON.parse(body);
  return datasetOf(port, owner, made);
}

const factRow = (at: number): string =>
  `a${at % 700},b${Math.floor(at / 700) % 700},leaf ${at},${at % 1000},2024-${String((at % 12) + 1).padStart(2, '0')}-01`;

function drawings(facts: Dataset): Readonly<Record<string, JsonObject>> {
  const sales = { id: facts.id, columns: { day: '', region: '', product: '', revenue: '', quantity: '' } };
  const on = (name: string, aggregationFunc: string | null = null): JsonObject => ({
    ...inSlot(sales, aggregationFunc === null ? 'region' : 'revenue'),
    columnId: facts.columns[name] ?? '',
    ...(aggregationFunc === null ? {} : { aggregationFunc }),
  });
  const whole = [0, 0, 48, 40] as const;
  const measure = slot('measure', on('amount', 'sum'));
  const named = {
    small: item('one', 'bar-chart', [slot('y-axis', on('at')), measure], whole),
    pivot: item('one', 'pivot-table', [slot('row', on('a')), slot('column', on('b')), measure], whole),
    treemap: item('one', 'treemap-chart', [slot('category', on('leaf')), measure], whole),
    sunburst: item('one', 'sunburst-chart', [slot('levels', on('a'), on('leaf')), measure], whole),
    table: item('one', 'regular-table', [slot('columns', on('leaf'), on('a'), on('b'), on('amount', 'none'))], whole),
  };
  return Object.fromEntries(Object.entries(named).map(([name, given]) => [name, contentsOf(sales, [given])]));
}

/** Fills an organization. `share` of 1 makes all that limits allow, less of it what is quick to make. */
export async function furnish(port: number, owner: Credential, share: number): Promise<Stage> {
  const rows = Math.ceil(100_000 * share);
  const facts = await upload(
    port,
    owner,
    'facts',
    `a,b,leaf,amount,at\n${Array.from({ length: rows }, (_, at) => factRow(at)).join('\n')}\n`,
  );
  const texts = Array.from({ length: Math.ceil(2000 * share) }, (_, at) => `${at},${'a'.repeat(9000)}${at}`);
  const long = await upload(port, owner, 'long', `n,word\n${texts.join('\n')}\n`);
  const create = async (resource: string, properties: JsonObject, links: readonly string[] = []): Promise<string> => {
    const associations = links.map((id) => ({ role: 'Datasets', id }));
    return text(await call(port, resource, { action: 'create', properties, associations }, owner), 'id');
  };
  const drawn: Record<string, string> = {};
  for (const [name, contents] of Object.entries(drawings(facts)))
    drawn[name] = await create('dashboard', { name: { en: name }, contents }, [facts.id]);
  const description = Object.fromEntries(
    Array.from('abcdefghijklmnopqrst', (letter) => [`x${letter}`, `${'a'.repeat(9990)}b`]),
  );
  const described: string[] = [];
  for (let index = 0; index < Math.ceil(15 * share); index += 1)
    described.push(await create('dashboard', { name: { en: `Described ${index}` }, description }));
  const filled: string[] = [];
  const contents = contentsOfBytes(5_000_000 * Math.min(1, share * 10));
  for (let index = 0; index < Math.ceil(11 * share); index += 1)
    filled.push(await create('dashboard', { name: { en: `Filled ${index}` }, contents }));
  // Names in 100 languages that repeat themselves, 0.9 MB each: the costliest texts to search.
  const languages = Array.from(
    { length: 100 },
    (_, at) => `x${'abcdefghij'[Math.floor(at / 10)]}${'abcdefghij'[at % 10]}`,
  );
  for (let index = 0; index < Math.ceil(10 * share); index += 1)
    await create('collection', {
      name: Object.fromEntries(languages.map((language, at) => [language, `${index} ${'a'.repeat(8990)}${at}`])),
    });
  const access = {
    dashboards: Object.values(drawn).map((id) => ({ id, rights: 'read' })),
    datasets: [facts, long].map(({ id }) => ({ id, rights: 'use' })),
  };
  const properties = { type: 'embed', username: 'viewer', name: 'V', email: 'v@example.com', role: 'viewer', access };
  const made = await call(port, 'authorization', { action: 'create', properties }, owner);
  const viewer = { key: text(made, 'id'), token: text(made, 'token') };
  return { port, owner, viewer, facts, long, drawn, described, filled };
}

/** Reads a stage that another process sent. */
export function readStage(value: unknown): Stage {
  if (!isObject(value)) throw new Error('no stage');
  const own = (name: string): Credential => ({ key: text(value[name], 'key'), token: text(value[name], 'token') });
  const dataset = (name: string): Dataset => ({
    id: text(value[name], 'id'),
    columns: texts(part(value[name], 'columns')),
  });
  const list = (name: string): readonly string[] => Object.values(texts(value[name]));
  return {
    port: Number(value['port']),
    owner: own('owner'),
    viewer: own('viewer'),
    facts: dataset('facts'),
    long: dataset('long'),
    drawn: texts(value['drawn']),
    described: list('described'),
    filled: list('filled'),
  };
}

const texts = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(Object(value)).map(([name, one]) => [name, String(one)]));
