import { isList, isObject, type JsonObject } from '@inlay/contract';
import { creation, kinds, resourceOf, type Kind } from '../api/matrix/bodies.ts';
import { call } from './command.ts';
import type { Credential } from './service.ts';
import { part, text } from './world.ts';

/** Kinds that are answered and not stored. */
const unstored: ReadonlySet<Kind> = new Set(['country', 'locale', 'aichart']);

/** Kinds that the last release does not have. */
const newKinds: ReadonlySet<Kind> = new Set(['task']);

/** Kinds whose records the service makes by itself. */
const unmade: ReadonlySet<Kind> = new Set(['dashboardversion', 'organization', 'airequest', 'task']);

/** Fields that change while nobody writes. */
const passing: ReadonlySet<string> = new Set(['last_used_at']);

const csv = (from: number, to: number): string =>
  Array.from(
    { length: to - from },
    (_, index) => `${from + index},Ünit ${(from + index) % 7},${(from + index) / 4}\n`,
  ).join('');

/** What can be seen of a store through the API: records by resource and id, and answers of queries. */
export type Seen = Readonly<Record<string, unknown>>;

/** A record of every kind and datasets with rows, made through the API of a running service. */
export class StoredThings {
  readonly #owner: Credential;
  readonly #made = new Map<Kind, string>();
  readonly #datasets: string[] = [];

  constructor(owner: Credential) {
    this.#owner = owner;
  }

  /** Makes them. Raises an Error where one is refused. */
  async make(url: string): Promise<void> {
    for (const kind of kinds) if (!unmade.has(kind) && !unstored.has(kind)) await this.#one(url, kind);
    const account = {
      name: 'Sales',
      provider: 'postgresql',
      host: 'db.example.com',
      identifier: 'reader',
      token: 'a secret',
    };
    await this.#ok(url, 'account', { action: 'create', properties: account });
    const rows = await this.#upload(url, `name=${encodeURIComponent('Rows ☃')}`, `n,unit,value\n${csv(0, 20_000)}`);
    // Each append is a part of its own.
    for (let from = 20_000; from < 20_300; from += 100)
      await this.#upload(url, `type=append&securable_id=${rows}`, `n,unit,value\n${csv(from, from + 100)}`);
    this.#datasets.push(rows, await this.#upload(url, 'name=Second', 'n,unit,value\n1,one,0.5\n'));
    const dashboard = { action: 'update', id: this.#made.get('dashboard') ?? '' };
    for (const description of ['A first version', 'A second version'])
      await this.#ok(url, 'dashboard', { ...dashboard, properties: { description: { en: description } } });
    // A gap in the sequence of the records.
    const spare = text(await this.#ok(url, 'tag', { action: 'create', properties: { name: { en: 'Spare' } } }), 'id');
    await this.#ok(url, 'tag', { action: 'delete', id: spare });
    await this.#ok(url, 'tag', { action: 'create', properties: { name: { en: 'Last' } } });
  }

  /** All that the owner sees of them on a service. */
  async seen(url: string): Promise<Seen> {
    const seen: Record<string, unknown> = {};
    for (const resource of new Set(
      kinds.filter((kind) => !unstored.has(kind) && !newKinds.has(kind)).map(resourceOf),
    )) {
      const { rows } = await this.#ok(url, resource, { action: 'get', find: { limit: 10_000 } });
      seen[resource] = this.#lasting(rows);
    }
    for (const id of this.#datasets) seen[`rows of ${id}`] = await this.#answers(url, id);
    return seen;
  }

  async #one(url: string, kind: Kind): Promise<string> {
    const known = this.#made.get(kind);
    if (known !== undefined) return known;
    const properties = await creation(kind, (other) => this.#one(url, other));
    const made =
      kind === 'account'
        ? { ...properties, provider: 'csv', host: undefined, port: undefined, token: undefined }
        : properties;
    const id = text(
      await this.#ok(url, resourceOf(kind), { action: 'create', properties: JSON.parse(JSON.stringify(made)) }),
      'id',
    );
    this.#made.set(kind, id);
    return id;
  }

  async #answers(url: string, dataset: string): Promise<unknown> {
    const { rows } = await this.#ok(url, 'column', { action: 'get', find: { where: { securable_id: dataset } } });
    const columns = (isList(rows ?? null) ? Object.values(rows ?? {}) : []).map((column: unknown) => ({
      dataset_id: dataset,
      column_id: text(column, 'id'),
      name: text(column, 'source_name'),
    }));
    const of = (name: string) => {
      const { dataset_id, column_id } = columns.find((column) => column.name === name) ?? {
        dataset_id: '',
        column_id: '',
      };
      return { dataset_id, column_id };
    };
    const find = {
      dimensions: [of('unit')],
      measures: [
        { ...of('n'), aggregation: { type: 'count' } },
        { ...of('value'), aggregation: { type: 'sum' } },
      ],
    };
    return (await this.#ok(url, 'data', { action: 'get', find }))['data'];
  }

  #lasting(rows: unknown): Readonly<Record<string, unknown>> {
    const records = Array.isArray(rows) ? rows : [];
    return Object.fromEntries(
      records.map((record: unknown) => [
        text(record, 'id'),
        Object.fromEntries(Object.entries(isObject(record) ? record : {}).filter(([name]) => !passing.has(name))),
      ]),
    );
  }

  async #ok(url: string, resource: string, body: JsonObject): Promise<JsonObject> {
    const answer = await call(url, resource, { ...body, ...this.#owner });
    if (answer.status !== 200) throw new Error(`${resource}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async #upload(url: string, query: string, body: string): Promise<string> {
    const answer = await fetch(`${url}/0.1.0/data/file?${query}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#owner.key}:${this.#owner.token}`,
        'content-type': 'text/csv',
        connection: 'close',
      },
      body,
    });
    const read: unknown = await answer.json();
    if (answer.status !== 200) throw new Error(JSON.stringify(read));
    const rows = part(read, 'rows');
    return text(Array.isArray(rows) ? rows[0] : null, 'id');
  }
}
