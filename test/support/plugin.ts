import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { tables } from '../../examples/plugin/data.ts';
import { answer } from '../../examples/plugin/query.ts';

type Endpoint = '/authorize' | '/exchange' | '/datasets' | '/query';

/** What an endpoint does instead of what the protocol says. */
export type Misbehaviour =
  /** Answers this. */
  | { readonly kind: 'answer'; readonly status?: number; readonly type?: string; readonly body: string }
  /** Sends callers elsewhere. */
  | { readonly kind: 'redirect'; readonly to: string; readonly status?: number }
  /** Never answers. */
  | { readonly kind: 'stall' }
  /** Answers the head and a piece, then nothing more. */
  | { readonly kind: 'stall-in-body'; readonly body: string }
  /** Answers rows without end. */
  | { readonly kind: 'flood'; readonly start: string; readonly piece: string }
  /** Answers one byte after another. */
  | { readonly kind: 'drip'; readonly body: string; readonly everyMs: number }
  /** Cuts the connection. */
  | { readonly kind: 'reset' };

/** A request as it came. */
export interface PluginRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
}

export interface PluginOptions {
  readonly pushdown?: boolean;
  readonly protocol?: '1.0.0' | '2.0.0';
  /** Refuse with 401 any other X-Token. */
  readonly token?: string;
  /** Where people consent; makes it an oauth2 plugin whose one good code is `good-code`. */
  readonly authUrl?: string;
  readonly host?: string;
  /** Answer 422 to a query with filters. */
  readonly refusesFilters?: boolean;
  /** Give numbers as texts, as drivers of databases do. */
  readonly numbersAsTexts?: boolean;
}

/** A real plugin on a port, over the tables of the example, that can be told to misbehave. */
export interface TestPlugin {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly PluginRequest[];
  /** Misbehaves at an endpoint until told otherwise. */
  set(endpoint: Endpoint, how: Misbehaviour): void;
  clear(): void;
  /** Requests whose answer is not finished. */
  open(): number;
  stop(): Promise<void>;
}

const isEndpoint = (path: string): path is Endpoint =>
  ['/authorize', '/exchange', '/datasets', '/query'].includes(path);

async function misbehave(how: Misbehaviour, response: ServerResponse): Promise<void> {
  const head = (): ServerResponse => response.writeHead(200, { 'content-type': 'application/json' });
  switch (how.kind) {
    case 'answer':
      response.writeHead(how.status ?? 200, { 'content-type': how.type ?? 'application/json' }).end(how.body);
      return;
    case 'redirect':
      response.writeHead(how.status ?? 302, { location: how.to }).end();
      return;
    case 'stall':
      return;
    case 'stall-in-body':
      head().write(how.body);
      return;
    case 'flood': {
      const more = (): void => {
        while (!response.destroyed && response.write(how.piece));
      };
      head().on('drain', more).write(how.start);
      return more();
    }
    case 'drip':
      head();
      for (const character of how.body) {
        if (response.destroyed) return;
        response.write(character);
        await new Promise((resolve) => setTimeout(resolve, how.everyMs));
      }
      response.end();
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
  }
}

const bodyOf = async (request: IncomingMessage): Promise<JsonObject> => {
  const sent = await text(request);
  const value: Json = sent === '' ? {} : JSON.parse(sent);
  return isObject(value) ? value : {};
};

function behave({ method, path, headers, body }: PluginRequest, options: PluginOptions): readonly [number, unknown] {
  const { pushdown = false, protocol = '1.0.0', token, authUrl } = options;
  if (path === '/authorize' && authUrl !== undefined) return [200, { auth_url: authUrl }];
  if (path === '/exchange')
    return body['code'] === 'good-code' ? [200, { token: 'exchanged-token', key: 'exchanged-key' }] : [400, 'bad code'];
  if (token !== undefined && headers['x-token'] !== token) return [401, { message: 'The token is wrong.' }];
  if (path === '/authorize') return [200, {}];
  if (path === '/datasets') {
    if (method !== (protocol === '1.0.0' ? 'GET' : 'POST')) return [405, {}];
    return [200, tables.map(({ rows: _rows, ...table }) => ({ ...table, name: { en: table.name } }))];
  }
  const table = tables.find(({ id }) => id === body['id']);
  if (table === undefined) return [404, {}];
  if (options.refusesFilters === true && JSON.stringify(body['filters'] ?? []) !== '[]')
    return [422, { message: 'no' }];
  const asText = (cell: unknown): unknown => (typeof cell === 'number' ? String(cell) : cell);
  if (options.numbersAsTexts === true) return [200, table.rows.map((row) => row.map(asText))];
  const query = { id: table.id, columns: [], ...body };
  // A basic plugin does not even look at the filters.
  return [200, pushdown ? answer(table, query) : table.rows];
}

export async function startPlugin(options: PluginOptions = {}): Promise<TestPlugin> {
  const requests: PluginRequest[] = [];
  const faults = new Map<Endpoint, Misbehaviour>();
  let open = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    const received = { method: request.method ?? '', path, headers: request.headers, body: await bodyOf(request) };
    requests.push(received);
    const fault = isEndpoint(path) ? faults.get(path) : undefined;
    if (fault !== undefined) return misbehave(fault, response);
    const [status, body] = isEndpoint(path) ? behave(received, options) : [404, {}];
    const isText = typeof body === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' });
    response.end(isText ? body : JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    open += 1;
    response.once('close', () => {
      open -= 1;
    });
    serve(request, response).catch(() => response.destroy());
  });
  const host = options.host ?? '127.0.0.1';
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://${host}:${port}`,
    port,
    requests,
    set: (endpoint, how) => void faults.set(endpoint, how),
    clear: () => faults.clear(),
    open: () => open,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
