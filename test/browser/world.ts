import { createServer, type IncomingMessage } from 'node:http';
import { isList, isObject, type Json, type JsonObject } from '@inlay/contract';
import { freePort } from '../support/free-port.ts';
import { startService, type ServiceOptions, type ServiceProcess } from '../support/process.ts';
import { salesRows, type SalesDataset } from './sales.ts';
import { datasetIn } from '../support/world.ts';

export interface Credential {
  readonly key: string;
  readonly token: string;
}

/** A page of somebody else's site: what it holds, by path. */
export interface Site {
  /** Its origin, another than that of the service. */
  readonly url: string;
  /** Returns a file at a path, HTML where nothing else is said. */
  show(path: string, text: string, type?: string): void;
  /** What was asked of it, oldest first. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

async function startSite(port: number): Promise<Site> {
  const pages = new Map<string, { readonly text: string; readonly type: string }>();
  const asked: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const path = request.url ?? '/';
    asked.push(`${request.method ?? ''} ${path}`);
    const page = pages.get(path.split('?')[0] ?? path);
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': page?.type ?? 'text/plain' });
    response.end(page?.text ?? '');
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    show: (path, text, type = 'text/html; charset=utf-8') => void pages.set(path, { text, type }),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** A service in a process of its own with the sales in it, and a site on another origin that embeds it. */
export interface EmbedWorld {
  readonly service: ServiceProcess;
  readonly site: Site;
  readonly owner: Credential;
  readonly dataset: SalesDataset;
  /** Another dataset with columns of the same names. */
  datasetOf(id: string, by?: Credential): Promise<SalesDataset>;
  call(resource: string, body: JsonObject, by?: Credential): Promise<{ readonly status: number; readonly body: Json }>;
  /** Returns the record that a call which must succeed answers. */
  ok(resource: string, body: JsonObject, by?: Credential): Promise<JsonObject>;
  dashboard(contents: JsonObject, more?: JsonObject): Promise<string>;
  /** Returns an embed token that may use the dataset and read the dashboards. */
  token(dashboards: readonly string[], more?: JsonObject): Promise<Credential>;
  stop(): Promise<void>;
}

const owner: Credential = {
  key: '0190c0de-0000-7000-8000-000000000001',
  token: 'a-token-only-these-tests-know-0123456789',
};

/** Starts both; pages of other origins may call the service too. */
export async function startEmbedWorld(
  settings: Readonly<Record<string, string>> = {},
  origins: readonly string[] = [],
  program: Pick<ServiceOptions, 'main'> = {},
): Promise<EmbedWorld> {
  const port = await freePort();
  const [service, site] = await Promise.all([
    startService({
      ...program,
      env: {
        INLAY_CORS_ORIGINS: [`http://127.0.0.1:${port}`, ...origins].join(','),
        INLAY_RATE_LIMIT: '0',
        INLAY_BOOTSTRAP_KEY: owner.key,
        INLAY_BOOTSTRAP_TOKEN: owner.token,
        ...settings,
      },
    }),
    startSite(port),
  ]);
  const call: EmbedWorld['call'] = async (resource, body, by = owner) => {
    const answer = await fetch(`${service.url}/0.1.0/${resource}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${by.key}:${by.token}`,
        connection: 'close',
      },
      body: JSON.stringify(body),
    });
    const read: Json = JSON.parse(await answer.text());
    return { status: answer.status, body: read };
  };
  const ok: EmbedWorld['ok'] = async (resource, body, by) => {
    const { status, body: said } = await call(resource, body, by);
    if (status !== 200 || !isObject(said))
      throw new Error(`${resource} answered ${status}: ${JSON.stringify(said).slice(0, 800)}`);
    return said;
  };
  const pushed = datasetIn(
    await ok('data', {
      action: 'create',
      properties: { type: 'create', data: salesRows, options: { header: true, name: { en: 'Sales' } } },
    }),
  );
  const datasetOf: EmbedWorld['datasetOf'] = async (datasetId, by) => {
    const found = await ok('column', { find: { where: { securable_id: datasetId } } }, by);
    const rows = found['rows'] ?? null;
    const columnId = (name: string): string => {
      const column = (isList(rows) ? rows : []).find((one) => isObject(one) && one['source_name'] === name) ?? null;
      return isObject(column) ? textOf(column['id']) : '';
    };
    const columns = {
      day: columnId('day'),
      region: columnId('region'),
      product: columnId('product'),
      revenue: columnId('revenue'),
      quantity: columnId('quantity'),
    };
    return { id: datasetId, columns };
  };
  const dataset = await datasetOf(textOf(pushed['id']));
  return {
    service,
    site,
    owner,
    dataset,
    datasetOf,
    call,
    ok,
    dashboard: async (contents, more = {}) => {
      const properties = { name: { en: 'Sales', fr: 'Ventes' }, contents, ...more };
      const made = await ok('dashboard', {
        action: 'create',
        properties,
        associations: [{ role: 'Datasets', id: dataset.id }],
      });
      return textOf(made['id']);
    },
    token: async (dashboards, more = {}) => {
      const made = await ok('authorization', {
        action: 'create',
        properties: {
          type: 'embed',
          username: 'ada',
          name: 'Ada',
          email: 'ada@example.com',
          role: 'viewer',
          access: {
            dashboards: dashboards.map((one) => ({ id: one, rights: 'read' })),
            datasets: [{ id: dataset.id, rights: 'use' }],
          },
          ...more,
        },
      });
      return { key: textOf(made['id']), token: textOf(made['token']) };
    },
    stop: async () => {
      await Promise.all([service.stop(), site.stop()]);
    },
  };
}
