import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { isObject, type Json, type JsonObject } from '@inlay/contract';
import { awakeTimeout } from './awake.ts';
import { runSeed } from './seed.ts';
import type { Credential } from './service.ts';
import { randomOf } from './tenant-queries.ts';

/** What came back over a real connection. */
export interface Replied {
  readonly status: number;
  readonly body: Json;
  readonly etag: string | undefined;
}

/** Calls the service over HTTP as a customer's program does. */
export interface Client {
  /**
   * POST /0.1.0/<resource>. Raises an Error when no whole answer came back in time, with `isNewLink` true where nothing was
   * sent over its connection before.
   */
  call(resource: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Replied>;
  close(): void;
}

export interface ClientOptions {
  /** False for a connection of its own for each call. */
  readonly keepAlive?: boolean;
  readonly timeoutMs?: number;
}

/** Opens a client of the service at `url`; nothing is sent yet. */
export function openClient(url: string, credential: Credential | undefined, options: ClientOptions = {}): Client {
  const { keepAlive = true, timeoutMs = 20_000 } = options;
  const agent = new Agent({ keepAlive, maxSockets: Infinity });
  return {
    call: (resource, body, headers = {}) =>
      new Promise((resolve, reject) => {
        const { signal, end } = awakeTimeout(timeoutMs);
        const told = { 'content-type': 'application/json', ...headers };
        const sent = request(`${url}/0.1.0/${resource}`, { method: 'POST', agent, signal, headers: told }, (answer) => {
          let heard = '';
          answer.setEncoding('utf8').on('data', (piece: string) => (heard += piece));
          answer.on('error', reject);
          answer.on('close', end);
          answer.on('end', () => {
            const { etag } = answer.headers;
            const status = answer.statusCode ?? 0;
            try {
              const body: Json = JSON.parse(heard);
              resolve({ status, body, etag });
            } catch (cause) {
              reject(new Error(`answered ${status} ${heard}`, { cause }));
            }
          });
        });
        sent.on('error', (error) => reject(Object.assign(error, { isNewLink: !sent.reusedSocket }))).on('close', end);
        sent.end(JSON.stringify({ ...credential, ...body }));
      }),
    close: () => agent.destroy(),
  };
}

/** Returns a credential for the first owner, and the settings that give it to a service under load. */
export function firstOwner(): { readonly credential: Credential; readonly settings: Readonly<Record<string, string>> } {
  const credential = { key: randomUUID(), token: randomBytes(32).toString('base64url') };
  return {
    credential,
    settings: {
      INLAY_BOOTSTRAP_KEY: credential.key,
      INLAY_BOOTSTRAP_TOKEN: credential.token,
      INLAY_RATE_LIMIT: '0',
      INLAY_LOGIN_RATE_LIMIT: '0',
      INLAY_LOG_REQUESTS: 'false',
      INLAY_MAX_EVENT_LOOP_DELAY_MS: '60000',
      INLAY_STORE_TIMEOUT_MS: '60000',
    },
  };
}

/** Returns the body of an answer that has to be a success. */
export function done({ status, body }: Replied): JsonObject {
  if (status === 200 && isObject(body)) return body;
  throw new Error(`answered ${status} ${JSON.stringify(body)}`);
}

/** Returns the text member of a body. Raises an Error when it is something else. */
export function textIn(body: Json, name: string): string {
  const value = isObject(body) ? body[name] : undefined;
  if (typeof value === 'string') return value;
  throw new Error(`no text in ${name}: ${JSON.stringify(body)}`);
}

/** Returns the `code` of a refusal; an empty text where there is none. */
export const codeOf = ({ status, body }: Replied): string => (status === 200 ? '' : textIn(body, 'code'));

const chance = randomOf(runSeed);

/** Returns a whole number from `from` to `to`, both included. */
export const between = (from: number, to: number): number => from + chance.below(to - from + 1);

/** Returns the value that this many of 100 do not exceed. */
export const percentile = (values: readonly number[], of100: number): number =>
  values.toSorted((left, right) => left - right)[Math.ceil((values.length * of100) / 100) - 1] ?? 0;
