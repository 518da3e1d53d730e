import { createServer, connect, type Server } from 'node:net';
import { once } from 'node:events';
import postgres from 'postgres';
import type { Api } from './api.ts';
import { freshDatabase } from './service.ts';
import { text } from './world.ts';

/** A database of a shop, the account that reaches it and the dataset of its orders. */
export interface ShopDatabase {
  readonly url: URL;
  readonly accountId: string;
  readonly datasetId: string;
  /** A column as queries name it. */
  readonly column: (name: string, more?: object) => object;
  readonly columnId: (name: string) => string;
  /** Runs statements at the source. */
  readonly run: (statement: string) => Promise<void>;
}

const orders = `create table orders (id integer primary key, region text, "unitPrice" numeric(12, 2),
  ordered_at timestamptz, customer_id integer);
insert into orders values (1, 'North', 10.50, '2024-01-05T10:00:00Z', 1), (2, 'South', 20, '2024-01-06T10:00:00Z', 2),
  (3, 'North', 5, '2024-02-01T00:00:00Z', 1), (4, null, 1, null, null)`;

/** Returns the columns of a dataset by their names at the source. */
export async function columnsOfDataset(api: Api, datasetId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await api.find('column', { where: { securable_id: datasetId } });
  return new Map(rows.map((row) => [text(row, 'source_name'), text(row, 'id')]));
}

/** Creates a fresh shop on PostgreSQL. */
export async function openShop(api: Api): Promise<ShopDatabase> {
  const url = new URL(await freshDatabase());
  const run = async (statement: string): Promise<void> => {
    const sql = postgres(url.href, { max: 1, onnotice: () => undefined });
    await sql.unsafe(statement);
    await sql.end();
  };
  await run(orders);
  const account = await api.create('account', {
    provider: 'postgresql',
    host: url.hostname,
    port: url.port,
    scope: url.pathname.slice(1),
    identifier: url.username,
    token: url.password === '' ? 'none' : url.password,
  });
  const made = await api.ok('dataprovider', {
    properties: { account_id: account.id, provider: 'postgresql', datasets: ['public.orders'] },
  });
  const rows: unknown = made['rows'];
  const datasetId = text(Array.isArray(rows) ? rows[0] : null, 'id');
  const columns = await columnsOfDataset(api, datasetId);
  return {
    url,
    accountId: account.id,
    datasetId,
    columnId: (name) => columns.get(name) ?? name,
    column: (name, more = {}) => ({ dataset_id: datasetId, column_id: columns.get(name) ?? name, ...more }),
    run,
  };
}

/** Returns a port in front of another that can be stopped from passing anything on. */
export async function holdingPort(to: number): Promise<{
  readonly port: number;
  readonly hold: () => void;
  readonly open: () => number;
  readonly stop: () => void;
}> {
  const held = { now: false, open: 0 };
  const server: Server = createServer((client) => {
    held.open += 1;
    const target = connect(to, '127.0.0.1');
    client.on('data', (chunk) => {
      if (!held.now) target.write(chunk);
    });
    target.on('data', (chunk) => client.write(chunk));
    const end = (): void => {
      client.destroy();
      target.destroy();
    };
    client.on('close', () => {
      held.open -= 1;
      end();
    });
    for (const socket of [client, target]) socket.on('error', end);
    target.on('close', end);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    hold: () => {
      held.now = true;
    },
    open: () => held.open,
    stop: () => void server.close(),
  };
}
