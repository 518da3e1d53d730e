import { randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '@inlay/contract';
import { between, done, type Client } from './load.ts';

/** What is known of one record from the answers to those who wrote it. */
export interface Entry {
  readonly resource: string;
  /** A word in the name of the record that is in no other. */
  readonly mark: string;
  /** The whole last answer, and the secret sent with it; undefined while the create was not answered. */
  acknowledged: JsonObject | undefined;
  secret: string | undefined;
  /** Fields of an update that was sent and not answered: either they are there or they are not. */
  asked: JsonObject | undefined;
  /** `asked` while a delete is not answered, `done` when it is. */
  removal: 'none' | 'asked' | 'done';
  /** Ids it was associated to, with whether that was answered. */
  readonly links: Map<string, boolean>;
}

/** Everything a round of writers sent, and what was acknowledged of it. */
export interface Ledger {
  readonly entries: Map<string, Entry>;
  acknowledged: number;
  /** When the round began, as ISO text. */
  readonly since: string;
}

export const newLedger = (): Ledger => ({ entries: new Map(), acknowledged: 0, since: new Date().toISOString() });

const named = (mark: string): object => ({ name: { en: `Name ${mark}`, fr: `Nom ${mark}` } });

/** The properties of a create, by what is made. */
const makes: Readonly<Record<string, (mark: string) => object>> = {
  account: (mark) => ({
    name: `Name ${mark}`,
    provider: 'postgresql',
    host: 'db.example.com',
    token: `secret ${mark}`,
  }),
  dashboard: (mark) => ({ type: 'dashboard', ...named(mark), description: { en: 'x'.repeat(between(0, 2_000)) } }),
  dataset: (mark) => ({ type: 'dataset', ...named(mark), source_query: 'select 1' }),
  collection: named,
  group: named,
  tag: named,
  embedfiltergroup: named,
  integration: named,
  theme: (mark) => ({ ...named(mark), theme: { type: 'custom', background: 'rgb(1,2,3)' } }),
};
const kinds = Object.keys(makes);

/** Returns the resource as the path names it. */
export const resourceOf = (kind: string): string => (kind === 'dashboard' || kind === 'dataset' ? 'securable' : kind);

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** One writer: it makes, changes, associates and deletes records of its own, one after the other. */
interface Writer {
  readonly client: Client;
  readonly ledger: Ledger;
  readonly own: Entry[];
}

async function make({ client, ledger, own }: Writer, kind: string): Promise<void> {
  const mark = randomUUID();
  const properties: JsonObject = { ...makes[kind]?.(mark) };
  const links = new Map<string, boolean>();
  const secret = typeof properties['token'] === 'string' ? properties['token'] : undefined;
  const entry: Entry = {
    resource: resourceOf(kind),
    mark,
    acknowledged: undefined,
    secret,
    asked: undefined,
    removal: 'none',
    links,
  };
  ledger.entries.set(mark, entry);
  entry.acknowledged = done(await client.call(entry.resource, { action: 'create', properties }));
  ledger.acknowledged += 1;
  own.push(entry);
}

async function change({ client, ledger }: Writer, entry: Entry): Promise<void> {
  const words = `Renamed ${entry.mark} ${between(0, 999)}`;
  entry.asked = { name: entry.resource === 'account' ? words : { en: words } };
  const body = { action: 'update', id: textOf(entry.acknowledged?.['id']), properties: entry.asked };
  entry.acknowledged = done(await client.call(entry.resource, body));
  entry.asked = undefined;
  ledger.acknowledged += 1;
}

async function associate({ client, ledger, own }: Writer): Promise<void> {
  const first = own.findLast(({ resource, removal }) => resource === 'securable' && removal === 'none');
  const target = own.findLast(({ resource, removal }) => resource === 'collection' && removal === 'none');
  if (first === undefined || target === undefined) return;
  const id = textOf(target.acknowledged?.['id']);
  if (first.links.has(id)) return;
  first.links.set(id, false);
  const resource = { role: 'Collections', id };
  done(await client.call('securable', { action: 'associate', id: textOf(first.acknowledged?.['id']), resource }));
  first.links.set(id, true);
  ledger.acknowledged += 1;
}

async function remove({ client, ledger, own }: Writer): Promise<void> {
  const at = own.findIndex(({ resource, links }) => resource !== 'collection' && links.size === 0);
  const [entry] = at === -1 ? [] : own.splice(at, 1);
  if (entry === undefined) return;
  entry.removal = 'asked';
  done(await client.call(entry.resource, { action: 'delete', id: textOf(entry.acknowledged?.['id']) }));
  entry.removal = 'done';
  ledger.acknowledged += 1;
}

/**
 * Writes until the connection breaks or `goesOn` says no, noting in the ledger what is sent before it is sent and what is
 * answered once it is. Raises an Error for an answer other than 200.
 */
export async function writeRecords(client: Client, ledger: Ledger, goesOn: () => boolean): Promise<void> {
  const writer: Writer = { client, ledger, own: [] };
  for (let turn = 0; goesOn(); turn += 1) {
    const chance = between(1, 100);
    const entry = writer.own[between(0, writer.own.length - 1)];
    if (chance > 92) await remove(writer);
    else if (chance > 80) await associate(writer);
    else if (chance > 60 && entry !== undefined) await change(writer, entry);
    else await make(writer, kinds[turn % kinds.length] ?? 'tag');
  }
}

/** True if an error of `writeRecords` is a broken connection and not an answer. */
export const isBroken = (error: unknown): boolean => error instanceof Error && !error.message.startsWith('answered ');
