import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import { clickhouseParameter, type Scalar } from '@inlay/query';
import { agentOf } from '../../outbound/index.ts';
import { SourceProblem } from '../problem.ts';
import { addressOf, type Address } from '../session/address.ts';
import type { Encryption } from '../session/encryption.ts';
import { connectAs, type TransportRequest } from '../session/http-transport.ts';
import { errorIn } from './failure.ts';
import type { Settings } from './settings.ts';

/** Maximum size of an error that is read, in bytes. */
const maxErrorBytes = 65_536;
/** Length of bound values from which they are sent in the body of the request, since addresses are limited in length. */
const maxAddressLength = 8000;
const maxHeaderBytes = 1024 ** 2;
const dayMs = 86_400_000;
const cancelMs = 10_000;
const killAttempts = 3;

/** A statement with its bound values, the first of which is `{p1:Type}` in the text. */
export interface BoundStatement {
  readonly sql: string;
  readonly params: readonly Scalar[];
}

/** Returns the body of a form with these fields. */
function formOf(fields: Readonly<Record<string, string>>, boundary: string): Readable {
  const parts = Object.entries(fields).map(
    ([name, text]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  );
  return Readable.from([Buffer.from(`${parts.join('')}--${boundary}--\r\n`)]);
}

/** Reads the error in an answer that is no result. */
async function errorOf(answer: Readable, code: string | undefined): Promise<Error> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer) {
    if (Buffer.isBuffer(piece)) pieces.push(piece);
    bytes += Buffer.isBuffer(piece) ? piece.length : 0;
    if (bytes > maxErrorBytes) break;
  }
  const text = Buffer.concat(pieces).toString();
  return errorIn(text, code) ?? new SourceProblem('failed', 'The host answers, but not as a database does.');
}

const lengthOf = (fields: Readonly<Record<string, string>>): number =>
  Object.values(fields).reduce((length, text) => length + text.length, 0);

async function clientOf(
  { host, port, user, password }: Address,
  open: () => ReturnType<typeof connectAs>,
): Promise<ClickHouseClient> {
  // Loaded on first use.
  const { ClickHouseLogLevel, createClient } = await import('@clickhouse/client');
  return createClient({
    // The agent encrypts, so that the client itself never does.
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    username: user,
    password,
    application: 'Inlay',
    compression: { response: { codec: 'zstd' } },
    http_agent: agentOf(open),
    max_response_headers_size: maxHeaderBytes,
    // Statements have deadlines of their own.
    request_timeout: dayMs,
    log: { level: ClickHouseLogLevel.OFF },
  });
}

/** Sends statements to the HTTP port of a server, one at a time. */
export class Channel {
  readonly #client: ClickHouseClient;
  readonly #database: string;
  readonly #request: TransportRequest;
  readonly #encryption: Encryption;

  private constructor(client: ClickHouseClient, request: TransportRequest, encryption: Encryption) {
    this.#client = client;
    this.#database = addressOf(request.params, request.ports.usualPort).database;
    this.#request = request;
    this.#encryption = encryption;
  }

  /** Creates a channel whose connections come from `open`. */
  static async over(
    request: TransportRequest,
    encryption: Encryption,
    open: () => ReturnType<typeof connectAs>,
  ): Promise<Channel> {
    return new Channel(await clientOf(addressOf(request.params, request.ports.usualPort), open), request, encryption);
  }

  /** Sends a statement. Resolves with its answer when it begins. Raises ClickhouseError and errors of the connection. */
  async send(
    { sql, params }: BoundStatement,
    settings: Settings,
    queryId: string,
    signal: AbortSignal,
  ): Promise<Readable> {
    const fields = Object.fromEntries(
      params.map((value, index) => [`param_p${index + 1}`, clickhouseParameter(value)]),
    );
    const isLong = lengthOf(fields) > maxAddressLength;
    const boundary = `inlay-${queryId}`;
    const { stream, response_headers, http_status_code } = await this.#client.exec({
      query: `${sql}\nFORMAT JSONCompactEachRowWithNamesAndTypes`,
      query_id: queryId,
      clickhouse_settings: { ...settings, database: this.#database, ...(isLong ? {} : fields) },
      abort_signal: signal,
      ignore_error_response: true,
      ...(isLong && {
        values: formOf(fields, boundary),
        http_headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
      }),
    });
    const code = response_headers['x-clickhouse-exception-code'];
    if (http_status_code === 200 && code === undefined) return stream;
    throw await errorOf(stream, typeof code === 'string' ? code : undefined);
  }

  /** Ends a statement at the server, over a connection of its own. Never throws. */
  async kill(queryId: string): Promise<void> {
    const signal = AbortSignal.timeout(cancelMs);
    const request = { ...this.#request, deadline: Date.now() + cancelMs, signal };
    try {
      const client = await clientOf(addressOf(request.params, request.ports.usualPort), () =>
        connectAs(this.#encryption, request),
      );
      try {
        // A statement that has not started yet cannot be found, so the server is asked again.
        for (let attempt = 0; attempt < killAttempts; attempt += 1) {
          const { stream } = await client.exec({
            query: 'KILL QUERY WHERE query_id = {id:String} ASYNC FORMAT TabSeparated',
            query_params: { id: queryId },
            abort_signal: signal,
          });
          if ((await text(stream)) !== '') break;
          await sleep(100);
        }
      } finally {
        await client.close();
      }
    } catch {
      // The statement has already ended. Otherwise the server ends it shortly after the deadline.
    }
  }

  /** Closes the connection, even during a statement. */
  close(): void {
    void this.#client.close().catch(() => undefined);
  }
}
