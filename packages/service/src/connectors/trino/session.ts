import { httpClientOver, type Outbound } from '../../outbound/index.ts';
import type { ConnectionParams, SourceFeatures, SourceRows } from '../connector.ts';
import { SourceProblem } from '../problem.ts';
import { databaseProperties } from '../properties.ts';
import { credentialsOf, hostOf } from '../session/address.ts';
import type { Encryption } from '../session/encryption.ts';
import { connectFirst, openOverHttp, reconnecting, type TransportRequest } from '../session/http-transport.ts';
import { interruptible } from '../session/interruptible.ts';
import { opening } from '../session/opening.ts';
import type { SessionKind } from '../session/session-pool.ts';
import { TrinoAnswer } from './answer.ts';
import { TrinoClient } from './client.ts';
import { trinoFailure } from './failure.ts';
import type { AnswerColumn } from './pages.ts';
import { ports, usualPort } from './ports.ts';
import { hasJwt, properties } from './properties.ts';

/** A user of a cluster. Runs one statement at a time. */
export class TrinoSession {
  readonly encryption: Encryption;
  /** Catalog of the account; null if tables are named with theirs. */
  readonly catalog: string | null;
  readonly schema: string | null;
  /** Custom queries that the cluster has already parsed as separate statements. */
  readonly parsed = new Set<string>();
  readonly #client: TrinoClient;
  #deadline = 0;
  #running: { readonly answer: TrinoAnswer; readonly controller: AbortController } | undefined;

  constructor(client: TrinoClient, encryption: Encryption, { scope, properties: accountProperties }: ConnectionParams) {
    this.#client = client;
    this.encryption = encryption;
    this.catalog = scope === '' ? null : scope;
    this.schema = databaseProperties(properties, accountProperties).schema;
  }

  async features(): Promise<SourceFeatures> {
    const [[version] = []] = await this.rows('select version()');
    return { version: `Trino ${String(version)}`, zones: true };
  }

  /** Starts a statement, whose rows are then read from the answer. */
  run(text: string, deadline: number): TrinoAnswer {
    const controller = new AbortController();
    // In case the service cannot end a statement, the cluster ends it shortly after the deadline.
    const leftMs = Math.max(1, deadline - Date.now()) + 250;
    const headers = { 'x-trino-session': `query_max_run_time=${Math.ceil(leftMs)}ms` };
    const answer = new TrinoAnswer(this.#client, { text, headers }, { deadline, signal: controller.signal });
    this.#running = { answer, controller };
    return answer;
  }

  /** Sets the deadline of short statements. */
  begin(deadline: number): void {
    this.#deadline = deadline;
  }

  /** Runs a short statement and returns its rows. Raises TrinoError. */
  async rows(text: string): Promise<SourceRows> {
    return allRows(this.run(text, this.#deadline));
  }

  /** Runs a short statement and returns its columns. Raises TrinoError. */
  async columns(text: string): Promise<readonly AnswerColumn[]> {
    const answer = this.run(text, this.#deadline);
    await allRows(answer);
    return answer.columns;
  }

  /** Marks the statement as ended. */
  end(): void {
    this.#running = undefined;
  }

  /** Ends the running statement at the cluster. The session can be used again. */
  async cancel(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    running?.controller.abort();
    await running?.answer.cancel();
  }

  close(): void {
    this.#client.close();
  }
}

export async function allRows(answer: TrinoAnswer): Promise<SourceRows> {
  const rows: SourceRows[number][] = [];
  for (let batch = await answer.read(1000); batch.length > 0; batch = await answer.read(1000)) rows.push(...batch);
  return rows;
}

const headerText = /^[\x20-\x7E]*$/u;

function checkedHeader(value: string, what: string): string {
  if (headerText.test(value)) return value;
  throw new SourceProblem('settings', `The ${what} of the connection has a character that a cluster cannot receive.`);
}

function headersOf(params: ConnectionParams): Readonly<Record<string, string>> {
  const { user, password } = credentialsOf(params);
  const { schema } = databaseProperties(properties, params.properties);
  const authorization = hasJwt(params.properties)
    ? `Bearer ${checkedHeader(password, 'token')}`
    : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return {
    'content-type': 'text/plain; charset=utf-8',
    'x-trino-user': checkedHeader(user, 'user name'),
    'x-trino-source': 'Inlay',
    'x-trino-client-tags': `inlay,organization=${params.organizationId}`,
    'x-trino-client-capabilities': 'PARAMETRIC_DATETIME',
    'x-trino-time-zone': 'UTC',
    ...(params.scope !== null && params.scope !== '' && { 'x-trino-catalog': checkedHeader(params.scope, 'catalog') }),
    ...(schema !== null && { 'x-trino-schema': checkedHeader(schema, 'schema') }),
    ...(password !== '' && { authorization }),
  };
}

async function openSession(request: TransportRequest): Promise<TrinoSession> {
  const headers = headersOf(request.params);
  const { host, port } = hostOf(request.params, usualPort);
  const transport = await connectFirst(request);
  const { socket, encryption } = transport;
  const bracketed = host.includes(':') ? `[${host}]` : host;
  const http = await httpClientOver(
    `${bracketed}:${port}`,
    reconnecting(transport, request),
    request.params.answerMs ?? 0,
  );
  const client = new TrinoClient(http, headers, encryption !== 'none');
  try {
    const signingIn = (): Promise<void> =>
      interruptible(client.signIn(request), { ...request, interrupt: () => client.close() });
    await opening(socket, request.deadline, request.signal, signingIn);
    return new TrinoSession(client, encryption, request.params);
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Opens sessions of clusters. Connects only to addresses that the outbound policy allows. */
export const trinoSessions = (outbound: Outbound): SessionKind<TrinoSession> => ({
  open: openOverHttp(outbound, ports, openSession, trinoFailure),
  // Each statement has connections of its own if those of the last one are closed.
  isSound: () => true,
  close: (session) => session.close(),
});
