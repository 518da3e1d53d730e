import { type Json, isList } from '@inlay/contract';
import { startService, type ServiceProcess } from '../../test/support/process.ts';
import { datasetIn, part, text } from '../../test/support/world.ts';

const owner = { key: '01890a5d-ac96-774b-bcce-b302099a8057', token: 'q7ZrW2nP9sXvB4mKd8TfGhJyLcE5uA3w' };
const authorization = `Bearer ${owner.key}:${owner.token}`;

/** A service, asked as its owner. Every method throws what is refused. */
export interface OwnedService {
  readonly service: ServiceProcess;
  readonly call: (resource: string, body: object) => Promise<Json>;
  /** Uploads a file; returns the dataset. */
  readonly upload: (file: string | Uint8Array<ArrayBuffer>, type?: string) => Promise<string>;
  /** Exports; returns the bytes of the file as they come. */
  readonly exported: (properties: object) => Promise<AsyncIterable<Uint8Array>>;
  /** Columns of a dataset by name, as queries name them. */
  readonly columnsOf: (dataset: string) => Promise<ReadonlyMap<string, { dataset_id: string; column_id: string }>>;
}

/** Starts a service on a folder with a bootstrap owner and without limits of rate. */
export async function startOwned(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<OwnedService> {
  const service = await startService({
    env: {
      INLAY_DATA_DIR: dataDir,
      INLAY_BOOTSTRAP_KEY: owner.key,
      INLAY_BOOTSTRAP_TOKEN: owner.token,
      INLAY_RATE_LIMIT: '0',
      INLAY_LOG_REQUESTS: 'false',
      ...settings,
    },
  });
  const send = async (path: string, type: string, body: string | Uint8Array<ArrayBuffer>): Promise<Json> => {
    const headers = { 'content-type': type, authorization };
    const answer = await fetch(`${service.url}/0.1.0/${path}`, { method: 'POST', headers, body });
    const read: Json = JSON.parse(await answer.text());
    if (!answer.ok) throw new Error(JSON.stringify(read));
    return read;
  };
  const call = (resource: string, body: object): Promise<Json> =>
    send(resource, 'application/json', JSON.stringify(body));
  return {
    service,
    call,
    upload: async (file, type = 'text/csv') => datasetIn(await send('data/file?name=rows', type, file)).id,
    exported: async (properties) => {
      const headers = { 'content-type': 'application/json', authorization };
      const body = JSON.stringify({ action: 'create', properties });
      const answer = await fetch(`${service.url}/0.1.0/export`, { method: 'POST', headers, body });
      if (!answer.ok || answer.body === null) throw new Error(await answer.text());
      return answer.body;
    },
    columnsOf: async (dataset) => {
      const found = part(await call('column', { find: { where: { securable_id: dataset } } }), 'rows');
      return new Map(
        (isList(found) ? found : []).map((one) => [
          text(one, 'source_name'),
          { dataset_id: dataset, column_id: text(one, 'id') },
        ]),
      );
    },
  };
}

/** Does work for each item, this many at a time. */
export async function abreast<Item>(
  items: readonly Item[],
  clients: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const left = items.entries();
  const client = async (): Promise<void> => {
    for (const [index, item] of left) await work(item, index);
  };
  await Promise.all(Array.from({ length: clients }, client));
}
