import { createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isList, type Json, type JsonObject } from '@inlay/contract';
import { startService, type ServiceProcess } from '../../test/support/process.ts';
import { part, text } from '../../test/support/world.ts';
import { writeCustomers, writeParquet } from './data.ts';

interface Login {
  readonly key: string;
  readonly token: string;
}

/** A column of a dataset as queries name it. */
export type Named = (name: string, more?: JsonObject) => JsonObject;

/** A service with two datasets, rows and the customers they name, and a token whose row filter lets through `allowed`. */
export interface World {
  readonly folder: string;
  readonly service: ServiceProcess;
  readonly facts: string;
  readonly fact: Named;
  readonly segment: Named;
  /** The files that the service keeps the rows of both in. */
  readonly files: { readonly facts: string; readonly segments: string };
  /** The rows as a file that was sent. */
  readonly parquet: string;
  readonly allowed: readonly string[];
  /** Asks with the token; the bytes of the answer as they came. */
  readonly ask: (find: JsonObject) => Promise<Buffer>;
  /** How long answers may be kept, in seconds; 0: not at all. */
  readonly keep: (seconds: number) => Promise<unknown>;
  readonly upload: (path: string, type: string, name: string) => Promise<Json>;
  readonly close: () => Promise<void>;
}

const owner: Login = { key: '01890a5d-ac96-774b-bcce-b302099a8057', token: 'q7ZrW2nP9sXvB4mKd8TfGhJyLcE5uA3w' };
const allowed = [1, 2, 3, 4, 5, 6, 7, 8].map((index) => `region ${index}`);

const rowsIn = (found: Json): readonly unknown[] => {
  const rows = part(found, 'rows');
  return isList(rows) ? rows : [];
};

/** Starts a service and loads the rows. With BENCH_FOLDER, later runs reuse the rows in that folder. */
export async function openWorld(rows: number, settings: Readonly<Record<string, string>>): Promise<World> {
  const kept = process.env['BENCH_FOLDER'];
  const folder = kept === undefined ? mkdtempSync(join(tmpdir(), 'inlay-bench-http-')) : join(kept, String(rows));
  mkdirSync(folder, { recursive: true });
  const service = await startService({
    env: {
      ...settings,
      INLAY_DATA_DIR: join(folder, 'data'),
      INLAY_BOOTSTRAP_KEY: owner.key,
      INLAY_BOOTSTRAP_TOKEN: owner.token,
      INLAY_RATE_LIMIT: '0',
      INLAY_LOG_REQUESTS: 'false',
    },
  });
  const headers = (by: Login, type: string): Record<string, string> => ({
    'content-type': type,
    authorization: `Bearer ${by.key}:${by.token}`,
  });
  const send = async (resource: string, body: object, by: Login): Promise<Buffer> => {
    const sent = {
      method: 'POST',
      headers: { ...headers(by, 'application/json'), 'accept-encoding': 'identity' },
      body: JSON.stringify(body),
    };
    const answer = await fetch(`${service.url}/0.1.0/${resource}`, sent);
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (!answer.ok) throw new Error(bytes.toString());
    return bytes;
  };
  const call = async (resource: string, body: object): Promise<Json> =>
    JSON.parse((await send(resource, body, owner)).toString());
  const upload = (path: string, type: string, name: string): Promise<Json> =>
    new Promise((resolve, reject) => {
      const options = { method: 'POST', headers: headers(owner, type) };
      const sent = request(`${service.url}/0.1.0/data/file?name=${name}`, options, (answer) => {
        let body = '';
        answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(JSON.parse(body));
          else reject(new Error(body));
        });
      });
      sent.on('error', reject);
      createReadStream(path, { highWaterMark: 1024 * 1024 }).pipe(sent);
    });
  const columnsOf = async (id: string): Promise<Named> => {
    const found = rowsIn(await call('column', { find: { where: { securable_id: id } } }));
    const ids = new Map(found.map((one) => [text(one, 'source_name'), text(one, 'id')]));
    return (name, more = {}) => ({ dataset_id: id, column_id: ids.get(name) ?? name, ...more });
  };

  const parquet = join(folder, 'rows.parquet');
  const isNew = !existsSync(parquet);
  if (isNew) {
    await writeParquet(parquet, rows);
    await writeCustomers(join(folder, 'customers.parquet'));
    await upload(parquet, 'application/vnd.apache.parquet', 'facts');
    await upload(join(folder, 'customers.parquet'), 'application/vnd.apache.parquet', 'customers');
  }
  const known = rowsIn(await call('securable', { find: { where: { type: 'dataset' } } }));
  const named = (name: string): string =>
    text(
      known.find((one) => part(part(one, 'name'), 'en') === name),
      'id',
    );
  const [facts, segments] = [named('facts'), named('customers')];
  const [fact, segment] = [await columnsOf(facts), await columnsOf(segments)];
  if (isNew)
    await call('column', {
      action: 'associate',
      id: fact('customer')['column_id'],
      resource: { role: 'Joins', id: segment('code')['column_id'] },
      properties: { type: 'lookup' },
    });
  const filter = { securable_id: facts, column_id: fact('region')['column_id'], expression: '? in ?', value: allowed };
  const made = await call('authorization', {
    action: 'create',
    properties: {
      type: 'embed',
      username: 'bench',
      role: 'viewer',
      filters: [filter],
      access: { datasets: [facts, segments].map((id) => ({ id, rights: 'use' })) },
    },
  });
  const token = { key: text(made, 'id'), token: text(made, 'token') };
  const fileOf = (dataset: string): string => {
    const datasets = join(folder, 'data', 'datasets');
    const home = join(datasets, readdirSync(datasets)[0] ?? '', dataset);
    return join(
      home,
      readdirSync(home, { encoding: 'utf8' })
        .filter((name) => name.endsWith('.duckdb'))
        .toSorted()
        .at(-1) ?? '',
    );
  };
  const keep = (seconds: number): Promise<unknown> =>
    call('securable', { action: 'update', id: facts, properties: { cache: seconds } });
  await keep(0);
  return {
    folder,
    service,
    facts,
    fact,
    segment,
    parquet,
    allowed,
    keep,
    upload,
    files: { facts: fileOf(facts), segments: fileOf(segments) },
    ask: (find) => send('data', { action: 'get', find }, token),
    close: async () => {
      await service.stop();
      if (kept === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
