import { createReadStream } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { isList, isObject, member, textOr, type Json, type JsonObject } from '@inlay/contract';
import type { Command, WriteResult } from '../commands/command.ts';
import type { IncomingRequest } from '../pipeline/identify.ts';
import type { Answer } from '../pipeline/serialise.ts';
import { Problem } from '../problems/problem.ts';
import type { IncomingFile } from '../resource/incoming/file.ts';
import type { Store } from '../store/store.ts';
import { untraced } from '../tracing/trace.ts';
import { contentsOf, type ColumnPlace } from './contents.ts';
import { dashboards } from './dashboards.ts';
import { sources, tenants, type DemoSource, type SourceName, type TenantName } from './sources.ts';

/** What the demo needs. It calls the service through its API, like any client. */
export interface DemoOptions {
  readonly dataDir: string;
  readonly store: Store<Command, WriteResult>;
  readonly handle: (incoming: IncomingRequest) => Promise<Answer>;
  readonly random: (bits: number) => string;
  readonly tokenHash: (token: string) => string;
  readonly now: () => number;
}

/** How far the demo is. */
export interface DemoState {
  readonly ready: boolean;
  /** What is being done, and how many steps are done of all. */
  readonly step: string;
  readonly done: number;
  readonly of: number;
  readonly failure: string | null;
  readonly dashboards: readonly { readonly id: string; readonly name: Json }[];
  /** Datasets, for the question box. */
  readonly datasets: readonly { readonly id: string; readonly name: Json }[];
}

/** A demo organization with real public data, next to the operator's own. */
export interface Demo {
  /** Makes what is missing; what was there stays. Raises nothing: a failure is part of the state. */
  load(): Promise<void>;
  state(): DemoState;
  /** A token with the row filters of a tenant. Raises Problem. */
  tokenFor(tenant: TenantName, locale: string): Promise<{ readonly key: string; readonly token: string }>;
}

/** What is kept in the data directory, so that the next start finds the demo again. */
interface SavedDemo {
  key: string;
  token: string;
  datasets: Partial<Record<SourceName, { id: string; columns: Record<string, ColumnPlace> }>>;
  dashboards: { id: string; name: Json }[];
}

const names: readonly SourceName[] = [
  ...(['orders', 'visits', 'weather', 'birdstrikes', 'unemployment', 'penguins', 'airports', 'flights'] as const),
];
const dataFolder = fileURLToPath(new URL('../../demo-data/', import.meta.url));

const rowsIn = (answer: JsonObject): readonly JsonObject[] => {
  const rows = member(answer, 'rows');
  return rows !== undefined && isList(rows) ? rows.filter(isObject) : [];
};

/** A list in a JSON file as one object a line. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  const read: Json = JSON.parse(await readFile(path, 'utf8'));
  for (const row of isList(read) ? read : []) yield Buffer.from(`${JSON.stringify(row)}\n`);
}

function streamOf({ rows }: DemoSource, nowMs: number): Readable {
  if ('made' in rows) return Readable.from(rows.made(nowMs));
  const path = join(dataFolder, rows.file);
  return path.endsWith('.json') ? Readable.from(linesOf(path)) : createReadStream(path);
}

const isKept = (value: unknown): value is SavedDemo =>
  isObject(value) &&
  typeof value['key'] === 'string' &&
  typeof value['token'] === 'string' &&
  isObject(value['datasets']) &&
  isList(value['dashboards']);

/** Everybody who looks at the same customer in the same language shares a token for so long; it lasts a day. */
const tokenMs = 12 * 3_600_000;
const mostTokens = 100;

