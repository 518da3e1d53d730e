import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { isList, isObject, listOr, member, objectOr, textOr, type Json, type JsonObject } from '@inlay/contract';
import { callerOfAuthorization } from '../callers/caller-of.ts';
import { callAs } from '../pipeline/call-as.ts';
import type { Service } from '../pipeline/service.ts';
import { Problem } from '../problems/problem.ts';
import type { IncomingFile } from '../resource/incoming/file.ts';
import { contentsOf, type ColumnPlace } from './contents.ts';
import { dashboards } from './dashboards.ts';
import { readSavedDemo, saveDemo, type SavedDemo } from './saved-demo.ts';
import { sources, tenants, type DemoSource, type SourceName, type TenantName } from './sources.ts';

export interface DemoOptions {
  readonly dataDir: string;
  readonly service: Service;
  readonly random: (bits: number) => string;
  readonly tokenHash: (token: string) => string;
  readonly now: () => number;
}

export interface DemoState {
  readonly ready: boolean;
  /** The current step; `done` of `of` steps are completed. */
  readonly step: string;
  readonly done: number;
  readonly of: number;
  readonly failure: string | null;
  readonly dashboards: readonly { readonly id: string; readonly name: Json }[];
  /** Datasets that can be chosen in the question box. */
  readonly datasets: readonly { readonly id: string; readonly name: Json }[];
}

interface Credential {
  readonly key: string;
  readonly token: string;
}

const sourceNames: readonly SourceName[] = [
  'orders',
  'visits',
  'weather',
  'birdstrikes',
  'unemployment',
  'penguins',
  'airports',
  'flights',
];
const dataFolder = fileURLToPath(new URL('../../demo-data/', import.meta.url));

const rowsIn = (answer: JsonObject): readonly JsonObject[] => listOr(member(answer, 'rows')).filter(isObject);

const idIn = (record: JsonObject | undefined): string => textOr(record?.['id'], '');

/** Converts a JSON array in a file to one object per line. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  const rows: Json = JSON.parse(await readFile(path, 'utf8'));
  for (const row of isList(rows) ? rows : []) yield Buffer.from(`${JSON.stringify(row)}\n`);
}

function streamOf({ rows }: DemoSource, nowMs: number): Readable {
  if ('made' in rows) return Readable.from(rows.made(nowMs));
  const path = join(dataFolder, rows.file);
  return path.endsWith('.json') ? Readable.from(linesOf(path)) : createReadStream(path);
}

/** How long viewers of the same tenant and language share a token, in ms. A token is valid for a day. */
const tokenMs = 12 * 3_600_000;
const maxTokens = 100;

/** A demo organization with real public data, next to the operator's own. It calls the service like any client. */
export class Demo {
  readonly #options: DemoOptions;
  readonly #tokens = new Map<string, { readonly credential: Credential; readonly untilMs: number }>();
  #saved: SavedDemo | null = null;
  #step = 'starting';
  #done = 0;
  #failure: string | null = null;
  #isReady = false;

  constructor(options: DemoOptions) {
    this.#options = options;
  }

