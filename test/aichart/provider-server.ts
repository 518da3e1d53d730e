import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isList, isObject, member, type Json } from '@inlay/contract';

/** One request as it arrived, letter by letter. */
export interface Arrived {
  readonly path: string;
  readonly headers: string;
  readonly body: string;
  readonly json: Json;
}

/** What the server does with a request: a model's text, or anything at all with the bare answer. */
export type Behaviour = (arrived: Arrived, nth: number) => string | ((response: ServerResponse) => void);

/** A small server that speaks the chat protocol of OpenAI and keeps every byte it is sent. */
export interface ProviderServer {
  readonly baseUrl: string;
  readonly arrived: Arrived[];
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

/** Returns the answer of a chat completion with this text. */
export const completion = (text: string): string =>
  JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  });

const readAll = async (request: IncomingMessage): Promise<string> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
};

const parse = (text: string): Json => {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return null;
  }
};

export async function startProvider(): Promise<ProviderServer> {
  const arrived: Arrived[] = [];
  const state: { behaviour: Behaviour } = { behaviour: () => '{}' };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readAll(request);
    const one: Arrived = {
      path: request.url ?? '',
      headers: JSON.stringify(request.rawHeaders),
      body,
      json: parse(body),
    };
    arrived.push(one);
    const said = state.behaviour(one, arrived.length);
    if (typeof said === 'function') return said(response);
    response.writeHead(200, { 'content-type': 'application/json' }).end(completion(said));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    arrived,
    behave: (behaviour) => {
      state.behaviour = behaviour;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Returns the content of the message with the dataset and the question. */
export function userMessage({ json }: Arrived): string {
  const messages = isObject(json) ? member(json, 'messages') : undefined;
  const user = isList(messages ?? null) && isList(messages) ? messages[1] : undefined;
  const content = isObject(user ?? null) && isObject(user) ? member(user, 'content') : undefined;
  return typeof content === 'string' ? content : '';
}

/** Returns the columns a request told of: their ids as sent, with name and type. */
export function columnsTold(
  arrived: Arrived,
): readonly { readonly id: string; readonly name: string; readonly type: string }[] {
  const told = parse(userMessage(arrived));
  const dataset = isObject(told) ? member(told, 'dataset') : undefined;
  const columns = isObject(dataset ?? null) && isObject(dataset) ? member(dataset, 'columns') : undefined;
  return (isList(columns ?? null) && isList(columns) ? columns : []).map((column) => ({
    id: String(isObject(column) ? JSON.stringify(member(column, 'id')).replaceAll('"', '') : ''),
    name: isObject(column) ? JSON.stringify(member(column, 'name')).replaceAll('"', '') : '',
    type: isObject(column) ? JSON.stringify(member(column, 'type')).replaceAll('"', '') : '',
  }));
}

/** Returns a sensible answer: the first number by the first category. */
export function sensible(arrived: Arrived): string {
  const columns = columnsTold(arrived);
  const of = (type: string): Json => {
    const found = columns.find((column) => column.type === type);
    return found === undefined
      ? []
      : [{ column: found.id, aggregation: type === 'numeric' ? 'sum' : null, grain: null }];
  };
  return JSON.stringify({
    type: 'column-chart',
    slots: [
      { name: 'x-axis', columns: of('hierarchy') },
      { name: 'measure', columns: of('numeric') },
      { name: 'legend', columns: [] },
    ],
    sort: { by: 'measure', order: 'desc' },
    limit: 7,
  });
}
