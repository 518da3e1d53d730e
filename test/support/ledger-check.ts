import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { createEnvironment } from '../../packages/service/src/app/store/environment.ts';
import type { WriteEnvironment } from '../../packages/service/src/write/context.ts';
import type { Entry, Ledger } from './ledger.ts';
import type { LoadStore, StoredRow } from './load-store.ts';
import { textIn } from './load.ts';

const resources = ['account', 'securable', 'collection', 'group', 'tag', 'embedfiltergroup', 'integration', 'theme'];
const owned = new Set(['account', 'securable']);

/** What the store holds of the records made since a moment. */
export interface Holding {
  readonly records: readonly StoredRow[];
  /** `<id> <association> <id>` of each link, and its first two words. */
  readonly links: ReadonlySet<string>;
  readonly owned: ReadonlySet<string>;
}

const quoted = (word: string): string => `"${word}"`;

/** Reads every record made since then with its searchable text, and every link. */
export async function readHolding(store: LoadStore, since: string): Promise<Holding> {
  const records: StoredRow[] = [];
  for (const resource of resources) {
    const rows = await store.rows(
      `select id, organization_id, record, secrets, name_text as folded, '${resource}' as resource
        from ${quoted(resource)} where created_at >= '${since}' and deleted_at is null`,
    );
    records.push(...rows);
  }
  const links = await store.rows(
    `select first_id || ' ' || association || ' ' || target_id as link, first_id || ' ' || association as first
      from link where created_at >= '${since}'`,
  );
  return {
    records,
    links: new Set(links.map(({ link }) => String(link))),
    owned: new Set(links.map(({ first }) => String(first))),
  };
}

const parse = (text: unknown): JsonObject => {
  const parsed: Json = JSON.parse(String(text));
  return isObject(parsed) ? parsed : {};
};

const markOf = (record: JsonObject): string => {
  const { name } = record;
  const words = isObject(name) ? name['en'] : name;
  return typeof words === 'string' ? (words.split(' ')[1] ?? '') : '';
};

/** Members that hold the given value, but for masked secrets and times. */
const same = (stored: JsonObject, expected: JsonObject, but: readonly string[] = []): boolean =>
  Object.entries(expected).every(
    ([name, value]) => name === 'token' || but.includes(name) || isDeepStrictEqual(stored[name], value),
  );

function contentFault(entry: Entry, record: JsonObject): string | undefined {
  const { acknowledged, asked } = entry;
  if (acknowledged === undefined || same(record, acknowledged)) return undefined;
  const times = ['updated_at', 'modified_at', 'modifier_id'];
  // A tag has its name twice.
  const alias = acknowledged['tag'] === undefined || asked?.['name'] === undefined ? {} : { tag: asked['name'] };
  if (asked !== undefined && same(record, { ...acknowledged, ...asked, ...alias }, times)) return undefined;
  return `holds other content than was acknowledged: ${JSON.stringify(record)} for ${JSON.stringify(acknowledged)}`;
}

function secretFault({ seals }: WriteEnvironment, entry: Entry, row: StoredRow): string | undefined {
  if (entry.secret === undefined) return undefined;
  const place = {
    resource: entry.resource,
    id: String(row['id']),
    organization: String(row['organization_id']),
    field: 'token',
  };
  const sealed = parse(row['secrets'])['token'];
  if (typeof sealed !== 'string') return 'lost its secret';
  return seals.openText(place, sealed) === entry.secret ? undefined : 'holds another secret';
}

function rowFaults(
  environment: WriteEnvironment,
  entry: Entry,
  row: StoredRow,
  { links, owned: linked }: Holding,
): string[] {
  const record = parse(row['record']);
  const id = String(row['id']);
  return [
    record['id'] === id ? undefined : 'is half written: its record names another id',
    String(row['folded']).includes(entry.mark) ? undefined : 'is half written: it cannot be searched',
    owned.has(entry.resource) && !linked.has(`${id} ${entry.resource}.Users`)
      ? 'is half written: it has no owner'
      : undefined,
    entry.removal === 'done' ? 'is there after its delete was acknowledged' : undefined,
    contentFault(entry, record),
    secretFault(environment, entry, row),
    ...[...entry.links]
      .filter(([target, answered]) => answered && !links.has(`${id} securable.Collections ${target}`))
      .map(([target]) => `lost its association with ${target}`),
  ].flatMap((fault) => (fault === undefined ? [] : [fault]));
}

/** Holds what the store has against what was acknowledged. Gives a sentence for each thing that is wrong. */
export function checkLedger(dataDir: string, { entries }: Ledger, holding: Holding): readonly string[] {
  const keys = { env: 'development', dataDir, secretKey: undefined, secretKeyPrevious: [] } as const;
  const environment = createEnvironment({ ...keys, secretKeyPrevious: [] }, Date.now);
  const seen = new Set<string>();
  const faults: string[] = [];
  for (const row of holding.records) {
    const mark = markOf(parse(row['record']));
    const entry = entries.get(mark);
    const at = `${String(row['resource'])} ${String(row['id'])}`;
    if (entry === undefined) faults.push(`${at} was asked for by nobody`);
    else if (seen.has(mark)) faults.push(`${at} is there twice`);
    else faults.push(...rowFaults(environment, entry, row, holding).map((fault) => `${at} ${fault}`));
    seen.add(mark);
  }
  for (const [mark, entry] of entries) {
    if (entry.acknowledged !== undefined && entry.removal === 'none' && !seen.has(mark)) {
      faults.push(`${entry.resource} ${textIn(entry.acknowledged, 'id')} was acknowledged and is lost`);
    }
  }
  return faults;
}

/** What does not fit together in the whole store: records without a text, links that lead nowhere, a damaged file. */
export async function checkWhole(store: LoadStore): Promise<readonly string[]> {
  const faults: string[] = [];
  const count = async (what: string, text: string): Promise<void> => {
    const [row] = await store.rows(text);
    if (Number(row?.['n']) > 0) faults.push(`${Number(row?.['n'])} ${what}`);
  };
  for (const resource of resources) {
    await count(`${resource} without a text`, `select count(*) as n from ${quoted(resource)} where name_text is null`);
  }
  const known = [...resources, 'user', 'organization']
    .map((each) => `select id from ${quoted(each)}`)
    .join(' union all ');
  await count(
    'links from or to nothing',
    `select count(*) as n from link where first_id not in (${known}) or target_id not in (${known})`,
  );
  if (store.name === 'sqlite') {
    const [row] = await store.rows('pragma integrity_check');
    if (row?.['integrity_check'] !== 'ok') faults.push(`the file is damaged: ${JSON.stringify(row)}`);
  }
  return faults;
}