/** The demo of one data directory; nothing is done until `load`. */
export function createDemo(options: DemoOptions): Demo {
  const file = join(options.dataDir, 'demo.json');
  const tokens = new Map<string, { readonly credential: { key: string; token: string }; readonly untilMs: number }>();
  const steps = names.length + dashboards.length + 1;
  const at: { kept: SavedDemo | null; step: string; done: number; failure: string | null; ready: boolean } = {
    kept: null,
    step: 'starting',
    done: 0,
    failure: null,
    ready: false,
  };

  const call = async (resource: string, body: JsonObject, upload: IncomingFile | null = null): Promise<JsonObject> => {
    if (at.kept === null) throw new Problem('not_found');
    const answer = await options.handle({
      version: '0.1.0',
      path: resource,
      method: 'POST',
      body,
      file: upload,
      rows: null,
      lines: false,
      authorization: `Bearer ${at.kept.key}:${at.kept.token}`,
      ifMatch: undefined,
      idempotencyKey: undefined,
      prefer: undefined,
      address: 'demo',
      sender: '127.0.0.1',
      whenGone: () => undefined,
      hold: () => () => undefined,
      trace: untraced(),
      named: () => undefined,
      recognised: () => undefined,
      admit: () => undefined,
    });
    const { body: given } = answer;
    const text =
      typeof given === 'string' ? given : given instanceof Uint8Array ? Buffer.from(given).toString('utf8') : '';
    const read: Json = JSON.parse(text);
    return isObject(read) ? read : {};
  };

  const keep = async (): Promise<void> => {
    await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
    await writeFile(`${file}.new`, JSON.stringify(at.kept), { mode: 0o600 });
    await rename(`${file}.new`, file);
  };

  async function open(): Promise<SavedDemo> {
    const found: unknown = await readFile(file, 'utf8').then(
      (text): unknown => JSON.parse(text),
      () => null,
    );
    if (isKept(found)) {
      at.kept = found;
      const known = await call('organization', { find: { limit: 1, count: false } }).catch(() => null);
      if (known !== null) return found;
    }
    const token = options.random(256);
    const made = await options.store.write({
      kind: 'organization',
      first: {
        organizationName: 'Demo',
        owner: { email: `demo-${options.random(64)}@localhost.invalid`, name: 'Demo', passwordHash: null, level: 3 },
        key: null,
        tokenHash: options.tokenHash(token),
      },
    });
    if (made.kind !== 'done' || made.id === null) throw new Error('the demo organization was not made');
    const kept: SavedDemo = { key: made.id, token, datasets: {}, dashboards: [] };
    at.kept = kept;
    await keep();
    const [organization] = await rowsOf('organization', { limit: 1 });
    await call('organization', {
      id: textOr(organization?.['id'], ''),
      properties: { flag_experimental_ai: true, name: { en: 'Demo' } },
    });
    return kept;
  }

  const rowsOf = async (resource: string, find: JsonObject): Promise<readonly JsonObject[]> =>
    rowsIn(await call(resource, { find: { ...find, count: false } }));

  async function loadSource(kept: SavedDemo, name: SourceName): Promise<void> {
    const source: DemoSource = sources[name];
    const properties = { type: 'create', options: { name: source.name, header: true } };
    const pushed = await call(
      'data',
      { action: 'create', properties },
      { stream: streamOf(source, options.now()), format: source.format, charset: null },
    );
    const [dataset] = rowsIn(pushed);
    if (dataset === undefined) throw new Error(`The demo data "${name}" were answered without their dataset.`);
    const id = textOr(member(dataset, 'id'), '');
    const told = `${source.from.title}. ${source.from.terms}. ${source.from.address}`;
    await call('securable', { id, properties: { description: { en: told } } });
    const columns: Record<string, ColumnPlace> = {};
    for (const column of await rowsOf('column', { where: { securable_id: id } })) {
      const sourceName = textOr(member(column, 'source_name'), '');
      const known = source.columns[sourceName];
      columns[sourceName] = {
        datasetId: id,
        columnId: textOr(member(column, 'id'), ''),
        type: textOr(member(column, 'type'), ''),
      };
      if (known !== undefined) await call('column', { id: textOr(member(column, 'id'), ''), properties: { ...known } });
    }
    kept.datasets[name] = { id, columns };
    await keep();
  }

  /** Destinations are airports, so a query over flights can ask for their city. */
  async function join_(kept: SavedDemo): Promise<void> {
    const destination = kept.datasets.flights?.columns['destination'];
    const code = kept.datasets.airports?.columns['iata'];
    if (destination === undefined || code === undefined) return;
    await call('column', {
      action: 'associate',
      id: destination.columnId,
      resource: { role: 'Joins', id: code.columnId },
      properties: { type: 'lookup' },
    });
  }

  async function make(): Promise<void> {
    const kept = await open();
    at.done = 1;
    for (const name of names) {
      at.step = sources[name].from.title;
      if (kept.datasets[name] === undefined) await loadSource(kept, name);
      at.done += 1;
    }
    // Done again where an earlier start ended in between: a link that is there stays as it is.
    if (kept.dashboards.length === 0) await join_(kept);
    for (const [index, { name, items }] of dashboards.entries()) {
      at.step = textOr(member(name, 'en'), '');
      if (kept.dashboards[index] === undefined) {
        const contents = contentsOf(items, (source, column) => {
          const placed = kept.datasets[source]?.columns[column];
          if (placed === undefined) throw new Error(`the demo has no column ${source}.${column}`);
          return placed;
        });
        const made = await call('securable', { action: 'create', properties: { type: 'dashboard', name, contents } });
        kept.dashboards.push({ id: textOr(member(made, 'id'), ''), name });
        await keep();
      }
      at.done += 1;
    }
    at.ready = true;
  }

  const datasetsOf = (kept: SavedDemo): DemoState['datasets'] =>
    names.flatMap((name) => {
      const held = kept.datasets[name];
      return held === undefined ? [] : [{ id: held.id, name: sources[name].name }];
    });

  return {
    load: async () => {
      await make().catch((error: unknown) => {
        at.failure = error instanceof Error ? error.message : String(error);
      });
    },
    state: () => ({
      ready: at.ready,
      step: at.step,
      done: at.done,
      of: steps,
      failure: at.failure,
      dashboards: at.kept?.dashboards ?? [],
      datasets: at.kept === null ? [] : datasetsOf(at.kept),
    }),
    tokenFor: async (tenant, locale) => {
      const known = tokens.get(`${tenant} ${locale}`);
      if (known !== undefined && known.untilMs > options.now()) return known.credential;
      const { kept } = at;
      if (kept === null) throw new Problem('demo_loading', { retryAfterS: 1 });
      const { sees, theme, name } = tenants[tenant];
      const filters = Object.entries(sees).flatMap(([source, values]): JsonObject[] => {
        const known = names.find((one) => one === source);
        const held = known === undefined ? undefined : kept.datasets[known];
        const definition: DemoSource | undefined = known === undefined ? undefined : sources[known];
        const placed = definition?.tenantColumn === undefined ? undefined : held?.columns[definition.tenantColumn];
        if (placed === undefined) return [];
        const on = { securable_id: placed.datasetId, column_id: placed.columnId };
        return [{ clause: 'where', origin: 'global', ...on, expression: '? in ?', value: [...values] }];
      });
      const made = await call('authorization', {
        action: 'create',
        properties: {
          type: 'embed',
          username: tenant,
          name,
          suborganization: tenant,
          role: 'viewer',
          access: {
            datasets: datasetsOf(kept).map(({ id }) => ({ id, rights: 'use' })),
            dashboards: kept.dashboards.map(({ id }) => ({ id, rights: 'read' })),
          },
          filters,
          theme,
          locale_id: locale,
        },
      });
      const credential = { key: textOr(member(made, 'id'), ''), token: textOr(member(made, 'token'), '') };
      if (tokens.size >= mostTokens) tokens.clear();
      tokens.set(`${tenant} ${locale}`, { credential, untilMs: options.now() + tokenMs });
      return credential;
    },
  };
}