  /** Creates the missing parts of the demo. Never rejects: a failure is shown in the state. */
  async load(): Promise<void> {
    try {
      await this.#load();
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error);
    }
  }

  state(): DemoState {
    return {
      ready: this.#isReady,
      step: this.#step,
      done: this.#done,
      of: sourceNames.length + dashboards.length + 1,
      failure: this.#failure,
      dashboards: this.#saved?.dashboards ?? [],
      datasets: this.#saved === null ? [] : this.#datasets(this.#saved),
    };
  }

  /** Returns a token with the row filters of a tenant. Raises Problem. */
  async tokenFor(tenant: TenantName, locale: string): Promise<Credential> {
    const { now } = this.#options;
    const sharedToken = this.#tokens.get(`${tenant} ${locale}`);
    if (sharedToken !== undefined && sharedToken.untilMs > now()) return sharedToken.credential;
    const savedDemo = this.#saved;
    if (savedDemo === null) throw new Problem('demo_loading', { retryAfterS: 1 });
    const { theme, name } = tenants[tenant];
    const token = await this.#call('authorization', {
      action: 'create',
      properties: {
        type: 'embed',
        username: tenant,
        name,
        suborganization: tenant,
        role: 'viewer',
        access: {
          datasets: this.#datasets(savedDemo).map(({ id }) => ({ id, rights: 'use' })),
          dashboards: savedDemo.dashboards.map(({ id }) => ({ id, rights: 'read' })),
        },
        filters: this.#filtersOf(savedDemo, tenant),
        theme,
        locale_id: locale,
      },
    });
    const credential = { key: idIn(token), token: textOr(member(token, 'token'), '') };
    if (this.#tokens.size >= maxTokens) this.#tokens.clear();
    this.#tokens.set(`${tenant} ${locale}`, { credential, untilMs: now() + tokenMs });
    return credential;
  }

  async #load(): Promise<void> {
    let savedDemo = await this.#open();
    this.#done = 1;
    for (const name of sourceNames) {
      this.#step = sources[name].from.title;
      if (savedDemo.datasets[name] === undefined) savedDemo = await this.#createDataset(savedDemo, name);
      this.#done += 1;
    }
    // Repeats a step that an earlier start did not complete. An existing link stays unchanged.
    if (savedDemo.dashboards.length === 0) await this.#joinAirports(savedDemo);
    for (const [index, { name }] of dashboards.entries()) {
      this.#step = textOr(member(name, 'en'), '');
      if (savedDemo.dashboards[index] === undefined) savedDemo = await this.#createDashboard(savedDemo, index);
      this.#done += 1;
    }
    this.#isReady = true;
  }

  async #save(savedDemo: SavedDemo): Promise<SavedDemo> {
    this.#saved = savedDemo;
    await saveDemo(this.#options.dataDir, savedDemo);
    return savedDemo;
  }

  async #call(resource: string, body: JsonObject, file?: IncomingFile): Promise<JsonObject> {
    const { service, now } = this.#options;
    const caller = await callerOfAuthorization(service.store, this.#saved?.key ?? '', now());
    if (caller === null) throw new Problem('not_found');
    const { body: answer } = await callAs(service, caller, {
      resource,
      body,
      ...(file === undefined ? {} : { file }),
    });
    if (typeof answer !== 'string' && !(answer instanceof Uint8Array)) return {};
    return objectOr(JSON.parse(typeof answer === 'string' ? answer : Buffer.from(answer).toString('utf8')));
  }

  async #rows(resource: string, find: JsonObject): Promise<readonly JsonObject[]> {
    return rowsIn(await this.#call(resource, { find: { ...find, count: false } }));
  }

  /** Returns the demo of an earlier start if its organization still exists, otherwise a new one. */
  async #open(): Promise<SavedDemo> {
    const { dataDir } = this.#options;
    this.#saved = await readSavedDemo(dataDir);
    if (this.#saved !== null) {
      const [organization] = await this.#rows('organization', { limit: 1 }).catch(() => []);
      if (organization !== undefined) return this.#saved;
    }
    const savedDemo = await this.#save({ key: await this.#createOrganization(), datasets: {}, dashboards: [] });
    const [organization] = await this.#rows('organization', { limit: 1 });
    const properties = { flag_experimental_ai: true, name: { en: 'Demo' } };
    await this.#call('organization', { id: idIn(organization), properties });
    return savedDemo;
  }

  /** Creates an organization. Returns the id of its API token. */
  async #createOrganization(): Promise<string> {
    const { service, random, tokenHash } = this.#options;
    const email = `demo-${random(64)}@localhost.invalid`;
    const result = await service.store.write({
      kind: 'organization',
      first: {
        organizationName: 'Demo',
        owner: { email, name: 'Demo', passwordHash: null, level: 3 },
        key: null,
        tokenHash: tokenHash(random(256)),
      },
    });
    if (result.kind !== 'done' || result.id === null) throw new Error('the demo organization was not made');
    return result.id;
  }

  async #createDataset(savedDemo: SavedDemo, name: SourceName): Promise<SavedDemo> {
    const source: DemoSource = sources[name];
    const properties = { type: 'create', options: { name: source.name, header: true } };
    const file = { stream: streamOf(source, this.#options.now()), format: source.format, charset: null };
    const [dataset] = rowsIn(await this.#call('data', { action: 'create', properties }, file));
    if (dataset === undefined) throw new Error(`The demo data "${name}" were answered without their dataset.`);
    const id = idIn(dataset);
    const { title, terms, address } = source.from;
    await this.#call('securable', { id, properties: { description: { en: `${title}. ${terms}. ${address}` } } });
    const columns = await this.#describeColumns(id, source);
    return this.#save({ ...savedDemo, datasets: { ...savedDemo.datasets, [name]: { id, columns } } });
  }

  async #describeColumns(datasetId: string, source: DemoSource): Promise<Readonly<Record<string, ColumnPlace>>> {
    const columns: Record<string, ColumnPlace> = {};
    for (const column of await this.#rows('column', { where: { securable_id: datasetId } })) {
      const columnId = idIn(column);
      const sourceName = textOr(member(column, 'source_name'), '');
      columns[sourceName] = { datasetId, columnId, type: textOr(member(column, 'type'), '') };
      const description = source.columns[sourceName];
      if (description !== undefined) await this.#call('column', { id: columnId, properties: { ...description } });
    }
    return columns;
  }

  /**
   * Links destinations of flights to airports, so that a query over flights can group by the city of the destination.
   */
  async #joinAirports({ datasets }: SavedDemo): Promise<void> {
    const destination = datasets.flights?.columns['destination'];
    const code = datasets.airports?.columns['iata'];
    if (destination === undefined || code === undefined) return;
    await this.#call('column', {
      action: 'associate',
      id: destination.columnId,
      resource: { role: 'Joins', id: code.columnId },
      properties: { type: 'lookup' },
    });
  }

  async #createDashboard(savedDemo: SavedDemo, index: number): Promise<SavedDemo> {
    const dashboard = dashboards[index];
    if (dashboard === undefined) return savedDemo;
    const { name, items } = dashboard;
    const contents = contentsOf(items, (source, column) => {
      const place = savedDemo.datasets[source]?.columns[column];
      if (place === undefined) throw new Error(`the demo has no column ${source}.${column}`);
      return place;
    });
    const record = await this.#call('securable', {
      action: 'create',
      properties: { type: 'dashboard', name, contents },
    });
    return this.#save({ ...savedDemo, dashboards: [...savedDemo.dashboards, { id: idIn(record), name }] });
  }

  #datasets({ datasets }: SavedDemo): DemoState['datasets'] {
    return sourceNames.flatMap((name) => {
      const dataset = datasets[name];
      return dataset === undefined ? [] : [{ id: dataset.id, name: sources[name].name }];
    });
  }

  #filtersOf({ datasets }: SavedDemo, tenant: TenantName): readonly JsonObject[] {
    const { sees } = tenants[tenant];
    return Object.entries(sees).flatMap(([source, values]): readonly JsonObject[] => {
      const name = sourceNames.find((sourceName) => sourceName === source);
      if (name === undefined) return [];
      const { tenantColumn }: DemoSource = sources[name];
      const place = tenantColumn === undefined ? undefined : datasets[name]?.columns[tenantColumn];
      if (place === undefined) return [];
      const { datasetId, columnId } = place;
      return [
        {
          clause: 'where',
          origin: 'global',
          securable_id: datasetId,
          column_id: columnId,
          expression: '? in ?',
          value: [...values],
        },
      ];
    });
  }
}
