import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { tables } from './data.ts';
import { answer, type Query } from './query.ts';

export interface PluginOptions {
  /** What the service sends as X-Secret. */
  readonly secret: string;
  /** What an account must have as its token. */
  readonly token: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const refused = (status: number, message: string): Answer => ({ status, body: { message } });

const isSame = (given: string, wanted: string): boolean => {
  const hash = (value: string): Buffer => createHash('sha256').update(value).digest();
  return timingSafeEqual(hash(given), hash(wanted));
};

const header = (request: IncomingMessage, name: string): string => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
};

const isQuery = (body: unknown): body is Query =>
  typeof body === 'object' && body !== null && 'id' in body && 'columns' in body && Array.isArray(body.columns);

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body === '' ? '{}' : body);
  } catch {
    return undefined;
  }
};

const datasets = (): Answer => ({
  status: 200,
  body: tables.map(({ id, name, description, columns }) => ({
    id,
    name: { en: name },
    description: { en: description },
    columns,
  })),
});

async function handle(request: IncomingMessage, { secret, token }: PluginOptions): Promise<Answer> {
  if (!isSame(header(request, 'x-secret'), secret)) return refused(403, 'Not a service I know.');
  if (!isSame(header(request, 'x-token'), token)) return refused(401, 'The token is wrong.');
  const body = parsed(await text(request));
  if (body === undefined) return refused(400, 'The body is not JSON.');
  switch (request.url) {
    case '/authorize':
      return { status: 200, body: {} };
    case '/datasets':
      return datasets();
    case '/query': {
      if (!isQuery(body)) return refused(400, 'Not a query.');
      const table = tables.find(({ id }) => id === body.id);
      return table === undefined ? refused(404, 'No such table.') : { status: 200, body: answer(table, body) };
    }
    default:
      return refused(404, 'No such endpoint.');
  }
}

/** A plugin over two small tables, as an HTTP server that does not listen yet. */
export const createPlugin = (options: PluginOptions): Server =>
  createServer((request, response) => {
    const send = ({ status, body }: Answer): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    handle(request, options).then(send, () => send(refused(500, 'A defect of the plugin.')));
  });
