import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import postgres from 'postgres';
import { afterAll, beforeAll } from 'vitest';
import { storeFile } from '../../packages/service/src/app/store/open-store.ts';
import { startTestService, type Answer, type Credential, type StoreName, type TestService } from './service.ts';
import { datasetIn, part, text } from './world.ts';

/** A refusal as callers read it. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly validation: JsonObject;
}

/** A person with a login. */
export interface Somebody {
  readonly id: string;
  readonly login: Credential;
}

/** A record that was made. */
export interface Made extends JsonObject {
  readonly id: string;
}

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
const said = ({ status, body }: Answer): string => `${status} ${JSON.stringify(body).slice(0, 600)}`;

/** Returns the rows of a search answer. */
export const rowsOf = (body: unknown): readonly JsonObject[] => {
  const rows = part(body, 'rows');
  return isList(rows) ? rows.filter((row) => isObject(row)) : [];
};

/** One running service, asked as its first owner where nobody else is named. */
export class Api {
  #service: TestService | undefined;
  organizationId = '';
  userId = '';

  async start(
    store: StoreName,
    settings: Record<string, string>,
    now?: () => number,
    filterKeys?: number,
    log?: (line: string) => void,
  ): Promise<void> {
    const given = { INLAY_SIGNUP: 'true', ...settings };
    this.#service = await startTestService({
      store,
      settings: given,
      ...(now === undefined ? {} : { now }),
      ...(filterKeys === undefined ? {} : { filterKeys }),
      ...(log === undefined ? {} : { log }),
    });
    const [organization] = await this.find('organization', {});
    this.organizationId = text(organization, 'id');
    this.userId = text((await this.find('user', {}))[0], 'id');
  }

  async stop(): Promise<void> {
    await this.#service?.stop();
  }

  get service(): TestService {
    if (this.#service === undefined) throw new Error('the service is not started');
    return this.#service;
  }

  get owner(): Credential {
    return this.service.owner;
  }

  call(
    resource: string,
    body: object,
    by: Credential | null = this.owner,
    headers?: Record<string, string>,
  ): Promise<Answer> {
    return this.service.call(resource, body, by ?? undefined, headers);
  }

  /** Returns the body of an answer that must be a success. */
  async ok(
    resource: string,
    body: object,
    by?: Credential | null,
    headers?: Record<string, string>,
  ): Promise<JsonObject> {
    const answer = await this.call(resource, body, by, headers);
    if (answer.status !== 200)
      throw new Error(`${resource} ${JSON.stringify(body).slice(0, 600)} answered ${said(answer)}`);
    return objectOf(answer.body);
  }

  /** What an answer that must not be a success says. */
  async refused(
    resource: string,
    body: object,
    by?: Credential | null,
    headers?: Record<string, string>,
  ): Promise<Refusal> {
    const answer = await this.call(resource, body, by, headers);
    if (answer.status === 200) throw new Error(`${resource} ${JSON.stringify(body).slice(0, 600)} was not refused`);
    return {
      status: answer.status,
      code: text(answer.body, 'code'),
      validation: objectOf(part(answer.body, 'validation')),
    };
  }

  async create(resource: string, properties: object, by?: Credential | null): Promise<Made> {
    const made = await this.ok(resource, { action: 'create', properties }, by);
    return resource === 'data' ? datasetIn(made) : { ...made, id: text(made, 'id') };
  }

  update(resource: string, id: Json | undefined, properties: object, by?: Credential): Promise<JsonObject> {
    return this.ok(resource, { action: 'update', id, properties }, by);
  }

  get(resource: string, id: Json | undefined, by?: Credential): Promise<JsonObject> {
    return this.ok(resource, { action: 'get', id }, by);
  }

  remove(resource: string, id: Json | undefined, by?: Credential): Promise<JsonObject> {
    return this.ok(resource, { action: 'delete', id }, by);
  }

  async find(resource: string, find: object, by?: Credential): Promise<readonly JsonObject[]> {
    return rowsOf(await this.ok(resource, { find }, by));
  }

  async findIds(resource: string, find: object, by?: Credential): Promise<readonly string[]> {
    return (await this.find(resource, find, by)).map((row) => text(row, 'id'));
  }

  associate(
    resource: string,
    id: Json | undefined,
    role: string,
    target: Json | undefined,
    properties?: object,
    by?: Credential,
  ): Promise<JsonObject> {
    const body = { action: 'associate', id, resource: { role, id: target }, ...(properties && { properties }) };
    return this.ok(resource, body, by);
  }

  dissociate(
    resource: string,
    id: Json | undefined,
    role: string,
    target: Json | undefined,
    by?: Credential,
  ): Promise<JsonObject> {
    return this.ok(resource, { id, resource: { role, id: target } }, by);
  }

  /** Returns the links of a record through an association, as `include` shows them: by target id. */
  async links(
    resource: string,
    id: Json | undefined,
    role: string,
    by?: Credential,
  ): Promise<Readonly<Record<string, Json>>> {
    const [row] = await this.find(resource, { where: { id }, include: [{ model: role }] }, by);
    const rows = part(row, role.charAt(0).toLowerCase() + role.slice(1));
    const list = isList(rows) ? rows : isObject(rows) ? [rows] : [];
    return Object.fromEntries(list.map((one) => [text(one, 'id'), objectOf(one)['link'] ?? null]));
  }

  /** Returns a new person of the first organization. */
  async person(flags?: object, properties: object = {}, by?: Credential): Promise<Somebody> {
    const made = await this.create(
      'user',
      { email: `${randomUUID()}@people.example`, name: 'Somebody', ...properties },
      by,
    );
    const id = text(made, 'id');
    if (flags !== undefined) await this.associate('organization', this.organizationId, 'Users', id, flags, by);
    return { id, login: { key: text(made, 'key'), token: text(made, 'token') } };
  }

  /** Returns the owner of an organization of their own, with a login. */
  async stranger(): Promise<Somebody & { readonly organizationId: string }> {
    const made = await this.create('user', { email: `${randomUUID()}@others.example`, name: 'Stranger' }, null);
    const login = { key: text(made, 'key'), token: text(made, 'token') };
    return { id: text(made, 'id'), login, organizationId: text(made, 'organization_id') };
  }

  async apiToken(by: Credential, extra: object = {}): Promise<Credential> {
    const made = await this.create('authorization', { type: 'api', ...extra }, by);
    return { key: text(made, 'id'), token: text(made, 'token') };
  }

  async embedToken(properties: object, by?: Credential): Promise<Credential> {
    const made = await this.create('authorization', { type: 'embed', username: 'ada', ...properties }, by);
    return { key: text(made, 'id'), token: text(made, 'token') };
  }

  /** Writes to the store what only the service itself would write, such as the outcome of a login. */
  async overwrite(
    table: string,
    id: string,
    fields: JsonObject,
    columns: Record<string, string | number>,
  ): Promise<void> {
    const { dataDir, databaseUrl } = this.service;
    const set = Object.keys(columns).map((column) => `, "${column}" = `);
    const merge = (record: unknown): string => JSON.stringify({ ...objectOf(JSON.parse(String(record))), ...fields });
    if (databaseUrl === undefined) {
      const database = new DatabaseSync(storeFile(dataDir), { timeout: 5000 });
      const row = database.prepare(`select record from "${table}" where id = ?`).get(id);
      const statement = `update "${table}" set record = ?${set.map((one) => `${one}?`).join('')} where id = ?`;
      database.prepare(statement).run(merge(row?.['record']), ...Object.values(columns), id);
      database.close();
      return;
    }
    const client = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
    const rows = await client.unsafe(`select record from "${table}" where id = $1`, [id]);
    const statement = `update "${table}" set record = $1${set.map((one, index) => `${one}$${index + 3}`).join('')} where id = $2`;
    await client.unsafe(statement, [merge(rows[0]?.['record']), id, ...Object.values(columns)]);
    await client.end();
  }
}

/** Runs a statement on the store of a service behind its back. */
export async function runBehind({ dataDir, databaseUrl }: TestService, statement: string): Promise<void> {
  if (databaseUrl === undefined) {
    const database = new DatabaseSync(storeFile(dataDir), { timeout: 5000 });
    database.exec(statement);
    database.close();
    return;
  }
  const client = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  await client.unsafe(statement);
  await client.end();
}

/** Returns one service for all tests of a file on one store. */
export function useApi(
  store: StoreName,
  settings: Record<string, string> = {},
  now?: () => number,
  filterKeys?: number,
  log?: (line: string) => void,
): Api {
  const api = new Api();
  beforeAll(() => api.start(store, settings, now, filterKeys, log), 60_000);
  afterAll(() => api.stop());
  return api;
}
