import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isList, isObject, member, type Json, type JsonObject } from '@inlay/contract';
import pino from 'pino';
import { buildApp, type App } from '../../packages/service/src/app/app.ts';
import { openStore } from '../../packages/service/src/app/store/open-store.ts';
import { readConfig } from '../../packages/service/src/config/config.ts';
import { tokenHash } from '../../packages/service/src/resources/parts/tokens.ts';
import type { BenchTable, Domain } from './domain.ts';
import { csvOf, generateRows } from './generate.ts';

const owner = { key: '01890a5d-ac96-774b-bcce-b302099a8057', token: 'q7ZrW2nP9sXvB4mKd8TfGhJyLcE5uA3w' };

/** A column of a dataset as the service knows it, and its name in the table. */
export interface StageColumn {
  readonly id: string;
  readonly name: string;
  readonly label: string;
}

export interface StageDataset {
  readonly id: string;
  readonly columns: readonly StageColumn[];
}

export interface StageAnswer {
  readonly status: number;
  readonly body: Json;
}

/** A service whose clock stands at the last minutes of a day, with the tables of domains as datasets. */
export class Stage {
  readonly nowMs: () => number;
  readonly #app: App;
  readonly #url: string;
  readonly #folder: string;

  private constructor(app: App, url: string, folder: string, nowMs: () => number) {
    this.#app = app;
    this.#url = url;
    this.#folder = folder;
    this.nowMs = nowMs;
  }

  static async open(today: string): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), 'inlay-questions-'));
    const start = Date.parse(`${today}T23:58:00Z`);
    // Passes slowly, so that a long run stays within the day.
    const nowMs = () => start + performance.now() / 1000;
    const settings = {
      INLAY_DATA_DIR: folder,
      INLAY_DEMO: 'false',
      INLAY_RATE_LIMIT: '0',
      INLAY_LOG_LEVEL: 'silent',
    };
    const { config } = readConfig(settings, () => '');
    const store = await openStore(config, nowMs);
    const app = await buildApp({ config, logger: pino({ level: 'silent' }), store, now: nowMs });
    await store.write({
      kind: 'bootstrap',
      first: {
        organizationName: 'Questions',
        owner: { email: 'owner@example.com', name: 'Owner', passwordHash: null, level: 3 },
        key: owner.key,
        tokenHash: tokenHash(owner.token),
      },
    });
    const url = await app.server.listen({ port: 0, host: '127.0.0.1' });
    const stage = new Stage(app, url, folder, nowMs);
    const organization = firstRow(await stage.done('organization', { action: 'get', find: {} }));
    const properties = { flag_experimental_ai: true };
    await stage.done('organization', { action: 'update', id: textIn(organization, 'id'), properties });
    return stage;
  }

  /** Uploads the rows of a table and names its columns as the domain does. */
  async upload(domain: Domain, table: BenchTable): Promise<StageDataset> {
    const csv = csvOf(table, generateRows(domain.name, table, domain.today));
    const language = table.language ?? 'en';
    const { body } = await this.#post(
      `data/file?name=${encodeURIComponent(table.label ?? table.name)}`,
      csv,
      'text/csv',
    );
    const id = textIn(firstRow(body), 'id');
    const properties = { name: { [language]: table.label ?? table.name } };
    await this.done('securable', { action: 'update', id, properties });
    const find = { where: { securable_id: id }, limit: 100 };
    const columns: StageColumn[] = [];
    for (const row of rowsIn(await this.done('column', { action: 'get', find }))) {
      const name = textIn(row, 'source_name');
      const declared = table.columns.find((column) => column.name === name);
      if (declared === undefined) throw new Error(`${table.name} has no column ${name}`);
      const found = textIn(row, 'type');
      if (found !== declared.type) throw new Error(`${table.name}.${name} is ${found}, not ${declared.type}`);
      const label = declared.label ?? name;
      await this.done('column', {
        action: 'update',
        id: textIn(row, 'id'),
        properties: { name: { [language]: label } },
      });
      columns.push({ id: textIn(row, 'id'), name, label });
    }
    return { id, columns };
  }

  /** Posts a request of the API as the owner. */
  async call(resource: string, body: JsonObject): Promise<StageAnswer> {
    return this.#post(resource, JSON.stringify(body), 'application/json');
  }

  /** Posts a request and raises an error where it is refused. */
  async done(resource: string, body: JsonObject): Promise<Json> {
    const answer = await this.call(resource, body);
    if (answer.status >= 300) throw new Error(`${resource}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async close(): Promise<void> {
    await this.#app.server.close();
    await this.#app.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #post(path: string, body: string, type: string): Promise<StageAnswer> {
    const headers = { authorization: `Bearer ${owner.key}:${owner.token}`, 'content-type': type };
    const answer = await fetch(`${this.#url}/0.1.0/${path}`, { method: 'POST', headers, body });
    const parsed: Json = JSON.parse(await answer.text());
    return { status: answer.status, body: parsed };
  }
}

function rowsIn(body: Json): readonly Json[] {
  const rows = isObject(body) ? member(body, 'rows') : undefined;
  return rows !== undefined && isList(rows) ? rows : [];
}

function firstRow(body: Json): Json {
  const [row] = rowsIn(body);
  return row ?? body;
}

function textIn(value: Json, name: string): string {
  const text = isObject(value) ? member(value, name) : undefined;
  if (typeof text !== 'string') throw new Error(`no text in ${name}: ${JSON.stringify(value)}`);
  return text;
}
